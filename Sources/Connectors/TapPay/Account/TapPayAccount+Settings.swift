//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Hosts
import Payments
import Settings

// What an account is made of.

extension TapPayAccount {
    enum Setting {
        static let appID = "appId"
        static let merchantID = "merchantId"
        static let appleMerchantID = "appleMerchantId"
        static let appName = "appName"
        static let currencies = "currencies"
        static let networks = "networks"
        static let authorize = "authorize"
        static let sale = "sale"
        static let cancelCapture = "cancelCapture"
        static let cancelRefund = "cancelRefund"
        static let cardholderName = "cardholderName"
        static let cardholderEmail = "cardholderEmail"
        static let cardholderPhone = "cardholderPhone"
        static let notificationURL = "notificationUrl"
        static let quietSeconds = "quietSeconds"
    }

    enum Secret {
        static let appKey = "appKey"
        static let secondAppKey = "appKey2"
        static let partnerKey = "partnerKey"
        static let secondPartnerKey = "partnerKey2"
    }

    static let defaultAppName = "Pomona"

    static let settings: [SettingDescription] =
        Self.hosts.settings + [
            SettingDescription(
                Setting.appID, SettingRules.digits(1...9), "the app's number, from the TapPay Portal (Developer)",
                isRequired: true),
            SettingDescription(
                Setting.merchantID, Self.merchantIDRule, "what TapPay calls the merchant, from the Portal",
                isRequired: true, isIdentity: true),
            SettingDescription(
                Setting.appleMerchantID, Self.appleMerchantIDRule,
                "the Apple Pay merchant identifier whose payment processing certificate TapPay holds",
                isRequired: true),
            SettingDescription(
                Setting.appName, SettingRules.text(128),
                "the app's name, as the Portal has it; \(Self.defaultAppName) if left out"),
            SettingDescription(
                Setting.currencies, SettingRules.list(of: TapPayCurrency.allCases.map(\.rawValue)),
                "the currencies of the contract, separated by commas; TWD if left out"),
            SettingDescription(
                Setting.networks, SettingRules.list(of: CardNetwork.allCases.map(\.rawValue)),
                "the card networks of the contract, separated by commas; \(TapPayFeatures.defaultNetworksText) if left "
                    + "out"),
            SettingDescription(
                Setting.authorize, SettingRules.flag,
                "whether the merchant may leave the capture for later (delay_capture_in_days -1); true if left out"),
            SettingDescription(
                Setting.sale, SettingRules.flag,
                "whether a payment may be captured by TapPay itself, in the evening of its day (delay_capture_in_days "
                    + "0); true if left out"),
            SettingDescription(
                Setting.cancelCapture, SettingRules.flag,
                "whether the merchant's bank lets a capture be taken back on its day; true if left out"),
            SettingDescription(
                Setting.cancelRefund, SettingRules.flag,
                "whether the merchant's bank lets a refund be taken back on its day; true if left out"),
            SettingDescription(
                Setting.cardholderName, SettingRules.text(100), "the cardholder's name where the payment has none"),
            SettingDescription(
                Setting.cardholderEmail, Self.emailRule, "the cardholder's e-mail where the payment has none"),
            SettingDescription(
                Setting.cardholderPhone, Self.phoneRule, "the cardholder's phone number where the payment has none"),
            SettingDescription(
                Setting.notificationURL, Self.notificationURLRule,
                "this gateway's address for notices of the account, https://HOST/acquirers/ACCOUNT/notices, which is "
                    + "sent with every payment; no notices are taken without it"),
            SettingDescription(
                Setting.quietSeconds, Self.quietRule,
                "after how many seconds a payment that TapPay does not know never was: no fewer count than a prime's 90 and "
                    + "the longest call's; if left out, 60 more than that, which is 180"),
        ] + UpstreamDeadlines.settings + KeyCustody.settings

    static let secrets: [SecretDescription] = [
        SecretDescription(Secret.appKey, "the app key, from the TapPay Portal (Developer)", isRequired: true),
        SecretDescription(
            Secret.secondAppKey, "the next or the previous app key, tried when TapPay does not take the first"),
        SecretDescription(Secret.partnerKey, "the partner key, from the TapPay Portal (Account)", isRequired: true),
        SecretDescription(
            Secret.secondPartnerKey,
            "the next or the previous key of the same partner, tried when TapPay does not take the first"),
    ]

    /// TapPay, "Out of range : merchant_id": an id such as GlobalTesting_CTBC.
    static let merchantIDRule: SettingDescription.Rule = { value in
        FieldText.whole(value, 1...100, where: ASCII.isNameCharacter) == nil
            ? "must be 1 to 100 letters, digits, hyphens and underscores" : nil
    }

    static let appleMerchantIDRule: SettingDescription.Rule = { value in
        SettingRules.merchantIdentifier(value) == nil
            ? nil : "must be a merchant identifier as Apple's developer portal writes it: merchant.com.example.shop"
    }

    static let emailRule: SettingDescription.Rule = { value in
        FieldText.email(value) == nil ? "must be an e-mail address" : nil
    }

    static let phoneRule: SettingDescription.Rule = { value in
        CardholderText.phone(value) == nil ? "must be a phone number of at most 30 characters: +886923456789" : nil
    }

    /// TapPay, "Backend Notify": https, and no other port than 443.
    static let notificationURLRule: SettingDescription.Rule = { value in
        if let problem = ConnectorRules.noticesURL(value) { return problem }
        guard let place = ConnectorRules.place(of: value, after: "https://") else { return nil }
        return [nil, 443].contains(place.port) ? nil : "must be an https URL at port 443"
    }

    static let quietRule: SettingDescription.Rule = { value in
        let isNumber = ASCII.isDigits(value, 1...5)
        return isNumber && TapPayFeatures.quietBounds.contains(Int64(value) ?? 0)
            ? nil
            : "must be a number of seconds from \(TapPayFeatures.quietBounds.lowerBound) to "
                + "\(TapPayFeatures.quietBounds.upperBound)"
    }
}
