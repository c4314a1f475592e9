//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    /// Of two calls with one key that come at once, the second sees what the first has done.
    func adminClaim(_ key: AdminClaim.Key) throws -> AdminClaim? {
        try self.transaction.lock(key)
        return try self.transaction.record(claimQuery, key.holder, key.key)
    }
}

extension PostgreSQLTransaction {
    func insert(_ claim: AdminClaim) throws {
        try self.transaction.lock(claim.key)
        try self.transaction.write { try self.transaction.execute(claimInsert, claim.columnValues) }
    }

    func update(_ claim: AdminClaim) throws {
        try self.transaction.write {
            try self.transaction.execute(claimUpdate, claim.answer, claim.key.holder, claim.key.key)
        }
    }

    func deleteAdminClaims(expiredBy now: Timestamp) throws {
        try self.transaction.write {
            try self.transaction.execute("DELETE FROM admin_claims WHERE expires_at <= $1", now.milliseconds)
        }
    }
}

extension Transaction {
    fileprivate func lock(_ key: AdminClaim.Key) throws {
        try self.lockName("admin claim", [key.holder, key.key])
    }
}

private let claimQuery = AdminClaim.table.select(by: .holder, .key, with: parameters)
private let claimInsert = AdminClaim.table.insert(parameters)
private let claimUpdate = "UPDATE admin_claims SET answer = $1 WHERE holder = $2 AND key = $3"
