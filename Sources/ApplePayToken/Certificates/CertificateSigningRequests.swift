//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import CryptoExtras
public import Redaction
internal import SwiftASN1
internal import X509

/// A certificate signing request with the private key that was made for it.
public struct GeneratedSigningRequest: Sendable {
    /// PKCS #10 in PEM: what is uploaded at Apple.
    public let requestPEM: String
    /// PKCS #8 in PEM. Store it sealed: Apple never sees it and cannot give it back.
    public let privateKeyPEM: Redacted<String>
    /// SHA-256 of the public key's SubjectPublicKeyInfo, by which the certificate will be matched.
    public let publicKeyHash: [UInt8]
}

/// Makes the signing requests for a merchant's two certificates (Apple, TN3206). Apple takes the public key from them
/// and writes subject and extensions itself, so the name in the request is for the merchant's own files.
public enum CertificateSigningRequests {
    /// The key of a Payment Processing Certificate.
    public enum ProcessingAlgorithm: Hashable, Sendable {
        /// EC_v1: everywhere but in China mainland.
        case p256
        /// RSA_v1: China mainland.
        case rsa2048
    }

    /// A request for a Payment Processing Certificate.
    ///
    /// - Parameter commonName: A name for the merchant's own files, 1–64 characters, e.g. "Shop 2026".
    /// - Throws: ``TokenError`` `signing_request_failed`.
    public static func paymentProcessing(
        _ algorithm: ProcessingAlgorithm = .p256, commonName: String
    ) throws(TokenError) -> GeneratedSigningRequest {
        switch algorithm {
        case .p256:
            let key = P256.Signing.PrivateKey()
            return try self.request(Certificate.PrivateKey(key), commonName, pem: Redacted(key.pemRepresentation))
        case .rsa2048: return try self.rsaRequest(commonName)
        }
    }

    /// A request for a Merchant Identity Certificate, RSA-2048.
    ///
    /// - Parameter commonName: A name for the merchant's own files, 1–64 characters, e.g. "Shop 2026".
    /// - Throws: ``TokenError`` `signing_request_failed`.
    public static func merchantIdentity(commonName: String) throws(TokenError) -> GeneratedSigningRequest {
        try self.rsaRequest(commonName)
    }

    /// The request for a key that there is already, written anew. Only its signature differs from the first one's.
    ///
    /// - Parameters:
    ///   - privateKeyPEM: P-256 or RSA, PKCS #8.
    ///   - commonName: as it was in the first request.
    /// - Returns: the request, PEM.
    /// - Throws: ``TokenError`` `signing_request_failed`, `private_key_malformed`.
    public static func again(
        privateKeyPEM: Redacted<String>, commonName: String
    ) throws(TokenError) -> String {
        let key: Certificate.PrivateKey
        do {
            key = try Certificate.PrivateKey(pemEncoded: privateKeyPEM.reveal())
        } catch {
            throw TokenError(.signingRequestFailed, .certificate, "The key is none that a request can be made for.")
        }
        return try self.request(key, commonName, pem: privateKeyPEM).requestPEM
    }

    /// Of which kind a request's key is. While there is no certificate it stands in the request alone (RFC 2986,
    /// section 4.1, `subjectPKInfo`).
    ///
    /// - Returns: `nil` for what is no request in PEM, or one for another key.
    public static func algorithm(of requestPEM: String) -> ProcessingAlgorithm? {
        guard let key = try? CertificateSigningRequest(pemEncoded: requestPEM).publicKey else { return nil }
        if P256.Signing.PublicKey(key) != nil { return .p256 }
        return _RSA.Signing.PublicKey(key) != nil ? .rsa2048 : nil
    }

    private static func rsaRequest(_ commonName: String) throws(TokenError) -> GeneratedSigningRequest {
        let key: _RSA.Signing.PrivateKey
        do {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            throw TokenError(.signingRequestFailed, .certificate, "An RSA-2048 key could not be made.")
        }
        return try self.request(Certificate.PrivateKey(key), commonName, pem: Redacted(key.pkcs8PEMRepresentation))
    }

    private static func request(
        _ key: Certificate.PrivateKey, _ commonName: String, pem: Redacted<String>
    ) throws(TokenError) -> GeneratedSigningRequest {
        // RFC 5280, appendix A: ub-common-name.
        guard (1...64).contains(commonName.unicodeScalars.count) else {
            throw TokenError(
                .signingRequestFailed, .certificate, "The common name of a signing request has 1 to 64 characters.")
        }
        let publicKeyHash = try MerchantPrivateKey(pem: pem).publicKeyHash
        do {
            let request = try CertificateSigningRequest(
                version: .v1,
                subject: try DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: commonName)]),
                privateKey: key, attributes: CertificateSigningRequest.Attributes())
            return GeneratedSigningRequest(
                requestPEM: try request.serializeAsPEM().pemString + "\n",
                privateKeyPEM: pem.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" },
                publicKeyHash: publicKeyHash)
        } catch {
            throw TokenError(
                .signingRequestFailed, .certificate, "The signing request could not be made with this common name.")
        }
    }
}
