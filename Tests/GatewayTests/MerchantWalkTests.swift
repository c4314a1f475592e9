//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import Synchronization
import TestGateway
import Testing

@testable import Gateway

/// What is added up of many is read page by page, for as long as somebody may wait for it.
@Suite struct MerchantWalkTests {
    /// Two movements each.
    private static let salesCount = 300

    private static func sum(
        _ shop: Shop, _ query: MovementQuery = MovementQuery()
    ) async throws -> CountedPage<Movement> {
        try await shop.gateway.sum(
            of: query, merchant: shop.merchant, from: CountedPage<Movement>(offset: 498, limit: 4)
        ) { $0.add($1) }
    }

    @Test func addsUpAllPagesAndKeepsOne() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        for units in 1...Int64(Self.salesCount) {
            _ = try await shop.sell(money(units))
            shop.clock.advance(seconds: 1)
        }
        let all = try await store.read { try $0.movements(MovementQuery(limit: .max)) }
        store.plan { _ in nil }
        let page = try await Self.sum(shop)
        #expect(page.totalCount == 2 * Self.salesCount && page.pagesCount == Self.salesCount / 2)
        #expect(page.elements.map(\.operation.id) == all[498..<502].map(\.operation.id))
        #expect(store.readsCount == 2)
        let captured = try await Self.sum(shop, MovementQuery(kinds: [.capture]))
        #expect(captured.totalCount == Self.salesCount && captured.elements.isEmpty)
    }

    /// Nobody cancels a call whose answer is late.
    @Test func endsWhenItsAnswerWouldBeLate() async throws {
        let start = ContinuousClock.now
        let seconds = Mutex<Int64>(0)
        let shop = try await Shop.open()
        _ = try await shop.sell(money(10_00))
        let late = try await shop.restarted { parts in
            parts.steadyClock = {
                // A minute passes between two looks.
                seconds.withLock { seconds in
                    seconds += 60
                    return start + .seconds(seconds)
                }
            }
        }
        await expectRefusal(.storeUnavailable) { _ = try await Self.sum(late) }
        #expect(try await Self.sum(shop).totalCount == 2)
    }

    @Test func oneMerchantsCallsWaitForEachOtherAndForNobodyElse() async throws {
        let walks = MerchantWalks()
        let first = MerchantID(at: TestAuthorities.start, random: [1])
        let other = MerchantID(at: TestAuthorities.start, random: [2])
        let gate = Gate()
        let running = (1...MerchantWalks.walksMax).map { number in
            Task {
                try await walks.run(of: first) {
                    await gate.wait()
                    return number
                }
            }
        }
        while await walks.callsCount(of: first) < MerchantWalks.walksMax { await Task.yield() }
        let waiting = (1...MerchantWalks.waitingMax).map { number in
            Task { try await walks.run(of: first) { number } }
        }
        while await walks.callsCount(of: first) < MerchantWalks.walksMax + MerchantWalks.waitingMax {
            await Task.yield()
        }
        await #expect(throws: StoreError.self) { try await walks.run(of: first) { -1 } }
        #expect(try await walks.run(of: other) { 7 } == 7)
        gate.open()
        for (number, task) in zip(1..., running) { #expect(try await task.value == number) }
        for (number, task) in zip(1..., waiting) { #expect(try await task.value == number) }
        #expect(try await walks.run(of: first) { 8 } == 8)
    }
}
