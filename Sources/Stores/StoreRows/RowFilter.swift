//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

/// The WHERE of a query: only what was asked for, so that an engine can use the index that fits.
public struct RowFilter {
    private var terms: [Term] = []
    public private(set) var arguments: RowArguments = []

    /// What stands before, between and after a term's arguments.
    private struct Term {
        let texts: [String]
    }

    init() {}

    public init(_ query: PaymentQuery) { self.init(query, byThe: .either) }

    /// Which of a card's numbers end as is asked for.
    enum CardNumber {
        /// The one that was charged.
        case charged
        /// The one that the wallet displays, and not the one that was charged.
        case shown
        case either
    }

    /// - Parameter number: where the query asks for the end of a card's number: each of them has an index of its own.
    init(_ query: PaymentQuery, byThe number: CardNumber) {
        if let reference = query.orderReference {
            self.addOrders(of: query, called: reference)
        } else {
            // What leads to few payments is to be the way, whatever an engine expects of a merchant's index.
            let isLed =
                query.operationName != nil || query.cardSuffix != nil || query.orderID != nil || query.hasUnknownOutcome
            self.add(isLed ? "(merchant_id || '') =" : "merchant_id =", query.merchantID?.text)
        }
        if let name = query.operationName { self.addOperations(called: name, of: query.merchantID) }
        if query.hasUnknownOutcome {
            self.add(["id IN (SELECT operations.payment_id \(OpenWork.unknownOperations))"], [])
        }
        self.add("dialect =", query.dialect?.text)
        self.add("account_id =", query.accountID?.text)
        self.add("acquirer =", query.acquirer?.text)
        self.add("network =", query.network?.rawValue)
        self.add("state", in: query.states.map(\.rawValue).sorted())
        self.add("order_id =", query.orderID?.text)
        let (low, high) = query.order.isDescending ? (query.until, query.after) : (query.after, query.until)
        self.add("created_at >=", Self.bound(query.from?.milliseconds, query.order.isByTime ? low?.key : nil, >))
        self.add("created_at <", Self.bound(query.to?.milliseconds, query.order.isByTime ? high?.key : nil, <=))
        if let state = query.state {
            self.add("state =", state.rawValue)
            // An engine takes the index of the states only where it sees that the index has them all.
            if state != Payment.ordinaryState { self.add(["state <> '\(Payment.ordinaryState.rawValue)'"], []) }
        }
        self.add("currency =", query.currency?.code)
        self.add("minor_units >=", Self.bound(query.minorUnits?.lowerBound, query.order.isByTime ? nil : low?.key, >))
        self.add("minor_units <=", Self.bound(query.minorUnits?.upperBound, query.order.isByTime ? nil : high?.key, <))
        if let suffix = query.cardSuffix { self.addCards(endingWith: suffix, by: number) }
        if let after = query.after {
            let sign = query.order.isDescending ? "<" : ">"
            self.add(["(\(query.order.key), id) \(sign) (", ", ", ")"], [after.key, after.id.text])
        }
        if let until = query.until {
            let sign = query.order.isDescending ? ">=" : "<="
            self.add(["(\(query.order.key), id) \(sign) (", ", ", ")"], [until.key, until.id.text])
        }
    }

    public init(_ query: MovementQuery) {
        self.add("merchant_id =", query.merchantID?.text)
        self.add(
            "resolved_at >=",
            Self.bound(query.from?.milliseconds, query.after?.resolvedAt.milliseconds, >))
        self.add("resolved_at <", query.to?.milliseconds)
        if let after = query.after {
            self.add(
                ["(resolved_at, operation_id) > (", ", ", ")"],
                [after.resolvedAt.milliseconds, after.operationID.text])
        }
        self.add("dialect =", query.dialect?.text)
        self.add("account_id =", query.accountID?.text)
        if !query.includesFailed { self.add("has_succeeded =", true) }
        // An engine takes the index of what is lost only where it sees that the index has it all.
        if query.isForLost { self.add([MovementEntry.isLostCondition], []) }
        guard !query.isForLost || query.kinds != MovementEntry.lostKinds else { return }
        if query.kinds.count < PaymentOperation.Kind.allCases.count {
            self.add("kind", in: query.kinds.map(\.rawValue).sorted())
        }
    }

    public init(_ query: OutboxQuery) {
        // A payment's are few, and so is what is open; a merchant's are all he ever had.
        let isLed = query.paymentID != nil || query.state ?? .delivered != .delivered
        self.add(isLed ? "(merchant_id || '') =" : "merchant_id =", query.merchantID?.text)
        // An engine takes the index of what is open, or dead, only where it sees that the index has them all.
        switch query.state {
        case .pending?: self.add(["state = ", " AND state <> 'delivered'"], [OutboxEvent.State.pending.rawValue])
        case .dead?: self.add([OutboxEvent.isDeadCondition], [])
        case .delivered?: self.add("state =", OutboxEvent.State.delivered.rawValue)
        case nil: break
        }
        self.add("payment_id =", query.paymentID?.text)
        self.add("dialect =", query.dialect?.text)
        self.add("kind =", query.kind?.rawValue)
        let (from, to) = (
            query.from.map { EventID(at: $0, random: []) }, query.to.map { EventID(at: $0, random: []) }
        )
        guard query.oldestFirst, let after = query.after else {
            self.add("id >=", from?.text)
            self.add("id <", [to, query.after].compactMap(\.self).min()?.text)
            return
        }
        if let from, from > after { self.add("id >=", from.text) } else { self.add("id >", after.text) }
        self.add("id <", to?.text)
    }

    /// The window is one of ids, which begin with the moment.
    public init(_ query: RefusedCallQuery) {
        self.add("merchant_id =", query.merchantID?.text)
        self.add("dialect =", query.dialect?.text)
        if let code = query.code { self.add(["(code = ", " OR wire_code = ", ")"], [code, code]) }
        self.add("stage =", query.stage?.rawValue)
        if let hash = query.publicKeyHash {
            // An engine takes the index of the keys only where it sees that the index has them all.
            self.add(["public_key_hash IS NOT NULL AND public_key_hash = ", ""], [hash])
        }
        self.add("request_id =", query.requestID)
        self.add("id =", query.id?.text)
        self.add("id >=", query.from.map { RefusedCallID(at: $0, random: []).text })
        let to = query.to.map { RefusedCallID(at: $0, random: []) }
        self.add("id <", [to, query.before].compactMap(\.self).min()?.text)
    }

    public init(_ query: ApprovalQuery) {
        self.add("state", oneOf: query.states.map(\.rawValue).sorted())
        if let merchants = query.merchants {
            // Nobody's are none: no id is empty.
            self.add("merchant_id", oneOf: merchants.isEmpty ? [""] : merchants.map(\.text).sorted())
        }
        // An engine takes the index of the payments only where it sees that the index has them all.
        if let payment = query.paymentID { self.add(["payment_id IS NOT NULL AND payment_id = ", ""], [payment.text]) }
        guard let part = query.part else {
            self.add("id <", query.before?.text)
            return
        }
        // The bound stands within: beside it an engine would walk all that is older instead.
        let kept = "id IN (SELECT approval_id FROM approval_contents WHERE part = "
        if let before = query.before {
            self.add([kept, " AND approval_id < ", ")"], [part.rawValue, before.text])
        } else {
            self.add([kept, ")"], [part.rawValue])
        }
    }

    /// One of some texts; any for none.
    private mutating func add(_ column: String, oneOf texts: [String]) {
        guard !texts.isEmpty else { return }
        let separators = Array(repeating: ", ", count: texts.count - 1)
        self.add(["\(column) IN ("] + separators + [")"], RowArguments(texts))
    }

    /// The bound of a window or a range, unless a cursor is a bound that is as narrow: of two an engine would take
    /// either, and the other would have it walk all earlier pages again.
    static func bound(_ bound: Int64?, _ cursor: Int64?, _ isNarrower: (Int64, Int64) -> Bool) -> Int64? {
        guard let bound, let cursor else { return bound }
        return isNarrower(bound, cursor) ? bound : nil
    }

    /// The payments of the orders that a merchant calls so. Whose they are is asked of the orders, so that an engine does
    /// not walk all of the merchant's payments instead; and orders have an index by merchant, dialect and reference, for
    /// which the merchants' accounts give the first two. CROSS JOIN is how SQLite is made to begin with them.
    private mutating func addOrders(of query: PaymentQuery, called reference: String) {
        let start = """
            order_id IN (SELECT orders.id FROM accounts CROSS JOIN orders \
            WHERE orders.merchant_id = accounts.merchant_id AND orders.dialect = accounts.dialect \
            AND orders.reference = 
            """
        guard let merchant = query.merchantID else { return self.add([start, ")"], [reference]) }
        self.add([start, " AND accounts.merchant_id = ", ")"], [reference, merchant.text])
    }

    private mutating func addCards(endingWith suffix: String, by number: CardNumber) {
        // An engine takes the index only where it sees that the index has them all.
        let shown = "display_name IS NOT NULL AND \(Payment.shownSuffix) = "
        switch number {
        case .charged: self.add("pan_suffix =", suffix)
        case .shown: self.add([shown, " AND pan_suffix <> ", ""], [suffix, suffix])
        case .either: self.add(["(pan_suffix = ", " OR \(shown)", ")"], [suffix, suffix])
        }
    }

    /// The payments with an operation that is called so.
    private mutating func addOperations(called name: PaymentQuery.OperationName, of merchant: MerchantID?) {
        let (column, text): (String, String)
        switch name {
        case .merchant(let reference): (column, text) = ("merchant_reference", reference)
        case .acquirer(let reference): (column, text) = ("acquirer_reference", reference)
        case .authorizationCode(let code): (column, text) = ("authorization_code", code)
        case .dialects(let references): return self.add(references, of: merchant)
        }
        // An engine takes the index of the names only where it sees that the index has them all.
        self.add(
            ["id IN (SELECT payment_id FROM operations WHERE \(column) IS NOT NULL AND \(column) = ", ")"], [text])
    }

    /// The payments with an operation that has one of the references, written or by its claim. Both indexes begin
    /// with the merchant, for whom the merchants' accounts stand in, as they do for orders. Each reference is a
    /// look-up of its own in each table, by the whole of the index.
    private mutating func add(_ references: [PaymentQuery.DialectReference], of merchant: MerchantID?) {
        guard !references.isEmpty else { return self.add(["1 = 0"], []) }
        var texts = ["id IN (SELECT payment_id FROM operations WHERE id IN ("]
        var values: [String] = []
        for reference in references {
            for (table, kind, value) in [
                ("operation_references", "kind", "value"), ("idempotency_claims", "operation", "key"),
            ] {
                texts[texts.count - 1] += """
                    SELECT named.operation_id FROM accounts CROSS JOIN \(table) AS named \
                    WHERE named.merchant_id = accounts.merchant_id AND named.dialect = accounts.dialect \
                    AND named.operation_id IS NOT NULL AND accounts.dialect = 
                    """
                texts += [" AND named.\(kind) = ", " AND named.\(value) = "]
                values += [reference.dialect.text, reference.kind, reference.value]
                if let merchant {
                    texts.append(" AND accounts.merchant_id = ")
                    values.append(merchant.text)
                }
                texts.append(" UNION ALL ")
            }
        }
        texts[texts.count - 1] = "))"
        self.add(texts, RowArguments(values))
    }

    /// One of some values; any for none.
    mutating func add(_ column: String, in values: [String]) {
        guard !values.isEmpty else { return }
        self.add(["\(column) IN ("] + repeatElement(", ", count: values.count - 1) + [")"], RowArguments(values))
    }

    mutating func add(_ term: String, _ argument: (any RowArgument)?) {
        guard let argument else { return }
        self.add([term + " ", ""], [argument])
    }

    mutating func add(_ texts: [String], _ arguments: RowArguments) {
        self.terms.append(Term(texts: texts))
        self.arguments += arguments
    }

    /// "WHERE …" with a space before it, or nothing.
    /// - Parameter placeholder: the engine's for the argument with that number, from 1.
    public func condition(_ placeholder: (_ number: Int) -> String) -> String {
        self.test(placeholder).map { " WHERE " + $0 } ?? ""
    }

    /// The condition alone; `nil` where everything fits.
    func test(_ placeholder: (_ number: Int) -> String) -> String? {
        guard !self.terms.isEmpty else { return nil }
        var number = 0
        let terms = self.terms.map { term in
            term.texts.dropFirst().reduce(term.texts.first ?? "") { text, next in
                number += 1
                return text + placeholder(number) + next
            }
        }
        return terms.joined(separator: " AND ")
    }
}

extension PaymentQuery.Order {
    fileprivate var isByTime: Bool { self == .newestFirst || self == .oldestFirst }

    /// The column that it goes by.
    var key: String { self.isByTime ? "created_at" : "minor_units" }

    /// The ORDER BY.
    /// - Parameter table: "payments." where another table has the same columns.
    public func terms(_ table: String = "") -> String {
        let direction = self.isDescending ? " DESC" : ""
        return "\(table)\(self.key)\(direction), \(table)id\(direction)"
    }
}
