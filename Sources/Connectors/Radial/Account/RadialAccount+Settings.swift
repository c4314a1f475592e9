//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Payments
import Settings

// MARK: - What an account is made of

extension RadialAccount {
    enum Setting {
        static let storeID = "storeId"
        static let version = "version"
        static let networks = "networks"
        static let currencies = "currencies"
        static let reauthorize = "reauthorize"
        static let noticeUser = "webhookUser"
    }

    enum Secret {
        static let apiKey = "apikey"
        static let secondAPIKey = "apikey2"
        static let noticePassword = "webhookPassword"
        static let secondNoticePassword = "webhookPassword2"
    }

    static let defaultVersion = "1.0"

    /// The networks of the tender types that the vendor names: VC, MC, AM, DC.
    static let defaultNetworks: [CardNetwork] = [.visa, .mastercard, .amex, .discover]

    static let settings: [SettingDescription] =
        RadialHosts.hosts.settings + [
            SettingDescription(
                Setting.storeID, Self.storeIDRule, "the store's id at Radial, as it stands in URLs", isRequired: true,
                isIdentity: true),
            SettingDescription(
                Setting.version, Self.versionRule,
                "the version of the API for which the keys were made, M.m; \(Self.defaultVersion) if left out"),
            SettingDescription(
                Setting.networks, SettingRules.list(of: CardNetwork.allCases.map(\.rawValue)),
                "the card networks of the contract, separated by commas; "
                    + "\(Self.defaultNetworks.map(\.rawValue).joined(separator: ", ")) if left out"),
            SettingDescription(
                Setting.currencies, SettingRules.currencies,
                "the currencies of the contract, separated by commas; if left out, all that have no more than two decimals"
            ),
            SettingDescription(
                Setting.reauthorize, SettingRules.flag,
                "whether the issuer is asked again when an authorization has lapsed before its capture "
                    + "(PerformReauthorization); true if left out"),
            SettingDescription(
                Setting.noticeUser, SettingRules.text(128),
                "the user of the HTTP Basic credentials with which Radial's webhooks come; needs the secret "
                    + Secret.noticePassword),
        ] + PayerDefaults.settings + UpstreamDeadlines.settings + KeyCustody.settings

    static let secrets: [SecretDescription] = [
        SecretDescription(Secret.apiKey, "the API key of the store, for its environment and version", isRequired: true),
        SecretDescription(
            Secret.secondAPIKey, "the next or the previous key, tried when the service does not take the first"),
        SecretDescription(
            Secret.noticePassword,
            "the password of the HTTP Basic credentials with which Radial's webhooks come: without it no notices are taken"
        ),
        SecretDescription(
            Secret.secondNoticePassword, "the next or the previous password, taken beside the first"),
    ]

    static let storeIDRule: SettingDescription.Rule = { value in
        FieldText.whole(value, 1...40, where: ASCII.isNameCharacter) == nil
            ? "must be 1 to 40 letters, digits, hyphens and underscores" : nil
    }

    static let versionRule: SettingDescription.Rule = { value in
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { ASCII.isDigits($0, 1...3) }
            ? nil : "must be a version of the API such as 1.0"
    }
}
