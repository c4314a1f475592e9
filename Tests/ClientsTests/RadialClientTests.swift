//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Money
import Redaction
import StrictJSON
import Testing

struct RadialClientTests {
    private let client = RadialClient(RadialClient.Credentials(storeID: "STORE", apiKey: Redacted("api-key")))
    private let handle = ["PaymentAccountUniqueId": "489537AAAAAA5671", "TenderType": "VC"]

    @Test func writesAuthorizations() throws {
        let request = try self.client.charge(try Samples.charge())
        #expect(request.path == "/v1.0/stores/STORE/payments/creditcard/auth/DW.xml")
        #expect(request.header("apikey") == "api-key")
        let xml = try #require(XMLReply(request.body.reveal()))
        #expect(xml.root == "CreditCardAuthRequest")
        #expect(xml["OrderId"] == "order-1")
        #expect(xml["PublicKeyHash"] == "SEFTSA==")
        #expect(xml["Line2"] == "Floor 2")
        #expect(xml["CountryCode"] == "US")
        #expect(request.text.contains("requestId=\"order-1-1\""))
        #expect(request.text.contains("<Amount currencyCode=\"USD\">10.99</Amount>"))
    }

    @Test func escapesWhatTheCustomerWrote() throws {
        var charge = try Samples.charge()
        charge.customer.familyName = "<Lin> & \"Söhne\"\u{1}"
        let request = try self.client.charge(charge)
        #expect(request.text.contains("&lt;Lin&gt; &amp; &quot;Söhne&quot;\u{FFFD}"))
        #expect(XMLReply(request.body.reveal())?["BillingLastName"] == "<Lin> & \"Söhne\"\u{FFFD}")
    }

    @Test func demandsAnAddressAndASealedToken() throws {
        var charge = try Samples.charge()
        charge.billing = nil
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
        charge = try Samples.charge(.prime(Redacted("p")))
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
    }

    @Test func settlesAndCancelsWithTheTendersOwnPath() throws {
        var followUp = try Samples.followUp(self.handle)
        followUp.isFinal = true
        followUp.extra = [ExtraField("InvoiceId", "I100")]
        let debit = try self.client.capture(followUp)
        #expect(debit.path.hasSuffix("/settlement/create/VC.xml"))
        let xml = try #require(XMLReply(debit.body.reveal()))
        #expect(xml["SettlementType"] == "Debit")
        #expect(xml["FinalDebit"] == "true")
        #expect(xml["ClientContext"] == "order-1-2")
        #expect(debit.text.contains("</PaymentContext><InvoiceId>I100</InvoiceId><Amount"))
        #expect(XMLReply(try self.client.refund(followUp).body.reveal())?["SettlementType"] == "Credit")
        #expect(try self.client.void(followUp).path.hasSuffix("/auth/cancel/VC.xml"))
        #expect(try self.client.confirmFunds(followUp).path.hasSuffix("/funds/confirm/VC.xml"))
        #expect(throws: ClientError.self) { try self.client.capture(try Samples.followUp([:])) }
    }

    private static func reply(_ code: String, _ authorization: String = "AP01") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <p:CreditCardAuthReply xmlns:p="x" sessionId="">
          <PaymentContext><PaymentAccountUniqueId isToken="true">489537AAAAAA5671</PaymentAccountUniqueId></PaymentContext>
          <ResponseCode>\(code)</ResponseCode><AuthorizationResponseCode>\(authorization)</AuthorizationResponseCode>
          <BankAuthorizationCode>OK5678</BankAuthorizationCode><TenderType>VC</TenderType><Empty/>
        </p:CreditCardAuthReply>
        """
    }

    @Test func keepsWhatFollowUpsNeed() {
        let reading = self.client.reading(Self.reply("APPROVED"))
        #expect(reading.outcome == .approved)
        #expect(
            reading.handle == self.handle.merging(["BankAuthorizationCode": "OK5678"]) { $1 })
        #expect(reading.authorizationCode == "OK5678")
        #expect(reading["Empty"] == "")
    }

    @Test(arguments: [
        (reply("DECL", "ND01"), Reading.Outcome.declined, true), (reply("TIMEOUT", "TO01"), .pending, false),
        (reply("TIMEOUT", "NR01"), .declined, true),
        ("<AckReply><ResponseCode>Success</ResponseCode></AckReply>", .accepted, true),
        ("<AckReply><ResponseCode>Fail</ResponseCode></AckReply>", .declined, true),
        ("<AckReply><ResponseCode>Timeout</ResponseCode></AckReply>", .pending, false),
        ("<ConfirmFundsReply><FundsAvailable>Success</FundsAvailable></ConfirmFundsReply>", .approved, true),
        ("<Fault><Code>InvalidRequestException</Code><Description>No.</Description></Fault>", .refused, true),
        ("<Fault><Code>OperationInProcessException</Code></Fault>", .refused, false),
        ("<Fault><Code>RequestTimedOutException</Code></Fault>", .unknown, false),
        ("<Fault></Fault>", .unknown, false), ("<AckReply></AckReply>", .accepted, true),
        ("<PaymentSettlementReply/>", .accepted, true), ("<ConfirmFundsReply/>", .unknown, false),
        (reply("AcceptOrderWithException", "ND01"), .accepted, true), (reply("AVS", "NC03"), .declined, true),
        (reply("DECL"), .unknown, false), (reply("APPROVED", "ND01"), .unknown, false),
        (reply("APPROVED_TOMORROW"), .unknown, false), (reply("TIMEOUT", "XX01"), .unknown, false),
        ("<AckReply><ResponseCode>Perhaps</ResponseCode></AckReply>", .unknown, false),
        ("<html><body>Bad gateway</html>", .unknown, false), ("", .unknown, false),
    ])
    func readsAnswers(_ body: String, _ outcome: Reading.Outcome, _ isDefinite: Bool) {
        let reading = self.client.reading(body)
        #expect(reading.outcome == outcome)
        #expect(reading.isDefinite == isDefinite)
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a/><b/>", "<!DOCTYPE a><a/>", "<a>&x;</a>", "<a>&#xD800;</a>", "<?pi?><a/>", "text<a/>",
        "<a><![CDATA[</a>", "<>", "<a", "</a>", "<1/>", "<a>\u{1}</a>", "<a>&#0;</a>", "<a>&#x1;</a>", "<a>&#+65;</a>",
        "<a>&#00000065;</a>", "<a>&#xFFFE;</a>", "<a>&</a>",
        "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>",
    ])
    func readsNoBrokenDocument(_ text: String) {
        #expect(XMLReply(Array(text.utf8)) == nil)
    }

    @Test func readsWhatXMLAllows() throws {
        let text = "\u{FEFF}<?xml version='1.0'?><!-- c --><n:a x='1'> <b>1 &lt;&#x41;&#66;<![CDATA[<&]]></b ></n:a>\n"
        let xml = try #require(XMLReply(Array(text.utf8)))
        #expect(xml.root == "a")
        #expect(xml["b"] == "1 <AB<&")
    }

    /// What is read may be anybody's: depth, elements and bytes have an end.
    @Test func readsNoMoreThanAnAnswerHas() throws {
        let nested = { (count: Int) in
            Array((String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)).utf8)
        }
        #expect(XMLReply(nested(32)) != nil)
        #expect(XMLReply(nested(33)) == nil)
        let wide = { (count: Int) in Array(("<a>" + String(repeating: "<b/>", count: count - 1) + "</a>").utf8) }
        #expect(XMLReply(wide(20_000)) != nil)
        #expect(XMLReply(wide(20_001)) == nil)
        let long = { (count: Int) in Array("<a>".utf8) + Array(repeating: 0x62, count: count - 7) + Array("</a>".utf8) }
        #expect(XMLReply(long(1 << 20)) != nil)
        #expect(XMLReply(long(1 << 20 + 1)) == nil)
    }

    @Test func readsAttributesAndParts() throws {
        let text = """
            <l><p><a c = 'U&#83;D' n:d="1">1</a><b/></p><p><a>2</a><b x>3</b></p><p/><a e>4</a></l>
            """
        let xml = try #require(XMLReply(Array(text.utf8)))
        #expect(xml.count(of: "a") == 3 && xml.count(of: "p") == 1 && xml.count(of: "l") == 0)
        #expect(xml.attribute("c", of: "a") == "USD")
        #expect(xml.attribute("d", of: "a") == "1")
        #expect(xml.attribute("x", of: "a") == nil && xml.attribute("c", of: "z") == nil)
        let parts = xml.parts(named: "p")
        #expect(parts.map { $0["a"] } == ["1", "2"])
        #expect(parts.map { $0.attribute("c", of: "a") } == ["USD", nil])
        #expect(parts.last?.attribute("x", of: "b") == nil)
        #expect(xml.parts(named: "l").count == 1 && xml.parts(named: "a").isEmpty)
    }

    @Test func readsEventsOneByOne() throws {
        let body = """
            <PaymentSettlementStatusList><PaymentSettlementStatus><PaymentContext><OrderId>1</OrderId></PaymentContext>\
            <Amount currencyCode="JPY">1000.00</Amount><SettlementStatus>S</SettlementStatus>\
            <ClientContext>c</ClientContext><StoreId>s</StoreId></PaymentSettlementStatus>\
            <PaymentSettlementStatus><OrderId>2</OrderId><Amount currencyCode="USD">1.001</Amount>\
            <SettlementStatus>R</SettlementStatus><DeclineReason>d</DeclineReason></PaymentSettlementStatus>\
            <PaymentSettlementStatus><OrderId>3</OrderId><x/></PaymentSettlementStatus></PaymentSettlementStatusList>
            """
        let events = try #require(RadialEvent.events(in: Array(body.utf8)))
        #expect(events.map(\.orderID) == ["1", "2"])
        #expect(events.map(\.amount) == [try Samples.money("1000", "JPY"), nil])
        #expect(events.map(\.status) == ["S", "R"])
        #expect(events.map(\.reason) == [nil, "d"])
        #expect(events[0].clientContext == "c" && events[0].storeID == "s" && events[0].kind == .settlement)
        #expect(RadialEvent.events(in: Array("<a/>".utf8)) == [])
        #expect(RadialEvent.events(in: []) == nil)
    }

    @Test func asksForFundsAndTenders() throws {
        let followUp = try Samples.followUp(self.handle)
        let plain = try self.client.confirmFunds(followUp)
        #expect(!plain.text.contains("PerformReauthorization"))
        let again = try self.client.confirmFunds(followUp, reauthorizes: true)
        #expect(again.text.contains("</Amount><PerformReauthorization>true</PerformReauthorization>"))
        let lookup = self.client.lookUpTender(account: "a&b", currency: try Samples.money().currency)
        #expect(lookup.path.hasSuffix("/tendertype/lookup.xml"))
        #expect(lookup.text.contains("<PaymentAccountUniqueId isToken=\"true\">a&amp;b</PaymentAccountUniqueId>"))
    }

    @Test func writesNestedElements() throws {
        var charge = try Samples.charge()
        charge.extra = [ExtraField("Features/IncludePaymentAccountInformation", "true")]
        let flag = "<IncludePaymentAccountInformation>true</IncludePaymentAccountInformation>"
        #expect(try self.client.charge(charge).text.contains("</SchemaVersion><Features>\(flag)</Features>"))
    }

    @Test func readsEvents() throws {
        let notice = self.client.notice(
            """
            <PaymentSettlementStatusList><PaymentSettlementStatus><OrderId>order-1</OrderId>\
            <Amount currencyCode="USD">4.00</Amount><SettlementType>Debit</SettlementType>\
            <ClientContext>order-1-2</ClientContext>\
            <SettlementStatus>R</SettlementStatus></PaymentSettlementStatus></PaymentSettlementStatusList>
            """)
        #expect(notice.title == "settlement Debit R")
        #expect(notice.outcome == .declined)
        #expect(notice.key == "order-1-2")
        #expect(notice.isGenuine == nil)
        #expect(notice.subject == .capture)
        #expect(try notice.amount == Samples.money("4.00"))
        #expect(self.client.notice("<a><SettlementType>Credit</SettlementType></a>").subject == .refund)
        #expect(
            self.client.notice("<PaymentAuthCancelReply><OrderId>1</OrderId></PaymentAuthCancelReply>").subject == .void
        )
        #expect(self.client.notice("nothing").outcome == .unknown)
        #expect(self.client.notice("nothing").subject == .other)
    }
}
