//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

/// A page of payments, each with its order.
public struct PaymentPage: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public let payment: Payment
        public let order: Order?

        public init(payment: Payment, order: Order?) {
            self.payment = payment
            self.order = order
        }
    }

    /// In the query's order.
    public let items: [Item]
    /// How many there are over all pages.
    public let totalCount: Int

    public init(items: [Item], totalCount: Int) {
        self.items = items
        self.totalCount = totalCount
    }
}

extension Gateway {
    /// How many payments are looked at in one read.
    private static let tallyLimit = 20_000
    private static let paymentsPerRead = 500
    /// How old a payment is before which none is made any more: more than clocks differ and a commit takes.
    private static let settledSeconds: Int64 = 3600

    /// The merchant's payments that fit, and how many there are in all. The query's merchant is set here.
    ///
    /// Counting goes through all that fit, for answers that must say it; ``paymentItems(_:merchant:)`` does not. What was
    /// counted of long ago is remembered.
    ///
    /// - Throws: ``GatewayRefusal/storeUnavailable``, also where it took longer than anybody waits for its answer.
    public func payments(
        _ query: PaymentQuery, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> PaymentPage {
        try await self.payments(query, merchant: merchant, tallyLimit: Self.tallyLimit)
    }

    func payments(
        _ query: PaymentQuery, merchant: MerchantContext, tallyLimit: Int
    ) async throws(GatewayRefusal) -> PaymentPage {
        var own = query
        own.merchantID = merchant.merchant.id
        let asked = own
        return try await self.walk(of: merchant.merchant.id) { walk in
            if asked.isWindowByAmount {
                // A walk by the amounts would come by all that is outside the window, too.
                let count = try await self.count(asked, walk, tallyLimit)
                guard count > tallyLimit else {
                    return PaymentPage(
                        items: try await walk.read { try Gateway.items(asked, in: $0) }, totalCount: count)
                }
            }
            var finder = PaymentFinder(asked, tallyLimit: tallyLimit)
            while !finder.hasEnded, !finder.hasFoundAll || !asked.isUnchanging {
                let here = finder
                finder = try await walk.read { try here.advanced(in: $0) }
            }
            let hasCounted = finder.hasEnded
            return PaymentPage(
                items: finder.items,
                totalCount: hasCounted ? finder.passedCount : try await self.count(asked, walk, tallyLimit))
        }
    }

    /// How many fit: those of long ago, unless they have been counted before, and those since.
    private func count(_ query: PaymentQuery, _ walk: MerchantWalk, _ tallyLimit: Int) async throws -> Int {
        var all = query
        (all.order, all.offset, all.limit) = (.oldestFirst, 0, tallyLimit)
        let settled = self.now().adding(seconds: -Self.settledSeconds).milliseconds
        let known = query.isUnchanging ? await self.walks.counted(all) : nil
        var (count, after) = (known?.count ?? 0, known?.last)
        while true {
            var next = all
            next.after = after
            let page = next
            let tally = try await walk.read { try $0.paymentsTally(page) }
            count += tally.count
            after = tally.last
            guard let last = tally.last else { return count }
            guard query.isUnchanging, last.key < settled else { continue }
            await self.walks.remember(PaymentsTally(count: count, last: last), of: all)
        }
    }

    /// The merchant's payments that fit. The query's merchant is set here.
    public func paymentItems(
        _ query: PaymentQuery, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> [PaymentPage.Item] {
        var own = query
        own.merchantID = merchant.merchant.id
        let restricted = own
        return try await self.reading { try Gateway.items(restricted, in: $0) }
    }

    /// Adds up the first of the merchant's payments that fit, for filters that the store does not know. The query's
    /// merchant and limit are set here.
    ///
    /// - Returns: the sum, and how many were looked at: a few more than `max` at the most.
    public func sum<Sum: Sendable>(
        of query: PaymentQuery, max: Int, merchant: MerchantContext, from start: Sum,
        _ add: @escaping @Sendable (_ sum: inout Sum, _ payment: Payment) -> Void
    ) async throws(GatewayRefusal) -> (sum: Sum, count: Int) {
        var own = query
        own.merchantID = merchant.merchant.id
        own.limit = Self.paymentsPerRead
        let first = own
        return try await self.walk(of: merchant.merchant.id) { walk in
            var (sum, count, query) = (start, 0, first)
            while count < max {
                let page = query
                let payments = try await walk.read { try $0.payments(page).map(\.asKnown) }
                for payment in payments { add(&sum, payment) }
                count += payments.count
                query.after = payments.last.map(query.order.cursor)
                guard payments.count == Self.paymentsPerRead else { break }
            }
            return (sum, count)
        }
    }

    fileprivate static func items(_ query: PaymentQuery, in reader: any StoreReader) throws -> [PaymentPage.Item] {
        let payments = try reader.payments(query)
        let orders = try reader.orders(of: payments)
        return payments.map { payment in
            PaymentPage.Item(payment: payment.asKnown, order: payment.orderID.flatMap { orders[$0] })
        }
    }
}

/// Looks for a page that may be far from the beginning, so many payments a read: none walks over more, however few fit.
private struct PaymentFinder: Sendable {
    private let query: PaymentQuery
    private let tallyLimit: Int
    private var after: PaymentQuery.Cursor?
    private(set) var items: [PaymentPage.Item] = []
    /// How many have been passed that fit.
    private(set) var passedCount = 0
    /// Whether there are no more.
    private(set) var hasEnded = false

    init(_ query: PaymentQuery, tallyLimit: Int) {
        self.query = query
        self.tallyLimit = tallyLimit
        self.after = query.after
    }

    private var range: Range<Int> {
        let offset = max(0, self.query.offset)
        return offset..<offset + max(0, self.query.limit)
    }

    var hasFoundAll: Bool { self.passedCount >= self.range.upperBound }

    func advanced(in reader: any StoreReader) throws -> PaymentFinder {
        var (finder, page) = (self, self.query)
        (page.after, page.offset, page.limit) = (self.after, 0, self.tallyLimit)
        let tally = try reader.paymentsTally(page)
        let wanted = self.range.clamped(to: self.passedCount..<self.passedCount + tally.count)
        if !wanted.isEmpty {
            (page.offset, page.limit) = (wanted.lowerBound - self.passedCount, wanted.count)
            finder.items += try Gateway.items(page, in: reader)
        }
        finder.passedCount += tally.count
        finder.after = tally.last
        finder.hasEnded = tally.last == nil
        return finder
    }
}

extension PaymentQuery {
    /// Whether it asks for a time's payments in an order that is not the time's.
    fileprivate var isWindowByAmount: Bool {
        (self.order == .largestFirst || self.order == .smallestFirst) && (self.from != nil || self.to != nil)
    }

    /// Whether a payment that fits fits for ever, and one that does not never will.
    fileprivate var isUnchanging: Bool {
        self
            == PaymentQuery(
                merchantID: self.merchantID, dialect: self.dialect, from: self.from, to: self.to,
                currency: self.currency, minorUnits: self.minorUnits, order: self.order, offset: self.offset,
                limit: self.limit)
    }
}
