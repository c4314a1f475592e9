//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Data keys, what is sealed under them, and the audit log.
extension InterceptingTransaction {
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
