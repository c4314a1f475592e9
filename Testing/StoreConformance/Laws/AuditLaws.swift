//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    private func entry(
        after earlier: AuditEntry?, number: Int64? = nil, details: [String: String] = [:]
    ) -> AuditEntry {
        AuditEntry(
            number: number ?? (earlier?.number ?? 0) + 1, at: self.make.time(), actor: "älice@db1",
            act: .merchantCreate,
            subject: "“shop” 1", details: details, previousDigest: earlier?.digest ?? AuditEntry.noDigest,
            digest: self.make.bytes(AuditEntry.digestBytesCount))
    }

    func auditEntriesRoundTrip() async throws {
        var entries = [self.entry(after: nil)]
        entries.append(self.entry(after: entries[0], details: ["": "", "ключ": "\"значение\"\n", "b": "1"]))
        entries.append(self.entry(after: entries[1], details: ["b": "1", "a": "2"]))
        let all = entries
        try await self.store.write { transaction in
            for entry in all {
                try transaction.append(entry)
                guard try transaction.lastAuditEntry() == entry else { throw StoreError.corrupt("audit_entries") }
            }
        }
        try await self.expectStored(all[2], "last entry") { try $0.lastAuditEntry() }
        for (after, limit) in [(Int64(0), 10), (0, 2), (1, 1), (2, 10), (3, 10), (0, 0)] {
            let wanted = Array(all.dropFirst(Int(after)).prefix(limit))
            try await self.expectStored(wanted, "entries after \(after)") {
                try $0.auditEntries(after: after, limit: limit)
            }
        }
    }

    func auditEntriesFollowTheLast() async throws {
        let first = self.entry(after: nil)
        let (second, unlinked) = (self.entry(after: first), self.entry(after: self.entry(after: nil)))
        let outOfPlace = [
            self.entry(after: nil, number: 2), self.entry(after: first, number: 3), first, unlinked,
            self.entry(after: nil, number: 0),
        ]
        try await self.expectRefusal(.conflict, "a first entry with another number") { try $0.append(second) }
        try await self.store.write { try $0.append(first) }
        for entry in outOfPlace {
            try await self.expectRefusal(.conflict, "entry \(entry.number) after the first") { try $0.append(entry) }
        }
        try await self.store.write { try $0.append(second) }
        try await self.expectStored([first, second], "entries") { try $0.auditEntries(after: 0, limit: 10) }
    }

    /// An act that fails leaves no entry, and an entry that fails no act.
    func auditEntriesAreOfTheirTransaction() async throws {
        let (merchant, first, other) = (self.make.merchant(), self.entry(after: nil), self.entry(after: nil))
        try await self.store.write { try $0.append(first) }
        try await self.expectRefusal(.conflict, "an act with an entry that follows nothing") { transaction in
            try transaction.insert(merchant)
            try transaction.append(other)
        }
        let found = try await self.store.read { try $0.merchant(merchant.id) }
        try self.expect(found == nil, "an act is kept without its entry")
    }

    /// Of any number who append at once, each finds the other's entry.
    func auditEntriesFormOneChain() async throws {
        let (store, make) = (self.store, self.make)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                let (at, digest) = (make.time(), make.bytes(AuditEntry.digestBytesCount))
                group.addTask {
                    try await store.write { transaction in
                        let last = try transaction.lastAuditEntry()
                        try transaction.append(
                            AuditEntry(
                                number: (last?.number ?? 0) + 1, at: at, actor: "a", act: AuditAct("act"),
                                subject: "\(number)", details: [:],
                                previousDigest: last?.digest ?? AuditEntry.noDigest, digest: digest))
                    }
                }
            }
            try await group.waitForAll()
        }
        let entries = try await self.store.read { try $0.auditEntries(after: 0, limit: 100) }
        try self.expectEqual(entries.count, 24, "entries of all who have appended")
        var last: AuditEntry?
        for entry in entries {
            try self.expect(entry.follows(last), "entry \(entry.number) does not follow the one before")
            last = entry
        }
    }
}
