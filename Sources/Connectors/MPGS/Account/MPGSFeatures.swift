//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments

/// What the merchant's profile at the bank allows, as far as the account says.
struct MPGSFeatures: Sendable {
    enum Form: String, CaseIterable {
        case networkToken
        case sealedApplePayToken
        case both
    }

    /// The networks for which Apple Pay is documented at the gateway's banks.
    static let defaultNetworks: [CardNetwork] = [.visa, .mastercard, .amex, .jcb, .discover, .unionPay]
    static let defaultNetworksText = Self.defaultNetworks.map(\.rawValue).joined(separator: ", ")

    let forms: Set<AcquirerCapabilities.Form>
    let networks: Set<CardNetwork>
    let authorizes: Bool
    /// Whether a sale is one call.
    let pays: Bool
    let verifies: Bool
    let capturesInParts: Bool
    let updatesAuthorizations: Bool
    /// Whether the version of the API knows what is agreed with customers: "supported from API v74 onwards" (integration
    /// guide, "Credential on File Transactions").
    let hasAgreements: Bool

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        typealias Setting = MPGSAccount.Setting
        switch account.settings[Setting.form].map({ Form(rawValue: $0) }) ?? .networkToken {
        case .networkToken: self.forms = [.networkToken]
        case .sealedApplePayToken: self.forms = [.sealedApplePayToken]
        case .both: self.forms = [.networkToken, .sealedApplePayToken]
        case nil:
            throw .settingNotAllowed(
                Setting.form, must: "one of: " + Form.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.networks = try Self.networks(account.settings[Setting.networks])
        self.authorizes = try Self.flag(Setting.authorize, account)
        self.pays = try Self.flag(Setting.pay, account)
        self.verifies = try Self.flag(Setting.verify, account)
        self.capturesInParts = try Self.flag(Setting.partialCaptures, account)
        self.updatesAuthorizations = try Self.flag(Setting.updateAuthorization, account)
        self.hasAgreements = Int(account.settings[Setting.version] ?? MPGSAccount.latestVersion) ?? 0 >= 74
    }

    /// Calls are synchronous: what arrives is worked on at once, and nothing is done when nothing can arrive any more.
    func capabilities(_ calls: ClientCalls) -> AcquirerCapabilities {
        AcquirerCapabilities(
            // There is no field for opened EMV data; a token with them can be sent as it came.
            forms: self.forms, proofs: [.cryptogram, .securityCode], networks: self.networks,
            currencies: AmountText.terms, takesMerchantInitiated: self.hasAgreements,
            authorizes: self.authorizes,
            // A sale is a PAY, or an AUTHORIZE and a CAPTURE. Who may authorize may capture: else nothing would be paid.
            sells: self.pays || self.authorizes,
            capturesInParts: self.capturesInParts,
            // There is no last capture: what one leaves is given back by lowering the authorization.
            finalCaptures: self.updatesAuthorizations ? .emulated : .lapses, refundsInParts: true,
            refundsOneCapture: true,
            adjustments: self.updatesAuthorizations ? [.up, .down] : [],
            voids: [.authorization, .sale, .capture, .refund], verifiesCards: self.verifies,
            recovery: .query(quietSeconds: calls.quietSeconds), deadlines: calls.limits)
    }

    private static func flag(_ name: String, _ account: OpenedAcquirerAccount) throws(ConnectorError) -> Bool {
        switch account.settings[name] {
        case nil, "true": return true
        case "false": return false
        default: throw .settingNotAllowed(name, must: "true or false")
        }
    }

    private static func networks(_ text: String?) throws(ConnectorError) -> Set<CardNetwork> {
        guard let text else { return Set(self.defaultNetworks) }
        var networks: Set<CardNetwork> = []
        for word in text.split(separator: ",") {
            guard let network = CardNetwork(rawValue: String(word.filter { $0 != " " })) else {
                throw .settingNotAllowed(MPGSAccount.Setting.networks, must: "names of card networks")
            }
            networks.insert(network)
        }
        return networks
    }
}
