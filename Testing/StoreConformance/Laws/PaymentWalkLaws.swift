//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    /// A walk ends at a place, with the payment that is there; and its places are those of the payments that fit.
    func paymentWalksAreBounded() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let amounts: [Int64] = [500, 100, 300, 500, 200, 400, 300, 100]
        let payments = try amounts.enumerated().map { index, amount in
            try self.make.payment(of: merchants[index % 4 == 3 ? 1 : 0], minorUnits: amount)
        }
        try await self.store.write { transaction in for payment in payments { try transaction.insert(payment) } }
        let mine = payments.filter { $0.merchantID == merchants[0].id }
        for order in PaymentQuery.Order.allCases {
            let all = PaymentQuery(merchantID: merchants[0].id, order: order)
            let sorted = mine.sorted { first, second in
                let (one, other) = (order.cursor(of: first), order.cursor(of: second))
                return order.isDescending
                    ? (one.key, one.id) > (other.key, other.id) : (one.key, one.id) < (other.key, other.id)
            }
            let places = sorted.map { order.cursor(of: $0) }
            for (index, place) in places.enumerated() {
                try await self.expectStored(place, "place \(index) of \(order)") {
                    try $0.paymentPlace(all, number: index + 1)
                }
                var bounded = all
                bounded.until = place
                for begin in 0...index {
                    bounded.after = begin == 0 ? nil : places[begin - 1]
                    for window in [nil, mine[1].createdAt..<mine[4].createdAt] {
                        (bounded.from, bounded.to) = (window?.lowerBound, window?.upperBound)
                        let query = bounded
                        let wanted = sorted[begin...index].filter { window?.contains($0.createdAt) ?? true }
                        try await self.expectStored(wanted, "payments of \(query)") { try $0.payments(query) }
                    }
                }
            }
            var rest = all
            rest.after = places[1]
            let query = rest
            try await self.expectStored(places[3], "a place after another of \(order)") {
                try $0.paymentPlace(query, number: 2)
            }
            let beyond = try await self.store.read { try $0.paymentPlace(all, number: mine.count + 1) }
            try self.expect(beyond == nil, "a place beyond the end of \(order)")
        }
    }
}
