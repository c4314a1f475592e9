//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit

/// Makes addresses wait from which many wrong tries come, at whatever names. What a person's failures are is in the store.
struct SignInAddresses: Sendable {
    private static let entriesMax = 1 << 14

    private let freeFailures: Int
    private let exempt: ClientNetworks
    private let failures: FailureCounter

    init(_ settings: PeopleSettings, steadyNanoseconds: @escaping @Sendable () -> Int64) {
        self.freeFailures = settings.freeFailuresOfAddress
        self.exempt = settings.exemptAddresses
        self.failures = FailureCounter(
            waitSecondsMax: settings.addressWaitSecondsMax, memorySeconds: settings.addressMemorySeconds,
            entriesMax: Self.entriesMax, now: steadyNanoseconds)
    }

    private func network(of origin: SignInOrigin) -> ClientNetwork? {
        origin.address.flatMap(ClientNetwork.init).flatMap { self.exempt.contains($0) ? nil : $0 }
    }

    /// For how many seconds the address has to wait.
    func waitSeconds(of origin: SignInOrigin) -> Int? {
        self.network(of: origin).flatMap { self.failures.waitSeconds(of: $0) }
    }

    func count(_ origin: SignInOrigin) {
        guard let network = self.network(of: origin) else { return }
        self.failures.count(network, free: self.freeFailures)
    }
}
