//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Logging
import MemoryStore
import Synchronization
import TestGateway
import Testing
import Time

@testable import Workers

/// How many statements the workers need to know whether they may act by the time.
struct ClockLookTests {
    @Test func workersOfANodeAskTheDatabaseForItsTimeOnceTogether() async throws {
        let looksCount = Mutex(0)
        let now = ContinuousClock.now
        let test = try await TestGateway.open { parts in
            let clock = parts.clock
            parts.store = ClockedStore(MemoryStore()) {
                looksCount.withLock { $0 += 1 }
                return clock()
            }
            parts.steadyClock = { now }
        }
        let logger = Logger(label: "workers-tests") { _ in SwiftLogNoOpLogHandler() }
        let approvals = ApprovalWorker(gateway: test.gateway, plans: [], logger: logger) { _ in }
        let refusals = RefusalWorker(
            journal: RefusalJournal(test.gateway, services: []), logger: logger, sleep: { _ in })
        await approvals.pass()
        await refusals.pass(sweeping: true)
        try await test.gateway.sweep()
        #expect(looksCount.withLock { $0 } == 1)
        // What others have given up is decided by the database's time alone.
        _ = await test.gateway.leaseRecoveries(limit: 1)
        _ = await test.gateway.leaseCaptures(limit: 1)
        #expect(looksCount.withLock { $0 } == 3)
    }
}
