//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import ServiceLifecycle

/// Deletes what has expired, at the start and once a minute until the process stops, and what was kept long enough.
public struct RetentionWorker: Service {
    static let pauseMilliseconds: Int64 = 60_000

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    public func run() async throws {
        // What fails is logged by the gateway, and tried again at the next pass.
        try? await self.gateway.sweep()
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            try? await self.gateway.sweep()
            try? await self.gateway.deleteDeliveredEvents()
        }
    }
}
