//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

// Refunds, and what TapPay calls one: the void of an authorization that is not captured yet.

extension TapPayAcquirer {
    /// - Parameters:
    ///   - original: the authorization or the sale.
    ///   - amount: of a void, all that was authorized.
    func refund(
        _ request: AcquirerRequest, _ original: OriginalOperation, _ trade: String
    ) async -> AcquirerOutcome {
        do throws(AmountRefusal) {
            try TapPayCurrency.check(request.amount)
        } catch {
            return .notProcessed(NotProcessed(.requestRefused, error.rawValue))
        }
        let budget = self.calls.budget
        let fields = request.followUp(trade)
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            try client.refund(fields)
        }
        switch reply {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let answer):
            // "Out of range: amount" is also said of a trade that has nothing left.
            switch answer.status == StatusMeaning.amountOutOfRange ? .wrongState : answer.meaning {
            case .done: return self.refunded(request, trade, answer)
            case .declined(let reason): return .declined(self.decline(answer, reason))
            case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, answer.word))
            case .open(let reason): return .unknown(UnknownOutcome(reason, answer.word))
            // There may be nothing left because this very refund has been made.
            case .wrongState: return await self.lookUp(request, trade, orElse: .wrongState, within: budget)
            case .notCapturedYet:
                let later = AcquirerOutcome.notProcessed(NotProcessed(.busy, answer.word))
                let isCaptured = original.isSale || original.capturedTotal.isPositive
                return await self.lookUp(
                    request, trade, orElse: isCaptured ? later : .wrongState, within: budget)
            case .bankFailed, .nameUsed:
                return await self.lookUp(request, trade, orElse: .unclear(answer.word), within: budget)
            case .primeNotTaken, .tokenNotTaken, .notUnderstood: return .unclear(answer.word)
            }
        }
    }

    private func refunded(
        _ request: AcquirerRequest, _ trade: String, _ answer: TapPayAnswer
    ) -> AcquirerOutcome {
        let words = self.words(answer)
        guard self.isAbout(trade, request.amount.currency, answer), let id = words.refund,
            words.refundName == nil || words.refundName == request.operationID.shortName
        else { return .unclear("answer_about_another_trade") }
        guard words.money("refund_amount", request.amount.currency) == request.amount else {
            return .unclear("answer_about_another_amount")
        }
        return .approved(
            AcquirerApproval(
                amount: request.amount, answer: AcquirerAnswer(reference: id, responseCode: words.resultCode),
                memo: AcquirerMemo(trade: nil, refund: id)))
    }

    /// - Parameter absent: the outcome where TapPay knows no refund of that name.
    private func lookUp(
        _ request: AcquirerRequest, _ trade: String, orElse absent: AcquirerOutcome, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        switch await self.findRefund(
            named: request.operationID.shortName, of: trade, request.amount, begunAt: request.begunAt, within: budget)
        {
        case .done(_, let approval): return .approved(approval)
        case .declined(let decline): return .declined(decline)
        case .pending: return .accepted(AcquirerAcceptance())
        case .canceled: return .wrongState
        case .none: return absent
        case .unknown(let unknown): return .unknown(unknown)
        }
    }
}
