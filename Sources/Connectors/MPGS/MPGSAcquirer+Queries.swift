//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
        let answer: UpstreamAnswer
        switch await self.calls.getTransaction(paymentID.text, original.id.text) {
        case .notSent(let word): return .unknown(.unclear(word))
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let whole): answer = whole
        }
        let word = "http_\(answer.status)"
        switch (answer.status, MPGSReply(answer)) {
        case (200...299, .transaction(let transaction)):
            return await self.outcome(transaction, original, paymentID)
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
        switch transaction.outcome(self.expected(original, paymentID)) {
        case .approved(let approval):
            let outcome = await self.isTakenBack(original, paymentID, transaction, orElse: .approved(approval))
            // Whoever asks has not seen the capture's answer, and so the rest may still be on the card.
            if outcome == .approved(approval), original.kind == .capture, original.isFinal {
                await self.lowerToCaptured(approval, original, paymentID, original.id)
            }
            return outcome
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
    private func isTakenBack(
        _ original: OriginalOperation, _ paymentID: PaymentID, _ transaction: TransactionReply,
        orElse outcome: AcquirerQueryOutcome
    ) async -> AcquirerQueryOutcome {
        switch original.kind {
        case .authorization: return transaction.orderIsCancelled ? .reversed : outcome
        case .capture, .refund:
            switch await self.calls.getOrder(paymentID.text) {
            case .notSent(let word): return .unknown(.unclear(word))
            case .unknown(let unknown): return .unknown(unknown)
            case .answered(let answer):
                guard answer.status == 200, let json = MPGSReply.json(answer), json["id"]?.string == paymentID.text,
                    let transactions = json["transaction"]?.array
                else { return .unknown(.unclear("order_unreadable")) }
                return transactions.contains { Self.isVoid($0, of: original.id) } ? .reversed : outcome
            }
        case .verification, .adjustment, .void, .reversal, .lateFailure, .chargeback: return outcome
        }
    }

    private static func isVoid(_ json: JSON, of id: OperationID) -> Bool {
        guard json["result"]?.string == "SUCCESS", let type = json[path: "transaction.type"]?.string else {
            return false
        }
        return APIOperation.void.transactionTypes.contains(type)
            && json[path: "transaction.targetTransactionId"]?.string == id.text
    }

    private func expected(_ original: OriginalOperation, _ paymentID: PaymentID) -> ExpectedTransaction {
        let types: Set<String>
        var amount: AcquirerAmount = .stated
        switch original.kind {
        case .authorization: types = (original.isSale ? APIOperation.pay : .authorize).transactionTypes
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
