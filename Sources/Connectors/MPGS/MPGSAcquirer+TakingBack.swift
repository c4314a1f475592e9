//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

// Voids and reversals: the same call, which names the transaction that it takes back.

extension MPGSAcquirer {
    func takeBack(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        switch original.kind {
        // It moved nothing, and nothing can be left of it.
        case .verification:
            return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        case .adjustment: return await self.takeBackAdjustment(request, original)
        case .authorization where original.isSale && !self.features.pays:
            return await self.takeBackSale(request, original)
        case .authorization, .capture, .refund, .void, .reversal, .lateFailure, .chargeback: break
        }
        let submission = await self.put(CommWebClient.voidBody(of: original.id.text), self.expected(request, .void))
        // The sale may be older than the setting.
        if case .refused(let error) = submission, !error.isNotFound, original.isSale,
            await self.isOfTwoCalls(original, request.paymentID) == true
        {
            return await self.takeBackSale(request, original)
        }
        return await self.outcome(ofVoid: submission, request, original)
    }

    func outcome(
        ofVoid submission: Submission, _ request: AcquirerRequest, _ original: OriginalOperation
    ) async -> AcquirerOutcome {
        switch submission {
        case .ended(let outcome):
            if case .approved = outcome { await self.giveBackRest(request, original) }
            return outcome
        case .refused(let error): return await self.afterRefusedVoid(error, request, original)
        }
    }

    /// What can't be voided may have been voided before, under another id; then it is as the caller wants it. What is
    /// not there at all is not approved: it may still come.
    private func afterRefusedVoid(
        _ error: ErrorReply, _ request: AcquirerRequest, _ original: OriginalOperation
    ) async -> AcquirerOutcome {
        let outcome = Self.outcome(ofRefusedFollowUp: error)
        guard case .declined = outcome, !error.isNotFound else { return outcome }
        switch await self.find(original, request.paymentID) {
        case .reversed: return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        case .approved, .declined, .accepted, .notFound: return outcome
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    /// After the void of a last capture the authorization holds again what it held before: it had been lowered for that
    /// capture alone. Where that fails, a later capture of more is declined.
    private func giveBackRest(_ request: AcquirerRequest, _ original: OriginalOperation) async {
        guard original.kind == .capture, self.features.updatesAuthorizations else { return }
        let lowering = TransactionID.rest(original.id)
        let ending = await self.calls.getTransaction(request.paymentID.text, lowering)
        guard case .answered(let answer) = ending, answer.status == 200,
            case .transaction(let transaction) = MPGSReply(answer),
            transaction.isSuccess(of: lowering, in: request.paymentID.text),
            original.authorizedTotal.isTakenByMPGS
        else { return }
        await self.setTotal(original.authorizedTotal, request.paymentID, TransactionID.rest(request.operationID))
    }

    /// A change of the total has no void: it is taken back by setting the total that was before. First it is looked up,
    /// because what has not arrived yet would come after that.
    private func takeBackAdjustment(
        _ request: AcquirerRequest, _ original: OriginalOperation
    ) async -> AcquirerOutcome {
        let budget = self.calls.budget
        switch await self.find(original, request.paymentID) {
        case .approved: break
        case .reversed, .declined, .accepted, .notFound:
            return .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
        case .unknown(let unknown): return .unknown(unknown)
        }
        let total = original.authorizedTotal
        guard total.isTakenByMPGS else { return .notProcessed(NotProcessed(.requestRefused, "amount_not_taken")) }
        let expected = ExpectedTransaction(
            merchantID: self.calls.account.merchantID, orderID: request.paymentID.text,
            transactionID: request.operationID.text, types: APIOperation.updateAuthorization.transactionTypes,
            currency: total.currency, amount: total, fullAmount: total, secrets: self.calls.account.credentials.secrets,
            isLater: true)
        switch await self.put(CommWebClient.body(.updateAuthorization, total), expected, within: budget) {
        case .ended(.approved(let approval)):
            return .approved(AcquirerApproval(amount: request.amount, answer: approval.answer))
        case .ended(let outcome): return outcome
        case .refused(let error): return Self.outcome(ofRefusedFollowUp: error)
        }
    }
}
