//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The algorithms that a token may be signed with.
enum SignatureAlgorithm: Hashable, Sendable {
    case ecdsaWithSHA256
    case rsaPKCS1WithSHA256

    /// The algorithm that Apple's format lays down for each version.
    init(_ version: TokenVersion) {
        switch version {
        case .ecV1: self = .ecdsaWithSHA256
        case .rsaV1: self = .rsaPKCS1WithSHA256
        }
    }

    var name: String {
        switch self {
        case .ecdsaWithSHA256: "ecdsa-with-SHA256"
        case .rsaPKCS1WithSHA256: "sha256WithRSAEncryption"
        }
    }
}

extension BERReader {
    /// SHA-256, the one digest of these tokens. Its parameters are NULL in tokens up to 2022 and absent in later ones;
    /// RFC 5754, section 2, has both accepted.
    mutating func sha256Identifier(_ tag: UInt8 = BERReader.sequenceTag) throws(TokenError) {
        let frame = try self.enter(tag)
        let identifier = try self.content(BERReader.objectIdentifierTag)
        guard self.matches(identifier, ObjectIdentifiers.sha256) else {
            throw TokenError(.digestAlgorithmUnsupported, .signature, "The signature's digest is not SHA-256.")
        }
        try self.optionalNull(frame)
        try self.leave(frame)
    }

    /// - Parameter tag: SEQUENCE, or the implicit tag that replaces it.
    mutating func signatureIdentifier(_ tag: UInt8 = BERReader.sequenceTag) throws(TokenError) -> SignatureAlgorithm {
        let frame = try self.enter(tag)
        let identifier = try self.content(BERReader.objectIdentifierTag)
        let algorithm: SignatureAlgorithm
        if self.matches(identifier, ObjectIdentifiers.ecdsaWithSHA256) {
            // RFC 5754, section 3.3: the parameters are absent.
            algorithm = .ecdsaWithSHA256
        } else if self.matches(identifier, ObjectIdentifiers.sha256WithRSA)
            || self.matches(identifier, ObjectIdentifiers.rsaEncryption)
        {
            // RFC 5754, section 3.2: either name means PKCS #1 v1.5 with the digest that stands beside it, which is
            // SHA-256 here.
            algorithm = .rsaPKCS1WithSHA256
            try self.optionalNull(frame)
        } else {
            throw TokenError(
                .signatureAlgorithmUnsupported, .signature,
                "The signature's algorithm is neither ecdsa-with-SHA256 nor sha256WithRSAEncryption.")
        }
        try self.leave(frame)
        return algorithm
    }

    private mutating func optionalNull(_ frame: Frame) throws(TokenError) {
        guard !self.isAtEnd(frame) else { return }
        let null = try self.content(BERReader.nullTag)
        guard null.isEmpty else { throw self.malformed("a NULL with content") }
    }
}
