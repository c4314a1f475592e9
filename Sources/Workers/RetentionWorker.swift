//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Payments
public import ServiceLifecycle

/// Deletes what has expired, at the start and once a minute until the process stops, and what was kept long enough.
public struct RetentionWorker: Service {
    static let pauseMilliseconds: Int64 = 60_000

    /// All claims of a store are looked through bit by bit: they have no index by their age, which each payment would
    /// have to write.
    static let claimsBatch = 500
    static let claimsBatchesPerPass = 40

    /// Events are looked at from where the pass before has ended; and from the beginning after so many passes, since what
    /// was given up may be sent once more.
    static let passesPerWalk = 60

    let gateway: Gateway
    /// The claims by which payments are found.
    private let namingClaims: [DialectName: Set<String>]
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        gateway: Gateway, dialects: [any Dialect],
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.gateway = gateway
        self.namingClaims = Dictionary(dialects.map { ($0.name, type(of: $0).namingClaims) }) { $0.union($1) }
        self.sleep = sleep
    }

    public func run() async throws {
        // What fails is logged by the gateway, and tried again at the next pass.
        try? await self.gateway.sweep()
        var claim: IdempotencyKey?
        var (event, passesCount): (EventID?, Int) = (nil, 0)
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            try? await self.gateway.sweep()
            if passesCount % Self.passesPerWalk == 0 { event = nil }
            passesCount += 1
            if let place = try? await self.gateway.deleteDeliveredEvents(after: event) { event = place }
            try? await self.deleteClaims(after: &claim)
        }
    }

    /// - Parameter key: where the pass before has ended; where this one has.
    private func deleteClaims(after key: inout IdempotencyKey?) async throws {
        for _ in 0..<Self.claimsBatchesPerPass {
            key = try await self.gateway.deleteClaims(after: key, limit: Self.claimsBatch) { key in
                self.namingClaims[key.dialect]?.contains(key.operation) ?? true
            }
            guard key != nil else { return }
        }
    }
}
