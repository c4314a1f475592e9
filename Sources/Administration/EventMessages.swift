//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
public import Payments

extension Administration {
    /// What an event says to the merchant's server, written anew from what is kept, as it would be sent now. Writes
    /// nothing.
    ///
    /// - Parameters:
    ///   - number: which of the event's messages, from 0; the one that is next, or was last, if left out.
    ///   - dialects: those that are spoken here.
    /// - Throws: ``AdministrationError`` `message_unknown`, `message_not_sent`, `message_account_gone`,
    ///   `message_not_loaded`, `message_not_writable`; `StoreError`.
    public func message(
        _ number: Int? = nil, of event: OutboxEvent, in dialects: [any Dialect]
    ) async throws -> EventMessage {
        guard let dialect = dialects.first(where: { $0.name == event.dialect }) else {
            throw AdministrationError(.messageNotLoaded, "This gateway does not speak \(event.dialect).")
        }
        let (kept, merchant) = try await self.delivery(number, of: event)
        let delivery = dialect.notifyURL(for: kept, merchant: merchant).map(kept.addressed(to:)) ?? kept
        let count = dialect.notificationsCount(for: delivery)
        guard count > 0 else {
            throw AdministrationError(
                .messageNotSent, "\(event.dialect) reports nothing of this kind: no message is sent.")
        }
        guard delivery.event.messageIndex < count else {
            throw AdministrationError(.messageUnknown, "The event has \(count) messages, counted from 0.")
        }
        let notification: OutgoingNotification
        do {
            notification = try dialect.notification(for: delivery, merchant: merchant)
                .signed(as: delivery, by: merchant, at: self.gateway.now())
        } catch {
            let reason = error is NotificationError || error is AccountKeyError ? ": \(error)" : ""
            throw AdministrationError(
                .messageNotWritable, "The message cannot be written as the account is now\(reason).")
        }
        return EventMessage(notification, delivery, count: count, secrets: merchant.everySecret)
    }

    private func delivery(_ number: Int?, of event: OutboxEvent) async throws -> (Delivery, MerchantContext) {
        var sent = event
        // What is sent again begins with its first attempt.
        if event.state != .pending || number ?? event.messageIndex != event.messageIndex { sent.attemptsCount = 0 }
        sent.messageIndex = number ?? event.messageIndex
        let (delivery, merchant) = try await self.kept(sent)
        guard let delivery else {
            throw AdministrationError(.messageNotWritable, "What the event is about is not kept any more.")
        }
        guard let merchant else {
            throw AdministrationError(
                .messageAccountGone,
                "The merchant has no account in \(event.dialect) any more that can be opened. Look at pomona doctor.")
        }
        return (delivery, merchant)
    }

    private func kept(_ event: OutboxEvent) async throws(StoreError) -> (Delivery?, MerchantContext?) {
        do throws(GatewayRefusal) {
            guard let delivery = try await self.gateway.delivery(of: event) else { return (nil, nil) }
            return (delivery, try await self.gateway.merchantContext(for: delivery))
        } catch {
            throw StoreError.unavailable(error.explanation)
        }
    }
}
