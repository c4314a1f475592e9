//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

/// Rows that the bodies of a shared transaction have written, until they go to the server: a statement for those of a kind
/// instead of one for each.
///
/// A statement costs the server as much as a few rows: it makes ready what it executes, not least the table's checks.
/// What the rows come to is the same as if each had been sent when it was written:
///
/// - Kinds are sent in the order of ``Kind``, rows of a kind in the order written. A row that must come after one that
///   is gathered, and would not, is gathered when that has been sent (``mustFollow(_:key:)``).
/// - Before a query everything is sent, but for queries that say what they look for, of which nothing is gathered
///   (``touches(_:)``).
/// - Foreign keys are looked at when the transaction commits.
struct GatheredRows {
    /// What is written, in the order in which it is sent.
    enum Kind: Int, CaseIterable {
        case order
        case payment
        case operation
        case claim
        case reference
        case token
        case job
        case event
        case memo
        case keptItem
        case orderChange
        case paymentChange
        case operationOutcome
        case movement
        case entry
        case posting
        case jobEnd
        case keptItemEnd
    }

    /// By kind: the values, one row after the other.
    private var values = [RowArguments](repeating: [], count: Kind.allCases.count)
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)
    /// The last kind that was gathered of a row, by the row's name.
    private var kinds: [String: Kind] = [:]
    private var subjects: Set<String> = []
    private(set) var isEmpty = true

    /// Whether a row of that name must not be gathered before what is gathered has been sent.
    func mustFollow(_ kind: Kind, key: String?) -> Bool {
        key.flatMap { self.kinds[$0] }.map { $0.rawValue >= kind.rawValue } ?? false
    }

    /// - Parameters:
    ///   - values: of one row, or of several one after the other.
    ///   - key: the row's name; `nil` for what is written once and not changed.
    ///   - subjects: by what queries may find it.
    mutating func add(_ kind: Kind, _ values: RowArguments, rows count: Int, key: String?, subjects: [String]) {
        self.isEmpty = false
        self.values[kind.rawValue] += values
        self.counts[kind.rawValue] += count
        if let key { self.kinds[key] = kind }
        self.subjects.formUnion(subjects)
    }

    /// Whether a query that looks for these might find what has not been sent.
    func touches(_ subjects: [String]) -> Bool { subjects.contains { self.subjects.contains($0) } }

    /// Gives the statements, and forgets what was gathered.
    mutating func takeStatements() -> [(sql: String, values: RowArguments, orElse: StoreError?)] {
        var statements: [(sql: String, values: RowArguments, orElse: StoreError?)] = []
        for kind in Kind.allCases {
            let count = self.counts[kind.rawValue]
            guard count > 0 else { continue }
            var values = self.values[kind.rawValue].values[...]
            let width = values.count / count
            for size in StatementSizes.sizes(for: count) {
                let arguments = RowArguments(values: Array(values.prefix(size * width)))
                statements.append((kind.statement(rows: size), arguments, kind.error))
                values = values.dropFirst(size * width)
            }
            self.values[kind.rawValue] = []
            self.counts[kind.rawValue] = 0
        }
        self.kinds.removeAll(keepingCapacity: true)
        self.subjects.removeAll(keepingCapacity: true)
        self.isEmpty = true
        return statements
    }
}

/// How many rows a statement may have. Each size of each kind is prepared on each connection: there are few.
enum StatementSizes {
    static let all = [16, 8, 4, 2, 1]

    /// Those of the fewest statements that have as many rows together, the largest first.
    static func sizes(for count: Int) -> [Int] {
        var (sizes, left) = ([Int](), count)
        for size in self.all {
            sizes += repeatElement(size, count: left / size)
            left %= size
        }
        return sizes
    }

    /// What goes into one statement each, in the same order.
    static func parts<Element>(of list: [Element]) -> [ArraySlice<Element>] {
        var rest = list[...]
        return self.sizes(for: list.count).map { size in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }
}

extension GatheredRows.Kind {
    /// Whose rows it writes.
    var table: String {
        switch self {
        case .order, .orderChange: Order.table.name
        case .payment, .paymentChange: Payment.table.name
        case .operation, .operationOutcome: PaymentOperation.table.name
        case .claim: IdempotencyClaim.table.name
        case .reference: "operation_references"
        case .token: "seen_tokens"
        case .job, .jobEnd: Job.table.name
        case .event: OutboxEvent.table.name
        case .memo: StoredMemo.table.name
        case .keptItem, .keptItemEnd: KeptItem.table.name
        case .movement: MovementEntry.table.name
        case .entry: JournalEntry.table.name
        case .posting: Posting.table.name
        }
    }

    /// What is wrong if a row that must be changed is not there.
    var error: StoreError? {
        switch self {
        case .paymentChange: .conflict
        case .orderChange: .corrupt("orders.id")
        case .operationOutcome: .corrupt("operations.ordinal")
        default: nil
        }
    }

    fileprivate func text(rows: Int) -> String {
        switch self {
        case .order: Order.table.insert(parameters, rows: rows)
        case .payment: Payment.table.insert(parameters, rows: rows)
        case .operation: PaymentOperation.table.insert(parameters, rows: rows)
        case .claim: IdempotencyClaim.table.insert(parameters, rows: rows)
        case .reference: Reference.insert(parameters, rows: rows)
        case .token: SeenTokenRow.insertNew(parameters, rows: rows)
        case .job:
            """
            \(Job.table.insert(parameters, rows: rows)) \(Job.table.onConflict) DO UPDATE
            SET due_at = LEAST(jobs.due_at, excluded.due_at)
            """
        case .event: OutboxEvent.insert(parameters, rows: rows)
        case .memo: StoredMemo.table.upsert(parameters, rows: rows)
        case .keptItem: KeptItem.table.upsert(parameters, rows: rows)
        case .orderChange: Self.required(Order.change, rows)
        case .paymentChange: Self.required(Payment.advance, rows)
        case .operationOutcome: Self.required(PaymentOperation.outcome, rows)
        case .movement: MovementEntry.table.insert(parameters, rows: rows)
        case .entry: JournalEntry.table.insert(parameters, rows: rows)
        case .posting: Posting.table.insert(parameters, rows: rows)
        case .jobEnd: Job.table.delete(parameters, rows: rows)
        case .keptItemEnd: KeptItem.table.delete(parameters, rows: rows)
        }
    }

    private static func required(_ change: RowChange<some ColumnName>, _ rows: Int) -> String {
        rows == 1
            ? RequiredChange(change.statement(parameters)).sql
            : RequiredChange(change.statement(parameters, rows: rows), rows: rows).sql
    }
}

/// By kind.
private let rowStatements = GatheredRows.Kind.allCases.map { kind in
    RowsStatement(usually: StatementSizes.all) { kind.text(rows: $0) }
}

extension GatheredRows.Kind {
    /// The statement that writes so many rows.
    func statement(rows count: Int) -> String { rowStatements[self.rawValue].statement(count: count) }
}
