//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import CryptoExtras
import Foundation
import HTTPTypes
import Redaction
import StrictJSON
import Testing
import Time

struct AlphaPayClientTests {
    private static let keys = Result {
        (
            merchant: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            gateway: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }

    private let client: AlphaPayClient
    private let merchant: _RSA.Signing.PrivateKey
    private let gateway: _RSA.Signing.PrivateKey

    init() throws {
        let keys = try Self.keys.get()
        self.merchant = keys.merchant
        self.gateway = keys.gateway
        self.client = try Self.client(keys.merchant, keys.gateway.publicKey.pemRepresentation)
    }

    private static func client(_ key: _RSA.Signing.PrivateKey, _ gateway: String?) throws -> AlphaPayClient {
        try AlphaPayClient(
            AlphaPayClient.Credentials(
                merchantCode: "POMONA", keyVersion: "1", privateKeyPEM: Redacted(key.pkcs8PEMRepresentation),
                gatewayPublicKeyPEM: gateway),
            clock: { Timestamp(seconds: 1_781_524_800) }, random: { [UInt8](repeating: 0xAB, count: $0) })
    }

    @Test func signsOverPathCodeTimeNonceAndBody() throws {
        let request = try self.client.preOrder(try Samples.charge())
        #expect(request.path == "/api/v2.0/payments/apple-pay/preOrder")
        let nonce = String(repeating: "ab", count: 16)
        #expect(request.header("Nonce") == nonce)
        let time = try #require(request.header("Request-Time"))
        let header = try #require(request.header("Signature"))
        #expect(header.hasPrefix("algorithm=RS256, keyVersion=1, signature="))
        let encoded = try #require(header.split(separator: "signature=").last)
        let bytes = try #require(PercentCoding.decoded(encoded).flatMap { Base64.decode($0) })
        let message = Data("POST \(request.path)\nPOMONA.\(time).\(nonce).".utf8) + Data(request.body.reveal())
        #expect(
            self.merchant.publicKey.isValidSignature(
                .init(rawRepresentation: Data(bytes)), for: message, padding: .insecurePKCS1v1_5))
    }

    @Test func asksForAnOrderBeforeItPays() throws {
        let amount = try Samples.money("10.99", "CAD")
        var charge = try Samples.charge(.sealed(Samples.token), amount)
        let preparation = try #require(try self.client.preparation(of: charge))
        #expect(try preparation.json["order"]?["orderAmount"] == ["value": "1099", "currency": "CAD"])
        #expect(try preparation.json["order"]?["notifyUrl"] == "https://shop.example/notify")
        #expect(throws: ClientError.self) { try self.client.charge(charge) }
        charge.take(try self.read(#"{"paymentId":"P1","applePayParams":{},"result":{"resultStatus":"U"}}"#))
        #expect(try self.client.preparation(of: charge) == nil)
        let pay = try self.client.charge(charge)
        #expect(try pay.json["paymentId"] == "P1")
        #expect(try pay.json["token"]?["paymentData"] == Samples.paymentData)
        #expect(try pay.json["token"]?["transactionIdentifier"] == "ABCDEF01")
    }

    @Test func takesNoPrimeAndHasNoCapture() throws {
        let charge = try Samples.charge(.prime(Redacted("p")))
        #expect(throws: ClientError.self) { try self.client.preparation(of: charge) }
        let followUp = try Samples.followUp(["paymentId": "P1"])
        #expect(throws: ClientError.self) { try self.client.capture(followUp) }
        #expect(throws: ClientError.self) { try self.client.void(followUp) }
        #expect(try self.client.refund(followUp).json["refundRequestId"] == "order-1-2")
        #expect(throws: ClientError.self) { try self.client.refund(try Samples.followUp([:])) }
    }

    /// An answer as the gateway signs it.
    private func read(_ body: String, tamper: Bool = false) throws -> Reading {
        let request = try self.client.call("apple-pay/pay", [:])
        let signed = Data("POST \(request.path)\nPOMONA.T.N.\(body)".utf8)
        let signature = try self.gateway.signature(for: signed, padding: .insecurePKCS1v1_5).rawRepresentation
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Response-Time"))] = "T"
        headers[try #require(HTTPField.Name("Nonce"))] = "N"
        let encoded = PercentCoding.encoded(Base64.encode(Array(signature)))
        headers[try #require(HTTPField.Name("Signature"))] = "algorithm=RS256,keyVersion=1,signature=\(encoded)"
        let sent = Array((tamper ? body + " " : body).utf8)
        return self.client.read(ClientReply(status: 200, headers: headers, body: sent), to: request)
    }

    @Test(arguments: [
        (
            #"{"paymentStatus":"SUCCESS","result":{"resultStatus":"S","resultCode":"SUCCESS"}}"#,
            Reading.Outcome.approved
        ),
        (#"{"paymentStatus":"FAILED","result":{"resultStatus":"S","resultCode":"SUCCESS"}}"#, .declined),
        (
            #"{"refundStatus":"REFUND_IN_PROCESS","result":{"resultStatus":"S","resultCode":"REFUND_IN_PROCESS"}}"#,
            .pending
        ),
        (#"{"result":{"resultStatus":"U","resultCode":"PAYMENT_IN_PROCESS"}}"#, .pending),
        (#"{"applePayParams":{},"result":{"resultStatus":"U","resultCode":"PAYMENT_IN_PROCESS"}}"#, .approved),
        (#"{"paymentStatus":"FAILED","result":{"resultStatus":"F","resultCode":"DO_NOT_HONOR"}}"#, .declined),
        // How the order stands says nothing of a request that was wrong.
        (#"{"paymentStatus":"FAILED","result":{"resultStatus":"F","resultCode":"PARAM_ILLEGAL"}}"#, .refused),
        (#"{"paymentStatus":"SUCCESS","result":{"resultStatus":"F","resultCode":"ORDER_PAID"}}"#, .refused),
        (#"{"result":{"resultStatus":"F","resultCode":"SYSTEM_BUSY"}}"#, .refused),
        (#"{"result":{}}"#, .unknown),
    ])
    func readsAnswers(_ body: String, _ outcome: Reading.Outcome) throws {
        let reading = try self.read(body)
        #expect(reading.outcome == outcome)
        #expect(reading.isGenuine == true)
        #expect(reading.isTemporary == (reading.code == "SYSTEM_BUSY"))
    }

    @Test func aForgedAnswerSaysNothing() throws {
        let body = #"{"paymentId":"P1","result":{"resultStatus":"S","resultCode":"SUCCESS"}}"#
        let forged = try self.read(body, tamper: true)
        #expect(forged.outcome == .unknown)
        #expect(forged.isGenuine == false)
        #expect(forged.handle.isEmpty)
        let unsigned = self.client.reading(body)
        #expect(unsigned.outcome == .unknown)
        // Who does not know the gateway's key cannot say.
        let trusting = try Self.client(self.merchant, nil).reading(body)
        #expect(trusting.outcome == .approved)
        #expect(trusting.isGenuine == nil)
    }

    /// The parts that are signed are put together with dots: one too many would move where the body begins.
    @Test(arguments: [("T", "N.x"), ("T.N", "x"), ("", "N"), ("T", ""), ("T x", "N"), ("T", "N/x")])
    func partsThatAreNoneAreForged(_ time: String, _ nonce: String) throws {
        let request = try self.client.call("apple-pay/pay", [:])
        let body = #"{"result":{"resultStatus":"S","resultCode":"SUCCESS"}}"#
        let signed = Data("POST \(request.path)\nPOMONA.\(time).\(nonce).\(body)".utf8)
        let signature = try self.gateway.signature(for: signed, padding: .insecurePKCS1v1_5).rawRepresentation
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Response-Time"))] = time
        headers[try #require(HTTPField.Name("Nonce"))] = nonce
        headers[try #require(HTTPField.Name("Signature"))] =
            "signature=\(PercentCoding.encoded(Base64.encode(Array(signature))))"
        let reply = ClientReply(status: 200, headers: headers, body: Array(body.utf8))
        #expect(self.client.read(reply, to: request).isGenuine == false)
    }

    @Test func takesTheGatewaysNextKeyToo() throws {
        let next = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let client = try AlphaPayClient(
            AlphaPayClient.Credentials(
                merchantCode: "POMONA", keyVersion: "1",
                privateKeyPEM: Redacted(self.merchant.pkcs8PEMRepresentation),
                gatewayPublicKeyPEM: next.publicKey.pemRepresentation,
                secondGatewayPublicKeyPEM: self.gateway.publicKey.pemRepresentation),
            clock: { Timestamp(seconds: 0) }, random: { [UInt8](repeating: 0, count: $0) })
        let body = #"{"result":{"resultStatus":"S","resultCode":"SUCCESS"}}"#
        let signed = Data("POST /api/v2.0/payments/cancel\nPOMONA.T.N.\(body)".utf8)
        for key in [next, self.gateway, self.merchant] {
            let signature = try key.signature(for: signed, padding: .insecurePKCS1v1_5).rawRepresentation
            var headers = HTTPFields()
            headers[try #require(HTTPField.Name("Response-Time"))] = "T"
            headers[try #require(HTTPField.Name("Nonce"))] = "N"
            headers[try #require(HTTPField.Name("Signature"))] =
                "signature=\(PercentCoding.encoded(Base64.encode(Array(signature))))"
            let reply = ClientReply(status: 200, headers: headers, body: Array(body.utf8))
            let isMerchants = key.publicKey.pemRepresentation == self.merchant.publicKey.pemRepresentation
            #expect(client.read(reply, to: try client.cancel("P1")).isGenuine == !isMerchants)
        }
    }

    @Test func knowsAPublicKey() {
        #expect(AlphaPayClient.isPublicKey(self.gateway.publicKey.pemRepresentation))
        #expect(!AlphaPayClient.isPublicKey(self.gateway.pkcs8PEMRepresentation))
        #expect(!AlphaPayClient.isPublicKey("-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----"))
    }

    @Test func asksForTheTransactionsOfADay() throws {
        let request = try self.client.transactions(day: "20260131")
        #expect(request.path == "/api/v2.0/payments/transactions")
        #expect(try request.json["date"] == "20260131")
    }

    @Test func anotherPageIsUnknown() {
        #expect(self.client.reading("<html>", status: 502).outcome == .unknown)
    }

    @Test func renewedRequestsAreSignedAnew() throws {
        let request = try self.client.inquire("P1")
        let again = try self.client.renewed(request)
        #expect(again.body.reveal() == request.body.reveal())
        #expect(again.headers.map(\.name) == request.headers.map(\.name))
    }

    @Test func refusesKeysThatAreNone() {
        #expect(throws: ClientError.self) {
            try AlphaPayClient(
                AlphaPayClient.Credentials(
                    merchantCode: "P", keyVersion: "1", privateKeyPEM: Redacted("x"), gatewayPublicKeyPEM: nil),
                clock: { Timestamp(seconds: 0) }, random: { _ in [] })
        }
    }

    @Test func readsNotifications() throws {
        let notice = self.client.notice(
            """
            {"refundId":"R1","refundRequestId":"order-1-2","refundStatus":"SUCCESS","result":{"resultStatus":"S"},\
            "refund":{"refundAmount":{"value":"400","currency":"CAD"}}}
            """)
        #expect(notice.title == "refund SUCCESS")
        #expect(notice.subject == .refund)
        #expect(notice.key == "order-1-2")
        #expect(notice.outcome == .approved)
        #expect(try notice.amount == Samples.money("4.00", "CAD"))
        #expect(notice.isGenuine == false)
        #expect(String(decoding: notice.acknowledgement.body, as: UTF8.self).contains(#""resultStatus":"S""#))
        let payment = self.client.notice(
            #"{"paymentId":"P1","paymentStatus":"FAILED","order":{"orderAmount":{"value":"1099","currency":"CAD"}}}"#)
        #expect(payment.subject == .payment)
        #expect(payment.outcome == .declined)
        #expect(try payment.amount == Samples.money("10.99", "CAD"))
        #expect(self.client.notice("nothing").subject == .other)
    }
}
