//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
public import DialectKit
import Gateway
import Hosts
import Payments
public import Redaction

/// A merchant's account as this dialect reads it. The account's key is the app id ("12345"); the back end finds it by
/// an alias made of the partner key.
struct AccountSettings: Sendable {
    // The names of secrets.
    static let partnerKey = "partnerKey"
    static let appKey = "appKey"
    // Keys that have been replaced, and are still accepted.
    static let secondPartnerKey = "partnerKey2"
    static let secondAppKey = "appKey2"
    /// Signs backend notifications; the partner key does where there is none.
    static let notificationKey = "notificationKey"
    // The names of settings.
    static let merchantIDsName = "merchantIds"
    static let merchantGroupIDsName = "merchantGroupIds"
    static let appNameName = "appName"
    static let currenciesName = "currencies"
    static let captureTimeName = "captureTime"
    static let allowedAddressesName = "allowedAddresses"
    static let amountPendingName = "amountPending"
    static let allowInsecureNotifyName = "allowInsecureNotify"

    static let captureTimeDefault = "23:00"

    private let merchant: MerchantContext

    init(_ merchant: MerchantContext) {
        self.merchant = merchant
    }

    /// Which secret a partner key is: the present one, or the one before it; `nil` for any other key.
    func secretName(ofPartnerKey key: Redacted<String>) -> String? {
        self.merchant.matching(key, of: Self.partnerKey, or: Self.secondPartnerKey)
    }

    /// The same of an app key.
    func secretName(ofAppKey key: Redacted<String>) -> String? {
        self.merchant.matching(key, of: Self.appKey, or: Self.secondAppKey)
    }

    /// What the wire calls the merchant; the first one is returned where a request named none.
    var merchantIDs: [String] { self.list(Self.merchantIDsName) }

    var merchantGroupIDs: [String] { self.list(Self.merchantGroupIDsName) }

    /// What records call the app.
    var appName: String { self.merchant.settings[Self.appNameName] ?? "" }

    /// The currencies that the merchant may be paid in; every one of the dialect if the account says nothing.
    var currencies: [WireCurrency] {
        let codes = self.list(Self.currenciesName)
        return codes.isEmpty ? WireCurrency.allCases : WireCurrency.allCases.filter { codes.contains($0.rawValue) }
    }

    /// When authorizations of a day are captured, in minutes since midnight in Taipei.
    var captureMinute: Int {
        Self.minute(of: self.merchant.settings[Self.captureTimeName] ?? Self.captureTimeDefault)
            ?? Self.minute(of: Self.captureTimeDefault) ?? 0
    }

    /// Who may call the back end; `nil` for everybody. What cannot be read allows nobody.
    var allowedAddresses: [IPNetwork]? {
        let list = self.list(Self.allowedAddressesName)
        return list.isEmpty ? nil : list.compactMap(IPNetwork.init)
    }

    /// Whether primes of 30 days whose amount is not fixed are made for the merchant.
    var isDeferredPaymentActivated: Bool { self.merchant.settings[Self.amountPendingName] == "true" }

    /// The codes of the merchant's co-branded cards; none where the setting cannot be read.
    var affiliateCodes: AffiliateCodes {
        (try? AffiliateCodes(setting: self.merchant.settings[AffiliateCodes.settingName] ?? "")) ?? AffiliateCodes()
    }

    /// Whether result URLs may be http and have any port. Never for a live merchant.
    var allowsInsecureNotify: Bool {
        self.merchant.merchant.mode == .sandbox && self.merchant.settings[Self.allowInsecureNotifyName] == "true"
    }

    /// The name of the secret that signs notifications.
    var notificationSecretName: String {
        self.merchant.hasSecret(Self.notificationKey) ? Self.notificationKey : Self.partnerKey
    }

    private func list(_ name: String) -> [String] { Self.list(self.merchant.settings[name]) }

    static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) }.filter { !$0.isEmpty }
    }

    /// "23:00" as 1380.
    static func minute(of text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ ASCII.isDigits($0, 2...2) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

extension TapPay {
    /// The name by which a partner key finds its account: it does not show the key.
    static func alias(ofPartnerKey key: Redacted<String>) -> String {
        "pk_" + Hex.encode(requestDigest(key.reveal().utf8).prefix(16))
    }

    /// The name by which a merchant_id finds its account: it is unique among partners.
    static func alias(ofMerchantID id: String) -> String { "mid_" + id }

    /// The names by which the back end finds an account: those of its partner keys, and of what it calls the merchant.
    static func aliases(_ settings: [String: String], _ secrets: [String: Redacted<String>]) -> Set<String> {
        let keys = [AccountSettings.partnerKey, AccountSettings.secondPartnerKey].compactMap { secrets[$0] }
        let merchantIDs = AccountSettings.list(settings[AccountSettings.merchantIDsName])
        return Set(keys.map(self.alias(ofPartnerKey:)) + merchantIDs.map(self.alias(ofMerchantID:)))
    }

    /// What an account of this dialect is made of.
    ///
    /// - Parameters:
    ///   - appID: the account's key, an integer.
    ///   - appKey: lets an app or a page make primes. It is no secret to those who read the app.
    ///   - partnerKey: lets the merchant's server pay.
    ///   - merchantIDs: what pay-by-prime calls the merchant; at least one.
    ///   - appName: shown in records.
    ///   - captureTime: when authorizations of a day are captured: "HH:MM" in Taipei.
    ///   - allowedAddresses: who may call the back end, addresses and CIDR ranges; everybody if empty.
    ///   - isDeferredPaymentActivated: whether primes of 30 days are made.
    ///   - notificationKey: signs backend notifications, in place of the partner key.
    ///   - allowsInsecureNotify: whether a sandbox merchant may give http addresses and any port.
    public static func accountDraft(
        appID: Int, appKey: Redacted<String>, partnerKey: Redacted<String>, merchantIDs: [String],
        appName: String = "", captureTime: String? = nil, currencies: [String] = [], allowedAddresses: [String] = [],
        isDeferredPaymentActivated: Bool = false, notificationKey: Redacted<String>? = nil,
        allowsInsecureNotify: Bool = false
    ) -> AccountDraft {
        var settings = [AccountSettings.merchantIDsName: merchantIDs.joined(separator: ",")]
        if !appName.isEmpty { settings[AccountSettings.appNameName] = appName }
        settings[AccountSettings.captureTimeName] = captureTime
        if !currencies.isEmpty { settings[AccountSettings.currenciesName] = currencies.joined(separator: ",") }
        if !allowedAddresses.isEmpty {
            settings[AccountSettings.allowedAddressesName] = allowedAddresses.joined(separator: ",")
        }
        if isDeferredPaymentActivated { settings[AccountSettings.amountPendingName] = "true" }
        if allowsInsecureNotify { settings[AccountSettings.allowInsecureNotifyName] = "true" }
        var secrets = [AccountSettings.appKey: appKey, AccountSettings.partnerKey: partnerKey]
        secrets[AccountSettings.notificationKey] = notificationKey
        return AccountDraft(
            key: String(appID), aliases: self.aliases(settings, secrets), settings: settings, secrets: secrets)
    }
}
