//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import PAYONE
import TapPay

/// A setting of an account: what it may hold and what it means. docs/configuration.md lists the same.
struct AccountSetting: Sendable {
    /// What is wrong with a value: "must be …"; `nil` for one that may be set.
    typealias Rule = @Sendable (String) -> String?

    let name: String
    let meaning: String
    let rule: Rule
    /// Why no command changes it; `nil` where one does.
    let fixedBecause: String?

    init(_ name: String, _ rule: @escaping Rule, _ meaning: String, fixedBecause: String? = nil) {
        self.name = name
        self.meaning = meaning
        self.rule = rule
        self.fixedBecause = fixedBecause
    }
}

/// The settings of every dialect. A test compares them with the dialects' own sources: a setting that is missing here
/// could not be set.
enum SettingCatalog {
    static let dialects = ["alphapay", "commweb", "payone", "radial", "tappay"]

    static func settings(of dialect: String) -> [AccountSetting] {
        switch dialect {
        case "alphapay": self.alphaPay + self.rates
        case "commweb": self.commWeb + self.rates
        case "payone": self.payone + self.rates
        case "radial": self.radial + self.rates
        case "tappay": self.tapPay + self.rates
        default: []
        }
    }

    /// Of every dialect: DialectKit reads them.
    static let rates = [
        AccountSetting(
            MerchantRates.rateSetting, SettingRules.digits(1...6),
            "How many requests a second the merchant may make; 0 for any number; without it, limits.merchantRequestsPerSecond."
        ),
        AccountSetting(
            MerchantRates.burstSetting, SettingRules.digits(1...6),
            "How many requests it may make at once; without it, as many as in two seconds."),
    ]

    private static let alphaPay = [
        AccountSetting(
            "merchantPublicKey", SettingRules.publicKey,
            "The merchant's RSA public key, PEM, by which its requests are verified: merchantPublicKey=@FILE."),
        AccountSetting(
            "gatewayPublicKey", SettingRules.publicKey, "The public half of the key that signs answers.",
            fixedBecause: "it is the public half of the account's private key"),
        AccountSetting("keyVersion", SettingRules.digits(1...9), "The keyVersion of the Signature header."),
        AccountSetting(
            "supportedNetworks",
            SettingRules.list(
                of: ["visa", "masterCard", "amex", "discover", "jcb", "chinaUnionPay", "interac", "maestro"]),
            "What the payment sheet offers."),
        AccountSetting("timeZoneOffset", SettingRules.offset, "Which day a moment belongs to in reports: -08:00."),
        AccountSetting(
            "allowInsecureNotify", SettingRules.flag, "Whether a sandbox merchant may be notified at http addresses."),
    ]

    private static let commWeb = [
        AccountSetting("notifyURL", SettingRules.url, "Where transactions are reported that name no address."),
        AccountSetting("notificationFormat", SettingRules.choice(["JSON", "NVP"]), "How notifications are written."),
        AccountSetting(
            "clientCertificateSHA256", SettingRules.fingerprints,
            "SHA-256 of the merchant's TLS client certificates (DER), hexadecimal."),
        AccountSetting(
            "allowedOperations",
            SettingRules.list(of: [
                "AUTHORIZE", "PAY", "VERIFY", "CAPTURE", "REFUND", "VOID", "UPDATE_AUTHORIZATION",
                "RETRIEVE_TRANSACTION", "RETRIEVE_ORDER", "CREATE_SESSION", "UPDATE_SESSION", "RETRIEVE_SESSION",
                "PAYMENT_OPTIONS_INQUIRY",
            ]), "The operations that the merchant may use; without it, all."),
        AccountSetting(
            "allowInsecureNotify", SettingRules.flag, "Whether a sandbox merchant may be notified at http addresses."),
        AccountSetting(
            "currencies", SettingRules.currencies, "What the merchant may be paid in, in its order; without it, all."),
        AccountSetting("merchantCategoryCode", SettingRules.digits(4...4), "ISO 18245."),
        AccountSetting("acquirerId", SettingRules.text(40), "What the acquirer is called."),
        AccountSetting("acquirerMerchantId", SettingRules.text(40), "The acquirer's number for the merchant."),
        AccountSetting("terminal", SettingRules.text(16), "The acquirer's number for the terminal."),
    ]

    private static let payone = [
        AccountSetting("mid", SettingRules.digits(1...10), "The merchant's number on the wire."),
        AccountSetting("aids", SettingRules.digitLists, "The numbers of its sub-accounts."),
        AccountSetting("notificationURL", SettingRules.url, "Where the TransactionStatus goes."),
        AccountSetting(
            "captureModeDefault", SettingRules.choice(["completed", "notcompleted"]),
            "What a capture that says nothing means."),
        AccountSetting(
            "cardTypes", SettingRules.list(of: PAYONE.CardType.allCases.map(\.rawValue)),
            "The card types of the account's contract; without it, all."),
    ]

    private static let radial = [
        AccountSetting("webhookURL", SettingRules.url, "Where settlements are reported."),
        AccountSetting("cancelWebhookURL", SettingRules.url, "Where cancellations are reported; else webhookURL."),
        AccountSetting("webhookUser", SettingRules.text(128), "The user of the webhook's Basic authentication."),
        AccountSetting(
            "webhookForm", SettingRules.choice(["list", "single"]), "Whether events are sent in lists or one by one."),
        AccountSetting(
            "allowedTenders", SettingRules.list(of: ["VC", "MC", "AM", "DC", "JC", "CU", "GC", "OC"]),
            "The tender types that the store takes; without it, all."),
        AccountSetting(
            "decryptBlob", SettingRules.flag,
            "Whether tokens are decrypted for the store, which then sees device account numbers."),
    ]

    private static let tapPay = [
        AccountSetting(
            "merchantIds", SettingRules.text(512), "What pay-by-prime calls the merchant.",
            fixedBecause: "the wire finds the account by it"),
        AccountSetting("merchantGroupIds", SettingRules.text(512), "The merchant groups that it belongs to."),
        AccountSetting("appName", SettingRules.text(128), "The app's name in records."),
        AccountSetting(
            "allowedAppNames", SettingRules.text(1024),
            "What app_name may be, separated by commas; without it, anything."),
        AccountSetting(
            "currencies", SettingCatalog.tapPayRule("currencies"), "What the merchant may be paid in; without it, all."),
        AccountSetting(
            "captureTime", SettingCatalog.tapPayRule("captureTime"),
            "When a day's authorizations are captured, in Taipei."),
        AccountSetting(
            "allowedAddresses", SettingCatalog.tapPayRule("allowedAddresses"),
            "Who may call the back end: addresses and CIDR ranges; without it, everybody."),
        AccountSetting("amountPending", SettingRules.flag, "Whether deferred payment is activated."),
        AccountSetting(
            "affiliateCodes", SettingCatalog.tapPayRule("affiliateCodes"),
            "The codes of co-branded cards: BIN=CODE,CODE;BIN=CODE."),
        AccountSetting(
            "disabledMerchantIdentifiers", SettingRules.text(1024),
            "Apple merchant identifiers that are switched off, separated by commas."),
        AccountSetting(
            "iosSDKVersionMin", SettingCatalog.tapPayRule("iosSDKVersionMin"),
            "The oldest TPDirect for iOS; without it, any."),
        AccountSetting(
            "allowInsecureNotify", SettingRules.flag, "Whether a sandbox merchant may be notified at http addresses."),
    ]

    /// The dialect knows itself what it takes; no value is empty.
    private static func tapPayRule(_ name: String) -> AccountSetting.Rule {
        { value in SettingRules.text(32_768)(value) ?? TapPay.problem(ofSetting: name, value: value) }
    }
}
