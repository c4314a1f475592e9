//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

// What became of a payment or a refund. `result` is about the inquiry alone (AlphaPay, "Order inquiry").

extension AlphaPayAcquirer {
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        let original = query.original
        switch original.kind {
        case .authorization:
            // Nothing is paid before its order is noted, so that what has none was never sent.
            guard let paymentID = original.memo[Memo.paymentID] else { return .notFound }
            return await self.findPayment(paymentID, original.amount, within: self.calls.budget).outcome
        case .refund: return await self.findRefund(original, within: self.calls.budget).outcome
        // Of a reversal what it was made by; where that was the end of an order, it says so when it is sent again.
        case .reversal: return await self.findRefund(original, within: self.calls.budget).outcome
        case .verification, .capture, .adjustment, .void, .lateFailure, .chargeback: return .notFound
        }
    }

    /// A payment, or a refund, as an inquiry has it.
    struct Standing {
        /// Of a payment; `nil` where the inquiry does not say.
        var status: PaymentStatus?
        var outcome: AcquirerQueryOutcome
        /// Whether AlphaPay has said nothing at all: neither what it is nor that it will not say.
        var isUnanswered = false
    }

    func findPayment(
        _ paymentID: String, _ amount: Money, within budget: UpstreamBudget
    ) async -> Standing {
        let ending = await self.calls.send(within: budget) { client throws(ClientError) in
            try client.inquire(paymentID)
        }
        let answer: AlphaPayAnswer
        switch Self.inquired(ending) {
        case .success(let found): answer = found
        case .failure(let nothing):
            return Standing(
                outcome: nothing.meaning == .orderUnknown ? .notFound : .unknown(nothing.unknown),
                isUnanswered: nothing.isUnanswered)
        }
        guard answer.isAbout("paymentId", paymentID) else {
            return Standing(outcome: .unknown(.unclear("other_payment")))
        }
        guard answer.agrees("order.orderAmount", with: amount) else {
            return Standing(outcome: .unknown(.unclear("other_amount")))
        }
        guard let status = answer["paymentStatus"].flatMap(PaymentStatus.init) else {
            return Standing(outcome: .unknown(.unclear("status_not_understood")))
        }
        return Standing(status: status, outcome: Self.outcome(status, answer, paymentID, amount))
    }

    private static func outcome(
        _ status: PaymentStatus, _ answer: AlphaPayAnswer, _ paymentID: String, _ amount: Money
    ) -> AcquirerQueryOutcome {
        switch status {
        case .success, .partialRefund: return .approved(answer.approval(of: amount, paymentID: paymentID))
        // By a reversal of ours, or by somebody in AlphaPay's own pages: nobody here refunds what is not known to be paid.
        case .fullRefund: return .reversed
        // It was canceled, or its time was over: nobody has paid it, and nobody can. AlphaPay gives no reason; where there is
        // one, it is that of the last attempt, or that the time was over.
        case .closed where answer["paymentResultCode"] == nil: return .reversed
        case .failed, .closed:
            let code = answer["paymentResultCode"]
            guard code != "ORDER_CANCELED" else { return .reversed }
            var said = answer.acquirerAnswer("transactionId")
            said.vendorCode = AlphaPayName.read(code)
            return .declined(
                AcquirerDecline(
                    reason: DeclineReason(ofFailed: code), answer: said,
                    memo: self.memo(ofOrder: paymentID)))
        // Not paid yet, or under way: both are answered alike, and only `cancel` distinguishes them.
        case .inProcess: return .unknown(.unclear("in_process"))
        }
    }

    func findRefund(_ original: OriginalOperation, within budget: UpstreamBudget) async -> Standing {
        await self.findRefund(original.id, original.memo[Memo.refundID], original.amount, within: budget)
    }

    /// - Parameter refundID: AlphaPay's own id of it, where it is known.
    func findRefund(
        _ id: OperationID, _ refundID: String?, _ amount: Money, within budget: UpstreamBudget
    ) async -> Standing {
        let ending = await self.calls.send(within: budget) { client throws(ClientError) in
            try client.inquireRefund(requestID: id.text, refundID: refundID)
        }
        let answer: AlphaPayAnswer
        switch Self.inquired(ending) {
        case .success(let found): answer = found
        case .failure(let nothing):
            return Standing(
                outcome: nothing.meaning == .refundUnknown ? .notFound : .unknown(nothing.unknown),
                isUnanswered: nothing.isUnanswered)
        }
        return Standing(outcome: Self.outcome(ofRefund: id, answer, amount))
    }

    private static func outcome(
        ofRefund id: OperationID, _ answer: AlphaPayAnswer, _ amount: Money
    ) -> AcquirerQueryOutcome {
        guard answer.isAbout("refundRequestId", id.text) else { return .unknown(.unclear("other_refund")) }
        guard answer.agrees("refund.refundAmount", with: amount) else {
            return .unknown(.unclear("other_amount"))
        }
        switch answer["refundStatus"].flatMap(RefundStatus.init) {
        case .success: return .approved(answer.refundApproval(of: amount))
        case .failed: return .declined(answer.refundDecline(DeclineReason(ofFailed: answer["refundResultCode"])))
        // AlphaPay has it. It can't be taken back, and need not be.
        case .inProcess:
            return .accepted(
                AcquirerAcceptance(
                    answer.acquirerAnswer("refundId"), memo: Self.memo(ofRefund: answer.name("refundId"))))
        case nil: return .unknown(.unclear("status_not_understood"))
        }
    }

    /// An inquiry that has found nothing, or nothing that counts.
    private struct Nothing: Error {
        var meaning: ResultMeaning?
        let unknown: UnknownOutcome
        var isUnanswered = true
    }

    private static func inquired(_ ending: AlphaPayEnding) -> Result<AlphaPayAnswer, Nothing> {
        switch ending {
        case .notProcessed(let not): .failure(Nothing(unknown: .unclear(not.word)))
        case .unknown(let unknown): .failure(Nothing(unknown: unknown))
        case .notGenuine: .failure(Nothing(unknown: .unclear(AlphaPayEnding.notGenuineWord)))
        case .answered(let answer):
            switch answer.status {
            case .done: .success(answer)
            case .failed:
                .failure(
                    Nothing(meaning: answer.meaning, unknown: .unclear(answer.word), isUnanswered: false))
            case .open: .failure(Nothing(unknown: .unclear("inquiry_without_answer")))
            }
        }
    }
}
