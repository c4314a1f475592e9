//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import CryptoExtras
internal import X509

/// The leaf's key, ready to verify signatures, and what a signer identifier must say to name it.
struct SigningLeaf: Sendable {
    enum Key: Sendable {
        case ecdsa(SignerKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    let key: Key
    let issuer: [UInt8]
    let serialNumber: [UInt8]
}

/// The two certificates of a chain, by the digests of their DER.
struct IssuerCertificates: Hashable, Sendable {
    let leaf: SHA256Digest
    let intermediate: SHA256Digest

    init(leaf: some Sequence<UInt8>, intermediate: some Sequence<UInt8>) {
        self.init(leaf: SHA256.hash(data: Array(leaf)), intermediate: SHA256.hash(data: Array(intermediate)))
    }

    init(leaf: SHA256Digest, intermediate: SHA256Digest) {
        self.leaf = leaf
        self.intermediate = intermediate
    }
}

/// A leaf whose whole chain up to a trust anchor has been verified; its validity has yet to be judged at a signing
/// time.
struct IssuerChain: Sendable {
    let leaf: SigningLeaf
    let certificates: IssuerCertificates
    let anchor: TrustAnchor
    /// "ecc-smp-broker-sign_UC4-PROD": Apple names its sandbox in the leaf.
    let signerName: String?
    let leafValidity: ClosedRange<Instant>
    let intermediateValidity: ClosedRange<Instant>

    /// The time in which all of the chain is valid; empty for a leaf that outlives or precedes its issuer altogether.
    func isValid(at time: Instant) -> Bool {
        self.leafValidity.contains(time) && self.intermediateValidity.contains(time)
    }
}

/// What ``TokenExamination`` finds out about the certificates of a token.
struct Issuers {
    /// Known even if the chain is refused, so that an inspection can go on to the signature.
    let leaf: SigningLeaf?
    let chain: IssuerChain?
    var isFromCache = false
}

extension Issuers {
    /// Verifies the chain leaf ← intermediate ← anchor.
    ///
    /// X509 reads the certificates and verifies their signatures. Its `Verifier` is not used: it builds paths, where
    /// Apple's format has exactly one with a role for each certificate, it is asynchronous, and it would have to be
    /// held back from what it allows (other algorithms, other lengths) by as many policies as there are checks here.
    init(
        _ signedData: SignedData, anchors: [TrustAnchor], observer: inout some CheckObserver
    ) throws(TokenError) {
        let set = try observer.check(.certificateSet) { () throws(TokenError) in try CertificateSet(signedData) }
        guard let set else {
            self.init(leaf: nil, chain: nil)
            return
        }
        let leaf = try observer.check(.leafCertificate) { () throws(TokenError) in
            try CertificateProfile.leaf(set.leaf)
        }
        let isIntermediateSound = try observer.passes(.intermediateCertificate) { () throws(TokenError) in
            try CertificateProfile.intermediate(set.intermediate)
        }
        let isLeafIssued = try observer.passes(.leafIssuer) { () throws(TokenError) in
            try Issuers.leafIssuer(set)
        }
        let anchor = try observer.check(.trustAnchor) { () throws(TokenError) in
            try Issuers.anchor(of: set.intermediate, among: anchors)
        }
        guard let leaf, let anchor, isIntermediateSound, isLeafIssued else {
            self.init(leaf: leaf, chain: nil)
            return
        }
        let chain = IssuerChain(
            leaf: leaf, certificates: IssuerCertificates(leaf: set.leaf.der, intermediate: set.intermediate.der),
            anchor: anchor,
            signerName: set.leaf.certificate.subject.text(of: .RDNAttributeType.commonName),
            leafValidity: set.leaf.validity, intermediateValidity: set.intermediate.validity
        )
        self.init(leaf: leaf, chain: chain)
    }

    private static func leafIssuer(_ set: CertificateSet) throws(TokenError) {
        guard set.leaf.issuer.elementsEqual(set.intermediate.subject) else {
            throw TokenError(
                .leafIssuerMismatch, .chain, "The leaf was issued by another authority than the intermediate beside it."
            )
        }
        let leaf = set.leaf.certificate
        guard set.intermediate.certificate.publicKey.isValidSignature(leaf.signature, for: leaf) else {
            throw TokenError(
                .leafSignatureInvalid, .chain, "The leaf certificate was not signed with the intermediate's key.")
        }
    }

    private static func anchor(
        of intermediate: TokenCertificate, among anchors: [TrustAnchor]
    ) throws(TokenError) -> TrustAnchor {
        let candidates = anchors.filter { intermediate.issuer.elementsEqual($0.subject) }
        guard !candidates.isEmpty else {
            let labels = anchors.map(\.label).joined(separator: ", ")
            throw TokenError(
                .rootUntrusted, .chain,
                "The intermediate was issued by a root that is not trusted here; trusted: "
                    + "\(labels.isEmpty ? "none" : labels)."
            )
        }
        let certificate = intermediate.certificate
        for anchor in candidates where anchor.publicKey.isValidSignature(certificate.signature, for: certificate) {
            return anchor
        }
        throw TokenError(
            .intermediateSignatureInvalid, .chain,
            "The intermediate certificate bears the name of \(candidates[0].label) and was not signed with its key.")
    }
}
