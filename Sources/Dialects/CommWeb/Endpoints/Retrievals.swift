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
            var answer = self.transactionAnswer(outcome, name, call, caller, number: nil)
            answer.status = .ok
            return answer
        } catch {
            throw CommWebError(error, of: call.operation)
        }
    }

    /// RETRIEVE_ORDER: the order as it stands now, and its transactions, oldest first.
    func retrieveOrder(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        _ = try caller.unmasks(call)
        guard let orderID = call.orderID else { throw .missing("order.id") }
        let history = try await self.history(orderID, call, caller)
        guard let payment = history.attempts.last else { throw CommWebError(.orderNotFound, field: "order.id") }
        let writer = TransactionWriter(merchant: caller.merchant, version: call.version)
        var fields = writer.order(orderID, of: history.order, payment)
        fields.merge(writer.sourceOfFunds(payment, number: nil))
        fields.merge(writer.device(payment))
        fields.set("merchant", caller.merchant.accountKey)
        fields.set("result", TransactionResult.success.rawValue)
        fields["transaction"] = .array(
            history.attempts.flatMap { payment in
                writer.transactions(orderID: orderID, history.order, payment).map(\.json)
            })
        return Answer(fields)
    }

    /// The answer of a transaction's own call: 201, since a PUT made it, also where it is repeated.
    func transactionAnswer(
        _ outcome: OperationOutcome, _ name: TransactionName, _ call: Call, _ caller: Caller,
        number: Redacted<String>?
    ) -> Answer {
        let writer = TransactionWriter(merchant: caller.merchant, version: call.version)
        return Answer(
            status: .created,
            writer.transaction(
                name.transactionID, outcome.operation, orderID: name.orderID, outcome.order, outcome.payment,
                number: number))
    }
}
