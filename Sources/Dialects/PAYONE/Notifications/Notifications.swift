//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Money
import Payments
import Redaction

/// What a notification is about (`txaction`).
enum TransactionAction: String, CaseIterable, Hashable, Sendable {
    case appointed
    case capture
    case paid
    case debit
    case refund
    case failed
    /// A returned payment or a chargeback.
    case cancelation
}

extension PAYONE {
    /// How many messages an event makes: what was booked, and that it has been paid.
    public func notificationsCount(for delivery: Delivery) -> Int {
        delivery.messages.count
    }

    /// The account's address: no request names one, so that also what an earlier version has written with the address of its
    /// time goes to that of today.
    public func notifyURL(for delivery: Delivery, merchant: MerchantContext) -> String? {
        AccountSettings(merchant).notificationURL
    }

    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        let messages = delivery.messages
        guard messages.indices.contains(delivery.event.messageIndex) else {
            throw NotificationError("the event has no such message")
        }
        guard let key = merchant.digest(.md5, of: AccountSettings.keyName) else {
            throw NotificationError("the account has no key")
        }
        let message = messages[delivery.event.messageIndex]
        let fields = TransactionStatus(message, of: delivery).fields(portalID: merchant.accountKey)
        return OutgoingNotification(
            headers: [
                OutgoingNotification.Header("Content-Type", "application/x-www-form-urlencoded; charset=ISO-8859-1"),
                OutgoingNotification.Header("User-Agent", "PAYONE FinanceGate"),
            ],
            body: FormWriter.urlEncoded([(name: "key", value: key.reveal())] + fields, as: .latin1))
    }

    /// The body is `TSOK` or `SSOK`. A line's end behind it is accepted; anything else, HTML above all, is not.
    public func isAcknowledged(status: Int, body: [UInt8]) -> Bool {
        var text = body[...]
        if text.last == 0x0A { text = text.dropLast() }
        if text.last == 0x0D { text = text.dropLast() }
        return (200...299).contains(status) && (text.elementsEqual("TSOK".utf8) || text.elementsEqual("SSOK".utf8))
    }

    /// At most twelve tries within 48 hours, the second about an hour after the first, and then ever more seldom.
    public var retrySchedule: RetrySchedule {
        RetrySchedule(
            delaysSeconds: [3600, 5400, 7200, 9000, 10_800, 14_400, 18_000, 21_600, 25_200, 27_000, 28_800])
    }
}

/// One message of an event: what has happened, and whether that stands yet (`transaction_status`).
struct StatusMessage: Hashable, Sendable {
    let action: TransactionAction
    var isPending = false

    static let appointedPending = StatusMessage(action: .appointed, isPending: true)
}

extension Delivery {
    private var hasFailedLate: Bool { self.payment.lateFailure(of: self.operation) != nil }

    /// Whether the operation captured.
    private var isMoney: Bool { self.operation.kind == .capture || self.operation.isSale }

    /// What the event is reported as, message by message. None for what the merchant was answered at once, and none for a
    /// reservation that was given back: `cancelation` is a returned debit or a chargeback to the shops.
    fileprivate var messages: [StatusMessage] {
        let actions: [TransactionAction]
        switch self.event.kind {
        case .authorizationSucceeded:
            actions = self.operation.saleCaptureID == nil ? [.appointed] : [.appointed, .paid]
        case .captureSucceeded: actions = [.capture, .paid]
        case .refundSucceeded:
            actions =
                self.operation.labels.fields[LabelField.request] == RequestName.refund.rawValue ? [.refund] : [.debit]
        case .chargeback: actions = [.cancelation]
        // What was open again is paid.
        case .chargebackReversed: actions = [.paid]
        case .captureFailed where self.hasFailedLate, .authorizationFailed where self.hasFailedLate:
            // What had been paid has been returned; a reservation that lapsed is none.
            actions = self.operation.approvedAmount != nil && self.isMoney ? [.cancelation] : [.failed]
        case .authorizationFailed, .captureFailed, .refundFailed, .voidFailed:
            actions = self.payment.wasDeclinedAtOnce(self.operation) ? [] : [.failed]
        case .voidSucceeded, .adjustmentSucceeded, .adjustmentFailed, .verificationSucceeded, .verificationFailed:
            actions = []
        }
        let messages = actions.map { StatusMessage(action: $0) }
        // What was answered PENDING begins with an appointment that is pending.
        let wasPending =
            !self.hasFailedLate && self.operation.kind == .authorization
            && !self.operation.wasResolvedAtOnce
        return wasPending && !messages.isEmpty ? [.appointedPending] + messages : messages
    }
}
