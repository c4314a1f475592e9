//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments

/// The audit log of a store that is looked after.
enum StoreLog {
    /// Writes an act into the store's audit log, where the log's key can be opened: a store that is new has none, and
    /// tables may be brought up to date where the master key is not.
    /// - Returns: whether it was written.
    static func note(
        _ draft: AuditDraft, on store: any PaymentStore, of directory: DataDirectory
    ) async throws -> Bool {
        let dataKeys = try await store.read { try $0.dataKeys() }
        guard !dataKeys.isEmpty, let masterKey = try? DirectoryAccess.masterKey(of: directory),
            let keys = try? await masterKey.read(), let key = keys.first, try Administration.opens(key, dataKeys)
        else { return false }
        try await DirectoryAccess.administration(on: store, masterKey).note(draft)
        return true
    }
}
