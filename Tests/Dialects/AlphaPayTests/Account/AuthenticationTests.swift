//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AlphaPay
import CryptoExtras
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@Suite struct AuthenticationTests {
    @Test(arguments: [
        "algorithm=RS256,keyVersion=1,signature=%s", "algorithm=RS256, keyVersion=1, signature=%s",
        "algorithm=RS256 ,\tkeyVersion=1 , signature=%s", "keyVersion=1,algorithm=RS256,signature=%s",
        "algorithm=RS256, keyVersion=1, signature=%r",
    ])
    func takesASignatureWithOrWithoutBlanks(header: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) {
            $0.signatureHeader = header
        }
        #expect(reply.result == "PAYMENT_IN_PROCESS U" && reply.isSigned)
    }

    @Test(arguments: [
        ("algorithm=RS256,keyVersion=1", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,keyVersion=1,signature=%s,more=1", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,keyVersion=1,signature=%2", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,keyVersion=1,signature=***", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,keyVersion=1,signature=", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,keyVersion=1,%s", "SIGNATURE_MALFORMED"),
        ("RS256,1,%s", "SIGNATURE_MALFORMED"),
        ("algorithm=RS256,algorithm=RS256,signature=%s", "SIGNATURE_MALFORMED"),
        ("%s", "SIGNATURE_MALFORMED"),
        ("algorithm=RS512,keyVersion=1,signature=%s", "SIGNATURE_ALGORITHM_NOT_SUPPORTED"),
        ("algorithm=none,keyVersion=1,signature=%s", "SIGNATURE_ALGORITHM_NOT_SUPPORTED"),
        ("algorithm=RS256,keyVersion=2,signature=%s", "KEY_VERSION_UNKNOWN"),
        ("algorithm=RS256,keyVersion=1,signature=AAAA", "INVALID_SIGNATURE"),
        ("", "HEADER_MISSING"),
    ])
    func refusesAWrongSignatureHeader(header: String, code: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) {
            $0.signatureHeader = header
        }
        #expect(reply.result == "\(code) F" && reply.httpStatus == 200 && reply.isSigned)
    }

    /// What is signed is the bytes, not the JSON.
    @Test func verifiesOverTheRawBytes() async throws {
        let shop = try await TestShop.open()
        let odd = """
             { "order" :{"description":"x", "orderAmount":{"currency":"CAD","value":"1"}},\r\n\t"paymentRequestId": "\\u0061" }
            """
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(odd.utf8))
        #expect(reply.result == "PAYMENT_IN_PROCESS U" && reply["paymentRequestId"] == "a")
        // The same JSON in other bytes is another message.
        let rewritten = try JSON.parse(odd).serialized()
        let tampered = try await shop.call("apple-pay/preOrder", bytes: Array(odd.utf8)) { call in
            call.tamper = { $0.body = rewritten }
        }
        #expect(tampered.result == "INVALID_SIGNATURE F" && tampered.isSigned)
    }

    @Test func refusesWhatWasChangedAfterSigning() async throws {
        let shop = try await TestShop.open()
        let body = TestShop.orderBody("1", id: "a")
        let changes: [@Sendable (inout WireRequest) -> Void] = [
            { $0.body[20] ^= 1 },
            { $0.body.append(UInt8(ascii: " ")) },
            { $0.path = "/api/v2.0/payments/cancel" },
            { $0.headers[.known("Request-Time")] = "2026-06-15T12:00:01Z" },
            { $0.headers[.known("Nonce")] = "ffffffffffffffffffffffffffffffff" },
        ]
        for change in changes {
            let reply = try await shop.call("apple-pay/preOrder", body) { $0.tamper = change }
            #expect(reply.result == "INVALID_SIGNATURE F" && reply.isSigned)
        }
        let payments = try await shop.gateway.administration.read { try $0.merchants().count }
        #expect(payments == 1)
    }

    @Test func refusesAnotherMerchantsKey() async throws {
        let shop = try await TestShop.open()
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) { $0.key = other }
        #expect(reply.result == "INVALID_SIGNATURE F" && reply.isSigned)
    }

    @Test(arguments: ["NOBODY", "", String(repeating: "x", count: 65)])
    func refusesAMerchantCodeThatNamesNobody(code: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) {
            $0.merchantCode = code
        }
        #expect(reply.result == (code.isEmpty ? "HEADER_MISSING F" : "INVALID_MERCHANT_CODE F"))
        #expect(reply.httpStatus == 200 && !reply.isSigned)
    }

    @Test(arguments: [
        "2026-06-15T12:00:00Z", "2026-06-15T12:00:00.253Z", "2026-06-15T05:00:00-07:00", "2026-06-15T05:00:00-0700",
        "2026-06-15T17:30:00.000+05:30", "2026-06-15T11:55:00Z", "2026-06-15T12:05:00Z",
    ])
    func takesARequestTimeInAnyOfItsForms(time: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) { $0.time = time }
        #expect(reply.result == "PAYMENT_IN_PROCESS U")
    }

    @Test(arguments: [
        ("2026-06-15T11:54:59.999Z", "SIGN_TIMEOUT"), ("2026-06-15T12:05:00.001Z", "SIGN_TIMEOUT"),
        ("1970-01-01T00:00:00Z", "SIGN_TIMEOUT"), ("9999-12-31T23:59:59Z", "SIGN_TIMEOUT"),
        ("2026-06-15 12:00:00", "REQUEST_TIME_MALFORMED"), ("2026-06-15T12:00:00", "REQUEST_TIME_MALFORMED"),
        ("1781524800", "REQUEST_TIME_MALFORMED"), ("", "HEADER_MISSING"),
    ])
    func refusesAStaleOrMalformedRequestTime(time: String, code: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) { $0.time = time }
        #expect(reply.result == "\(code) F" && reply.isSigned)
    }

    @Test func refusesANonceThatWasUsed() async throws {
        let shop = try await TestShop.open()
        let nonce = "0123456789abcdef0123456789abcdef"
        let body = TestShop.orderBody("1", id: "a")
        #expect(try await shop.call("apple-pay/preOrder", body) { $0.nonce = nonce }.code == "PAYMENT_IN_PROCESS")
        let replayed = try await shop.call("apple-pay/preOrder", body) { $0.nonce = nonce }
        #expect(replayed.result == "NONCE_REUSED F" && replayed.isSigned)
        shop.clock.advance(seconds: 299)
        #expect(
            try await shop.call("cancel", ["paymentId": "x"]) { $0.nonce = nonce }.code == "NONCE_REUSED")
    }

    /// A request whose signature is wrong has not used its nonce up.
    @Test func aForgedRequestUsesNoNonceUp() async throws {
        let shop = try await TestShop.open()
        let nonce = "0123456789abcdef0123456789abcdef"
        let body = TestShop.orderBody("1", id: "a")
        let forged = try await shop.call("apple-pay/preOrder", body) { call in
            call.nonce = nonce
            call.tamper = { $0.body.append(UInt8(ascii: " ")) }
        }
        #expect(forged.code == "INVALID_SIGNATURE")
        #expect(try await shop.call("apple-pay/preOrder", body) { $0.nonce = nonce }.code == "PAYMENT_IN_PROCESS")
    }

    @Test(arguments: [
        ("short", "NONCE_MALFORMED"), (String(repeating: "a", count: 65), "NONCE_MALFORMED"),
        ("0123456789abcdef.0123456789abcdef", "NONCE_MALFORMED"), ("", "HEADER_MISSING"),
    ])
    func refusesAMalformedNonce(nonce: String, code: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", TestShop.orderBody("1", id: "a")) { $0.nonce = nonce }
        #expect(reply.result == "\(code) F" && reply.isSigned)
    }

    @Test func refusesRequestsWhenNoncesCannotBeRemembered() async throws {
        let shop = try await TestShop.open(nonces: NonceMemory(capacity: 1))
        #expect(try await shop.order("1").code == "PAYMENT_IN_PROCESS")
        #expect(try await shop.order("1").result == "SYSTEM_BUSY F")
    }

    @Test func signsEveryReplyWithItsOwnTimeAndNonce() async throws {
        let shop = try await TestShop.open()
        let first = try await shop.order("1", id: "a")
        let second = try await shop.order("1", id: "a")
        #expect(first.headers[.known("Response-Time")] == "2026-06-15T12:00:00Z")
        let nonce = try #require(first.headers[.known("Nonce")])
        #expect(nonce.count == 32 && nonce != second.headers[.known("Nonce")])
        let header = try #require(first.headers[.known("Signature")])
        #expect(header.hasPrefix("algorithm=RS256,keyVersion=1,signature=") && !header.contains(" "))
        #expect(first.headers[.contentType] == "application/json; charset=UTF-8")
    }

    @Test func refusesAnAccountThatCannotSign() async throws {
        let shop = try await TestShop.open()
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchantID, dialect: shop.alphaPay.name, key: TestShop.merchantCode,
            settings: ["merchantPublicKey": try Keys.merchant.publicKey.pemRepresentation], secrets: [:])
        let reply = try await shop.order("1")
        #expect(reply.result == "ACCOUNT_NOT_CONFIGURED F" && !reply.isSigned)
    }
}
