//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestGateway
import Time
import WalletSimulator

/// The laws about tokens that must not be taken, and about callers who must not be served.
extension DialectProbe {
    /// Tries to pay, which must be refused and must book nothing.
    private func expectRefused(
        _ what: String, _ name: String, in shop: DialectShop? = nil, _ action: DialectCall.Action
    ) async throws {
        let probe = DialectProbe(law: self.law, driver: self.driver, shop: shop ?? self.shop)
        try await probe.bookingNothing(what) {
            var subject = Subject(name: name)
            try probe.expect(await probe.make(action, &subject), .refused, what)
        }
    }

    func refusesReplayedToken() async throws {
        let amount = self.shop.money(1000)
        let token = try self.shop.token(amount)
        var subject = Subject(name: "p1")
        try self.expect(await self.make(self.charge(amount, token), &subject), .approved, "a payment")
        try await self.expectRefused("a token that has been used", "p2", self.charge(amount, token))
        // Nor after a refusal, a day later or by another road into the gateway.
        self.test.clock.advance(seconds: 60)
        try await self.expectRefused("a token that has been used, later", "p3", self.charge(amount, token))
    }

    /// One of each kind: certificates, signer, attributes, algorithms, what is signed, key, seal.
    static let forgeries: [Forgery] = [
        .leafWithoutMarkerOID, .leafExpired, .intermediateWithoutMarkerOID, .foreignRoot, .certificatesMissing,
        .signedByUnmarkedCertificate, .signedByAnotherKey, .messageDigestWrong, .signingTimeMissing,
        .digestAlgorithmSHA384, .signatureBitFlipped, .transactionIdentifierReplaced, .ciphertextReplaced, .keyReplaced,
        .publicKeyHashUnknown, .ciphertextCorrupt, .authenticationTagCorrupt, .authenticationTagTruncated,
        .keyDerivedForAnotherMerchant, .ephemeralKeyNotOnCurve,
    ]

    func refusesForgedTokens() async throws {
        let amount = self.shop.money(1000)
        for (index, forgery) in Self.forgeries.enumerated() {
            let token = try self.shop.token(amount, options: .forged(forgery))
            try await self.expectRefused("the forgery \(forgery)", "p\(index)", self.charge(amount, token))
        }
        try self.expect(try await self.test.payments().isEmpty, "no payment for a forged token")
        try self.expect(
            await self.makeNew(self.charge(amount), "good"), .approved, "a good token after the forged ones")
    }

    private func makeNew(_ action: DialectCall.Action, _ name: String) async throws -> Sent {
        var subject = Subject(name: name)
        return try await self.make(action, &subject)
    }

    /// Live tokens live five minutes, sandbox tokens an hour.
    func refusesExpiredToken() async throws {
        for (mode, seconds) in [(Mode.sandbox, 3600), (.live, 300)] as [(Mode, Int64)] {
            let shop = try await DialectShop.open(self.driver, mode: mode)
            let probe = DialectProbe(law: self.law, driver: self.driver, shop: shop)
            let amount = shop.money(1000)
            let (young, old) = (try shop.token(amount), try shop.token(amount))
            shop.clock.advance(seconds: seconds)
            try probe.expect(
                await probe.makeNew(probe.charge(amount, young), "p1"), .approved, "a \(mode) token just young enough")
            shop.clock.advance(seconds: 1)
            try await self.expectRefused("a \(mode) token too old", "p2", in: shop, probe.charge(amount, old))
            let tomorrow = try shop.token(amount, signedAt: shop.clock.now.adding(seconds: 86_400))
            try await self.expectRefused("a \(mode) token of tomorrow", "p3", in: shop, probe.charge(amount, tomorrow))
            try await probe.expectSoundBooks()
        }
    }

    func refusesTokenOfOtherMode() async throws {
        for (mine, other) in [(Mode.sandbox, Mode.live), (.live, .sandbox)] {
            let shop = try await DialectShop.open(self.driver, mode: mine)
            let probe = DialectProbe(law: self.law, driver: self.driver, shop: shop)
            let amount = shop.money(1000)
            let token = try shop.token(amount, mode: other)
            try await self.expectRefused(
                "a \(other) token at a \(mine) merchant", "p1", in: shop, probe.charge(amount, token))
            var subject = Subject(name: "p2")
            let good = try await self.driver.request(probe.call(probe.charge(amount), &subject), in: shop)
            try await probe.bookingNothing("a request for the other mode") {
                for crossed in try self.driver.crossed(good, in: shop) {
                    let (response, answer) = try await probe.send(crossed.request, of: nil)
                    try probe.expect(answer, response, .refused, crossed.name)
                }
            }
        }
    }

    func refusesTokenOfOtherMerchant() async throws {
        let other = try await self.shop.other()
        let amount = self.shop.money(1000)
        try await self.expectRefused(
            "a token for another merchant", "p1", self.charge(amount, try other.token(amount)))
    }

    func refusesAmountUnlikeToken() async throws {
        let amount = self.shop.money(1000)
        for (index, different) in [999, 1001, 100_000].enumerated() {
            let token = try self.shop.token(self.shop.money(Int64(different)))
            try await self.expectRefused(
                "1000 minor units with a token for \(different)", "p\(index)", self.charge(amount, token))
        }
    }

    func refusesCurrencyUnlikeToken() async throws {
        let foreign = Money(minorUnits: 1000, currency: self.driver.foreignCurrency)
        try await self.expectRefused(
            "a token in another currency", "p1", self.charge(self.shop.money(1000), try self.shop.token(foreign)))
    }

    func refusesWrongCredentials() async throws {
        var subject = Subject(name: "p1")
        let call = self.call(try self.charge(self.shop.money(1000)), &subject)
        let good = try await self.driver.request(call, in: self.shop)
        let wrong = try self.driver.withWrongCredentials(good, in: self.shop)
        try self.expect(!wrong.isEmpty, "at least one way to be wrong about credentials", found: "none")
        try await self.bookingNothing("wrong credentials") {
            for request in wrong {
                let (response, answer) = try await self.send(request.request, of: nil)
                try self.expect(answer, response, .refused, request.name)
            }
        }
        // And the good request is not spoiled by them.
        let renewed = try self.driver.renewed(good, in: self.shop)
        let (response, answer) = try await self.send(renewed, of: call)
        try self.expect(answer, response, .approved, "the same request with the right credentials")
    }

    func refusesOtherMerchantsPayment() async throws {
        let subject = try await self.paid(1000)
        let other = DialectProbe(law: self.law, driver: self.driver, shop: try await self.shop.other())
        try await self.bookingNothing("another merchant's refund") {
            var stolen = subject
            try other.expect(
                await other.make(.refund(self.shop.money(100)), &stolen, key: "stolen"), .refused,
                "a refund of another merchant's payment")
            guard self.driver.has(.query) else { return }
            try other.expect(await other.make(.query, &stolen), .refused, "a query of another merchant's payment")
        }
    }
}
