//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import WalletSimulator

/// One authority and one merchant for all tests: keys are slow to make.
enum Sandbox {
    static let merchantIdentifier = "merchant.com.example.pomona"
    /// 2026-03-01T12:34:56Z
    static let now = Date(timeIntervalSince1970: 1_772_368_496)

    static let authority = Result { try makeAuthority() }
    /// A second authority with a whole set of certificates.
    static let otherAuthority = Result { try makeAuthority() }
    static let ecKey = P256.KeyAgreement.PrivateKey()
    static let rsaKey = Result { try OpenSSL.rsaKey(bits: 2048) }

    /// With an RSA key of openssl's, which is many times faster than an unoptimized build of the cryptographic library.
    private static func makeAuthority() throws -> TestAuthority {
        try TestAuthority.make(
            now: self.now, rsaLeafKey: _RSA.Signing.PrivateKey(pemRepresentation: OpenSSL.rsaKey(bits: 2048)))
    }

    static func device(seed: UInt64 = 1) throws -> SimulatedDevice {
        SimulatedDevice(authority: try self.authority.get(), random: .seeded(seed))
    }

    static func recipient(_ version: PaymentRequest.Version) throws -> ProcessingPublicKey {
        switch version {
        case .ecV1: ProcessingPublicKey(self.ecKey.publicKey)
        case .rsaV1: try ProcessingPublicKey(self.rsaPrivateKey().publicKey)
        }
    }

    static func rsaPrivateKey() throws -> _RSA.Encryption.PrivateKey {
        try _RSA.Encryption.PrivateKey(pemRepresentation: self.rsaKey.get())
    }

    static func request(
        _ version: PaymentRequest.Version = .ecV1, kind: PaymentRequest.Kind = .threeDSecure,
        applicationData: [UInt8]? = nil
    ) -> PaymentRequest {
        PaymentRequest(
            merchantIdentifier: self.merchantIdentifier, amountMinorUnits: 1099, currencyCode: "124", kind: kind,
            version: version, applicationData: applicationData)
    }

    static func mint(
        _ request: PaymentRequest, card: SimulatedCard = .visa, options: MintOptions = MintOptions(), seed: UInt64 = 1
    ) throws -> MintedToken {
        try self.device(seed: seed).mint(
            request, card: card, recipient: self.recipient(request.version), signingTime: self.now, options: options)
    }
}
