//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import SwiftASN1
import Testing
import WalletSimulator
import X509

@testable import ApplePayToken

/// Who has issued a merchant's certificate: decided by the signature alone.
@Suite struct MerchantCertificateIssuerTests {
    /// The published certificates, in the order G2 to G6.
    private static func published() throws -> [[UInt8]] {
        let text = String(decoding: try Vectors.bytes("apple-intermediates.pem"), as: UTF8.self)
        return try PEMDocument.parseMultiple(pemString: text).map(\.derBytes)
    }

    /// The built-in keys are those of the certificates that Apple publishes, by their published digests.
    @Test func builtInAuthoritiesAreThoseThatApplePublishes() throws {
        let published = try Self.published()
        #expect(
            published.map { Hex.encode(SHA256.hash(data: $0)) } == [
                "9ed4b3b88c6a339cf1387895bda9ca6ea31a6b5ce9edf7511845923b0c8ac94c",
                "dcf21878c77f4198e4b4614f03d696d89c66c66008d4244e1b99161aac91601f",
                "ea4757885538dd8cb59ff4556f676087d83c85e70902c122e42c0808b5bce14c",
                "53fd008278e5a595fe1e908ae9c5e5675f26243264a5a6438c023e3ce2870760",
                "bdd4ed6e74691f0c2bfd01be0296197af1379e0418e2d300efa9c3bef642ca30",
            ])
        let keys = try published.map { try Certificate(derEncoded: $0).publicKey }
        #expect(MerchantCertificateIssuer.apple.map(\.publicKey) == keys)
        #expect(
            MerchantCertificateIssuer.apple.map(\.label)
                == (2...6).map { "Apple Worldwide Developer Relations G\($0)" })
        #expect(
            try published.map { try MerchantCertificateIssuer(certificate: $0).publicKey }
                == MerchantCertificateIssuer.apple.map(\.publicKey))
    }

    @Test func knowsWhatAppleHasIssued() throws {
        let certificate = try AppleCertificate(Vectors.bytes("apple-issued-certificate.pem"))
        #expect(certificate.issuer(among: MerchantCertificateIssuer.apple)?.label.hasSuffix("G2") == true)
        #expect(certificate.issuer(among: Array(MerchantCertificateIssuer.apple.dropFirst())) == nil)
        #expect(certificate.issuer(among: []) == nil)
        var spoiled = certificate.der
        spoiled[spoiled.count - 1] ^= 1
        #expect(try AppleCertificate(spoiled).issuer(among: MerchantCertificateIssuer.apple) == nil)
    }

    /// The names are Apple's, the signature is not.
    @Test(arguments: [MerchantCertificateKind.paymentProcessing, .merchantIdentity])
    func knowsWhatTheSimulatorHasIssued(_ kind: MerchantCertificateKind) throws {
        let now = Date(timeIntervalSince1970: 1_781_524_800)
        let (own, other) = (try TestAuthority.make(now: now), try TestAuthority.make(now: now))
        let request = try CertificateSigningRequests.merchantIdentity(commonName: "merchant.test")
        let issued = try own.issue(
            kind, merchantIdentifier: "merchant.test", signingRequestPEM: request.requestPEM, now: now)
        let certificate = try AppleCertificate(Array(issued.serializeAsPEM().pemString.utf8))
        func issuer(_ authority: TestAuthority) throws -> MerchantCertificateIssuer {
            let pem = try authority.merchantIntermediateCertificate.serializeAsPEM().pemString
            return try MerchantCertificateIssuer(certificate: Array(pem.utf8))
        }
        #expect(try certificate.issuer(among: [issuer(other), issuer(own)]) == issuer(own))
        #expect(try certificate.issuer(among: [issuer(other)] + MerchantCertificateIssuer.apple) == nil)
    }

    @Test func refusesAnAuthorityThatIsNoCertificate() throws {
        #expect(throws: TokenError.self) { try MerchantCertificateIssuer(certificate: [1, 2, 3]) }
    }
}
