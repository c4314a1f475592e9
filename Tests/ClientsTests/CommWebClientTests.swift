//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import HTTPTypes
import Money
import Redaction
import StrictJSON
import Testing

struct CommWebClientTests {
    private let client = CommWebClient(
        CommWebClient.Credentials(
            merchantID: "POM ONA", password: Redacted("secret"), notificationSecret: Redacted("note")))

    @Test func putsTransactionsWithBasicAuthentication() throws {
        let request = try self.client.charge(try Samples.charge())
        #expect(request.method == .put)
        #expect(request.path == "/api/rest/version/71/merchant/POM%20ONA/order/order-1/transaction/order-1-1")
        #expect(request.header("Authorization") == "Basic " + Base64.encode(Array("merchant.POM ONA:secret".utf8)))
        #expect(try request.json["apiOperation"] == "AUTHORIZE")
        #expect(try request.json["order"]?["amount"] == "10.99")
        #expect(try request.json["order"]?["walletProvider"] == "APPLE_PAY")
        let card = try request.json["sourceOfFunds"]?["provided"]?["card"]
        #expect(card?["devicePayment"]?["paymentToken"] == .string(Samples.paymentData.text()))
        #expect("\(request)" == "PUT \(request.path)")
        #expect(!"\(request.headers)".contains("Basic"))
    }

    @Test func saysWhetherTheMoneyIsTakenAtOnce() throws {
        var charge = try Samples.charge()
        charge.capturesAtOnce = true
        charge.extra = [ExtraField("order.acceptPartialAmount", true)]
        let request = try self.client.charge(charge)
        #expect(try request.json["apiOperation"] == "PAY")
        #expect(try request.json["order"]?["acceptPartialAmount"] == true)
    }

    @Test func hasFieldsForOpenedTokensAndCards() throws {
        let opened = OpenedToken(
            number: Redacted("4895370012345671"), expiryYearMonth: "3112", cryptogram: Redacted("QUJD"), eci: "07")
        let card = try self.client.charge(try Samples.charge(.opened(opened))).json["sourceOfFunds"]?["provided"]?[
            "card"]
        #expect(card?["number"] == "4895370012345671")
        #expect(card?["expiry"] == ["month": "12", "year": "31"])
        #expect(card?["devicePayment"]?["onlinePaymentCryptogram"] == "QUJD")
        #expect(card?["devicePayment"]?["eciIndicator"] == "07")
        let typed = TypedCard(
            number: Redacted("5123450000000008"), expiryYearMonth: "3901", securityCode: Redacted("100"))
        let request = try self.client.charge(try Samples.charge(.card(typed)))
        #expect(try request.json["order"]?["walletProvider"] == nil)
        #expect(try request.json["sourceOfFunds"]?["provided"]?["card"]?["securityCode"] == "100")
        #expect(throws: ClientError.self) { try self.client.charge(try Samples.charge(.prime(Redacted("p")))) }
    }

    /// Details, and where the gateway reports, for whoever has them.
    @Test func writesWhatIsKnownOfAPayment() throws {
        let card = TypedCard(number: Redacted("5123450000000008"), expiryYearMonth: "3901")
        let amount = try Samples.charge().amount
        var body = CommWebClient.ChargeBody(.pay, amount, .card(card))
        #expect(body.json["customer"] == nil && body.json["billing"] == nil && body.json["order"]?["certainty"] == nil)
        body.notificationURL = "https://shop.example/notices"
        body.acceptsPartialAmount = true
        body.details.reference = "r"
        body.details.statementDescriptor = "SHOES"
        body.details.certainty = .estimated
        body.details.customer.givenName = "Zoë"
        body.details.customer.ipAddress = "203.0.113.7"
        body.details.shipping = CommWebClient.Details.Address()
        body.details.shipping?.country = "AUS"
        let order = body.json["order"]
        #expect(order?["notificationUrl"] == "https://shop.example/notices")
        #expect(order?["acceptPartialAmount"] == true)
        #expect(order?["reference"] == "r" && order?["certainty"] == "ESTIMATED")
        #expect(order?["statementDescriptor"] == ["name": "SHOES"])
        #expect(body.json["customer"] == ["firstName": "Zoë"])
        #expect(body.json["device"] == ["ipAddress": "203.0.113.7"])
        #expect(body.json["shipping"] == ["address": ["country": "AUS"]])
        #expect(
            CommWebClient.Details.has("order.statementDescriptor.name") && !CommWebClient.Details.has("order.amount"))
        // A verification is for no amount.
        body.operation = .verify
        #expect(body.json["order"]?["amount"] == nil && body.json["order"]?["acceptPartialAmount"] == nil)
        #expect(body.json["order"]?["currency"] == .string(amount.currency.code))
    }

    /// The text of a token goes as it came.
    @Test func writesTokensAsTheyCame() throws {
        let text = #"{ "data": "A\/B" }"#
        let body = CommWebClient.ChargeBody(
            .authorize, try Samples.charge().amount, .paymentToken(Redacted(text)))
        let card = body.json["sourceOfFunds"]?["provided"]?["card"]
        #expect(card?["devicePayment"]?["paymentToken"] == .string(text))
    }

    @Test func proveThemselvesByACertificateAlone() throws {
        let client = CommWebClient(CommWebClient.Credentials(merchantID: "M", password: nil, version: 100))
        let request = client.retrieve(order: "1")
        #expect(request.path == "/api/rest/version/100/merchant/M/order/1" && request.header("Authorization") == nil)
        #expect(client.secrets.isEmpty)
        #expect(self.client.information().header("Authorization") == nil)
        #expect(self.client.information().path == "/api/rest/version/71/information")
    }

    @Test func followsUp() throws {
        var followUp = try Samples.followUp(["transaction.id": "1"])
        #expect(try self.client.capture(followUp).json["transaction"] == ["amount": "10.99", "currency": "USD"])
        #expect(try self.client.void(followUp).json["transaction"] == ["targetTransactionId": "1"])
        followUp.target = "7"
        followUp.extra = [ExtraField("transaction.reference", "r")]
        let refund = try self.client.refund(followUp)
        #expect(try refund.json["transaction"]?["targetTransactionId"] == "7")
        #expect(try refund.json["transaction"]?["reference"] == "r")
        let query = try self.client.query(followUp)
        #expect(query.method == .get)
        #expect(query.path.hasSuffix("/order/order-1/transaction/7"))
        #expect(throws: ClientError.self) { try self.client.void(try Samples.followUp([:])) }
    }

    @Test func readsWhatAnApprovalSays() {
        let reading = self.client.reading(
            """
            {"result":"SUCCESS","response":{"gatewayCode":"APPROVED","acquirerCode":"00"},"order":{"status":"CAPTURED",\
            "currency":"USD","totalCapturedAmount":10.9,"totalRefundedAmount":0},"transaction":{"id":"1","amount":10.90,\
            "currency":"USD","type":"PAYMENT","authorizationCode":"123456"}}
            """)
        #expect(reading.outcome == .approved)
        #expect(reading.code == "APPROVED")
        #expect(reading.text == "SUCCESS APPROVED CAPTURED")
        #expect(reading.handle == ["transaction.id": "1"])
        #expect(reading.amount?.minorUnits == 1090)
        #expect(reading.captured?.minorUnits == 1090)
        #expect(reading.refunded?.minorUnits == 0)
        #expect(reading.authorizationCode == "123456")
        #expect(reading.issuerCode == "00")
        #expect(reading["order.status"] == "CAPTURED")
    }

    @Test(arguments: [
        (#"{"result":"FAILURE","response":{"gatewayCode":"DECLINED"}}"#, Reading.Outcome.declined, true),
        (#"{"result":"PENDING","response":{"gatewayCode":"SUBMITTED"}}"#, .pending, false),
        (#"{"result":"UNKNOWN"}"#, .pending, false),
        (#"{"result":"ERROR","error":{"cause":"INVALID_REQUEST","explanation":"No."}}"#, .refused, true),
        (#"{"result":"ERROR","error":{"cause":"SERVER_BUSY"}}"#, .refused, false),
        // Nobody knows: it may have timed out on its way.
        (#"{"result":"ERROR","error":{"cause":"SERVER_FAILED"}}"#, .unknown, false),
        (#"{"hello":1}"#, .unknown, false), ("<html>", .unknown, false),
        // The result of an order's retrieval says nothing of the payment.
        (#"{"result":"SUCCESS","status":"CAPTURED"}"#, .approved, true),
        (#"{"result":"SUCCESS","status":"FAILED"}"#, .declined, true),
        (#"{"result":"SUCCESS","status":"CANCELLED"}"#, .declined, true),
        (#"{"result":"SUCCESS","status":"INITIATED"}"#, .pending, false),
    ])
    func readsAnswers(_ body: String, _ outcome: Reading.Outcome, _ isDefinite: Bool) {
        let reading = self.client.reading(body)
        #expect(reading.outcome == outcome)
        #expect(reading.isDefinite == isDefinite)
        #expect(reading.handle.isEmpty)
    }

    @Test func notificationsProveThemselvesByTheirSecret() throws {
        let body =
            #"{"result":"SUCCESS","order":{"id":"order-1","status":"CAPTURED"},"transaction":{"type":"CAPTURE"}}"#
        var headers = HTTPFields()
        #expect(self.client.notice(body).isGenuine == nil)
        headers[try #require(HTTPField.Name("X-Notification-Secret"))] = "note"
        #expect(self.client.notice(body, headers: headers).isGenuine == true)
        headers[try #require(HTTPField.Name("X-Notification-Secret"))] = "other"
        #expect(self.client.notice(body, headers: headers).isGenuine == false)
        #expect(self.client.notice(body).title == "CAPTURE SUCCESS CAPTURED")
        #expect(self.client.notice(body).order == "order-1")
    }

    @Test(arguments: [
        ("AUTHORIZATION", Notice.Subject.payment), ("PAYMENT", .payment), ("CAPTURE", .capture), ("REFUND", .refund),
        ("VOID_AUTHORIZATION", .void), ("VOID_REFUND", .other), ("VERIFICATION", .other),
    ])
    func notificationsSayWhatTheyAreAbout(_ type: String, _ subject: Notice.Subject) throws {
        let notice = self.client.notice(
            #"{"result":"SUCCESS","transaction":{"type":"\#(type)","amount":10.90,"currency":"USD"}}"#)
        #expect(notice.subject == subject)
        #expect(try notice.amount == Samples.money("10.90"))
    }
}
