//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Redaction
import TestGateway
import Testing
import Time

@testable import Administration

/// What lets machines administer.
@Suite struct AccessTokenTests {
    private func open() async throws -> (TestGateway, Administration) {
        let test = try await TestGateway.open()
        return (test, test.gateway.administration)
    }

    private func make(
        _ administration: Administration, _ access: Access = Access(.viewer), days: Int = 30
    ) async throws -> MadeAccessToken {
        try await administration.makeAccessToken(
            AccessTokenDraft(name: "nightly", access: access, days: days), by: Access(.owner), madeBy: "alice")
    }

    @Test func opensWhatItWasMadeForAndIsAudited() async throws {
        let (test, administration) = try await self.open()
        let made = try await self.make(administration, Access(scopes: [.paymentsRead], changesSandboxOnly: true))
        let found = try #require(try await administration.authenticate(accessToken: made.secret))
        #expect(found.token.id == made.token.id && found.access == made.token.access)
        #expect(found.access == Access(scopes: [.paymentsRead], changesSandboxOnly: true))
        #expect(made.token.endsAt == test.clock.now.adding(seconds: 30 * 86_400))
        let entry = try #require(try await test.store.read { try $0.lastAuditEntry() })
        #expect(entry.act == .accessTokenMake && entry.subject == "nightly")
        #expect(entry.details["scopes"] == "payments:read" && entry.details["token"] == made.token.id.text)
    }

    @Test func keepsNothingButADigestOfTheSecret() async throws {
        let (test, administration) = try await self.open()
        let secret = try await self.make(administration).secret.reveal()
        _ = try await administration.authenticate(accessToken: Redacted(secret))
        let body = Array(secret.utf8.dropFirst(AccessTokenText.prefix.utf8.count).prefix(20))
        for bytes in try await test.everythingStored() {
            #expect(!bytes.contains(body), "a stored value holds the secret")
        }
        #expect(!test.log.text.contains(secret))
    }

    @Test func secretScannersKnowIt() async throws {
        let (_, administration) = try await self.open()
        let (first, second) = (try await self.make(administration), try await self.make(administration))
        #expect(first.secret != second.secret)
        let text = first.secret.reveal()
        #expect(text.wholeMatch(of: /pomona_[0-9A-Za-z]{49}/) != nil)
        #expect(AccessTokenText.isPlausible(first.secret))
        // Every single wrong character is found.
        for index in text.indices {
            var wrong = text
            wrong.replaceSubrange(index...index, with: text[index] == "x" ? "y" : "x")
            #expect(!AccessTokenText.isPlausible(Redacted(wrong)))
            #expect(try await administration.authenticate(accessToken: Redacted(wrong)) == nil)
        }
        for wrong in ["", "pomona_", text + "0", String(text.dropLast()), text.uppercased(), " " + text] {
            #expect(!AccessTokenText.isPlausible(Redacted(wrong)))
        }
    }

    @Test func theCheckIsThatOfISO8802() {
        // The check value of the catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC.
        #expect(MadeSecret.crc32("123456789".utf8) == 0xCBF4_3926)
        #expect(MadeSecret.base62([0], digitsCount: 2) == "00")
        #expect(MadeSecret.base62([61], digitsCount: 1) == "z" && MadeSecret.base62([62], digitsCount: 2) == "10")
        let most = Array(repeating: 0xFF as UInt8, count: 32)
        #expect(MadeSecret.text(most).utf8.count == 43 && MadeSecret.text(most).first != "0")
    }

    @Test func opensNothingFromItsEndOn() async throws {
        let (test, administration) = try await self.open()
        let made = try await self.make(administration, days: 1)
        test.clock.advance(seconds: 86_399)
        #expect(try await administration.authenticate(accessToken: made.secret) != nil)
        test.clock.advance(seconds: 1)
        #expect(try await administration.authenticate(accessToken: made.secret) == nil)
    }

    @Test func opensNothingOnceRevoked() async throws {
        let (test, administration) = try await self.open()
        let made = try await self.make(administration)
        test.clock.advance(seconds: 1)
        let other = try await self.make(administration)
        let revoked = try await administration.revokeAccessToken(made.token.id, by: Access(.owner))
        #expect(revoked.revokedAt == test.clock.now)
        #expect(try await administration.authenticate(accessToken: made.secret) == nil)
        #expect(try await administration.authenticate(accessToken: other.secret) != nil)
        // Once more is no act, and moves nothing.
        test.clock.advance(seconds: 5)
        #expect(try await administration.revokeAccessToken(made.token.id, by: Access(.owner)) == revoked)
        let acts = try await test.store.read { try $0.auditEntries(after: 0, limit: 10) }.map(\.act)
        #expect(acts == [.accessTokenMake, .accessTokenMake, .accessTokenRevoke])
        #expect(try await administration.accessTokens().map(\.id) == [made.token.id, other.token.id])
        let nobody = AccessTokenID(at: test.clock.now, random: [1])
        await expectError(.tokenUnknown) { try await administration.revokeAccessToken(nobody, by: Access(.owner)) }
    }

    @Test func itsUseIsWrittenAtMostOnceAMinute() async throws {
        let (test, administration) = try await self.open()
        let made = try await self.make(administration)
        #expect(made.token.lastUsedAt == nil)
        let start = test.clock.now
        for (seconds, written) in [(0, 0), (59, 0), (1, 60), (59, 60), (1, 120)] as [(Int64, Int64)] {
            test.clock.advance(seconds: seconds)
            _ = try await administration.authenticate(accessToken: made.secret)
            let stored = try await administration.accessTokens().first
            #expect(stored?.lastUsedAt == start.adding(seconds: written))
        }
    }

    @Test func nobodyGivesAwayMoreThanHeHas() async throws {
        let (_, administration) = try await self.open()
        let shop = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE"
        ).id
        let limited = Access(scopes: [.peopleWrite, .paymentsRead], merchants: [shop], changesSandboxOnly: true)
        let forShop = Access(scopes: [.paymentsRead], merchants: [shop], changesSandboxOnly: true)
        func make(_ given: Access, by giver: Access) async throws -> MadeAccessToken {
            try await administration.makeAccessToken(
                AccessTokenDraft(name: "n", access: given), by: giver, madeBy: "alice")
        }
        _ = try await make(forShop, by: limited)
        for given in [
            Access(scopes: [.paymentsRead], changesSandboxOnly: true),
            Access(scopes: [.paymentsRead], merchants: [shop]),
            Access(scopes: [.paymentsRefund], merchants: [shop], changesSandboxOnly: true), Access(.owner),
        ] {
            await expectError(.accessNotAllowed) { _ = try await make(given, by: limited) }
        }
        await expectError(.accessNotAllowed) { _ = try await make(forShop, by: Access(.operator)) }
        // Nor does he end what may do more.
        let great = try await make(Access(.viewer), by: Access(.owner)).token.id
        await expectError(.accessNotAllowed) { try await administration.revokeAccessToken(great, by: limited) }
    }

    @Test func refusesMalformedDrafts() async throws {
        let (test, administration) = try await self.open()
        for days in [0, -1, 367] {
            await expectError(.tokenDurationInvalid) { _ = try await self.make(administration, days: days) }
        }
        await expectError(.tokenNameMalformed) {
            _ = try await administration.makeAccessToken(
                AccessTokenDraft(name: "", access: Access(.viewer)), by: Access(.owner), madeBy: "")
        }
        let nobody = MerchantID(at: test.clock.now, random: [1])
        await expectError(.merchantUnknown) {
            _ = try await self.make(administration, Access(.viewer, merchants: [nobody]))
        }
        #expect(try await administration.accessTokens().isEmpty)
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        self.indices.contains { self[$0...].starts(with: part) }
    }
}
