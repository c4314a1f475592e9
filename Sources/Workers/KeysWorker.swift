//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import ServiceLifecycle

/// Learns of data keys that a rotation has made or retired, and counts what is sealed, until the process stops.
public struct KeysWorker: Service {
    static let pauseMilliseconds: Int64 = 10_000

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    public func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            // What fails is logged by the gateway, and tried again at the next pass.
            try? await self.gateway.reloadKeys()
            try? await self.gateway.countSealedMessages()
        }
    }
}
