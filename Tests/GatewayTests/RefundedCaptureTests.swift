//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// Of which capture refunds take their money that name none, at acquirers that give back a part of one capture at a time.
struct RefundedCaptureTests {
    /// 6.00 and 4.00 captured.
    private static func captured(oneAtATime: Bool = true) async throws -> (Shop, PaymentID, [OperationID]) {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.refundsOneCapture = oneAtATime })
            }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        let captures = [
            try await shop.capture(money(6_00), of: id).operation.id,
            try await shop.capture(money(4_00), of: id).operation.id,
        ]
        return (shop, id, captures)
    }

    /// The captures that the acquirer was asked to refund, in order.
    private static func asked(_ shop: Shop) throws -> [OperationID?] {
        try #require(shop.acquirer as? InterceptingAcquirer).calls("refund").map { call in
            guard case .refund(_, let capture) = call.request?.action else { return nil }
            return capture?.id
        }
    }

    @Test(arguments: [[Int64(4_00), 6_00], [6_00, 4_00], [1_00, 6_00, 3_00]])
    func everyOrderOfRefundsGivesAllBack(amounts: [Int64]) async throws {
        let (shop, id, captures) = try await Self.captured()
        for amount in amounts {
            let refund = try await shop.refund(money(amount), of: id)
            #expect(refund.operation.state == .succeeded)
            #expect(refund.operation.target == captures[amount == 6_00 ? 0 : 1])
        }
        #expect(try Self.asked(shop) == amounts.map { captures[$0 == 6_00 ? 0 : 1] })
        #expect(try await shop.payment(id).state == .refunded)
        try await expectAgreement(shop)
    }

    @Test func isRefusedWhereNoCaptureHasEnough() async throws {
        let (shop, id, _) = try await Self.captured()
        for amount in [money(6_01), money(10_00), nil] {
            await expectRefusal(.payment(.refundExceedsCaptured)) { _ = try await shop.refund(amount, of: id) }
        }
        #expect(try Self.asked(shop).isEmpty)
        #expect(try await shop.payment(id).operations.count { $0.kind == .refund } == 0)
        #expect(try await shop.refund(money(6_00), of: id).operation.state == .succeeded)
    }

    /// What is under way of one capture is in the way of all that is left of it, and of no other.
    @Test func allOfACaptureWaitsForItsOwnRefunds() async throws {
        let (shop, id, captures) = try await Self.captured()
        func all(of capture: OperationID) async throws -> OperationOutcome {
            try await shop.gateway.followUp(shop.followUp(.refund(nil, of: .operation(capture)), of: id))
        }
        shop.script.append(.init(.refund, .nth(1), fault: .dropBeforeBooking))
        let lost = try await shop.refund(money(6_00), of: id).operation
        #expect(lost.state == .unknown && lost.target == captures[0])
        await expectRefusal(.payment(.refundPending)) { _ = try await all(of: captures[0]) }
        await expectRefusal(.payment(.refundPending)) { _ = try await shop.refund(nil, of: id) }
        #expect(try await all(of: captures[1]).operation.amount == money(4_00))
        try await shop.recoverUntilSettled()
        let rest = try await all(of: captures[0])
        #expect(rest.operation.amount == money(6_00) && rest.payment.state == .refunded)
        try await expectAgreement(shop)
    }

    @Test func whoeverRefundsAllAtOnceNamesNone() async throws {
        let (shop, id, _) = try await Self.captured(oneAtATime: false)
        let refund = try await shop.refund(nil, of: id)
        #expect(refund.operation.target == nil && refund.payment.state == .refunded)
        try await expectAgreement(shop)
    }

    /// A version before this one kept no capture with a refund: which it had sent is found by its own rule, the first that
    /// had enough left.
    @Test func refundOfAnEarlierVersionIsSentAgainAsItWas() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.recovery = .reports(repeats: true) })
            }
        }
        let id = try await shop.authorize(money(10_00)).payment.id
        let first = try await shop.capture(money(6_00), of: id).operation.id
        _ = try await shop.capture(money(4_00), of: id)
        // To an acquirer that does not refund one at a time: nothing is kept.
        shop.script.append(.init(.refund, .first(1), fault: .dropAfterBooking))
        let refund = try await shop.refund(money(4_00), of: id)
        #expect(refund.operation.state == .unknown && refund.operation.target == nil)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(refund).state == .succeeded)
        #expect(try Self.asked(shop) == [first, first])
    }
}
