//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// Writes a transaction as its own call, RETRIEVE_TRANSACTION and notifications show it: from the order, the payment
/// and the operation alone, so that the same transaction has the same text for ever.
struct TransactionWriter: Sendable {
    /// What all payments here have: nobody authenticates the payer but the device.
    static let authenticationStatus = "AUTHENTICATION_NOT_IN_EFFECT"

    let merchant: MerchantContext
    let version: APIVersion

    /// - Parameters:
    ///   - id: the wire's id of the transaction.
    ///   - payment: in the version that is to be shown.
    ///   - number: the card's whole number, for the one who may see it.
    func transaction(
        _ id: String, _ operation: Operation, orderID: String, _ order: Order?, _ payment: Payment,
        number: Redacted<String>?
    ) -> AnswerFields {
        let response = OperationResponse(operation)
        var fields = AnswerFields()
        fields.merge(self.authorizationResponse(operation, of: payment), under: "authorizationResponse")
        fields.merge(self.device(payment))
        fields.set("agreement.id", payment.opening?.labels.fields[TransactionLabel.agreementID])
        fields.set("agreement.type", payment.opening?.labels.fields[TransactionLabel.agreementType])
        fields.set("gatewayEntryPoint", "WEB_SERVICES_API")
        fields.set("merchant", self.merchant.accountKey)
        fields.merge(self.order(orderID, of: order, payment), under: "order")
        fields.merge(self.posTerminal(payment))
        fields.merge(response.fields(operation.answer), under: "response")
        fields.set("result", response.result.rawValue)
        fields.merge(self.sourceOfFunds(payment, number: number))
        fields.set("timeOfLastUpdate", (operation.resolvedAt ?? operation.begunAt).rfc3339Milliseconds)
        fields.set("timeOfRecord", operation.begunAt.rfc3339Milliseconds)
        fields.merge(self.transaction(id, operation, of: payment), under: "transaction")
        fields.set("version", self.version.text)
        return fields
    }

    private func transaction(_ id: String, _ operation: Operation, of payment: Payment) -> AnswerFields {
        let labels = operation.labels
        let answer = operation.answer
        let opening = payment.opening?.labels.fields ?? [:]
        var fields = AnswerFields()
        fields.merge(self.acquirer(operation, of: payment), under: "acquirer")
        fields.set("amount", operation.amount)
        fields.set("authenticationStatus", Self.authenticationStatus)
        fields.set("authorizationCode", answer.authorizationCode)
        fields.set("currency", operation.amount.currency.code)
        fields.set("id", id)
        fields.set("receipt", answer.reference)
        fields.set("reference", labels.reference)
        fields.set("source", opening[TransactionLabel.source] ?? TransactionSource.internet.rawValue)
        fields.set("stan", answer.stan)
        fields.set("targetTransactionId", self.targetID(of: operation, in: payment))
        fields.set("terminal", Acceptor(of: payment, self.merchant).terminal)
        fields.set("type", TransactionType(operation, in: payment)?.rawValue)
        return fields
    }

    /// What a void took back or a refund gave back. A payment's own capture has no id on the wire but the payment's.
    private func targetID(of operation: Operation, in payment: Payment) -> String? {
        switch operation.kind {
        case .void: return (operation.target.flatMap(payment.operation) ?? payment.authorization)?.transactionID
        case .refund:
            guard let capture = operation.target else { return nil }
            return payment.operation(capture)?.transactionID ?? payment.authorization?.transactionID
        case .authorization, .capture, .adjustment, .verification, .reversal, .lateFailure, .chargeback: return nil
        }
    }

    private func acquirer(_ operation: Operation, of payment: Payment) -> AnswerFields {
        let date = (operation.resolvedAt ?? operation.begunAt).compactDate
        var fields = AnswerFields()
        let batch = operation.answer.reconciliationID.flatMap { ASCII.isDigits($0, 1...18) ? $0 : nil }
        fields["batch"] = .number(batch ?? date)
        fields.set("date", String(date.suffix(4)))
        let acceptor = Acceptor(of: payment, self.merchant)
        fields.set("id", acceptor.institution)
        fields.set("merchantId", acceptor.merchantNumber)
        fields.set("transactionId", operation.answer.networkReference ?? operation.answer.reference)
        return fields
    }

    func device(_ payment: Payment) -> AnswerFields {
        var fields = AnswerFields()
        for (name, value) in payment.opening?.labels.fields ?? [:]
        where name.hasPrefix(TransactionLabel.devicePrefix) {
            fields.set(name, value)
        }
        return fields
    }

    private func posTerminal(_ payment: Payment) -> AnswerFields {
        var fields = AnswerFields()
        fields.set("posTerminal.location", payment.opening?.labels.fields[TransactionLabel.location])
        return fields
    }
}
