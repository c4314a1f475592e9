//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// The gateway, as one account has it. The order's id is the payment's, a transaction's id the operation's.
struct MPGSAcquirer: Acquirer {
    let name: AcquirerName
    let calls: MPGSCalls

    var capabilities: AcquirerCapabilities { self.features.capabilities(self.calls.calls) }

    var features: MPGSFeatures { self.calls.account.features }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        guard request.amount.isTakenByMPGS else {
            return .notProcessed(NotProcessed(.requestRefused, "amount_not_taken"))
        }
        switch request.action {
        case .authorize(let charge):
            guard charge.captures else { return await self.charge(request, charge, .authorize) }
            return self.features.pays
                ? await self.charge(request, charge, .pay) : await self.saleOfTwoCalls(request, charge)
        case .verify(let charge): return await self.charge(request, charge, .verify)
        case .capture(let original, let isFinal): return await self.capture(request, original, isFinal: isFinal)
        case .refund(let original, let capture):
            guard !original.isSale else { return await self.refundSale(request, original) }
            // Where no capture is named, the gateway takes the order's.
            return await self.followUp(
                request, .refund, CommWebClient.body(.refund, request.amount, target: capture?.id.text))
        case .adjust:
            return await self.followUp(
                request, .updateAuthorization, CommWebClient.body(.updateAuthorization, request.amount))
        case .void(let original), .reverse(let original): return await self.takeBack(request, original)
        }
    }

    // MARK: - With the card

    /// - Parameter budget: of all calls of the operation.
    func charge(
        _ request: AcquirerRequest, _ charge: Charge, _ operation: APIOperation,
        within budget: UpstreamBudget? = nil
    ) async -> AcquirerOutcome {
        let charged = ChargeRequest(
            operation: operation, amount: request.amount, charge: charge, acceptor: self.calls.account.acceptor,
            notificationURL: self.calls.account.notificationURL, hasAgreements: self.features.hasAgreements)
        guard let full = charged.body(withDetails: true), let bare = charged.body(withDetails: false) else {
            return .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken"))
        }
        var expected = self.expected(request, operation)
        expected.secrets += charge.instrument.secrets
        let budget = budget ?? self.calls.chargeBudget
        var submission = await self.put(full, expected, within: budget)
        // An error leaves nothing behind, so the same transaction may be sent without what was complained of.
        if case .refused(let error) = submission, error.isAboutDetail, full != bare {
            submission = await self.put(bare, expected, within: budget)
        }
        switch submission {
        case .ended(let outcome): return outcome
        case .refused(let error) where error.isAboutItsName: return .unclear("name_refused")
        case .refused(let error) where error.isAboutTheToken:
            return .notProcessed(NotProcessed(.tokenRefused, "token_refused"))
        case .refused: return .notProcessed(NotProcessed(.requestRefused, "invalid_request"))
        }
    }

    // MARK: - Without it

    /// What follows a payment. What the gateway calls invalid there is the state of the order as a rule: nothing to
    /// capture, or more than is left.
    private func followUp(
        _ request: AcquirerRequest, _ operation: APIOperation, _ body: JSON
    ) async -> AcquirerOutcome {
        switch await self.put(body, self.expected(request, operation)) {
        case .ended(let outcome): return outcome
        case .refused(let error) where error.isAboutItsName: return .unclear("name_refused")
        case .refused(let error): return Self.outcome(ofRefusedFollowUp: error)
        }
    }

    static func outcome(ofRefusedFollowUp error: ErrorReply) -> AcquirerOutcome {
        let isState =
            error.isNotFound
            || error.isAboutTheOrder && error.validation != .missing && error.validation != .unsupported
        return isState
            ? .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
            : .notProcessed(NotProcessed(.requestRefused, "invalid_request"))
    }

    /// A sale's refund names the transaction that has its money: the sale's own, or its capture's.
    private func refundSale(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        let expected = self.expected(request, .refund)
        var target = self.transactionID(ofSale: original, isOfTwoCalls: !self.features.pays)
        var submission = await self.put(CommWebClient.body(.refund, request.amount, target: target), expected)
        // The sale may be older than the setting; an error leaves nothing behind, so the refund may be sent again.
        if case .refused = submission, let isOfTwoCalls = await self.isOfTwoCalls(original, request.paymentID),
            isOfTwoCalls == self.features.pays
        {
            target = self.transactionID(ofSale: original, isOfTwoCalls: isOfTwoCalls)
            submission = await self.put(CommWebClient.body(.refund, request.amount, target: target), expected)
        }
        switch submission {
        case .ended(let outcome): return outcome
        case .refused(let error) where error.isAboutItsName: return .unclear("name_refused")
        case .refused(let error): return Self.outcome(ofRefusedFollowUp: error)
        }
    }

    /// There is no last capture at the gateway: what one leaves is given back by lowering the authorization to what is
    /// captured then. The capture stands also where that fails; the rest lapses with the authorization.
    private func capture(
        _ request: AcquirerRequest, _ original: OriginalOperation, isFinal: Bool
    ) async -> AcquirerOutcome {
        let outcome = await self.followUp(request, .capture, CommWebClient.body(.capture, request.amount))
        if isFinal, case .approved(let approval) = outcome {
            await self.lowerToCaptured(approval, original, request.paymentID, request.operationID)
        }
        return outcome
    }

    /// - Parameter original: with the sums before the capture.
    func lowerToCaptured(
        _ capture: AcquirerApproval, _ original: OriginalOperation, _ paymentID: PaymentID, _ captureID: OperationID
    ) async {
        guard self.features.updatesAuthorizations, let captured = original.capturedTotal.adding(capture.amount),
            captured.currency == original.authorizedTotal.currency, original.authorizedTotal > captured
        else { return }
        await self.setTotal(captured, paymentID, TransactionID.rest(captureID))
    }

    func setTotal(_ total: Money, _ paymentID: PaymentID, _ transactionID: String) async {
        _ = await self.calls.put(
            paymentID.text, transactionID, Redacted(CommWebClient.body(.updateAuthorization, total)),
            within: self.calls.budget)
    }

    // MARK: - Calls

    func put(
        _ body: Redacted<JSON>, _ expected: ExpectedTransaction, within budget: UpstreamBudget? = nil
    ) async -> Submission {
        let ending = await self.calls.put(
            expected.orderID, expected.transactionID, body, within: budget ?? self.calls.budget)
        return Submission(ending, expected)
    }

    /// Without a card there is nothing to hide.
    func put(
        _ body: JSON, _ expected: ExpectedTransaction, within budget: UpstreamBudget? = nil
    ) async -> Submission {
        await self.put(Redacted(body), expected, within: budget)
    }

    /// - Parameters:
    ///   - transactionID: the operation's own if left out.
    ///   - amount: the request's if left out.
    func expected(
        _ request: AcquirerRequest, _ operation: APIOperation, as transactionID: String? = nil, amount: Money? = nil
    ) -> ExpectedTransaction {
        let hasAmount = operation != .void && operation != .verify
        let amount = amount ?? request.amount
        return ExpectedTransaction(
            merchantID: self.calls.account.merchantID, orderID: request.paymentID.text,
            transactionID: transactionID ?? request.operationID.text, types: operation.transactionTypes,
            currency: amount.currency, amount: hasAmount ? amount : nil, fullAmount: amount,
            // A void is sent again rather than asked after, and gets the same answer: it has to be final.
            secrets: self.calls.account.credentials.secrets, isLater: operation == .void)
    }
}

extension PaymentInstrument {
    /// What a gateway could send back in a field that is kept.
    fileprivate var secrets: [Redacted<String>] {
        guard case .networkToken(let token) = self else { return [] }
        switch token.proof {
        case .cryptogram(let cryptogram): return [token.pan, cryptogram.map { Base64.encode($0) }]
        case .emv, .securityCode: return [token.pan]
        }
    }
}
