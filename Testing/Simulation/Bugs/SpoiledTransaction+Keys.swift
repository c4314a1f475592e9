//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Data keys, what is sealed under them, and the audit log: without a bug.
extension SpoiledTransaction {
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

    func update(_ dataKey: SealedDataKey) throws { try self.base.update(dataKey) }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        try self.base.reseal(value, as: bytes)
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.base.insertStoreSecret(name, bytes)
    }

    func append(_ entry: AuditEntry) throws { try self.base.append(entry) }
}
