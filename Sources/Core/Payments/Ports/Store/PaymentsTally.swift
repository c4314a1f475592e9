//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a count came to of so many payments in a row.
public struct PaymentsTally: Hashable, Sendable {
    /// How many of them fit.
    public let count: Int
    /// Where the last stands that was looked at; `nil` where there are no more.
    public let last: PaymentQuery.Cursor?

    public init(count: Int, last: PaymentQuery.Cursor?) {
        self.count = count
        self.last = last
    }
}

extension PaymentQuery {
    private var isByTime: Bool { self.order == .newestFirst || self.order == .oldestFirst }

    /// What a tally of this query looks at: the merchant's payments, in an order by time those of the window.
    public var lookedAt: PaymentQuery {
        PaymentQuery(
            merchantID: self.merchantID, from: self.isByTime ? self.from : nil, to: self.isByTime ? self.to : nil,
            order: self.order, after: self.after, limit: self.limit)
    }

    /// What it asks of each of those.
    public var askedOfEach: PaymentQuery {
        var asked = self
        asked.merchantID = nil
        asked.after = nil
        asked.offset = 0
        if self.isByTime { (asked.from, asked.to) = (nil, nil) }
        return asked
    }
}
