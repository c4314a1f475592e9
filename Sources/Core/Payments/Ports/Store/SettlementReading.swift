//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Time

/// What acquirers have settled.
public protocol SettlementReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile?
    /// The account's file with these bytes.
    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile?
    /// Files by their ids, which is the order of their import: those before one, newest first.
    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile]
    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem?
    /// The account's item that is recognized by that.
    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem?
    /// The item that has settled an operation.
    func settlementItem(settling operation: OperationID) throws -> SettlementItem?
    /// Items that fit, by their ids.
    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem]
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
    /// Only differences that nobody has resolved.
    public var isOpen: Bool
    /// Something is booked for it at or after.
    public var from: Timestamp?
    /// Something is booked for it before.
    public var to: Timestamp?
    public var after: SettlementItem.ID?
    public var limit: Int

    public init(
        merchantID: MerchantID? = nil, fileID: SettlementFileID? = nil, isOpen: Bool = false, from: Timestamp? = nil,
        to: Timestamp? = nil, after: SettlementItem.ID? = nil, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.fileID = fileID
        self.isOpen = isOpen
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }
}
