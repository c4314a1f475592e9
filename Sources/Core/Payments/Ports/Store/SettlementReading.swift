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
}

/// Which items, by their ids.
public struct SettlementQuery: Hashable, Sendable {
    public var merchantID: MerchantID?
    public var fileID: SettlementFileID?
    /// Only those that name an operation. No index leads to them alone.
    public var operationID: OperationID?
    /// Only differences that nobody has resolved.
    public var isOpen: Bool
    /// Something is booked for it at or after.
    public var from: Timestamp?
    /// Something is booked for it before.
    public var to: Timestamp?
    public var after: SettlementItem.ID?
    public var limit: Int

    public init(
        merchantID: MerchantID? = nil, fileID: SettlementFileID? = nil, operationID: OperationID? = nil,
        isOpen: Bool = false, from: Timestamp? = nil, to: Timestamp? = nil, after: SettlementItem.ID? = nil,
        limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.fileID = fileID
        self.operationID = operationID
        self.isOpen = isOpen
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }
}
