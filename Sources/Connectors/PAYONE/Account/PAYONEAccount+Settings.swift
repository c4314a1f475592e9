//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Countries
import Payments
import Settings

// What an account is made of.

extension PAYONEAccount {
    enum Setting {
        static let merchantID = "mid"
        static let subAccountID = "aid"
        static let portalID = "portalid"
        static let keyDigest = "keyDigest"
        static let networks = "networks"
        static let currencies = "currencies"
        static let partialCaptures = "partialCaptures"
        static let voids = "voids"
        static let defaultLastName = "defaultLastName"
        static let defaultCountry = "defaultCountry"
        static let noticeNetworks = "noticeNetworks"
    }

    enum Secret {
        static let key = "key"
        static let secondKey = "key2"
    }

    /// One service for both modes: the parameter `mode` of every request says which is meant.
    static let hosts = UpstreamHosts(sandbox: "api.pay1.de", live: "api.pay1.de")

    static let settings: [SettingDescription] =
        [
            SettingDescription(
                Setting.merchantID, SettingRules.digits(5...5), "the merchant id (mid), 5 digits", isRequired: true,
                isIdentity: true),
            SettingDescription(
                Setting.subAccountID, SettingRules.digits(5...5), "the sub-account id (aid), 5 digits",
                isRequired: true, isIdentity: true),
            SettingDescription(
                Setting.portalID, SettingRules.digits(6...7), "the portal id, 7 digits; older ones have 6",
                isRequired: true),
            SettingDescription(
                Setting.keyDigest, SettingRules.choice(PAYONEClient.KeyDigest.allCases.map(\.rawValue)),
                "what of the portal's key a request carries; sha384 if left out"),
            SettingDescription(
                Setting.networks, SettingRules.list(of: PAYONEFeatures.possibleNetworks.map(\.rawValue)),
                "the card networks of the contract, separated by commas; \(PAYONEFeatures.defaultNetworksText) if left out. "
                    + "other takes payments whose network is not known here, which PAYONE may refuse: ask PAYONE first"
            ),
            SettingDescription(
                Setting.currencies, SettingRules.currencies,
                "the currencies of the contract, separated by commas; EUR if left out"),
            SettingDescription(
                Setting.partialCaptures, SettingRules.flag,
                "whether the contract has multiple partial captures: less than the authorized amount, and more than once; "
                    + "true if left out"),
            SettingDescription(
                Setting.voids, SettingRules.flag,
                "whether merchants may void: an authorization is given back by a capture of 0, which PAYONE's public "
                    + "documents do not describe. Ask PAYONE first; false if left out"),
            SettingDescription(
                Setting.defaultLastName, Self.lastNameRule,
                "the customer's last name where the merchant gives none, 2 to 50 characters: PAYONE demands one"),
            SettingDescription(
                Setting.defaultCountry, SettingRules.country,
                "the customer's country where the merchant gives none (ISO 3166-1 alpha-2): PAYONE demands one"),
            SettingDescription(
                Setting.noticeNetworks, SenderNetworks.rule,
                "from which IPv4 networks notices are taken, separated by commas, such as 185.60.20.0/24; from everywhere "
                    + "if left out"),
        ] + Self.hosts.settings + UpstreamDeadlines.settings + KeyCustody.settings

    static let secrets: [SecretDescription] = [
        SecretDescription(Secret.key, "the key of the payment portal (PAYONE Merchant Interface)", isRequired: true),
        SecretDescription(
            Secret.secondKey, "the portal's next or previous key, used where PAYONE does not take the first"),
    ]

    static let lastNameText = "2 to 50 characters, none of them a control character"

    static let lastNameRule: SettingDescription.Rule = { value in
        FieldText.plain(value, max: 50) == value && value.unicodeScalars.count >= 2
            ? nil : "must be \(Self.lastNameText)"
    }
}
