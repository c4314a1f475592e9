//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import DialectKit
import Foundation
import Redaction
import Time

/// RSASSA-PKCS1-v1_5 with SHA-256 over `METHOD path\nMerchant-Code.time.nonce.body`, in both directions (AlphaPay,
/// "Signature").
struct AlphaPaySignature: Sendable {
    let merchantCode: String
    let keyVersion: String
    private let privateKey: _RSA.Signing.PrivateKey
    private let gatewayKey: _RSA.Signing.PublicKey

    init(_ credentials: AlphaPayClient.Credentials) throws {
        self.merchantCode = credentials.merchantCode
        self.keyVersion = credentials.keyVersion
        self.privateKey = try _RSA.Signing.PrivateKey(pemRepresentation: credentials.privateKeyPEM.reveal())
        self.gatewayKey = try _RSA.Signing.PublicKey(pemRepresentation: credentials.gatewayPublicKeyPEM)
    }

    func headers(path: String, body: [UInt8], time: Timestamp, nonce: String) throws -> [(String, String)] {
        let time = time.rfc3339Seconds
        let signature = try self.privateKey.signature(
            for: self.message(path: path, time: time, nonce: nonce, body: body), padding: .insecurePKCS1v1_5)
        let encoded = PercentCoding.encoded(Base64.encode(Array(signature.rawRepresentation)))
        return [
            ("Merchant-Code", self.merchantCode), ("Request-Time", time), ("Nonce", nonce),
            ("Signature", "algorithm=RS256, keyVersion=\(self.keyVersion), signature=\(encoded)"),
        ]
    }

    /// Whether the gateway signed it. Without a header, a time or a nonce it did not.
    func isGateways(_ header: String?, path: String, time: String?, nonce: String?, body: [UInt8]) -> Bool {
        guard let header, let time, let nonce, let start = header.range(of: "signature=")?.upperBound,
            let base64 = PercentCoding.decoded(header[start...]), let bytes = Base64.decode(base64)
        else { return false }
        return self.gatewayKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: Data(bytes)),
            for: self.message(path: path, time: time, nonce: nonce, body: body), padding: .insecurePKCS1v1_5)
    }

    private func message(path: String, time: String, nonce: String, body: [UInt8]) -> Data {
        Data("POST \(path)\n\(self.merchantCode).\(time).\(nonce).".utf8) + Data(body)
    }
}
