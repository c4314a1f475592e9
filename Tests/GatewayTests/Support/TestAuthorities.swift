//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Crypto
import Foundation
import Money
import Payments
import Redaction
import SwiftASN1
import Time
import WalletSimulator
import X509

/// The authorities of all tests. Keys are slow to make, so each is made once.
enum TestAuthorities {
    /// 2026-09-21T14:13:20Z
    static let start = Timestamp(seconds: 1_790_000_000)

    /// Trusted for sandbox merchants.
    static let sandbox = Result { try TestAuthority.make(now: date(start)) }
    /// Plays Apple: trusted for live merchants.
    static let live = Result { try TestAuthority.make(now: date(start)) }
    /// Trusted by nobody.
    static let foreign = Result { try TestAuthority.make(now: date(start)) }

    static func date(_ time: Timestamp) -> Date { Date(timeIntervalSince1970: TimeInterval(time.seconds)) }

    static func issuer(_ authority: Result<TestAuthority, any Error>) throws -> MerchantCertificateIssuer {
        try MerchantCertificateIssuer(certificate: bytes(of: authority.get().merchantIntermediateCertificate))
    }

    static func anchor(_ authority: Result<TestAuthority, any Error>) throws -> TrustAnchor {
        try TrustAnchor(certificatePEM: authority.get().rootCertificatePEM)
    }
}

/// A merchant's processing key with its certificate.
struct ProcessingIdentity: Sendable {
    static let first = Result { try ProcessingIdentity(merchantIdentifier: "merchant.com.example.first") }
    static let second = Result { try ProcessingIdentity(merchantIdentifier: "merchant.com.example.second") }

    let merchantIdentifier: String
    let privateKeyPEM: Redacted<String>
    let certificateDER: [UInt8]
    let recipient: ProcessingPublicKey

    init(
        merchantIdentifier: String, key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        issuedAt: Timestamp = TestAuthorities.start
    ) throws {
        let certificate = try TestAuthorities.sandbox.get().issue(
            .paymentProcessing, merchantIdentifier: merchantIdentifier,
            publicKey: Certificate.PublicKey(key.publicKey), now: TestAuthorities.date(issuedAt))
        self.merchantIdentifier = merchantIdentifier
        self.privateKeyPEM = Redacted(key.pemRepresentation)
        self.certificateDER = try bytes(of: certificate)
        self.recipient = try ProcessingPublicKey(certificate: certificate)
    }
}

/// A certificate in DER.
func bytes(of certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
}

extension TestAuthorities {
    /// A sandbox token, signed at the start.
    static func mint(_ amount: Money, for identity: ProcessingIdentity) throws -> MintedToken {
        let request = PaymentRequest(
            merchantIdentifier: identity.merchantIdentifier, amountMinorUnits: amount.minorUnits,
            currencyCode: amount.currency.numericText)
        return try SimulatedDevice(authority: self.sandbox.get()).mint(
            request, card: .visa, recipient: identity.recipient, signingTime: self.date(self.start))
    }
}
