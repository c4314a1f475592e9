//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One thing wrong with a token that is right in every other way. A verifier must refuse each of them.
///
/// Unless its name says "replaced", a forgery is made *before* signing: the signature fits what is signed, and only
/// the one check that the forgery is named after can find it.
public enum Forgery: String, CaseIterable, Hashable, Sendable {
    // MARK: Certificates

    /// The leaf lacks 1.2.840.113635.100.6.29.
    case leafWithoutMarkerOID
    /// The leaf says CA:TRUE.
    case leafIsAuthority
    /// The leaf's key usage is keyEncipherment alone.
    case leafWithoutDigitalSignatureUsage
    /// The leaf's validity ended a day before the signing time.
    case leafExpired
    /// The leaf's validity begins a day after the signing time.
    case leafNotYetValid
    /// The leaf names the intermediate as its issuer, but another key signed it.
    case leafSignedByAnotherKey
    /// The root signed the leaf; the intermediate stands by without a part in it.
    case leafIssuedByRoot
    /// The intermediate lacks 1.2.840.113635.100.6.2.14.
    case intermediateWithoutMarkerOID
    /// The intermediate says CA:FALSE.
    case intermediateIsNoAuthority
    /// The intermediate's validity ended a day before the signing time.
    case intermediateExpired
    /// The intermediate names the root as its issuer, but another key signed it.
    case intermediateSignedByAnotherKey
    /// A whole second authority of the same names; the signature is good, the root is not the trusted one.
    case foreignRoot
    case leafMissing
    case intermediateMissing
    /// There are no certificates at all.
    case certificatesMissing
    /// A third certificate, without a marker and without a part in it, stands beside the two.
    case unmarkedCertificatePresent
    /// The leaf bears the intermediate's marker too.
    case leafWithBothMarkers
    /// The leaf has a critical extension that nobody knows.
    case leafWithUnknownCriticalExtension
    /// Two leaves bear the marker.
    case twoMarkedLeaves
    /// Two intermediates bear the marker, of the same name and key.
    case twoMarkedIntermediates

    // MARK: The signer

    /// A third certificate, from the same intermediate but without the marker, signs, and the signer identifier
    /// names it.
    case signedByUnmarkedCertificate
    /// A key that belongs to no certificate signs; the signer identifier names the leaf.
    case signedByAnotherKey
    case signerIdentifierNamesIntermediate
    case signerIdentifierNamesUnknownSerial
    case signerIdentifierNamesOtherIssuer
    /// The signer is named by its subject key identifier (SignerInfo version 3).
    case signerIdentifierIsSubjectKey
    /// SignerInfo says version 3 although the issuer and the serial number name the signer.
    case signerInfoVersionWrong
    case signerInfoMissing
    case twoSignerInfos

    // MARK: Signed attributes

    /// No attributes: the signature covers the content itself, which CMS allows.
    case signedAttributesMissing
    case contentTypeMissing
    case contentTypeTwice
    /// The attribute names signedData instead of data.
    case contentTypeWrong
    case messageDigestMissing
    case messageDigestTwice
    case messageDigestWrong
    case signingTimeMissing
    case signingTimeTwice
    /// One attribute with two values.
    case signingTimeWithTwoValues
    /// The time lacks its seconds.
    case signingTimeMalformed
    /// The CMSAlgorithmProtection attribute (RFC 6211) names SHA-384.
    case algorithmProtectionWrong

    /// An unsigned attribute that means nothing follows the signature.
    case unsignedAttributesPresent

    // MARK: Algorithms

    /// Digest and signature use SHA-384 throughout.
    case digestAlgorithmSHA384
    /// The digest is SHA-256, the signature is over SHA-384, and says so.
    case signatureAlgorithmSHA384
    /// SignedData's list of digests names SHA-384 alone.
    case digestAlgorithmsDiffer
    /// An EC_v1 token signed by the RSA leaf, or an RSA_v1 token signed by the EC leaf.
    case signedForOtherVersion

    // MARK: The envelope of the signature

    /// The signed bytes stand inside the signature instead of beside it.
    case attachedContent
    /// The encapsulated content type, and the attribute, is signedData.
    case encapsulatedContentTypeWrong
    /// The outer content type is data.
    case notSignedData
    /// SignedData says version 3.
    case signedDataVersionWrong
    /// An empty set of revocation lists stands behind the certificates.
    case revocationListsPresent
    case bytesAfterSignature
    case signatureBitFlipped

    // MARK: What is signed

    /// The signature leaves the application data's hash out.
    case applicationDataUnsigned
    /// The signature covers the hexadecimal text of the hash instead of its bytes.
    case applicationDataSignedAsText
    case transactionIdentifierSignedAsText
    /// After signing, the header gets another application data hash.
    case applicationDataReplaced
    /// After signing, the hash disappears from the header.
    case applicationDataRemoved
    /// After signing, a hash appears in the header of a token that had none.
    case applicationDataAdded
    case transactionIdentifierReplaced
    /// After signing, a bit of `data` changes.
    case ciphertextReplaced
    /// After signing, the ephemeral key or the wrapped key becomes another.
    case keyReplaced

    // MARK: The merchant's key (its hash isn't signed)

    case publicKeyHashUnknown
    /// SHA-256 of the certificate instead of its key.
    case publicKeyHashOfCertificate
    /// SHA-256 of the curve point or of the PKCS#1 key instead of the SubjectPublicKeyInfo.
    case publicKeyHashOfBareKey

    // MARK: The seal

    /// A bit of the encrypted payload is wrong, and signed that way.
    case ciphertextCorrupt
    /// A bit of the GCM tag is wrong, and signed that way.
    case authenticationTagCorrupt
    /// The GCM tag has lost its last four bytes.
    case authenticationTagTruncated
    /// `data` is eight bytes long: less than a tag.
    case ciphertextShorterThanTag
    /// The key is derived with another merchant's identifier.
    case keyDerivedForAnotherMerchant
    /// The key is derived by ANSI X9.63, which hashes the secret before the counter.
    case keyDerivedByX963
    /// A leading zero of the shared secret is dropped before the key is derived.
    case secretWithoutLeadingZero
    /// The ephemeral key is on P-384.
    case ephemeralKeyOnOtherCurve
    /// The ephemeral point isn't on the curve.
    case ephemeralKeyNotOnCurve
    /// The ephemeral point is written compressed.
    case ephemeralKeyCompressed
    /// The content key is wrapped with OAEP over SHA-1.
    case wrappedKeyWithSHA1
    /// A bit of the wrapped key is wrong, and signed that way.
    case wrappedKeyCorrupt
    /// The content key has 32 bytes instead of 16.
    case contentKeyOf32Bytes

    /// What a request must look like for the forgery to mean anything.
    enum Need {
        case nothing, ecV1, rsaV1, applicationData, noApplicationData, certificate
    }

    var need: Need {
        switch self {
        case .keyDerivedForAnotherMerchant, .keyDerivedByX963, .secretWithoutLeadingZero, .ephemeralKeyOnOtherCurve,
            .ephemeralKeyNotOnCurve, .ephemeralKeyCompressed:
            .ecV1
        case .wrappedKeyWithSHA1, .wrappedKeyCorrupt, .contentKeyOf32Bytes: .rsaV1
        case .applicationDataUnsigned, .applicationDataSignedAsText, .applicationDataReplaced, .applicationDataRemoved:
            .applicationData
        case .applicationDataAdded: .noApplicationData
        case .publicKeyHashOfCertificate: .certificate
        default: .nothing
        }
    }

    /// Whether the forgery means anything for that request and key; if not, minting refuses it.
    ///
    /// Some are about one version only, some need application data, and `publicKeyHashOfCertificate` needs a
    /// recipient that was made from a certificate.
    public func applies(to request: PaymentRequest, recipient: ProcessingPublicKey) -> Bool {
        switch self.need {
        case .nothing: true
        case .ecV1: request.version == .ecV1
        case .rsaV1: request.version == .rsaV1
        case .applicationData: request.applicationData != nil
        case .noApplicationData: request.applicationData == nil
        case .certificate: recipient.certificateDER != nil
        }
    }
}
