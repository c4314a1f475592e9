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
    /// What else is done in the same commit, and has a line of its own.
    public var others: [AuditDraft] = []

    public init(_ act: AuditAct, _ subject: String, _ details: [String: String] = [:]) {
        self.act = act
        self.subject = subject
        self.details = details
    }
}

/// What must hold for an administrative act, and what is to be written with it: called in the act's transaction, before
/// anything else. What it throws refuses the act.
@_spi(Administration)
public typealias AdministrativeCondition = @Sendable (any StoreTransaction) throws -> Void

extension Gateway {
    /// The same gateway, which acts for somebody else.
    ///
    /// - Parameters:
    ///   - actor: who is named in the audit log: "token deploy from 192.0.2.7".
    ///   - condition: for an act that is one commit.
    @_spi(Administration)
    public func acting(as actor: String, if condition: AdministrativeCondition? = nil) -> Gateway {
        Gateway(self, actor: actor, condition: condition)
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
                try self.condition?(transaction)
                let value = try body(transaction, &draft)
                // Last, since it locks the log.
                for line in draft.others + (draft.isNothing ? [] : [draft]) {
                    try self.append(line, at: now, in: transaction)
                }
                return value
            }
        }
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

    /// What the log's entries are digested with; `nil` while there is none.
    @_spi(Administration)
    public func auditKey(in reader: any StoreReader) throws -> AuditKey? {
        try reader.storeSecret(Self.auditSecretName).map { try self.auditKey($0) }
    }

    private func auditKey(isNew: Bool, in transaction: any StoreTransaction) throws -> AuditKey {
        if let known = try self.auditKey(in: transaction) { return known }
        guard isNew else { throw VaultError(code: .auditKeyMissing) }
        let secret = Redacted(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        let context = Self.context(of: .storeSecret(name: Self.auditSecretName))
        try transaction.insertStoreSecret(
            Self.auditSecretName, try self.vault.seal(secret, context: context, in: transaction))
        return AuditKey(of: secret)
    }

    private func auditKey(_ sealed: SealedBytes) throws -> AuditKey {
        let context = Self.context(of: .storeSecret(name: Self.auditSecretName))
        return AuditKey(of: try self.vault.open(sealed, context: context))
    }

    /// What the log's key is derived from.
    private static let auditSecretName = "audit"
}

/// What the entries of the audit log are digested with.
@_spi(Administration)
public struct AuditKey: Sendable {
    private let key: SymmetricKey

    init(of secret: Redacted<[UInt8]>) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.reveal()), info: Data("pomona audit log 1".utf8),
            outputByteCount: 32)
    }

    /// Whether an entry is as it was written.
    public func isOf(_ entry: AuditEntry) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(entry.digest, authenticating: entry.digestedBytes, using: self.key)
    }

    fileprivate func digest(of entry: AuditEntry) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: entry.digestedBytes, using: self.key))
    }
}

extension AuditEntry {
    fileprivate func withDigest(_ key: AuditKey) -> AuditEntry {
        AuditEntry(
            number: self.number, at: self.at, actor: self.actor, act: self.act, subject: self.subject,
            details: self.details, previousDigest: self.previousDigest, digest: key.digest(of: self))
    }
}
