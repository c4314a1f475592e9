//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import NIOHTTP1
import StrictJSON
import Time

/// The shop's server: calls the gateway in AlphaPay's wire language, signs its requests and checks the replies'
/// signatures.
///
/// Everything that it knows is in its folder of the data directory, as it would be in a shop of its own.
struct DemoShop: Sendable {
    let card: MerchantCard
    let wire: DemoWire
    private let signature: DemoSignature

    init(card: MerchantCard, wire: DemoWire) throws {
        self.card = card
        self.wire = wire
        self.signature = DemoSignature(
            merchantCode: try card.value("merchantCode"), keyVersion: try card.value("keyVersion"),
            privateKey: try _RSA.Signing.PrivateKey(
                pemRepresentation: try FileSystem.readPrivateText(card.path("privateKey"))),
            gatewayKey: try _RSA.Signing.PublicKey(
                pemRepresentation: try FileSystem.readText(card.path("gatewayPublicKey"))))
    }

    /// What came back from a call.
    struct Reply: Sendable {
        let body: JSON
        let isSignatureValid: Bool

        var resultCode: String { self.body["result"]?["resultCode"]?.string ?? "none" }
        var resultStatus: String { self.body["result"]?["resultStatus"]?.string ?? "none" }
        var resultMessage: String { self.body["result"]?["resultMessage"]?.string ?? "" }

        /// "S SUCCESS".
        var result: String { "\(self.resultStatus) \(self.resultCode)" }

        func text(_ name: String) -> String { self.body[name]?.string ?? "" }
    }

    /// Posts a signed body to an endpoint: "apple-pay/preOrder".
    func call(_ endpoint: String, _ body: JSON) async throws -> Reply {
        let path = "/api/v2.0/payments/" + endpoint
        let bytes = body.serialized()
        let headers =
            [("Content-Type", "application/json; charset=UTF-8")]
            + (try self.signature.headers(path: path, body: bytes, time: .now()))
        let answer = try await self.wire.send(.POST, path, headers: headers, body: bytes)
        return Reply(
            body: try JSON.parse(answer.body),
            isSignatureValid: self.signature.isGateways(
                answer.headers.first(name: "Signature"), path: path,
                time: answer.headers.first(name: "Response-Time"), nonce: answer.headers.first(name: "Nonce"),
                body: answer.body))
    }

    /// Whether a notification that came to the shop was signed by the gateway.
    func isGenuine(_ notification: DemoInbox.Notification) -> Bool {
        self.signature.isGateways(
            notification.signature, path: notification.path, time: notification.time, nonce: notification.nonce,
            body: notification.body)
    }
}

/// RSA-SHA256 over `METHOD path\nMerchant-Code.time.nonce.body`, in both directions (AlphaPay, "Signature").
struct DemoSignature: Sendable {
    let merchantCode: String
    let keyVersion: String
    let privateKey: _RSA.Signing.PrivateKey
    let gatewayKey: _RSA.Signing.PublicKey

    func headers(path: String, body: [UInt8], time: Timestamp) throws -> [(String, String)] {
        let nonce = Hex.encode(Surroundings.system.random(16))
        let time = time.rfc3339Seconds
        let signature = try self.privateKey.signature(
            for: self.message(path: path, time: time, nonce: nonce, body: body), padding: .insecurePKCS1v1_5)
        let encoded = Self.urlEncoded(signature.rawRepresentation.base64EncodedString())
        return [
            ("Merchant-Code", self.merchantCode), ("Request-Time", time), ("Nonce", nonce),
            ("Signature", "algorithm=RS256, keyVersion=\(self.keyVersion), signature=\(encoded)"),
        ]
    }

    /// Whether the gateway signed it. Without a header, a time or a nonce it did not.
    func isGateways(_ header: String?, path: String, time: String?, nonce: String?, body: [UInt8]) -> Bool {
        guard let header, let time, let nonce, let encoded = header.components(separatedBy: "signature=").last,
            let base64 = encoded.removingPercentEncoding, let bytes = Data(base64Encoded: base64)
        else { return false }
        return self.gatewayKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: bytes),
            for: self.message(path: path, time: time, nonce: nonce, body: body), padding: .insecurePKCS1v1_5)
    }

    private func message(path: String, time: String, nonce: String, body: [UInt8]) -> Data {
        Data("POST \(path)\n\(self.merchantCode).\(time).\(nonce).".utf8) + Data(body)
    }

    private static func urlEncoded(_ base64: String) -> String {
        base64.replacingOccurrences(of: "+", with: "%2B").replacingOccurrences(of: "/", with: "%2F")
            .replacingOccurrences(of: "=", with: "%3D")
    }
}
