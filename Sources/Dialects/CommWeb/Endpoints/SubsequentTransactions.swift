//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments

extension CommWeb {
    /// CAPTURE, REFUND, VOID and UPDATE_AUTHORIZATION.
    func subsequentTransaction(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let name = try TransactionName(call)
        _ = try caller.unmasks(call)
        let fields = try SubsequentFields(
            reading: call.payload, for: caller.merchant, of: call.operation)
        let history = try await self.history(name.orderID, call, caller)
        // A repeated call finds the order as its first left it: it is answered before the order is looked at.
        if let earlier = history.outcome(ofTransaction: name.transactionID) {
            return try self.repeatedAnswer(earlier, name, call, caller)
        }
        guard let payment = history.attempts.last else { throw CommWebError(.orderNotFound, field: "order.id") }
        let digest = call.digest
        let command = FollowUpCommand(
            context: name.context(of: caller, digest: digest.bytes), payment: .orderNamed(name.orderID),
            action: try Self.action(call.operation, fields, payment),
            labels: call.labels(
                name, digest: digest.text, reference: fields.reference,
                notifyURL: fields.notifyURL ?? payment.lastNotifyURL),
            references: [name.reference])
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.followUp(command)
        } catch {
            throw CommWebError(error, of: call.operation)
        }
        return self.transactionAnswer(outcome, name, call, caller, number: nil)
    }

    func history(
        _ orderID: String, _ call: Call, _ caller: Caller
    ) async throws(CommWebError) -> OrderHistory {
        do throws(GatewayRefusal) {
            return try await self.gateway.orderHistory(named: orderID, merchant: caller.merchant)
        } catch {
            throw CommWebError(error, of: call.operation)
        }
    }

    private static func action(
        _ operation: APIOperation, _ fields: SubsequentFields, _ payment: Payment
    ) throws(CommWebError) -> FollowUpCommand.Action {
        switch operation {
        case .capture:
            try payment.checkAuthorizationTarget(fields)
            return .capture(fields.amount, isFinal: false)
        case .refund: return .refund(fields.amount, of: try payment.refundTarget(fields).map { .operation($0) })
        case .updateAuthorization:
            try payment.checkAuthorizationTarget(fields)
            guard let amount = fields.amount else { throw .missing("transaction.amount") }
            return .adjust(amount)
        case .void: return .void(.operation(try payment.voidTarget(fields)))
        case .authorize, .pay, .verify, .retrieveTransaction, .retrieveOrder, .createSession, .updateSession,
            .retrieveSession, .paymentOptionsInquiry, .checkGateway:
            throw APIOperation.misplaced(operation)
        }
    }
}

extension Payment {
    /// What the order's requests have named last for the address of its notifications.
    var lastNotifyURL: String? { self.operations.lazy.compactMap(\.labels.notifyURL).last }
}

extension OrderHistory {
    /// The order's payments, oldest first, also where several were made in the same millisecond: the newest is the one
    /// that the order names.
    var attempts: [Payment] {
        let newest = self.payments.filter { $0.id == self.order.paymentID }
        return self.payments.filter { $0.id != self.order.paymentID } + newest
    }

    /// A transaction of the order, in whichever of its payments.
    func outcome(ofTransaction id: String) -> OperationOutcome? {
        for payment in self.payments {
            guard let operation = payment.operations.first(where: { $0.isTransaction(id) }) else { continue }
            return OperationOutcome(payment: payment, operation: operation, order: self.order, isRepeat: true)
        }
        return nil
    }
}
