//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import Testing
import Time
import WalletSimulator

@Suite("What the issuer says of the card")
struct IssuerChecksTests {
    private static func number(code: String?, expiry: String = "2812") -> PaymentInstrument {
        .networkToken(
            NetworkToken(
                pan: Redacted("4111111111111111"), expiryYearMonth: expiry,
                proof: .securityCode(code.map { Redacted($0) }),
                eci: nil))
    }

    private func answer(_ outcome: AcquirerOutcome) throws -> AcquirerAnswer {
        switch outcome {
        case .approved(let approval): return approval.answer
        case .declined(let decline): return decline.answer
        case .accepted, .notProcessed, .unknown:
            Issue.record("no answer")
            return AcquirerAnswer()
        }
    }

    @Test(arguments: [
        ("00000", "N"), ("00001", "A"), ("00002", "Z"), ("00003", "R"), ("00004", "Y"), ("M5V 3L9", "Y"), ("", "Y"),
    ])
    func addressCheckGoesByThePostalCode(_ postalCode: String, _ letter: String) async throws {
        let billing = PostalAddress(lines: ["1 Yonge St"], postalCode: postalCode, countryCode: "CA")
        let answer = try self.answer(try await Desk().verify(billing: billing))
        #expect(answer.addressCheck == letter)
    }

    @Test(arguments: [("00004", "W"), ("00005", "E"), ("00006", "M"), ("00000", "N"), ("19019", "Y")])
    func americanExpressHasLettersOfItsOwn(_ postalCode: String, _ letter: String) async throws {
        let token = NetworkToken(
            pan: Redacted("370000000000101"), expiryYearMonth: "2812", proof: .securityCode(nil), eci: nil)
        let billing = PostalAddress(lines: ["1 Yonge St"], postalCode: postalCode, countryCode: "CA")
        let answer = try self.answer(try await Desk().verify(with: .networkToken(token), billing: billing))
        #expect(answer.addressCheck == letter)
    }

    @Test func addressIsNotCheckedWithoutAPostalCode() async throws {
        #expect(try self.answer(try await Desk().verify()).addressCheck == nil)
        let billing = PostalAddress(lines: ["1 Yonge St"], city: "Toronto", mainDivision: "ON", countryCode: "CA")
        #expect(try self.answer(try await Desk().verify(billing: billing)).addressCheck == nil)
    }

    @Test(arguments: [("123", "M"), ("0000", "N"), ("000", "N"), ("00", "M"), (nil, "P")] as [(String?, String)])
    func securityCodeCheckGoesByTheCode(_ code: String?, _ letter: String) async throws {
        let answer = try self.answer(try await Desk().verify(with: Self.number(code: code)))
        #expect(answer.securityCodeCheck == letter)
        #expect(answer.fundingPANSuffix == "1111", "of a card number its own last four digits")
        #expect(answer.fundingExpiryYearMonth == "2812")
    }

    @Test func securityCodeIsNotCheckedWhereACryptogramProvesTheCard() async throws {
        let answer = try self.answer(try await Desk().verify())
        #expect(answer.securityCodeCheck == nil)
    }

    /// The card behind a device account has a number of its own, always the same.
    @Test func returnsTheCardBehindADeviceAccount() async throws {
        let first = try self.answer(try await Desk().authorize(1000))
        let again = try self.answer(try await Desk(payment: 2).verify())
        let other = try self.answer(try await Desk(payment: 3).verify(with: Desk.card(pan: "5204240012345679")))
        #expect(first.fundingPANSuffix?.count == 4)
        #expect(first.fundingPANSuffix != "5671")
        #expect(again.fundingPANSuffix == first.fundingPANSuffix)
        #expect(other.fundingPANSuffix != first.fundingPANSuffix)
        #expect(first.fundingExpiryYearMonth == "2812")
    }

    /// A shop that shows the customer both has the same card in hand, under whatever network it pays.
    @Test func cardBehindADeviceAccountIsTheOneThatTheWalletShows() async throws {
        let cards = SimulatedCard.allNamed.flatMap { $0.networks.compactMap($0.presented) }
        var knownCount = 0
        for card in cards {
            let outcome = try await Desk().verify(with: Desk.card(pan: card.dpan))
            guard case .approved(let approval) = outcome else { continue }
            #expect(approval.answer.fundingPANSuffix == card.fpanSuffix, "\(card)")
            knownCount += 1
        }
        #expect(knownCount == 20, "all but the test cards that are declined")
    }

    /// An issuer looks at the address also where it declines; it says nothing of the account then.
    @Test func declineCarriesTheChecksAndNothingOfTheAccount() async throws {
        let billing = PostalAddress(postalCode: "00000")
        let expired = try self.answer(
            try await Desk().verify(with: Self.number(code: "000", expiry: "2001"), billing: billing))
        #expect(expired.addressCheck == "N")
        #expect(expired.securityCodeCheck == "N")
        #expect(expired.responseCode == "54")
        #expect(expired.authorizationCode == nil && expired.networkReference == nil)
        #expect(expired.fundingPANSuffix == nil && expired.fundingExpiryYearMonth == nil)
    }

    /// What is captured at once is not held.
    @Test func authorizationSaysUntilWhenItIsHeld() async throws {
        let desk = try Desk()
        let authorization = try self.answer(await desk.authorize(1000))
        #expect(authorization.authorizationExpiresAt == Desk.now.adding(seconds: 32 * 86_400))
        #expect(try self.answer(await desk.authorize(1000)) == authorization, "a repeat is answered the same")
        #expect(try self.answer(await desk.capture(1, 400)).authorizationExpiresAt == nil)
        #expect(try self.answer(await Desk().authorize(1000, captures: true)).authorizationExpiresAt == nil)
        #expect(try self.answer(await Desk().verify()).authorizationExpiresAt == nil)
    }

    @Test func everyAnswerHasItsNumbers() async throws {
        let desk = try Desk()
        let authorization = try self.answer(await desk.authorize(1000))
        #expect(authorization.stan?.count == 6)
        #expect(authorization.networkReference?.count == 15)
        let capture = try self.answer(await desk.capture(1, 400))
        #expect(capture.stan?.count == 6)
        #expect(capture.stan != authorization.stan)
        #expect(capture.networkReference == nil && capture.authorizationCode == nil)
        #expect(capture.addressCheck == nil && capture.fundingPANSuffix == nil)
        let query = await desk.query(0)
        guard case .approved(let approval) = query else {
            Issue.record("not approved")
            return
        }
        #expect(approval.answer == authorization, "and a query returns the same")
    }
}
