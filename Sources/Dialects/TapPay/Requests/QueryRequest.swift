//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

/// What query asks: a page of the trades that fit all filters.
struct QueryRequest: Sendable {
    static let recordsPerPageMax: Int64 = 200
    static let pageMax: Int64 = 1_000_000

    let recordsPerPage: Int
    let page: Int
    let filters: TradeFilters
    let order: PaymentQuery.Order

    init(reading body: BackEndBody) throws(TapPayFailure) {
        let filters = try body.optionalObject("filters") ?? BackEndBody(JSONObject())
        // A client that is in use puts the numbers of the page among the filters.
        self.recordsPerPage = Int(
            try Self.bounded(
                body, filters, "records_per_page", 1...Self.recordsPerPageMax, .invalidRecordsPerPage,
                .recordsPerPageOutOfRange) ?? 50)
        self.page = Int(try Self.bounded(body, filters, "page", 0...Self.pageMax, .invalidPage, .pageOutOfRange) ?? 0)
        self.filters = try TradeFilters(reading: filters)
        self.order = try Self.order(body)
    }

    static func bounded(
        _ body: BackEndBody, _ filters: BackEndBody, _ name: String, _ bounds: ClosedRange<Int64>,
        _ invalid: TapPayCode, _ outOfRange: TapPayCode
    ) throws(TapPayFailure) -> Int64? {
        var found = try body.optionalInteger(name, invalid: invalid)
        if found == nil { found = try filters.optionalInteger(name, invalid: invalid) }
        guard let number = found else { return nil }
        guard bounds.contains(number) else {
            throw TapPayFailure(outOfRange, "\(name) must be from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return number
    }

    /// The newest first, unless the request says otherwise.
    private static func order(_ body: BackEndBody) throws(TapPayFailure) -> PaymentQuery.Order {
        guard let orderBy = try body.optionalObject("order_by", invalid: .invalidOrderByAttribute) else {
            return .newestFirst
        }
        let isDescending = try orderBy.optionalBool("is_descending", invalid: .invalidOrderByIsDescending) ?? true
        switch try orderBy.rawText("attribute") {
        case nil, "", "time": return isDescending ? .newestFirst : .oldestFirst
        case "amount": return isDescending ? .largestFirst : .smallestFirst
        default: throw TapPayFailure(.invalidOrderByAttribute, "attribute must be time or amount.")
        }
    }
}
