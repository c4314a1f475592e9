//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The CMS SignedData (RFC 5652, section 5) of a payment token, as the places of its parts in the bytes.
///
/// Only what Apple's format has is accepted: detached content of type id-data, SHA-256, one signer named by issuer and
/// serial number, signed attributes, no unsigned attributes, no revocation lists. Whatever stands in the bytes beside
/// that is covered by no signature.
struct SignedData {
    let bytes: [UInt8]
    /// Each certificate's whole DER, in the order of the set, which means nothing.
    let certificates: [Range<Int>]
    /// The signer's issuer Name (whole element) and serial number (content).
    let issuer: Range<Int>
    let serialNumber: Range<Int>
    /// The signed attributes with their implicit tag and length.
    let signedAttributes: Range<Int>
    let attributes: SignedAttributes
    let signatureAlgorithm: SignatureAlgorithm
    /// The signature's bytes: DER of an ECDSA signature, or the RSA integer.
    let signature: Range<Int>

    /// A leaf, an intermediate and, from a careless encoder, a root; anything above is not a token.
    static let certificatesCountMax = 4

    init(parsing bytes: [UInt8]) throws(TokenError) {
        self.bytes = bytes
        var reader = BERReader(bytes, code: .cmsMalformed, stage: .signature)
        let contentInfo = try reader.enter(BERReader.sequenceTag)
        let contentType = try reader.content(BERReader.objectIdentifierTag)
        guard reader.matches(contentType, ObjectIdentifiers.signedData) else {
            throw TokenError(.cmsNotSignedData, .signature, "The signature is CMS, but not SignedData.")
        }
        let explicit = try reader.enter(BERReader.contextTag0)
        let signedData = try reader.enter(BERReader.sequenceTag)
        let version = try reader.content(BERReader.integerTag)
        try SignedData.digestAlgorithms(&reader)
        try SignedData.encapsulatedContent(&reader)
        self.certificates = try SignedData.certificates(&reader)
        guard reader.nextTag != BERReader.contextTag1 else {
            throw TokenError(
                .cmsUnexpectedElement, .signature,
                "The signature carries revocation lists, which no genuine token does and no signature covers.")
        }

        let signerInfos = try reader.enter(BERReader.setTag)
        guard !reader.isAtEnd(signerInfos) else {
            throw TokenError(.signerCount, .signature, "The signature has no signer; exactly one is expected.")
        }
        let signer = try SignerInfo(&reader)
        try SignedData.checkVersion(version, reader)
        guard reader.isAtEnd(signerInfos) else {
            throw TokenError(.signerCount, .signature, "The signature has several signers; exactly one is expected.")
        }
        self.issuer = signer.issuer
        self.serialNumber = signer.serialNumber
        self.signedAttributes = signer.signedAttributes
        self.attributes = signer.attributes
        self.signatureAlgorithm = signer.signatureAlgorithm
        self.signature = signer.signature

        try reader.leave(signerInfos)
        try reader.leave(signedData)
        try reader.leave(explicit)
        try reader.leave(contentInfo)
        guard reader.isAtLimit else {
            throw TokenError(.cmsTrailingBytes, .signature, "Bytes follow the signature's CMS structure.")
        }
    }

    /// Version 1 goes with id-data, certificates of X.509 only and signers named by issuer and serial number (RFC 5652,
    /// section 5.1).
    ///
    /// Checked when the signer has been looked at, which has a better name for what else would change the version.
    fileprivate static func checkVersion(_ version: Range<Int>, _ reader: BERReader) throws(TokenError) {
        guard reader.matches(version, [1]) else {
            throw TokenError(
                .cmsVersionUnsupported, .signature, "The version of the CMS structure or its signer is not 1.")
        }
    }

    private static func digestAlgorithms(_ reader: inout BERReader) throws(TokenError) {
        let set = try reader.enter(BERReader.setTag)
        try reader.sha256Identifier()
        try reader.leave(set)
    }

    private static func encapsulatedContent(_ reader: inout BERReader) throws(TokenError) {
        let content = try reader.enter(BERReader.sequenceTag)
        let type = try reader.content(BERReader.objectIdentifierTag)
        guard reader.matches(type, ObjectIdentifiers.data) else {
            throw TokenError(.cmsContentType, .signature, "The type of the signed content is not id-data.")
        }
        guard reader.isAtEnd(content) else {
            throw TokenError(
                .cmsContentAttached, .signature,
                "The signature carries its content; it must be detached, so that it can only be about this token.")
        }
        try reader.leave(content)
    }

    private static func certificates(_ reader: inout BERReader) throws(TokenError) -> [Range<Int>] {
        guard reader.nextTag == BERReader.contextTag0 else { return [] }
        var certificates: [Range<Int>] = []
        let set = try reader.enter(BERReader.contextTag0)
        while !reader.isAtEnd(set) {
            guard certificates.count < SignedData.certificatesCountMax else {
                throw TokenError(
                    .certificatesTooMany, .chain,
                    "The signature carries more than \(SignedData.certificatesCountMax) certificates.")
            }
            certificates.append(try reader.element(BERReader.sequenceTag))
        }
        try reader.leave(set)
        return certificates
    }
}

/// The one SignerInfo (RFC 5652, section 5.3).
private struct SignerInfo {
    let issuer: Range<Int>
    let serialNumber: Range<Int>
    let signedAttributes: Range<Int>
    let attributes: SignedAttributes
    let signatureAlgorithm: SignatureAlgorithm
    let signature: Range<Int>

    init(_ reader: inout BERReader) throws(TokenError) {
        let signerInfo = try reader.enter(BERReader.sequenceTag)
        let version = try reader.content(BERReader.integerTag)
        guard reader.nextTag == BERReader.sequenceTag else {
            throw TokenError(
                .signerIdentifierUnsupported, .signature,
                "The signer is not named by issuer and serial number, as in every token of Apple.")
        }
        try SignedData.checkVersion(version, reader)
        let identifier = try reader.enter(BERReader.sequenceTag)
        self.issuer = try reader.element(BERReader.sequenceTag)
        self.serialNumber = try reader.content(BERReader.integerTag)
        try reader.leave(identifier)
        try reader.sha256Identifier()
        guard reader.nextTag == BERReader.contextTag0 else {
            throw TokenError(
                .signedAttributesMissing, .signature,
                "The signature has no signed attributes, and so it says neither what was signed nor when.")
        }
        self.signedAttributes = try reader.element(BERReader.contextTag0)
        self.attributes = try SignedAttributes(parsing: reader.bytes, in: self.signedAttributes)
        self.signatureAlgorithm = try reader.signatureIdentifier()
        self.signature = try reader.content(BERReader.octetStringTag)
        guard reader.isAtEnd(signerInfo) else {
            throw TokenError(
                .unsignedAttributesPresent, .signature,
                "The signature has unsigned attributes, which no genuine token has and no signature covers.")
        }
        try reader.leave(signerInfo)
    }
}
