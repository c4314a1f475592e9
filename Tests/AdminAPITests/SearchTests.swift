//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectKit
import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// Whatever a person has in hand finds the payment.
@Suite struct SearchTests {
    private func hits(
        _ text: String, _ desk: Desk, token: String? = nil
    ) async throws -> [(type: String, id: String, matched: String)] {
        let reply = try await desk.expect(200, .get, "/search", token: token, query: "q=\(text)")
        return (reply.json["data"]?.array ?? []).map {
            ($0["type"]?.string ?? "", $0["id"]?.string ?? "", $0["matched"]?.string ?? "")
        }
    }

    @Test func everyNameOfAPaymentFindsIt() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "a")
        let operation = payment.operations[0]
        let names: [(String?, String)] = [
            (payment.id.text, "id"), (operation.id.text, "operation"),
            (operation.answer.reference, "acquirerReference"),
            (operation.answer.authorizationCode, "authorizationCode"),
            (payment.instrument.maskedPAN.suffix, "last4"),
            // What the customer reads in his wallet.
            (payment.instrument.displayName.map { String($0.suffix(4)) }, "last4"),
        ]
        #expect(payment.instrument.displayName?.hasSuffix(payment.instrument.maskedPAN.suffix) == false)
        for (name, match) in names {
            let found = try await self.hits(try #require(name), desk)
            #expect(found.contains { $0 == ("payment", payment.id.text, match) }, "\(match): \(found)")
        }
        let shown = try #require(payment.instrument.displayName)
        let byCard = try await desk.expect(200, .get, "/search", query: "q=\(shown.suffix(4))")
        #expect(byCard.json["data"]?.array?.first?["detail"]?.string?.contains(shown) == true)
        let reply = try await desk.expect(200, .get, "/search", query: "q=+\(payment.id.text)+")
        #expect(reply.json["data"]?.array?.first?["link"]?.string == "payments/\(payment.id.text)")
        #expect(reply.json["cut"] == false)
    }

    /// As it stands beside a card's picture, or on a receipt.
    @Test func signsInFrontOfANameAreNoPartOfIt() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "a")
        let suffix = payment.instrument.maskedPAN.suffix
        let code = try #require(payment.operations[0].answer.authorizationCode)
        let bullets = "%E2%80%A2%E2%80%A2"
        for (text, match) in [
            (bullets + suffix, "last4"), ("\(bullets)\(bullets)+\(suffix)", "last4"), ("**\(suffix)", "last4"),
            ("%23\(code)", "authorizationCode"), ("%23+\(code)", "authorizationCode"),
        ] {
            let found = try await self.hits(text, desk)
            #expect(found.contains { $0 == ("payment", payment.id.text, match) }, "\(text): \(found)")
        }
        for text in [bullets, "%23", "\(suffix)\(bullets)"] {
            #expect(try await self.hits(text, desk).isEmpty, "\(text)")
        }
        // What is really called so is found alone.
        let hash = try await till.pay(
            10_00, "b", references: [ReferenceName(kind: "txid", value: "#\(code)")])
        let found = try await self.hits("%23\(code)", desk)
        #expect(found.map(\.id) == [hash.id.text])
    }

    /// By what its dialect gave out, in the search and in the list alike.
    @Test func whatADialectGaveOutFindsThePayment() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let commWeb = try await Till.open(desk, "other", "2", dialect: CommWeb.dialectName)
        let paid = try await till.pay(10_00, "a", references: [ReferenceName(kind: "txid", value: "300000001")])
        let sent = try await commWeb.pay(
            10_00, "b", references: [ReferenceName(kind: "transaction", value: "order%201/t-1")])
        // A kind of another dialect's is no name in this one.
        _ = try await commWeb.pay(10_00, "c", references: [ReferenceName(kind: "txid", value: "300000002")])
        for (text, payment) in [("300000001", paid), ("order%201/t-1", sent)] {
            let found = try await self.hits(text, desk)
            #expect(found.count == 1 && found.first ?? ("", "", "") == ("payment", payment.id.text, "dialectReference"))
            for query in ["", "&merchant=\(payment.id == paid.id ? "till" : "other")"] {
                let list = try await desk.expect(200, .get, "/payments", query: "reference=\(text)\(query)")
                #expect(list.json["data"]?.array?.compactMap { $0["id"]?.string } == [payment.id.text], "\(query)")
            }
        }
        for text in ["300000002", "t-1", "order%201", "order%25201/t-1", "3000000010"] {
            #expect(try await self.hits(text, desk).isEmpty, "\(text)")
        }
        let elsewhere = try await desk.expect(200, .get, "/payments", query: "reference=300000001&merchant=other")
        #expect(elsewhere.json["data"]?.array?.isEmpty == true)
    }

    /// However many kinds of references there are: this text is a PAYONE's txid or a CommWeb's transaction.
    @Test func allKindsOfReferencesAreOneQuestionToTheStore() async throws {
        let asked = AskedNames()
        let desk = try await Desk.open(store: { AskedStore($0, asked) })
        let till = try await Till.open(desk)
        let paid = try await till.pay(10_00, "a", references: [ReferenceName(kind: "txid", value: "order/1")])
        let (acquirers, text) = (try #require(paid.operations[0].answer.reference), "order/1")
        let dialects = PaymentQuery.OperationName.dialects(Desk.plans, calling: text)
        guard case .dialects(let references) = dialects, references.count == 2 else {
            Issue.record("\(dialects)")
            return
        }
        for (reference, wanted) in [
            (text, [.acquirer(text), .merchant(text), dialects]),
            (acquirers, [.acquirer(acquirers), .acquirer(acquirers)]),
        ] as [(String, [PaymentQuery.OperationName])] {
            _ = asked.take()
            let list = try await desk.expect(200, .get, "/payments", query: "reference=\(reference)")
            #expect(list.json["data"]?.array?.compactMap { $0["id"]?.string } == [paid.id.text])
            #expect(asked.take() == wanted)
        }
        #expect(try await self.hits(text, desk).map(\.matched) == ["dialectReference"])
        #expect(asked.take() == [.merchant(text), .acquirer(text), .authorizationCode(text), dialects])
    }

    @Test func otherThingsAreFoundByTheirNames() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let refused = try await desk.refuse(1, of: till.merchant.id)[0]
        for (text, type, match) in [
            ("till", "merchant", "name"), ("TILL", "merchant", "name"), (refused.id.text, "refusal", "id"),
            (refused.requestID, "refusal", "requestId"), (refused.publicKeyHash ?? "", "refusal", "publicKeyHash"),
        ] {
            let found = try await self.hits(text, desk)
            #expect(found.first?.type == type && found.first?.matched == match, "\(text): \(found)")
        }
        let certificate = try await desk.expect(200, .get, "/merchants/till/certificates").json["data"]?.array?.first
        let id = try #require(certificate?["id"]?.string)
        #expect(try await self.hits(id, desk).first?.type == "certificate")
        let hit = try await desk.expect(200, .get, "/search", query: "q=\(id)").json["data"]?.array?.first
        #expect(hit?["link"]?.string == "apple-pay/\(id)")
        let one = try await desk.expect(200, .get, "/refusals/\(refused.id.text)")
        #expect(one.json["code"] == "key_unknown")
        try await desk.expect(404, .get, "/refusals/rfs_1")
    }

    /// The same texts find nothing of another's.
    @Test func nothingOfOthersIsFound() async throws {
        let desk = try await Desk.open()
        let (own, other) = (try await Till.open(desk, "own", "1"), try await Till.open(desk, "other", "2"))
        let payment = try await other.pay(10_00, "a", references: [ReferenceName(kind: "txid", value: "300000001")])
        let refused = try await desk.refuse(1, of: other.merchant.id)[0]
        let nobodys = try await desk.refuse(2, of: nil)[1]
        let token = try await desk.token(Access(.owner, merchants: [own.merchant.id]))
        let answer = payment.operations[0].answer
        for text in [
            payment.id.text, payment.operations[0].id.text, answer.reference ?? "", answer.authorizationCode ?? "",
            payment.instrument.maskedPAN.suffix, refused.id.text, refused.requestID, nobodys.id.text, "other",
            other.merchant.id.text, "300000001",
        ] {
            #expect(try await self.hits(text, desk, token: token).isEmpty, "\(text)")
        }
        for query in ["", "&merchant=own"] {
            let list = try await desk.expect(
                200, .get, "/payments", token: token, query: "reference=300000001\(query)")
            #expect(list.json["data"]?.array?.isEmpty == true)
        }
        try await desk.expect(
            404, .get, "/payments", token: token, query: "reference=300000001&merchant=other")
        try await desk.expect(404, .get, "/refusals/\(refused.id.text)", token: token)
        try await desk.expect(404, .get, "/refusals/\(nobodys.id.text)", token: token)
        // Nor by whoever may read merchants and nothing else.
        let narrow = try await desk.token(Access(scopes: [.merchantsRead]))
        #expect(try await self.hits(payment.id.text, desk, token: narrow).isEmpty)
        #expect(try await self.hits("300000001", desk, token: narrow).isEmpty)
        #expect(try await self.hits("other", desk, token: narrow).count == 1)
    }

    @Test func moreThanFitsIsSaid() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        for index in 0..<3 { _ = try await till.pay(10_00, "\(index)") }
        let suffix = try await till.pay(10_00, "x").instrument.maskedPAN.suffix
        let reply = try await desk.expect(200, .get, "/search", query: "q=\(suffix)&limit=2")
        #expect(reply.json["data"]?.array?.count == 2)
        #expect(reply.json["cut"] == true)
    }

    /// A text is a text: whatever is in it, it is looked up and comes back in nothing.
    @Test(arguments: [
        "%27%20OR%201=1--", "%3Cscript%3Ealert(1)%3C/script%3E", "%25", "_", "pay_", "evt_%22", "%F0%9F%92%B3",
        "a%40b.example",
        "%E2%80%AE", "0000", "..%2F..%2Fetc", "",
    ])
    func hostileTextsFindNothing(_ text: String) async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk).pay(10_00, "a")
        #expect(try await self.hits(text, desk).isEmpty)
    }

    @Test func listsAreNarrowedDown() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let small = try await till.pay(1_00, "a")
        let large = try await till.pay(90_00, "b", purpose: .sale)
        func ids(_ query: String) async throws -> [String] {
            let reply = try await desk.expect(200, .get, "/payments", query: query)
            return (reply.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        let both = [large.id.text, small.id.text]
        #expect(try await ids("state=authorized,captured") == both)
        #expect(try await ids("state=captured") == [large.id.text])
        #expect(try await ids("state=voided,refunded") == [])
        #expect(try await ids("currency=EUR&amountFrom=1.00&amountTo=2") == [small.id.text])
        #expect(try await ids("merchant=till&acquirer=simulator") == both)
        #expect(try await ids("connector=simulator&sort=smallest") == both.reversed())
        #expect(try await ids("connector=mpgs") == [])
        #expect(try await ids("sort=largest&limit=1") == [large.id.text])
        let reference = try #require(small.operations[0].answer.reference)
        #expect(try await ids("reference=\(reference)") == [small.id.text])
        #expect(try await ids("network=\(small.instrument.network.rawValue)") == both)
        for query in ["state=gone", "state=", "state=captured,", "sort=best"] {
            try await desk.expect(400, .get, "/payments", query: query)
        }
        for query in [
            "amountFrom=1.00", "currency=EUR&amountFrom=1.001", "currency=EUR&amountFrom=2&amountTo=1",
            "acquirer=simulator", "merchant=till&acquirer=other",
        ] {
            #expect(try await desk.expect(422, .get, "/payments", query: query).code == "parameters_unfit")
        }
    }
}
