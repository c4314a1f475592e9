//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
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
    /// Empty where the gateway's key is not known.
    private let gatewayKeys: [_RSA.Signing.PublicKey]

    init(_ credentials: AlphaPayClient.Credentials) throws(ClientError) {
        self.merchantCode = credentials.merchantCode
        self.keyVersion = credentials.keyVersion
        do {
            self.privateKey = try _RSA.Signing.PrivateKey(pemRepresentation: credentials.privateKeyPEM.reveal())
            let gatewayKeys = credentials.gatewayPublicKeyPEM.map { [$0, credentials.secondGatewayPublicKeyPEM] } ?? []
            self.gatewayKeys = try gatewayKeys.compactMap { $0 }.map(_RSA.Signing.PublicKey.init(pemRepresentation:))
        } catch {
            throw ClientError(.keyUnusable, "A key of AlphaPay's account is not the PEM of an RSA key.")
        }
    }

    static func publicKey(_ pem: String) -> _RSA.Signing.PublicKey? {
        try? _RSA.Signing.PublicKey(pemRepresentation: pem)
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
        guard !self.gatewayKeys.isEmpty else { return nil }
        guard let header, let time, let nonce, Self.isTime(time), Self.isNonce(nonce),
            let start = header.range(of: "signature=")?.upperBound,
            let base64 = PercentCoding.decoded(header[start...]), let bytes = Base64.decode(base64)
        else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(bytes))
        let message = self.message(path: path, time: time, nonce: nonce, body: body)
        return self.gatewayKeys.contains {
            $0.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5)
        }
    }

    // What is signed has dots between its parts, so that a time or a nonce with one too many would move where the body
    // begins.

    private static func isTime(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) || "T:Z+-.".utf8.contains($0) }
    }

    private static func isNonce(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(ASCII.isNameCharacter)
    }

    private func message(path: String, time: String, nonce: String, body: [UInt8]) -> Data {
        Data("POST \(path)\n\(self.merchantCode).\(time).\(nonce).".utf8) + Data(body)
    }
}
