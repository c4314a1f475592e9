//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// Payments of this wire are captured with their authorization: there is no hold that could end.
@Suite struct LapsedAuthorizationTests {
    @Test func paymentsHaveNoEnd() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1000)
        let authorization = try await shop.test.payments().first?.authorization
        #expect(authorization != nil && authorization?.answer.authorizationExpiresAt == nil)
        shop.clock.advance(seconds: SimulatorBehavior.usualHoldSeconds)
        #expect(try await shop.inquire(paymentID)["paymentStatus"] == "SUCCESS")
        #expect(try await shop.refund(paymentID, "400", id: "r1").result == "SUCCESS S")
        #expect(try await shop.test.bookProblems().isEmpty)
    }
}
