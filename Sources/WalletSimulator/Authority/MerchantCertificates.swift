//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
public import Foundation
import SwiftASN1
public import X509

/// Which of a merchant's two certificates.
public enum MerchantCertificateKind: String, CaseIterable, Hashable, Sendable {
    /// Tokens are encrypted to its key: P-256, or RSA-2048 in China mainland.
    case paymentProcessing
    /// The merchant shows it to Apple's servers to be let in: RSA-2048.
    case merchantIdentity
}

extension TestAuthority {
    /// Signs a merchant's certificate, as Apple's developer portal would; valid for 25 months from a day before `now`.
    ///
    /// - Parameters:
    ///   - merchantIdentifier: e.g. "merchant.com.example".
    ///   - publicKey: the merchant's; P-256 or RSA-2048 for payment processing, RSA-2048 for merchant identity.
    ///   - team: the organizational unit: the ten characters of a developer team.
    ///   - organization: the merchant's name.
    /// - Throws: ``SimulatorError`` `recipient_key_unsupported`, `merchant_identifier_empty`.
    public func issue(
        _ kind: MerchantCertificateKind, merchantIdentifier: String, publicKey: Certificate.PublicKey,
        team: String = "POMONATEAM", organization: String = "Pomona Sandbox Merchant", now: Date
    ) throws -> Certificate {
        guard !merchantIdentifier.isEmpty else {
            throw SimulatorError(.merchantIdentifierEmpty, "a merchant's certificate needs a merchant identifier")
        }
        try TestAuthority.checkKey(publicKey, for: kind)
        let title =
            switch kind {
            case .paymentProcessing: "Apple Pay Payment Processing"
            case .merchantIdentity: "Apple Pay Merchant Identity"
            }
        let subject = try DistinguishedName([
            RelativeDistinguishedName(
                .init(type: CertificateOID.userIdentifier, value: .init(utf8String: merchantIdentifier))),
            CommonName("\(title):\(merchantIdentifier)").makeRDN(),
            OrganizationalUnitName(team).makeRDN(),
            OrganizationName(organization).makeRDN(),
            CountryName("US").makeRDN(),
        ])
        // The hash is a UTF8String of 64 upper-case digits: 0C 40 …
        let hash = Hex.encode(Array(SHA256.hash(data: Array(merchantIdentifier.utf8))), isUpperCase: true)
        let validFrom = now.addingTimeInterval(-86_400)
        // 25 months of 365.25 / 12 days.
        let validity = TimeInterval(25 * 365 * 86_400 / 12 + 25 * 86_400 / 48)
        return try self.merchantIssuer.issue(
            CertificateProfile(
                subject: subject, publicKey: publicKey, validFrom: validFrom,
                validUntil: validFrom.addingTimeInterval(validity),
                keyUsage: kind == .paymentProcessing ? [.keyEncipherment, .keyAgreement] : .digitalSignature,
                isForClientAuthentication: kind == .merchantIdentity, namesPolicy: true,
                markers: [
                    .init(
                        oid: AppleOID.merchantIdentifierHash, value: BER.element(BER.Tag.utf8String, Array(hash.utf8)))
                ]))
    }

    /// Signs a merchant's certificate for the key of a PKCS#10 request (PEM). The request's subject is not looked
    /// at, as at Apple.
    ///
    /// - Throws: ``SimulatorError`` `request_malformed`, `request_signature_invalid`, and those of
    ///   ``issue(_:merchantIdentifier:publicKey:team:organization:now:)``.
    public func issue(
        _ kind: MerchantCertificateKind, merchantIdentifier: String, signingRequestPEM: String,
        team: String = "POMONATEAM", organization: String = "Pomona Sandbox Merchant", now: Date
    ) throws -> Certificate {
        let request: CertificateSigningRequest
        do {
            request = try CertificateSigningRequest(pemEncoded: signingRequestPEM)
        } catch {
            throw SimulatorError(.requestMalformed, "this is not a PEM certificate signing request (PKCS#10)")
        }
        guard request.publicKey.isValidSignature(request.signature, for: request) else {
            throw SimulatorError(
                .requestSignatureInvalid, "the signing request isn't signed by the key that it names: make it anew")
        }
        return try self.issue(
            kind, merchantIdentifier: merchantIdentifier, publicKey: request.publicKey, team: team,
            organization: organization, now: now)
    }

    private static func checkKey(
        _ key: Certificate.PublicKey, for kind: MerchantCertificateKind
    ) throws(SimulatorError) {
        if let rsa = _RSA.Signing.PublicKey(key), rsa.keySizeInBits == 2048 { return }
        switch kind {
        case .paymentProcessing:
            if P256.Signing.PublicKey(key) != nil { return }
            throw SimulatorError(
                .recipientKeyUnsupported, "a payment processing key must be P-256, or RSA-2048 for China mainland")
        case .merchantIdentity:
            throw SimulatorError(.recipientKeyUnsupported, "a merchant identity key must be RSA-2048")
        }
    }
}
