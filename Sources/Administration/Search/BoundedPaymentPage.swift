//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// A page of a list of which so many payments are looked at, however few fit: it need not be full. Pages with a count
/// of all are `Gateway`'s `PaymentPage`.
public struct BoundedPaymentPage: Sendable {
    public let payments: [Payment]
    /// Where the next page begins; `nil` at the end. A page may be short, or empty, and not be the last: so many payments
    /// were looked at.
    public let next: PaymentQuery.Cursor?
}

extension ReportReading {
    /// A page of payments, of which an engine looks at no more than so many in one statement: where few of very many fit it
    /// would look at all of them, for longer than a statement may run.
    ///
    /// - Parameters:
    ///   - query: with the number of payments of the page.
    ///   - steps: how many payments are looked at, one statement after the other: few at first, which is enough for nearly
    ///     all pages.
    public func paymentPage(_ query: PaymentQuery, steps: [Int] = BoundedPaymentPage.steps) throws -> BoundedPaymentPage
    {
        var asked = query
        // One more, by which it is seen that there is a next page.
        asked.limit = max(0, query.limit) + 1
        guard var walk = query.walk else { return BoundedPaymentPage(try self.payments(asked), of: query) }
        var found: [Payment] = []
        for count in steps {
            let place = try self.paymentPlace(walk, number: count)
            asked.until = place ?? query.until
            asked.limit = max(0, query.limit) + 1 - found.count
            found += try self.payments(asked)
            guard let place, found.count <= query.limit else { return BoundedPaymentPage(found, of: query) }
            (asked.after, walk.after) = (place, place)
        }
        return BoundedPaymentPage(payments: found, next: asked.after)
    }

    /// Whether there is any payment that fits, likewise in many statements where there are few.
    func hasPayments(_ query: PaymentQuery) throws -> Bool {
        var query = query
        query.limit = 1
        while true {
            let page = try self.paymentPage(query)
            guard page.payments.isEmpty, let next = page.next else { return !page.payments.isEmpty }
            query.after = next
        }
    }
}

extension BoundedPaymentPage {
    public static let steps = [1000, 10_000] + Array(repeating: 20_000, count: 8)

    /// - Parameter found: one more than fit on the page, where there is a next one.
    fileprivate init(_ found: [Payment], of query: PaymentQuery) {
        let payments = Array(found.prefix(max(0, query.limit)))
        self.init(
            payments: payments,
            next: found.count > payments.count ? payments.last.map { query.order.cursor(of: $0) } : nil)
    }
}
