//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import SwiftASN1
internal import X509

/// A certificate as X509 reads it, beside those of its fields that must be compared byte by byte.
struct TokenCertificate {
    let der: [UInt8]
    let certificate: Certificate
    private let fields: Fields

    /// - Parameters:
    ///   - code: The error of whatever is no certificate.
    init(_ der: [UInt8], code: TokenError.Code, stage: TokenError.Stage) throws(TokenError) {
        self.der = der
        self.fields = try Fields(der, code: code, stage: stage)
        do {
            self.certificate = try Certificate(derEncoded: der)
        } catch {
            throw TokenError(code, stage, "The certificate is not an X.509 certificate in DER.")
        }
        // RFC 5280, section 4.1.1.2: the algorithm inside, which is signed, is the algorithm outside, which is not.
        guard der[self.fields.innerAlgorithm].elementsEqual(der[self.fields.outerAlgorithm]) else {
            throw TokenError(code, stage, "The certificate names two different signature algorithms.")
        }
    }

    /// The Name (whole element) of the issuer.
    var issuer: ArraySlice<UInt8> { self.der[self.fields.issuer] }

    /// The Name (whole element) of the subject.
    var subject: ArraySlice<UInt8> { self.der[self.fields.subject] }

    /// The SubjectPublicKeyInfo (whole element).
    var publicKeyInfo: ArraySlice<UInt8> { self.der[self.fields.publicKeyInfo] }

    /// The content octets of the serial number.
    var serialNumber: ArraySlice<UInt8> { self.der[self.fields.serialNumber] }

    var isSelfIssued: Bool { self.issuer.elementsEqual(self.subject) }

    func has(_ marker: ASN1ObjectIdentifier) -> Bool { self.certificate.extensions[oid: marker] != nil }

    /// Judged to the second, both ends included (RFC 5280, section 4.1.2.5).
    var validity: ClosedRange<Instant> {
        let start = Instant(self.certificate.notValidBefore)
        return start...max(start, Instant(self.certificate.notValidAfter))
    }

    /// RFC 5280, section 4.1: TBSCertificate { [0] version, serialNumber, signature, issuer, validity, subject,
    /// subjectPublicKeyInfo … }, algorithm, signature.
    private struct Fields {
        let serialNumber: Range<Int>
        let innerAlgorithm: Range<Int>
        let issuer: Range<Int>
        let subject: Range<Int>
        let publicKeyInfo: Range<Int>
        let outerAlgorithm: Range<Int>

        init(_ der: [UInt8], code: TokenError.Code, stage: TokenError.Stage) throws(TokenError) {
            var outer = BERReader(der, code: code, stage: stage)
            let certificate = try outer.enter(BERReader.sequenceTag)
            let body = try outer.element(BERReader.sequenceTag)
            self.outerAlgorithm = try outer.element(BERReader.sequenceTag)
            _ = try outer.element(BERReader.bitStringTag)
            try outer.leave(certificate)

            var inner = BERReader(der, in: body, code: code, stage: stage)
            _ = try inner.enter(BERReader.sequenceTag)
            if inner.nextTag == BERReader.contextTag0 { _ = try inner.element(BERReader.contextTag0) }
            self.serialNumber = try inner.content(BERReader.integerTag)
            self.innerAlgorithm = try inner.element(BERReader.sequenceTag)
            self.issuer = try inner.element(BERReader.sequenceTag)
            _ = try inner.element(BERReader.sequenceTag)
            self.subject = try inner.element(BERReader.sequenceTag)
            self.publicKeyInfo = try inner.element(BERReader.sequenceTag)
        }
    }
}

extension BERReader {
    static let bitStringTag: UInt8 = 0x03
}

extension ASN1ObjectIdentifier {
    /// Apple's marker of the leaf that signs payment tokens.
    static let appleTokenLeaf: Self = [1, 2, 840, 113635, 100, 6, 29]
    /// Apple's marker of the intermediate, "Apple Application Integration CA".
    static let appleTokenIntermediate: Self = [1, 2, 840, 113635, 100, 6, 2, 14]
    /// The hash of the merchant identifier in certificates that Apple issues to merchants.
    static let appleMerchantIdentifierHash: Self = [1, 2, 840, 113635, 100, 6, 32]
    /// UID (RFC 4519, section 2.39): the merchant identifier.
    static let userIdentifier: Self = [0, 9, 2342, 19_200_300, 100, 1, 1]
}

extension DistinguishedName {
    /// The first attribute of that type as a text.
    func text(of type: ASN1ObjectIdentifier) -> String? {
        for relativeName in self {
            for attribute in relativeName where attribute.type == type { return String(attribute.value) }
        }
        return nil
    }
}
