//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Time

/// What acquirers have settled.
public protocol SettlementReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile?
    /// The account's file with that digest.
    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile?
    /// Files by their ids, which is the order of their import: those before one, newest first.
    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile]
    /// A merchant's files in which movements of that time were expected, of any of it. What is read does not grow with the
    /// files of other days.
    func settlementFiles(of merchant: MerchantID, from: Timestamp, to: Timestamp) throws -> Set<SettlementFileID>
    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem?
    /// The account's item that is recognized by that.
    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem?
    /// The item that has settled an operation.
    func settlementItem(settling operation: OperationID) throws -> SettlementItem?
    /// Items that fit, by their ids.
    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem]
    /// Items for which something was booked within a time.
    func settlementItems(in window: SettlementWindow) throws -> [SettlementItem]
    /// What is booked for an item: for the line first, then for its resolution.
    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry]
    /// How many postings there are for settlement items.
    func settlementPostingsCount() throws -> Int

    // What a page needs at once, those that there are: a store whose server is across a network asks it once.
    /// The items that have settled operations, by them.
    func settlementItems(settling operations: Set<OperationID>) throws -> [OperationID: SettlementItem]
    /// The account's items that are recognized by these.
    func settlementItems(
        of account: AcquirerAccountID, identities: Set<String>
    ) throws -> [String: SettlementItem]
    /// What is booked for items, for each of them.
    func settlementJournals(of items: [SettlementItem]) throws -> [SettlementItem.ID: [JournalEntry]]
}

// One by one, where a call costs no round trip.
extension SettlementReading {
    public func settlementItems(settling operations: Set<OperationID>) throws -> [OperationID: SettlementItem] {
        try operations.reduce(into: [:]) { $0[$1] = try self.settlementItem(settling: $1) }
    }

    public func settlementItems(
        of account: AcquirerAccountID, identities: Set<String>
    ) throws -> [String: SettlementItem] {
        try identities.reduce(into: [:]) { $0[$1] = try self.settlementItem(of: account, identity: $1) }
    }

    public func settlementJournals(of items: [SettlementItem]) throws -> [SettlementItem.ID: [JournalEntry]] {
        try items.reduce(into: [:]) { $0[$1.id] = try self.settlementJournal(of: $1) }
    }
}

/// Which items, by their ids.
public struct SettlementQuery: Hashable, Sendable {
    public var merchantID: MerchantID?
    public var fileID: SettlementFileID?
    /// Only those that name an operation.
    public var operationID: OperationID?
    /// Only lines of one of these dates, as they stand in the file; empty for all. What no line is of has the date "".
    public var dates: [String]
    /// Only differences that nobody has resolved.
    public var isOpen: Bool
    public var after: SettlementItem.ID?
    public var limit: Int

    public init(
        merchantID: MerchantID? = nil, fileID: SettlementFileID? = nil, operationID: OperationID? = nil,
        dates: [String] = [], isOpen: Bool = false, after: SettlementItem.ID? = nil, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.fileID = fileID
        self.operationID = operationID
        self.dates = dates
        self.isOpen = isOpen
        self.after = after
        self.limit = limit
    }
}

/// Items of a merchant for which something was booked within a time: by the moment of that, and by their ids where that
/// is the same. A store walks what was booked within the window, and nothing else.
public struct SettlementWindow: Hashable, Sendable {
    public var merchantID: MerchantID
    public var booking: Booking
    /// Booked at or after.
    public var from: Timestamp?
    /// Booked before.
    public var to: Timestamp?
    public var after: Cursor?
    public var limit: Int

    /// What of an item is booked.
    public enum Booking: Hashable, Sendable, CaseIterable {
        /// Its line, when the file was imported.
        case line
        /// What a difference has turned out to be.
        case resolution
    }

    /// An item's place.
    public struct Cursor: Hashable, Sendable {
        public let bookedAt: Timestamp
        public let id: SettlementItem.ID

        public init(bookedAt: Timestamp, id: SettlementItem.ID) {
            self.bookedAt = bookedAt
            self.id = id
        }
    }

    public init(
        merchantID: MerchantID, _ booking: Booking, from: Timestamp? = nil, to: Timestamp? = nil, after: Cursor? = nil,
        limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.booking = booking
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }

    /// Whether a moment is within it.
    public func contains(_ moment: Timestamp) -> Bool {
        (self.from.map { moment >= $0 } ?? true) && (self.to.map { moment < $0 } ?? true)
    }

    /// An item's place, for the page after it; `nil` for one that is not resolved where that is asked for.
    public func cursor(of item: SettlementItem) -> Cursor? {
        switch self.booking {
        case .line: Cursor(bookedAt: item.bookedAt, id: item.id)
        case .resolution: item.resolution.map { Cursor(bookedAt: $0.at, id: item.id) }
        }
    }
}
