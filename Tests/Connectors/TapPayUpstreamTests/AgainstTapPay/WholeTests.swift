//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// Whole payments: a shop's gateway, the connector, HTTP, and another gateway that opens the token.
@Suite struct WholeTests {
    @Test func paymentGoesItsWay() async throws {
        try await TwoGateways.with { gateways in
            let payment = try await gateways.authorize(500_000).payment
            #expect(payment.state == .authorized)
            #expect(try await gateways.follow(.capture(nil, isFinal: true), of: payment.id).state == .succeeded)
            let part = try Bench.money(100_000)
            let refund = try await gateways.follow(.refund(part), of: payment.id)
            #expect(refund.state == .succeeded)
            #expect(try await gateways.follow(.refund(part), of: payment.id).state == .succeeded)
            try await gateways.expectAgreement(on: payment, captured: 500_000, refunded: 200_000)
            #expect(try await gateways.follow(.void(.operation(refund.id)), of: payment.id).state == .succeeded)
            try await gateways.expectAgreement(on: payment, captured: 500_000, refunded: 100_000)
        }
    }

    @Test func captureInPartsIsRefusedBeforeAnythingIsSent() async throws {
        try await TwoGateways.with { gateways in
            let payment = try await gateways.authorize(500_000).payment
            let part = try Bench.money(100_000)
            await #expect(throws: GatewayRefusal.operationNotSupported) {
                _ = try await gateways.follow(.capture(part, isFinal: true), of: payment.id)
            }
            try await gateways.expectAgreement(on: payment)
        }
    }

    @Test func voidsOfAuthorizationsAndCaptures() async throws {
        try await TwoGateways.with { gateways in
            let payment = try await gateways.authorize(500_000).payment
            let capture = try await gateways.follow(.capture(nil, isFinal: true), of: payment.id)
            #expect(try await gateways.follow(.void(.operation(capture.id)), of: payment.id).state == .succeeded)
            #expect(try await gateways.follow(.void(nil), of: payment.id).state == .succeeded)
            try await gateways.expectAgreement(on: payment)
        }
    }

    @Test func declineIsADecline() async throws {
        try await TwoGateways.with { gateways in
            let outcome = try await gateways.authorize(575_700)
            #expect(outcome.operation.state == .failed(.declined(.doNotHonor)))
        }
    }

    // MARK: - Lost answers

    /// The other gateway's bank has approved, and nobody heard of it; its notice is the reason to ask.
    @Test func lostAnswerIsFoundByANotice() async throws {
        try await TwoGateways.with { gateways in
            gateways.other.test.script.append(SimulatorScript.Rule(.authorize, fault: .dropAfterBooking))
            let lost = try await gateways.authorize(500_000)
            #expect(lost.operation.state == .unknown)
            await gateways.other.test.recover()
            let calls = try await gateways.other.reports()
            #expect(calls.count == 1)
            // Twice: what is known by then is not asked for again.
            for call in calls + calls {
                #expect(await gateways.front.receive(call).status == 200)
                _ = await gateways.first.gateway.recover()
            }
            #expect(try await gateways.state(of: lost.operation) == .succeeded)
            try await gateways.expectAgreement(on: lost.payment)
        }
    }

    @Test func forgedNoticeChangesNothing() async throws {
        try await TwoGateways.with { gateways in
            let paid = try await gateways.authorize(500_000)
            let name = paid.operation.id.shortName
            for body in [#"{"bank_transaction_id":"\#(name)","status":10003}"#, "{}"] {
                let call = NoticeCall(headers: [:], body: Array(body.utf8))
                #expect(await gateways.front.receive(call).status == 200)
            }
            let stranger = NoticeCall(headers: [:], body: Array(#"{"bank_transaction_id":"ZZZZZZZZZZZZZZZZ"}"#.utf8))
            #expect(await gateways.front.receive(stranger).status == 404)
            await gateways.first.recover()
            #expect(try await gateways.state(of: paid.operation) == .succeeded)
        }
    }

    @Test func paymentThatCameToNothingIsReversed() async throws {
        try await TwoGateways.with { gateways in
            gateways.other.test.script.append(SimulatorScript.Rule(.authorize, fault: .dropBeforeBooking))
            let lost = try await gateways.authorize(500_000)
            #expect(lost.operation.state == .unknown)
            await gateways.other.test.recover()
            await gateways.first.recover()
            #expect(try await gateways.state(of: lost.operation) == .failed(.reversed))
        }
    }

    @Test func captureThatNobodyHeardOfIsNotProcessedOnceItIsQuiet() async throws {
        try await TwoGateways.with { gateways in
            let payment = try await gateways.authorize(500_000).payment
            gateways.other.test.script.append(SimulatorScript.Rule(.capture, .nth(1), fault: .dropBeforeBooking))
            let capture = try await gateways.follow(.capture(nil, isFinal: true), of: payment.id)
            #expect(capture.state == .unknown)
            await gateways.other.test.recover()
            // The quiet time is 180 seconds, and it may have left 42 after it was begun.
            for seconds in [120, 100] as [Int64] {
                gateways.first.clock.advance(seconds: seconds)
                _ = await gateways.first.gateway.recover()
                #expect(try await gateways.state(of: capture) == .unknown)
            }
            gateways.first.clock.advance(seconds: 60)
            _ = await gateways.first.gateway.recover()
            #expect(try await gateways.state(of: capture) == .failed(.notProcessed(.neverArrived)))
            #expect(try await gateways.follow(.capture(nil, isFinal: true), of: payment.id).state == .succeeded)
            try await gateways.expectAgreement(on: payment, captured: 500_000)
        }
    }

    /// Two refunds of one amount, of which the first is lost on its way: the second is not taken for it.
    @Test(arguments: [SimulatorFault.dropBeforeBooking, .dropAfterBooking])
    func lostRefundIsNotTakenForAnother(_ fault: SimulatorFault) async throws {
        try await TwoGateways.with { gateways in
            let payment = try await gateways.authorize(500_000).payment
            _ = try await gateways.follow(.capture(nil, isFinal: true), of: payment.id)
            let part = try Bench.money(100_000)
            gateways.other.test.script.append(SimulatorScript.Rule(.refund, .nth(1), fault: fault))
            let lost = try await gateways.follow(.refund(part), of: payment.id)
            let other = try await gateways.follow(.refund(part), of: payment.id)
            #expect(lost.state == .unknown && other.state == .succeeded)
            await gateways.other.test.recover()
            await gateways.first.recover()
            let isDone = fault == .dropAfterBooking
            #expect(
                try await gateways.state(of: lost) == (isDone ? .succeeded : .failed(.declined(.unspecified))))
            #expect(try await gateways.state(of: other) == .succeeded)
            try await gateways.expectAgreement(on: payment, captured: 500_000, refunded: isDone ? 200_000 : 100_000)
        }
    }
}
