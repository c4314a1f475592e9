//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator
import X509

@testable import ApplePayToken

/// A simulated authority, a merchant with both kinds of processing keys, and a verifier that trusts the authority's
/// root. Made once: RSA keys take a while.
struct Fixture {
    static let shared: Result<Fixture, any Error> = Result { try Fixture() }

    static func get() throws -> Fixture { try self.shared.get() }

    static let now = Date(timeIntervalSince1970: 1_790_000_000)  // 2026-09-21T14:13:20Z
    static let merchantIdentifier = "merchant.com.example.pomona"

    let authority: TestAuthority
    let device: SimulatedDevice
    let root: TrustAnchor
    let ecKey = P256.KeyAgreement.PrivateKey()
    let rsaKey: _RSA.Signing.PrivateKey
    let ecRecipient: ProcessingPublicKey
    let rsaRecipient: ProcessingPublicKey
    let keyring: TokenKeyring

    private init() throws {
        self.authority = try TestAuthority.make(now: Fixture.now)
        self.device = SimulatedDevice(authority: self.authority)
        self.root = try TrustAnchor(certificatePEM: self.authority.rootCertificatePEM, label: "simulator")
        self.rsaKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signingKey = try P256.Signing.PrivateKey(rawRepresentation: self.ecKey.rawRepresentation)
        let ecCertificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: Fixture.merchantIdentifier,
            publicKey: Certificate.PublicKey(signingKey.publicKey), now: Fixture.now)
        let rsaCertificate = try self.authority.issue(
            .paymentProcessing, merchantIdentifier: Fixture.merchantIdentifier,
            publicKey: Certificate.PublicKey(self.rsaKey.publicKey), now: Fixture.now)
        self.ecRecipient = try ProcessingPublicKey(certificate: ecCertificate)
        self.rsaRecipient = try ProcessingPublicKey(certificate: rsaCertificate)
        self.keyring = TokenKeyring([
            try PaymentProcessingKey(
                privateKey: MerchantPrivateKey(self.ecKey), merchantIdentifier: Fixture.merchantIdentifier),
            try PaymentProcessingKey(
                privateKey: MerchantPrivateKey(self.rsaKey), merchantIdentifier: Fixture.merchantIdentifier),
        ])
    }

    /// A verifier with a cache of its own.
    func verifier(policy: VerificationPolicy = .live) -> TokenVerifier {
        TokenVerifier(trustRoots: [.appleRootCAG3, self.root], policy: policy)
    }

    func request(
        _ version: PaymentRequest.Version = .ecV1, kind: PaymentRequest.Kind = .threeDSecure,
        applicationData: [UInt8]? = nil
    ) -> PaymentRequest {
        PaymentRequest(
            merchantIdentifier: Fixture.merchantIdentifier, amountMinorUnits: 1_099, currencyCode: "124", kind: kind,
            version: version, applicationData: applicationData)
    }

    func mint(
        _ request: PaymentRequest, options: MintOptions = MintOptions(), signingTime: Date = Fixture.now
    ) throws -> MintedToken {
        try self.device.mint(
            request, card: .visa, recipient: request.version == .ecV1 ? self.ecRecipient : self.rsaRecipient,
            signingTime: signingTime, options: options)
    }

    /// All the way from the text to the payload.
    func open(
        _ minted: MintedToken, at now: Date = Fixture.now, expecting expectations: TokenExpectations = .none
    ) throws -> DecryptedToken {
        let token = try UnverifiedToken(parsing: minted.paymentDataText.utf8)
        return try self.verifier().verify(token, at: now, expecting: expectations).decrypt(with: self.keyring)
    }
}

@discardableResult
func expectRefusal(
    _ code: TokenError.Code, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> TokenError? {
    expectRefusal(code, nil, comment, sourceLocation: sourceLocation, body)
}

/// Expects a refusal with that code, and with that stage if one is given.
@discardableResult
func expectRefusal(
    _ code: TokenError.Code, _ stage: TokenError.Stage? = nil, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> TokenError? {
    do {
        try body()
        Issue.record("accepted, where \(code) is expected. \(comment?.rawValue ?? "")", sourceLocation: sourceLocation)
        return nil
    } catch let error as TokenError {
        #expect(error.code == code, "\(comment?.rawValue ?? "") \(error)", sourceLocation: sourceLocation)
        if let stage { #expect(error.stage == stage, comment, sourceLocation: sourceLocation) }
        return error
    } catch {
        Issue.record("another kind of error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}
