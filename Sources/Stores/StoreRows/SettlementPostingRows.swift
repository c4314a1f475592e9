//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
public import Payments
import Time

/// A posting for a settlement item. The entry that it is of is known by the item, and by whether the item's line or its
/// resolution is booked.
public struct SettlementPostingRow: StoredRecord, Hashable {
    public enum Column: String, ColumnName {
        case fileID = "file_id"
        case itemNumber = "item_number"
        case isResolution = "is_resolution"
        case ordinal, account, layer, side
        case minorUnits = "minor_units"
        case currency
    }

    public static let table = RecordTable<Column>(
        "settlement_postings", key: .fileID, .itemNumber, .isResolution, .ordinal)

    /// An item's, in order.
    public static func select(_ parameters: Parameters) -> String {
        "\(self.table.select(by: .fileID, .itemNumber, with: parameters)) ORDER BY is_resolution, ordinal"
    }

    public let itemID: SettlementItem.ID
    public let isResolution: Bool
    public let ordinal: Int
    public let posting: Posting

    @usableFromInline init(itemID: SettlementItem.ID, isResolution: Bool, ordinal: Int, posting: Posting) {
        self.itemID = itemID
        self.isResolution = isResolution
        self.ordinal = ordinal
        self.posting = posting
    }

    /// What an entry comes to.
    public static func rows(of entry: JournalEntry?, for item: SettlementItem, isResolution: Bool) -> [Self] {
        (entry?.postings ?? []).enumerated().map { ordinal, posting in
            Self(itemID: item.id, isResolution: isResolution, ordinal: ordinal, posting: posting)
        }
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .fileID: self.itemID.file.text
        case .itemNumber: self.itemID.number
        case .isResolution: self.isResolution
        case .ordinal: self.ordinal
        case .account: self.posting.account.path
        case .layer: self.posting.layer.rawValue
        case .side: self.posting.side.rawValue
        case .minorUnits: self.posting.amount.minorUnits
        case .currency: self.posting.amount.currency.code
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            itemID: SettlementItem.ID(file: try columns.id(), number: try columns.count()),
            isResolution: try columns.flag(), ordinal: try columns.count(),
            posting: Posting(
                account: LedgerAccount(path: try columns.name()), layer: try columns.choice(),
                side: try columns.choice(), amount: try columns.money()))
    }

    /// The entries that an item's postings make.
    /// - Throws: ``StoreError/corrupt(_:)`` where one does not balance, or is there without its resolution.
    public static func journal(of item: SettlementItem, _ rows: [Self]) throws -> [JournalEntry] {
        try [false, true].compactMap { isResolution -> JournalEntry? in
            let postings = rows.filter { $0.isResolution == isResolution }.map(\.posting)
            guard !postings.isEmpty else { return nil }
            guard let bookedAt = isResolution ? item.resolution?.at : item.bookedAt else {
                throw StoreError.corrupt("settlement_postings.is_resolution")
            }
            do throws(LedgerError) {
                return try JournalEntry(
                    id: isResolution ? "\(item.id)/resolution" : item.id.description, subject: item.id.file.text,
                    kind: isResolution ? .correction : .settlement, bookedAt: bookedAt, postings: postings)
            } catch {
                throw StoreError.corrupt("settlement_postings.minor_units")
            }
        }
    }
}
