//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Settings
import Synchronization
import Testing
import Time

@testable import ConnectorKit

/// How long an account's calls may take, as the account says it.
@Suite struct DeadlineSettingTests {
    private static func calls(_ settings: [String: String]) async throws -> ClientCalls {
        let client = UpstreamClient()
        let address = try #require(UpstreamAddress("http://127.0.0.1:1"))
        let account = OpenedAcquirerAccount(
            id: Identifier(at: Timestamp(seconds: 1), random: Array(repeating: 1, count: 10)), mode: .sandbox,
            settings: settings)
        let calls = UpstreamParts(client: client).calls(of: account, to: address, try UpstreamTLS())
        await client.shutdown()
        return calls
    }

    @Test func areThirtyAndTwentySecondsIfLeftOut() async throws {
        let calls = try await Self.calls([:])
        #expect(calls.limits.chargeMilliseconds == 30_000 && calls.limits.otherMilliseconds == 20_000)
        #expect(calls.limits.connectMilliseconds == 3000)
        #expect(calls.quietSeconds == 90)
    }

    @Test func areTheAccounts() async throws {
        let calls = try await Self.calls(["chargeSeconds": "45", "otherSeconds": "50"])
        #expect(calls.limits.chargeMilliseconds == 45_000 && calls.limits.otherMilliseconds == 50_000)
        #expect((44_000...45_000).contains(calls.chargeBudget.remainingMilliseconds))
        #expect((49_000...50_000).contains(calls.budget.remainingMilliseconds))
        // What was never heard of is so for as long as the longest call and a proxy could still bring it.
        #expect(calls.quietSeconds == 110)
    }

    /// What was prepared has taken its part of the gateway's own time.
    @Test func endBeforeTheGatewayStopsWaiting() async throws {
        let calls = try await Self.calls([:])
        await AcquirerCallTime.limited(to: 13_125) {
            #expect((12_000...13_125).contains(calls.chargeBudget.remainingMilliseconds))
            #expect((12_000...13_125).contains(calls.budget.remainingMilliseconds))
        }
        await AcquirerCallTime.limited(to: 25_000) {
            #expect((24_000...25_000).contains(calls.chargeBudget.remainingMilliseconds))
            #expect((19_000...20_000).contains(calls.budget.remainingMilliseconds))
        }
    }

    /// An operation may be made of several calls, and has one time for them all.
    @Test func aSecondCallHasWhatTheFirstHasLeft() async throws {
        let calls = try await Self.calls([:])
        let left = Mutex<Int64>(10_000)
        await AcquirerCallTime.limited(to: left.withLock { $0 }) {
            #expect((9000...10_000).contains(calls.budget.remainingMilliseconds))
            left.withLock { $0 = 4000 }
            #expect((3000...4000).contains(calls.budget.remainingMilliseconds))
            left.withLock { $0 = 0 }
            #expect(calls.budget.remainingMilliseconds == 0)
        }
        #expect((19_000...20_000).contains(calls.budget.remainingMilliseconds))
    }

    @Test(arguments: ["4", "121", "0", "-5", "30.5", "030s", "", "99999999999999999999"])
    func refusesOthers(_ value: String) {
        for setting in UpstreamDeadlines.settings { #expect(setting.rule(value)?.contains("5 to 120") == true) }
    }

    @Test func takesBothBounds() {
        for setting in UpstreamDeadlines.settings {
            #expect(setting.rule("5") == nil && setting.rule("120") == nil)
        }
    }
}
