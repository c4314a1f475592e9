//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestGateway
import Testing

@testable import TapPay

@Suite struct AffiliateCodesTests {
    @Test func readsAndWritesTheSetting() throws {
        let codes = try AffiliateCodes(setting: "489537=XYZ;424242=ABC,DEF")
        #expect(codes.codes == ["424242": ["ABC", "DEF"], "489537": ["XYZ"]])
        #expect(codes.setting == "424242=ABC,DEF;489537=XYZ")
        #expect(try AffiliateCodes(setting: codes.setting) == codes)
        #expect(try AffiliateCodes(setting: "") == AffiliateCodes() && AffiliateCodes().setting == "")
    }

    @Test(arguments: [
        ("424242", ["A", "B"]), ("42424299", ["A", "B"]), ("424243", ["C"]), ("424244", []), ("", []), ("42", []),
    ])
    func aCardHasTheCodesOfItsBIN(bin: String, codes: [String]) throws {
        let affiliates = try AffiliateCodes(setting: "424243=C;424242=A,B")
        #expect(affiliates.codes(of: bin) == codes)
    }

    @Test func aBINsCodesAreReplacedAndRemoved() throws {
        var codes = try AffiliateCodes(setting: "424242=ABC")
        try codes.set(["DEF"], bin: "424242")
        #expect(codes.setting == "424242=DEF")
        let wasThere = codes.remove(bin: "424242")
        let isThere = codes.remove(bin: "424242")
        #expect(wasThere && !isThere && codes.setting == "")
    }

    private static let long = String(repeating: "x", count: 20)

    @Test(arguments: [
        ("424242", "must be BIN=CODE"), ("424242=A;", "must be BIN=CODE"), ("424242=A=B", "must be BIN=CODE"),
        ("=A", "6 digits"), ("42=A", "6 digits"), ("42424=A", "6 digits"), ("4242424=A", "6 digits"),
        ("42424242=A", "6 digits"), ("42424x=A", "6 digits"), ("４２=A", "6 digits"),
        ("424242=", "half-width"), ("424242=A,", "half-width"), ("424242=Ａ", "half-width"),
        ("424242=A-B", "half-width"),
        ("424242=A B", "half-width"), ("424242=\(long)x", "1 to 20"), ("424242=A,A", "a code twice"),
        ("424242=A;424242=B", "the BIN 424242 twice"),
        ("424242=" + (1...21).map(String.init).joined(separator: ","), "1 to 20 codes"),
        ((100_000...101_000).map { "\($0)=A" }.joined(separator: ";"), "at most 1000 BINs"),
    ])
    func refusesWhatIsNoList(setting: String, problem: String) {
        let error = #expect(throws: AffiliateCodesError.self) { try AffiliateCodes(setting: setting) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }

    @Test func takesWhatIsAtItsBounds() throws {
        let codes = (1...20).map { _ in Self.long }.enumerated().map { "\($1.dropLast(2))\(10 + $0)" }
        #expect(try AffiliateCodes(setting: "100000=" + codes.joined(separator: ",")).codes["100000"]?.count == 20)
    }

    @Test func theAnswerHasThemOnlyWhereTheyFit() async throws {
        let fits = try await FrontEndShop.open(settings: ["affiliateCodes": "489537=VIP;510000=NONE"])
        let answer = try await fits.getPrime(try fits.token())
        #expect(answer.json["merchant_reference_info"] == ["affiliate_codes": ["VIP"]])
        for setting in ["510000=NONE", "", "not a list", "4895=VIP"] {
            let shop = try await FrontEndShop.open(settings: ["affiliateCodes": setting])
            let plain = try await shop.getPrime(try shop.token())
            #expect(plain.status == 0 && plain.json["merchant_reference_info"] == nil)
        }
    }
}
