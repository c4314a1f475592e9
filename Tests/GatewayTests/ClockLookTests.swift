//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time

@testable import Gateway

/// How often a node asks the database for its time before it acts by the time, and what it notices without asking.
struct ClockLookTests {
    private static let day: Int64 = 86_400

    /// The database's clock, the one that nobody sets, and how often the database was asked.
    private final class Clocks: Sendable {
        let database = TestClock(TestAuthorities.start)
        let looksCount = Mutex(0)
        let passed = Mutex(Duration.zero)
        let start = ContinuousClock.now

        func look() -> Timestamp {
            self.looksCount.withLock { $0 += 1 }
            return self.database.now
        }
    }

    private let shop: Shop
    private let clocks: Clocks

    init() async throws {
        let clocks = Clocks()
        self.clocks = clocks
        self.shop = try await Shop.open { options in
            options.store = ClockedStore(MemoryStore()) { clocks.look() }
            options.settings.claimsKeptSeconds = 90 * Self.day
        }.restarted { parts in
            parts.steadyClock = { clocks.start + clocks.passed.withLock { $0 } }
        }
    }

    private var looksCount: Int { self.clocks.looksCount.withLock { $0 } }

    /// Lets time go on, by all clocks.
    private func wait(seconds: Int64) {
        for clock in [self.shop.clock, self.clocks.database] { clock.advance(seconds: seconds) }
        self.clocks.passed.withLock { $0 += .seconds(seconds) }
    }

    /// What the workers of a node do in a second.
    private func pass() async throws {
        let gateway = self.shop.gateway
        _ = await gateway.leaseRecoveries(limit: 64)
        _ = await gateway.leaseCaptures(limit: 64)
        _ = await gateway.forgetCardData(limit: 64)
        try await gateway.sweep()
        _ = try await gateway.deleteDeliveredEvents()
        _ = try await gateway.deleteClaims(after: nil, limit: 100) { _ in false }
    }

    /// A look for jobs always asks: what is taken over from others depends on it. All else goes by what that said.
    @Test func aPassOfTheWorkersAsksForItsJobsAlone() async throws {
        // As much as each of them needs to have something to do.
        _ = try await self.shop.sell(money(10_00))
        let delivery = try #require(try await self.shop.gateway.leaseDeliveries(limit: 1).first)
        try await self.shop.gateway.record(.delivered("http_200"), of: delivery)
        try await self.shop.gateway.keep(
            Redacted([1]), kind: "session", id: "S-1", lifetimeSeconds: 600, merchant: self.shop.merchant,
            replacing: nil)
        self.wait(seconds: 400 * Self.day)
        var before = self.looksCount
        _ = await self.shop.gateway.leaseRecoveries(limit: 64)
        _ = await self.shop.gateway.leaseCaptures(limit: 64)
        _ = await self.shop.gateway.forgetCardData(limit: 64)
        let leasesCount = self.looksCount - before
        #expect(leasesCount > 1)
        before = self.looksCount
        try await self.pass()
        #expect(self.looksCount == before + leasesCount)
        let claims = try await self.shop.store.read { try $0.claims(after: nil, limit: 10) }
        #expect(claims.isEmpty)
        // Nor is it asked for the deletions of the next seconds, and then it is.
        before = self.looksCount
        for _ in 1..<ClockTrust.lookSeconds {
            self.wait(seconds: 1)
            try await self.shop.gateway.sweep()
        }
        #expect(self.looksCount == before)
        self.wait(seconds: 1)
        try await self.shop.gateway.sweep()
        #expect(self.looksCount == before + 1)
    }

    /// - Parameters:
    ///   - ahead: how far the node's clock is before the database's when that is asked.
    ///   - set: by how much it is set right after that.
    ///   - mayAct: whether both clocks agree then.
    @Test(
        arguments: [
            (0, 31, false), (0, -30, false), (20, 11, false), (-29, -1, false), (29, 2, false), (-20, 86_400, false),
            (0, 29, true), (29, -58, true), (-29, 58, true),
        ] as [(Int64, Int64, Bool)])
    func aClockThatIsSetIsNoticedAtOnce(ahead: Int64, set: Int64, mayAct: Bool) async throws {
        var command = try self.shop.authorization(of: money(10_00))
        command.captureDueAt = self.shop.clock.now.adding(seconds: 3 * Self.day)
        let payment = try await self.shop.gateway.authorize(command).payment.id
        self.wait(seconds: 3 * Self.day - 1)
        self.shop.clock.advance(seconds: ahead)
        _ = await self.shop.gateway.leaseRecoveries(limit: 1)
        let before = self.looksCount
        self.shop.clock.advance(seconds: set)
        // The planned time is over by all clocks as long as they agree.
        self.wait(seconds: 1)
        if !mayAct {
            #expect(await self.shop.gateway.captureDue() == 0)
            #expect(self.looksCount > before)
            #expect(try await self.shop.payment(payment).state == .authorized)
            // It is asked until it agrees.
            self.clocks.database.advance(to: self.shop.clock.now)
            self.shop.clock.advance(to: self.clocks.database.now)
        } else {
            try await self.shop.gateway.sweep()
            #expect(self.looksCount == before)
        }
        self.wait(seconds: 30)
        #expect(await self.shop.gateway.captureDue() == 1)
        try await expectAgreement(self.shop)
    }

    /// It is this node that has not changed; and it is not long.
    @Test func theDatabasesClockIsAskedAgainWithinSeconds() async throws {
        let outcome = try await self.shop.sell(money(63_63))
        self.wait(seconds: 3600)
        _ = await self.shop.gateway.leaseCaptures(limit: 1)
        self.clocks.database.advance(seconds: 60)
        self.wait(seconds: ClockTrust.lookSeconds)
        #expect(await self.shop.gateway.recover() == RecoveryReport())
        #expect(try await self.shop.operation(outcome).state == .unknown)
        // That it differs is not remembered: whoever sets it does not wait.
        self.shop.clock.advance(seconds: 60)
        #expect(await self.shop.gateway.recover().examinedCount == 1)
    }

    /// A node that has never asked, and one that has asked a clock that differs, know nothing.
    @Test func onlyAgreementIsRemembered() async throws {
        let before = self.looksCount
        self.shop.clock.advance(seconds: 31)
        for count in 1...3 {
            try await self.shop.gateway.sweep()
            #expect(self.looksCount == before + count)
        }
    }
}
