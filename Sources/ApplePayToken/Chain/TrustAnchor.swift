//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
internal import Crypto
internal import SwiftASN1
internal import X509

/// A trust anchor: a name and a public key (RFC 5280, section 6.1.1 d). Nothing else of a root certificate matters to a
/// path.
///
/// The built-in one is Apple's. A further one, such as the root of a wallet simulator, is trusted by whoever passes it;
/// ``VerifiedToken`` says to which anchor its token chained, so that sandbox and live are never mixed up.
public struct TrustAnchor: Hashable, Sendable, CustomStringConvertible {
    /// SHA-256 of the anchor's SubjectPublicKeyInfo in lower-case hexadecimal, 64 digits. Stable: store it and compare
    /// it.
    public let id: String
    /// A name for people, e.g. "Apple Root CA - G3".
    public let label: String

    /// The subject's Name in DER; names are compared as bytes.
    let subject: [UInt8]
    let publicKey: Certificate.PublicKey

    /// - Parameter publicKeyInfo: The key as a SubjectPublicKeyInfo in DER.
    private init(label: String, subject: [UInt8], publicKey: Certificate.PublicKey, publicKeyInfo: [UInt8]) {
        self.id = Hex.encode(SHA256.hash(data: publicKeyInfo))
        self.label = label
        self.subject = subject
        self.publicKey = publicKey
    }

    /// The name and the key of a root certificate in PEM.
    ///
    /// - Parameter label: A name for people; the certificate's common name if nil.
    /// - Throws: ``TokenError`` of the stage `certificate`.
    public init(certificatePEM: String, label: String? = nil) throws(TokenError) {
        try self.init(der: try CertificateFile.der(Array(certificatePEM.utf8)), label: label)
    }

    /// The name and the key of a root certificate in DER.
    ///
    /// - Parameter label: A name for people; the certificate's common name if nil.
    /// - Throws: ``TokenError`` of the stage `certificate`.
    public init(certificateDER: [UInt8], label: String? = nil) throws(TokenError) {
        try self.init(der: certificateDER, label: label)
    }

    private init(der: [UInt8], label: String?) throws(TokenError) {
        let root = try TokenCertificate(der, code: .certificateUnreadable, stage: .certificate)
        guard root.isSelfIssued else {
            throw TokenError(
                .certificateNotSelfIssued, .certificate,
                "The certificate is not a root: its issuer is not its subject. Pass the root of the chain.")
        }
        self.init(
            label: label ?? root.certificate.subject.text(of: .RDNAttributeType.commonName) ?? "root",
            subject: Array(root.subject), publicKey: root.certificate.publicKey,
            publicKeyInfo: Array(root.publicKeyInfo))
    }

    public var description: String { "\(self.label) (\(self.id))" }

    public static func == (lhs: TrustAnchor, rhs: TrustAnchor) -> Bool {
        lhs.subject == rhs.subject && lhs.publicKey == rhs.publicKey
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.id)
    }

    /// Apple Root CA - G3, the root of every genuine token.
    ///
    /// Its key was recovered from a signature that it made on a genuine intermediate, and agrees with that
    /// certificate's authority key identifier; SHA-256 of the SubjectPublicKeyInfo is
    /// 9b219d0fbff36a5fb32090571906bceea68617c833a3f61b81e962a8e64db8af.
    public static let appleRootCAG3: TrustAnchor = {
        let authority = "Apple Certification Authority"
        do {
            let name = try DistinguishedName([
                .init(type: .RDNAttributeType.commonName, utf8String: "Apple Root CA - G3"),
                .init(type: .RDNAttributeType.organizationalUnitName, utf8String: authority),
                .init(type: .RDNAttributeType.organizationName, utf8String: "Apple Inc."),
                .init(type: .RDNAttributeType.countryName, printableString: "US"),
            ])
            var serializer = DER.Serializer()
            try serializer.serialize(name)
            let key = try PEMDocument(
                pemString: """
                    -----BEGIN PUBLIC KEY-----
                    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEmOkvPUBypO2TInKBExzdEJXxxaNOcdwU
                    FtkO5aYFKndke19OONO7HES1f/UftjJiXcnphFtPME8RWgD9WFgMpfUPLE0HRxN1
                    2peXl28xXO0rnXsgO9i5VNlemaQ6UQox
                    -----END PUBLIC KEY-----
                    """)
            return TrustAnchor(
                label: "Apple Root CA - G3", subject: serializer.serializedBytes,
                publicKey: try Certificate.PublicKey(pemDocument: key), publicKeyInfo: key.derBytes)
        } catch {
            // Constants of this file and no input: it cannot fail in a build whose tests passed.
            preconditionFailure("the built-in trust anchor does not parse: \(error)")
        }
    }()
}

/// The anchors of one verifier, with a digest that distinguishes one set from another in a shared cache.
struct TrustAnchors: Sendable {
    let anchors: [TrustAnchor]
    let digest: [UInt8]

    init(_ anchors: [TrustAnchor]) {
        self.anchors = anchors
        var hash = SHA256()
        for anchor in anchors {
            // The Name is DER and says its own length; the id has a fixed one.
            hash.update(data: anchor.subject)
            hash.update(data: Array(anchor.id.utf8))
        }
        self.digest = Array(hash.finalize())
    }
}
