//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import HTTPTypes
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@testable import CommWeb

@Suite struct SessionTests {
    static func create(_ shop: CommWebShop, _ body: JSON? = nil) async throws -> Reply {
        try await shop.send(.post, shop.merchantPath("session"), body?.serialized() ?? [])
    }

    static func id(_ shop: CommWebShop, _ body: JSON? = nil) async throws -> String {
        try #require(try await self.create(shop, body)["session.id"])
    }

    static func update(_ shop: CommWebShop, _ id: String, _ body: Body) async throws -> Reply {
        try await shop.send(.put, shop.merchantPath("session/\(id)"), body.json.serialized())
    }

    /// The shop as the payer's device calls it: with the session's id for a password.
    static func device(_ shop: CommWebShop, _ id: String, scheme: String = "Basic ") -> CommWebShop {
        var device = shop
        device.authorization = scheme + CommWebShop.base64("merchant.\(CommWebShop.merchantID):\(id)")
        return device
    }

    /// What a device puts into a session.
    static func details(_ shop: CommWebShop, amount: String = "61.00") throws -> Body {
        var body = try shop.body("AUTHORIZE", amount: amount)
        body["apiOperation"] = nil
        return body
    }

    @Test func createsASession() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await Self.create(shop)
        #expect(reply.status == 201 && reply["result"] == "SUCCESS" && reply["merchant"] == CommWebShop.merchantID)
        let id = try #require(reply["session.id"])
        #expect((31...35).contains(id.utf8.count) && id.utf8.allSatisfy { $0 < 0x80 } && id.hasPrefix("SESSION"))
        #expect(reply["session.updateStatus"] == "NO_UPDATE" && reply["session.authenticationLimit"] == "5")
        #expect(reply["session.version"]?.count == 10)
        let key = try #require(reply["session.aes256Key"].flatMap { Data(base64Encoded: $0) })
        #expect(key.count == 32)
        let other = try await Self.create(shop, ["session": ["authenticationLimit": 25], "correlationId": "c"])
        #expect(other["session.id"] != id && other["session.authenticationLimit"] == "25")
        #expect(other["correlationId"] == "c" && other["session.aes256Key"] != reply["session.aes256Key"])
        let refused = try await Self.create(shop, ["session": ["authenticationLimit": 26]])
        #expect(refused.summary == "INVALID_REQUEST FIELD_INVALID session.authenticationLimit INVALID")
    }

    @Test func paysWithASession() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let updated = try await Self.update(Self.device(shop, id), id, Self.details(shop))
        #expect(updated.status == 201 && updated["session.updateStatus"] == "SUCCESS")
        #expect(updated["order.amount"] == "61.00" && updated[Body.token] == nil)
        let body = Body(["apiOperation": "PAY", "session.id": .string(id)])
        let paid = try await shop.put("o1", "1", body.json)
        #expect(paid.summary == "SUCCESS APPROVED" && paid.order == "61.00/0.00 of 61.00: CAPTURED")
        // The session has nothing to pay with any more; the identical request has its answer all the same.
        #expect(try await shop.put("o1", "1", body.json).bytes == paid.bytes)
        let second = try await shop.put("o2", "1", body.json)
        #expect(second.summary == "INVALID_REQUEST SESSION_USED session.id INVALID")
        // With new details it pays again.
        _ = try await Self.update(Self.device(shop, id), id, Self.details(shop, amount: "7.00"))
        #expect(try await shop.put("o2", "1", body.json).order == "7.00/0.00 of 7.00: CAPTURED")
    }

    /// Another source of the same details is another request: neither is answered as the other's repeat, and neither pays.
    @Test(arguments: [true, false])
    func sessionIsNoRepeatOfATokenNorATokenOfASession(_ isSessionFirst: Bool) async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let details = try Self.details(shop)
        _ = try await Self.update(shop, id, details)
        var inline = details
        inline["apiOperation"] = "PAY"
        let session = Body(["apiOperation": "PAY", "session.id": .string(id)])
        let (first, other) = isSessionFirst ? (session, inline) : (inline, session)
        let paid = try await shop.put("o1", "1", first.json)
        #expect(paid.summary == "SUCCESS APPROVED")
        for _ in 0..<2 {
            let refused = try await shop.put("o1", "1", other.json)
            #expect(refused.summary == "INVALID_REQUEST TRANSACTION_CONFLICT transaction.id INVALID")
        }
        #expect(try await shop.put("o1", "1", first.json).bytes == paid.bytes)
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }

    /// What the request says stands over what the session says.
    @Test func requestsOverrideTheSession() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        _ = try await Self.update(shop, id, Body(["order.amount": "99.00", "order.reference": "cart 1"]))
        let paid = try await shop.pay("PAY", "o1") { $0["session.id"] = .string(id) }
        #expect(paid.summary == "SUCCESS APPROVED" && paid["order.reference"] == "cart 1")
        #expect(paid["order.amount"] == "61.00")
    }

    @Test func masksWhatASessionHolds() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        var body = PaymentTests.decrypted()
        body["apiOperation"] = nil
        body[Body.card + "securityCode"] = "987"
        body["sourceOfFunds.provided.card.track2"] = "5123450000000008=39012010000000000000"
        let updated = try await Self.update(shop, id, body)
        let retrieved = try await shop.get("session/\(id)")
        for reply in [updated, retrieved] {
            #expect(reply[Body.card + "number"] == "512345xxxxxx0008")
            #expect(reply[Body.card + "expiry.year"] == "39" && reply["order.walletProvider"] == "APPLE_PAY")
            #expect(!reply.text.contains("5123450000000008") && !reply.text.contains("IA/8pdiW"))
            #expect(!reply.text.contains("987") && reply["version"] == "71")
        }
        #expect(retrieved.status == 200 && retrieved["session.version"] == updated["session.version"])
        #expect(retrieved["session.aes256Key"] == nil)
        // Sealed in the store.
        for stored in try await shop.test.everythingStored() {
            let text = String(decoding: stored, as: UTF8.self)
            #expect(!text.contains("5123450000000008") && !text.contains("cart 1"))
        }
    }

    @Test func newPaymentDetailsReplaceOldOnes() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        var decrypted = PaymentTests.decrypted()
        decrypted["apiOperation"] = nil
        _ = try await Self.update(shop, id, decrypted)
        _ = try await Self.update(shop, id, Self.details(shop))
        let paid = try await shop.put("o1", "1", Body(["apiOperation": "PAY", "session.id": .string(id)]).json)
        #expect(paid[Body.card + "deviceSpecificNumber"] == "520424xxxxxx5679")
    }

    @Test func showsChangesByTheVersion() async throws {
        let shop = try await CommWebShop.open()
        let created = try await Self.create(shop)
        let id = try #require(created["session.id"])
        var body = try Self.details(shop)
        body["session.version"] = created["session.version"].map { .string($0) }
        let updated = try await Self.update(shop, id, body)
        #expect(updated["session.version"] != created["session.version"])
        let stale = try await Self.update(shop, id, body)
        #expect(stale.summary == "INVALID_REQUEST SESSION_VERSION_DIFFERS session.version INVALID")
        var pay = Body(["apiOperation": "PAY", "session.id": .string(id)])
        pay["session.version"] = created["session.version"].map { .string($0) }
        #expect(
            try await shop.put("o1", "1", pay.json).summary
                == "INVALID_REQUEST SESSION_VERSION_DIFFERS session.version INVALID")
        pay["session.version"] = updated["session.version"].map { .string($0) }
        #expect(try await shop.put("o1", "1", pay.json).summary == "SUCCESS APPROVED")
    }

    @Test func refusesToPayWithASessionThatIsNotRight() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let pay = Body(["apiOperation": "PAY", "session.id": .string(id)]).json
        #expect(
            try await shop.put("o1", "1", pay).summary == "INVALID_REQUEST SESSION_NOT_UPDATED session.id INVALID")
        // A wrong field is reported, and the session says so too.
        let wrong = try await Self.update(shop, id, Body(["order.currency": "dollars", "order.reference": "r1"]))
        #expect(wrong.summary == "INVALID_REQUEST FIELD_INVALID order.currency INVALID")
        #expect(try await shop.get("session/\(id)")["session.updateStatus"] == "FAILURE")
        #expect(try await shop.put("o1", "1", pay).summary.contains("SESSION_NOT_UPDATED"))
        // Nor has the merchant said anything of the order by it.
        let device = try await Self.update(Self.device(shop, id), id, Body(["order.reference": "r2"]))
        #expect(device["order.reference"] == "r2")
        let unknown = Body(["apiOperation": "PAY", "session.id": "SESSION000000000000000000000000"]).json
        #expect(
            try await shop.put("o1", "1", unknown).summary == "INVALID_REQUEST SESSION_NOT_FOUND session.id INVALID")
        #expect(try await shop.get("session/SESSION000000000000000000000000").status == 400)
        #expect(try await shop.get("session/nonsense").summary.contains("SESSION_NOT_FOUND"))
    }

    @Test func endsAfterAnHour() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        shop.test.clock.advance(seconds: 1800)
        _ = try await Self.update(shop, id, Body(["order.reference": "cart 1"]))
        shop.test.clock.advance(seconds: 1799)
        #expect(try await shop.get("session/\(id)").status == 200)
        shop.test.clock.advance(seconds: 2)
        #expect(try await shop.get("session/\(id)").summary.contains("SESSION_NOT_FOUND"))
        #expect(try await Self.device(shop, id).get("session/\(id)").status == 401)
    }

    /// Which order a session is for is kept with it; which order a payment is for, its own URL says.
    @Test func keepsTheOrdersName() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        var details = try Self.details(shop)
        details["order.id"] = "o1"
        #expect(try await Self.update(shop, id, details)["order.id"] == "o1")
        #expect(try await shop.get("session/\(id)")["order.id"] == "o1")
        let pay = Body(["apiOperation": "PAY", "session.id": .string(id)]).json
        #expect(try await shop.put("o2", "1", pay)["order.id"] == "o2")
    }

    /// A device must not write into what the merchant reads of the gateway.
    @Test func keepsNothingThatOnlyAnswersHave() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let body = Body([
            "result": "ERROR", "error.cause": "X", "version": "1", "response.gatewayCode": "APPROVED",
            "authorizationResponse.responseCode": "00", "order.reference": "cart 1",
        ])
        #expect(try await Self.update(Self.device(shop, id), id, body).status == 201)
        let retrieved = try await shop.get("session/\(id)")
        #expect(retrieved["result"] == "SUCCESS" && retrieved["version"] == "71")
        #expect(retrieved["session.id"] == id && retrieved["order.reference"] == "cart 1")
        #expect(retrieved["error.cause"] == nil && retrieved["response.gatewayCode"] == nil)
        #expect(retrieved["authorizationResponse.responseCode"] == nil)
        for path in ["session", "order", "sourceOfFunds", "sourceOfFunds.provided"] {
            let reply = try await Self.update(shop, id, Body([path: "5123450000000008"]))
            #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID \(path) INVALID")
            #expect(try await shop.get("session/\(id)")["session.updateStatus"] == "FAILURE")
        }
    }

    @Test func masksANumberThatIsWrittenAsANumber() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let reply = try await Self.update(shop, id, Body([Body.card + "number": 5_123_450_000_000_008]))
        #expect(reply[Body.card + "number"] == "512345xxxxxx0008")
    }

    static func typedCard(_ shop: CommWebShop) async throws -> String {
        let id = try await Self.id(shop)
        _ = try await Self.update(
            shop, id,
            Body([
                "order.amount": "5.00", "order.currency": "USD", Body.card + "number": "5123450000000008",
                Body.card + "expiry.month": "1", Body.card + "expiry.year": "39", Body.card + "securityCode": "123",
            ]))
        return id
    }

    /// The details pay once, also when several orders ask at the same time.
    @Test func paysOneOfSeveralOrdersAtOnce() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.typedCard(shop)
        let pay = Body(["apiOperation": "PAY", "session.id": .string(id)]).json
        let summaries = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 1...8 { group.addTask { try await shop.put("o\(index)", "1", pay).summary } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(summaries.filter { $0 == "SUCCESS APPROVED" }.count == 1)
        let expected = [
            "SUCCESS APPROVED", "INVALID_REQUEST SESSION_USED session.id INVALID",
            "SERVER_BUSY SESSION_CONFLICT session.id INVALID", "SERVER_BUSY SESSION_CONFLICT",
        ]
        #expect(summaries.allSatisfy(expected.contains))
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }

    /// A device that says something else meanwhile does not keep the card in the session.
    @Test func forgetsWhatHasPaidAlsoWhenItWasUpdatedMeanwhile() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.typedCard(shop)
        let commWeb = shop.commWeb
        let caller = try await commWeb.authenticator.caller(
            merchantID: CommWebShop.merchantID,
            credentials: Credentials(
                user: "merchant.\(CommWebShop.merchantID)", password: Redacted(CommWebShop.password)),
            from: WireRequest(method: .post, path: "/"))
        let name = try TransactionName(
            Call(
                version: APIVersion(number: 71), operation: .pay, orderID: "o1", transactionID: "1",
                fields: RequestFields()))
        let session = try await commWeb.sessions.session(id, of: caller.merchant)
        try await commWeb.claim(session, for: name, of: caller)
        let pay = Body(["apiOperation": "PAY", "session.id": .string(id)]).json
        #expect(try await shop.put("o2", "1", pay).summary == "SERVER_BUSY SESSION_CONFLICT session.id INVALID")
        _ = try await Self.update(Self.device(shop, id), id, Body(["order.reference": "cart 1"]))
        await commWeb.spend(session, by: name, of: caller)
        #expect(try await shop.put("o2", "1", pay).summary == "INVALID_REQUEST SESSION_USED session.id INVALID")
        #expect(try await shop.test.payments().isEmpty)
    }

    /// The identical request is answered with its payment, and never that the session is used.
    @Test func paysOnceForTheIdenticalRequestAtOnce() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.typedCard(shop)
        let pay = Body(["apiOperation": "PAY", "session.id": .string(id)]).json
        let summaries = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...8 { group.addTask { try await shop.put("o1", "1", pay).summary } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let expected = [
            "SUCCESS APPROVED", "PENDING SUBMITTED", "SERVER_BUSY SESSION_CONFLICT session.id INVALID",
            "SERVER_BUSY SESSION_CONFLICT",
        ]
        #expect(summaries.allSatisfy(expected.contains) && summaries.contains("SUCCESS APPROVED"))
        #expect(try await shop.test.bookedCount(.authorization) == 1)
        #expect(try await shop.put("o1", "1", pay).summary == "SUCCESS APPROVED")
    }

    // MARK: - The payer's device

    @Test(arguments: ["Basic ", ""])
    func aDeviceIsForItsOwnSessionOnly(scheme: String) async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        let device = Self.device(shop, id, scheme: scheme)
        #expect(try await device.get("session/\(id)")["session.id"] == id)
        let other = try await Self.id(shop)
        for reply in [
            try await device.get("session/\(other)"), try await device.pay("PAY", "o1"),
            try await device.get("order/o1"), try await Self.create(device),
            try await device.follow("REFUND", "o1", "2", amount: "1.00"),
        ] {
            #expect(reply.summary == "REQUEST_REJECTED SESSION_NOT_PERMITTED apiOperation UNSUPPORTED")
            #expect(reply.status == 403)
        }
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test func aDeviceAuthenticatesAsOftenAsTheSessionSays() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop, ["session": ["authenticationLimit": "2"]])
        let device = Self.device(shop, id)
        #expect(try await device.get("session/\(id)").status == 200)
        #expect(try await Self.update(device, id, Body(["order.reference": "1"])).status == 201)
        let third = try await Self.update(device, id, Body(["order.reference": "2"]))
        #expect(third.summary == "REQUEST_REJECTED SESSION_LIMIT_REACHED" && third.status == 403)
        #expect(try await shop.get("session/\(id)")["order.reference"] == "1")
    }

    /// SDKs for versions below 50 show nothing but the session's id.
    @Test func oldDevicesUpdateWithoutAuthentication() async throws {
        var shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        var device = shop
        device.authorization = nil
        device.version = 49
        var body = try Self.details(shop)
        body["apiOperation"] = "UPDATE_PAYER_DATA"
        body["device.browser"] = "Gateway-iOS-SDK/1.1"
        #expect(try await Self.update(device, id, body)["session.updateStatus"] == "SUCCESS")
        body["apiOperation"] = "UPDATE_SESSION"
        #expect(try await Self.update(device, id, body).status == 401)
        body["apiOperation"] = "UPDATE_PAYER_DATA"
        device.version = 50
        #expect(try await Self.update(device, id, body).status == 401)
        device.version = 49
        #expect(try await device.get("session/\(id)").status == 401)
        #expect(
            try await Self.update(device, "SESSION000000000000000000000000", body).summary.contains("SESSION_NOT_FOUND")
        )
        shop.version = 49
        let paid = try await shop.put("o1", "1", Body(["apiOperation": "PAY", "session.id": .string(id)]).json)
        #expect(paid.summary == "SUCCESS APPROVED" && paid["version"] == "49")
    }

    @Test func aDeclineSpendsTheDetailsAndARefusalDoesNot() async throws {
        let shop = try await CommWebShop.open()
        let id = try await Self.id(shop)
        _ = try await Self.update(shop, id, Self.details(shop, amount: "57.57"))
        var pay = Body(["apiOperation": "PAY", "session.id": .string(id), "order.amount": "57.00"])
        #expect(try await shop.put("o1", "1", pay.json).summary.contains("TOKEN_AMOUNT_DIFFERS"))
        pay["order.amount"] = nil
        #expect(try await shop.put("o1", "1", pay.json).summary == "FAILURE DECLINED")
        #expect(try await shop.put("o1", "2", pay.json).summary.contains("SESSION_USED"))
    }
}
