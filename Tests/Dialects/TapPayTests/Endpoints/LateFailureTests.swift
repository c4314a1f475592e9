//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import TapPay

/// What failed after it was approved is not shown with the approval's codes.
@Suite struct LateFailureTests {
    private static func fail(
        _ kind: PaymentOperation.Kind, _ reason: DeclineReason, code: String?, in shop: BackEndShop
    ) async throws {
        let payment = try #require(try await shop.test.payments().first)
        let operation = try #require(payment.operations.last { $0.kind == kind })
        let late = AcquirerNotice.Event.failedLate(reason, AcquirerAnswer(responseCode: code))
        #expect(try await shop.test.report(late, of: operation.id, reference: "late") == .booked)
    }

    @Test(arguments: [(nil, "59"), ("93", "93")])
    func anAuthorizationHasTheCodesOfItsEnd(reported: String?, shown: String) async throws {
        let shop = try await BackEndShop.open()
        let urls: JSON = [
            "frontend_redirect_url": .string(BackEndShop.redirectURL),
            "backend_notify_url": .string(BackEndShop.notifyURL),
        ]
        let trade = try await shop.pay(100, changing: ["result_url": urls]).recTradeID
        #expect(try await shop.record(trade)["bank_result_code"]?.string == "00")
        try await Self.fail(.authorization, .suspectedFraud, code: reported, in: shop)
        let record = try await shop.record(trade)
        #expect(record["bank_result_code"]?.string == shown && record["auth_code"]?.string == "")
        let history = try await shop.follow("trade-history", trade).json["trade_history"]?.array ?? []
        #expect(history.map { $0["bank_result_code"]?.string } == [shown])
        let sent = try await shop.test.deliverAll(through: shop.tapPay) { _ in (200, "") }
        let bodies = try sent.map { try JSON.parse($0.notification.body) }
        #expect(bodies.map { $0["bank_result_code"]?.string } == ["00", shown], "the first says what was so then")
        #expect(bodies.last?["auth_code"]?.string == "" && bodies.last?["status"]?.integer == 10003)
    }

    @Test func whatStandsKeepsItsCodes() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid()
        try await Self.fail(.capture, .doNotHonor, code: nil, in: shop)
        let history = try await shop.follow("trade-history", trade).json["trade_history"]?.array ?? []
        #expect(history.map { $0["bank_result_code"]?.string } == ["00", "05"])
        #expect(try await shop.record(trade)["bank_result_code"]?.string == "00")
    }
}
