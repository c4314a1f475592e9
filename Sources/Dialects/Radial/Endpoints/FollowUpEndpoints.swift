//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

extension Radial {
    /// The name under which a settlement keeps its ClientContext.
    static let clientContextField = "clientContext"
    /// As long as plugins send a settlement again whose answer they have lost: Magento's cron three times within a quarter of
    /// an hour.
    static let settlementRepeatSeconds: Int64 = 1200

    func settle(
        _ message: XMLElement, tender: TenderType, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        try MessageRules.settlement.check(message)
        let request = try SettlementRequest(message, tender: tender)
        let payment = try await self.payment(request.account, tender, merchant)
        var fields: [String: String] = [:]
        fields[Self.clientContextField] = request.clientContext
        let labels = OperationLabels(
            reference: request.requestID, memo: request.invoiceID,
            notifySettings: AccountSettings.settlementAddresses, fields: fields)
        let action: FollowUpCommand.Action =
            switch request.kind {
            case .debit: .capture(request.amount, isFinal: request.isFinal)
            case .credit: .refund(request.amount)
            }
        var command = FollowUpCommand(
            context: CallContext(merchant: merchant, idempotency: request.idempotency), payment: .payment(payment.id),
            action: action, labels: labels)
        let now = self.gateway.now()
        command.earlier = { $0.settlement(of: request, at: now)?.id }
        let outcome = try await self.followUp(command)
        return .acknowledgement(
            of: outcome.operation, requestID: request.requestID, orderID: request.account.orderID)
    }

    func confirmFunds(
        _ message: XMLElement, tender: TenderType, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        try MessageRules.fundsConfirmation.check(message)
        let request = try FundsRequest(message)
        let payment = try await self.payment(request.account, tender, merchant)
        guard request.amount.currency == payment.amount.currency else { throw RadialFault(.currencyDiffers) }
        let code: SuccessFailCode
        switch payment.state {
        case .authorizing, .authorizationUnknown: code = .timeout
        case .declined, .notProcessed, .reversed, .voided, .verified: code = .fail
        // What is being canceled may be gone in a moment.
        case _ where payment.cancellations.contains(where: { !$0.state.isResolved }): code = .timeout
        // "Use the original authorization amount", also when a part of it has been settled: what counts is that something
        // is left, and that the acquirer holds it still.
        case _ where request.amount > payment.authorizedAmount || !payment.isHeldByItsAcquirer(at: self.gateway.now()):
            code = .fail
        case _ where payment.capturableAmount.isPositive: code = .success
        // What a debit under way leaves nothing of may be there again in a moment.
        case _ where payment.operations.contains(where: { $0.kind == .capture && !$0.state.isResolved }):
            code = .timeout
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded: code = .fail
        }
        return .fundsReply(code, orderID: request.account.orderID, AccountToken(of: payment))
    }

    func followUp(_ command: FollowUpCommand) async throws(RadialFault) -> OperationOutcome {
        do throws(GatewayRefusal) {
            return try await self.gateway.followUp(command)
        } catch {
            throw RadialFault(refusal: error)
        }
    }

    /// The payment that an order and the token of its reply name together.
    func payment(
        _ account: PaymentAccount, _ tender: TenderType, _ merchant: MerchantContext
    ) async throws(RadialFault) -> Payment {
        guard case .token(let text) = account.identifier else { throw RadialFault(.accountTokenRequired) }
        guard let payment = try await self.payment(withToken: text, merchant),
            payment.opening?.labels.reference?.isExactly(account.orderID) == true
        else { throw RadialFault(.authorizationNotFound) }
        guard TenderType(payment.instrument.network) == tender else { throw RadialFault(.tenderTypeInvalid) }
        return payment
    }

    /// The payment that a token was made for; `nil` for a token that is none of the merchant's.
    func payment(withToken text: String, _ merchant: MerchantContext) async throws(RadialFault) -> Payment? {
        guard let token = AccountToken(text) else { return nil }
        do throws(GatewayRefusal) {
            let selector = PaymentSelector.reference(AccountToken.reference(token.name))
            let payment = try await self.gateway.operation(selector, merchant: merchant).payment
            return AccountToken(of: payment) == token ? payment : nil
        } catch {
            if error == .paymentNotFound { return nil }
            throw RadialFault(refusal: error)
        }
    }
}

extension Payment {
    /// The settlement that a request asks for once more: shops' plugins that lost the answer send it again later, under another
    /// requestId, with the `FinalDebit` and `ClientContext` that they have by then.
    ///
    /// Of two debits an invoice is settled once. Credits of one invoice may be alike, and differ by their ClientContext
    /// if not made within as long as a plugin repeats after the end of the first. Without an invoice that time alone
    /// says which is which: the parts of an order may be alike, and all of them have its ClientContext. What has
    /// neither name is repeated by its requestId only. Names are compared by their code points: two that Unicode holds
    /// to be equal are two invoices to a shop.
    fileprivate func settlement(of request: SettlementRequest, at now: Timestamp) -> Operation? {
        let kind: Operation.Kind = request.kind == .debit ? .capture : .refund
        let settlements = self.operations.filter { $0.kind == kind }
        // Its claim may have been deleted since.
        if let named = settlements.last(where: { $0.labels.reference.isExactly(request.requestID) }) {
            return named.amount == request.amount && named.labels.memo.isExactly(request.invoiceID) ? named : nil
        }
        return settlements.last { settlement in
            guard settlement.amount == request.amount, settlement.labels.memo.isExactly(request.invoiceID),
                !settlement.state.isFailed, !self.isUndone(settlement.id)
            else { return false }
            let isOfContext =
                request.clientContext != nil
                && settlement.labels.fields[Radial.clientContextField].isExactly(request.clientContext)
            let isRecent = settlement.isRecent(at: now)
            switch (request.kind, request.invoiceID) {
            case (.debit, .some): return true
            case (.credit, .some): return isOfContext || isRecent
            case (.debit, nil): return isOfContext && isRecent && settlement.isFinalCapture == request.isFinal
            case (.credit, nil): return isOfContext && isRecent
            }
        }
    }
}

extension Operation {
    /// Whether a like settlement is rather this one, asked for once more, than another: while nobody knows how it ends,
    /// however long that takes, a shop has no other answer than `Timeout` and repeats it; then for as long as plugins
    /// repeat.
    fileprivate func isRecent(at now: Timestamp) -> Bool {
        guard self.state.isResolved else { return true }
        return (self.resolvedAt ?? self.begunAt).adding(seconds: Radial.settlementRepeatSeconds) > now
    }
}

extension Operation.State {
    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
