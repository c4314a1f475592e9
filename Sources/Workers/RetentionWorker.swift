//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import ServiceLifecycle

/// Deletes what was kept long enough, once a minute until the process stops.
public struct RetentionWorker: Service {
    static let pauseMilliseconds: Int64 = 60_000

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    public func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            // What fails is logged by the gateway, and tried again at the next pass.
            try? await self.gateway.deleteDeliveredEvents()
        }
    }
}
