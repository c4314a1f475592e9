//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import TestGateway
import Testing
import Time

@testable import Gateway

/// Pages of payments with their count, of which each read looks at few.
@Suite struct PaymentPageTests {
    private static func shop(_ salesCount: Int64) async throws -> (Shop, InterceptingStore) {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        for number in 1...salesCount {
            _ = try await shop.sell(money(100 + number * 7 % 10, number.isMultiple(of: 5) ? usd : cad))
            shop.clock.advance(seconds: 1)
        }
        return (shop, store)
    }

    @Test func everyPageIsWhereOneStatementHasIt() async throws {
        let (shop, store) = try await Self.shop(23)
        let kinds: [(PaymentState?, Int64)] = [(nil, 60), (.captured, 60), (nil, 20), (nil, 3)]
        for order in PaymentQuery.Order.allCases {
            for currency in [nil, usd] {
                for offset in [0, 1, 3, 4, 17, 22, 23, 40] {
                    for (state, seconds) in kinds {
                        let query = PaymentQuery(
                            merchantID: shop.merchant.merchant.id, from: shop.clock.now.adding(seconds: -seconds),
                            state: state, currency: currency, order: order, offset: offset, limit: 6)
                        let (wanted, count) = try await store.read {
                            (try $0.payments(query).map(\.id), try $0.paymentsCount(query))
                        }
                        let page = try await shop.gateway.payments(query, merchant: shop.merchant, tallyLimit: 4)
                        #expect(page.items.map(\.payment.id) == wanted, "\(query)")
                        #expect(page.totalCount == count, "\(query)")
                    }
                }
            }
        }
    }

    @Test func whatWasCountedOfLongAgoIsRemembered() async throws {
        let (shop, store) = try await Self.shop(25)
        let ask = { () async throws -> (count: Int, reads: Int) in
            store.plan { _ in nil }
            let page = try await shop.gateway.payments(PaymentQuery(limit: 2), merchant: shop.merchant, tallyLimit: 4)
            return (page.totalCount, store.readsCount)
        }
        // Of the last hour nothing is: a payment may still be committed there.
        for _ in 1...2 { #expect(try await ask() == (25, 8)) }
        shop.clock.advance(seconds: 7200)
        #expect(try await ask() == (25, 8))
        #expect(try await ask() == (25, 2))
        _ = try await shop.sell(money(10_00))
        #expect(try await ask() == (26, 2))
        let dollars = PaymentQuery(currency: usd, limit: 1)
        #expect(try await shop.gateway.payments(dollars, merchant: shop.merchant, tallyLimit: 4).totalCount == 5)
    }
}
