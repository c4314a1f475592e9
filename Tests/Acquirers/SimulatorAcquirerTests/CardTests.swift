//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import Testing
import Time

@Suite("What the acquirer sees of the card")
struct CardTests {
    @Test(arguments: [
        "4895370012345671", "5204240012345679", "379999001234562", "6510990012345676", "3569990012345673",
        "6258990012345672", "6725990000123456780", "000000000000",
    ])
    func takesNumberThatPassesLuhn(_ pan: String) async throws {
        #expect(words(try await Desk().authorize(1000, with: Desk.card(pan: pan))) == "approved 1000 00")
    }

    @Test(arguments: [
        "4895370012345672", "4895370012345617", "", "0", "42", "00000000000", "00000000000000000000",
        "4895 3700 1234 5671", "489537001234567x", "٤٨٩٥٣٧٠٠١٢٣٤٥٦٧١",
    ])
    func declinesNumberThatIsNone(_ pan: String) async throws {
        let desk = try Desk()
        #expect(words(await desk.authorize(1000, with: Desk.card(pan: pan))) == "declined invalidCard 14")
        #expect(words(await desk.query(0)) == "declined invalidCard 14")
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }

    @Test(arguments: [
        ("2612", "2026-12-31T23:59:59.999Z", "approved 1000 00"),
        ("2612", "2027-01-01T00:00:00Z", "declined expiredCard 54"),
        ("2602", "2026-02-28T23:59:59Z", "approved 1000 00"),
        ("2602", "2026-03-01T00:00:00Z", "declined expiredCard 54"),
        ("2802", "2028-02-29T12:00:00Z", "approved 1000 00"),
        ("9912", "2026-01-01T00:00:00Z", "approved 1000 00"),
        ("0001", "2026-01-01T00:00:00Z", "declined expiredCard 54"),
        ("2600", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
        ("2613", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
        ("261", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
        ("261231", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
        ("", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
        ("26-1", "2026-01-01T00:00:00Z", "declined invalidCard 14"),
    ])
    func cardIsGoodThroughItsMonth(_ expiry: String, _ now: String, _ answer: String) async throws {
        let moment = try #require(Timestamp(rfc3339: now))
        let outcome = try await Desk().authorize(1000, with: Desk.card(pan: Desk.pan, expiry: expiry), at: moment)
        #expect(words(outcome) == answer)
    }

    @Test func declinesSealedToken() async throws {
        let outcome = try await Desk().authorize(
            1000, with: .sealedApplePayToken(SealedApplePayToken(paymentData: Redacted([1, 2, 3]))))
        #expect(words(outcome) == "declined notPermitted 57")
    }

    /// What somebody has who has read a token elsewhere, or a receipt: the number, without what the device proves with it.
    @Test(arguments: [
        "4895370012345671", "4895381100200306", "5204240012345679", "5204251100200304", "379999001234562",
        "6510990012345676", "3569990012345673", "6258990012345672", "6725990000123456780", "4895380000000519",
    ])
    func declinesDeviceNumberWithoutCryptogram(_ pan: String) async throws {
        for code in [nil, Redacted("123")] {
            let token = NetworkToken(
                pan: Redacted(pan), expiryYearMonth: "2812", proof: .securityCode(code), eci: "05")
            let desk = try Desk()
            #expect(words(await desk.authorize(1000, with: .networkToken(token))) == "declined notPermitted 57")
            #expect(try await desk.book.position(desk.paymentID) == desk.position())
        }
    }

    @Test func takesCardNumberWithoutCryptogram() async throws {
        let token = NetworkToken(
            pan: Redacted("4111111111111111"), expiryYearMonth: "2812", proof: .securityCode(nil), eci: nil)
        #expect(words(try await Desk().authorize(1000, with: .networkToken(token))) == "approved 1000 00")
    }

    @Test func takesEMVData() async throws {
        let token = NetworkToken(
            pan: Redacted(Desk.pan), expiryYearMonth: "2812",
            proof: .emv(data: Redacted([0x9F, 0x26]), encryptedPIN: nil), eci: nil)
        #expect(words(try await Desk().authorize(1000, with: .networkToken(token))) == "approved 1000 00")
    }

    /// A card that is refused is refused whatever the amount.
    @Test(arguments: [5858, 6161, 6363] as [Int64])
    func cardComesBeforeAmount(_ amount: Int64) async throws {
        let outcome = try await Desk().authorize(amount, with: Desk.card(pan: Desk.pan, expiry: "2001"))
        #expect(words(outcome) == "declined expiredCard 54")
    }

    @Test func saysWhatItCanDo() throws {
        let acquirer = try Desk().acquirer
        #expect(acquirer.name == AcquirerName("simulator"))
        let capabilities = acquirer.capabilities
        #expect(capabilities.forms == [.networkToken])
        #expect(capabilities.proofs == Set(AcquirerCapabilities.Proof.allCases))
        #expect(capabilities.networks == Set(CardNetwork.allCases))
        #expect(capabilities.sells && capabilities.capturesInParts && capabilities.refundsInParts)
        #expect(capabilities.adjustments == [.up, .down])
        #expect(capabilities.voids == [.authorization, .sale, .capture, .refund])
        #expect(capabilities.verifiesCards)
        #expect(capabilities.recovery == .queryThenReversal)
    }
}
