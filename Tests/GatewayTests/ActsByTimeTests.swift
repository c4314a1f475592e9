//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import Time

@testable import Gateway

/// What a node whose clock is far from the database's leaves to others.
struct ActsByTimeTests {
    private static let day: Int64 = 86_400

    /// A shop, and the clock of its database.
    private static func open(
        _ configure: (inout Shop.Options) -> Void = { _ in }
    ) async throws -> (shop: Shop, database: TestClock) {
        let database = TestClock(TestAuthorities.start)
        let shop = try await Shop.open { options in
            configure(&options)
            options.store = ClockedStore(MemoryStore()) { database.now }
        }
        return (shop, database)
    }

    /// - Parameter ahead: how far the node's clock is before the database's when the capture is due by its own.
    @Test(arguments: [(0, 1), (29, 1), (-29, 1), (31, 0), (-30, 0), (400 * 86_400, 0)] as [(Int64, Int)])
    func plannedCapturesWaitForAClockThatAgrees(ahead: Int64, count: Int) async throws {
        let (shop, database) = try await Self.open()
        var command = try shop.authorization(of: money(10_00))
        command.captureDueAt = shop.clock.now.adding(seconds: 3 * Self.day)
        let payment = try await shop.gateway.authorize(command).payment.id
        shop.clock.advance(seconds: 3 * Self.day)
        database.advance(seconds: 3 * Self.day - ahead)
        #expect(await shop.gateway.captureDue() == count)
        #expect(try await shop.payment(payment).state == (count == 0 ? .authorized : .captured))
        database.advance(seconds: ahead)
        #expect(await shop.gateway.captureDue() == 1 - count)
        #expect(try await shop.payment(payment).state == .captured)
        try await expectAgreement(shop)
    }

    /// To a clock that is ahead what another node has just begun looks abandoned.
    @Test func nothingIsRecoveredByAClockThatIsAhead() async throws {
        let (shop, database) = try await Self.open()
        let outcome = try await shop.sell(money(63_63))
        shop.clock.advance(seconds: 3600)
        #expect(await shop.gateway.recover() == RecoveryReport())
        #expect(shop.script.count(of: .query) == 0 && shop.script.count(of: .reverse) == 0)
        database.advance(seconds: 3600)
        for _ in 1...10 {
            for clock in [shop.clock, database] { clock.advance(seconds: 61) }
            _ = await shop.gateway.recover()
        }
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test func nothingIsDeletedByAClockThatIsAhead() async throws {
        let log = CapturedLog()
        let (shop, database) = try await Self.open { options in
            options.settings.claimsKeptSeconds = 90 * Self.day
            options.log = log.logger
        }
        let sale = try await shop.sell(money(10_00))
        let delivery = try #require(try await shop.gateway.leaseDeliveries(limit: 1).first)
        try await shop.gateway.record(.delivered("http_200"), of: delivery)
        try await shop.gateway.keep(
            Redacted([1]), kind: "session", id: "S-1", lifetimeSeconds: 600, merchant: shop.merchant, replacing: nil)
        let name = Gateway.keptName("session", "S-1", shop.merchant)
        let left = {
            try await shop.store.read { reader in
                [
                    try reader.keptItem(name) == nil ? 0 : 1, try reader.events(of: sale.payment.id).count,
                    try reader.claims(after: nil, limit: 10).count,
                ]
            }
        }
        let sweep = {
            try await shop.gateway.sweep()
            _ = try await shop.gateway.deleteDeliveredEvents()
            _ = try await shop.gateway.deleteClaims(after: nil, limit: 100) { _ in false }
        }
        #expect(try await left() == [1, 1, 1])
        shop.clock.advance(seconds: 400 * Self.day)
        try await sweep()
        #expect(try await left() == [1, 1, 1])
        #expect(log.lines.count { $0.hasPrefix("error") && $0.contains("clock differs") } == 1)
        database.advance(seconds: 400 * Self.day)
        try await sweep()
        #expect(try await left() == [0, 0, 0])
        #expect(log.lines.count { $0.contains("agrees with the database's again") } == 1)
    }
}
