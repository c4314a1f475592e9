//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import Testing

/// A chargeback is held against the capture that the acquirer's notice names.
struct ChargebackTests {
    /// 60 and 40 captured.
    private static func captured(_ shop: Shop) async throws -> (payment: PaymentID, captures: [OperationID]) {
        let payment = try await shop.authorize(money(100_00)).payment.id
        var captures: [OperationID] = []
        for amount in [60_00, 40_00] as [Int64] {
            captures.append(try await shop.capture(money(amount), of: payment).operation.id)
        }
        return (payment, captures)
    }

    private static func report(
        _ minorUnits: Int64, of operation: OperationID, _ name: String, _ upstream: Upstream
    ) async {
        await upstream.report(
            "chargeback", of: operation,
            ["amount": Upstream.json(money(minorUnits)), "reference": .string(name)])
    }

    /// What can be refunded of each capture of which anything is left.
    private static func left(_ payment: PaymentID, _ shop: Shop) async throws -> [OperationID: Money] {
        let bounds = try await shop.gateway.administration.possibleActs(of: payment, plans: []).refund.bounds
        return Dictionary(uniqueKeysWithValues: (bounds?.captures ?? []).map { ($0.capture, $0.left) })
    }

    @Test func chargebackOfACaptureLeavesTheOtherToBeRefunded() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let (payment, captures) = try await Self.captured(shop)
        await Self.report(60_00, of: captures[0], "cb", upstream)
        let chargeback = try #require(try await shop.payment(payment).operations.last)
        #expect(chargeback.kind == .chargeback && chargeback.target == captures[0])
        #expect(try await Self.left(payment, shop) == [captures[1]: money(40_00)])
        await expectRefusal(.payment(.alreadyRefunded)) {
            _ = try await shop.gateway.followUp(
                shop.followUp(.refund(money(40_00), of: .operation(captures[0])), of: payment))
        }
        let refund = try await shop.gateway.followUp(
            shop.followUp(.refund(nil, of: .operation(captures[1])), of: payment))
        #expect(refund.operation.state == .succeeded && refund.operation.amount == money(40_00))
        #expect(try await upstream.problems() == [])
    }

    /// The acquirer has done it, whatever our books have left of the capture.
    @Test func moreThanTheCaptureIsBookedAndLogged() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let shop = upstream.shop
        let (payment, captures) = try await Self.captured(shop)
        await Self.report(40_00, of: captures[1], "1", upstream)
        #expect(!log.text.contains("more than the capture"))
        await Self.report(20_00, of: captures[1], "2", upstream)
        #expect(log.text.contains("chargebacks are more than the capture that they name"))
        #expect(try await shop.payment(payment).chargedBackAmount == money(60_00))
        #expect(try await Self.left(payment, shop) == [captures[0]: money(40_00)])
        #expect(try await upstream.problems() == [])
    }

    /// What the notice only guesses by naming the order is held against the payment.
    @Test func noticeOfTheOrderNamesNoCapture() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let (payment, _) = try await Self.captured(shop)
        let authorization = try #require(try await shop.payment(payment).opening).id
        await Self.report(60_00, of: authorization, "cb", upstream)
        #expect(try await shop.payment(payment).operations.last?.target == nil)
        #expect(try await shop.payment(payment).refundableAmount == money(40_00))
    }
}
