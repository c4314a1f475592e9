//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Gateway
import Money
import Payments
import Redaction
import SwiftASN1
import TestGateway
import WalletSimulator
import X509

/// Apple Pay tokens that are minted once, with the key that opens them: every history spends them anew, in a store of its
/// own.
struct TokenPool: Sendable {
    static let shared = Result { try TokenPool() }
    static let amounts: [Int64] = [100_00, 100_00, 200_00, 50_00, 58_58, 61_61, 63_63, 7_00]

    let trustRoots: [TrustAnchor]
    let certificateIssuers: [MerchantCertificateIssuer]
    let certificatePEM: [UInt8]
    let privateKeyPEM: Redacted<String>
    let tokens: [(amount: Money, token: UnverifiedToken)]

    private init() throws {
        let identifier = "merchant.com.example.simulation"
        let authority = try TestAuthorities.authority(.sandbox)
        let request = try CertificateSigningRequests.paymentProcessing(commonName: identifier)
        let certificate = try authority.issue(
            .paymentProcessing, merchantIdentifier: identifier, signingRequestPEM: request.requestPEM,
            now: TestAuthorities.now)
        let recipient = try ProcessingPublicKey(certificate: certificate)
        let device = SimulatedDevice(authority: authority)
        self.trustRoots = [try TrustAnchor(certificatePEM: authority.rootCertificatePEM)]
        self.certificateIssuers = [
            try MerchantCertificateIssuer(
                certificate: Array(try authority.merchantIntermediateCertificate.serializeAsPEM().pemString.utf8))
        ]
        self.certificatePEM = Array(try certificate.serializeAsPEM().pemString.utf8)
        self.privateKeyPEM = request.privateKeyPEM
        self.tokens = try Self.amounts.map { minorUnits in
            let amount = cad(minorUnits)
            let minted = try device.mint(
                PaymentRequest(
                    merchantIdentifier: identifier, amountMinorUnits: minorUnits,
                    currencyCode: amount.currency.numericText, kind: .threeDSecure, version: recipient.version),
                card: .visa, recipient: recipient, signingTime: TestAuthorities.now)
            return (amount, try UnverifiedToken(json: minted.paymentToken))
        }
    }
}

/// Canadian dollars, in cents.
func cad(_ minorUnits: Int64) -> Money {
    guard let currency = Currency.alphabetic("CAD") else { preconditionFailure("ISO 4217 has CAD") }
    return Money(minorUnits: minorUnits, currency: currency)
}
