//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import ServiceLifecycle

/// Learns of data keys that a rotation has made or retired, and counts what is sealed, until the process stops.
struct KeysWorker: Service {
    static let pauseMilliseconds: Int64 = 10_000

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            // What fails is logged by the gateway, and tried again at the next pass.
            try? await self.gateway.reloadKeys()
            try? await self.gateway.countSealedMessages()
        }
    }
}
