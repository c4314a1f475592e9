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
    /// What a tally of this query looks at, and what it asks of each of those. What leads to few payments is looked at
    /// as it is.
    public var tallied: (looked: PaymentQuery, asked: PaymentQuery) {
        var whole = self
        whole.offset = 0
        var asked = whole
        (asked.after, asked.until) = (nil, nil)
        return (whole.walk ?? whole, asked)
    }
}
