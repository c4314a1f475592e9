//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func memos(of payment: PaymentID) throws -> [StoredMemo] {
        try self.connection.all(memosQuery, arguments: [payment.text], table: StoredMemo.table.name) {
            try StoredMemo(&$0)
        }
    }
}

extension SQLiteTransaction {
    func upsert(_ memo: StoredMemo) throws {
        try self.connection.execute(memoUpsert, memo.columnValues)
    }

    func deleteMemos(_ part: StoredMemo.Part, of payment: PaymentID) throws {
        try self.connection.execute(
            "DELETE FROM acquirer_memos WHERE payment_id = ? AND part = ?", payment.text, part.rawValue)
    }
}

private let memosQuery = StoredMemo.table.select(by: .paymentID, with: parameters)
private let memoUpsert = StoredMemo.table.upsert(parameters)
