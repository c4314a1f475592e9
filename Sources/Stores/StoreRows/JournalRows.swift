//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
public import Payments
public import Time

/// Where an entry stands in a payment's journal.
@usableFromInline struct EntryPlace: Hashable {
    @usableFromInline let version: Int
    @usableFromInline let ordinal: Int

    @inlinable init(_ columns: inout some RowColumns) throws {
        self.version = try columns.count()
        self.ordinal = try columns.count()
    }
}

/// A journal entry without its postings.
public struct EntryRow {
    /// What is read, by whoever knows the payment.
    public static let columns = JournalEntry.table.columns(without: .paymentID)

    /// A payment's entries, in order.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(JournalEntry.table.list(self.columns)) FROM journal_entries
        WHERE payment_id = \(parameters(1)) ORDER BY version, ordinal
        """
    }

    @usableFromInline let place: EntryPlace
    @usableFromInline let id: String
    @usableFromInline let kind: JournalEntry.Kind
    @usableFromInline let bookedAt: Timestamp

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.place = try EntryPlace(&columns)
        self.id = try columns.name()
        self.kind = try columns.choice()
        self.bookedAt = try columns.timestamp()
    }

    /// A payment's journal, of its entries and postings, both in order.
    public static func journal(
        of payment: PaymentID, _ entries: [EntryRow], with postings: [PostingRow]
    ) throws -> [JournalEntry] {
        let postingsByEntry = Dictionary(grouping: postings, by: \.place)
        guard postingsByEntry.count == entries.count else { throw StoreError.corrupt("postings.entry_ordinal") }
        return try entries.map { try $0.entry(about: payment, with: postingsByEntry[$0.place] ?? []) }
    }

    private func entry(about payment: PaymentID, with postings: [PostingRow]) throws -> JournalEntry {
        do throws(LedgerError) {
            return try JournalEntry(
                id: self.id, subject: payment.text, kind: self.kind, bookedAt: self.bookedAt,
                postings: postings.map(\.posting))
        } catch {
            // An entry that does not balance, or that has no postings.
            throw StoreError.corrupt("postings.minor_units")
        }
    }
}

/// A posting, and the entry that it is of.
public struct PostingRow {
    /// What is read, by whoever knows the payment, in the order of the entry's postings.
    public static let columns = Posting.table.columns(without: .paymentID, .ordinal)

    /// A payment's postings, in order.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(Posting.table.list(self.columns)) FROM postings
        WHERE payment_id = \(parameters(1)) ORDER BY version, entry_ordinal, ordinal
        """
    }

    @usableFromInline let place: EntryPlace
    @usableFromInline let posting: Posting

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.place = try EntryPlace(&columns)
        self.posting = Posting(
            account: LedgerAccount(path: try columns.name()), layer: try columns.choice(), side: try columns.choice(),
            amount: try columns.money())
    }
}

extension JournalEntry {
    public enum Column: String, ColumnName {
        case paymentID = "payment_id"
        case version, ordinal, id, kind
        case bookedAt = "booked_at"
    }

    public static let table = RecordTable<Column>("journal_entries", key: .paymentID, .version, .ordinal)

    /// The values of all columns.
    /// - Throws: ``StoreError/corrupt(_:)`` for an entry about something else.
    public func columnValues(of payment: PaymentID, version: Int, ordinal: Int) throws -> RowArguments {
        guard self.subject == payment.text else { throw StoreError.corrupt("journal_entries.payment_id") }
        return RowArguments(values: Self.table.columns.map { self.value(of: $0, payment, version, ordinal) })
    }

    @RowValueBuilder private func value(
        of column: Column, _ payment: PaymentID, _ version: Int, _ ordinal: Int
    ) -> RowValue {
        switch column {
        case .paymentID: payment.text
        case .version: version
        case .ordinal: ordinal
        case .id: self.id
        case .kind: self.kind.rawValue
        case .bookedAt: self.bookedAt.milliseconds
        }
    }

    /// The values of all postings, one posting after the other, for ``Posting/inserts(_:_:)``.
    public func postingValues(of payment: PaymentID, version: Int, ordinal: Int) -> RowArguments {
        var values: RowArguments = []
        values.reserveCapacity(self.postings.count * Posting.table.columns.count)
        for (postingOrdinal, posting) in self.postings.enumerated() {
            for column in Posting.table.columns {
                values.append(posting.value(of: column, payment, version, ordinal, postingOrdinal))
            }
        }
        return values
    }
}

extension Posting {
    public enum Column: String, ColumnName {
        case paymentID = "payment_id"
        case version
        case entryOrdinal = "entry_ordinal"
        case ordinal, account, layer, side
        case minorUnits = "minor_units"
        case currency
    }

    public static let table = RecordTable<Column>(
        "postings", key: .paymentID, .version, .entryOrdinal, .ordinal)

    @RowValueBuilder fileprivate func value(
        of column: Column, _ payment: PaymentID, _ version: Int, _ entryOrdinal: Int, _ ordinal: Int
    ) -> RowValue {
        switch column {
        case .paymentID: payment.text
        case .version: version
        case .entryOrdinal: entryOrdinal
        case .ordinal: ordinal
        case .account: self.account.path
        case .layer: self.layer.rawValue
        case .side: self.side.rawValue
        case .minorUnits: self.amount.minorUnits
        case .currency: self.amount.currency.code
        }
    }
}

extension Posting {
    /// Entries have two postings or four; the bookkeeping makes no others.
    public static func inserts<Statement>(
        _ parameters: Parameters, _ make: @escaping @Sendable (String) -> Statement
    ) -> RowsStatement<Statement> {
        RowsStatement(usually: [2, 4]) { make(self.table.insert(parameters, rows: $0)) }
    }
}

/// The sum of postings of one side to an account, in a layer and a currency.
public struct LedgerSumRow {
    /// One for each posting, in no order: for an engine that groups by sorting, which would take memory for all of them.
    public static let postings = """
        SELECT account, layer, currency, side, minor_units FROM postings
        UNION ALL SELECT account, layer, currency, side, minor_units FROM settlement_postings
        """
    /// The sum of those rows of one key, for an engine that adds them itself: one that no bigint holds is the least of them, which
    /// no postings sum up to.
    public static let sum = """
        CASE WHEN SUM(minor_units) > \(Int64.max) THEN -\(Int64.max) - 1 ELSE CAST(SUM(minor_units) AS bigint) END
        """

    @usableFromInline let key: LedgerBalances.Key
    @usableFromInline let side: LedgerSide
    @usableFromInline let sum: Int64

    /// Account, layer, currency, side, sum.
    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.key = LedgerBalances.Key(
            account: LedgerAccount(path: try columns.name()), layer: try columns.choice(),
            currency: try columns.currency())
        self.side = try columns.choice()
        self.sum = try columns.integer()
    }

    /// Adds it to its side of its account.
    /// - Throws: `LedgerError.sumTooLarge` for a sum that is no 64-bit number.
    public func add(to sums: inout [LedgerBalances.Key: LedgerBalances.Sums]) throws(LedgerError) {
        guard self.sum != .min else { throw .sumTooLarge(account: self.key.account.path) }
        let isTooMuch =
            switch self.side {
            case .debit: Self.add(self.sum, to: &sums[self.key, default: LedgerBalances.Sums()].debits)
            case .credit: Self.add(self.sum, to: &sums[self.key, default: LedgerBalances.Sums()].credits)
            }
        if isTooMuch { throw .sumTooLarge(account: self.key.account.path) }
    }

    private static func add(_ number: Int64, to sum: inout Int64) -> Bool {
        let (total, isTooMuch) = sum.addingReportingOverflow(number)
        sum = total
        return isTooMuch
    }
}
