//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import TestGateway
import Testing

/// What an examination says of payments that are stuck, and of merchants that take no webhooks.
struct OpenMatterTests {
    /// "code severity", of what is not as it should be.
    private static func troubles(_ shop: Shop) async throws -> Set<String> {
        Set(
            try await shop.gateway.administration.examine().filter { $0.severity != .good }
                .map { "\($0.code) \($0.severity.rawValue)" })
    }

    @Test func namesOperationsThatAreUnknownForMoreThanAMinute() async throws {
        let shop = try await Shop.open()
        // The simulator's amount for an outcome that it never says.
        _ = try await shop.authorize(money(6363))
        #expect(try await Self.troubles(shop) == [])
        shop.clock.advance(seconds: 61)
        #expect(try await Self.troubles(shop) == ["operations_unknown warning"])
        // Nobody has worked on it for so long that nobody works.
        shop.clock.advance(seconds: 600)
        #expect(try await Self.troubles(shop).contains("work_overdue failure"))
    }

    @Test func namesEventsThatWereNotTakenAndThoseThatWereGivenUp() async throws {
        let shop = try await Shop.open()
        _ = try await shop.authorize(money(1000))
        try await Self.change(shop) { $0.attemptsCount = 1 }
        #expect(try await Self.troubles(shop) == ["webhooks_failing notice"])
        try await Self.change(shop) { $0.state = .dead }
        #expect(try await Self.troubles(shop) == ["webhooks_dead warning"])
        try await Self.change(shop) { $0.state = .delivered }
        #expect(try await Self.troubles(shop) == [])
    }

    private static func change(_ shop: Shop, _ body: @escaping @Sendable (inout OutboxEvent) -> Void) async throws {
        try await shop.store.write { transaction in
            for var event in try transaction.events(OutboxQuery()) {
                body(&event)
                try transaction.update(event)
            }
        }
    }
}
