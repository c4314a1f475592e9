//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

// A sale where the merchant's profile does not permit PAY: AUTHORIZE under the operation's own transaction id, then
// CAPTURE under ``TransactionID/capture(_:)``.
//
// It counts as approved when both are, and as one thing everywhere else: what takes it back takes back both, what is
// refunded is the capture. Between the two calls there is an authorization that nobody has captured. It is never
// captured later than in the call that made it: a query finishes nothing, because hours may have passed, the customer may
// have paid in another way, and a question must not take money. A query says "unknown" of such a sale, and the gateway
// reverses what stays unknown. The reversal ends in every order of arrivals: a capture that arrives before the
// authorization's void makes that void fail, and is what the next query finds; one that arrives after it is refused by
// the gateway, because there is nothing left to capture.
//
// Which of the two a sale was is not kept: the gateway's own record says so, also of sales from before the setting was
// changed.

extension MPGSAcquirer {
    /// - Returns: approved with the authorization's answer, which has the issuer's words.
    func saleOfTwoCalls(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        let budget = self.calls.chargeBudget
        let outcome = await self.charge(request, charge, .authorize, within: budget)
        guard case .approved(let authorization) = outcome else { return outcome }
        let decline: AcquirerDecline
        // What was approved, which is less than was asked for in a partial approval.
        switch await self.captureSale(request, authorization.amount, within: budget) {
        case .approved: return .approved(authorization)
        case .declined(let reasoned): decline = reasoned
        // The card has been asked, so the payment as a whole was processed, and its cryptogram is used.
        case .notProcessed: decline = AcquirerDecline(reason: .systemError, answer: AcquirerAnswer())
        // It may be captured.
        case .unknown(let unknown): return .unknown(unknown)
        case .accepted: return .unclear("result_pending")
        }
        let submission = await self.put(
            CommWebClient.voidBody(of: request.operationID.text),
            self.expected(request, .void, as: TransactionID.void(request.operationID)), within: budget)
        guard case .ended(.approved) = submission else { return .unclear("authorization_not_taken_back") }
        return .declined(decline)
    }

    private func captureSale(
        _ request: AcquirerRequest, _ amount: Money, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let expected = self.expected(
            request, .capture, as: TransactionID.capture(request.operationID), amount: amount)
        switch await self.put(CommWebClient.body(.capture, amount), expected, within: budget) {
        case .ended(let outcome): return outcome
        case .refused(let error) where error.isAboutItsName: return .unclear("name_refused")
        case .refused(let error): return Self.outcome(ofRefusedFollowUp: error)
        }
    }

    // MARK: - Asking

    /// What became of a sale whose authorization is approved.
    func outcome(
        ofSale original: OriginalOperation, _ authorization: AcquirerApproval, isCancelled: Bool,
        _ paymentID: PaymentID
    ) async -> AcquirerQueryOutcome {
        switch await self.findCapture(of: original, authorization.amount, paymentID) {
        case .approved: return isCancelled ? .reversed : .approved(authorization)
        case .reversed: return .reversed
        // Only once the authorization is taken back too is it over.
        case .declined(let decline): return isCancelled ? .declined(decline) : .unknown(.unclear("authorization_left"))
        case .notFound: return isCancelled ? .reversed : .unknown(.unclear("capture_missing"))
        case .accepted: return .unknown(.unclear("result_pending"))
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    /// - Parameter amount: what must be captured; `nil` for any amount.
    private func findCapture(
        of original: OriginalOperation, _ amount: Money?, _ paymentID: PaymentID
    ) async -> AcquirerQueryOutcome {
        let id = TransactionID.capture(original.id)
        switch await self.look(up: id, paymentID) {
        case .notFound: return .notFound
        case .unknown(let unknown): return .unknown(unknown)
        case .found(let transaction):
            let expected = ExpectedTransaction(
                merchantID: self.calls.account.merchantID, orderID: paymentID.text, transactionID: id,
                types: APIOperation.capture.transactionTypes, currency: original.amount.currency, amount: amount,
                fullAmount: original.amount, secrets: self.calls.account.credentials.secrets, isLater: true)
            return await self.queryOutcome(transaction.outcome(expected)) { approval in
                await self.unlessVoided(id, paymentID, .approved(approval))
            }
        }
    }

    // MARK: - Following up

    /// The transaction that has a sale's money.
    func transactionID(ofSale original: OriginalOperation, isOfTwoCalls: Bool) -> String {
        isOfTwoCalls ? TransactionID.capture(original.id) : original.id.text
    }

    /// Whether a sale was made in two calls, by the gateway's record; `nil` where that says nothing.
    func isOfTwoCalls(_ original: OriginalOperation, _ paymentID: PaymentID) async -> Bool? {
        guard case .found(let transaction) = await self.look(up: original.id.text, paymentID),
            transaction.isSuccess(of: original.id.text, in: paymentID.text)
        else { return nil }
        if transaction.isOf(.authorize) { return true }
        return transaction.isOf(.pay) ? false : nil
    }

    /// The capture's void comes first: the gateway voids no authorization that is captured.
    func takeBackSale(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        let budget = self.calls.budget
        let isVoided: Bool
        let ofCapture = await self.put(
            CommWebClient.voidBody(of: TransactionID.capture(original.id)),
            self.expected(request, .void, as: TransactionID.capture(request.operationID)), within: budget)
        switch ofCapture {
        case .ended(.approved): isVoided = true
        // The sale stands, or nobody knows: either way nothing else is touched.
        case .ended(let outcome): return outcome
        case .refused(let error):
            let refusal = Self.outcome(ofRefusedFollowUp: error)
            guard case .declined = refusal else { return refusal }
            switch error.isNotFound ? .notFound : await self.findCapture(of: original, nil, request.paymentID) {
            case .reversed: isVoided = true
            case .declined, .notFound: isVoided = false
            case .approved: return refusal
            case .accepted: return .unclear("result_pending")
            case .unknown(let unknown): return .unknown(unknown)
            }
        }
        let submission = await self.put(
            CommWebClient.voidBody(of: original.id.text), self.expected(request, .void), within: budget)
        guard isVoided else { return await self.outcome(ofVoid: submission, request, original) }
        switch submission {
        case .ended(.approved(let approval)): return .approved(approval)
        case .ended(.unknown(let unknown)): return .unknown(unknown)
        case .ended(.accepted): return .unclear("result_pending")
        // The capture is void, so this is sent again until it ends.
        case .ended(.notProcessed(let not)): return .unclear(not.word)
        // No money moves any more. What the gateway does not give back of the card's limit lapses with the authorization.
        case .ended(.declined), .refused:
            return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        }
    }
}
