//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
internal import Time

/// The signed attributes (RFC 5652, section 11) that a token needs, looked up by object identifier and never by
/// position.
///
/// Attributes that are not known here are stepped over: they are signed and change nothing.
struct SignedAttributes {
    let messageDigest: Range<Int>
    let signingTime: Instant
    let protection: AlgorithmProtection

    /// What the attribute of RFC 6211 repeats. Tokens of 2014 have none.
    enum AlgorithmProtection: Hashable {
        case absent
        case names(SignatureAlgorithm)
        /// An algorithm that no token is signed with.
        case unsupported
    }

    private static let attributesCountMax = 16

    init(parsing bytes: [UInt8], in range: Range<Int>) throws(TokenError) {
        var reader = BERReader(bytes, in: range, code: .signedAttributeMalformed, stage: .signature)
        let set = try reader.enter(BERReader.contextTag0)
        var identifiers: [Range<Int>] = []
        var found = Found()
        while !reader.isAtEnd(set) {
            let attribute = try reader.enter(BERReader.sequenceTag)
            let identifier = try reader.content(BERReader.objectIdentifierTag)
            guard identifiers.count < SignedAttributes.attributesCountMax,
                !identifiers.contains(where: { bytes[$0].elementsEqual(bytes[identifier]) })
            else {
                throw TokenError(
                    .signedAttributeRepeated, .signature,
                    "A signed attribute is there twice, or there are more than \(SignedAttributes.attributesCountMax).")
            }
            identifiers.append(identifier)
            let values = try reader.enter(BERReader.setTag)
            try found.read(identifier, &reader, values)
            try reader.leave(values)
            try reader.leave(attribute)
        }
        try reader.leave(set)

        guard found.hasContentType else {
            throw TokenError(.contentTypeMissing, .signature, "The signed attribute contentType is missing.")
        }
        guard let messageDigest = found.messageDigest else {
            throw TokenError(.messageDigestMissing, .signature, "The signed attribute messageDigest is missing.")
        }
        guard let signingTime = found.signingTime else {
            throw TokenError(
                .signingTimeMissing, .signature,
                "The signed attribute signingTime is missing, and so the token's age cannot be judged.")
        }
        self.messageDigest = messageDigest
        self.signingTime = signingTime
        self.protection = found.protection
    }

    /// What has been seen of the attributes so far.
    private struct Found {
        var hasContentType = false
        var messageDigest: Range<Int>?
        var signingTime: Instant?
        var protection = AlgorithmProtection.absent

        /// Reads the one value of a known attribute, or steps over the values of another.
        mutating func read(
            _ identifier: Range<Int>, _ reader: inout BERReader, _ values: BERReader.Frame
        ) throws(TokenError) {
            if reader.matches(identifier, ObjectIdentifiers.contentType) {
                try SignedAttributes.contentType(&reader)
                self.hasContentType = true
            } else if reader.matches(identifier, ObjectIdentifiers.messageDigest) {
                self.messageDigest = try reader.content(BERReader.octetStringTag)
            } else if reader.matches(identifier, ObjectIdentifiers.signingTime) {
                self.signingTime = try SignedAttributes.time(&reader)
            } else if reader.matches(identifier, ObjectIdentifiers.algorithmProtection) {
                self.protection = try SignedAttributes.algorithmProtection(&reader)
            } else {
                while !reader.isAtEnd(values) { _ = try reader.element(reader.nextTag ?? 0) }
            }
        }
    }

    /// RFC 5652, section 11.1: the same type as the content, id-data.
    private static func contentType(_ reader: inout BERReader) throws(TokenError) {
        let type = try reader.content(BERReader.objectIdentifierTag)
        guard reader.matches(type, ObjectIdentifiers.data) else {
            throw TokenError(.contentTypeMismatch, .signature, "The signed attribute contentType is not id-data.")
        }
    }

    /// RFC 6211, section 2: the digest and [1] the signature algorithm. Whether they agree with the signer is judged
    /// with the signature.
    private static func algorithmProtection(_ reader: inout BERReader) throws(TokenError) -> AlgorithmProtection {
        let range = try reader.element(BERReader.sequenceTag)
        var inner = BERReader(reader.bytes, in: range, code: .signedAttributeMalformed, stage: .signature)
        do throws(TokenError) {
            let protection = try inner.enter(BERReader.sequenceTag)
            try inner.sha256Identifier()
            let algorithm = try inner.signatureIdentifier(BERReader.contextTag1)
            try inner.leave(protection)
            return .names(algorithm)
        } catch {
            guard error.code != .signedAttributeMalformed else { throw error }
            return .unsupported
        }
    }

    /// RFC 5652, section 11.3: UTCTime up to 2049, GeneralizedTime after that; with seconds, without fractions, in UTC
    /// ("Z").
    private static func time(_ reader: inout BERReader) throws(TokenError) -> Instant {
        let malformed = TokenError(
            .signingTimeMalformed, .signature,
            "The signed attribute signingTime is not a UTCTime or GeneralizedTime with seconds and in UTC.")
        let isUTCTime = reader.nextTag == BERReader.utcTimeTag
        guard isUTCTime || reader.nextTag == BERReader.generalizedTimeTag else { throw malformed }
        let content = try reader.content(isUTCTime ? BERReader.utcTimeTag : BERReader.generalizedTimeTag)
        guard let time = CivilTime(asn1: reader.bytes[content], yearDigits: isUTCTime ? 2 : 4) else { throw malformed }
        return Instant(seconds: time.timestamp().seconds)
    }
}

extension CivilTime {
    /// YYMMDDHHMMSSZ or YYYYMMDDHHMMSSZ; two-digit years are 1950–2049 (RFC 5280, section 4.1.2.5.1).
    init?(asn1 text: ArraySlice<UInt8>, yearDigits: Int) {
        guard text.count == yearDigits + 11, text.last == UInt8(ascii: "Z") else { return nil }
        var pairs: [Int] = []
        var digits = text.dropLast()
        while let tens = digits.popFirst(), let ones = digits.popFirst() {
            guard ASCII.isDigit(tens), ASCII.isDigit(ones) else { return nil }
            pairs.append(Int(tens - 0x30) * 10 + Int(ones - 0x30))
        }
        let year: Int
        if yearDigits == 4 {
            year = pairs.removeFirst() * 100 + pairs[0]
        } else {
            year = pairs[0] < 50 ? 2_000 + pairs[0] : 1_900 + pairs[0]
        }
        self.init(year: year, month: pairs[1], day: pairs[2], hour: pairs[3], minute: pairs[4], second: pairs[5])
    }
}
