//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization
import Time

/// Makes addresses wait from which many wrong tries come, at whatever names. What is remembered is bounded, and lost at
/// the end of the process; what a person's failures are is in the store.
final class SignInAddresses: Sendable {
    private struct Failures {
        var count = 0
        var lastAt: Timestamp
        var waitsUntil: Timestamp?
    }

    private static let entriesMax = 1 << 14

    private let freeFailures: Int
    private let waitSecondsMax: Int64
    private let memorySeconds: Int64
    private let exempt: ClientNetworks
    private let failures = Mutex<[ClientNetwork: Failures]>([:])

    init(_ settings: PeopleSettings) {
        self.freeFailures = settings.freeFailuresOfAddress
        self.waitSecondsMax = settings.addressWaitSecondsMax
        self.memorySeconds = settings.addressMemorySeconds
        self.exempt = settings.exemptAddresses
    }

    private func network(of origin: SignInOrigin) -> ClientNetwork? {
        origin.address.flatMap(ClientNetwork.init).flatMap { self.exempt.contains($0) ? nil : $0 }
    }

    /// For how many seconds the address has to wait.
    func waitSeconds(of origin: SignInOrigin, at now: Timestamp) -> Int? {
        guard let network = self.network(of: origin),
            let until = self.failures.withLock({ $0[network]?.waitsUntil }), until > now
        else { return nil }
        return Int((until.milliseconds(since: now) + 999) / 1000)
    }

    func count(_ origin: SignInOrigin, at now: Timestamp) {
        guard let network = self.network(of: origin) else { return }
        self.failures.withLock { failures in
            var entry = failures[network] ?? Failures(lastAt: now)
            if self.isForgotten(entry, at: now) { entry = Failures(lastAt: now) }
            entry.count += 1
            entry.lastAt = now
            let excess = entry.count - self.freeFailures
            if excess > 0 {
                let seconds = min(Int64(1) << Int64(min(excess - 1, 30)), self.waitSecondsMax)
                entry.waitsUntil = now.adding(seconds: seconds)
            }
            if failures[network] == nil, failures.count >= Self.entriesMax { self.makeRoom(in: &failures, at: now) }
            failures[network] = entry
        }
    }

    private func isForgotten(_ entry: Failures, at now: Timestamp) -> Bool {
        now.milliseconds(since: entry.lastAt) > self.memorySeconds * 1000
    }

    /// Forgets what is old; where that is nothing, the older half.
    private func makeRoom(in failures: inout [ClientNetwork: Failures], at now: Timestamp) {
        failures = failures.filter { !self.isForgotten($0.value, at: now) }
        guard failures.count >= Self.entriesMax else { return }
        let middle = failures.values.map(\.lastAt).sorted()[failures.count / 2]
        failures = failures.filter { $0.value.lastAt > middle }
    }
}
