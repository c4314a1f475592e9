//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Payments
import Redaction
import Settings

extension CommWeb {
    /// A merchant has a password, or a certificate for TLS.
    public static let accounts = AccountPlan(
        dialect: Self.dialectName, title: "CommWeb", keyName: "merchantId",
        credentials: [
            // The vendor's merchants for tests are called so.
            .identifier("merchantId", .identifier(max: 40), "The merchant ID of URLs.", demo: "POMONA") { mode, tools in
                (mode == .sandbox ? "TEST" : "") + tools.letters(10)
            },
            .secret(
                AccountSettings.password, "The integration password.", second: AccountSettings.secondPassword),
            .secret(AccountSettings.notificationSecret, "Sent with notifications as X-Notification-Secret."),
            Self.clientCertificate,
        ],
        settings: Self.settings, sandboxSettings: [AccountSettings.allowInsecureNotifyName],
        notifySetting: AccountSettings.notifyURLName,
        demo: AccountPlan.Demo(
            countryCode: "AU", currency: "USD", settings: [AccountSettings.allowInsecureNotifyName: "true"]),
        referenceKinds: [
            // Transactions are numbered within their order, so that an id alone is no name.
            ReferenceKind(TransactionName.referenceKind) { TransactionName(text: $0)?.key }
        ],
        notifications: NotificationMark { header in header("X-Notification-ID") != nil },
        operatorMark: { CommWeb.mark($0) },
        places: { credentials, keys in
            let certificate = credentials.file(Self.clientCertificateName)
            return CommWeb.accountDraft(
                password: Redacted(credentials.value(AccountSettings.password)),
                notificationSecret: Redacted(credentials.value(AccountSettings.notificationSecret)),
                clientCertificateSHA256: certificate.isEmpty ? [] : [try Self.fingerprint(certificate, keys)])
        })

    private static let clientCertificateName = "clientCertificate"

    /// The sandbox's authority issues one for the demo merchant; others bring theirs.
    private static let clientCertificate = CredentialDescription(
        Self.clientCertificateName, .certificate, "A certificate for TLS, which stands in the place of the password.",
        choice: .operators, isOptional: true,
        slots: [CredentialSlot(.setting, AccountSettings.clientCertificateSHA256Name)], isProof: true
    ) { order, tools in
        if let chosen = order.chosen[Self.clientCertificateName] {
            return AccountCredentials(files: [Self.file(chosen)])
        }
        guard order.isDemo, let identity = try tools.makeClientIdentity?("POMONA") else { return AccountCredentials() }
        return AccountCredentials(files: [
            Self.file(identity.certificatePEM),
            .init(name: "clientKey", fileName: "client-key.pem", text: identity.privateKeyPEM, isPrivate: true),
        ])
    }

    private static func file(_ certificate: String) -> AccountCredentials.File {
        .init(name: Self.clientCertificateName, fileName: "client.pem", text: certificate, isPrivate: false)
    }

    private static func fingerprint(
        _ certificate: String, _ keys: AccountKeyTools
    ) throws(AccountPlanError) -> String {
        guard let digest = keys.certificateSHA256(certificate) else {
            throw AccountPlanError(
                .credentialInvalid, "\(Self.clientCertificateName) must be \(CredentialForm.certificate.allowed).")
        }
        return digest
    }

    private static let settings = [
        // What is reported carries the notification secret.
        SettingDescription(
            AccountSettings.notifyURLName, SettingRules.url, "Where transactions are reported that name no address.",
            isGuarded: true),
        SettingDescription(
            AccountSettings.notificationFormatName, SettingRules.choice(["JSON", "NVP"]),
            "How notifications are written."),
        SettingDescription(
            AccountSettings.clientCertificateSHA256Name, SettingRules.fingerprints,
            "SHA-256 of the merchant's TLS client certificates (DER), hexadecimal."),
        SettingDescription(
            AccountSettings.allowedOperationsName,
            // Whether the gateway is there may be asked by everybody.
            SettingRules.list(of: APIOperation.allCases.filter { $0 != .checkGateway }.map(\.rawValue)),
            "The operations that the merchant may use; without it, all.", isGuarded: true),
        SettingDescription(
            AccountSettings.allowInsecureNotifyName, SettingRules.flag,
            "Whether a sandbox merchant may be notified at http addresses."),
        SettingDescription(
            AccountSettings.currenciesName, SettingRules.currencies,
            "What the merchant may be paid in, in its order; without it, all."),
    ]
}
