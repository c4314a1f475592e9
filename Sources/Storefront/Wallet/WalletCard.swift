//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
public import WalletSimulator

/// A card in the browser's wallet, and what comes of paying with it.
public struct WalletCard: Hashable, Sendable {
    /// What the simulated acquirer does with its number.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        case approves
        case declines
        /// Approved, but the acquirer's answer is lost: the gateway does not know, and finds out.
        case timesOut = "times_out"
    }

    public let card: SimulatedCard
    /// What the sheet says of it.
    public let title: String
    public let outcome: Outcome

    public init(card: SimulatedCard, title: String, outcome: Outcome) {
        self.card = card
        self.title = title
        self.outcome = outcome
    }

    public var id: String { self.card.name }

    var json: JSON {
        [
            "id": .string(self.id), "network": .string(self.card.network.requestName),
            "displayName": .string(self.card.displayName), "type": .string(self.card.kind.rawValue),
            "title": .string(self.title), "outcome": .string(self.outcome.rawValue),
            "networks": .array(self.card.networks.compactMap(self.card.presented).map(Self.json(presented:))),
        ]
    }

    /// One of the networks of a card, as the sheet offers it.
    private static func json(presented card: SimulatedCard) -> JSON {
        ["network": .string(card.network.requestName), "displayName": .string(card.displayName)]
    }

    /// The simulator's own cards, which every test amount works with, and those that the simulated acquirer answers in
    /// their own way whatever the amount (`TestCard` of the acquirer).
    public static let all: [WalletCard] =
        (SimulatedCard.allCases + SimulatedCard.coBadgedCards)
        .map { WalletCard(card: $0, title: "Approves", outcome: .approves) } + [
            WalletCard(
                card: SimulatedCard(
                    name: "visa-insufficient-funds", network: .visa, kind: .debit, dpan: "4895380000000519",
                    fpanSuffix: "0051", expirationDate: "311231", eci: "7"),
                title: "Declines: insufficient funds", outcome: .declines),
            WalletCard(
                card: SimulatedCard(
                    name: "mastercard-declined", network: .mastercard, kind: .credit, dpan: "5204240000000500",
                    fpanSuffix: "0005", expirationDate: "310930", eci: nil),
                title: "Declines: do not honor", outcome: .declines),
            WalletCard(
                card: SimulatedCard(
                    name: "visa-expired", network: .visa, kind: .credit, dpan: "4895370000000544",
                    fpanSuffix: "0054", expirationDate: "231231", eci: "7"),
                title: "Declines: expired", outcome: .declines),
            WalletCard(
                card: SimulatedCard(
                    name: "visa-answer-lost", network: .visa, kind: .credit, dpan: "4895370000000684",
                    fpanSuffix: "0068", expirationDate: "311231", eci: "7"),
                title: "Approves, but the answer gets lost", outcome: .timesOut),
        ]
}

extension SimulatedCard.Network {
    /// As payment requests name it (Apple Pay on the Web, `ApplePayPaymentRequest.supportedNetworks`).
    var requestName: String {
        switch self {
        case .visa: "visa"
        case .mastercard: "masterCard"
        case .amex: "amex"
        case .discover: "discover"
        case .jcb: "jcb"
        case .unionPay: "chinaUnionPay"
        case .girocard: "girocard"
        case .cartesBancaires: "cartesBancaires"
        case .eftpos: "eftpos"
        case .mada: "mada"
        }
    }
}
