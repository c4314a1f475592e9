//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import StrictJSON
import TestGateway
import Testing

@testable import CommWeb

/// What a session keeps of whom, and how.
@Suite struct SessionFieldTests {
    private static let merchantFields = Body([
        "order.amount": "61.00", "order.currency": "USD", "order.reference": "cart 1",
        "transaction.source": "INTERNET",
    ])

    /// The payer's device, or whoever has seen its session's id, pays what the merchant asked for or nothing.
    @Test(
        arguments: [
            ("order.amount", "0.01"), ("order.currency", "AUD"), ("order.reference", "cart 2"),
            ("transaction.source", "MOTO"), ("order.reference", ["x": 1]),
        ] as [(String, JSON)])
    func keepsWhatTheMerchantHasSet(path: String, value: JSON) async throws {
        let shop = try await CommWebShop.open()
        let id = try await SessionTests.id(shop)
        _ = try await SessionTests.update(shop, id, Self.merchantFields)
        var old = shop
        old.authorization = nil
        old.version = 49
        for (device, operation) in [(SessionTests.device(shop, id), nil), (old, "UPDATE_PAYER_DATA")] {
            var body = Body([path: value])
            body["apiOperation"] = operation.map(JSON.string)
            let reply = try await SessionTests.update(device, id, body)
            #expect(reply["result"] == "ERROR" && reply["error.field"] == path)
            let isObject = value.object != nil
            #expect(reply["error.supportCode"] == (isObject ? "FIELD_INVALID" : "SESSION_NOT_PERMITTED"))
            #expect(reply.status == (isObject ? 400 : 403))
        }
        let kept = try await shop.get("session/\(id)")
        for (path, value) in Self.merchantFields.leaves { #expect(kept[path] == value.string) }
        // Nobody pays with it before the merchant has looked.
        #expect(kept["session.updateStatus"] == "FAILURE")
    }

    /// Where notifications go, with their secret, whether a part is enough, and who began the payment: the merchant's to say,
    /// whether it has said so or not.
    @Test(
        arguments: [
            ("order.notificationUrl", "https://elsewhere.example/"), ("order.acceptPartialAmount", "true"),
            ("order.certainty", "ESTIMATED"), ("order.statementDescriptor.name", "OTHER"),
            ("order.merchantCategoryCode", "5411"), ("transaction.source", "MERCHANT"), ("transaction.reference", "r"),
            ("agreement.type", "RECURRING"),
        ] as [(String, JSON)])
    func leavesToTheMerchantWhatIsNotThePayers(path: String, value: JSON) async throws {
        let shop = try await CommWebShop.open()
        let id = try await SessionTests.id(shop)
        var old = shop
        old.authorization = nil
        old.version = 49
        for (device, operation) in [(SessionTests.device(shop, id), nil), (old, "UPDATE_PAYER_DATA")] {
            var body = try SessionTests.details(shop)
            body[path] = value
            body["apiOperation"] = operation.map(JSON.string)
            let reply = try await SessionTests.update(device, id, body)
            #expect(reply["error.field"] == path && reply["error.supportCode"] != nil, "\(reply.summary)")
        }
        let kept = try await shop.get("session/\(id)")
        #expect(kept[path] == nil && kept["session.updateStatus"] == "FAILURE")
        // The merchant's own is taken.
        var own = Body([path: value])
        if path == "agreement.type" { own["agreement.id"] = "a1" }
        #expect(try await SessionTests.update(shop, id, own)["session.updateStatus"] == "SUCCESS")
    }

    @Test(arguments: [true, false])
    func takesTheDevicesOwnFields(usesCertificate: Bool) async throws {
        let shop = try await CommWebShop.open()
        let id = try await SessionTests.id(shop)
        let merchant = usesCertificate ? shop.withCertificate : shop
        _ = try await SessionTests.update(merchant, id, Self.merchantFields)
        let device = SessionTests.device(shop, id)
        let replaced = try await SessionTests.update(device, id, Body(["order.amount": "1.00"]))
        #expect(replaced.summary == "REQUEST_REJECTED SESSION_NOT_PERMITTED order.amount UNSUPPORTED")
        // The same again is no change; what the merchant has not set is the device's, and so is what pays.
        var details = try SessionTests.details(shop)
        details["order.description"] = "apples"
        #expect(try await SessionTests.update(device, id, details)["session.updateStatus"] == "SUCCESS")
        details = try SessionTests.details(shop)
        details["order.description"] = "pears"
        let updated = try await SessionTests.update(device, id, details)
        #expect(updated["order.description"] == "pears" && updated["order.amount"] == "61.00")
        // The merchant changes what it likes.
        _ = try await SessionTests.update(shop, id, Body(["order.reference": "cart 3"]))
        let paid = try await shop.put("o1", "1", Body(["apiOperation": "PAY", "session.id": .string(id)]).json)
        #expect(paid.summary == "SUCCESS APPROVED" && paid["order.reference"] == "cart 3")
    }

    @Test func aDeviceMayNotAuthenticateWhereTheLimitIsZero() async throws {
        let shop = try await CommWebShop.open()
        let created = try await SessionTests.create(shop, ["session": ["authenticationLimit": 0]])
        #expect(created["session.authenticationLimit"] == "0")
        let id = try #require(created["session.id"])
        let device = try await SessionTests.device(shop, id).get("session/\(id)")
        #expect(device.summary == "REQUEST_REJECTED SESSION_LIMIT_REACHED")
        #expect(try await shop.get("session/\(id)").status == 200)
    }

    /// Whoever reads the store learns no id, which would authenticate.
    @Test func keepsNoIdInTheStore() async throws {
        let shop = try await CommWebShop.open()
        let id = try await SessionTests.id(shop)
        _ = try await SessionTests.update(shop, id, try SessionTests.details(shop))
        try await shop.put("o1", "1", Body(["apiOperation": "PAY", "session.id": .string(id)]).json)
        let stored = try await shop.test.everythingStored().map { String(decoding: $0, as: UTF8.self) }
        #expect(stored.contains { $0.contains(Session.storedName(of: id)) })
        #expect(!stored.contains { $0.contains(id) })
        #expect(Session.storedName(of: id).utf8.count == 64)
    }
}
