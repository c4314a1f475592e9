//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) public import Gateway
public import Payments
public import StrictJSON
import Time

extension MerchantAccount {
    /// - Parameters:
    ///   - merchant: whose it is, by name.
    ///   - plan: its dialect's; `nil` for a dialect that this program does not speak.
    public func view(merchant: String, _ plan: AccountPlan?) -> JSONObject {
        var object = JSONObject()
        object["merchant"] = .string(merchant)
        object["dialect"] = .string(self.dialect.text)
        object["account"] = .string(self.key)
        object["overlapping"] = .array(self.overlapping(plan).map { .string($0) })
        return object
    }

    /// The credentials that have been replaced and are still accepted, by name.
    public func overlapping(_ plan: AccountPlan?) -> [String] {
        (plan?.credentials ?? []).filter {
            $0.overlaps(settings: self.settings, secrets: Set(self.secrets.keys))
        }.map(\.name)
    }

    /// The credentials by which requests are proved, each with its last use, and with that of the one before it where
    /// both are accepted. Not among what an account is: a use changes nothing of it.
    public func credentials(_ plan: AccountPlan?, _ uses: CredentialUses) -> [CredentialState] {
        let overlapping = self.overlapping(plan)
        return (plan?.credentials ?? []).compactMap { credential in
            guard credential.isProof, let slot = credential.slots.first(where: { !$0.isCopied }) else { return nil }
            let isThere = slot.place == .setting ? self.settings[slot.first] != nil : self.secrets[slot.first] != nil
            guard isThere else { return nil }
            let isOverlapping = overlapping.contains(credential.name)
            return CredentialState(
                name: credential.name, isReplacedAccepted: isOverlapping,
                lastUse: uses.use(of: slot.first, self.dialect),
                lastUseOfReplaced: isOverlapping ? slot.second.flatMap { uses.use(of: $0, self.dialect) } : nil)
        }
    }
}

/// A credential by which requests are proved, as it is in use.
public struct CredentialState: Hashable, Sendable {
    public let name: String
    /// Whether the one that was replaced is still accepted.
    public let isReplacedAccepted: Bool
    /// `nil` where none was seen.
    public let lastUse: CredentialUse?
    public let lastUseOfReplaced: CredentialUse?

    public var view: JSONObject {
        var object = JSONObject()
        object["name"] = .string(self.name)
        object["replacedStillAccepted"] = .bool(self.isReplacedAccepted)
        object["lastUsed"] = self.lastUse.map { .object($0.view) } ?? .null
        object["previousLastUsed"] = self.lastUseOfReplaced.map { .object($0.view) } ?? .null
        return object
    }
}

extension CredentialUse {
    public var view: JSONObject {
        var object = JSONObject()
        object["at"] = .string(self.at.description)
        object["from"] = .string(orNull: self.from)
        object["client"] = .string(orNull: self.client)
        return object
    }

    /// "2026-10-05T07:00:00Z by 192.0.2.7 (curl/8.5.0)".
    public var sentence: String {
        [self.at.rfc3339Seconds, self.from.map { "by \($0)" }, self.client.map { "(\($0))" }].compactMap(\.self)
            .joined(separator: " ")
    }
}
