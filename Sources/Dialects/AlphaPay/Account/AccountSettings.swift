//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Gateway
import Payments
public import Redaction

/// A merchant's account as this dialect reads it.
struct AccountSettings: Sendable {
    // The names of settings and secrets.
    static let merchantPublicKey = "merchantPublicKey"
    static let secondMerchantPublicKey = "merchantPublicKey2"
    static let gatewayPublicKey = "gatewayPublicKey"
    static let gatewayPrivateKey = "gatewayPrivateKey"
    static let keyVersionName = "keyVersion"
    static let secondKeyVersionName = "keyVersion2"
    static let supportedNetworksName = "supportedNetworks"
    static let timeZoneOffsetName = "timeZoneOffset"
    static let allowInsecureNotifyName = "allowInsecureNotify"

    /// The networks of the vendor's sample, in its spelling.
    static let supportedNetworksDefault = ["visa", "masterCard", "amex"]

    /// What Apple Pay JS calls the networks that a merchant of this dialect may offer.
    static let knownNetworks = [
        "visa", "masterCard", "amex", "discover", "jcb", "chinaUnionPay", "interac", "maestro",
    ]

    private let merchant: MerchantContext

    init(_ merchant: MerchantContext) {
        self.merchant = merchant
    }

    /// The version that replies name.
    var keyVersion: String { self.merchant.settings[Self.keyVersionName] ?? "1" }

    /// The keys by which requests may be signed that name a version, the one that counts first; none for a version that
    /// the account does not have.
    func requestKeys(ofVersion version: String) -> [String] {
        var names = version == self.keyVersion ? [Self.merchantPublicKey] : []
        if self.merchant.settings[Self.secondMerchantPublicKey] != nil,
            version == self.merchant.settings[Self.secondKeyVersionName] ?? self.keyVersion
        {
            names.append(Self.secondMerchantPublicKey)
        }
        return names
    }

    var canSignReplies: Bool { self.merchant.secret(Self.gatewayPrivateKey) != nil }

    /// What the payment sheet offers. Names that Apple Pay does not know are left out; if none is left, the default
    /// stands.
    var supportedNetworks: [String] {
        let names = self.merchant.settings[Self.supportedNetworksName]?.split(separator: ",").map {
            String($0.filter { $0 != " " })
        }
        let known = names?.filter(Self.knownNetworks.contains) ?? []
        return known.isEmpty ? Self.supportedNetworksDefault : known
    }

    /// Which day a moment belongs to in reports, as an offset from UTC in seconds.
    var timeZoneOffsetSeconds: Int64 {
        self.merchant.settings[Self.timeZoneOffsetName].flatMap(Self.offsetSeconds) ?? 0
    }

    /// Whether notifications may go to http addresses. Never for a live merchant.
    var allowsInsecureNotify: Bool {
        self.merchant.merchant.mode == .sandbox && self.merchant.settings[Self.allowInsecureNotifyName] == "true"
    }

    /// "-08:00" as -28800; `nil` for anything else.
    private static func offsetSeconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let sign = text.first, sign == "+" || sign == "-",
            [1, 2, 4, 5].allSatisfy({ ASCII.isDigit(bytes[$0]) }),
            let hours = Int64(text.dropFirst().prefix(2)), let minutes = Int64(text.suffix(2)), hours <= 14,
            minutes <= 59
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

extension AlphaPay {
    /// What an account of this dialect is made of.
    ///
    /// - Parameters:
    ///   - merchantPublicKeyPEM: verifies the merchant's requests; RSA, SubjectPublicKeyInfo as PEM.
    ///   - gatewayPrivateKeyPEM: signs replies and notifications; RSA, PEM.
    ///   - gatewayPublicKeyPEM: the public half of it, kept so that it can be shown to the merchant.
    ///   - keyVersion: the keyVersion of the Signature header.
    ///   - allowsInsecureNotify: whether a sandbox merchant may give http addresses for its notifications.
    public static func accountDraft(
        merchantPublicKeyPEM: String, gatewayPrivateKeyPEM: Redacted<String>, gatewayPublicKeyPEM: String,
        keyVersion: Int = 1, allowsInsecureNotify: Bool = false
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var settings = [
            AccountSettings.merchantPublicKey: merchantPublicKeyPEM,
            AccountSettings.gatewayPublicKey: gatewayPublicKeyPEM,
            AccountSettings.keyVersionName: String(keyVersion),
        ]
        if allowsInsecureNotify { settings[AccountSettings.allowInsecureNotifyName] = "true" }
        return (settings, [AccountSettings.gatewayPrivateKey: gatewayPrivateKeyPEM])
    }
}
