//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
public import DialectKit
public import Gateway
public import Logging
public import ServiceLifecycle

/// Ends what nobody has approved in time, and finishes refunds that were approved when the process died, until the process
/// stops.
public struct ApprovalWorker: Service {
    static let pauseMilliseconds: Int64 = 15_000

    let gateway: Gateway
    let plans: [AccountPlan]
    let logger: Logger
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        gateway: Gateway, plans: [AccountPlan], logger: Logger,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.gateway = gateway
        self.plans = plans
        self.logger = logger
        self.sleep = sleep
    }

    public func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) { await self.pass() }
    }

    /// One pass. What fails is tried again at the next.
    func pass() async {
        let (administration, plans) = (self.gateway.administration, self.plans)
        // Neither keeps the other from being done.
        await self.attempt { try await administration.finishApprovedRefunds(plans: plans) }
        await self.attempt { try await administration.expireApprovals() }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            self.logger.warning("approvals cannot be looked after", metadata: ["reason": "\(type(of: error))"])
        }
    }
}
