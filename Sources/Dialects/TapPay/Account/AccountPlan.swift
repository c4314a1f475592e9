//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Money
import Payments
import Redaction
import Settings

extension TapPay {
    /// An app has a number and a key that is no secret; the merchant's server has the partner key.
    public static let accounts = AccountPlan(
        dialect: Self.dialectName, title: "TapPay", keyName: "appId",
        credentials: [
            .identifier("appId", .number(digits: 1...9), "The app's number: the account's name.", demo: "12345") {
                $1.number(digits: 8)
            },
            .secret(
                AccountSettings.appKey, "Lets an app or a page make primes.", prefix: "app_",
                second: AccountSettings.secondAppKey),
            .secret(
                AccountSettings.partnerKey, "Lets the merchant's server pay.", prefix: "partner_",
                second: AccountSettings.secondPartnerKey),
            .identifier(
                "merchantId", .identifier(max: 40), "What pay-by-prime calls the merchant.",
                demo: "GlobalTesting_CTBC", setting: AccountSettings.merchantIDsName
            ) { "SHOP_" + $1.letters(10) },
            .optionalSecret(
                AccountSettings.notificationKey, "Signs backend notifications, in the place of the partner key."),
        ],
        settings: Self.settings, sandboxSettings: [AccountSettings.allowInsecureNotifyName],
        demo: AccountPlan.Demo(
            countryCode: "TW", currency: "TWD",
            // No app name: the page's SDK sends its host for one, which may be any.
            settings: [AccountSettings.amountPendingName: "true", AccountSettings.allowInsecureNotifyName: "true"]),
        referenceKinds: [
            ReferenceKind(TradeReference.recTradeID), ReferenceKind(TradeReference.bankTransactionID),
            ReferenceKind(TradeReference.refundID),
        ],
        notifications: NotificationMark { header in header(NotificationSignature.header) != nil },
        operatorMark: { TapPay.mark($0) }, wireUnit: { $0.amount.currency.minorUnitsPerWireUnit },
        aliases: { settings, secrets in Self.aliases(settings, secrets) },
        places: { credentials, _ in
            let notificationKey = credentials.value(AccountSettings.notificationKey)
            let draft = TapPay.accountDraft(
                appID: Int(credentials.value("appId")) ?? 0,
                appKey: Redacted(credentials.value(AccountSettings.appKey)),
                partnerKey: Redacted(credentials.value(AccountSettings.partnerKey)),
                merchantIDs: [credentials.value("merchantId")],
                notificationKey: notificationKey.isEmpty ? nil : Redacted(notificationKey))
            return (draft.settings, draft.secrets)
        })

    private static let settings = [
        SettingDescription(
            AccountSettings.merchantIDsName, SettingRules.text(512), "What pay-by-prime calls the merchant.",
            isRequired: true, fixedBecause: "the wire finds the account by it"),
        SettingDescription(
            AccountSettings.merchantGroupIDsName, SettingRules.text(512), "The merchant groups that it belongs to."),
        SettingDescription(AccountSettings.appNameName, SettingRules.text(128), "The app's name in records."),
        SettingDescription(
            FrontEndSettings.allowedAppNamesName, SettingRules.text(1024),
            "What app_name may be, separated by commas; without it, anything.", isGuarded: true),
        Self.setting(AccountSettings.currenciesName, "What the merchant may be paid in; without it, all."),
        Self.setting(AccountSettings.captureTimeName, "When a day's authorizations are captured, in Taipei."),
        Self.setting(
            AccountSettings.allowedAddressesName,
            "Who may call the back end: addresses and CIDR ranges; without it, everybody.", isGuarded: true),
        SettingDescription(
            AccountSettings.amountPendingName, SettingRules.flag, "Whether deferred payment is activated."),
        Self.setting(AffiliateCodes.settingName, "The codes of co-branded cards: BIN=CODE,CODE;BIN=CODE."),
        SettingDescription(
            FrontEndSettings.disabledMerchantIdentifiersName, SettingRules.text(1024),
            "Apple merchant identifiers that are switched off, separated by commas."),
        Self.setting(FrontEndSettings.iosSDKVersionMinName, "The oldest TPDirect for iOS; without it, any."),
        SettingDescription(
            AccountSettings.allowInsecureNotifyName, SettingRules.flag,
            "Whether a sandbox merchant may be notified at http addresses."),
    ]

    /// One whose values have a rule of this dialect's own; none is empty.
    private static func setting(_ name: String, _ meaning: String, isGuarded: Bool = false) -> SettingDescription {
        SettingDescription(
            name, { SettingRules.text(32_768)($0) ?? TapPay.problem(ofSetting: name, value: $0) }, meaning,
            isGuarded: isGuarded)
    }
}
