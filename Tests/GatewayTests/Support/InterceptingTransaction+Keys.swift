//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Data keys, what is sealed under them, and the audit log.
extension InterceptingTransaction {
    func dataKeys() throws -> [SealedDataKey] { try self.base.dataKeys() }
    func sealedCounts() throws -> [String: Int] { try self.base.sealedCounts() }
    func sealedValues(
        _ kind: SealedPlace.Kind, notUnder keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        try self.base.sealedValues(kind, notUnder: keyID, after: place, limit: limit)
    }
    func storeSecret(_ name: String) throws -> SealedBytes? { try self.base.storeSecret(name) }
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.base.auditEntries(after: number, limit: limit)
    }
    func lastAuditEntry() throws -> AuditEntry? { try self.base.lastAuditEntry() }
    func holdDataKey(_ id: String) throws { try self.base.holdDataKey(id) }
    func deleteDataKey(_ id: String) throws -> Bool { try self.base.deleteDataKey(id) }

    func insert(_ dataKey: SealedDataKey) throws {
        try self.store.note(dataKey)
        try self.base.insert(dataKey)
    }

    func update(_ dataKey: SealedDataKey) throws {
        try self.store.note(dataKey)
        try self.base.update(dataKey)
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        try self.store.note(bytes)
        return try self.base.reseal(value, as: bytes)
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.store.note(bytes)
        try self.base.insertStoreSecret(name, bytes)
    }

    func append(_ entry: AuditEntry) throws {
        try self.store.note(entry)
        try self.base.append(entry)
    }
}
