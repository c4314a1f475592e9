//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Payments
import Redaction
import Settings

extension Radial {
    /// A store has a key.
    public static let accounts = AccountPlan(
        dialect: Self.dialectName, title: "Radial", keyName: "storeId",
        credentials: [
            .identifier("storeId", .identifier(max: 20), "The store's name in URLs.", demo: "POMONA") { $1.letters(8) },
            .secret(
                AccountSettings.apiKey, "The header apikey of requests.", second: AccountSettings.secondAPIKey),
            .optionalSecret(
                AccountSettings.webhookPassword,
                "The password of the webhook's Basic authentication, beside the setting webhookUser."),
        ],
        settings: Self.settings, notifySetting: AccountSettings.webhookURLName,
        otherNotifySettings: [AccountSettings.cancelWebhookURLName],
        demo: AccountPlan.Demo(
            countryCode: "US", currency: "USD", settings: [AccountSettings.decryptBlobName: "true"]),
        referenceKinds: [
            ReferenceKind(AccountToken.referenceKind) { AccountToken($0)?.name },
            ReferenceKind(AuthorizationRequest.referenceKind),
        ],
        notifications: NotificationMark { header in
            header("Content-Type").flatMap { MediaType($0) }?.essence == "application/xml"
        },
        operatorMark: { Radial.mark($0) },
        places: { credentials, _ in
            var draft = Radial.accountDraft(apiKey: Redacted(credentials.value(AccountSettings.apiKey)))
            let password = credentials.value(AccountSettings.webhookPassword)
            if !password.isEmpty { draft.secrets[AccountSettings.webhookPassword] = Redacted(password) }
            return draft
        })

    private static let settings = [
        // Both are sent the webhook's user and password.
        SettingDescription(
            AccountSettings.webhookURLName, SettingRules.url, "Where settlements are reported.", isGuarded: true),
        SettingDescription(
            AccountSettings.cancelWebhookURLName, SettingRules.url,
            "Where cancellations are reported; else webhookURL.", isGuarded: true),
        SettingDescription(
            AccountSettings.webhookUserName, SettingRules.text(128),
            "The user of the webhook's Basic authentication.", isGuarded: true),
        SettingDescription(
            AccountSettings.webhookFormName, SettingRules.choice(["list", "single"]),
            "Whether events are sent in lists or one by one."),
        SettingDescription(
            AccountSettings.allowedTendersName, SettingRules.list(of: TenderType.allCases.map(\.rawValue)),
            "The tender types that the store takes; without it, all."),
        SettingDescription(
            AccountSettings.decryptBlobName, SettingRules.flag,
            "Whether tokens are decrypted for the store, which then sees device account numbers.", isGuarded: true),
    ]
}
