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
    struct Entry<Value: Sendable>: Sendable {
        let value: Value
        let expiresAt: Timestamp
    }

    private struct State: Sendable {
        var contexts: [AccountName: Entry<MerchantContext>] = [:]
        var keyrings: [MerchantID: Entry<TokenKeyring>] = [:]
        var acquirers: [AcquirerAccountID: Entry<OpenAcquirer>] = [:]
        var routes: [MerchantID: Entry<MerchantRoutes>] = [:]
    }

    struct AccountName: Hashable, Sendable {
        let dialect: DialectName
        let key: ExactText
    }

    /// Bounds the memory: beyond it, everything is dropped and read again.
    private static let entriesMax = 10_000

    private let lifetimeSeconds: Int64
    private let state = Mutex(State())

    init(lifetimeSeconds: Int64) {
        self.lifetimeSeconds = lifetimeSeconds
    }

    func context(_ name: AccountName, at now: Timestamp) -> MerchantContext? {
        self.state.withLock { state in
            guard let entry = state.contexts[name], entry.expiresAt > now else { return nil }
            return entry.value
        }
    }

    func keep(_ context: MerchantContext, as name: AccountName, at now: Timestamp) {
        self.state.withLock { state in
            if state.contexts.count >= Self.entriesMax { state.contexts.removeAll() }
            state.contexts[name] = Entry(value: context, expiresAt: now.adding(seconds: self.lifetimeSeconds))
        }
    }

    func keyring(_ merchant: MerchantID, at now: Timestamp) -> TokenKeyring? {
        self.state.withLock { state in
            guard let entry = state.keyrings[merchant], entry.expiresAt > now else { return nil }
            return entry.value
        }
    }

    func keep(_ keyring: TokenKeyring, of merchant: MerchantID, at now: Timestamp) {
        self.state.withLock { state in
            if state.keyrings.count >= Self.entriesMax { state.keyrings.removeAll() }
            state.keyrings[merchant] = Entry(value: keyring, expiresAt: now.adding(seconds: self.lifetimeSeconds))
        }
    }

    func acquirer(_ id: AcquirerAccountID, at now: Timestamp) -> OpenAcquirer? {
        self.state.withLock { state in
            guard let entry = state.acquirers[id], entry.expiresAt > now else { return nil }
            return entry.value
        }
    }

    func keep(_ acquirer: OpenAcquirer, at now: Timestamp) {
        self.state.withLock { state in
            if state.acquirers.count >= Self.entriesMax { state.acquirers.removeAll() }
            state.acquirers[acquirer.id] = Entry(
                value: acquirer, expiresAt: now.adding(seconds: self.lifetimeSeconds))
        }
    }

    func routes(_ merchant: MerchantID, at now: Timestamp) -> MerchantRoutes? {
        self.state.withLock { state in
            guard let entry = state.routes[merchant], entry.expiresAt > now else { return nil }
            return entry.value
        }
    }

    func keep(_ routes: MerchantRoutes, of merchant: MerchantID, at now: Timestamp) {
        self.state.withLock { state in
            if state.routes.count >= Self.entriesMax { state.routes.removeAll() }
            state.routes[merchant] = Entry(value: routes, expiresAt: now.adding(seconds: self.lifetimeSeconds))
        }
    }

    func removeAll() {
        self.state.withLock { $0 = State() }
    }
}
