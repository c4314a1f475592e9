//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@Suite struct PayTests {
    @Test func theSamePreOrderGivesTheSamePayment() async throws {
        let shop = try await TestShop.open()
        let first = try await shop.order("1099", id: "order-1")
        shop.clock.advance(seconds: 5)
        let second = try await shop.order("1099", id: "order-1")
        #expect(first.json == second.json && second.isSigned)
        for changed in [
            TestShop.orderBody("1100", id: "order-1", notifyURL: "https://shop.example/notify"),
            TestShop.orderBody("1099", id: "order-1", notifyURL: "https://shop.example/other"),
            TestShop.orderBody("1099", id: "order-1"),
        ] {
            #expect(try await shop.call("apple-pay/preOrder", changed).result == "REPEAT_REQ_INCONSISTENT F")
        }
        let other = try await shop.order("1099", id: "order-2")
        #expect(other.paymentID != first.paymentID)
    }

    /// The identifier that is taken where none is named is the same order's when it is written out, and the other way round.
    @Test func theDefaultMerchantIdentifierMayBeWrittenOut() async throws {
        let shop = try await TestShop.open()
        let other = "merchant.com.example.other"
        shop.clock.advance(seconds: 1)
        _ = try await shop.test.addMerchantIdentifier(other, to: shop.merchant)
        func order(_ id: String, _ identifier: String?) async throws -> Reply {
            var body = try #require(TestShop.orderBody("1099", id: id).object)
            body["merchantIdentifier"] = identifier.map(JSON.string)
            return try await shop.call("apple-pay/preOrder", .object(body))
        }
        let first = try await order("o1", nil)
        #expect(first.json["applePayParams"]?["merchantIdentifier"] == .string(other))
        #expect(try await order("o1", other).json == first.json)
        #expect(try await order("o1", TestShop.merchantIdentifier).result == "REPEAT_REQ_INCONSISTENT F")
        let second = try await order("o2", TestShop.merchantIdentifier)
        #expect(try await order("o2", nil).json == second.json)
        #expect(try await order("o2", other).result == "REPEAT_REQ_INCONSISTENT F")
    }

    /// The order says for which identifier the sheet is shown; a token of the merchant's other one is no answer to it.
    @Test func refusesATokenForTheMerchantsOtherIdentifier() async throws {
        let shop = try await TestShop.open()
        let other = "merchant.com.example.other"
        let recipient = try await shop.test.addMerchantIdentifier(other, to: shop.merchant)
        var body = try #require(TestShop.orderBody("1099", id: "o1").object)
        body["merchantIdentifier"] = .string(TestShop.merchantIdentifier)
        let order = try await shop.call("apple-pay/preOrder", .object(body))
        let foreign = try shop.token(1099, recipient: recipient, merchantIdentifier: other).paymentToken
        let refused = try await shop.pay(order.paymentID, with: foreign)
        #expect(refused.result == "APPLE_PAY_TOKEN_INVALID F" && refused.message.contains("merchant identifier"))
        #expect(try await shop.book.entries().isEmpty)
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
        // It has not been used up by that.
        body["paymentRequestId"] = "o2"
        body["merchantIdentifier"] = .string(other)
        let second = try await shop.call("apple-pay/preOrder", .object(body))
        #expect(try await shop.pay(second.paymentID, with: foreign).result == "SUCCESS S")
    }

    @Test func refusalsCarryTheOrderAsFarAsItIsKnown() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099", id: "o1")
        func expect(_ reply: Reply, _ result: String, _ status: String) {
            #expect(reply.result == result && reply.isSigned)
            #expect(reply["paymentRequestId"] == "o1" && reply.paymentID == order.paymentID)
            #expect(reply["paymentStatus"] == status)
        }
        expect(try await shop.pay(order.paymentID, 1098), "APPLE_PAY_AMOUNT_MISMATCH F", "FAILED")
        expect(
            try await shop.call("apple-pay/pay", ["paymentId": .string(order.paymentID)]), "PARAM_ILLEGAL F", "FAILED")
        // The order itself is open as before.
        #expect(try await shop.inquire(order.paymentID)["paymentStatus"] == "PAYMENT_IN_PROCESS")
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
        expect(try await shop.pay(order.paymentID, 1099), "ORDER_PAID F", "SUCCESS")
        for id in ["nothing", "ord_00000000000000000000000000"] {
            let unknown = try await shop.pay(id, 1099)
            #expect(unknown.result == "ORDER_NOT_EXIST F" && unknown["paymentStatus"] == nil)
            #expect(unknown["paymentId"] == nil && unknown["paymentRequestId"] == nil)
        }
        shop.clock.advance(seconds: 1)
        let late = try await shop.order("1099", id: "o2")
        shop.clock.advance(seconds: 1801)
        let expired = try await shop.pay(late.paymentID, 1099)
        #expect(expired.result == "ORDER_EXPIRED F" && expired["paymentStatus"] == "FAILED")
    }

    @Test(arguments: [1, 64, 65, 256, 257, 20_000])
    func takesACustomerIDOfAnyLength(_ count: Int) async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let customer = String(repeating: "c", count: count)
        let reply = try await shop.call(
            "apple-pay/pay",
            [
                "paymentId": .string(order.paymentID), "customerId": .string(customer),
                "token": try shop.token(1099).paymentToken,
            ])
        #expect(reply.result == "SUCCESS S")
        let kept = try #require(try await shop.test.payments().first?.authorization?.labels.fields["customerId"])
        #expect(count <= 256 ? kept == customer : kept.hasPrefix("sha256:") && kept.count == 71)
    }

    @Test func paysOnceHoweverOftenItIsAsked() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let token = try shop.token(1099).paymentToken
        let first = try await shop.pay(order.paymentID, with: token)
        shop.clock.advance(seconds: 120)
        #expect(try await shop.refund(order.paymentID, "99").result == "SUCCESS S")
        let second = try await shop.pay(order.paymentID, with: token)
        #expect(first.result == "SUCCESS S" && second.json == first.json)
        #expect(try await shop.book.entries().filter { $0.kind == .authorization }.count == 1)
    }

    @Test func concurrentRepeatsPayOnce() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let token = try shop.token(1099).paymentToken
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.pay(order.paymentID, with: token).code } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(codes.isSubset(of: ["SUCCESS", "PAYMENT_IN_PROCESS"]) && codes.contains("SUCCESS"))
        #expect(try await shop.book.entries().filter { $0.kind == .authorization }.count == 1)
    }

    @Test func theSameTokenWithOtherContentsIsInconsistent() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let token = try shop.token(1099)
        #expect(try await shop.pay(order.paymentID, with: token.paymentToken).code == "SUCCESS")
        var object = try #require(token.paymentToken.object)
        var data = try #require(object["paymentData"]?.object)
        data["data"] = try shop.token(1099).paymentData["data"]
        object["paymentData"] = .object(data)
        #expect(try await shop.pay(order.paymentID, with: .object(object)).result == "REPEAT_REQ_INCONSISTENT F")
    }

    @Test func refusesToPayAnOrderTwice() async throws {
        let shop = try await TestShop.open()
        let paymentID = try await shop.paid(1099)
        #expect(try await shop.pay(paymentID, 1099).result == "ORDER_PAID F")
        #expect(try await shop.call("cancel", ["paymentId": .string(paymentID)]).result == "ORDER_PAID F")
    }

    @Test func refusesATokenThatPaidAnotherOrder() async throws {
        let shop = try await TestShop.open()
        let (first, second) = (try await shop.order("1099"), try await shop.order("1099"))
        let token = try shop.token(1099).paymentToken
        #expect(try await shop.pay(first.paymentID, with: token).code == "SUCCESS")
        let replayed = try await shop.pay(second.paymentID, with: token)
        #expect(replayed.result == "APPLE_PAY_TOKEN_REPEATED F" && replayed.isSigned)
        #expect(try await shop.inquire(second.paymentID)["paymentStatus"] == "PAYMENT_IN_PROCESS")
    }

    @Test func refusesATokenForAnotherAmountOrCurrency() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, 1098).result == "APPLE_PAY_AMOUNT_MISMATCH F")
        let dollars = try shop.token(1099, currencyCode: "840").paymentToken
        #expect(try await shop.pay(order.paymentID, with: dollars).result == "APPLE_PAY_CURRENCY_MISMATCH F")
        let nothing = try shop.token(1099, currencyCode: "999").paymentToken
        #expect(try await shop.pay(order.paymentID, with: nothing).result == "APPLE_PAY_TOKEN_INVALID F")
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
        #expect(try await shop.book.entries().count == 1)
    }

    @Test func refusesATokenForAnotherMerchant() async throws {
        let shop = try await TestShop.open()
        let other = try await TestShop.open()
        let order = try await shop.order("1099")
        let foreign = try shop.token(1099, recipient: other.merchant.recipient).paymentToken
        let reply = try await shop.pay(order.paymentID, with: foreign)
        #expect(reply.result == "APPLE_PAY_TOKEN_INVALID F")
        #expect(try await shop.book.entries().isEmpty)
    }

    @Test(arguments: [
        Forgery.signatureBitFlipped, .foreignRoot, .leafWithoutMarkerOID, .ciphertextReplaced, .keyReplaced,
        .transactionIdentifierReplaced, .authenticationTagCorrupt, .publicKeyHashUnknown, .signedByAnotherKey,
    ])
    func refusesAForgedToken(forgery: Forgery) async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        let token = try shop.token(1099, options: .forged(forgery))
        let reply = try await shop.pay(order.paymentID, with: token.paymentToken)
        #expect(reply.result == "APPLE_PAY_TOKEN_INVALID F" && reply.isSigned)
        #expect(!reply.message.isEmpty && reply.message != "The Apple Pay token was refused.")
        #expect(try await shop.book.entries().isEmpty)
    }

    @Test func refusesAnOldToken() async throws {
        let shop = try await TestShop.open()
        let token = try shop.token(1099).paymentToken
        shop.clock.advance(seconds: 3601)
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, with: token).result == "APPLE_PAY_TOKEN_INVALID F")
    }

    @Test func refusesALiveTokenAtASandboxMerchant() async throws {
        let shop = try await TestShop.open(mode: .live)
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
        // The authority's root is this gateway's live one, and so its tokens are live: not for a sandbox merchant.
        let recipient = try #require(
            try await shop.addMerchant("SECOND", mode: .sandbox, merchantIdentifier: "merchant.com.example.second"))
        let body = TestShop.orderBody("1099", id: "x")
        let sandboxOrder = try await shop.call("apple-pay/preOrder", body) { $0.merchantCode = "SECOND" }
        let token = try shop.token(
            1099, recipient: recipient, merchantIdentifier: "merchant.com.example.second"
        ).paymentToken
        let pay: JSON = ["paymentId": .string(sandboxOrder.paymentID), "token": token]
        let reply = try await shop.call("apple-pay/pay", pay) { $0.merchantCode = "SECOND" }
        #expect(reply.result == "APPLE_PAY_MODE_MISMATCH F")
        // And a merchant sees nothing of another's orders.
        #expect(try await shop.inquire(sandboxOrder.paymentID).result == "ORDER_NOT_EXIST F")
        #expect(try await shop.pay(sandboxOrder.paymentID, 1099).result == "ORDER_NOT_EXIST F")
    }

    @Test func refusesToPayAnExpiredOrder() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        shop.clock.advance(seconds: 1799)
        #expect(try await shop.inquire(order.paymentID).result == "PAYMENT_IN_PROCESS S")
        shop.clock.advance(seconds: 1)
        #expect(try await shop.pay(order.paymentID, 1099).result == "ORDER_EXPIRED F")
        let inquired = try await shop.inquire(order.paymentID)
        #expect(inquired.result == "SUCCESS S" && inquired["paymentStatus"] == "CLOSED")
        #expect(inquired["paymentResultCode"] == "ORDER_EXPIRED")
        #expect(try await shop.call("cancel", ["paymentId": .string(order.paymentID)]).result == "SUCCESS S")
    }

    @Test(arguments: ["apple-pay/pay", "inquiryPayment", "cancel", "refund"])
    func refusesAPaymentIDThatNamesNothing(endpoint: String) async throws {
        let shop = try await TestShop.open()
        for id in ["ord_00000000000000000000000000", "nothing", "pay_00000000000000000000000000"] {
            let reply = try await shop.call(
                endpoint,
                [
                    "paymentId": .string(id), "token": try shop.token(1).paymentToken,
                    "refund": ["refundAmount": ["value": "1"]],
                ])
            #expect(reply.result == "ORDER_NOT_EXIST F" && reply.isSigned)
        }
    }

    @Test func findsAPaymentByEitherIDAndByBoth() async throws {
        let shop = try await TestShop.open()
        let first = try await shop.order("1099", id: "a").paymentID
        let second = try await shop.order("500", id: "b").paymentID
        let open = try await shop.call("inquiryPayment", ["paymentRequestId": "a"])
        #expect(open.result == "PAYMENT_IN_PROCESS S" && open.paymentID == first)
        try await shop.pay(first, 1099)
        let byID = try await shop.inquire(first)
        #expect(byID["paymentStatus"] == "SUCCESS")
        #expect(try await shop.call("inquiryPayment", ["paymentRequestId": "a", "paymentId": ""]).json == byID.json)
        let both: JSON = ["paymentRequestId": "a", "paymentId": .string(first)]
        #expect(try await shop.call("inquiryPayment", both).json == byID.json)
        let crossed: JSON = ["paymentRequestId": "a", "paymentId": .string(second)]
        #expect(try await shop.call("inquiryPayment", crossed).result == "ORDER_NOT_EXIST F")
        #expect(try await shop.call("inquiryPayment", ["paymentRequestId": "c"]).result == "ORDER_NOT_EXIST F")
        // A name that nobody has denies no payment.
        let misnamed: JSON = ["paymentRequestId": "c", "paymentId": .string(first)]
        #expect(try await shop.call("inquiryPayment", misnamed).json == byID.json)
    }

    @Test func refusesAMerchantIdentifierThatIsNotTheMerchants() async throws {
        let shop = try await TestShop.open()
        var body = try #require(TestShop.orderBody("1", id: "a").object)
        body["merchantIdentifier"] = "merchant.com.example.other"
        #expect(try await shop.call("apple-pay/preOrder", .object(body)).result == "MERCHANT_IDENTIFIER_UNKNOWN F")
        body["merchantIdentifier"] = .string(TestShop.merchantIdentifier)
        #expect(try await shop.call("apple-pay/preOrder", .object(body)).code == "PAYMENT_IN_PROCESS")
    }

    @Test func aDeclinedCustomerMayTryAnotherCard() async throws {
        let shop = try await TestShop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .decline(.insufficientFunds)))
        let order = try await shop.order("1099")
        let token = try shop.token(1099).paymentToken
        let declined = try await shop.pay(order.paymentID, with: token)
        #expect(declined.result == "INSUFFICIENT_FUNDS F" && declined.isSigned)
        #expect(declined["paymentStatus"] == "FAILED" && declined["paymentTime"] == nil)
        #expect(declined.paymentID == order.paymentID)
        let inquired = try await shop.inquire(order.paymentID)
        #expect(inquired["paymentStatus"] == "FAILED" && inquired["paymentResultCode"] == "INSUFFICIENT_FUNDS")
        // The same token again is the same call.
        #expect(try await shop.pay(order.paymentID, with: token).json == declined.json)
        let paid = try await shop.pay(order.paymentID, 1099, card: .mastercard)
        #expect(paid.result == "SUCCESS S")
        #expect(try await shop.inquire(order.paymentID)["paymentStatus"] == "SUCCESS")
        shop.clock.advance(seconds: 1801)
        #expect(try await shop.inquire(order.paymentID)["paymentStatus"] == "SUCCESS")
    }

    /// Until then a further attempt may succeed, and nobody should give the goods back.
    @Test func anOrderWhoseAttemptsFailedIsClosedOnceItExpires() async throws {
        let shop = try await TestShop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .decline(.insufficientFunds)))
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, 1099).result == "INSUFFICIENT_FUNDS F")
        #expect(try await shop.inquire(order.paymentID)["paymentStatus"] == "FAILED")
        shop.clock.advance(seconds: 1801)
        let inquired = try await shop.inquire(order.paymentID)
        #expect(inquired["paymentStatus"] == "CLOSED" && inquired["paymentResultCode"] == "INSUFFICIENT_FUNDS")
    }

    @Test(arguments: [
        (DeclineReason.doNotHonor, "DO_NOT_HONOR"), (.insufficientFunds, "INSUFFICIENT_FUNDS"),
        (.expiredCard, "CARD_EXPIRED"), (.invalidCard, "CARD_INVALID"), (.lostOrStolenCard, "CARD_LOST_OR_STOLEN"),
        (.suspectedFraud, "RISK_REJECT"), (.exceedsLimit, "PAYMENT_AMOUNT_EXCEED_LIMIT"),
        (.notPermitted, "CARD_NOT_PERMITTED"), (.issuerUnavailable, "ISSUER_UNAVAILABLE"),
        (.timedOut, "CHANNEL_TIMEOUT"), (.systemError, "CHANNEL_SYSTEM_ERROR"), (.invalidOperation, "CHANNEL_REFUSED"),
        (.unspecified, "PROCESS_FAIL"),
    ])
    func reportsWhyTheBankDeclined(reason: DeclineReason, code: String) async throws {
        let shop = try await TestShop.open()
        shop.script.append(.init(.authorize, fault: .decline(reason)))
        let order = try await shop.order("1099")
        let reply = try await shop.pay(order.paymentID, 1099)
        #expect(reply.result == "\(code) F" && reply["paymentStatus"] == "FAILED")
    }

    /// As a token that is refused here; what the acquirer cannot do as it is set up is the operator's business.
    @Test(arguments: [
        (NotProcessedReason.tokenRefused, "APPLE_PAY_TOKEN_INVALID"), (.requestRefused, "CHANNEL_MISCONFIGURED"),
        (.notSent, "CHANNEL_UNAVAILABLE"),
    ])
    func reportsWhatTheAcquirerDidNothingWith(reason: NotProcessedReason, code: String) async throws {
        let shop = try await TestShop.open()
        shop.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let order = try await shop.order("1099")
        let reply = try await shop.pay(order.paymentID, 1099)
        #expect(reply.result == "\(code) F" && reply["paymentStatus"] == "FAILED")
        #expect(try await shop.inquire(order.paymentID)["paymentResultCode"] == code)
        // Nothing was done: the order is paid with another token.
        #expect(try await shop.pay(order.paymentID, 1099).result == "SUCCESS S")
    }

    @Test func anApprovalOfLessIsTakenBack() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("6161")
        let reply = try await shop.pay(order.paymentID, 6161)
        #expect(reply.result == "TAKEN_BACK F" && reply["paymentStatus"] == "FAILED")
    }

    @Test func refusesOrdersOfAMerchantWithoutACertificate() async throws {
        let shop = try await TestShop.open()
        try await shop.addMerchant("SECOND")
        let body = TestShop.orderBody("1099", id: "x")
        let reply = try await shop.call("apple-pay/preOrder", body) { $0.merchantCode = "SECOND" }
        #expect(reply.result == "MERCHANT_NOT_READY F" && reply.isSigned)
    }

    @Test func refusesPaymentsWhenTheAcquirerIsNotConnected() async throws {
        let shop = try await TestShop.open()
        let identifier = "merchant.com.example.second"
        let recipient = try #require(
            try await shop.addMerchant("SECOND", acquirer: nil, merchantIdentifier: identifier))
        let body = TestShop.orderBody("1099", id: "x")
        let order = try await shop.call("apple-pay/preOrder", body) { $0.merchantCode = "SECOND" }
        let token = try shop.token(1099, recipient: recipient, merchantIdentifier: identifier).paymentToken
        let pay: JSON = ["paymentId": .string(order.paymentID), "token": token]
        let reply = try await shop.call("apple-pay/pay", pay) { $0.merchantCode = "SECOND" }
        #expect(reply.result == "CHANNEL_NOT_CONNECTED F" && reply.isSigned)
    }
}
