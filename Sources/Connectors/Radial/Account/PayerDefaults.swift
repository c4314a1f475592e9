//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Countries
import Hosts
import Payments
import Settings

/// What the service demands of every authorization and a shop may not know of its customer: what is sent instead.
struct PayerDefaults: Sendable {
    let firstName: String?
    let lastName: String?
    let phone: String?
    let email: String?
    let ipAddress: String?
    let address: PostalAddress

    private enum Setting {
        static let firstName = "defaultFirstName"
        static let lastName = "defaultLastName"
        static let phone = "defaultPhone"
        static let email = "defaultEmail"
        static let ipAddress = "defaultIPAddress"
        static let line1 = "defaultLine1"
        static let city = "defaultCity"
        static let mainDivision = "defaultMainDivision"
        static let postalCode = "defaultPostalCode"
        static let country = "defaultCountry"
    }

    static let settings: [SettingDescription] = [
        SettingDescription(Setting.firstName, SettingRules.text(64), Self.meaning("the customer's first name")),
        SettingDescription(Setting.lastName, SettingRules.text(64), Self.meaning("the customer's last name")),
        SettingDescription(Setting.phone, SettingRules.text(40), Self.meaning("the customer's phone number")),
        SettingDescription(Setting.email, Self.emailRule, Self.meaning("the customer's e-mail address")),
        SettingDescription(
            Setting.ipAddress, Self.ipAddressRule,
            Self.meaning("the customer's IPv4 address; customers with IPv6 have none")),
        SettingDescription(Setting.line1, SettingRules.text(70), Self.meaning("the street of the billing address")),
        SettingDescription(Setting.city, SettingRules.text(40), Self.meaning("its city")),
        SettingDescription(
            Setting.mainDivision, SettingRules.text(35), "its state or province, where nothing is known of the address"),
        SettingDescription(
            Setting.postalCode, SettingRules.text(15), "its postal code, where nothing is known of the address"),
        SettingDescription(Setting.country, Self.countryRule, Self.meaning("its country, ISO 3166-1 alpha-2")),
    ]

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        for setting in Self.settings {
            guard let value = account.settings[setting.name] else { continue }
            try RadialAccount.check(value, setting.name, setting.rule)
        }
        self.firstName = account.settings[Setting.firstName]
        self.lastName = account.settings[Setting.lastName]
        self.phone = account.settings[Setting.phone]
        self.email = account.settings[Setting.email]
        self.ipAddress = account.settings[Setting.ipAddress]
        self.address = PostalAddress(
            lines: [account.settings[Setting.line1]].compactMap(\.self), city: account.settings[Setting.city],
            mainDivision: account.settings[Setting.mainDivision], postalCode: account.settings[Setting.postalCode],
            countryCode: account.settings[Setting.country])
    }

    private static func meaning(_ what: String) -> String {
        "\(what), sent where the shop names none; without it such a payment is refused before it is sent"
    }

    // MARK: - Rules

    /// "Min 1 character, max 70 characters".
    static func email(_ text: String?) -> String? {
        FieldText.email(text).flatMap { $0.utf8.count <= 70 ? $0 : nil }
    }

    /// "Valid dotted quad IPv4 address".
    static func ipAddress(_ text: String?) -> String? {
        text.flatMap { IPAddress($0)?.isIPv6 == false ? $0 : nil }
    }

    /// In two letters, given in two or in three.
    static func country(_ text: String?) -> String? {
        guard let text else { return nil }
        return Country.alpha2Codes.contains(text) ? text : Country.alpha2(ofAlpha3: text)
    }

    private static let emailRule: SettingDescription.Rule = { value in
        Self.email(value) == nil ? "must be an e-mail address of at most 70 characters" : nil
    }

    private static let ipAddressRule: SettingDescription.Rule = { value in
        Self.ipAddress(value) == nil ? "must be an IPv4 address such as 203.0.113.7" : nil
    }

    private static let countryRule: SettingDescription.Rule = { value in
        Country.alpha2Codes.contains(value) ? nil : "must be a country in two letters (ISO 3166-1 alpha-2)"
    }
}
