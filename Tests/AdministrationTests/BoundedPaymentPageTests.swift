//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Money
import Payments
import TestGateway
import Testing
import Time

/// A page looks at so many payments, and says where the next one is to go on.
@Suite struct BoundedPaymentPageTests {
    /// Twelve payments, of which the first and the eighth are in yen.
    private func shop() async throws -> (books: ReportBooks, payments: [Payment], yen: PaymentQuery) {
        let books = try await ReportBooks.open()
        let at = try moment("2026-10-25T10:00:00Z")
        var payments: [Payment] = []
        for index in 0..<12 {
            let amount = try ReportBooks.money(100, index % 7 == 0 ? "JPY" : "EUR")
            payments.append(try await books.sell(amount, at: at.adding(seconds: Int64(index))))
        }
        var yen = PaymentQuery(merchantID: books.merchant.id, limit: 5)
        yen.currency = payments[0].amount.currency
        return (books, payments, yen)
    }

    private func pages(_ query: PaymentQuery, _ steps: [Int], _ books: ReportBooks) async throws -> [[PaymentID]] {
        var (pages, rest): ([[PaymentID]], PaymentQuery?) = ([], query)
        while let asked = rest {
            let page = try await books.store.read { try $0.paymentPage(asked, steps: steps) }
            pages.append(page.payments.map(\.id))
            rest?.after = page.next
            if page.next == nil { rest = nil }
        }
        return pages
    }

    @Test func pageEndsWhereSoManyWereLookedAt() async throws {
        let (books, payments, yen) = try await self.shop()
        let (first, eighth) = (payments[0].id, payments[7].id)
        #expect(try await self.pages(yen, [2, 3], books) == [[eighth], [], [first]])
        #expect(try await self.pages(yen, [100], books) == [[eighth, first]])
        // That nothing comes after the last is seen at the next look.
        #expect(try await self.pages(yen, [6], books) == [[eighth], [first], []])
        var oldest = yen
        oldest.order = .oldestFirst
        #expect(try await self.pages(oldest, [4, 4], books) == [[first, eighth], []])
        var small = yen
        small.limit = 1
        #expect(try await self.pages(small, [2, 3], books) == [[eighth], [], [first]])
        #expect(try await self.pages(small, [100], books) == [[eighth], [first]])
    }

    /// What fits whatever a walk comes by needs no such look.
    @Test func pageOfAllIsFull() async throws {
        let (books, payments, _) = try await self.shop()
        let query = PaymentQuery(merchantID: books.merchant.id, limit: 5)
        let newest = Array(payments.map(\.id).reversed())
        let wanted = [Array(newest[..<5]), Array(newest[5..<10]), Array(newest[10...])]
        #expect(try await self.pages(query, [1], books) == wanted)
    }
}
