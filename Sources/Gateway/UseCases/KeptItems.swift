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
        let sealed: SealedBytes
        do {
            sealed = try self.vault.seal(content, context: Gateway.keptContext(name))
        } catch {
            self.logger.error("kept item could not be sealed", metadata: ["kind": "\(kind)", "reason": "\(error)"])
            throw .storeUnavailable
        }
        return try await self.writing { transaction in
            let stored = try transaction.keptItem(name).flatMap { $0.expiresAt > now ? $0 : nil }
            guard stored?.version == version else { throw GatewayRefusal.keptItemConflict }
            let item = KeptItem(
                name: name, content: sealed, version: (version ?? 0) + 1, createdAt: stored?.createdAt ?? now,
                expiresAt: now.adding(seconds: lifetimeSeconds))
            try transaction.upsert(item)
            return item.version
        }
    }

    /// What is kept under a name, while its time lasts.
    public func kept(
        kind: String, id: String, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> KeptContent? {
        let name = Gateway.keptName(kind, id, merchant)
        let now = self.clock()
        let found = try await self.reading { try $0.keptItem(name) }
        guard let item = found, item.expiresAt > now else { return nil }
        return KeptContent(
            content: try self.opened(item), version: item.version, createdAt: item.createdAt, expiresAt: item.expiresAt)
    }

    /// What is in an item, whether or not its time is over.
    func opened(_ item: KeptItem) throws(GatewayRefusal) -> Redacted<[UInt8]> {
        do {
            return try self.vault.open(item.content, context: Gateway.keptContext(item.name))
        } catch {
            self.logger.error(
                "kept item cannot be opened", metadata: ["kind": "\(item.name.kind)", "reason": "\(error)"])
            throw .storeUnavailable
        }
    }

    public func forget(kind: String, id: String, merchant: MerchantContext) async throws(GatewayRefusal) {
        let name = Gateway.keptName(kind, id, merchant)
        try await self.writing { try $0.delete(name) }
    }

    /// Deletes what has expired. A worker calls it now and then.
    public func sweep() async throws(GatewayRefusal) {
        let now = self.clock()
        try await self.writing { try $0.deleteKeptItems(expiredBy: now) }
    }

    static func keptName(_ kind: String, _ id: String, _ merchant: MerchantContext) -> KeptItemName {
        KeptItemName(merchantID: merchant.merchant.id, dialect: merchant.dialect, kind: kind, id: id)
    }

    private static func keptContext(_ name: KeptItemName) -> String {
        "kept/\(name.merchantID)/\(name.dialect)/\(name.kind)/\(name.id)"
    }
}
