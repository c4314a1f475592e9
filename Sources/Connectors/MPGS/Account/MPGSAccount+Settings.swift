//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Payments
import Settings

// What an account is made of.

extension MPGSAccount {
    enum Setting {
        static let host = "host"
        static let version = "version"
        static let merchantID = "merchantId"
        static let form = "form"
        static let networks = "networks"
        static let pay = "pay"
        static let verify = "verify"
        static let partialCaptures = "partialCaptures"
        static let updateAuthorization = "updateAuthorization"
        static let authorize = "authorize"
        static let notificationURL = "notificationUrl"
        static let trustRoot = "trustRoot"
    }

    enum Secret {
        static let password = "password"
        static let secondPassword = "password2"
        static let notification = "notificationSecret"
        static let clientCertificate = "clientCertificate"
        static let clientKey = "clientKey"
    }

    /// The newest that is documented.
    static let latestVersion = "100"

    static let settings: [SettingDescription] =
        [
            SettingDescription(
                Setting.host, ConnectorRules.address,
                "the bank's gateway: a host name, or https://HOST[:PORT]; http://127.0.0.1:PORT in a sandbox account",
                isRequired: true, isPlace: true, publicRule: ConnectorRules.publicAddress),
            SettingDescription(
                Setting.merchantID, Self.merchantIDRule,
                "the merchant id at the gateway; a test merchant's begins with TEST", isRequired: true, isIdentity: true
            ),
            SettingDescription(
                Setting.version, Self.versionRule, "the version of the API; \(Self.latestVersion) if left out"),
            SettingDescription(
                Setting.form, SettingRules.choice(MPGSFeatures.Form.allCases.map(\.rawValue)),
                "in which form Apple Pay is sent: opened here (networkToken, the default), as it came "
                    + "(sealedApplePayToken; the bank has the merchant's Apple Pay key), or both"),
            SettingDescription(
                Setting.networks, SettingRules.list(of: CardNetwork.allCases.map(\.rawValue)),
                "the card networks of the contract, separated by commas; \(MPGSFeatures.defaultNetworksText) if left out"
            ),
            SettingDescription(
                Setting.pay, SettingRules.flag,
                "whether the merchant may use PAY, which authorizes and captures at once: without it a sale is an AUTHORIZE and a "
                    + "CAPTURE; true if left out"),
            SettingDescription(
                Setting.verify, SettingRules.flag, "whether the merchant may use VERIFY; true if left out"),
            SettingDescription(
                Setting.partialCaptures, SettingRules.flag,
                "whether less than the authorized amount can be captured, and more than once; true if left out"),
            SettingDescription(
                Setting.updateAuthorization, SettingRules.flag,
                "whether the merchant may use UPDATE_AUTHORIZATION: without it no amount can be changed, and what a last "
                    + "capture leaves stays on the card until it lapses; true if left out"),
            SettingDescription(
                Setting.authorize, SettingRules.flag,
                "whether the merchant may use AUTHORIZE, which leaves the capture for later; true if left out"),
            SettingDescription(
                Setting.notificationURL, Self.notificationURLRule,
                "this gateway's address for notices of the account, https://HOST/acquirers/ACCOUNT/notices, which is sent with "
                    + "every payment; needs the secret \(Secret.notification)"),
            SettingDescription(
                Setting.trustRoot, ConnectorRules.certificates,
                "an authority that is trusted beside the system's, as PEM", isDocument: true),
        ] + UpstreamDeadlines.settings + KeyCustody.settings

    static let secrets: [SecretDescription] = [
        SecretDescription(
            Secret.password, "the integration password of Merchant Administration; not needed with a certificate",
            alternative: Self.passwordAlternative),
        SecretDescription(
            Secret.secondPassword, "the next or the previous password, tried when the gateway does not take the first"),
        SecretDescription(
            Secret.notification,
            "the notification secret of Merchant Administration (Webhook Notifications): without it no notices are taken"
        ),
        SecretDescription(
            Secret.clientCertificate, "the TLS client certificate, as PEM, instead of a password",
            alternative: Self.certificateAlternative, isDocument: true, rule: ConnectorRules.certificates),
        SecretDescription(
            Secret.clientKey, "the private key of the client certificate, as PEM",
            alternative: Self.certificateAlternative, isDocument: true, rule: ConnectorRules.privateKey),
    ]

    /// The vendor has two ways of proving who calls: a password, or a certificate for TLS.
    private static let passwordAlternative = "password"
    private static let certificateAlternative = "certificate"

    static let versionText = "a version of the API from 46 on, which is the first with Apple Pay"

    static let versionRule: SettingDescription.Rule = { value in
        let isNumber = ASCII.isDigits(value, 2...3)
        return isNumber && !value.hasPrefix("0") && (Int(value) ?? 0) >= 46 ? nil : "must be \(Self.versionText)"
    }

    static let notificationURLText = "an https URL of at most 255 characters"

    static let notificationURLRule: SettingDescription.Rule = { value in
        value.hasPrefix("https://") && (9...255).contains(value.utf8.count) && value.utf8.allSatisfy(ASCII.isVisible)
            ? nil : "must be \(Self.notificationURLText)"
    }

    static let merchantIDText = "1 to 40 letters, digits, hyphens and underscores"

    static let merchantIDRule: SettingDescription.Rule = { value in
        FieldText.whole(value, 1...40, where: ASCII.isNameCharacter) == nil ? "must be \(Self.merchantIDText)" : nil
    }
}
