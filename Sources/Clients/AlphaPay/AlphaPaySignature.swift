//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Redaction
import Time

/// RSASSA-PKCS1-v1_5 with SHA-256 over `METHOD path\nMerchant-Code.time.nonce.body`, in both directions (AlphaPay,
/// "Signature").
struct AlphaPaySignature: Sendable {
    let merchantCode: String
    let keyVersion: String
    private let privateKey: _RSA.Signing.PrivateKey
    private let gatewayKey: _RSA.Signing.PublicKey?

    init(_ credentials: AlphaPayClient.Credentials) throws(ClientError) {
        self.merchantCode = credentials.merchantCode
        self.keyVersion = credentials.keyVersion
        do {
            self.privateKey = try _RSA.Signing.PrivateKey(pemRepresentation: credentials.privateKeyPEM.reveal())
            self.gatewayKey = try credentials.gatewayPublicKeyPEM.map(_RSA.Signing.PublicKey.init(pemRepresentation:))
        } catch {
            throw ClientError(.keyUnusable, "A key of AlphaPay's account is not the PEM of an RSA key.")
        }
    }

    func headers(
        path: String, body: [UInt8], time: Timestamp, nonce: [UInt8]
    ) throws(ClientError) -> [(String, String)] {
        let time = time.rfc3339Seconds
        let nonce = Hex.encode(nonce)
        let message = self.message(path: path, time: time, nonce: nonce, body: body)
        guard let signature = try? self.privateKey.signature(for: message, padding: .insecurePKCS1v1_5) else {
            throw ClientError(.keyUnusable, "The shop could not sign its request: its private key is damaged.")
        }
        let encoded = PercentCoding.encoded(Base64.encode(Array(signature.rawRepresentation)))
        return [
            ("Merchant-Code", self.merchantCode), ("Request-Time", time), ("Nonce", nonce),
            ("Signature", "algorithm=RS256, keyVersion=\(self.keyVersion), signature=\(encoded)"),
        ]
    }

    /// Whether the gateway signed it; `nil` where its key is not known. Without a header, a time or a nonce it did not.
    func isGateways(_ header: String?, path: String, time: String?, nonce: String?, body: [UInt8]) -> Bool? {
        guard let gatewayKey = self.gatewayKey else { return nil }
        guard let header, let time, let nonce, let start = header.range(of: "signature=")?.upperBound,
            let base64 = PercentCoding.decoded(header[start...]), let bytes = Base64.decode(base64)
        else { return false }
        return gatewayKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: Data(bytes)),
            for: self.message(path: path, time: time, nonce: nonce, body: body), padding: .insecurePKCS1v1_5)
    }

    private func message(path: String, time: String, nonce: String, body: [UInt8]) -> Data {
        Data("POST \(path)\n\(self.merchantCode).\(time).\(nonce).".utf8) + Data(body)
    }
}
