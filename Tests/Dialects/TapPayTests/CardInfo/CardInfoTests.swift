//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import TapPay

@Suite struct CardInfoTests {
    private static func instrument(_ prefix: String, _ network: CardNetwork) -> InstrumentSummary {
        InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: prefix, suffix: "1234", length: 16), network: network,
            expiryYearMonth: "3112", eci: nil, displayName: nil)
    }

    @Test(arguments: [
        ("400000", CardNetwork.visa, 1), ("510000", .mastercard, 2), ("559999", .mastercard, 2),
        ("222100", .mastercard, 2), ("272099", .mastercard, 2), ("352800", .jcb, 3), ("358999", .jcb, 3),
        ("620000", .unionPay, 4), ("817199", .unionPay, 4), ("340000", .amex, 5), ("379999", .amex, 5),
        ("601100", .discover, -1), ("672599", .girocard, -1), ("999999", .other, -1),
        // A network that the table has no range of is the token's.
        ("900000", .jcb, 3), ("900000", .unionPay, 4), ("900000", .visa, 1), ("900000", .mastercard, 2),
        ("900000", .amex, 5),
    ])
    func theTypeIsTheNetworks(bin: String, network: CardNetwork, type: Int) {
        #expect(CardInfo(of: Self.instrument(bin, network), in: .standard).type == type)
    }

    @Test func aCardWhoseIssuerNobodyKnowsHasNone() {
        let info = CardInfo(of: Self.instrument("400000", .visa), in: .standard)
        #expect(
            info.frontEndJSON == [
                "bincode": "400000", "lastfour": "1234", "issuer": "", "issuer_zh_tw": "", "bank_id": "",
                "funding": -1, "type": 1, "level": "", "country": "", "countrycode": "",
            ])
        #expect(info.frontEndCardJSON == ["lastfour": "1234", "funding": -1, "type": 1])
    }

    @Test func aNumberThatIsNoneHasNoDigits() {
        let masked = InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: "", suffix: "", length: 0), network: .other, expiryYearMonth: "", eci: nil,
            displayName: nil)
        let info = CardInfo(of: masked, in: .standard)
        #expect(info.bin == "" && info.lastFour == "" && info.type == -1)
    }

    @Test(arguments: SimulatedCard.allCases)
    func everyCardOfTheSimulatorHasAFullRow(_ card: SimulatedCard) throws {
        let row = try #require(BINTable.standard.row(of: String(card.dpan.prefix(6))))
        #expect(row.digitsCount == 6 && !row.issuer.isEmpty && !row.issuerZhTw.isEmpty && !row.bankID.isEmpty)
        #expect(!row.level.isEmpty && !row.country.isEmpty && row.countryCode.utf8.count == 2)
        #expect(row.funding == (card.kind == .debit ? .debit : .credit))
    }

    @Test func theVendorsTestCardHasAFullRow() throws {
        let row = try #require(BINTable.standard.row(of: "424242"))
        #expect(row.digitsCount == 6 && row.network == .visa && row.funding == .credit && row.countryCode == "GB")
    }

    @Test(arguments: [("credit", 0), ("debit", 1), ("prepaid", 2), ("unknown", -1)])
    func anOperatorsTableStandsInThePlaceOfTheGateways(funding: String, number: Int64) async throws {
        let table = try BINTable(
            csv: Array(
                """
                first,last,network,funding,issuer,issuer_zh_tw,bank_id,level,country,country_code
                4895,4895,jcb,\(funding),CTBC,中國信託,822,GOLD,TAIWAN,TW
                """.utf8))
        let shop = try await FrontEndShop.open(cards: table)
        let answer = try await shop.getPrime(try shop.token())
        #expect(
            answer.json["card_info"] == [
                "bincode": "489537", "lastfour": "5671", "issuer": "CTBC", "issuer_zh_tw": "中國信託",
                "bank_id": "822", "funding": JSON(number), "type": 3, "level": "GOLD", "country": "TAIWAN",
                "countrycode": "TW",
            ])
    }
}
