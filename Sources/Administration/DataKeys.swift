//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Payments
public import Redaction
public import Time

/// A data key as it may be shown: nothing of the key itself.
public struct DataKeyStatus: Hashable, Sendable {
    public let id: String
    public let createdAt: Timestamp
    /// How many values are sealed under it, ``sealedCountMax`` at the most.
    public let sealedCount: Int
    /// Whether it is the one that seals; the others only open.
    public let isCurrent: Bool

    /// Up to how many values are counted. There may be millions.
    public static let sealedCountMax = 100_000

    /// The store's data keys, oldest first. Needs no master key.
    public static func all(in reader: any StoreReader) throws -> [DataKeyStatus] {
        let keys = try reader.dataKeys()
        return try keys.map { key in
            DataKeyStatus(
                id: key.id, createdAt: key.createdAt,
                sealedCount: try reader.sealedCount(under: key.id, max: self.sealedCountMax),
                isCurrent: key.id == keys.last?.id)
        }
    }
}

/// What has become of the data keys that seal no more.
public struct DataKeyRetirement: Hashable, Sendable {
    /// Ids of those that are gone.
    public fileprivate(set) var retired: [String] = []
    /// When the last of those that must wait may go: gateways may not have heard of its successor yet.
    public fileprivate(set) var waitsUntil: Timestamp?
    /// Ids of those that values are sealed under: sweep again.
    public fileprivate(set) var stillNeeded: [String] = []

    /// How long a data key stays after it has been replaced, where gateways may run: six times as long as it takes one to
    /// learn of its successor.
    public static let graceSeconds: Int64 = 60

    public init() {}
}

extension Administration {
    /// Makes a new data key, which seals from now on. What is sealed under older ones stays as it is until it is swept
    /// (``sweepKeys(batchCount:)``).
    ///
    /// - Returns: the new key's id.
    /// - Throws: ``VaultError`` `master_key_wrong`, `StoreError`.
    @discardableResult
    public func rotateDataKey() async throws -> String { try await self.gateway.rotateDataKey() }

    /// A sweep that seals everything anew under the key that seals now.
    public func sweepKeys(batchCount: Int = 64) -> KeySweep { KeySweep(self.gateway, batchCount: batchCount) }

    /// Takes the data keys as the store has them now.
    public func reloadKeys() async throws { try await self.gateway.reloadKeys() }

    /// Deletes the data keys that seal no more and under which nothing is sealed.
    ///
    /// - Parameter graceSeconds: how long a key stays after it has been replaced. More than the time between two reloads
    ///   of a gateway and the longest transaction together; zero where no gateway runs. Nothing is lost if it is too
    ///   short: a transaction that brings something sealed under a deleted key is refused by the store, and run again
    ///   with the new key (``Vault/seal(_:context:in:)``).
    public func retireDataKeys(graceSeconds: Int64) async throws -> DataKeyRetirement {
        let now = self.gateway.now()
        let retirement = try await self.gateway.administer(AuditDraft(.dataKeyRetire, "")) { transaction, draft in
            var retirement = DataKeyRetirement()
            let keys = try transaction.dataKeys()
            for (key, successor) in zip(keys, keys.dropFirst()) {
                let due = successor.createdAt.adding(seconds: graceSeconds)
                if graceSeconds > 0, due > now {
                    retirement.waitsUntil = max(retirement.waitsUntil ?? due, due)
                } else if try transaction.deleteDataKey(key.id) {
                    retirement.retired.append(key.id)
                } else {
                    retirement.stillNeeded.append(key.id)
                }
            }
            draft.subject = retirement.retired.joined(separator: " ")
            draft.isNothing = retirement.retired.isEmpty
            return retirement
        }
        if !retirement.retired.isEmpty { try await self.gateway.reloadKeys() }
        return retirement
    }

    /// Seals the data keys under another master key, all in one commit. Gateways that run keep the data keys that they
    /// have; whatever starts from then on needs the new key.
    ///
    /// - Returns: how many there are.
    /// - Throws: ``VaultError`` when the source's master key is not the store's, or the new one is malformed.
    public func changeMasterKey(to newKey: Redacted<[UInt8]>) async throws -> Int {
        let oldKeys = try await self.gateway.masterKeys.read()
        return try await self.gateway.administer(AuditDraft(.masterKeyRotate, "")) { transaction, draft in
            let keys = try transaction.dataKeys()
            for key in keys { try transaction.update(try Vault.reseal(key, from: oldKeys, to: newKey)) }
            draft.details["dataKeys"] = "\(keys.count)"
            return keys.count
        }
    }

    /// Whether a master key opens all of a store's data keys.
    public static func opens(_ masterKey: Redacted<[UInt8]>, _ dataKeys: [SealedDataKey]) throws -> Bool {
        do {
            _ = try Vault(masterKey: masterKey, dataKeys: dataKeys)
            return true
        } catch let error as VaultError where error.code == .masterKeyWrong {
            return false
        }
    }
}
