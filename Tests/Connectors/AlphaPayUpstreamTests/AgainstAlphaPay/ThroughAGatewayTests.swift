//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

/// The whole way: a shop's payment through a gateway whose merchant has an account with AlphaPay.
@Suite struct ThroughAGatewayTests {
    @Test func paysAndRefunds() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(5000)
            #expect(paid.operation.state == .succeeded)
            #expect(try await front.refund(2000, of: paid.payment.id).operation.state == .succeeded)
            #expect(try await front.refund(3000, of: paid.payment.id).operation.state == .succeeded)
            #expect(try await front.payment(paid.payment.id).state == .refunded)
            let position = try await front.vendor.positions()[paid.operation.id.text]
            #expect(position?.captured == (try Bench.money(5000)))
            #expect(position?.refunded == (try Bench.money(5000)))
            #expect(try await front.ledgerProblems().isEmpty)
            #expect(try await front.receiveNotices().allSatisfy(front.vendor.isAcknowledged))
        }
    }

    @Test func declineIsADecline() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(5757)
            #expect(paid.operation.state == .failed(.declined(.doNotHonor)))
        }
    }

    /// The order is durable before it is paid, so that it can be asked after.
    @Test func lostAnswerIsFound() async throws {
        try await Front.with { front, proxy in
            // Of the order the answer arrives; of the payment it does not.
            let paid = try await front.pay(5858)
            #expect(paid.operation.state == .unknown)
            await front.vendor.test.recover()
            proxy.set(.none)
            await front.test.recover()
            #expect(try await front.payment(paid.payment.id).state == .captured)
            #expect(try await front.ledgerProblems().isEmpty)
        }
    }

    /// Nobody has paid the order, and after its cancellation nobody will.
    @Test func paymentThatNeverArrivedIsEndedByCanceling() async throws {
        try await Front.with { front, proxy in
            // An order is shorter than a payment with its token, so that only that is cut.
            proxy.set(.cutRequest(after: 3000))
            let paid = try await front.pay(5000)
            #expect(paid.operation.state == .unknown)
            proxy.set(.none)
            await front.test.recover()
            #expect(try await front.payment(paid.payment.id).state == .reversed)
            #expect(try await front.vendor.positions().isEmpty)
        }
    }

    @Test func whatNobodyKnowsIsTakenBackOnceItIsKnown() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(6363)
            #expect(paid.operation.state == .unknown)
            // It is under way at AlphaPay, which neither knows nor cancels it.
            await front.test.recover()
            #expect(try await front.payment(paid.payment.id).operation(paid.operation.id)?.state.isResolved == false)
            await front.vendor.test.recover()
            await front.test.recover()
            #expect(try await front.payment(paid.payment.id).authorization?.state.isResolved == true)
            #expect(try await front.payment(paid.payment.id).capturedAmount.isPositive == false)
            #expect(try await front.ledgerProblems().isEmpty)
        }
    }

    // MARK: - Notices

    @Test func noticeEndsAPaymentThatIsOpen() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(5858)
            #expect(paid.operation.state == .unknown)
            await front.vendor.test.recover()
            let notices = try await front.vendor.notifications()
            #expect(notices.count == 1)
            // Twice, and it is booked once.
            for _ in 0..<2 {
                for notice in notices {
                    let answer = await front.test.gateway.receive(notice.asCall, for: front.account.id)
                    #expect(front.vendor.isAcknowledged(answer))
                }
            }
            #expect(try await front.payment(paid.payment.id).state == .captured)
            #expect(try await front.ledgerProblems().isEmpty)
            // What it left is enough for a refund.
            #expect(try await front.refund(5858, of: paid.payment.id).operation.state != .pending)
        }
    }

    @Test func noticesInAnyOrderSayWhatIsKnown() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(5000)
            _ = try await front.refund(2000, of: paid.payment.id)
            let before = try await front.payment(paid.payment.id)
            let notices = try await front.vendor.notifications()
            #expect(notices.count == 2)
            for notice in notices.reversed() + notices {
                let answer = await front.test.gateway.receive(notice.asCall, for: front.account.id)
                #expect(front.vendor.isAcknowledged(answer))
            }
            #expect(try await front.payment(paid.payment.id) == before)
        }
    }

    @Test func forgedNoticeChangesNothing() async throws {
        try await Front.with { front, _ in
            let paid = try await front.pay(5858)
            await front.vendor.test.recover()
            for notice in try await front.vendor.notifications() {
                var body = notice.body
                body.append(UInt8(ascii: " "))
                let forged = NoticeCall(headers: notice.asCall.headers, body: body)
                #expect(await front.test.gateway.receive(forged, for: front.account.id).status == 401)
            }
            #expect(try await front.payment(paid.payment.id).authorization?.state == .unknown)
        }
    }
}
