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

    @Test func captureIsTakenUntilTheEnd() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.test.clock.advance(seconds: Self.holdSeconds - 1)
        #expect(try await shop.send(ShopForm.capture(txid, 1000)).status == "APPROVED")
    }

    @Test func captureAfterTheEndIs101() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.test.clock.advance(seconds: Self.holdSeconds)
        let capture = ShopForm.capture(txid, 1000)
        let late = try await shop.send(capture)
        #expect(late.status == "ERROR" && late.errorCode == 101)
        #expect(late.message.hasPrefix("The authorisation has expired."))
        #expect(try await shop.send(capture) == late, "the same request has the same answer")
        #expect(try await shop.payment().capturedAmount == TestShop.euros(0))
        // Nothing of it can be had any more, and it is given back as ever.
        let canceled = try await shop.send(ShopForm.capture(txid, 0, sequenceNumber: 2))
        #expect(canceled.status == "APPROVED")
        #expect(try await shop.payment().state == .voided)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Who was answered PENDING is notified of the reason.
    @Test func captureWhoseAnswerWasLostIsNotifiedAs101() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        _ = try await shop.sent()
        shop.test.clock.advance(seconds: Self.holdSeconds)
        shop.direct(.capture, .dropAfterBooking)
        #expect(try await shop.send(ShopForm.capture(txid, 1000)).status == "PENDING")
        await shop.test.recover()
        #expect(try await shop.sent().filter { $0["txaction"] == "failed" }.map { $0["reasoncode"] } == ["101"])
    }

    /// What the authorization is in no state for while it is held is no matter of time.
    @Test func otherDeclinesAreNot101() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.capture, .decline(.invalidOperation))
        #expect(try await shop.send(ShopForm.capture(txid, 1000)).errorCode == 12)
    }
}
