//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
import Payments
import Redaction

extension CommWeb {
    /// A transaction is reported as RETRIEVE_TRANSACTION answers it at the moment of the event, in the version of the
    /// request that made it, and in the flavor of the account.
    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        let event = delivery.event
        guard let target = NotificationTarget(event.target) else {
            throw NotificationError("the event's target is no URL")
        }
        let labels = delivery.operation.labels.fields
        guard let order = delivery.order, let id = labels[TransactionLabel.transactionID] else {
            throw NotificationError("the event is of no transaction")
        }
        let version = labels[TransactionLabel.version].flatMap { Int($0) } ?? APIVersion.supported.upperBound
        let writer = TransactionWriter(merchant: merchant, version: APIVersion(number: version))
        let fields = writer.transaction(
            id, delivery.operation, of: delivery.payment,
            order: writer.order(order.reference, of: order, delivery.payment), number: nil)
        let flavor = AccountSettings(merchant).notificationFlavor
        let answer = Self.response(Answer(fields), in: flavor)
        var headers: [OutgoingNotification.Header] = [
            .init("Content-Type", answer.headers[.contentType] ?? ""),
            .init("X-Notification-Attempt", String(event.attemptsCount + 1)),
            .init("X-Notification-ID", event.id.text),
        ]
        // Whoever listens to http would know the secret, and could then claim anything.
        if target.isSecure, let secret = merchant.secret(AccountSettings.notificationSecret) {
            headers.append(.init("X-Notification-Secret", secret.reveal()))
        }
        return OutgoingNotification(headers: headers, body: answer.body)
    }

    /// What has no id on the wire is no transaction of the merchant's.
    public func notificationsCount(for delivery: Delivery) -> Int {
        delivery.operation.transactionID == nil || delivery.order == nil ? 0 : 1
    }

    /// Any 2xx.
    public func isAcknowledged(status: Int, body: [UInt8]) -> Bool { (200...299).contains(status) }

    /// At once, then after 10 seconds, 1, 5 and 30 minutes, and every two hours for two days.
    public var retrySchedule: RetrySchedule {
        RetrySchedule(delaysSeconds: [10, 60, 300, 1800] + Array(repeating: 7200, count: 24))
    }
}
