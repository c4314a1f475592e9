//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Crypto
import Foundation
import Redaction
import StrictJSON
import WalletSimulator
import X509

/// A test authority, a merchant's processing key, and tokens for it.
struct Fixture {
    static let merchantIdentifier = "merchant.dev.pomona.bench"

    let authority: TestAuthority
    let key: P256.KeyAgreement.PrivateKey
    let now: Date

    init(now: Date) throws {
        self.authority = try TestAuthority.make(now: now)
        self.key = P256.KeyAgreement.PrivateKey()
        self.now = now
    }

    func tokens(_ count: Int, amountMinorUnits: Int64 = 1099, recipient: ProcessingPublicKey? = nil) throws -> [[UInt8]]
    {
        let device = SimulatedDevice(authority: self.authority)
        let recipient = recipient ?? ProcessingPublicKey(self.key.publicKey)
        let request = PaymentRequest(
            merchantIdentifier: Self.merchantIdentifier, amountMinorUnits: amountMinorUnits, currencyCode: "124",
            version: recipient.version)
        return try (0..<count).map { _ in
            try device.mint(request, card: .visa, recipient: recipient, signingTime: self.now).paymentData.serialized()
        }
    }

    func anchor() throws -> TrustAnchor {
        try TrustAnchor(certificatePEM: self.authority.rootCertificate.serializeAsPEM().pemString)
    }

    func keyring() throws -> TokenKeyring {
        TokenKeyring([
            try PaymentProcessingKey(
                privateKeyPEM: Redacted(self.key.pemRepresentation), merchantIdentifier: Self.merchantIdentifier)
        ])
    }
}
