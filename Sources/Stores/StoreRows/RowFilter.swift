//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

/// The WHERE of a query: only what was asked for, so that an engine can use the index that fits.
public struct RowFilter {
    private var terms: [String] = []
    public private(set) var arguments: RowArguments = []

    public init(_ query: PaymentQuery) {
        self.add("merchant_id =", query.merchantID?.text)
        self.add("dialect =", query.dialect?.text)
        self.add("order_id =", query.orderID?.text)
        self.add("created_at >=", query.from?.milliseconds)
        self.add("created_at <", query.to?.milliseconds)
        self.add("currency =", query.currency?.code)
        self.add("minor_units >=", query.minorUnits?.lowerBound)
        self.add("minor_units <=", query.minorUnits?.upperBound)
    }

    public init(_ query: OutboxQuery) {
        self.add("merchant_id =", query.merchantID?.text)
        self.add("state =", query.state?.rawValue)
        self.add("payment_id =", query.paymentID?.text)
    }

    private mutating func add(_ term: String, _ argument: (any RowArgument)?) {
        guard let argument else { return }
        self.terms.append(term)
        self.arguments.append(argument)
    }

    /// "WHERE …" with a space before it, or nothing.
    /// - Parameter placeholder: the engine's for the argument with that number, from 1.
    public func condition(_ placeholder: (_ number: Int) -> String) -> String {
        guard !self.terms.isEmpty else { return "" }
        let terms = self.terms.enumerated().map { "\($0.element) \(placeholder($0.offset + 1))" }
        return " WHERE " + terms.joined(separator: " AND ")
    }
}

extension PaymentQuery.Order {
    /// The ORDER BY.
    /// - Parameter table: "payments." where another table has the same columns.
    public func terms(_ table: String = "") -> String {
        switch self {
        case .newestFirst: "\(table)created_at DESC, \(table)id DESC"
        case .oldestFirst: "\(table)created_at, \(table)id"
        case .largestFirst: "\(table)minor_units DESC, \(table)id DESC"
        case .smallestFirst: "\(table)minor_units, \(table)id"
        }
    }
}
