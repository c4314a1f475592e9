//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Logging
import Payments
import Redaction
import Time

extension Gateway {
    /// Makes a new data key, which seals from now on. What is sealed under older ones stays as it is until it is swept
    /// (``KeySweep``).
    ///
    /// Other gateways on the store go on sealing under the old key until they reload (``reloadKeys()``), which is why
    /// that stays for a while (`Administration.retireDataKeys`).
    /// - Returns: the new key's id.
    /// - Throws: ``VaultError`` `master_key_wrong`, `StoreError`.
    @_spi(Administration)
    @discardableResult
    public func rotateDataKey() async throws -> String {
        let now = self.clock()
        let id = "dk_" + Hex.encode(self.random(8))
        let key = Redacted(self.random(32))
        let masterKeys = try await self.masterKeys.read()
        try await self.administer(AuditDraft(.dataKeyRotate, id)) { transaction, draft in
            let existing = try transaction.dataKeys()
            guard let newest = existing.last else { throw VaultError(code: .dataKeyUnknown) }
            // The newest is the one that was made last, whatever the clocks of the nodes say.
            let at = max(now, newest.createdAt.adding(milliseconds: 1))
            let masterKey = try Vault.masterKey(among: masterKeys, opening: newest)
            try transaction.insert(try Vault.makeDataKey(id: id, key: key, masterKey: masterKey, at: at))
            draft.details["replaces"] = newest.id
        }
        try await self.reloadKeys()
        self.logger.notice("a new data key seals", metadata: ["key": "\(id)"])
        return id
    }
}
