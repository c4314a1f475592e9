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

    /// One transaction.
    ///
    /// - Parameters:
    ///   - id: the wire's id of the transaction.
    ///   - payment: in the version that is to be shown.
    ///   - order: the order's fields, of ``order(_:of:_:)``: where an order was tried more than once they are another
    ///     payment's than the transaction's.
    ///   - number: the card's whole number, for the one who may see it.
    func transaction(
        _ id: String, _ operation: Operation, of payment: Payment, order: AnswerFields, number: Redacted<String>?
    ) -> AnswerFields {
        let shared = self.sharedFields(payment, order: order, number: number)
        return self.transaction(id, operation, of: PaymentTransactions(payment, shared, isIndexed: false))
    }

    /// All transactions of a payment, in the order begun: in a time that is proportional to their number, for a payment
    /// may have thousands.
    func transactions(of payment: Payment, order: AnswerFields) -> [AnswerFields] {
        let shared = self.sharedFields(payment, order: order, number: nil)
        let transactions = PaymentTransactions(payment, shared, isIndexed: true)
        return payment.operations.compactMap { operation in
            operation.transactionID.map { self.transaction($0, operation, of: transactions) }
        }
    }

    /// What all transactions of a payment have alike.
    private func sharedFields(
        _ payment: Payment, order: AnswerFields, number: Redacted<String>?
    ) -> AnswerFields {
        let opening = payment.opening?.labels.fields ?? [:]
        var fields = AnswerFields()
        fields.merge(self.device(payment))
        fields.set("agreement.id", opening[TransactionLabel.agreementID])
        fields.set("agreement.type", opening[TransactionLabel.agreementType])
        fields.set("gatewayEntryPoint", "WEB_SERVICES_API")
        fields.set("merchant", self.merchant.accountKey)
        fields.merge(order, under: "order")
        fields.merge(self.posTerminal(payment))
        fields.merge(self.sourceOfFunds(payment, number: number))
        fields.set("version", self.version.text)
        return fields
    }

    private func transaction(
        _ id: String, _ operation: Operation, of transactions: PaymentTransactions
    ) -> AnswerFields {
        let response = OperationResponse(operation)
        var fields = transactions.shared
        fields.merge(self.authorizationResponse(operation, of: transactions.payment), under: "authorizationResponse")
        fields.merge(response.fields(operation.answer), under: "response")
        fields.set("result", response.result.rawValue)
        fields.set("timeOfLastUpdate", (operation.resolvedAt ?? operation.begunAt).rfc3339Milliseconds)
        fields.set("timeOfRecord", operation.begunAt.rfc3339Milliseconds)
        fields.merge(self.ownFields(id, operation, of: transactions), under: "transaction")
        return fields
    }

    /// `transaction`.
    private func ownFields(_ id: String, _ operation: Operation, of transactions: PaymentTransactions) -> AnswerFields {
        let payment = transactions.payment
        let target = operation.target.flatMap(transactions.operation)
        let labels = operation.labels
        let answer = operation.answer
        let opening = payment.opening?.labels.fields ?? [:]
        var own = AnswerFields()
        own.merge(self.acquirer(operation, of: payment), under: "acquirer")
        own.set("amount", operation.amount)
        own.set("authenticationStatus", Self.authenticationStatus)
        own.set("authorizationCode", answer.authorizationCode)
        own.set("currency", operation.amount.currency.code)
        own.set("id", id)
        own.set("receipt", answer.reference)
        own.set("reference", labels.reference)
        own.set("source", opening[TransactionLabel.source] ?? TransactionSource.internet.rawValue)
        own.set("stan", answer.stan)
        own.set("targetTransactionId", self.targetID(of: operation, target, in: payment))
        own.set("terminal", Acceptor(of: payment, self.merchant).terminal)
        own.set("type", TransactionType(operation, target ?? payment.authorization)?.rawValue)
        return own
    }

    /// What a void took back or a refund gave back. A payment's own capture has no id on the wire but the payment's.
    private func targetID(of operation: Operation, _ target: Operation?, in payment: Payment) -> String? {
        switch operation.kind {
        case .void: return (target ?? payment.authorization)?.transactionID
        case .refund:
            guard operation.target != nil else { return nil }
            return target?.transactionID ?? payment.authorization?.transactionID
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

/// A payment, and what all of its transactions have alike.
private struct PaymentTransactions: Sendable {
    let payment: Payment
    let shared: AnswerFields
    /// Where its operations stand; `nil` where one look for one of them is enough.
    private let indices: [OperationID: Int]?

    init(_ payment: Payment, _ shared: AnswerFields, isIndexed: Bool) {
        self.payment = payment
        self.shared = shared
        guard isIndexed else {
            self.indices = nil
            return
        }
        let indices = payment.operations.enumerated().map { ($0.element.id, $0.offset) }
        self.indices = Dictionary(indices, uniquingKeysWith: { first, _ in first })
    }

    func operation(_ id: OperationID) -> Operation? {
        guard let indices = self.indices else { return self.payment.operation(id) }
        return indices[id].map { self.payment.operations[$0] }
    }
}
