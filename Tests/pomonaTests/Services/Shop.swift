//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Crypto
import CryptoExtras
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import StrictJSON
import SwiftASN1
import Testing
import WalletSimulator
import X509

@testable import pomona

/// A merchant's server and its customer's iPhone: speaks AlphaPay with the files of a sandbox's data directory.
final class Shop: Sendable {
    let url: String
    let card: MerchantCard
    private let client: HTTPClient
    private let privateKey: _RSA.Signing.PrivateKey
    private let gatewayKey: _RSA.Signing.PublicKey
    private let device: SimulatedDevice
    private let recipient: ProcessingPublicKey

    init(url: String, data: String, merchant: String = "alphapay", client: HTTPClient = Shop.impatient) throws {
        let directory = DataDirectory(path: data)
        self.url = url
        self.client = client
        self.card = try directory.loadMerchant(merchant)
        self.privateKey = try _RSA.Signing.PrivateKey(
            pemRepresentation: FileSystem.readPrivateText(self.card.path("privateKey")))
        self.gatewayKey = try _RSA.Signing.PublicKey(
            pemRepresentation: FileSystem.readText(self.card.path("gatewayPublicKey")))
        self.device = SimulatedDevice(authority: try directory.loadAuthority())
        self.recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: FileSystem.readText(self.card.processingCertificatePath)))
    }

    /// A client that gives up at once when nobody listens, and so notices when a gateway has died.
    static let impatient: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// A client that trusts the sandbox's own certificate authority and nobody else.
    static func client(trusting caPath: String) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(caPath)
        configuration.tlsConfiguration = tls
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// An answer whose signature has been checked.
    func call(_ endpoint: String, _ body: JSON) async throws -> JSON {
        let path = "/api/v2.0/payments/\(endpoint)"
        let bytes = body.serialized()
        let time = Date.now.formatted(.iso8601)
        let nonce = UUID().uuidString.replacingOccurrences(of: "-", with: "")
        let signature = try self.privateKey.signature(
            for: self.signedText(path, time, nonce, bytes), padding: .insecurePKCS1v1_5)
        var request = HTTPClientRequest(url: self.url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=UTF-8")
        request.headers.add(name: "Merchant-Code", value: try self.card.value("merchantCode"))
        request.headers.add(name: "Request-Time", value: time)
        request.headers.add(name: "Nonce", value: nonce)
        request.headers.add(
            name: "Signature",
            value: try "algorithm=RS256, keyVersion=\(self.card.value("keyVersion")), signature="
                + (signature.rawRepresentation.base64EncodedString()
                    .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
        request.body = .bytes(ByteBuffer(bytes: bytes))
        let response = try await self.client.execute(request, timeout: .seconds(60))
        let answer = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        #expect(response.status.code == 200)
        try self.check(response, path, answer)
        return try JSON.parse(answer)
    }

    private func signedText(_ path: String, _ time: String, _ nonce: String, _ body: [UInt8]) throws -> [UInt8] {
        try Array("POST \(path)\n\(self.card.value("merchantCode")).\(time).\(nonce).".utf8) + body
    }

    private func check(_ response: HTTPClientResponse, _ path: String, _ body: [UInt8]) throws {
        let header = try #require(response.headers.first(name: "Signature"))
        let encoded = try #require(header.split(separator: ",").last?.split(separator: "=").last)
        let signature = try #require(encoded.removingPercentEncoding.flatMap { Data(base64Encoded: $0) })
        let text = try self.signedText(
            path, try #require(response.headers.first(name: "Response-Time")),
            try #require(response.headers.first(name: "Nonce")), body)
        #expect(
            self.gatewayKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: text, padding: .insecurePKCS1v1_5))
    }

    /// Creates an order. Amounts are minor units of CAD.
    func order(_ requestID: String, amount: Int64) async throws -> String {
        let answer = try await self.call(
            "apple-pay/preOrder",
            [
                "paymentRequestId": .string(requestID), "merchantIdentifier": .string(self.card.merchantIdentifier),
                "order": [
                    "orderAmount": ["value": .string(String(amount)), "currency": "CAD"], "description": "Apples",
                ],
            ])
        return try #require(answer["paymentId"]?.string, "\(answer.text())")
    }

    /// A fresh token of the test wallet's.
    func token(amount: Int64) throws -> JSON {
        try self.device.mint(
            PaymentRequest(
                merchantIdentifier: self.card.merchantIdentifier, amountMinorUnits: amount, currencyCode: "124"),
            card: .visa, recipient: self.recipient, signingTime: .now
        ).paymentToken
    }

    func pay(_ paymentID: String, amount: Int64) async throws -> JSON {
        try await self.call(
            "apple-pay/pay", ["paymentId": .string(paymentID), "token": try self.token(amount: amount)])
    }

    func inquire(_ paymentID: String) async throws -> JSON {
        try await self.call("inquiryPayment", ["paymentId": .string(paymentID)])
    }
}
