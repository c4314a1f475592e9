//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Synchronization

/// Makes those wait who show wrong credentials again and again, and nobody else.
///
/// Failures are counted for a client's address and the account that it wants to be, and for the address alone; never for
/// an account alone, or anybody could lock a merchant out. Beyond what is free, each failure doubles the time in which
/// nothing from there is looked at. Credentials that have been right from an address before are served even then: a
/// merchant that shares its address with a guesser, behind one proxy, goes on. What is looked at while others wait is
/// found by a keyed hash of the credential, so that waiting shows the guesser nothing.
///
/// All that is remembered is bounded, is lost at the end of the process, and is not shared between nodes.
public final class CredentialThrottle: Sendable {
    public struct Settings: Hashable, Sendable {
        /// Failures of an address at one account that cost nothing.
        public var freeFailures: Int
        /// Failures of an address at all accounts together that cost nothing.
        public var freeFailuresOfAddress: Int
        /// The longest wait.
        public var waitSecondsMax: Int64
        /// How long after the last failure it is forgotten.
        public var memorySeconds: Int64
        /// How many addresses an account is remembered to have been served at.
        public var knownAddressesMax: Int
        /// Failures at a merchant's account within ten minutes that are reported, wherever they come from.
        public var guessesToReport: Int
        /// Addresses, and addresses at accounts, whose failures are remembered.
        public var entriesMax: Int

        public init(
            freeFailures: Int = 10, freeFailuresOfAddress: Int = 100, waitSecondsMax: Int64 = 900,
            memorySeconds: Int64 = 3600, knownAddressesMax: Int = 32, guessesToReport: Int = 100,
            entriesMax: Int = 1 << 16
        ) {
            self.freeFailures = freeFailures
            self.freeFailuresOfAddress = freeFailuresOfAddress
            self.waitSecondsMax = waitSecondsMax
            self.memorySeconds = memorySeconds
            self.knownAddressesMax = knownAddressesMax
            self.guessesToReport = guessesToReport
            self.entriesMax = entriesMax
        }
    }

    private struct Account {
        /// Addresses with the credential that was right there, the latest first.
        var known: [UInt64] = []
        var failuresCount = 0
        var countedSince: Int64 = .min
    }

    private static let guessingWindowNanoseconds: Int64 = 600 * 1_000_000_000
    private static let accountsMax = 1 << 16

    private let settings: Settings
    private let exempt: ClientNetworks
    private let now: @Sendable () -> Int64
    private let report: @Sendable (CallerEvent) -> Void
    private let failures: FailureCounter
    private let accounts: Mutex<TwoGenerations<Account>>

    /// - Parameters:
    ///   - exempt: addresses of the operator's own proxies, where every client is everybody: nothing is counted there.
    ///   - now: nanoseconds of a clock that never goes back.
    public init(
        settings: Settings = Settings(), exempt: ClientNetworks = ClientNetworks(),
        now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (CallerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.exempt = exempt
        self.now = now
        self.report = report
        self.failures = FailureCounter(
            waitSecondsMax: settings.waitSecondsMax, memorySeconds: settings.memorySeconds,
            entriesMax: settings.entriesMax, now: now)
        self.accounts = Mutex(TwoGenerations(max: Self.accountsMax))
    }

    func attempt(
        _ dialect: DialectName, account: String, scope: String, _ credential: String, from address: ClientNetwork
    ) -> CredentialAttempt {
        if self.exempt.contains(address) { return .unlimited }
        let keys = CredentialAttempt.Keys(
            pair: hashedKey(dialect, scope, address), address: hashedKey(address),
            account: hashedKey(dialect, account), known: hashedKey(address, credential))
        let isKnown = self.isKnown(keys)
        var waitSeconds: Int?
        if !isKnown {
            waitSeconds = [keys.pair, keys.address].compactMap { self.failures.waitSeconds(of: $0) }.max()
            if waitSeconds != nil { self.report(.refused(dialect: dialect.text)) }
        }
        return CredentialAttempt(
            waitSeconds: waitSeconds, throttle: self, dialect: dialect, keys: keys, isKnown: isKnown)
    }

    private func isKnown(_ keys: CredentialAttempt.Keys) -> Bool {
        self.accounts.withLock { $0[keys.account]?.known.contains(keys.known) ?? false }
    }

    func failed(_ attempt: CredentialAttempt, of merchant: MerchantContext?) {
        self.report(.credentialsWrong(dialect: attempt.dialect.text))
        let atAccount = self.failures.count(attempt.keys.pair, free: self.settings.freeFailures)
        let atAll = self.failures.count(attempt.keys.address, free: self.settings.freeFailuresOfAddress)
        if atAccount || atAll { self.report(.lockedOut(dialect: attempt.dialect.text)) }
        guard let merchant, self.isGuessedAt(attempt.keys.account) else { return }
        self.report(.guessing(dialect: attempt.dialect.text, merchant: "\(merchant.merchant.id)"))
    }

    /// Whether an account sees the failure now with which its guessing is reported, once in ten minutes.
    private func isGuessedAt(_ account: UInt64) -> Bool {
        let now = self.now()
        return self.accounts.withLock { accounts in
            var entry = accounts[account] ?? Account()
            if entry.failuresCount == 0 || now - entry.countedSince > Self.guessingWindowNanoseconds {
                entry.failuresCount = 0
                entry.countedSince = now
            }
            entry.failuresCount += 1
            accounts[account] = entry
            return entry.failuresCount == self.settings.guessesToReport
        }
    }

    func succeeded(_ attempt: CredentialAttempt) {
        // Known ones leave the failures alone: they may be those of a guesser at the same address.
        guard !attempt.isKnown else { return }
        self.accounts.withLock { accounts in
            var entry = accounts[attempt.keys.account] ?? Account()
            entry.known.removeAll { $0 == attempt.keys.known }
            entry.known.insert(attempt.keys.known, at: 0)
            if entry.known.count > self.settings.knownAddressesMax { entry.known.removeLast() }
            accounts[attempt.keys.account] = entry
        }
        self.failures.forget(attempt.keys.pair)
    }
}
