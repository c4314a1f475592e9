//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Gateway
import Payments
import Redaction
import Settings

extension AlphaPay {
    /// A merchant signs with its RSA key, and the gateway with its own.
    public static let accounts = AccountPlan(
        dialect: Self.dialectName, title: "AlphaPay", keyName: "merchantCode",
        credentials: [
            .identifier(
                "merchantCode", .identifier(max: 32), "The Merchant-Code of requests: the account's name.",
                demo: "POMONA"
            ) { $1.letters(8) },
            .identifier(
                "keyVersion", .number(digits: 1...3), "The keyVersion of the Signature header.", demo: "1",
                setting: AccountSettings.keyVersionName
            ) { _, _ in "1" },
            Self.merchantKey, Self.merchantPublicKey, Self.gatewayKey,
        ],
        settings: Self.settings, sandboxSettings: [AccountSettings.allowInsecureNotifyName],
        demo: AccountPlan.Demo(
            countryCode: "CA", currency: "CAD", settings: [AccountSettings.allowInsecureNotifyName: "true"]),
        referenceKinds: [ReferenceKind(RefundRequest.referenceKind)],
        notifications: NotificationMark(
            acknowledgement: #"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#,
            type: "application/json"
        ) { header in header("Signature") != nil && header("Merchant-Code") != nil },
        usualPurpose: .sale, operatorMark: { AlphaPay.mark($0) },
        places: { credentials, _ in
            AlphaPay.accountDraft(
                merchantPublicKeyPEM: credentials.file(Self.publicKeyName),
                gatewayPrivateKeyPEM: credentials.hidden[AccountSettings.gatewayPrivateKey] ?? Redacted(""),
                gatewayPublicKeyPEM: credentials.file("gatewayPublicKey"),
                keyVersion: Int(credentials.value("keyVersion")) ?? 1)
        })

    private static let publicKeyName = "publicKey"

    /// Under which key and under which version the merchant's requests are verified; both stay beside the new ones.
    private static let merchantSlots = [
        CredentialSlot(
            .setting, AccountSettings.merchantPublicKey, second: AccountSettings.secondMerchantPublicKey),
        CredentialSlot(
            .setting, AccountSettings.keyVersionName, second: AccountSettings.secondKeyVersionName, isCopied: true),
    ]

    private static let merchantKey = CredentialDescription(
        "privateKey", .rsaPrivateKey, "The RSA key that the merchant signs requests with.", slots: Self.merchantSlots,
        isProof: true
    ) { order, tools in
        let chosen = order.chosen["privateKey"]
        // Who has a key of its own keeps it to itself, and hands in the public half.
        guard order.chosen[Self.publicKeyName] == nil else {
            guard chosen == nil else {
                throw AccountPlanError(.credentialInvalid, "Choose privateKey or publicKey, not both.")
            }
            return AccountCredentials()
        }
        let pair: AccountKeyTools.KeyPair
        if let chosen {
            guard let known = tools.keys.rsaKey(chosen) else {
                throw AccountPlanError(
                    .credentialInvalid, "privateKey must be \(CredentialForm.rsaPrivateKey.allowed).")
            }
            pair = known
        } else {
            pair = try tools.keys.makeRSAKey()
        }
        return AccountCredentials(files: [
            .init(
                name: "privateKey", fileName: "private-key.pem", text: pair.privateKeyPEM.reveal(), isPrivate: true),
            .init(name: Self.publicKeyName, fileName: "public-key.pem", text: pair.publicKeyPEM, isPrivate: false),
        ])
    }

    private static let merchantPublicKey = CredentialDescription(
        Self.publicKeyName, .rsaPublicKey, "The public half of a key that the merchant has made.", choice: .operators,
        isOptional: true, slots: Self.merchantSlots, isProof: true
    ) { order, tools in
        guard let chosen = order.chosen[Self.publicKeyName] else { return AccountCredentials() }
        return AccountCredentials(files: [
            .init(
                name: Self.publicKeyName, fileName: "public-key.pem", text: tools.keys.rsaPublicKey(chosen) ?? chosen,
                isPrivate: false)
        ])
    }

    /// Signs with one key at a time: a merchant that is given another public key is to take it at once.
    private static let gatewayKey = CredentialDescription(
        "gatewayKey", .rsaPrivateKey, "The RSA key that the gateway signs replies and notifications with.",
        choice: .nobody,
        slots: [
            CredentialSlot(.setting, AccountSettings.gatewayPublicKey),
            CredentialSlot(.secret, AccountSettings.gatewayPrivateKey),
        ]
    ) { _, tools in
        let pair = try tools.keys.makeRSAKey()
        return AccountCredentials(
            files: [
                .init(
                    name: "gatewayPublicKey", fileName: "gateway-public-key.pem", text: pair.publicKeyPEM,
                    isPrivate: false)
            ], hidden: [AccountSettings.gatewayPrivateKey: pair.privateKeyPEM])
    }

    private static let settings = [
        SettingDescription(
            AccountSettings.merchantPublicKey, SettingRules.publicKey,
            "The merchant's RSA public key, PEM, by which its requests are verified: merchantPublicKey=@FILE.",
            isRequired: true),
        SettingDescription(
            AccountSettings.secondMerchantPublicKey, SettingRules.publicKey,
            "A further key by which its requests are verified, so that one can follow another."),
        SettingDescription(
            AccountSettings.gatewayPublicKey, SettingRules.publicKey, "The public half of the key that signs answers.",
            isRequired: true, fixedBecause: "it is the public half of the account's private key"),
        SettingDescription(
            AccountSettings.keyVersionName, SettingRules.digits(1...9), "The keyVersion of the Signature header."),
        SettingDescription(
            AccountSettings.secondKeyVersionName, SettingRules.digits(1...9),
            "The keyVersion that goes with merchantPublicKey2; without it, keyVersion."),
        SettingDescription(
            AccountSettings.supportedNetworksName, SettingRules.list(of: AccountSettings.knownNetworks),
            "What the payment sheet offers."),
        SettingDescription(
            AccountSettings.timeZoneOffsetName, SettingRules.offset,
            "Which day a moment belongs to in reports: -08:00."),
        SettingDescription(
            AccountSettings.allowInsecureNotifyName, SettingRules.flag,
            "Whether a sandbox merchant may be notified at http addresses."),
    ]
}
