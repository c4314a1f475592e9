//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing
import WalletSimulator

@Suite struct SimulatedCardTests {
    @Test(arguments: SimulatedCard.allCases)
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
        let cards = SimulatedCard.allCases
        #expect(Set(cards.map(\.dpan)).count == cards.count)
        #expect(Set(cards.map(\.name)).count == cards.count)
        #expect(Set(cards.map(\.fpanSuffix)).count == cards.count)
    }

    @Test func everyNetworkHasACard() {
        #expect(Set(SimulatedCard.allCases.map(\.network)) == Set(SimulatedCard.Network.allCases))
        #expect(
            SimulatedCard.Network.allCases.map(\.rawValue) == [
                "Visa", "MasterCard", "AmEx", "Discover", "JCB", "ChinaUnionPay", "girocard",
            ])
    }

    @Test func mastercardHasNoECI() {
        #expect(SimulatedCard.mastercard.eci == nil)
        #expect(SimulatedCard.mastercardDebit.eci == nil)
        #expect(SimulatedCard.visa.eci == "7")
    }

    @Test(arguments: SimulatedCard.allCases)
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
