//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import SwiftASN1
import Time
import X509

/// The detached CMS signature of a token (RFC 5652), byte for byte in Apple's manner.
///
/// ContentInfo, its content, SignedData, the encapsulated content and the certificates have indefinite lengths;
/// everything within them has definite ones. The certificates are in no DER order: the leaf comes first.
struct TokenSignature {
    /// The bytes that are signed: key, data, transaction identifier and application data hash, one after the other.
    let message: [UInt8]
    let chain: SigningChain
    let signingTime: CivilTime
    let options: MintOptions

    func bytes() throws -> [UInt8] {
        let isDefinite = self.options.hasDefiniteLengths
        var content = try BER.objectIdentifier(self.contentType)
        if self.options.has(.attachedContent) {
            content += BER.open(BER.Tag.context(0), isDefinite: isDefinite, BER.octetString(self.message))
        }
        var certificates: [UInt8] = []
        if !self.chain.certificates.isEmpty {
            certificates = BER.open(
                BER.Tag.context(0), isDefinite: isDefinite, Array(self.chain.certificates.joined()))
        }
        if self.options.has(.revocationListsPresent) { certificates += BER.element(BER.Tag.context(1)) }
        var signerInfos = self.options.has(.signerInfoMissing) ? [] : [try self.signerInfo()]
        if self.options.has(.twoSignerInfos) { signerInfos += signerInfos }
        let signedData = BER.open(
            BER.Tag.sequence, isDefinite: isDefinite,
            BER.integer(self.signedDataVersion),
            BER.set(of: [try self.digestAlgorithm(usesSHA384: self.digestUsesSHA384 || self.listsWrongDigest)]),
            BER.open(BER.Tag.sequence, isDefinite: isDefinite, content), certificates, BER.set(of: signerInfos))
        let outerType = self.options.has(.notSignedData) ? CMSOID.data : CMSOID.signedData
        let whole = BER.open(
            BER.Tag.sequence, isDefinite: isDefinite, try BER.objectIdentifier(outerType),
            BER.open(BER.Tag.context(0), isDefinite: isDefinite, signedData))
        return self.options.has(.bytesAfterSignature) ? whole + BER.null : whole
    }

    // MARK: - SignerInfo

    private func signerInfo() throws -> [UInt8] {
        let attributes = try self.signedAttributes()
        // The signature covers the attributes as a SET OF; in the SignerInfo their tag is [0] (RFC 5652, 5.4).
        let signed = attributes.map { BER.set(of: $0) } ?? self.message
        var signature = try self.chain.key.signature(for: signed, usesSHA384: self.signatureUsesSHA384)
        if self.options.has(.signatureBitFlipped) { signature[signature.count - 1] ^= 0x01 }
        let isVersion3 =
            self.options.has(.signerIdentifierIsSubjectKey) || self.options.has(.signerInfoVersionWrong)
        return BER.sequence(
            BER.integer(isVersion3 ? 3 : 1), try self.signerIdentifier(),
            try self.digestAlgorithm(usesSHA384: self.digestUsesSHA384),
            attributes.map { BER.set(of: $0, tag: BER.Tag.context(0)) } ?? [],
            try self.signatureAlgorithm(usesSHA384: self.signatureUsesSHA384), BER.octetString(signature),
            try self.unsignedAttributes())
    }

    private var signedDataVersion: UInt8 {
        self.options.has(.signerIdentifierIsSubjectKey) || self.options.has(.signedDataVersionWrong) ? 3 : 1
    }

    private func signerIdentifier() throws -> [UInt8] {
        var issuer = self.chain.signer.issuer
        var serialNumber = Array(self.chain.signer.serialNumber.bytes)
        if self.options.has(.signerIdentifierIsSubjectKey) {
            let keyIdentifier = CertificateProfile.keyIdentifier(of: self.chain.signer.publicKey)
            return BER.element(BER.Tag.context(0, isConstructed: false), keyIdentifier)
        }
        if self.options.has(.signerIdentifierNamesIntermediate) {
            issuer = self.chain.intermediate.issuer
            serialNumber = Array(self.chain.intermediate.serialNumber.bytes)
        }
        if self.options.has(.signerIdentifierNamesUnknownSerial) { serialNumber[serialNumber.count - 1] ^= 0x01 }
        if self.options.has(.signerIdentifierNamesOtherIssuer) { issuer = self.chain.intermediate.issuer }
        return BER.sequence(try BER.serialized(issuer), BER.unsignedInteger(serialNumber))
    }

    // MARK: - Signed attributes

    /// `nil` when a forgery leaves them out.
    private func signedAttributes() throws -> [[UInt8]]? {
        if self.options.has(.signedAttributesMissing) { return nil }
        let namedType = self.options.has(.contentTypeWrong) ? CMSOID.signedData : self.contentType
        let contentType = try self.attribute(CMSOID.contentType, try BER.objectIdentifier(namedType))
        var attributes = self.repeated(contentType, missing: .contentTypeMissing, twice: .contentTypeTwice)

        let time = try self.timeElement()
        let times = self.options.has(.signingTimeWithTwoValues) ? [time, time] : [time]
        let signingTime = try self.attribute(CMSOID.signingTime, values: times)
        attributes += self.repeated(signingTime, missing: .signingTimeMissing, twice: .signingTimeTwice)

        if self.options.hasAlgorithmProtection {
            attributes.append(try self.attribute(CMSOID.algorithmProtection, try self.algorithmProtection()))
        }

        var digest =
            self.digestUsesSHA384 ? Array(SHA384.hash(data: self.message)) : Array(SHA256.hash(data: self.message))
        if self.options.has(.messageDigestWrong) { digest[0] ^= 0x01 }
        let messageDigest = try self.attribute(CMSOID.messageDigest, BER.octetString(digest))
        attributes += self.repeated(messageDigest, missing: .messageDigestMissing, twice: .messageDigestTwice)
        return attributes
    }

    private func timeElement() throws -> [UInt8] {
        var text = try self.signingTime.utcTime()
        if self.options.has(.signingTimeMalformed) { text = text.prefix(10) + "Z" }
        return BER.element(BER.Tag.utcTime, Array(text.utf8))
    }

    private func unsignedAttributes() throws -> [UInt8] {
        guard self.options.has(.unsignedAttributesPresent) else { return [] }
        return BER.set(of: [try self.attribute(CMSOID.unknownAttribute, BER.null)], tag: BER.Tag.context(1))
    }

    private func attribute(_ type: ASN1ObjectIdentifier, _ value: [UInt8]) throws -> [UInt8] {
        try self.attribute(type, values: [value])
    }

    private func attribute(_ type: ASN1ObjectIdentifier, values: [[UInt8]]) throws -> [UInt8] {
        BER.sequence(try BER.objectIdentifier(type), BER.set(of: values))
    }

    private func repeated(_ attribute: [UInt8], missing: Forgery, twice: Forgery) -> [[UInt8]] {
        if self.options.has(missing) { return [] }
        return self.options.has(twice) ? [attribute, attribute] : [attribute]
    }

    /// RFC 6211: the digest algorithm, and the signature algorithm under [1].
    private func algorithmProtection() throws -> [UInt8] {
        let isWrong = self.options.has(.algorithmProtectionWrong)
        let signature = try self.signatureAlgorithm(usesSHA384: isWrong || self.signatureUsesSHA384)
        return BER.sequence(
            try self.digestAlgorithm(usesSHA384: isWrong || self.digestUsesSHA384),
            [BER.Tag.context(1)] + signature.dropFirst())
    }

    // MARK: - Algorithms

    private var contentType: ASN1ObjectIdentifier {
        self.options.has(.encapsulatedContentTypeWrong) ? CMSOID.signedData : CMSOID.data
    }

    private var digestUsesSHA384: Bool { self.options.has(.digestAlgorithmSHA384) }

    private var listsWrongDigest: Bool { self.options.has(.digestAlgorithmsDiffer) }

    private var signatureUsesSHA384: Bool {
        self.options.has(.digestAlgorithmSHA384) || self.options.has(.signatureAlgorithmSHA384)
    }

    private func digestAlgorithm(usesSHA384: Bool) throws -> [UInt8] {
        let identifier = try BER.objectIdentifier(usesSHA384 ? CMSOID.sha384 : CMSOID.sha256)
        return self.options.hasNullParameters ? BER.sequence(identifier, BER.null) : BER.sequence(identifier)
    }

    /// ECDSA's identifiers have no parameters (RFC 5758, 3.2), RSA's have NULL (RFC 4055, 5).
    private func signatureAlgorithm(usesSHA384: Bool) throws -> [UInt8] {
        switch (self.chain.key, usesSHA384) {
        case (.p256, false): BER.sequence(try BER.objectIdentifier(CMSOID.ecdsaWithSHA256))
        case (.p256, true): BER.sequence(try BER.objectIdentifier(CMSOID.ecdsaWithSHA384))
        case (.rsa, false): BER.sequence(try BER.objectIdentifier(CMSOID.sha256WithRSAEncryption), BER.null)
        case (.rsa, true): BER.sequence(try BER.objectIdentifier(CMSOID.sha384WithRSAEncryption), BER.null)
        }
    }
}
