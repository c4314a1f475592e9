//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Payments
public import TestGateway
public import Time

/// An attempt to notify a merchant.
public struct Delivered: Sendable {
    public let delivery: Delivery
    public let notification: OutgoingNotification
    public let target: String
    /// Which of the event's messages.
    public let messageIndex: Int
    public let isAcknowledged: Bool
    /// When it is tried again, if it was not acknowledged and is not given up.
    public let retryAt: Timestamp?
    let answer: (status: Int, body: String)
}

extension TestGateway {
    /// Sends what is due now through a dialect, once, as the webhook worker does, and records what is answered.
    ///
    /// - Parameter answering: the merchant's answer: status and body.
    public func deliverDue(
        through dialect: any Dialect, answering: (OutgoingNotification) -> (status: Int, body: String)
    ) async throws -> [Delivered] {
        // Events that the merchant is not notified of are passed over.
        while let sent = try await self.deliverLeased(through: dialect, answering) {
            if !sent.isEmpty { return sent }
        }
        return []
    }

    /// - Returns: `nil` when nothing is due.
    private func deliverLeased(
        through dialect: any Dialect, _ answering: (OutgoingNotification) -> (status: Int, body: String)
    ) async throws -> [Delivered]? {
        let deliveries = try await self.gateway.leaseDeliveries(limit: 100)
        guard !deliveries.isEmpty else { return nil }
        var sent: [Delivered] = []
        for due in deliveries where due.event.dialect == dialect.name {
            guard let merchant = try await self.gateway.merchantContext(for: due) else { continue }
            let messagesCount = dialect.notificationsCount(for: due)
            let address = dialect.notifyURL(for: due, merchant: merchant)
            let delivery = address.map(due.addressed(to:)) ?? due
            guard messagesCount > 0 else {
                try await self.gateway.record(.delivered("not_told"), of: delivery, messagesCount: 1)
                continue
            }
            guard address != nil else {
                let delay = dialect.retrySchedule.delaySeconds(afterAttempts: delivery.event.attemptsCount + 1)
                let retryAt = delay.map { self.clock.now.adding(seconds: $0) }
                try await self.gateway.record(
                    .failed("no_address", retryAt: retryAt), of: delivery, messagesCount: messagesCount)
                continue
            }
            let notification = try dialect.notification(for: delivery, merchant: merchant)
            let answer = answering(notification)
            let isAcknowledged = dialect.isAcknowledged(status: answer.status, body: Array(answer.body.utf8))
            let delay = dialect.retrySchedule.delaySeconds(
                afterAttempts: delivery.event.attemptsCount + 1)
            let retryAt = isAcknowledged ? nil : delay.map { self.clock.now.adding(seconds: $0) }
            let word = "http_\(answer.status)"
            try await self.gateway.record(
                isAcknowledged ? .delivered(word) : .failed(word, retryAt: retryAt), of: delivery,
                messagesCount: messagesCount)
            sent.append(
                Delivered(
                    delivery: delivery, notification: notification, target: delivery.event.target,
                    messageIndex: delivery.event.messageIndex,
                    isAcknowledged: isAcknowledged, retryAt: retryAt, answer: answer))
        }
        return sent
    }

    /// Sends what is due through a dialect, in order, until nothing is due any more. Whatever is not acknowledged is not
    /// waited for.
    ///
    /// - Parameter answering: the merchant's answer: status and body.
    public func deliverAll(
        through dialect: any Dialect, answering: (OutgoingNotification) -> (status: Int, body: String)
    ) async throws -> [Delivered] {
        var all: [Delivered] = []
        while true {
            let sent = try await self.deliverDue(through: dialect, answering: answering)
            if sent.isEmpty { return all }
            all += sent
        }
    }
}

extension DialectShop {
    /// Delivers everything that is due, each acknowledged as the driver says, and keeps the exchanges.
    @discardableResult
    public func deliverAll() async throws -> [Delivered] {
        let acknowledgement = self.driver.acknowledgement
        let sent = try await self.test.deliverAll(through: self.dialect) { _ in acknowledgement }
        self.keep(sent)
        return sent
    }

    func deliverDue(
        answering: (OutgoingNotification) -> (status: Int, body: String)
    ) async throws -> [Delivered] {
        let sent = try await self.test.deliverDue(through: self.dialect, answering: answering)
        self.keep(sent)
        return sent
    }

    private func keep(_ sent: [Delivered]) {
        for one in sent {
            self.exchanges.keep(
                .notification(
                    one.notification, target: one.target, status: one.answer.status, body: Array(one.answer.body.utf8)))
        }
    }
}
