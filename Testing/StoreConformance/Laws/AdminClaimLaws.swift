//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    func adminClaimsAreMadeOnceAndCompleted() async throws {
        let now = self.make.time()
        func claim(_ holder: String, _ key: String, until seconds: Int64) -> AdminClaim {
            AdminClaim(
                key: AdminClaim.Key(holder: holder, key: key), digest: self.make.bytes(32), createdAt: now,
                expiresAt: now.adding(seconds: seconds))
        }
        var first = claim("tok_1", "a", until: 10)
        let others = [claim("tok_1", "b", until: 9), claim("tok_2", "a", until: 11)]
        let all = [first] + others
        try await self.store.write { transaction in for claim in all { try transaction.insert(claim) } }
        for claim in all {
            try await self.expectStored(claim, "a claim") { try $0.adminClaim(claim.key) }
        }
        let unclaimed = try await self.store.read { try $0.adminClaim(AdminClaim.Key(holder: "tok_2", key: "b")) }
        try self.expectEqual(unclaimed, nil, "another key")
        let again = claim("tok_1", "a", until: 20)
        try await self.expectRefusal(.duplicate("admin claim"), "a second claim of a key") { try $0.insert(again) }
        // Of an update the answer alone counts.
        first.answer = [1, 2, 3]
        let completed = first
        try await self.store.write { try $0.update(completed) }
        try await self.expectStored(completed, "a completed claim") { try $0.adminClaim(completed.key) }
        // What expires in the very moment is over.
        let end = now.adding(seconds: 10)
        try await self.store.write { try $0.deleteAdminClaims(expiredBy: end) }
        let found = try await self.store.read { reader in try all.map { try reader.adminClaim($0.key) } }
        try self.expectEqual(found, [nil, nil, others[1]], "claims after a sweep")
    }
}
