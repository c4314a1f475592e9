//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
public import Redaction
public import Time

/// What a dialect has kept, opened.
public struct KeptContent: Sendable {
    public let content: Redacted<[UInt8]>
    /// Counts the writings, from 1.
    public let version: Int
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
}

extension Gateway {
    /// Keeps something for a merchant for a while: sealed in the store, gone when its time is over.
    ///
    /// - Parameters:
    ///   - kind: "session".
    ///   - lifetimeSeconds: from now.
    ///   - version: which version this one replaces; `nil` for an item that must be new.
    /// - Returns: the new version.
    /// - Throws: ``GatewayRefusal/keptItemConflict``, ``GatewayRefusal/storeUnavailable``.
    @discardableResult
    public func keep(
        _ content: Redacted<[UInt8]>, kind: String, id: String, lifetimeSeconds: Int64, merchant: MerchantContext,
        replacing version: Int?
    ) async throws(GatewayRefusal) -> Int {
        let name = Gateway.keptName(kind, id, merchant)
        let now = self.clock()
        return try await self.writing { transaction in
            try self.keep(
                content, as: name, until: now.adding(seconds: lifetimeSeconds), replacing: version, at: now,
                in: transaction)
        }
    }

    /// - Returns: the new version.
    @discardableResult
    func keep(
        _ content: Redacted<[UInt8]>, as name: KeptItemName, until end: Timestamp, replacing version: Int? = nil,
        at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> Int {
        let stored = try transaction.keptItem(name).flatMap { $0.expiresAt > now ? $0 : nil }
        guard stored?.version == version else { throw GatewayRefusal.keptItemConflict }
        let sealed = try self.vault.seal(content, context: Gateway.context(of: .keptItem(name)), in: transaction)
        let item = KeptItem(
            name: name, content: sealed, version: (version ?? 0) + 1, createdAt: stored?.createdAt ?? now,
            expiresAt: end)
        try transaction.upsert(item)
        return item.version
    }

    /// What is kept under a name, while its time lasts.
    public func kept(
        kind: String, id: String, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> KeptContent? {
        let name = Gateway.keptName(kind, id, merchant)
        let now = self.clock()
        guard let (item, content) = try await self.openedItem(name), item.expiresAt > now else { return nil }
        return KeptContent(
            content: content, version: item.version, createdAt: item.createdAt, expiresAt: item.expiresAt)
    }

    /// An item and what is in it, whether or not its time is over. Both are read again when the data keys turn out to be
    /// old: the item may have been sealed anew in between.
    func openedItem(
        _ name: KeptItemName
    ) async throws(GatewayRefusal) -> (item: KeptItem, content: Redacted<[UInt8]>)? {
        do {
            return try await self.withFreshKeys {
                guard let item = try await self.store.read({ try $0.keptItem(name) }) else { return nil }
                return (item, try self.vault.open(item.content, context: Gateway.context(of: .keptItem(name))))
            }
        } catch let error as VaultError {
            self.logger.error("kept item cannot be opened", metadata: ["kind": "\(name.kind)", "reason": "\(error)"])
            throw .storeUnavailable
        } catch {
            throw self.refusal(for: error)
        }
    }

    public func forget(kind: String, id: String, merchant: MerchantContext) async throws(GatewayRefusal) {
        let name = Gateway.keptName(kind, id, merchant)
        try await self.writing { try $0.delete(name) }
    }

    /// Deletes what has expired. A worker calls it now and then.
    public func sweep() async throws(GatewayRefusal) {
        let now = self.clock()
        try await self.writing { transaction in
            guard try self.mayActByTime(in: transaction) else { return }
            try transaction.deleteKeptItems(expiredBy: now)
            try transaction.deleteAdminClaims(expiredBy: now)
        }
    }

    static func keptName(_ kind: String, _ id: String, _ merchant: MerchantContext) -> KeptItemName {
        KeptItemName(merchantID: merchant.merchant.id, dialect: merchant.dialect, kind: kind, id: id)
    }
}
