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
    public static let columnNames = "version, ordinal, id, kind, booked_at"

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
    public static let columnNames = "version, entry_ordinal, account, layer, side, minor_units, currency"

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
    /// The payment's id and the values of `EntryRow.columnNames`.
    /// - Throws: ``StoreError/corrupt(_:)`` for an entry about something else.
    public func columnValues(of payment: PaymentID, version: Int, ordinal: Int) throws -> RowArguments {
        guard self.subject == payment.text else { throw StoreError.corrupt("journal_entries.payment_id") }
        return [payment.text, version, ordinal, self.id, self.kind.rawValue, self.bookedAt.milliseconds]
    }

    /// The values of all postings, one posting after the other, for ``PostingInsert``.
    public func postingValues(of payment: PaymentID, version: Int, ordinal: Int) -> RowArguments {
        var values: RowArguments = []
        for (postingOrdinal, posting) in self.postings.enumerated() {
            values += [
                payment.text, version, ordinal, postingOrdinal, posting.account.path, posting.layer.rawValue,
                posting.side.rawValue, posting.amount.minorUnits, posting.amount.currency.code,
            ]
        }
        return values
    }
}

/// The statements that write all postings of an entry at once.
public struct PostingInsert: Sendable {
    private let row: @Sendable (_ posting: Int) -> String
    private let ofTwo: String
    private let ofFour: String

    /// - Parameter row: the engine's nine parameters of a posting, in parentheses.
    public init(row: @escaping @Sendable (_ posting: Int) -> String) {
        self.row = row
        self.ofTwo = Self.statement(2, row)
        self.ofFour = Self.statement(4, row)
    }

    /// Entries have two postings or four; the bookkeeping makes no others.
    public func statement(count: Int) -> String {
        switch count {
        case 2: self.ofTwo
        case 4: self.ofFour
        default: Self.statement(count, self.row)
        }
    }

    private static func statement(_ count: Int, _ row: (Int) -> String) -> String {
        """
        INSERT INTO postings (payment_id, version, entry_ordinal, ordinal, account, layer, side, minor_units, currency)
        VALUES \((0..<count).map(row).joined(separator: ", "))
        """
    }
}

/// The sum of all postings of one side to an account, in a layer and a currency.
public struct LedgerSumRow {
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

    /// Both sides of each account.
    public static func sums(_ rows: [LedgerSumRow]) -> [LedgerBalances.Key: LedgerBalances.Sums] {
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        for row in rows {
            switch row.side {
            case .debit: sums[row.key, default: LedgerBalances.Sums()].debits = row.sum
            case .credit: sums[row.key, default: LedgerBalances.Sums()].credits = row.sum
            }
        }
        return sums
    }
}
