//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
import Redaction
import Time

/// How a running gateway learns of data keys that others have made or retired.
extension Gateway {
    /// Takes the data keys as the store has them now. A worker calls it every few seconds, and the gateway itself when it
    /// meets a key that it does not know.
    ///
    /// When a new key does not open, the master key is read again from where it comes from; what is known stays known
    /// until then.
    /// - Throws: ``VaultError``, `StoreError`, or what reading the master key throws.
    public func reloadKeys() async throws {
        let stored = try await self.store.read { try $0.dataKeys() }
        do {
            try await self.vault.reload(stored, masterKeys: self.masterKeys)
        } catch {
            self.logger.error("new data keys cannot be opened", metadata: ["reason": "\(error)"])
            throw error
        }
    }

    /// Whether all of the store's data keys are open here.
    public var opensAllKeys: Bool { !self.vault.isBehind }

    /// Whether an error says that the data keys in memory are no longer those of the store.
    static func isOfStaleKeys(_ error: any Error) -> Bool {
        switch error {
        case StoreError.dataKeyGone: true
        case let error as VaultError: error.code == .dataKeyUnknown
        default: false
        }
    }

    /// Does what needs the data keys; once more with the store's, if those in memory turn out to be old.
    @_spi(Administration)
    public func withFreshKeys<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error where Self.isOfStaleKeys(error) {
            try await self.reloadKeys()
            return try await work()
        }
    }
}
