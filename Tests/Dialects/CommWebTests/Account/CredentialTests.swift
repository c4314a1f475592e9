//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import TestGateway
import Testing

@Suite struct CredentialTests {
    static let merchant = "merchant." + CommWebShop.merchantID

    @Test(arguments: [
        CommWebShop.basic(Self.merchant, CommWebShop.password),
        CommWebShop.basic(Self.merchant, CommWebShop.secondPassword),
        "basic " + CommWebShop.base64("\(Self.merchant):\(CommWebShop.password)"),
        // Without the scheme's name, and with the empty user of very old clients.
        CommWebShop.base64("\(Self.merchant):\(CommWebShop.password)"), CommWebShop.basic("", CommWebShop.password),
    ])
    func takesThePassword(header: String) async throws {
        var shop = try await CommWebShop.open()
        shop.authorization = header
        #expect(try await shop.pay("PAY", "o1").summary == "SUCCESS APPROVED")
    }

    @Test(arguments: [
        nil, "", "Basic", "Basic !!!", "Bearer abc", CommWebShop.basic(Self.merchant, "wrong"),
        CommWebShop.basic(Self.merchant, ""), CommWebShop.basic("merchant.OTHER", CommWebShop.password),
        CommWebShop.basic(CommWebShop.merchantID, CommWebShop.password),
        CommWebShop.basic(Self.merchant, "SESSION000000000000000000000000"),
    ])
    func refusesEveryOtherOne(header: String?) async throws {
        var shop = try await CommWebShop.open()
        shop.authorization = header
        let reply = try await shop.pay("PAY", "o1")
        #expect(reply.status == 401 && reply.summary == "INVALID_REQUEST CREDENTIALS_INVALID")
        #expect(reply["error.explanation"] == "Invalid credentials.")
        // A client that sends its password only when it is asked must be asked.
        #expect(reply.headers[.wwwAuthenticate] == "Basic realm=\"gateway\"")
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test func doesNotDistinguishAnUnknownMerchantFromAWrongPassword() async throws {
        var shop = try await CommWebShop.open()
        shop.authorization = CommWebShop.basic("merchant.NOBODY", CommWebShop.password)
        let unknown = try await shop.send(.get, "/api/rest/version/71/merchant/NOBODY/order/o1")
        shop.authorization = CommWebShop.basic(Self.merchant, "wrong")
        #expect(try await shop.get("order/o1").bytes == unknown.bytes)
        let malformed = try await shop.send(.get, "/api/rest/version/71/merchant/a%20b/order/o1")
        #expect(malformed.status == 401)
    }

    /// ActiveMerchant's verify_credentials: a transaction that is not there, and only 401 is bad.
    @Test func recognizesGoodCredentialsByATransactionThatIsNotThere() async throws {
        var shop = try await CommWebShop.open()
        #expect(try await shop.get("order/o/transaction/nonexistent").status == 400)
        shop.authorization = CommWebShop.basic(Self.merchant, "wrong")
        #expect(try await shop.get("order/o/transaction/nonexistent").status == 401)
    }

    @Test func takesTheCertificateInsteadOfThePassword() async throws {
        let shop = try await CommWebShop.open()
        #expect(try await shop.withCertificate.pay("PAY", "o1").summary == "SUCCESS APPROVED")
        var foreign = shop.withCertificate
        foreign.clientCertificate = ClientCertificate(sha256: String(repeating: "cd", count: 32))
        #expect(try await foreign.pay("PAY", "o2").status == 401)
        // A certificate that is nobody's does no harm beside the password.
        foreign.authorization = shop.authorization
        #expect(try await foreign.pay("PAY", "o2").summary == "SUCCESS APPROVED")
    }

    @Test func readsFingerprintsHoweverTheyAreWritten() async throws {
        let colons = Array(repeating: "AB", count: 32).joined(separator: ":")
        let shop = try await CommWebShop.open(settings: [
            "clientCertificateSHA256": String(repeating: "0", count: 64) + ", " + colons
        ])
        #expect(try await shop.withCertificate.pay("PAY", "o1").summary == "SUCCESS APPROVED")
    }

    @Test func permitsWhatTheProfilePermits() async throws {
        let shop = try await CommWebShop.open(allowedOperations: ["AUTHORIZE", "RETRIEVE_ORDER"])
        #expect(try await shop.pay("AUTHORIZE", "o1").summary == "SUCCESS APPROVED")
        let capture = try await shop.follow("CAPTURE", "o1", "2", amount: "61.00")
        #expect(capture.summary == "REQUEST_REJECTED OPERATION_NOT_PERMITTED apiOperation UNSUPPORTED")
        #expect(capture.status == 403 && capture["error.explanation"]?.contains("CAPTURE") == true)
        #expect(try await shop.get("order/o1").status == 200)
        #expect(try await shop.get("order/o1/transaction/1").status == 403)
    }

    // MARK: - UNMASK

    @Test func unmasksForACertificateOnly() async throws {
        let shop = try await CommWebShop.open()
        let refused = try await shop.pay("AUTHORIZE", "o1") { $0["responseControls.sensitiveData"] = "UNMASK" }
        #expect(
            refused.summary
                == "REQUEST_REJECTED UNMASK_NOT_PERMITTED responseControls.sensitiveData UNSUPPORTED")
        #expect(refused.status == 403)
        #expect(try await shop.get("order/o1", query: "responseControls.sensitiveData=UNMASK").status == 403)
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test func unmasksTheNumberOfTheVeryRequest() async throws {
        let shop = try await CommWebShop.open().withCertificate
        let number = Body.card + "deviceSpecificNumber"
        var body = try shop.body("AUTHORIZE")
        body["responseControls.sensitiveData"] = "UNMASK"
        let opened = try await shop.put("o1", "1", body.json)
        #expect(opened.summary == "SUCCESS APPROVED" && opened[number] == "5204240012345679")
        var decrypted = PaymentTests.decrypted()
        decrypted["responseControls.sensitiveData"] = "UNMASK"
        #expect(try await shop.put("o2", "1", decrypted.json)[number] == "5123450000000008")
        // Kept nowhere: what is retrieved is masked.
        let query = "responseControls.sensitiveData=UNMASK"
        #expect(try await shop.get("order/o1/transaction/1", query: query)[number] == "520424xxxxxx5679")
        #expect(try await shop.pay("AUTHORIZE", "o3")[number] == "520424xxxxxx5679")
    }

    /// Nobody has to prove anything for what everybody is answered.
    @Test(arguments: ["MASK", "unmask", " UNMASK", "ALL"])
    func anotherControlLeavesItMasked(_ value: String) async throws {
        for shop in [try await CommWebShop.open(), try await CommWebShop.open().withCertificate] {
            let reply = try await shop.pay("AUTHORIZE", "o1") { $0["responseControls.sensitiveData"] = .string(value) }
            #expect(reply.summary == "SUCCESS APPROVED")
            #expect(reply[Body.card + "deviceSpecificNumber"] == "520424xxxxxx5679")
        }
    }

    @Test func refusesAControlThatIsNone() async throws {
        let shop = try await CommWebShop.open().withCertificate
        for value in [JSON.string(String(repeating: "A", count: 51)), true] {
            let reply = try await shop.pay("AUTHORIZE", "o1") { $0["responseControls.sensitiveData"] = value }
            #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID responseControls.sensitiveData INVALID")
        }
    }
}
