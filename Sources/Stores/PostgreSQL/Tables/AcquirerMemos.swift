//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    /// Whoever writes a memo has locked its payment.
    func memos(of payment: PaymentID) throws -> [StoredMemo] {
        try self.transaction.rows(memosQuery, [payment.text], of: [payment.text])?.all(StoredMemo.table.name) {
            try StoredMemo(&$0)
        } ?? []
    }
}

extension PostgreSQLTransaction {
    func upsert(_ memo: StoredMemo) throws {
        try self.transaction.write {
            try self.transaction.put(
                .memo, memo.columnValues, key: "\(memo.operationID.text) \(memo.part.rawValue)",
                of: [memo.paymentID.text])
        }
    }

    func deleteMemos(_ part: StoredMemo.Part, of payment: PaymentID) throws {
        try self.transaction.write {
            try self.transaction.execute(
                "DELETE FROM acquirer_memos WHERE payment_id = $1 AND part = $2", payment.text, part.rawValue)
        }
    }
}

private let memosQuery = StoredMemo.table.select(by: .paymentID, with: parameters)
