//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Money
import Payments

/// An account's settings and secrets, read and found to be allowed.
struct RadialAccount: Sendable {
    let storeID: String
    let address: UpstreamAddress
    let tls: UpstreamTLS
    let keys: RadialKeys
    let networks: Set<CardNetwork>
    /// `nil` for all that the service can write.
    let currencies: Set<Currency>?
    /// Whether the issuer may be asked again when an authorization has lapsed before its capture.
    let reauthorizes: Bool
    let defaults: PayerDefaults

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        self.storeID = try account.setting(Setting.storeID)
        try Self.check(self.storeID, Setting.storeID, Self.storeIDRule)
        let version = account.settings[Setting.version] ?? Self.defaultVersion
        try Self.check(version, Setting.version, Self.versionRule)
        self.address = try RadialHosts.address(of: account)
        self.tls = try UpstreamTLS(of: account)
        self.keys = try RadialKeys(account, storeID: self.storeID, version: version)
        self.networks = try Self.networks(account.settings[Setting.networks])
        self.currencies = try Self.currencies(account.settings[Setting.currencies])
        switch account.settings[Setting.reauthorize] {
        case nil, "true": self.reauthorizes = true
        case "false": self.reauthorizes = false
        default: throw .settingNotAllowed(Setting.reauthorize, must: "true or false")
        }
        self.defaults = try PayerDefaults(account)
    }

    var capabilities: AcquirerCapabilities {
        AcquirerCapabilities(
            forms: [.sealedApplePayToken], proofs: [], networks: self.networks, currencies: self.terms,
            // The vendor's table of a wallet's authorization has no element for who asks for a payment.
            takesMerchantInitiated: false, authorizes: true, sells: true, capturesInParts: true, refundsInParts: true,
            adjustments: [],
            // What is settled is credited; a settlement has no cancellation.
            voids: [.authorization], verifiesCards: false, decidesLater: true, memos: .prepared,
            recovery: .reports(repeats: true), queriesAccepted: [.authorization])
    }

    /// Twelve digits in the minor unit, as authorizations carry to issuers (ISO 8583, field 4).
    static let minorUnits: ClosedRange<Int64> = 1...999_999_999_999

    private var terms: [Currency: CurrencyTerms] {
        let currencies = self.currencies.map(Array.init) ?? Currency.all.filter(\.isTakenByRadial)
        return .asInISO4217(currencies, minorUnits: Self.minorUnits)
    }

    /// - Throws: ``ConnectorError`` for a value that its rule does not let through.
    static func check(
        _ value: String, _ name: String, _ rule: (String) -> String?
    ) throws(ConnectorError) {
        guard let problem = rule(value) else { return }
        throw .settingNotAllowed(name, must: problem.hasPrefix("must be ") ? String(problem.dropFirst(8)) : problem)
    }

    private static func networks(_ text: String?) throws(ConnectorError) -> Set<CardNetwork> {
        guard let text else { return Set(self.defaultNetworks) }
        var networks: Set<CardNetwork> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let network = CardNetwork(rawValue: String(word.filter { $0 != " " })) else {
                throw .settingNotAllowed(Setting.networks, must: "names of card networks")
            }
            networks.insert(network)
        }
        return networks
    }

    private static func currencies(_ text: String?) throws(ConnectorError) -> Set<Currency>? {
        guard let text else { return nil }
        var currencies: Set<Currency> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let currency = Currency.alphabetic(String(word.filter { $0 != " " })), currency.isTakenByRadial else {
                throw .settingNotAllowed(
                    Setting.currencies, must: "currency codes of ISO 4217 with no more than two decimals")
            }
            currencies.insert(currency)
        }
        return currencies
    }
}
