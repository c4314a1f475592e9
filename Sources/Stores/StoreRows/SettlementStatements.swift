//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What both stores ask of the tables of settlements, and write there.
public struct SettlementStatements: Sendable {
    public let fileByID: String
    public let fileByDigest: String
    public let fileInsert: String
    public let itemByID: String
    public let itemByIdentity: String
    public let itemByOperation: String
    public let itemInsert: String
    public let itemResolution: String
    public let postingsQuery: String
    public let postingsCount: String
    public let postingInsert: String

    public init(_ parameters: Parameters) {
        self.fileByID = SettlementFile.table.select(by: .id, with: parameters)
        self.fileByDigest = SettlementFile.table.select(by: .accountID, .digest, with: parameters)
        self.fileInsert = SettlementFile.table.insert(parameters)
        self.itemByID = SettlementItem.table.select(by: .fileID, .number, with: parameters)
        self.itemByIdentity = SettlementItem.table.select(by: .accountID, .identity, with: parameters)
        self.itemByOperation = SettlementItem.settling(parameters)
        self.itemInsert = SettlementItem.table.insert(parameters)
        self.itemResolution = SettlementItem.resolutionStatement(parameters)
        self.postingsQuery = SettlementPostingRow.select(parameters)
        self.postingsCount = "SELECT COUNT(*) FROM \(SettlementPostingRow.table.name)"
        self.postingInsert = SettlementPostingRow.table.insert(parameters)
    }
}
