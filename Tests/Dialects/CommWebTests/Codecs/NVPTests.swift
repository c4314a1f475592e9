//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestGateway
import Testing

/// The same operations as names and values.
@Suite struct NVPTests {
    static func payment(_ shop: CommWebShop, _ operation: String = "PAY", order: String = "o1") throws -> [String:
        String]
    {
        var form = try shop.body(operation, amount: "30.10").form
        form["order.id"] = order
        form["transaction.id"] = "1"
        return form
    }

    @Test func paysAndAnswersAsTheOtherFlavor() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.nvp(Self.payment(shop))
        #expect(reply.json == nil && reply.status == 201 && reply.summary == "SUCCESS APPROVED")
        #expect(reply["order.totalCapturedAmount"] == "30.10" && reply["transaction.type"] == "PAYMENT")
        #expect(try await shop.get("order/o1/transaction/1").fields == reply.fields)
    }

    @Test func goesThroughALife() async throws {
        let shop = try await CommWebShop.open()
        #expect(try await shop.nvp(Self.payment(shop, "AUTHORIZE")).order == "0.00/0.00 of 30.10: AUTHORIZED")
        func follow(
            _ operation: String, _ transaction: String, _ amount: String?, target: String? = nil
        ) async throws -> Reply {
            var fields = ["apiOperation": operation, "order.id": "o1", "transaction.id": transaction]
            fields["transaction.amount"] = amount
            fields["transaction.currency"] = amount.map { _ in "USD" }
            fields["transaction.targetTransactionId"] = target
            return try await shop.nvp(fields)
        }
        #expect(try await follow("UPDATE_AUTHORIZATION", "2", "40.00").order == "0.00/0.00 of 40.00: AUTHORIZED")
        #expect(try await follow("CAPTURE", "3", "40.00").order == "40.00/0.00 of 40.00: CAPTURED")
        #expect(try await follow("REFUND", "4", "10").order == "40.00/10.00 of 40.00: PARTIALLY_REFUNDED")
        #expect(try await follow("VOID", "5", nil, target: "4")["transaction.type"] == "VOID_REFUND")
        let transaction = try await shop.nvp([
            "apiOperation": "RETRIEVE_TRANSACTION", "order.id": "o1", "transaction.id": "3",
        ])
        #expect(transaction.status == 200 && transaction["transaction.type"] == "CAPTURE")
        let order = try await shop.nvp(["apiOperation": "RETRIEVE_ORDER", "order.id": "o1", "correlationId": "c"])
        #expect(order["status"] == "CAPTURED" && order["correlationId"] == "c")
        let types = (0..<6).map { order["transaction[\($0)].transaction.type"] }
        #expect(types == ["AUTHORIZATION", "AUTHORIZATION_UPDATE", "CAPTURE", "REFUND", "VOID_REFUND", nil])
        var verify = try Self.payment(shop, "VERIFY", order: "o2")
        verify["order.amount"] = nil
        #expect(try await shop.nvp(verify)["order.status"] == "VERIFIED")
    }

    @Test func paysWithASession() async throws {
        let shop = try await CommWebShop.open()
        let id = try #require(try await shop.nvp(["apiOperation": "CREATE_SESSION"])["session.id"])
        var update = try Self.payment(shop)
        update["apiOperation"] = "UPDATE_SESSION"
        update["session.id"] = id
        #expect(try await shop.nvp(update)["session.updateStatus"] == "SUCCESS")
        let session = try await shop.nvp(["apiOperation": "RETRIEVE_SESSION", "session.id": id])
        #expect(session["order.amount"] == "30.10" && session["apiPassword"] == nil)
        #expect(session["order.id"] == update["order.id"] && session["transaction.id"] == nil)
        let pay = ["apiOperation": "PAY", "session.id": id, "order.id": "o1", "transaction.id": "1"]
        #expect(try await shop.nvp(pay).summary == "SUCCESS APPROVED")
    }

    @Test func answersErrorsAsAForm() async throws {
        let shop = try await CommWebShop.open()
        var fields = try Self.payment(shop)
        fields["order.amount"] = "30,10"
        let reply = try await shop.nvp(fields)
        #expect(reply.json == nil && reply.status == 400)
        #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID order.amount INVALID" && reply["result"] == "ERROR")
    }

    @Test(arguments: [
        ("merchant", "INVALID_REQUEST FIELD_MISSING merchant MISSING"),
        ("apiOperation", "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"),
        ("order.id", "INVALID_REQUEST FIELD_MISSING order.id MISSING"),
        ("transaction.id", "INVALID_REQUEST FIELD_MISSING transaction.id MISSING"),
    ])
    func requires(name: String, summary: String) async throws {
        let shop = try await CommWebShop.open()
        var fields = try Self.payment(shop)
        fields[name] = ""
        #expect(try await shop.nvp(fields).summary == summary)
    }

    @Test func authenticatesByFieldsHeaderOrCertificate() async throws {
        let shop = try await CommWebShop.open()
        let fields = try Self.payment(shop)
        #expect(try await shop.nvp(fields, credentials: false).status == 401)
        var wrong = fields
        wrong["apiPassword"] = "wrong"
        let refused = try await shop.nvp(wrong, credentials: false)
        #expect(refused.status == 401 && refused["error.explanation"] == "Invalid credentials.")
        wrong["apiUsername"] = "merchant.OTHER"
        wrong["apiPassword"] = CommWebShop.password
        #expect(try await shop.nvp(wrong, credentials: false).status == 401)
        #expect(try await shop.withCertificate.nvp(fields, credentials: false).summary == "SUCCESS APPROVED")
        #expect(try await shop.nvp(fields).summary == "SUCCESS APPROVED")
    }

    @Test func readsLatin1() async throws {
        let shop = try await CommWebShop.open()
        var fields = try Self.payment(shop)
        fields["apiUsername"] = "merchant." + CommWebShop.merchantID
        fields["apiPassword"] = CommWebShop.password
        fields["merchant"] = CommWebShop.merchantID
        let body = CommWebShop.form(fields) + Array("&order.description=Caf%E9".utf8)
        let latin1 = try await shop.nvp(
            bytes: body, contentType: "application/x-www-form-urlencoded; charset=ISO-8859-1")
        #expect(latin1["order.description"] == "Caf\u{E9}")
        // It is the vendor's own charset where none is declared, and the request is the one before.
        #expect(try await shop.nvp(bytes: body)["order.description"] == "Caf\u{E9}")
        let utf8 = try await shop.nvp(bytes: body, contentType: "application/x-www-form-urlencoded; charset=UTF-8")
        #expect(utf8.summary == "INVALID_REQUEST BODY_MALFORMED")
    }

    @Test func refusesWhatIsNoForm() async throws {
        let shop = try await CommWebShop.open()
        let json = try await shop.nvp(bytes: Array("{}".utf8), contentType: "application/json")
        #expect(json.summary == "INVALID_REQUEST MEDIA_TYPE_NOT_SUPPORTED" && json.status == 415)
        #expect(try await shop.nvp(bytes: Array("a=%zz".utf8)).summary == "INVALID_REQUEST BODY_MALFORMED")
        let twice = try await shop.nvp(bytes: Array("merchant=a&merchant=b".utf8))
        #expect(twice.summary == "INVALID_REQUEST FIELD_INVALID merchant INVALID")
        let number = try await shop.nvp(bytes: Array("5123450000000008=a&5123450000000008=b".utf8))
        #expect(number.summary == "INVALID_REQUEST BODY_MALFORMED" && !number.text.contains("512345"))
        let check = try await shop.nvp(["apiOperation": "CHECK_GATEWAY"])
        #expect(check.summary == "INVALID_REQUEST OPERATION_INVALID apiOperation INVALID")
    }
}
