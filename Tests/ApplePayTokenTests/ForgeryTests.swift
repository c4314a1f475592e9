//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Testing
import WalletSimulator

@testable import ApplePayToken

/// Each forgery of the wallet simulator is right in every way but one, and must be refused for that one.
@Suite struct ForgeryTests {
    static let codes: [Forgery: TokenError.Code] = [
        .leafWithoutMarkerOID: .leafMissing,
        .leafIsAuthority: .leafIsAuthority,
        .leafWithoutDigitalSignatureUsage: .leafKeyUsage,
        .leafExpired: .certificateExpired,
        .leafNotYetValid: .certificateNotYetValid,
        .leafSignedByAnotherKey: .leafSignatureInvalid,
        .leafIssuedByRoot: .leafIssuerMismatch,
        .intermediateWithoutMarkerOID: .intermediateMissing,
        .intermediateIsNoAuthority: .intermediateNotAuthority,
        .intermediateExpired: .certificateExpired,
        .intermediateSignedByAnotherKey: .intermediateSignatureInvalid,
        // A root of the same name: its key is another.
        .foreignRoot: .intermediateSignatureInvalid,
        .leafMissing: .leafMissing,
        .intermediateMissing: .intermediateMissing,
        .certificatesMissing: .leafMissing,
        .unmarkedCertificatePresent: .certificateSuperfluous,
        .leafWithBothMarkers: .markerAmbiguous,
        .leafWithUnknownCriticalExtension: .certificateCriticalExtension,
        .twoMarkedLeaves: .leafRepeated,
        .twoMarkedIntermediates: .intermediateRepeated,
        .signedByUnmarkedCertificate: .certificateSuperfluous,
        .signedByAnotherKey: .signatureInvalid,
        .signerIdentifierNamesIntermediate: .signerNotLeaf,
        .signerIdentifierNamesUnknownSerial: .signerNotLeaf,
        .signerIdentifierNamesOtherIssuer: .signerNotLeaf,
        .signerIdentifierIsSubjectKey: .signerIdentifierUnsupported,
        .signerInfoVersionWrong: .cmsVersionUnsupported,
        .signerInfoMissing: .signerCount,
        .twoSignerInfos: .signerCount,
        .signedAttributesMissing: .signedAttributesMissing,
        .contentTypeMissing: .contentTypeMissing,
        .contentTypeTwice: .signedAttributeRepeated,
        .contentTypeWrong: .contentTypeMismatch,
        .messageDigestMissing: .messageDigestMissing,
        .messageDigestTwice: .signedAttributeRepeated,
        .messageDigestWrong: .messageDigestMismatch,
        .signingTimeMissing: .signingTimeMissing,
        .signingTimeTwice: .signedAttributeRepeated,
        .signingTimeWithTwoValues: .signedAttributeMalformed,
        .signingTimeMalformed: .signingTimeMalformed,
        .unsignedAttributesPresent: .unsignedAttributesPresent,
        .algorithmProtectionWrong: .algorithmProtectionMismatch,
        .digestAlgorithmSHA384: .digestAlgorithmUnsupported,
        .signatureAlgorithmSHA384: .signatureAlgorithmUnsupported,
        .digestAlgorithmsDiffer: .digestAlgorithmUnsupported,
        .signedForOtherVersion: .signatureAlgorithmMismatch,
        .attachedContent: .cmsContentAttached,
        .encapsulatedContentTypeWrong: .cmsContentType,
        .notSignedData: .cmsNotSignedData,
        .signedDataVersionWrong: .cmsVersionUnsupported,
        .revocationListsPresent: .cmsUnexpectedElement,
        .bytesAfterSignature: .cmsTrailingBytes,
        .signatureBitFlipped: .signatureInvalid,
        .applicationDataUnsigned: .messageDigestMismatch,
        .applicationDataSignedAsText: .messageDigestMismatch,
        .transactionIdentifierSignedAsText: .messageDigestMismatch,
        .applicationDataReplaced: .messageDigestMismatch,
        .applicationDataRemoved: .messageDigestMismatch,
        .applicationDataAdded: .messageDigestMismatch,
        .transactionIdentifierReplaced: .messageDigestMismatch,
        .ciphertextReplaced: .messageDigestMismatch,
        .keyReplaced: .messageDigestMismatch,
        .publicKeyHashUnknown: .keyUnknown,
        .publicKeyHashOfCertificate: .keyUnknown,
        .publicKeyHashOfBareKey: .keyUnknown,
        .ciphertextCorrupt: .decryptionFailed,
        .authenticationTagCorrupt: .decryptionFailed,
        .authenticationTagTruncated: .decryptionFailed,
        .ciphertextShorterThanTag: .dataTooShort,
        .keyDerivedForAnotherMerchant: .decryptionFailed,
        .keyDerivedByX963: .decryptionFailed,
        .secretWithoutLeadingZero: .decryptionFailed,
        .ephemeralKeyOnOtherCurve: .ephemeralPublicKeyMalformed,
        .ephemeralKeyNotOnCurve: .ephemeralPublicKeyInvalid,
        .ephemeralKeyCompressed: .ephemeralPublicKeyMalformed,
        .wrappedKeyWithSHA1: .wrappedKeyRejected,
        .wrappedKeyCorrupt: .wrappedKeyRejected,
        .contentKeyOf32Bytes: .unwrappedKeyLength,
    ]

    @Test func everyForgeryHasItsCode() {
        for forgery in Forgery.allCases { #expect(ForgeryTests.codes[forgery] != nil, "\(forgery)") }
    }

    @Test(arguments: Forgery.allCases)
    func refusesForgery(_ forgery: Forgery) throws {
        let fixture = try Fixture.get()
        let code = try #require(ForgeryTests.codes[forgery])
        var count = 0
        for version in PaymentRequest.Version.allCases {
            for applicationData in [nil, Array("order 1".utf8)] {
                let request = fixture.request(version, applicationData: applicationData)
                let recipient = version == .ecV1 ? fixture.ecRecipient : fixture.rsaRecipient
                guard forgery.applies(to: request, recipient: recipient) else { continue }
                // In RSA_v1 no key is derived, and so nothing of EC_v1's key derivation applies; the rest holds for
                // both.
                let minted = try fixture.mint(request, options: .forged(forgery))
                expectRefusal(code, "\(forgery), \(version)") { _ = try fixture.open(minted) }
                count += 1
            }
        }
        #expect(count > 0, "\(forgery) was tried")
    }

    @Test func refusalsOfForgeriesNameNoData() throws {
        let fixture = try Fixture.get()
        for forgery in Forgery.allCases {
            let request = fixture.request(applicationData: forgery == .applicationDataAdded ? nil : [1, 2, 3])
            guard forgery.applies(to: request, recipient: fixture.ecRecipient) else { continue }
            let minted = try fixture.mint(request, options: .forged(forgery))
            do {
                _ = try fixture.open(minted)
                Issue.record("\(forgery) was accepted")
            } catch {
                let text = "\(error)"
                for secret in [SimulatedCard.visa.dpan, Base64.encode(minted.parts.data)] {
                    #expect(!text.contains(secret), "\(forgery)")
                }
            }
        }
    }
}
