//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import StrictJSON
import SwiftASN1
import TestProcesses
import Testing
import WalletSimulator
import X509

/// A forgery must be wrong in one way only. What openssl and a merchant who checks nothing make of it shows that
/// the rest is right.
@Suite struct ForgeryTests {
    /// Forgeries that CMS and X.509 allow: only Apple's own rules forbid them.
    static let allowedByCMS: [Forgery] = [
        .leafWithoutMarkerOID, .leafIsAuthority, .leafIssuedByRoot, .leafWithBothMarkers,
        .intermediateWithoutMarkerOID, .unmarkedCertificatePresent, .twoMarkedLeaves, .twoMarkedIntermediates,
        .signedByUnmarkedCertificate, .signerIdentifierIsSubjectKey, .twoSignerInfos, .signedAttributesMissing,
        .signingTimeMissing, .digestAlgorithmSHA384, .signedForOtherVersion,
        .revocationListsPresent, .unsignedAttributesPresent, .publicKeyHashUnknown, .publicKeyHashOfBareKey,
        .ciphertextCorrupt, .authenticationTagCorrupt, .authenticationTagTruncated, .ciphertextShorterThanTag,
        .keyDerivedForAnotherMerchant, .keyDerivedByX963, .secretWithoutLeadingZero, .ephemeralKeyOnOtherCurve,
        .ephemeralKeyNotOnCurve, .ephemeralKeyCompressed,
    ]

    /// Forgeries that break the signature or its chain for everybody.
    static let refusedByCMS: [Forgery] = [
        .leafExpired, .leafNotYetValid, .leafSignedByAnotherKey, .leafWithUnknownCriticalExtension,
        .intermediateIsNoAuthority, .intermediateExpired, .intermediateSignedByAnotherKey, .foreignRoot, .leafMissing,
        .intermediateMissing, .certificatesMissing, .signedByAnotherKey, .signerIdentifierNamesUnknownSerial,
        .signerIdentifierNamesOtherIssuer, .signerInfoMissing, .messageDigestMissing, .messageDigestWrong,
        .notSignedData, .signatureBitFlipped, .applicationDataUnsigned,
        .applicationDataSignedAsText, .transactionIdentifierSignedAsText, .applicationDataReplaced,
        .applicationDataRemoved, .transactionIdentifierReplaced, .ciphertextReplaced, .keyReplaced,
    ]

    private func forge(_ forgery: Forgery, version: PaymentRequest.Version = .ecV1) throws -> MintedToken {
        try Sandbox.mint(
            Sandbox.request(version, applicationData: forgery == .applicationDataAdded ? nil : [1, 2, 3]),
            options: .forged(forgery))
    }

    /// What a verifier holds the signature against.
    private func content(of token: MintedToken) -> [UInt8] {
        token.parts.key + token.parts.data + token.parts.transactionIdentifier
            + (token.parts.applicationDataHash ?? [])
    }

    private func opensslVerdict(on token: MintedToken) async throws -> Command.Outcome {
        try await OpenSSL.verify(
            signature: token.parts.signature, content: self.content(of: token),
            root: try Sandbox.authority.get().rootCertificatePEM, at: Sandbox.now)
    }

    @Test(arguments: allowedByCMS)
    func opensslSeesNothingWrongWhereOnlyAppleIsStricter(forgery: Forgery) async throws {
        let outcome = try await self.opensslVerdict(on: self.forge(forgery))
        #expect(outcome.status == 0, "\(outcome.errorsText)")
    }

    @Test(arguments: refusedByCMS)
    func opensslRefusesWhatBreaksTheSignature(forgery: Forgery) async throws {
        #expect(try await self.opensslVerdict(on: self.forge(forgery)).status != 0)
    }

    /// All but those about the seal itself, or about what is in its place, still decrypt.
    @Test(arguments: PaymentRequest.Version.allCases)
    func forgeriesOfTheSignatureLeaveThePayloadReadable(version: PaymentRequest.Version) throws {
        let recipient = try Sandbox.recipient(version)
        let aboutTheSeal: Set<Forgery> = [
            .ciphertextReplaced, .keyReplaced, .ciphertextCorrupt, .authenticationTagCorrupt,
            .authenticationTagTruncated, .ciphertextShorterThanTag, .keyDerivedForAnotherMerchant, .keyDerivedByX963,
            .secretWithoutLeadingZero, .ephemeralKeyOnOtherCurve, .ephemeralKeyNotOnCurve, .ephemeralKeyCompressed,
            .wrappedKeyWithSHA1, .wrappedKeyCorrupt, .contentKeyOf32Bytes,
        ]
        for forgery in Forgery.allCases where !aboutTheSeal.contains(forgery) {
            let request = Sandbox.request(version, applicationData: forgery == .applicationDataAdded ? nil : [1, 2, 3])
            guard forgery.applies(to: request, recipient: recipient) else { continue }
            let token = try Sandbox.mint(request, options: .forged(forgery))
            #expect(try MerchantServer.open(token.paymentData).serialized() == token.parts.plaintext, "\(forgery)")
        }
    }

    @Test(arguments: [
        (Forgery.ciphertextCorrupt, PaymentRequest.Version.ecV1), (.authenticationTagCorrupt, .rsaV1),
        (.authenticationTagTruncated, .ecV1), (.ciphertextShorterThanTag, .rsaV1),
        (.keyDerivedForAnotherMerchant, .ecV1), (.keyDerivedByX963, .ecV1), (.secretWithoutLeadingZero, .ecV1),
        (.ephemeralKeyOnOtherCurve, .ecV1), (.ephemeralKeyNotOnCurve, .ecV1), (.wrappedKeyWithSHA1, .rsaV1),
        (.wrappedKeyCorrupt, .rsaV1), (.contentKeyOf32Bytes, .rsaV1),
    ])
    func forgeriesOfTheSealDoNotOpen(forgery: Forgery, version: PaymentRequest.Version) throws {
        let token = try self.forge(forgery, version: version)
        #expect(throws: (any Error).self) { try MerchantServer.open(token.paymentData) }
    }

    @Test func publicKeyHashOfCertificateIsTheCertificates() throws {
        let certificate = try Sandbox.authority.get().issue(
            .paymentProcessing, merchantIdentifier: Sandbox.merchantIdentifier,
            publicKey: .init(P256.Signing.PrivateKey().publicKey), now: Sandbox.now)
        let token = try Sandbox.device().mint(
            Sandbox.request(), card: .visa, recipient: ProcessingPublicKey(certificate: certificate),
            signingTime: Sandbox.now, options: .forged(.publicKeyHashOfCertificate))
        let der = try certificate.serializeAsPEM().derBytes
        #expect(token.parts.publicKeyHash == Array(SHA256.hash(data: der)))
    }

    @Test func forgeriesCombine() throws {
        let token = try Sandbox.mint(
            Sandbox.request(), options: .forged(.leafWithoutMarkerOID, .signingTimeMissing))
        let lines = try Outline(token.parts.signature).lines
        #expect(!lines.contains { $0.hasSuffix("1.2.840.113635.100.6.29") })
        #expect(!lines.contains { $0.hasSuffix("1.2.840.113549.1.9.5") })
        #expect(lines.contains { $0.hasSuffix("1.2.840.113635.100.6.2.14") })
    }
}
