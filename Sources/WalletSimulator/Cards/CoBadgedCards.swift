//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Co-badged cards: one card of two networks, and the customer, or the order of the request's supportedNetworks, says which
// of them a payment goes through.

extension SimulatedCard {
    /// The networks under which the card can pay.
    public var networks: [Network] { [self.network] + self.coBadges.map(\.network) }

    /// The card as that network has it: with its number there; `nil` if it is not of the network.
    public func presented(by network: Network) -> SimulatedCard? {
        if network == self.network { return self }
        guard let badge = self.coBadges.first(where: { $0.network == network }) else { return nil }
        let own = Badge(network: self.network, dpan: self.dpan, eci: self.eci)
        return SimulatedCard(
            name: self.name, network: badge.network, kind: self.kind, dpan: badge.dpan, fpanSuffix: self.fpanSuffix,
            expirationDate: self.expirationDate, eci: badge.eci,
            coBadges: [own] + self.coBadges.filter { $0.network != network })
    }

    /// The card with the network that a payment request preselects: the first of its `supportedNetworks` that the card has,
    /// in whatever case they are written. `nil` if it has none of them.
    ///
    /// Apple does so for a wallet's default card, since iOS 15.4.
    public func preselected(by supportedNetworks: [String]) -> SimulatedCard? {
        for name in supportedNetworks {
            if let network = self.networks.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
                return self.presented(by: network)
            }
        }
        return nil
    }

    public static let coBadgedCards: [SimulatedCard] = [
        .girocardMastercard, .girocardVisa, .cartesBancairesVisa, .eftposMastercard, .madaVisa,
    ]

    /// Germany's debit card, as most banks issue it.
    public static let girocardMastercard = SimulatedCard(
        name: "girocard-mastercard", network: .girocard, kind: .debit, dpan: "6725990000223344555", fpanSuffix: "3012",
        expirationDate: "311231", eci: nil,
        coBadges: [Badge(network: .mastercard, dpan: "5204251100200403", eci: nil)])
    public static let girocardVisa = SimulatedCard(
        name: "girocard-visa", network: .girocard, kind: .debit, dpan: "6725990000334455662", fpanSuffix: "3013",
        expirationDate: "311231", eci: nil,
        coBadges: [Badge(network: .visa, dpan: "4895381100200504", eci: "5")])
    /// France.
    public static let cartesBancairesVisa = SimulatedCard(
        name: "cartesbancaires-visa", network: .cartesBancaires, kind: .debit, dpan: "5817901100200600",
        fpanSuffix: "3014", expirationDate: "320131", eci: "5",
        coBadges: [Badge(network: .visa, dpan: "4895381100200611", eci: "5")])
    /// Australia.
    public static let eftposMastercard = SimulatedCard(
        name: "eftpos-mastercard", network: .eftpos, kind: .debit, dpan: "5602791100200703", fpanSuffix: "3015",
        expirationDate: "320331", eci: "5",
        coBadges: [Badge(network: .mastercard, dpan: "5204251100200718", eci: nil)])
    /// Saudi Arabia.
    public static let madaVisa = SimulatedCard(
        name: "mada-visa", network: .mada, kind: .debit, dpan: "5888451100200808", fpanSuffix: "3016",
        expirationDate: "320430", eci: "5",
        coBadges: [Badge(network: .visa, dpan: "4895381100200819", eci: "5")])
}
