//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Payments
import Settings

// What an account is made of.

extension AlphaPayAccount {
    enum Setting {
        static let merchantCode = "merchantCode"
        static let keyVersion = "keyVersion"
        static let secondKeyVersion = "keyVersion2"
        static let gatewayPublicKey = "gatewayPublicKey"
        static let secondGatewayPublicKey = "gatewayPublicKey2"
        static let networks = "networks"
        static let merchantIdentifier = "merchantIdentifier"
        static let notifyURL = "notifyUrl"
    }

    enum Secret {
        static let privateKey = "privateKey"
        static let secondPrivateKey = "privateKey2"
    }

    /// The vendor documents one host, which moves money; what else it offers for tests it says to its merchants alone.
    static let hosts = UpstreamHosts(sandbox: nil, live: "openapi.alphapay.ca")
    /// Of merchants in the United States, whose orders are in USD: not for Apple Pay, and not for tests either.
    static let hostsOfUSD = UpstreamHosts(sandbox: nil, live: "openapi.alphapay.com")

    /// The networks of the vendor's sample (AlphaPay, "Apple Pay", `supportedNetworks`).
    static let defaultNetworks: [CardNetwork] = [.visa, .mastercard, .amex]
    private static let defaultNetworksText = Self.defaultNetworks.map(\.rawValue).joined(separator: ", ")

    static let settings: [SettingDescription] =
        Self.hosts.settings + [
            SettingDescription(
                Setting.merchantCode, Self.merchantCodeRule, "the Merchant-Code that AlphaPay gave to the merchant",
                isRequired: true, isIdentity: true),
            SettingDescription(
                Setting.gatewayPublicKey, Self.publicKeyRule,
                "AlphaPay's RSA public key, PEM, by which its answers and notices are verified: gatewayPublicKey=@FILE",
                isRequired: true, isDocument: true),
            SettingDescription(
                Setting.secondGatewayPublicKey, Self.publicKeyRule,
                "a further key of AlphaPay's that is taken, so that one can follow another", isDocument: true),
            SettingDescription(
                Setting.keyVersion, SettingRules.digits(1...9),
                "the keyVersion that AlphaPay gave to the public half of \(Secret.privateKey); 1 if left out"),
            SettingDescription(
                Setting.secondKeyVersion, SettingRules.digits(1...9),
                "the keyVersion that goes with \(Secret.secondPrivateKey); without it, \(Setting.keyVersion)"),
            SettingDescription(
                Setting.merchantIdentifier, Self.merchantIdentifierRule,
                "the Apple Pay merchant identifier that orders name, where AlphaPay has several of the merchant's"),
            SettingDescription(
                Setting.networks, SettingRules.list(of: CardNetwork.allCases.map(\.rawValue)),
                "the card networks of the contract, separated by commas; \(Self.defaultNetworksText) if left out"),
            SettingDescription(
                Setting.notifyURL, ConnectorRules.noticesURL,
                "this gateway's address for notices of the account, https://HOST/acquirers/ACCOUNT/notices, which is sent "
                    + "with every order and refund; left out, none are asked for"),
        ] + UpstreamDeadlines.settings + KeyCustody.settings

    static let secrets: [SecretDescription] = [
        SecretDescription(
            Secret.privateKey,
            "the merchant's RSA private key, PEM, which signs requests; AlphaPay has the public half",
            isRequired: true, isDocument: true, rule: ConnectorRules.privateKey),
        SecretDescription(
            Secret.secondPrivateKey,
            "the next or the previous private key, tried when AlphaPay does not take the first one's signature",
            isDocument: true, rule: ConnectorRules.privateKey),
    ]

    /// The vendor's samples have six letters; nothing longer than what goes into its header is meant.
    private static let merchantCodeRule: SettingDescription.Rule = { value in
        FieldText.whole(value, 1...64, where: ASCII.isNameCharacter) == nil
            ? "must be 1 to 64 letters, digits, hyphens and underscores" : nil
    }

    private static let merchantIdentifierRule: SettingDescription.Rule = { value in
        SettingRules.merchantIdentifier(value) == nil
            ? nil : "must be a merchant identifier as Apple's developer portal writes it: merchant.com.example.shop"
    }

    private static let publicKeyRule: SettingDescription.Rule = { value in
        SettingRules.publicKey(value)
            ?? (AlphaPayClient.isPublicKey(value) ? nil : "must be the PEM of an RSA public key of at least 2048 bits")
    }
}
