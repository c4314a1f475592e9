//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
public import Payments
import Redaction
import Time

/// What is to be recorded of an administrative act, while it is under way.
public struct AuditDraft: Sendable {
    public let act: AuditAct
    public var subject: String
    /// Names of what was changed; never a secret, nor a setting's value.
    public var details: [String: String]
    /// Whether it has turned out that nothing is done.
    public var isNothing = false

    public init(_ act: AuditAct, _ subject: String, _ details: [String: String] = [:]) {
        self.act = act
        self.subject = subject
        self.details = details
    }
}

extension AuditDraft {
    /// Says whose account was changed.
    @_spi(Administration)
    public mutating func setSubject(_ merchant: Merchant?, _ dialect: DialectName?) {
        self.subject = merchant?.name ?? ""
        self.details["dialect"] = dialect?.text
    }
}

/// The log of administrative acts. An act in the store and its entry are one commit: neither is there without the other.
///
/// An entry's digest is HMAC-SHA256 (RFC 2104) over all that is in it, the digest of the entry before it included. The
/// key is derived (HKDF, RFC 5869) from 32 random bytes which the store holds sealed: who has the database alone can't
/// make an entry, and a rotation of keys seals them anew and leaves them as they are.
extension Gateway {
    /// Does something for the operator and writes it into the log, in one commit.
    ///
    /// What the gateway knows of accounts, keys and routes from before is read again afterwards.
    @_spi(Administration)
    public func administer<Value: Sendable>(
        _ draft: AuditDraft,
        _ body: @escaping @Sendable (any StoreTransaction, inout AuditDraft) throws -> Value
    ) async throws -> Value {
        let now = self.clock()
        defer { self.accounts.removeAll() }
        return try await self.withFreshKeys {
            try await self.store.write { transaction in
                var draft = draft
                let value = try body(transaction, &draft)
                // Last, since it locks the log.
                if !draft.isNothing { try self.append(draft, at: now, in: transaction) }
                return value
            }
        }
    }

    /// Writes an act into the log that is none of the store's: a file that is put beside it.
    public func note(_ draft: AuditDraft) async throws {
        try await self.administer(draft) { _, _ in }
    }

    /// Writes an act into the log, at the end of the transaction that does it.
    func append(_ draft: AuditDraft, at now: Timestamp, in transaction: any StoreTransaction) throws {
        let last = try transaction.lastAuditEntry()
        let key = try self.auditKey(isNew: last == nil, in: transaction)
        let entry = AuditEntry(
            number: (last?.number ?? 0) + 1, at: now, actor: self.actor, act: draft.act, subject: draft.subject,
            details: draft.details, previousDigest: last?.digest ?? AuditEntry.noDigest, digest: [])
        try transaction.append(entry.withDigest(key))
    }

    private func auditKey(isNew: Bool, in transaction: any StoreTransaction) throws -> SymmetricKey {
        if let sealed = try transaction.storeSecret(Self.auditSecretName) { return try self.auditKey(sealed) }
        guard isNew else { throw VaultError(code: .auditKeyMissing) }
        let secret = Redacted(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        let context = Self.context(of: .storeSecret(name: Self.auditSecretName))
        try transaction.insertStoreSecret(
            Self.auditSecretName, try self.vault.seal(secret, context: context, in: transaction))
        return Self.auditKey(of: secret)
    }

    private func auditKey(_ sealed: SealedBytes) throws -> SymmetricKey {
        let context = Self.context(of: .storeSecret(name: Self.auditSecretName))
        return Self.auditKey(of: try self.vault.open(sealed, context: context))
    }

    private static func auditKey(of secret: Redacted<[UInt8]>) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.reveal()), info: Data("pomona audit log 1".utf8),
            outputByteCount: 32)
    }

    /// What the log's key is derived from.
    private static let auditSecretName = "audit"
}

extension AuditEntry {
    fileprivate func withDigest(_ key: SymmetricKey) -> AuditEntry {
        AuditEntry(
            number: self.number, at: self.at, actor: self.actor, act: self.act, subject: self.subject,
            details: self.details, previousDigest: self.previousDigest,
            digest: Array(HMAC<SHA256>.authenticationCode(for: self.digestedBytes, using: key)))
    }

    fileprivate func isBy(_ key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(self.digest, authenticating: self.digestedBytes, using: key)
    }
}

// MARK: - Checking

/// What a check of the audit log has found.
public struct AuditReport: Hashable, Sendable {
    /// How many entries are right, from the first one on.
    public internal(set) var entriesCount: Int64 = 0
    /// The digest of the last of them; 32 zero bytes when there is none.
    public internal(set) var head = AuditEntry.noDigest
    /// Where the chain breaks.
    public internal(set) var firstBreak: Break?
    /// Whether the head that was asked for is in the chain; `nil` when none was.
    public internal(set) var hasKnownHead: Bool?

    /// The first thing that is wrong.
    public struct Break: Hashable, Sendable {
        /// The entry that is wrong, or that should be there.
        public let number: Int64
        public let reason: Reason
    }

    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no entry of that number, and there are later ones.
        case missing
        /// It does not hold the digest of the one before.
        case unlinked
        /// It is not as it was written.
        case changed
        /// There are no entries, and there were: their key is there, or merchants are.
        case emptied
        /// A merchant is there whose making it does not record: it was begun anew, with another key.
        case begunAnew
        /// What the log's key is made from is gone.
        case keyMissing
    }

    public var isSound: Bool { self.firstBreak == nil && self.hasKnownHead != false }
}

extension Gateway {
    /// Checks every entry of the audit log against the one before it and against its digest.
    ///
    /// Entries that were taken from the end are found only by a head that was noted before.
    /// - Parameter knownHead: the digest of an entry that must be there.
    public func checkAuditLog(knownHead: [UInt8]? = nil) async throws -> AuditReport {
        try await self.withFreshKeys {
            try await self.store.read { reader in
                let sealed = try reader.storeSecret(Self.auditSecretName)
                let key = try sealed.map { try self.auditKey($0) }
                return try AuditReport(reader, key: key, knownHead: knownHead)
            }
        }
    }

    /// How many entries the log has and the digest of the last one, unchecked.
    public func auditHead() async throws -> (entriesCount: Int64, digest: [UInt8]) {
        let last = try await self.store.read { try $0.lastAuditEntry() }
        return (last?.number ?? 0, last?.digest ?? AuditEntry.noDigest)
    }
}

extension AuditReport {
    private static let pageCount = 256

    fileprivate init(_ reader: any StoreReader, key: SymmetricKey?, knownHead: [UInt8]?) throws {
        self.hasKnownHead = knownHead.map { $0 == AuditEntry.noDigest }
        var last: AuditEntry?
        var made: Set<String> = []
        while self.firstBreak == nil {
            let page = try reader.auditEntries(after: last?.number ?? 0, limit: Self.pageCount)
            for entry in page {
                if let reason = Self.problem(of: entry, after: last, key) {
                    self.firstBreak = Break(
                        number: reason == .missing ? self.entriesCount + 1 : entry.number, reason: reason)
                    break
                }
                self.entriesCount = entry.number
                self.head = entry.digest
                if entry.digest == knownHead { self.hasKnownHead = true }
                if entry.act == .merchantCreate, let id = entry.details["id"] { made.insert(id) }
                last = entry
            }
            if page.count < Self.pageCount { break }
        }
        guard self.firstBreak == nil else { return }
        // A merchant and the entry that records its making were written in one commit, and so were the first entry and
        // the key.
        let isRecorded = try reader.merchants().allSatisfy { made.contains($0.id.text) }
        if last == nil, key != nil || !isRecorded {
            self.firstBreak = Break(number: 1, reason: .emptied)
        } else if !isRecorded {
            self.firstBreak = Break(number: 1, reason: .begunAnew)
        }
    }

    private static func problem(of entry: AuditEntry, after last: AuditEntry?, _ key: SymmetricKey?) -> Reason? {
        guard entry.number == (last?.number ?? 0) + 1 else { return .missing }
        guard let key else { return .keyMissing }
        guard entry.follows(last) else { return .unlinked }
        return entry.isBy(key) ? nil : .changed
    }
}
