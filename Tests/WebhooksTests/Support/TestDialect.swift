//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments

/// A dialect that notifies in a few words, and takes "ok" for an answer.
struct TestDialect: Dialect {
    struct Unwritable: Error {}

    static let accounts = AccountPlan(
        dialect: DialectName("test"), title: "Test", keyName: "id", credentials: [], settings: [],
        demo: AccountPlan.Demo(countryCode: "CA", currency: "CAD"), notifications: NotificationMark { _ in false },
        places: { _, _ in ([:], [:]) })

    var isWritable = true
    /// Where every event goes now, whatever stands with it: `.some(nil)` for nowhere.
    var address: String??
    /// How many messages an event makes.
    var messagesCount = 1

    let name = DialectName("test")
    let routes: [WireRoute] = []
    let pathPrefixes = ["/test"]

    func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse { WireResponse(status: .notFound) }

    func notificationsCount(for delivery: Delivery) -> Int { self.messagesCount }

    func notifyURL(for delivery: Delivery, merchant: MerchantContext) -> String? {
        if let address = self.address { return address }
        return delivery.event.target
    }

    func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        guard self.isWritable else { throw Unwritable() }
        return OutgoingNotification(
            headers: [
                .init("X-Event", delivery.event.id.text), .init("Content-Type", "text/plain"),
                .init("X-Message", "\(delivery.event.messageIndex)"),
                .init("X-Attempt", "\(delivery.event.attemptsCount)"),
            ],
            body: Array("\(delivery.event.kind.rawValue) for \(merchant.accountKey)".utf8))
    }

    func isAcknowledged(status: Int, body: [UInt8]) -> Bool { status == 200 && body == Array("ok".utf8) }

    var retrySchedule: RetrySchedule { RetrySchedule(delaysSeconds: [5, 10]) }
}
