//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension Gateway {
    /// Has a merchant notified once more of how an operation ended: who has asked for it again waits for that. Of what
    /// the gateway has begun by itself (``Reauthorization/notifySettings``) he is notified from then on, of its end at
    /// once where that is known.
    public func notifyAgain(
        of operationID: OperationID, of paymentID: PaymentID, merchant: MerchantContext
    ) async throws(GatewayRefusal) {
        let now = self.clock()
        let eventID: EventID = self.makeID()
        try await self.writing { transaction in
            // The payment first, whose row keeps off the commit that ends the operation: it finds the request, or this
            // finds the end.
            guard let payment = try transaction.payment(paymentID), let operation = payment.operation(operationID)
            else { throw GatewayRefusal.paymentNotFound }
            let events = try transaction.events(of: paymentID).filter { $0.operationID == operationID }
            for event in events where event.state != .pending {
                try Gateway.resend(event, at: now, in: transaction)
            }
            guard !operation.labels.notifySettingsOnRequest.isEmpty else { return }
            let request = payment.notificationRequest(of: operation)
            if try transaction.operation(request) == nil {
                try transaction.insert(request, operation: operationID)
            }
            if events.isEmpty, operation.state.isResolved,
                let target = operation.labels.requestedURL(in: merchant.settings)
            {
                try self.insertEvent(eventID, of: operation, payment, target, at: now, in: transaction)
            }
        }
        self.deliveriesDue.raise()
    }

    /// Where a merchant is notified of how an operation ended that the gateway has begun by itself; `nil` where he has not
    /// asked for it since.
    func requestedURL(
        of operation: Operation, _ payment: Payment, _ settings: [String: String], in reader: any StoreReader
    ) throws -> String? {
        guard let target = operation.labels.requestedURL(in: settings),
            try reader.operation(payment.notificationRequest(of: operation)) != nil
        else { return nil }
        return target
    }

    /// Writes the event that an operation's end is, if it is one, for the payment as it is.
    func insertEvent(
        _ id: EventID, of subject: Operation, _ payment: Payment, _ target: String, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws {
        guard let kind = OutboxEvent.Kind(subject, payment.currentState(of: subject)) else { return }
        // While an earlier event waits its job stands, and this one follows it.
        let isFirst = try !transaction.events(of: payment.id).contains { $0.state == .pending }
        let event = OutboxEvent(
            id: id, merchantID: payment.merchantID, dialect: payment.dialect, kind: kind, paymentID: payment.id,
            operationID: subject.id, paymentVersion: payment.version, target: target, createdAt: now)
        try transaction.insert(event)
        guard isFirst else { return }
        let dueAt = self.settings.firstAttempt(of: event)
        try transaction.schedule(Job(kind: .deliver, paymentID: payment.id, dueAt: dueAt))
    }
}

extension Payment {
    /// The name by which a store keeps that the merchant is to be notified of an operation that he had not asked for.
    /// What is written on an operation never changes.
    fileprivate func notificationRequest(of operation: Operation) -> Reference {
        Reference(
            merchantID: self.merchantID, dialect: self.dialect, kind: "notificationRequest", value: operation.id.text)
    }
}

extension OperationLabels {
    private static let onRequestField = "notifySettingsOnRequest"

    /// As ``notifySettings``, but counting only once the merchant has asked for the operation himself. Kept among the
    /// fields.
    var notifySettingsOnRequest: [String] {
        get { self.fields[Self.onRequestField].map { $0.split(separator: " ").map(String.init) } ?? [] }
        set { self.fields[Self.onRequestField] = newValue.isEmpty ? nil : newValue.joined(separator: " ") }
    }

    fileprivate func requestedURL(in settings: [String: String]) -> String? {
        self.notifySettingsOnRequest.lazy.compactMap { settings[$0] }.first { !$0.isEmpty }
    }
}
