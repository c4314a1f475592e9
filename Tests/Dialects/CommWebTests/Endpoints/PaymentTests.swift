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

@Suite struct PaymentTests {
    /// The seed's example of an answer, field for field, with a freshly minted token.
    @Test func authorizesWithATokenTheGatewayDecrypts() async throws {
        let shop = try await CommWebShop.open(
            acceptor: CardAcceptor(
                merchantNumber: "12345678", terminal: "1111", categoryCode: "1234", institution: "SYSTEST_ACQ_S2I"))
        let reply = try await shop.pay("AUTHORIZE", "844205983", "950596203", amount: "30.10") {
            $0["device.ani"] = "12341234"
        }
        #expect(reply.status == 201)
        let found = reply.fields.filter { !Self.unpredictable.contains($0.key) }
        #expect(found == Self.seedExample)
        for path in Self.unpredictable { #expect(reply[path]?.isEmpty == false, "\(path)") }
        let stan = try #require(reply["transaction.stan"])
        #expect(stan.count == 6 && reply["authorizationResponse.stan"] == stan)
        #expect(reply["transaction.receipt"]?.count == 12 && reply["transaction.authorizationCode"]?.count == 6)
    }

    /// What the customer has agreed to with a payment, and a later one that the merchant asks for alone.
    @Test func agreementsAreTakenAndShownAgain() async throws {
        let shop = try await CommWebShop.open()
        for (order, source) in [("first", "INTERNET"), ("later", "MERCHANT")] {
            let reply = try await shop.pay("AUTHORIZE", order, "t1") {
                $0["agreement.id"] = "A-1"
                $0["agreement.type"] = "RECURRING"
                $0["transaction.source"] = .string(source)
            }
            #expect(reply.status == 201 && reply["result"] == "SUCCESS", "\(reply.fields)")
            #expect(reply["agreement.id"] == "A-1" && reply["agreement.type"] == "RECURRING")
            let shown = try await shop.get("order/\(order)/transaction/t1")
            #expect(shown["agreement.id"] == "A-1" && shown["transaction.source"] == source)
        }
    }

    /// What the acquirer makes up.
    private static let unpredictable: Set<String> = [
        "authorizationResponse.stan", "authorizationResponse.transactionIdentifier",
        "sourceOfFunds.provided.card.number", "sourceOfFunds.provided.card.paymentAccountReference",
        "transaction.acquirer.transactionId", "transaction.authorizationCode",
        "transaction.receipt", "transaction.stan",
    ]

    private static let seedExample = [
        "authorizationResponse.commercialCard": "888", "authorizationResponse.commercialCardIndicator": "3",
        "authorizationResponse.date": "0615", "authorizationResponse.financialNetworkCode": "MCC",
        "authorizationResponse.posData": "1025104006600", "authorizationResponse.posEntryMode": "812",
        "authorizationResponse.processingCode": "003000", "authorizationResponse.responseCode": "00",
        "authorizationResponse.time": "120000", "authorizationResponse.transactionIntegrityClass": "A1",
        "device.ani": "12341234", "gatewayEntryPoint": "WEB_SERVICES_API", "merchant": CommWebShop.merchantID,
        "order.amount": "30.10", "order.authenticationStatus": "AUTHENTICATION_NOT_IN_EFFECT",
        "order.certainty": "FINAL", "order.chargeback.amount": "0", "order.chargeback.currency": "USD",
        "order.creationTime": "2026-06-15T12:00:00.000Z", "order.currency": "USD", "order.id": "844205983",
        "order.lastUpdatedTime": "2026-06-15T12:00:00.000Z", "order.merchantAmount": "30.10",
        "order.merchantCategoryCode": "1234", "order.merchantCurrency": "USD", "order.status": "AUTHORIZED",
        "order.totalAuthorizedAmount": "30.10", "order.totalCapturedAmount": "0.00",
        "order.totalDisbursedAmount": "0.00", "order.totalRefundedAmount": "0.00",
        "order.walletProvider": "APPLE_PAY",
        "response.acquirerCode": "00", "response.acquirerMessage": "Approved", "response.gatewayCode": "APPROVED",
        "response.gatewayRecommendation": "PROCEED", "result": "SUCCESS",
        "sourceOfFunds.provided.card.brand": "MASTERCARD",
        "sourceOfFunds.provided.card.devicePayment.cryptogramFormat": "3DSECURE",
        "sourceOfFunds.provided.card.deviceSpecificExpiry.month": "9",
        "sourceOfFunds.provided.card.deviceSpecificExpiry.year": "31",
        "sourceOfFunds.provided.card.deviceSpecificNumber": "520424xxxxxx5679",
        "sourceOfFunds.provided.card.encryption": "DEVICE",
        "sourceOfFunds.provided.card.expiry.month": "9", "sourceOfFunds.provided.card.expiry.year": "31",
        "sourceOfFunds.provided.card.fundingMethod": "UNKNOWN", "sourceOfFunds.provided.card.scheme": "MASTERCARD",
        "sourceOfFunds.provided.card.storedOnFile": "NOT_STORED", "sourceOfFunds.type": "CARD",
        "timeOfLastUpdate": "2026-06-15T12:00:00.000Z", "timeOfRecord": "2026-06-15T12:00:00.000Z",
        "transaction.acquirer.batch": "20260615", "transaction.acquirer.date": "0615",
        "transaction.acquirer.id": "SYSTEST_ACQ_S2I", "transaction.acquirer.merchantId": "12345678",
        "transaction.amount": "30.10", "transaction.authenticationStatus": "AUTHENTICATION_NOT_IN_EFFECT",
        "transaction.currency": "USD", "transaction.id": "950596203", "transaction.source": "INTERNET",
        "transaction.terminal": "1111", "transaction.type": "AUTHORIZATION", "version": "71",
    ]

    /// What the account with the acquirer does not say, clients still expect.
    /// Refused as one that this gateway does not take, also when the call is repeated; what is retrieved has failed.
    @Test(arguments: ["AUTHORIZE", "PAY", "VERIFY"])
    func tokenThatTheAcquirerDoesNotTakeIsRefused(operation: String) async throws {
        let shop = try await CommWebShop.open()
        let call: SimulatorCall = operation == "VERIFY" ? .verify : .authorize
        shop.test.script.append(.init(call, .nth(1), fault: .refuse(.tokenRefused)))
        let body = try shop.body(operation)
        for _ in 1...2 {
            let reply = try await shop.put("o1", "t1", body.json)
            #expect(reply.status == 400 && reply["result"] == "ERROR" && reply["error.cause"] == "INVALID_REQUEST")
            #expect(reply["error.supportCode"] == "TOKEN_REFUSED" && reply["error.field"] == Body.token)
        }
        let shown = try await shop.get("order/o1/transaction/t1")
        #expect(shown["result"] == "FAILURE" && shown["response.gatewayCode"] == "UNSPECIFIED_FAILURE")
        #expect(shown["response.gatewayRecommendation"] == "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS")
        #expect(try await shop.pay(operation, "o1", "t2")["result"] == "SUCCESS")
    }

    @Test(arguments: [(NotProcessedReason.notSent, "ACQUIRER_SYSTEM_ERROR"), (.requestRefused, "SYSTEM_ERROR")])
    func whatElseWasNotProcessedHasFailed(reason: NotProcessedReason, code: String) async throws {
        let shop = try await CommWebShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let reply = try await shop.pay("PAY", "o1", "t1")
        #expect(reply.status == 201 && reply["result"] == "FAILURE" && reply["response.gatewayCode"] == code)
        #expect(reply["response.gatewayRecommendation"] == "DO_NOT_PROCEED")
    }

    @Test func showsWhoTookTheCard() async throws {
        let bare = try await CommWebShop.open().pay("PAY", "o1")
        #expect(bare["order.merchantCategoryCode"] == "5999" && bare["transaction.terminal"] == "0001")
        #expect(bare["transaction.acquirer.id"] == "SIMULATOR")
        #expect(bare["transaction.acquirer.merchantId"] == CommWebShop.merchantID)
        let shop = try await CommWebShop.open(acceptor: CardAcceptor(terminal: "7"))
        #expect(try await shop.pay("PAY", "o1")["transaction.terminal"] == "7")
        let again = try await shop.get("order/o1/transaction/1")
        #expect(again["transaction.terminal"] == "7" && again["order.merchantCategoryCode"] == "5999")
    }

    @Test func writesAmountsAsNumbersWithTheCurrencysDecimals() async throws {
        let shop = try await CommWebShop.open()
        let dollars = try await shop.pay("PAY", "o1", amount: "30.10")
        #expect(dollars.text.contains(#""totalCapturedAmount":30.10"#))
        #expect(dollars.text.contains(#""totalRefundedAmount":0.00"#))
        #expect(dollars.text.contains(#""batch":20260615"#))
        let yen = try await shop.pay("PAY", "o2", amount: "1000", currency: "JPY")
        #expect(yen.text.contains(#""totalCapturedAmount":1000,"#))
        let dinars = try await shop.pay("PAY", "o3", amount: "1.234", currency: "KWD")
        #expect(dinars.text.contains(#""totalCapturedAmount":1.234,"#))
    }

    /// The seed's second request, with a number and a cryptogram.
    static func decrypted(_ operation: String = "AUTHORIZE", amount: String = "30.10") -> Body {
        Body([
            "apiOperation": .string(operation), "order.amount": .string(amount), "order.currency": "USD",
            "order.walletProvider": "APPLE_PAY", Body.card + "number": "5123450000000008",
            Body.card + "expiry.month": "01", Body.card + "expiry.year": "39",
            Body.card + "devicePayment.cryptogramFormat": "3DSECURE",
            Body.cryptogram: "IA/8pdiWftSsxpFT6wABoDABhgA=", Body.card + "devicePayment.eciIndicator": "20",
            "sourceOfFunds.type": "CARD", "device.ani": "12341234", "transaction.source": "INTERNET",
        ])
    }

    @Test func authorizesWithWhatTheMerchantHasDecrypted() async throws {
        let shop = try await CommWebShop.open(certified: false)
        let reply = try await shop.put("o1", "1", Self.decrypted().json)
        #expect(reply.summary == "SUCCESS APPROVED")
        #expect(reply[Body.card + "deviceSpecificNumber"] == "512345xxxxxx0008")
        #expect(reply[Body.card + "deviceSpecificExpiry.month"] == "1")
        #expect(reply[Body.card + "deviceSpecificExpiry.year"] == "39")
        #expect(reply[Body.card + "encryption"] == "DEVICE")
        #expect(reply[Body.card + "number"]?.hasPrefix("xxxxxxxxxxxx") == true)
    }

    @Test func takesTheCryptogramWhereTheReferencePutsIt() async throws {
        let shop = try await CommWebShop.open(certified: false)
        var body = Self.decrypted("PAY")
        body[Body.card + "devicePayment.3DSecure.onlinePaymentCryptogram"] = body[Body.cryptogram]
        body[Body.card + "devicePayment.3DSecure.eciIndicator"] = "07"
        body[Body.cryptogram] = nil
        body[Body.card + "devicePayment.eciIndicator"] = nil
        #expect(try await shop.put("o1", "1", body.json).summary == "SUCCESS APPROVED")
    }

    /// The same token, once sealed and once opened: it pays once.
    @Test func refusesACryptogramThatHasPaid() async throws {
        let shop = try await CommWebShop.open()
        let body = Self.decrypted()
        #expect(try await shop.put("o1", "1", body.json).summary == "SUCCESS APPROVED")
        let again = try await shop.put("o2", "1", body.json)
        #expect(again.summary == "INVALID_REQUEST TOKEN_USED sourceOfFunds.provided.card INVALID")
    }

    @Test func paysWithATypedCard() async throws {
        let shop = try await CommWebShop.open(certified: false)
        let body = Body([
            "apiOperation": "PAY", "order.amount": "10.00", "order.currency": "AUD",
            Body.card + "number": "5123450000000008", Body.card + "expiry.month": "5",
            Body.card + "expiry.year": "39", Body.card + "securityCode": "100", "sourceOfFunds.type": "CARD",
            "billing.address.street": "1 Main St", "billing.address.postcodeZip": "2000",
        ])
        let reply = try await shop.put("o1", "1", body.json)
        #expect(reply.summary == "SUCCESS APPROVED" && reply["transaction.type"] == "PAYMENT")
        #expect(reply[Body.card + "number"] == "512345xxxxxx0008")
        #expect(reply[Body.card + "expiry.month"] == "5" && reply[Body.card + "expiry.year"] == "39")
        #expect(reply[Body.card + "encryption"] == nil && reply[Body.card + "deviceSpecificNumber"] == nil)
        #expect(reply["order.walletProvider"] == nil && reply["posTerminal.location"] == nil)
    }

    /// The name is returned again, wherever it came from, and is no part of what is asked of the token.
    @Test func reportsTheNameOnTheCardAgain() async throws {
        let shop = try await CommWebShop.open()
        let name = "J. Appleseed"
        let paid = try await shop.pay("PAY", "o1") { $0[Body.card + "nameOnCard"] = .string(name) }
        var decrypted = Self.decrypted()
        decrypted[Body.card + "nameOnCard"] = .string(name)
        let opened = try await shop.put("o2", "1", decrypted.json)
        let order = try await shop.get("order/o1")
        for reply in [paid, opened, order] { #expect(reply[Body.card + "nameOnCard"] == name) }
        #expect(order["transaction[0].\(Body.card)nameOnCard"] == name)
        #expect(try await shop.pay("PAY", "o3")[Body.card + "nameOnCard"] == nil)
    }

    @Test func paysAtOnce() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1")
        #expect(reply.summary == "SUCCESS APPROVED" && reply["transaction.type"] == "PAYMENT")
        #expect(reply.order == "61.00/0.00 of 61.00: CAPTURED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func verifiesAndThenAuthorizes() async throws {
        let shop = try await CommWebShop.open()
        let verified = try await shop.pay("VERIFY", "o1", "1") { $0["order.amount"] = nil }
        #expect(verified.summary == "SUCCESS APPROVED" && verified["transaction.type"] == "VERIFICATION")
        #expect(verified.order == "0.00/0.00 of 0.00: VERIFIED" && verified["transaction.amount"] == "0.00")
        #expect(
            try await shop.follow("CAPTURE", "o1", "2", amount: "61.00").summary
                == "INVALID_REQUEST ORDER_VERIFIED_ONLY apiOperation INVALID")
        #expect(try await shop.pay("AUTHORIZE", "o1", "3").order == "0.00/0.00 of 61.00: AUTHORIZED")
        let order = try await shop.get("order/o1")
        #expect(order["transaction[0].transaction.type"] == "VERIFICATION")
        #expect(order["transaction[1].transaction.type"] == "AUTHORIZATION" && order["status"] == "AUTHORIZED")
    }

    @Test func echoesWhatTheMerchantSays() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("AUTHORIZE", "o1") {
            $0["correlationId"] = "c-1"
            $0["order.reference"] = "cart 7"
            $0["order.description"] = "Two pounds of apples"
            $0["order.certainty"] = "ESTIMATED"
            $0["transaction.reference"] = "t 7"
            $0["device.mobilePhoneModel"] = "iPhone17,1"
            $0["device.ipAddress"] = "2001:db8::1"
            $0["posTerminal.location"] = "PAYER_TERMINAL_ON_PREMISES"
        }
        let expected = [
            "correlationId": "c-1", "order.reference": "cart 7", "order.description": "Two pounds of apples",
            "order.certainty": "ESTIMATED", "transaction.reference": "t 7", "device.mobilePhoneModel": "iPhone17,1",
            "device.ipAddress": "2001:db8::1", "posTerminal.location": "PAYER_TERMINAL_ON_PREMISES",
        ]
        for (path, value) in expected { #expect(reply[path] == value, "\(path)") }
        let later = try await shop.get("order/o1/transaction/1", query: "correlationId=c-2")
        #expect(later["correlationId"] == "c-2" && later["order.description"] == "Two pounds of apples")
    }

    @Test func showsEachSchemeByItsName() async throws {
        let shop = try await CommWebShop.open()
        let expected: [(SimulatedCard, String)] = [
            (.visa, "VISA"), (.mastercard, "MASTERCARD"), (.amex, "AMEX"), (.discover, "DISCOVER"), (.jcb, "JCB"),
            (.unionPay, "CHINA_UNIONPAY"), (.girocard, "OTHER"),
        ]
        for (index, (card, scheme)) in expected.enumerated() {
            let reply = try await shop.pay("PAY", "o\(index)", card: card)
            #expect(reply[Body.card + "scheme"] == scheme && reply[Body.card + "brand"] == scheme)
        }
    }

    /// A declined payment leaves the order open, an approved one closes it.
    @Test func takesAnotherTryAfterADecline() async throws {
        let shop = try await CommWebShop.open()
        #expect(try await shop.pay("PAY", "o1", "1", amount: "57.57").summary == "FAILURE DECLINED")
        #expect(try await shop.pay("PAY", "o1", "2", amount: "57.00").summary == "SUCCESS APPROVED")
        let third = try await shop.pay("PAY", "o1", "3", amount: "57.00")
        #expect(third.summary == "INVALID_REQUEST ORDER_PAID order.id INVALID" && third.status == 400)
        let order = try await shop.get("order/o1")
        #expect(order.order == "57.00/0.00 of 57.00: CAPTURED" && order["amount"] == "57.00")
        #expect(order["transaction[0].result"] == "FAILURE" && order["transaction[1].result"] == "SUCCESS")
        #expect(order["transaction[2].result"] == nil)
    }
}
