//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Redaction
public import StrictJSON
import Time

extension AccessToken {
    /// Never its secret.
    public var view: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["name"] = .string(self.name)
        object["scopes"] = .array(self.access.scopes.sorted().map { .string($0.rawValue) })
        object["merchants"] = self.access.merchants.map { .array($0.map(\.text).sorted().map { .string($0) }) } ?? .null
        object["sandboxOnly"] = .bool(self.access.changesSandboxOnly)
        object["madeBy"] = .string(self.madeBy)
        object["createdAt"] = .string(self.createdAt.description)
        object["endsAt"] = .string(self.endsAt.description)
        object["revokedAt"] = .string(orNull: self.revokedAt?.description)
        object["lastUsedAt"] = .string(orNull: self.lastUsedAt?.description)
        return object
    }
}

extension MadeAccessToken {
    /// With its secret, which is shown this once.
    public var view: JSON {
        ["token": .object(self.token.view), "secret": .string(self.secret.reveal())]
    }
}
