//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import TestGateway
import Testing

@testable import Radial

/// An authorization that the acquirer holds no longer, by its own word.
@Suite struct LapsedAuthorizationTests {
    private static let holdSeconds = SimulatorBehavior.usualHoldSeconds

    @Test func fundsAreConfirmedAndSettledUntilTheEnd() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        shop.test.clock.advance(seconds: Self.holdSeconds - 1)
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Success")
        #expect(try await shop.settle(token, "100.00", request: "s1")["ResponseCode"] == "Success")
    }

    @Test func fundsAreNotConfirmedNorSettledAfterTheEnd() async throws {
        let shop = try await RadialShop.open(usesLists: false)
        let token = try await shop.authorized(10_000)
        #expect(try await shop.settle(token, "40.00", request: "s1")["ResponseCode"] == "Success")
        _ = try await shop.events()
        shop.test.clock.advance(seconds: Self.holdSeconds)
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Fail")
        _ = try await shop.settle(token, "60.00", request: "s2")
        let event = try #require(try await shop.events().first)
        #expect(event.child("SettlementStatus")?.text == "R")
        #expect(event.child("DeclineReason")?.text == "NoAuthFoundException")
        // The rest is canceled as ever, and what was settled in time can be credited.
        #expect(try await shop.cancel(token, "60.00")["ResponseCode"] == "Success")
        #expect(try await shop.settle(token, "40.00", "Credit", request: "s3")["ResponseCode"] == "Success")
        #expect(try await shop.test.bookProblems().isEmpty)
    }
}
