//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import StrictJSON

// What a merchant voids, and what recovery takes back.

extension TapPayAcquirer {
    func void(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        guard let trade = original.trade else { return .wrongState }
        switch original.kind {
        case .authorization:
            // A refund would give captured money back, and that is not what a void says.
            guard original.isSale || !original.capturedTotal.isPositive else { return .wrongState }
            return await self.refund(request, original, trade)
        case .capture: return await self.cancelCapture(request, trade, within: self.calls.budget)
        case .refund:
            guard let refund = original.refund else { return .wrongState }
            return await self.cancelRefund(request, trade, refund, within: self.calls.budget)
        case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback:
            return .notProcessed(NotProcessed(.requestRefused, "not_offered"))
        }
    }

    /// Takes back what nobody knows the end of. It is looked up first, because only what is there can be taken back, and
    /// what is not there yet may still come.
    func reverse(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        switch original.kind {
        case .authorization: return await self.reversePayment(request, original)
        case .capture:
            guard let trade = original.trade else { return .wrongState }
            return await self.reverseCapture(request, original, trade)
        case .refund:
            guard let trade = original.trade else { return .wrongState }
            return await self.reverseRefund(request, original, trade)
        case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback:
            return .notProcessed(NotProcessed(.requestRefused, "not_offered"))
        }
    }

    private func reversePayment(
        _ request: AcquirerRequest, _ original: OriginalOperation
    ) async -> AcquirerOutcome {
        let budget = self.calls.budget
        switch await self.findTrade(named: original.id.shortName, within: budget) {
        case .none: return .wrongState
        case .unknown(let unknown): return .unknown(unknown)
        case .found(let record):
            switch record.outcome(of: original.amount) {
            case .approved: return await self.refund(request, original, record.trade)
            case .reversed: return await self.takenBack(request, record.trade, within: budget)
            case .declined, .notFound: return .wrongState
            case .accepted: return .unclear("trade_pending")
            case .unknown(let unknown): return .unknown(unknown)
            }
        }
    }

    /// It is as the caller wants it. The answer is that of the request which has done it, if that was this one.
    private func takenBack(
        _ request: AcquirerRequest, _ trade: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let refund = await self.findRefund(
            named: request.operationID.shortName, of: trade, request.amount, begunAt: request.begunAt, within: budget)
        switch refund {
        case .done(_, let approval): return .approved(approval)
        case .declined, .pending, .canceled, .none:
            return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    private func reverseCapture(
        _ request: AcquirerRequest, _ original: OriginalOperation, _ trade: String
    ) async -> AcquirerOutcome {
        let budget = self.calls.budget
        switch await self.findCapture(of: trade, original.amount, within: budget) {
        case .approved, .accepted: return await self.cancelCapture(request, trade, within: budget)
        case .declined, .notFound, .reversed: return .wrongState
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    private func reverseRefund(
        _ request: AcquirerRequest, _ original: OriginalOperation, _ trade: String
    ) async -> AcquirerOutcome {
        let budget = self.calls.budget
        let refund = await self.findRefund(
            named: original.id.shortName, of: trade, original.amount, begunAt: original.begunAt, within: budget)
        switch refund {
        case .done(let id, _): return await self.cancelRefund(request, trade, id, within: budget)
        case .canceled: return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        case .declined, .none: return .wrongState
        case .pending: return .unclear("refund_pending")
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    // MARK: - cap/cancel

    private func cancelCapture(
        _ request: AcquirerRequest, _ trade: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let fields = request.followUp(trade)
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            try client.cancelCapture(fields)
        }
        return await self.outcome(ofCancelling: reply, request, trade) { _ in
            true
        } isDone: {
            switch await self.findCapture(of: trade, request.amount, within: budget) {
            case .notFound: .success(true)
            case .approved, .accepted, .declined, .reversed: .success(false)
            case .unknown(let unknown): .failure(Unanswered(unknown))
            }
        }
    }

    // MARK: - refund/cancel

    /// - Parameter refund: TapPay's id; without one it would take back the newest, whosever that is.
    private func cancelRefund(
        _ request: AcquirerRequest, _ trade: String, _ refund: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let fields = request.followUp(trade, refund: refund)
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            try client.cancelRefund(fields)
        }
        return await self.outcome(ofCancelling: reply, request, trade) { answer in
            let id = answer.json[path: "result.refund_id"]?.string
            return answer.json[path: "result.success"]?.bool == true && (id == nil || id == refund)
        } isDone: {
            await self.history(of: trade, within: budget).map { $0.isCanceled(refund) }
        }
    }

    // MARK: - Either

    /// - Parameters:
    ///   - confirms: whether an answer with status 0 says that it is done.
    ///   - isDone: asks whether it is: a void is sent again under its own id, and TapPay refuses the second.
    private func outcome(
        ofCancelling reply: TapPayReply, _ request: AcquirerRequest, _ trade: String,
        confirms: (TapPayAnswer) -> Bool, isDone: () async -> Result<Bool, Unanswered>
    ) async -> AcquirerOutcome {
        let approved = AcquirerOutcome.approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        let answer: TapPayAnswer
        switch reply {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let whole): answer = whole
        }
        switch answer.meaning {
        case .done:
            guard self.isAbout(trade, request.amount.currency, answer) else {
                return .unclear("answer_about_another_trade")
            }
            return confirms(answer) ? approved : .unclear("cancellation_not_confirmed")
        case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, answer.word))
        case .open(let reason): return .unknown(UnknownOutcome(reason, answer.word))
        case .declined, .bankFailed, .wrongState, .notCapturedYet:
            switch await isDone() {
            case .success(true): return approved
            case .success(false):
                if case .declined(let reason) = answer.meaning { return .declined(self.decline(answer, reason)) }
                return answer.meaning == .wrongState ? .wrongState : .unclear(answer.word)
            case .failure(let unanswered): return .unknown(unanswered.unknown)
            }
        case .primeNotTaken, .nameUsed, .tokenNotTaken, .notUnderstood: return .unclear(answer.word)
        }
    }
}
