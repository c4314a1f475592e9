//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func adminClaim(_ key: AdminClaim.Key) throws -> AdminClaim? {
        try self.connection.record(claimQuery, key.holder, key.key)
    }
}

extension SQLiteTransaction {
    func insert(_ claim: AdminClaim) throws { try self.connection.execute(claimInsert, claim.columnValues) }

    func update(_ claim: AdminClaim) throws {
        try self.connection.execute(claimUpdate, claim.answer, claim.key.holder, claim.key.key)
    }

    func deleteAdminClaims(expiredBy now: Timestamp) throws {
        try self.connection.execute("DELETE FROM admin_claims WHERE expires_at <= ?", now.milliseconds)
    }
}

private let claimQuery = AdminClaim.table.select(by: .holder, .key, with: parameters)
private let claimInsert = AdminClaim.table.insert(parameters)
private let claimUpdate = "UPDATE admin_claims SET answer = ? WHERE holder = ? AND key = ?"
