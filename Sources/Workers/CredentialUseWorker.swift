//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Logging
public import ServiceLifecycle

/// Writes which credentials are in use, beside the way of payments, until the process stops.
public struct CredentialUseWorker: Service {
    static let pauseMilliseconds: Int64 = 1000

    let gateway: Gateway
    let logger: Logger
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        gateway: Gateway, logger: Logger, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.gateway = gateway
        self.logger = logger
        self.sleep = sleep
    }

    public func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) { await self.pass() }
    }

    /// One pass. What the store does not take now waits for the next.
    func pass() async {
        do {
            try await self.gateway.writeCredentialUses()
        } catch {
            self.logger.warning("uses of credentials cannot be written", metadata: ["reason": "\(error)"])
        }
    }
}
