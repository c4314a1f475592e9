//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Settings

/// What an account says of the Apple Pay tokens that its acquirer opens: for which merchant identifiers the acquirer holds
/// the payment processing key. A connector that takes sealed tokens describes these settings among its own.
public struct KeyCustody: Hashable, Sendable {
    public let merchantIdentifiers: Set<String>
    /// SHA-256 of the keys' SubjectPublicKeyInfo in base64: what header.publicKeyHash of a token says. Empty where the
    /// operator does not know them.
    public let publicKeyHashes: Set<String>

    public init(_ settings: [String: String]) {
        self.merchantIdentifiers = Self.list(settings[Self.identifiersName])
        self.publicKeyHashes = Self.list(settings[Self.hashesName])
    }

    /// Whether the acquirer can be expected to open a token.
    public func holds(keyOf publicKeyHash: @autoclosure () -> String) -> Bool {
        guard !self.merchantIdentifiers.isEmpty else { return false }
        return self.publicKeyHashes.isEmpty || self.publicKeyHashes.contains(publicKeyHash())
    }

    public static let identifiersName = "applePayMerchantIdentifiers"
    public static let hashesName = "applePayKeyHashes"

    public static let settings = [
        SettingDescription(
            Self.identifiersName, SettingRules.list(each: SettingRules.merchantIdentifier),
            "the Apple Pay merchant identifiers whose payment processing key this acquirer holds: their tokens are verified "
                + "here and passed on unopened"),
        SettingDescription(
            Self.hashesName, SettingRules.list(each: SettingRules.sha256Base64),
            "the SHA-256 hashes of those keys in base64, as publicKeyHash of a token has them; tokens for other keys are "
                + "refused. Empty: not checked"),
    ]

    private static func list(_ text: String?) -> Set<String> {
        Set(text.map(SettingRules.elements) ?? [])
    }
}
