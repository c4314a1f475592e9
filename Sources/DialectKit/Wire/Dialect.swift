//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Payments

/// A wire language: it turns requests into calls of the gateway, outcomes into answers, and events into notifications.
///
/// A dialect is a value that holds a `Gateway`; what it remembers is no more than a cache.
public protocol Dialect: WireService {
    /// What its accounts are made of.
    static var accounts: AccountPlan { get }
    /// The operations of idempotency claims by which the dialect finds payments, too: such a claim is never deleted.
    static var namingClaims: Set<String> { get }

    var name: DialectName { get }

    /// How many messages notify a merchant of an event, sent one after the other; 0 for events that it does not report.
    func notificationsCount(for delivery: Delivery) -> Int

    /// Where a merchant is notified of an event, by the account as it is now; `nil` where it is the account that names the
    /// address, and it names none.
    func notifyURL(for delivery: Delivery, merchant: MerchantContext) -> String?

    /// What notifies a merchant of an event, or the message of it that `delivery.event.messageIndex` says. Called anew
    /// for every attempt, because signatures carry the time.
    ///
    /// - Throws: `AccountKeyError` when the merchant's account lacks a key.
    func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification

    /// Whether a merchant's answer to a notification says that it has been taken.
    ///
    /// - Parameter body: the answer's body, never longer than 64 KiB.
    func isAcknowledged(status: Int, body: [UInt8]) -> Bool

    /// When to try again.
    var retrySchedule: RetrySchedule { get }
}

extension Dialect {
    public static var namingClaims: Set<String> { [] }

    public var label: String { "\(self.name)" }

    /// One message an event.
    public func notificationsCount(for delivery: Delivery) -> Int { 1 }

    /// What the request has named, which stands with the event, or else what the account names now.
    public func notifyURL(for delivery: Delivery, merchant: MerchantContext) -> String? {
        let own = delivery.operation.labels
        // What came to nothing late is reported as the report says where its own operation says nothing.
        let labels = own.isReportable ? own : delivery.payment.end(of: delivery.operation)?.labels ?? own
        guard labels.notifyURL == nil, !labels.notifySettings.isEmpty else { return delivery.event.target }
        return labels.notifyURL(in: merchant.settings)
    }
}
