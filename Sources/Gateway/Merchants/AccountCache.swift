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

    func removeAll() {
        self.state.withLock { $0 = State() }
    }
}
