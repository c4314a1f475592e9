//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Settings

/// An account's settings and secrets, read and found to be allowed.
struct PAYONEAccount: Sendable {
    let address: UpstreamAddress
    let tls: UpstreamTLS
    /// What the account's mode is called on the wire: it keeps test payments from real money, and there is no setting for
    /// it.
    let mode: String
    let merchantID: String
    let subAccountID: String
    let portalID: String
    let keys: PortalKeys
    let features: PAYONEFeatures
    let defaultLastName: String?
    let defaultCountry: String?
    let noticeNetworks: SenderNetworks?
    let descriptor: String?

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        self.address = try Self.hosts.address(of: account)
        self.tls = try UpstreamTLS(of: account)
        self.mode =
            switch account.mode {
            case .sandbox: "test"
            case .live: "live"
            }
        self.merchantID = try Self.value(Setting.merchantID, account, SettingRules.digits(5...5))
        self.subAccountID = try Self.value(Setting.subAccountID, account, SettingRules.digits(5...5))
        self.portalID = try Self.value(Setting.portalID, account, SettingRules.digits(6...7))
        self.features = try PAYONEFeatures(account)
        self.defaultLastName = try Self.optional(Setting.defaultLastName, account, Self.lastNameRule)
        self.defaultCountry = try Self.optional(Setting.defaultCountry, account, SettingRules.country)
        self.noticeNetworks = try Self.optional(Setting.noticeNetworks, account, SenderNetworks.rule)
            .flatMap(SenderNetworks.init)
        self.descriptor = account.acceptor.descriptor
        self.keys = try PortalKeys(
            account, mid: self.merchantID, aid: self.subAccountID, portalID: self.portalID, mode: self.mode)
    }

    private static func value(
        _ name: String, _ account: OpenedAcquirerAccount, _ rule: SettingDescription.Rule
    ) throws(ConnectorError) -> String {
        let value = try account.setting(name)
        if let problem = rule(value) {
            throw .settingNotAllowed(name, must: String(problem.dropFirst("must be ".count)))
        }
        return value
    }

    static func optional(
        _ name: String, _ account: OpenedAcquirerAccount, _ rule: SettingDescription.Rule
    ) throws(ConnectorError) -> String? {
        guard account.settings[name] != nil else { return nil }
        return try self.value(name, account, rule)
    }
}

/// What the contract has, as far as the account says.
struct PAYONEFeatures: Sendable {
    /// Of these PAYONE's plugins send a letter (`cardtype`), and "?" where the shop does not know the network
    /// (``CardNetwork/other``): nobody has published whether the Server API takes that, or answers error 1076.
    static let possibleNetworks: [CardNetwork] = [
        .visa, .mastercard, .girocard, .amex, .discover, .jcb, .unionPay, .other,
    ]
    /// "Visa, Mastercard, girocard (expected soon)": PAYONE's Apple Pay page, "Overview".
    static let defaultNetworks: [CardNetwork] = [.visa, .mastercard]
    static let defaultNetworksText = Self.defaultNetworks.map(\.rawValue).joined(separator: ", ")

    let networks: Set<CardNetwork>
    let currencies: Set<Currency>
    let capturesInParts: Bool
    let voids: Bool

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        typealias Setting = PAYONEAccount.Setting
        let networks = try PAYONEAccount.optional(
            Setting.networks, account, SettingRules.list(of: Self.possibleNetworks.map(\.rawValue)))
        self.networks = Set(
            networks.map { SettingRules.elements($0).compactMap(CardNetwork.init(rawValue:)) } ?? Self.defaultNetworks)
        let currencies = try PAYONEAccount.optional(Setting.currencies, account, SettingRules.currencies) ?? "EUR"
        self.currencies = Set(SettingRules.elements(currencies).compactMap(Currency.alphabetic))
        self.capturesInParts =
            try PAYONEAccount.optional(Setting.partialCaptures, account, SettingRules.flag) != "false"
        self.voids = try PAYONEAccount.optional(Setting.voids, account, SettingRules.flag) == "true"
    }

    var capabilities: AcquirerCapabilities {
        AcquirerCapabilities(
            forms: [.sealedApplePayToken], proofs: [], networks: self.networks,
            currencies: WireAmounts.terms(self.currencies),
            // PAYONE's Apple Pay page has no parameter for who asks for a payment.
            takesMerchantInitiated: false, authorizes: true, sells: true,
            capturesInParts: self.capturesInParts, refundsInParts: true, adjustments: [],
            voids: self.voids ? [.authorization] : [], verifiesCards: false, decidesLater: false,
            memos: .withOutcomes, notifiesByShortName: true,
            // There is no query. A request that is sent again under its sequence number is believed to be refused, and no
            // public document says so.
            recovery: .reports(repeats: false))
    }
}
