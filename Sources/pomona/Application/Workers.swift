//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import ServiceLifecycle

/// Resolves what nobody knows the end of and captures what is due, again and again, until the process stops; and deletes
/// what has expired.
struct RecoveryWorker: Service {
    /// How long to wait after a pass that had nothing left to do.
    static let pauseMilliseconds: Int64 = 1000
    private static let batchCount = 64
    /// How many passes there are from one sweep of what has expired to the next.
    private static let passesPerSweep = 60

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    func run() async throws {
        var passesCount = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            // What fails is logged by the gateway and done at the next sweep.
            if passesCount.isMultiple(of: Self.passesPerSweep) { try? await self.gateway.sweep() }
            passesCount += 1
            let capturesCount = await self.gateway.captureDue(limit: Self.batchCount)
            let report = await self.gateway.recover(limit: Self.batchCount)
            // A full batch that got somewhere has probably more behind it.
            if report.examinedCount >= Self.batchCount, report.resolvedCount > 0 { continue }
            if capturesCount >= Self.batchCount { continue }
            let sleep = self.sleep
            try? await cancelWhenGracefulShutdown { try await sleep(Self.pauseMilliseconds) }
        }
    }
}

/// Closes what holds files when everything that uses them has ended.
///
/// A `ServiceGroup` stops its services in reverse order and waits for each: put this one first, and it comes last.
struct Closer: Service {
    let close: @Sendable () async -> Void

    func run() async throws {
        try? await gracefulShutdown()
        await self.close()
    }
}
