//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
import Redaction

/// How often a data key has sealed.
///
/// NIST SP 800-38D, section 8.3: a key with random nonces seals at most 2^32 times. Every gateway counts what it seals,
/// adds it to the store's count now and then, and makes a new key long before 2^31
/// (``GatewaySettings/dataKeyMessagesMax``): what was not yet added when a process was killed is far less than the rest.
extension Gateway {
    /// Adds what this gateway has sealed, if it is worth a write. A worker calls it every few seconds.
    ///
    /// - Throws: ``VaultError``, `StoreError`, or what reading the master key throws.
    public func countSealedMessages() async throws {
        let keyID = self.vault.currentKeyID
        guard self.vault.messagesCount(of: keyID) >= self.settings.dataKeyMessagesStep else { return }
        let counted = self.vault.takeMessagesCount(of: keyID)
        let total: Int64?
        do {
            total = try await self.withFreshKeys { try await self.add(counted, to: keyID) }
        } catch {
            self.vault.addMessages(counted, of: keyID)
            self.logger.error("sealed messages cannot be counted", metadata: ["reason": "\(error)"])
            throw error
        }
        guard let total, total >= self.settings.dataKeyMessagesMax else { return }
        self.logger.notice(
            "a data key has sealed enough; run pomona keys rotate to seal anew what is under it",
            metadata: ["key": "\(keyID)", "messages": "\(total)"])
        try await self.rotateDataKey()
    }

    /// - Returns: what the key has sealed on all nodes; `nil` when it seals no more.
    private func add(_ counted: Int64, to keyID: String) async throws -> Int64? {
        let (vault, most) = (self.vault, self.settings.dataKeyMessagesMax)
        let place = SealedPlace.storeSecret(name: Self.messagesName)
        let context = Gateway.context(of: place)
        return try await self.store.write { transaction in
            guard try transaction.dataKeys().last?.id == keyID else { return nil }
            let earlier = try transaction.storeSecret(Self.messagesName)
            let before = try earlier.map { try self.messagesCount(in: $0, of: keyID, whenDamaged: most) } ?? 0
            let (sum, overflow) = before.addingReportingOverflow(counted)
            let total = overflow ? Int64.max : sum
            let text = Redacted(Array("\(keyID) \(total)".utf8))
            let sealed = try vault.seal(text, context: context, in: transaction)
            if let earlier {
                try transaction.reseal(SealedValue(place: place, bytes: earlier), as: sealed)
            } else {
                try transaction.insertStoreSecret(Self.messagesName, sealed)
            }
            return total
        }
    }

    /// A count that somebody has spoiled is as good as the highest.
    private func messagesCount(in sealed: SealedBytes, of keyID: String, whenDamaged: Int64) throws -> Int64 {
        let context = Gateway.context(of: .storeSecret(name: Self.messagesName))
        do {
            let text = String(decoding: try self.vault.open(sealed, context: context).reveal(), as: UTF8.self)
            let parts = text.split(separator: " ")
            guard parts.count == 2, let count = Int64(parts[1]) else { return whenDamaged }
            return parts[0] == keyID ? count : 0
        } catch let error as VaultError where error.code == .boxDamaged {
            return whenDamaged
        }
    }

    /// One count, of the key that seals: what it begins with.
    static let messagesName = "messages"
}
