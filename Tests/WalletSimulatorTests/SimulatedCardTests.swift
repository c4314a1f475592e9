//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing
import WalletSimulator

@Suite struct SimulatedCardTests {
    /// The cards, a co-badged one once for each of its networks.
    static let presented = (SimulatedCard.allCases + SimulatedCard.coBadgedCards).flatMap { card in
        card.networks.compactMap(card.presented)
    }

    @Test(arguments: Self.presented)
    func numbersPassTheLuhnCheckAndFitTheirField(card: SimulatedCard) {
        let digits = card.dpan.utf8.reversed().map { Int($0) - 48 }
        #expect(digits.allSatisfy { (0...9).contains($0) })
        #expect((12...19).contains(digits.count))
        let sum = digits.enumerated().reduce(0) { sum, digit in
            let doubled = digit.element * 2
            return sum + (digit.offset % 2 == 0 ? digit.element : doubled > 9 ? doubled - 9 : doubled)
        }
        #expect(sum % 10 == 0)
        #expect(card.expirationDate.utf8.count == 6 && card.expirationDate.utf8.allSatisfy { (48...57).contains($0) })
        #expect(card.fpanSuffix.utf8.count == 4)
        #expect(card.displayName.hasSuffix(" \(card.fpanSuffix)"))
    }

    @Test func numbersNamesAndSuffixesAreUnique() {
        let cards = SimulatedCard.allCases + SimulatedCard.coBadgedCards
        #expect(Set(Self.presented.map(\.dpan)).count == Self.presented.count)
        #expect(Self.presented.count == cards.count + 5)
        #expect(Set(cards.map(\.name)).count == cards.count)
        #expect(Set(cards.map(\.fpanSuffix)).count == cards.count)
    }

    @Test func everyNetworkHasACard() {
        #expect(Set(Self.presented.map(\.network)) == Set(SimulatedCard.Network.allCases))
        #expect(
            SimulatedCard.Network.allCases.map(\.rawValue) == [
                "Visa", "MasterCard", "AmEx", "Discover", "JCB", "ChinaUnionPay", "girocard",
                "CartesBancaires", "Eftpos", "Mada",
            ])
    }

    @Test func mastercardHasNoECI() {
        #expect(SimulatedCard.mastercard.eci == nil)
        #expect(SimulatedCard.mastercardDebit.eci == nil)
        #expect(SimulatedCard.visa.eci == "7")
    }

    /// The examples of PAYONE's Apple Pay page, and others: the order of supportedNetworks preselects the network.
    @Test(arguments: [
        (["girocard", "masterCard", "visa"], SimulatedCard.girocardMastercard, "girocard"),
        (["masterCard", "girocard", "visa"], .girocardMastercard, "MasterCard"),
        (["visa", "masterCard", "girocard"], .girocardMastercard, "MasterCard"),
        (["visa", "masterCard", "girocard"], .girocardVisa, "Visa"), (["GIROCARD", "VISA"], .girocardVisa, "girocard"),
        (["cartesBancaires", "visa"], .cartesBancairesVisa, "CartesBancaires"),
        (["visa", "cartesBancaires"], .cartesBancairesVisa, "Visa"), (["eftpos"], .eftposMastercard, "Eftpos"),
        (["amex", "mada", "visa"], .madaVisa, "Mada"), (["visa"], .visa, "Visa"),
    ])
    func theOrderOfSupportedNetworksPreselects(networks: [String], card: SimulatedCard, chosen: String) throws {
        let presented = try #require(card.preselected(by: networks))
        #expect(presented.network.rawValue == chosen && presented.displayName == "\(chosen) \(card.fpanSuffix)")
        #expect(presented.name == card.name && Set(presented.networks) == Set(card.networks))
        #expect(card.preselected(by: ["amex"]) == nil && card.preselected(by: []) == nil)
    }

    @Test(arguments: SimulatedCard.coBadgedCards)
    func everyNetworkHasItsOwnNumber(card: SimulatedCard) throws {
        #expect(card.networks.count == 2 && card.presented(by: card.network) == card)
        let other = try #require(card.coBadges.first)
        let presented = try #require(card.presented(by: other.network))
        #expect(presented.dpan == other.dpan && presented.eci == other.eci && presented.dpan != card.dpan)
        #expect(presented.presented(by: card.network) == card)
        #expect(card.presented(by: .amex) == nil)
        #expect(!"\(presented)".contains(presented.dpan))
    }

    @Test(arguments: SimulatedCard.allNamed)
    func isFoundByItsNameInAnyCase(card: SimulatedCard) {
        #expect(SimulatedCard.named(card.name) == card)
        #expect(SimulatedCard.named(card.name.uppercased()) == card)
    }

    @Test func unknownNameFindsNothing() {
        #expect(SimulatedCard.named("diners") == nil)
    }

    @Test(arguments: SimulatedCard.allCases)
    func printsWithoutItsNumber(card: SimulatedCard) {
        #expect(!"\(card)".contains(card.dpan))
    }
}
