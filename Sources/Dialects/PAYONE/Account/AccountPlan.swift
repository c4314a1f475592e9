//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Payments
import Redaction
import Settings

extension PAYONE {
    /// A merchant has numbers for itself, its sub-account and its portal, and the portal's key.
    public static let accounts = AccountPlan(
        dialect: Self.dialectName, title: "PAYONE", keyName: "portalid",
        credentials: [
            .identifier(
                "mid", .number(digits: 5...5), "The merchant's number.", demo: "10001",
                setting: AccountSettings.merchantIDName
            ) { $1.number(digits: 5) },
            .identifier(
                "aid", .number(digits: 5...5), "The sub-account's number.", demo: "20002",
                setting: AccountSettings.subAccountsName
            ) { $1.number(digits: 5) },
            .identifier(
                "portalid", .number(digits: 6...7), "The portal's number: the account's name.", demo: "3000003"
            ) { $1.number(digits: 7) },
            .secret(
                AccountSettings.keyName, "The portal's key, which requests carry as MD5 or SHA-384.",
                second: AccountSettings.secondKey),
        ],
        settings: Self.settings, notifySetting: AccountSettings.notificationURLName,
        demo: AccountPlan.Demo(
            countryCode: "DE", currency: "EUR",
            // Shops whose plugin sends no capturemode may capture in parts.
            settings: [AccountSettings.captureModeDefaultName: CaptureMode.notcompleted.rawValue]),
        referenceKinds: [ReferenceKind(LabelField.txid)],
        notifications: NotificationMark(acknowledgement: "TSOK", type: "text/plain") { header in
            header("User-Agent") == "PAYONE FinanceGate"
        },
        operatorMark: { PAYONE.mark($0) },
        places: { credentials, _ in
            PAYONE.accountDraft(
                mid: credentials.value("mid"), aids: [credentials.value("aid")],
                key: Redacted(credentials.value(AccountSettings.keyName)))
        })

    private static let settings = [
        SettingDescription(
            AccountSettings.merchantIDName, SettingRules.digits(1...10), "The merchant's number on the wire.",
            isRequired: true),
        SettingDescription(
            AccountSettings.subAccountsName, SettingRules.digitLists, "The numbers of its sub-accounts.",
            isRequired: true),
        // It carries the MD5 of the portal's key, which is as good as the key.
        SettingDescription(
            AccountSettings.notificationURLName, SettingRules.url, "Where the TransactionStatus goes.",
            isGuarded: true),
        SettingDescription(
            AccountSettings.captureModeDefaultName, SettingRules.choice(CaptureMode.allCases.map(\.rawValue)),
            "What a capture that says nothing means."),
        SettingDescription(
            AccountSettings.cardTypesName, SettingRules.list(of: CardType.allCases.map(\.rawValue)),
            "The card types of the account's contract; without it, all."),
    ]
}
