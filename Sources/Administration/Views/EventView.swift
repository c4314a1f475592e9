//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
public import Payments
public import StrictJSON
import Time

extension OutboxEvent {
    /// Without the address that it goes to, which may hold a secret of the merchant's: of that only the host is shown.
    ///
    /// - Parameter merchant: whose it is, by name.
    public func view(merchant: String) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["createdAt"] = .string(self.createdAt.description)
        object["merchant"] = .string(merchant)
        object["payment"] = .string(self.paymentID.text)
        object["operation"] = .string(self.operationID.text)
        object["dialect"] = .string(self.dialect.text)
        object["kind"] = .string(self.kind.rawValue)
        object["state"] = .string(self.state.rawValue)
        object["attempts"] = JSON(self.attemptsCount)
        object["lastResult"] = .string(orNull: self.lastResult)
        object["host"] = .string(orNull: self.host)
        return object
    }

    /// Of the address that the event goes to; path, query and user information may hold a secret.
    public var host: String? { NotificationTarget(self.target)?.host }
}
