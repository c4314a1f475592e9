//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Payments
import StrictJSON
import Synchronization
import Time

/// Accounts with their unsealed keys and merchants with their keyrings, for a short time. May be lost at any moment.
final class AccountCache: Sendable {
    /// What is known under some kind of name.
    private struct Shelf<Key: Hashable & Sendable, Value: Sendable>: Sendable {
        private var entries: [Key: (value: Value, keptAt: Timestamp, expiresAt: Timestamp)] = [:]

        /// What was kept later than now was kept by a clock that has been set back since: nobody knows how old it is.
        func value(_ key: Key, at now: Timestamp) -> Value? {
            guard let entry = self.entries[key], entry.keptAt <= now, entry.expiresAt > now else { return nil }
            return entry.value
        }

        mutating func keep(_ value: Value, as key: Key, at now: Timestamp, until expiresAt: Timestamp) {
            if self.entries.count >= AccountCache.entriesMax { self.entries.removeAll() }
            self.entries[key] = (value, now, expiresAt)
        }
    }

    private struct State: Sendable {
        var contexts = Shelf<AccountName, MerchantContext>()
        var keyrings = Shelf<MerchantID, TokenKeyring>()
        var acquirers = Shelf<AcquirerAccountID, OpenAcquirer>()
        var routes = Shelf<MerchantID, MerchantRoutes>()
    }

    struct AccountName: Hashable, Sendable {
        let dialect: DialectName
        let key: ExactText
    }

    /// Bounds the memory: beyond it, everything of the kind is dropped and read again.
    private static let entriesMax = 10_000

    private let lifetimeSeconds: Int64
    private let state = Mutex(State())

    init(lifetimeSeconds: Int64) {
        self.lifetimeSeconds = lifetimeSeconds
    }

    func context(_ name: AccountName, at now: Timestamp) -> MerchantContext? {
        self.state.withLock { $0.contexts.value(name, at: now) }
    }

    func keep(_ context: MerchantContext, as name: AccountName, at now: Timestamp) {
        self.state.withLock { $0.contexts.keep(context, as: name, at: now, until: self.end(from: now)) }
    }

    func keyring(_ merchant: MerchantID, at now: Timestamp) -> TokenKeyring? {
        self.state.withLock { $0.keyrings.value(merchant, at: now) }
    }

    func keep(_ keyring: TokenKeyring, of merchant: MerchantID, at now: Timestamp) {
        self.state.withLock { $0.keyrings.keep(keyring, as: merchant, at: now, until: self.end(from: now)) }
    }

    func acquirer(_ id: AcquirerAccountID, at now: Timestamp) -> OpenAcquirer? {
        self.state.withLock { $0.acquirers.value(id, at: now) }
    }

    func keep(_ acquirer: OpenAcquirer, at now: Timestamp) {
        self.state.withLock { $0.acquirers.keep(acquirer, as: acquirer.id, at: now, until: self.end(from: now)) }
    }

    func routes(_ merchant: MerchantID, at now: Timestamp) -> MerchantRoutes? {
        self.state.withLock { $0.routes.value(merchant, at: now) }
    }

    func keep(_ routes: MerchantRoutes, of merchant: MerchantID, at now: Timestamp) {
        self.state.withLock { $0.routes.keep(routes, as: merchant, at: now, until: self.end(from: now)) }
    }

    func removeAll() {
        self.state.withLock { $0 = State() }
    }

    private func end(from now: Timestamp) -> Timestamp { now.adding(seconds: self.lifetimeSeconds) }
}
