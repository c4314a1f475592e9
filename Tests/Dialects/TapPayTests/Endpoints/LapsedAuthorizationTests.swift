//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// An authorization that the bank holds no longer, by its own word; and that every plan of a capture comes before that.
@Suite struct LapsedAuthorizationTests {
    private static let holdSeconds = SimulatorBehavior.usualHoldSeconds

    @Test func theLatestPlanIsKept() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(changing: ["delay_capture_in_days": 30]).recTradeID
        shop.test.clock.advance(seconds: 29 * 86_400)
        #expect(await shop.test.gateway.captureDue() == 0)
        shop.test.clock.advance(seconds: 2 * 86_400)
        #expect(await shop.test.gateway.captureDue() == 1)
        #expect(try await shop.test.bookedCount(.capture) == 1)
        #expect(try await shop.record(trade)["is_captured"] == true)
    }

    @Test func captureIsTakenUntilTheEndAndDeclinedAfterIt() async throws {
        let shop = try await BackEndShop.open()
        let never = ["delay_capture_in_days": -1] as [String: JSON?]
        let (early, late) = (try await shop.pay(changing: never).recTradeID, try await shop.pay(changing: never))
        shop.test.clock.advance(seconds: Self.holdSeconds - 1)
        #expect(try await shop.follow("cap", early).status == 0)
        shop.test.clock.advance(seconds: 1)
        let declined = try await shop.follow("cap", late.recTradeID)
        #expect(declined.status == 10023 && declined["bank_result_code"] == "12", "\(declined)")
        #expect(declined.detail.contains("holds the authorization no longer"))
        #expect(try await shop.record(late.recTradeID)["is_captured"] == false)
        // It is given back as ever.
        #expect(try await shop.follow("refund", late.recTradeID).status == 0)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// A gateway that did not run in time: the plan is tried, and declined.
    @Test func planThatComesTooLateCapturesNothing() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(changing: ["delay_capture_in_days": 30]).recTradeID
        shop.test.clock.advance(seconds: Self.holdSeconds)
        #expect(await shop.test.gateway.captureDue() == 1)
        #expect(try await shop.test.bookedCount(.capture) == 0)
        #expect(try await shop.record(trade)["is_captured"] == false)
    }
}
