//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@Suite struct HappyPathTests {
    @Test func ordersPaysRefundsAndInquires() async throws {
        let shop = try await TestShop.open()

        let order = try await shop.order("1099", id: "order-1")
        #expect(order.httpStatus == 200 && order.isSigned)
        #expect(order.result == "PAYMENT_IN_PROCESS U")
        #expect(order["paymentRequestId"] == "order-1")
        #expect(order["paymentCreateTime"] == "2026-06-15T12:00:00Z")
        #expect(order["paymentExpireTime"] == "2026-06-15T12:30:00Z")
        #expect(
            order.json["applePayParams"] == [
                "orderId": .string(order.paymentID), "merchantIdentifier": "merchant.com.example.shop",
                "countryCode": "CA", "currencyCode": "CAD", "label": "Demo Merchant", "amount": "10.99",
                "supportedNetworks": ["visa", "masterCard", "amex"],
                "merchantCapabilities": ["supports3DS", "supportsCredit", "supportsDebit"],
            ])

        let waiting = try await shop.inquire(order.paymentID)
        #expect(waiting.result == "PAYMENT_IN_PROCESS S" && waiting["paymentStatus"] == "PAYMENT_IN_PROCESS")

        shop.clock.advance(seconds: 60)
        let paid = try await shop.pay(order.paymentID, 1099)
        #expect(paid.httpStatus == 200 && paid.isSigned && paid.message == "success")
        #expect(paid.result == "SUCCESS S", "\(paid.message)")
        #expect(paid["paymentStatus"] == "SUCCESS")
        #expect(paid["paymentRequestId"] == "order-1" && paid.paymentID == order.paymentID)
        #expect(paid["paymentTime"] == "2026-06-15T12:01:00Z")
        let bookEntries = try await shop.book.entries()
        #expect(bookEntries.count == 1 && bookEntries.first?.captures == true)
        #expect(paid["transactionId"] != nil)

        let refund = try await shop.refund(order.paymentID, "99", id: "refund-1")
        #expect(refund.isSigned && refund.result == "SUCCESS S")
        #expect(refund["refundRequestId"] == "refund-1" && refund.paymentID == order.paymentID)
        #expect(
            refund.json["refund"] == ["refundAmount": ["value": "99", "currency": "CAD"], "description": "Bruised"])
        #expect(refund["refundTime"] == "2026-06-15T12:01:00Z")

        let inquired = try await shop.call("inquiryRefund", ["refundId": .string(refund.refundID)])
        #expect(inquired.result == "SUCCESS S" && inquired["refundStatus"] == "SUCCESS")
        #expect(inquired["refundRequestId"] == "refund-1")

        let payment = try await shop.inquire(order.paymentID)
        #expect(payment.result == "SUCCESS S" && payment["paymentStatus"] == "PARTIAL_REFUND")
        #expect(payment["scenarioCode"] == "APPLE_PAY")
        #expect(
            payment.json["order"] == [
                "orderAmount": ["value": "1099", "currency": "CAD"], "description": "Two pounds of apples",
                "notifyUrl": "https://shop.example/notify",
            ])
        #expect(payment["paymentTime"] == paid["paymentTime"] && payment["transactionId"] == paid["transactionId"])

        let rest = try await shop.refund(order.paymentID, "1000", id: "refund-2")
        #expect(rest.result == "SUCCESS S")
        #expect(try await shop.inquire(order.paymentID)["paymentStatus"] == "FULL_REFUND")
    }

    @Test(arguments: ["visa", "visa-debit", "mastercard", "amex", "discover", "jcb"])
    func takesCardsOfEachNetwork(name: String) async throws {
        let shop = try await TestShop.open()
        let card = try #require(SimulatedCard.named(name))
        let order = try await shop.order("2500")
        #expect(try await shop.pay(order.paymentID, 2500, card: card).result == "SUCCESS S")
    }

    @Test func cancelsAnOrderThatIsNotPaid() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099", id: "order-1")
        let canceled = try await shop.call("cancel", ["paymentId": .string(order.paymentID)])
        #expect(canceled.result == "SUCCESS S" && canceled.isSigned)
        #expect(canceled["paymentRequestId"] == "order-1" && canceled["cancelTime"] == "2026-06-15T12:00:00Z")

        shop.clock.advance(seconds: 10)
        let again = try await shop.call("cancel", ["paymentId": .string(order.paymentID)])
        #expect(again.result == "SUCCESS S" && again["cancelTime"] == canceled["cancelTime"])
        #expect(try await shop.pay(order.paymentID, 1099).result == "ORDER_CANCELED F")
        let inquired = try await shop.inquire(order.paymentID)
        #expect(inquired.result == "SUCCESS S" && inquired["paymentStatus"] == "CLOSED")
        #expect(inquired["paymentResultCode"] == "ORDER_CANCELED")
    }

    @Test func takesTheTransactionIdentifierFromTheTokenWhenTheHeaderLacksIt() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let token = try shop.token(1099)
        var object = try #require(token.paymentToken.object)
        var data = try #require(object["paymentData"]?.object)
        var header = try #require(data["header"]?.object)
        header["transactionId"] = nil
        data["header"] = .object(header)
        object["paymentData"] = .object(data)
        #expect(try await shop.pay(order.paymentID, with: .object(object)).result == "SUCCESS S")
        // With neither, nothing says which transaction Apple's signature is about.
        object["transactionIdentifier"] = nil
        let other = try await shop.order("1099")
        #expect(try await shop.pay(other.paymentID, with: .object(object)).result == "APPLE_PAY_TOKEN_INVALID F")
    }

    @Test func takesThePaymentMethodsTypeAsAppsHaveIt() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        var object = try #require(try shop.token(1099).paymentToken.object)
        object["paymentMethod"] = ["displayName": "Visa 1234", "network": "Visa", "type": 2]
        #expect(try await shop.pay(order.paymentID, with: .object(object)).result == "SUCCESS S")
    }

    @Test func answersWithTheAccountsOwnNetworks() async throws {
        let shop = try await TestShop.open(settings: ["supportedNetworks": "visa, interac, bogus"])
        let order = try await shop.order("1099")
        #expect(order.json["applePayParams"]?["supportedNetworks"] == ["visa", "interac"])
    }
}
