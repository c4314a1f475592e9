//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import StrictJSON

// What became of a transaction.

extension MPGSAcquirer {
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        await self.find(query.original, query.paymentID)
    }

    func find(_ original: OriginalOperation, _ paymentID: PaymentID) async -> AcquirerQueryOutcome {
        switch await self.look(up: original.id.text, paymentID) {
        case .found(let transaction): return await self.outcome(transaction, original, paymentID)
        case .notFound: return .notFound
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    /// What stands at the gateway under a transaction's id.
    enum Lookup {
        case found(TransactionReply)
        case notFound
        case unknown(UnknownOutcome)
    }

    func look(up transactionID: String, _ paymentID: PaymentID) async -> Lookup {
        let answer: UpstreamAnswer
        switch await self.calls.getTransaction(paymentID.text, transactionID) {
        case .notSent(let word): return .unknown(.unclear(word))
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let whole): answer = whole
        }
        let word = "http_\(answer.status)"
        switch (answer.status, MPGSReply(answer)) {
        case (200...299, .transaction(let transaction)): return .found(transaction)
        // Only what the gateway says in its own words is not found: a wrong host answers 404 too.
        case (200...299, .error(let error)) where error.isNotFound,
            (400, .error(let error)) where error.isNotFound,
            (404, .error(let error)) where error.isNotFound:
            return .notFound
        case (408, _), (504, _): return .unknown(.timedOut(word))
        default: return .unknown(.unclear(word))
        }
    }

    private func outcome(
        _ transaction: TransactionReply, _ original: OriginalOperation, _ paymentID: PaymentID
    ) async -> AcquirerQueryOutcome {
        await self.queryOutcome(transaction.outcome(self.expected(original, paymentID))) { approval in
            let outcome = await self.unlessTakenBack(original, paymentID, transaction, approval)
            // Whoever asks has not seen the capture's answer, and so the rest may still be on the card.
            if outcome == .approved(approval), original.kind == .capture, original.isFinal {
                await self.lowerToCaptured(approval, original, paymentID, original.id)
            }
            return outcome
        }
    }

    /// What the record of a transaction says to whoever asks for it.
    func queryOutcome(
        _ outcome: AcquirerOutcome, approved: (AcquirerApproval) async -> AcquirerQueryOutcome
    ) async -> AcquirerQueryOutcome {
        switch outcome {
        case .approved(let approval): return await approved(approval)
        case .declined(let decline): return .declined(decline)
        case .accepted(let answer): return .accepted(answer)
        // It stands there as a transaction that failed.
        case .notProcessed:
            return .declined(AcquirerDecline(reason: .systemError, answer: AcquirerAnswer()))
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    /// A transaction stays approved in its own record when it has been voided, by us or by somebody in Merchant
    /// Administration. Of a payment the order's status says so, of a capture and a refund only the void itself.
    private func unlessTakenBack(
        _ original: OriginalOperation, _ paymentID: PaymentID, _ transaction: TransactionReply,
        _ approval: AcquirerApproval
    ) async -> AcquirerQueryOutcome {
        let isCancelled = transaction.orderIsCancelled
        switch original.kind {
        case .authorization where original.isSale && transaction.isOf(.authorize):
            return await self.outcome(ofSale: original, approval, isCancelled: isCancelled, paymentID)
        case .authorization: return isCancelled ? .reversed : .approved(approval)
        case .capture, .refund: return await self.unlessVoided(original.id.text, paymentID, .approved(approval))
        case .verification, .adjustment, .void, .reversal, .lateFailure, .chargeback: return .approved(approval)
        }
    }

    func unlessVoided(
        _ transactionID: String, _ paymentID: PaymentID, _ outcome: AcquirerQueryOutcome
    ) async -> AcquirerQueryOutcome {
        switch await self.calls.getOrder(paymentID.text) {
        case .notSent(let word): return .unknown(.unclear(word))
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let answer):
            guard answer.status == 200, let json = MPGSReply.json(answer), json["id"]?.string == paymentID.text,
                let transactions = json["transaction"]?.array
            else { return .unknown(.unclear("order_unreadable")) }
            return transactions.contains { Self.isVoid($0, of: transactionID) } ? .reversed : outcome
        }
    }

    private static func isVoid(_ json: JSON, of transactionID: String) -> Bool {
        guard json["result"]?.string == "SUCCESS", let type = json[path: "transaction.type"]?.string else {
            return false
        }
        return APIOperation.void.transactionTypes.contains(type)
            && json[path: "transaction.targetTransactionId"]?.string == transactionID
    }

    private func expected(_ original: OriginalOperation, _ paymentID: PaymentID) -> ExpectedTransaction {
        let types: Set<String>
        var amount: AcquirerAmount = .stated
        switch original.kind {
        // A sale may be of two calls, whose first is an authorization.
        case .authorization:
            types = APIOperation.authorize.transactionTypes
                .union(original.isSale ? APIOperation.pay.transactionTypes : [])
        case .verification: (types, amount) = (APIOperation.verify.transactionTypes, .left)
        case .capture: types = APIOperation.capture.transactionTypes
        case .refund: types = APIOperation.refund.transactionTypes
        case .adjustment: types = APIOperation.updateAuthorization.transactionTypes
        // The reversal of an adjustment is another one, to a total that is not this operation's amount.
        case .void, .reversal, .lateFailure, .chargeback:
            types = APIOperation.void.transactionTypes.union(APIOperation.updateAuthorization.transactionTypes)
            amount = .left
        }
        return ExpectedTransaction(
            merchantID: self.calls.account.merchantID, orderID: paymentID.text, transactionID: original.id.text,
            types: types, currency: original.amount.currency, amount: amount == .stated ? original.amount : nil,
            fullAmount: original.amount, secrets: self.calls.account.credentials.secrets,
            isLater: true)
    }

    /// Whether an answer states the operation's amount.
    private enum AcquirerAmount {
        case stated
        case left
    }
}
