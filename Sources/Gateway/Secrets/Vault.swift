//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
public import Payments
public import Redaction
import Synchronization
public import Time

/// Envelope encryption: the master key seals data keys, a data key seals secrets. AES-256-GCM (NIST SP 800-38D) with
/// random nonces.
///
/// What a secret is for is authenticated with it, so that a sealed value moved to another row does not open. The data
/// keys are in memory, so that sealing and opening ask nobody; ``reload(_:masterKeys:)`` takes those that the store has
/// meanwhile. The master key is not kept.
public final class Vault: Sendable {
    private struct Ring: Sendable {
        let keys: [String: SymmetricKey]
        /// The newest one's, which seals.
        let currentKeyID: String
    }

    private let ring: Mutex<Ring>
    private let behind = Atomic<Bool>(false)
    /// How often each key has sealed, since that was asked for.
    private let messages = Mutex<[String: Int64]>([:])
    /// When keys were last looked for that a ticket names.
    private let ticketLook = Mutex<Timestamp?>(nil)

    /// Opens the store's data keys, newest last. The newest one seals.
    public convenience init(masterKey: Redacted<[UInt8]>, dataKeys: [SealedDataKey]) throws {
        try self.init(masterKeys: [masterKey], dataKeys: dataKeys)
    }

    /// - Parameter masterKeys: each data key must be opened by one of them.
    public init(masterKeys: [Redacted<[UInt8]>], dataKeys: [SealedDataKey]) throws {
        self.ring = Mutex(try Self.ring(of: dataKeys, known: [:], masterKeys: masterKeys))
    }

    private static func ring(
        of dataKeys: [SealedDataKey], known: [String: SymmetricKey], masterKeys: [Redacted<[UInt8]>]
    ) throws -> Ring {
        guard let newest = dataKeys.last else { throw VaultError(code: .dataKeyUnknown) }
        let masters = try masterKeys.map(Self.masterKey)
        let keys = try dataKeys.map { sealed in
            if let key = known[sealed.id] { return (sealed.id, key) }
            for master in masters {
                if let key = Self.opened(sealed, with: master) { return (sealed.id, key) }
            }
            throw VaultError(code: .masterKeyWrong)
        }
        return Ring(keys: Dictionary(keys, uniquingKeysWith: { first, _ in first }), currentKeyID: newest.id)
    }

    /// Whether the store may be asked for a key that a ticket names: once a second, since tickets come from anybody.
    func mayLookForTicketKey(at now: Timestamp) -> Bool {
        self.ticketLook.withLock { last in
            if let last, (0..<1000).contains(now.milliseconds(since: last)) { return false }
            last = now
            return true
        }
    }

    /// The id of the data key that seals.
    public var currentKeyID: String { self.ring.withLock { $0.currentKeyID } }

    /// Takes the data keys as the store has them: new ones are opened, and those that are gone are forgotten. Keys that
    /// are known stay, whatever master key seals them now.
    ///
    /// - Parameter masterKeys: read only when a key is not known yet.
    /// - Throws: ``VaultError``, and nothing has changed; or what the source throws.
    public func reload(_ dataKeys: [SealedDataKey], masterKeys: MasterKeySource) async throws {
        let known = self.ring.withLock { $0.keys }
        let areKnown = dataKeys.allSatisfy { known[$0.id] != nil }
        do {
            let ring = try Self.ring(
                of: dataKeys, known: known, masterKeys: areKnown ? [] : try await masterKeys.read())
            self.ring.withLock { $0 = ring }
            self.behind.store(false, ordering: .relaxed)
        } catch {
            self.behind.store(true, ordering: .relaxed)
            throw error
        }
    }

    /// Whether the store has keys that could not be opened when they were looked at last: what others have sealed under them
    /// cannot be served here.
    public var isBehind: Bool { self.behind.load(ordering: .relaxed) }

    /// - Parameter context: what the secret is for and whose it is; needed to open it again.
    public func seal(_ secret: Redacted<[UInt8]>, context: String) throws -> SealedBytes {
        try self.seal(secret.reveal(), context: context)
    }

    private func seal(_ bytes: [UInt8], context: String) throws -> SealedBytes {
        let ring = self.ring.withLock { $0 }
        guard let key = ring.keys[ring.currentKeyID] else { throw VaultError(code: .dataKeyUnknown) }
        self.addMessages(1, of: ring.currentKeyID)
        return SealedBytes(keyID: ring.currentKeyID, box: try Vault.seal(bytes, with: key, context: context))
    }

    /// How often a key has sealed here since ``takeMessagesCount(of:)``.
    func messagesCount(of keyID: String) -> Int64 { self.messages.withLock { $0[keyID] ?? 0 } }

    /// The count, which begins anew.
    func takeMessagesCount(of keyID: String) -> Int64 { self.messages.withLock { $0.removeValue(forKey: keyID) ?? 0 } }

    func addMessages(_ count: Int64, of keyID: String) {
        self.messages.withLock { $0[keyID, default: 0] += count }
    }

    /// Seals what the transaction writes. The data key is held until its end, so that it can't be retired before.
    ///
    /// - Throws: `StoreError.dataKeyGone` when it has been: reload the keys, and run the transaction again.
    public func seal(
        _ secret: Redacted<[UInt8]>, context: String, in transaction: any StoreTransaction
    ) throws -> SealedBytes {
        let sealed = try self.seal(secret.reveal(), context: context)
        try transaction.holdDataKey(sealed.keyID)
        return sealed
    }

    public func open(_ sealed: SealedBytes, context: String) throws -> Redacted<[UInt8]> {
        Redacted(try self.openBytes(sealed, context: context))
    }

    private func openBytes(_ sealed: SealedBytes, context: String) throws -> [UInt8] {
        guard let key = self.ring.withLock({ $0.keys[sealed.keyID] }) else {
            throw VaultError(code: .dataKeyUnknown)
        }
        return try Vault.open(sealed.box, with: key, context: context)
    }

    func sealText(
        _ secret: Redacted<String>, context: String, in transaction: any StoreTransaction
    ) throws -> SealedBytes {
        var bytes = Array(secret.reveal().utf8)
        defer { Zeroing.overwrite(&bytes) }
        return try self.seal(Redacted(bytes), context: context, in: transaction)
    }

    func openText(_ sealed: SealedBytes, context: String) throws -> Redacted<String> {
        var bytes = try self.openBytes(sealed, context: context)
        defer { Zeroing.overwrite(&bytes) }
        return Redacted(String(decoding: bytes, as: UTF8.self))
    }

    /// The same secret under the data key that seals now.
    func resealed(_ sealed: SealedBytes, context: String) throws -> SealedBytes {
        var bytes = try self.openBytes(sealed, context: context)
        defer { Zeroing.overwrite(&bytes) }
        return try self.seal(bytes, context: context)
    }
}

// MARK: - Data keys

extension Vault {
    /// A new data key under the master key.
    public static func makeDataKey(
        id: String, key: Redacted<[UInt8]>, masterKey: Redacted<[UInt8]>, at now: Timestamp
    ) throws -> SealedDataKey {
        guard key.reveal().count == 32 else { throw VaultError(code: .masterKeyLength) }
        let box = try self.seal(key.reveal(), with: try self.masterKey(masterKey), context: self.context(ofKey: id))
        return SealedDataKey(id: id, box: box, createdAt: now)
    }

    /// The data key sealed under another master key.
    ///
    /// - Throws: ``VaultError`` `master_key_wrong` when none of the old keys opens it.
    @_spi(Administration)
    public static func reseal(
        _ dataKey: SealedDataKey, from oldKeys: [Redacted<[UInt8]>], to newKey: Redacted<[UInt8]>
    ) throws -> SealedDataKey {
        for old in oldKeys {
            guard let key = self.opened(dataKey, with: try self.masterKey(old)) else { continue }
            let box = try key.withUnsafeBytes {
                try self.seal($0, with: try self.masterKey(newKey), context: self.context(ofKey: dataKey.id))
            }
            return SealedDataKey(id: dataKey.id, box: box, createdAt: dataKey.createdAt)
        }
        throw VaultError(code: .masterKeyWrong)
    }

    /// The first of the master keys that opens the data key.
    static func masterKey(
        among masterKeys: [Redacted<[UInt8]>], opening dataKey: SealedDataKey
    ) throws -> Redacted<[UInt8]> {
        let found = try masterKeys.first { self.opened(dataKey, with: try self.masterKey($0)) != nil }
        guard let found else { throw VaultError(code: .masterKeyWrong) }
        return found
    }

    private static func masterKey(_ key: Redacted<[UInt8]>) throws -> SymmetricKey {
        guard key.reveal().count == 32 else { throw VaultError(code: .masterKeyLength) }
        return SymmetricKey(data: key.reveal())
    }

    private static func opened(_ dataKey: SealedDataKey, with master: SymmetricKey) -> SymmetricKey? {
        let context = self.context(ofKey: dataKey.id)
        guard var bytes = try? self.open(dataKey.box, with: master, context: context) else { return nil }
        defer { Zeroing.overwrite(&bytes) }
        return SymmetricKey(data: bytes)
    }

    private static func context(ofKey id: String) -> String { "data-key/\(id)" }
}

// MARK: - AES-GCM

extension Vault {
    private static func seal(_ bytes: some DataProtocol, with key: SymmetricKey, context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Data(context.utf8))
        guard let combined = box.combined else { throw VaultError(code: .boxDamaged) }
        return Array(combined)
    }

    private static func open(_ box: [UInt8], with key: SymmetricKey, context: String) throws -> [UInt8] {
        guard let sealed = try? AES.GCM.SealedBox(combined: box),
            var opened = try? AES.GCM.open(sealed, using: key, authenticating: Data(context.utf8))
        else { throw VaultError(code: .boxDamaged) }
        defer { Zeroing.overwrite(&opened) }
        return Array(opened)
    }
}
