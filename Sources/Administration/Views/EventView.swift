//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
public import Payments
public import StrictJSON
import Time

extension WaitingEvent {
    /// Without the address that it goes to, which may hold a secret of the merchant's: of that only the host is shown.
    ///
    /// - Parameter merchant: whose it is, by name.
    public func view(merchant: String) -> JSONObject {
        var object = JSONObject()
        let event = self.event
        object["id"] = .string(event.id.text)
        object["createdAt"] = .string(event.createdAt.description)
        object["merchant"] = .string(merchant)
        object["payment"] = .string(event.paymentID.text)
        object["operation"] = .string(event.operationID.text)
        object["dialect"] = .string(event.dialect.text)
        object["kind"] = .string(event.kind.rawValue)
        object["state"] = .string(event.state.rawValue)
        object["attempts"] = JSON(event.attemptsCount)
        object["lastResult"] = .string(orNull: event.lastResult)
        object["host"] = .string(orNull: event.host)
        object["nextAttemptAt"] = .null
        object["waitsFor"] = .null
        switch self.wait {
        case .attempt(let at): object["nextAttemptAt"] = .string(at.description)
        case .earlier(let earlier): object["waitsFor"] = .string(earlier.text)
        case nil: break
        }
        return object
    }
}

extension OutboxEvent {
    /// Of the address that the event goes to; path, query and user information may hold a secret.
    public var host: String? { NotificationTarget(self.target)?.host }
}
