//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Redaction
import StrictJSON
import Testing

struct PAYONEClientTests {
    private let client = PAYONEClient(
        PAYONEClient.Credentials(mid: "10001", aid: "20002", portalID: "3000003", key: Redacted("key")))

    @Test func writesFormsWithTheKeysDigest() throws {
        let request = try self.client.charge(try Samples.charge(.sealed(Samples.token), Samples.money("10.99", "EUR")))
        #expect(request.path == "/post-gateway/")
        let form = request.form
        #expect(form["request"] == "preauthorization")
        #expect(form["key"]?.count == 96)
        #expect(form["amount"] == "1099")
        #expect(form["reference"] == "order-1")
        #expect(form["cardtype"] == "V")
        #expect(form["narrative_text"] == "Six <apples> & \"pears\"")
        #expect(form["state"] == "PA")
        #expect(form["add_paydata[paymentdata_token_publickey_hash]"] == "SEFTSA==")
        #expect(!request.text.contains("key=key"))
    }

    @Test func writesTheDigestAndTheModeThatTheAccountHas() {
        var credentials = PAYONEClient.Credentials(
            mid: "10001", aid: "20002", portalID: "3000003", key: Redacted("key"))
        credentials.mode = "live"
        credentials.digest = .md5
        let form = PAYONEClient(credentials).call("capture", []).form
        #expect(form["key"] == "3c6e0b8a9c15224a8228b9a98ca1531d")
        #expect(form["mode"] == "live")
    }

    @Test func leavesOutWhatWouldBeRefused() throws {
        var charge = try Samples.charge()
        charge.customer.email = "no address"
        charge.customer.givenName = String(repeating: "x", count: 51)
        charge.billing?.postalCode = "19019!"
        charge.billing?.city = "P\u{7}"
        charge.billing?.countryCode = "DE"
        charge.capturesAtOnce = true
        charge.extra = [ExtraField("customerid", 7)]
        let form = try self.client.charge(charge).form
        for name in ["email", "firstname", "zip", "city", "state"] { #expect(form[name] == nil, "\(name)") }
        #expect(form["request"] == "authorization")
        #expect(form["lastname"] == "Lin")
        #expect(form["customerid"] == "7")
    }

    @Test func demandsNameAndCountryAndASealedToken() throws {
        var charge = try Samples.charge()
        charge.customer.familyName = nil
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
        charge = try Samples.charge(.prime(Redacted("p")))
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
    }

    @Test(arguments: [nil, ""]) func demandsTheStateOfACountryWithStates(_ region: String?) throws {
        var charge = try Samples.charge()
        charge.billing?.region = region
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
        charge.billing?.countryCode = "DE"
        #expect(try self.client.charge(charge).form["state"] == nil)
    }

    @Test func countsItsRequests() throws {
        var followUp = try Samples.followUp(["txid": "123456789"], Samples.money("4.00", "EUR"))
        followUp.ordinal = 2
        let capture = try self.client.capture(followUp).form
        #expect(capture["sequencenumber"] == "2")
        #expect(capture["capturemode"] == "notcompleted")
        followUp.isFinal = true
        #expect(try self.client.capture(followUp).form["capturemode"] == "completed")
        #expect(try self.client.refund(followUp).form["amount"] == "-400")
        let void = try self.client.void(followUp).form
        #expect(void["amount"] == "0")
        #expect(void["capturemode"] == "completed")
        #expect(throws: ClientError.self) { try self.client.query(followUp) }
        #expect(throws: ClientError.self) { try self.client.capture(try Samples.followUp([:])) }
    }

    @Test(arguments: [
        ("status=APPROVED\ntxid=123456789\nuserid=1", Reading.Outcome.approved, true),
        ("status=PENDING\ntxid=123456789", .pending, false), ("status=REDIRECT", .pending, false),
        ("status=ERROR\nerrorcode=5\nerrormessage=No", .declined, true),
        ("status=ERROR\nerrorcode=2703", .refused, true), ("status=ERROR\nerrorcode=904", .refused, false),
        // It may have been carried out.
        ("status=ERROR\nerrorcode=900005", .pending, false), ("status=NEW", .unknown, false),
        ("<html>", .unknown, false),
        // Which of them is meant nobody knows.
        ("status=ERROR\nerrorcode=5\nstatus=APPROVED\ntxid=123456789", .unknown, false),
        ("status=APPROVED\r\ntxid=123456789\r\n", .approved, true),
    ])
    func readsAnswers(_ body: String, _ outcome: Reading.Outcome, _ isDefinite: Bool) {
        let reading = self.client.reading(body)
        #expect(reading.outcome == outcome)
        #expect(reading.isDefinite == isDefinite)
        #expect(reading.handle == (body.contains("txid") && outcome != .unknown ? ["txid": "123456789"] : [:]))
    }

    @Test func saysWhatWasAnswered() {
        #expect(self.client.reading("status=ERROR\nerrorcode=5\nerrormessage=a=b").text == "ERROR 5: a=b")
    }

    @Test func findsTheMerchantSession() throws {
        let request = try #require(try self.client.merchantSession(domain: "shop.example", validationURL: ""))
        #expect(request.form["add_paydata[domain_name]"] == "shop.example")
        let reading = self.client.reading("status=OK\nadd_paydata[applepay_payment_session]=eyJhIjoxfQ==")
        #expect(self.client.merchantSession(in: reading) == ["a": 1])
        #expect(self.client.merchantSession(in: self.client.reading("status=ERROR\nerrorcode=1")) == nil)
    }

    @Test func readsTransactionStatusInLatin1() {
        let digest = "3c6e0b8a9c15224a8228b9a98ca1531d"
        let notice = self.client.notice(
            "key=\(digest)&txaction=capture&transaction_status=completed&reference=order-1&param=M%FCller+x")
        #expect(notice.isGenuine == true)
        #expect(notice.outcome == .approved)
        #expect(notice.order == "order-1")
        #expect(notice["param"] == "Müller x")
        #expect(String(decoding: notice.acknowledgement.body, as: UTF8.self) == "TSOK")
        #expect(self.client.notice("key=\(digest)&txaction=failed").outcome == .declined)
        #expect(self.client.notice("key=\(digest)&txaction=appointed&transaction_status=pending").outcome == .pending)
        for wrong in ["", "key=x&txaction=capture", "key=\(digest)&key=\(digest)", "key=%zz", "txaction=capture"] {
            #expect(self.client.notice(wrong).isGenuine == false, "\(wrong)")
        }
    }

    @Test(arguments: [
        ("txaction=appointed&sequencenumber=0", Notice.Subject.payment),
        ("txaction=failed&sequencenumber=0", .payment), ("txaction=failed&sequencenumber=1", .other),
        ("txaction=capture", .capture), ("txaction=debit", .refund), ("txaction=refund", .refund),
        ("txaction=paid", .other), ("", .other),
    ])
    func transactionStatusSaysWhatItIsAbout(_ form: String, _ subject: Notice.Subject) {
        #expect(self.client.notice(form).subject == subject)
    }
}
