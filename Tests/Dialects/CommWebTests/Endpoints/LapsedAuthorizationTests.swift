//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// An authorization that the acquirer holds no longer, by its own word.
@Suite struct LapsedAuthorizationTests {
    private static let holdSeconds = SimulatorBehavior.usualHoldSeconds

    @Test func captureIsTakenUntilTheEndAndDeclinedAfterIt() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        shop.test.clock.advance(seconds: Self.holdSeconds - 1)
        #expect(try await shop.follow("CAPTURE", "o1", "c1", amount: "4.00").summary == "SUCCESS APPROVED")
        shop.test.clock.advance(seconds: 1)
        let late = try await shop.follow("CAPTURE", "o1", "c2", amount: "6.00")
        #expect(late.summary == "FAILURE NOT_SUPPORTED" && late["response.acquirerCode"] == "12")
        #expect(late["response.gatewayRecommendation"] == "DO_NOT_PROCEED")
        #expect(late.order == "4.00/0.00 of 10.00: PARTIALLY_CAPTURED")
        let raise = try await shop.follow("UPDATE_AUTHORIZATION", "o1", "u", amount: "11.00")
        #expect(raise.summary == "FAILURE NOT_SUPPORTED")
        // The acquirer's own words are kept for whoever operates the gateway.
        let capture = try await shop.test.payments().first?.operations.last { $0.kind == .capture }
        #expect(capture?.answer.vendorCode == "authorizationExpired")
        #expect(try await shop.follow("REFUND", "o1", "r", amount: "4.00", target: "c1").summary == "SUCCESS APPROVED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func canBeVoidedAfterItsEnd() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        shop.test.clock.advance(seconds: Self.holdSeconds)
        #expect(try await shop.follow("CAPTURE", "o1", "c", amount: "10.00").summary == "FAILURE NOT_SUPPORTED")
        #expect(try await shop.void("o1", "v", target: "a").order == "0.00/0.00 of 0.00: CANCELLED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }
}
