//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON

extension CommWeb {
    /// RETRIEVE_TRANSACTION: the transaction as it stands now.
    func retrieveTransaction(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        _ = try caller.unmasks(call)
        let name = try TransactionName(call)
        do throws(GatewayRefusal) {
            let outcome = try await self.gateway.operation(.reference(name.reference), merchant: caller.merchant)
            let latest = try await self.latestPayment(of: outcome.order, caller, unless: outcome.payment)
            var answer = self.transactionAnswer(outcome, name, call, caller, latest: latest, number: nil)
            answer.status = .ok
            return answer
        } catch {
            throw CommWebError(error, of: call.operation)
        }
    }

    /// The payment that an order stands for, where a transaction is of an earlier attempt at it.
    private func latestPayment(
        of order: Order?, _ caller: Caller, unless own: Payment
    ) async throws(GatewayRefusal) -> Payment? {
        guard let order, order.paymentID != own.id else { return nil }
        return try await self.gateway.order(order.id, merchant: caller.merchant).payment
    }

    /// RETRIEVE_ORDER: the order as it stands now, and its transactions, oldest first.
    func retrieveOrder(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        _ = try caller.unmasks(call)
        guard let orderID = call.orderID else { throw .missing("order.id") }
        let history = try await self.history(orderID, call, caller)
        guard let payment = history.attempts.last else { throw CommWebError(.orderNotFound, field: "order.id") }
        let writer = TransactionWriter(merchant: caller.merchant, version: call.version)
        let order = writer.order(orderID, of: history.order, payment)
        var fields = order
        fields.merge(writer.sourceOfFunds(payment, number: nil))
        fields.merge(writer.device(payment))
        fields.set("merchant", caller.merchant.accountKey)
        fields.set("result", TransactionResult.success.rawValue)
        fields["transaction"] = .array(
            history.attempts.flatMap { writer.transactions(of: $0, order: order).map(\.json) })
        return Answer(fields)
    }

    /// The answer of a transaction's own call: 201, since a PUT made it, also where it is repeated.
    ///
    /// - Parameter latest: the order's payment, where it is another than the transaction's and the order is shown as it
    ///   stands now; an answer that is given again shows it as it was.
    func transactionAnswer(
        _ outcome: OperationOutcome, _ name: TransactionName, _ call: Call, _ caller: Caller,
        latest: Payment? = nil, number: Redacted<String>?
    ) -> Answer {
        let writer = TransactionWriter(merchant: caller.merchant, version: call.version)
        return Answer(
            status: .created,
            writer.transaction(
                name.transactionID, outcome.operation, of: outcome.payment,
                order: writer.order(name.orderID, of: outcome.order, latest ?? outcome.payment), number: number))
    }
}
