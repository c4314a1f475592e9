//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import CryptoExtras

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The one sequence of checks on a token's signature, for the verifier and for the inspection alike.
struct TokenExamination {
    let token: UnverifiedToken
    let anchors: TrustAnchors
    let policy: VerificationPolicy
    /// Nil looks every chain through anew, check by check.
    let cache: IssuerChainCache?
    let now: Instant
    let expectations: TokenExpectations

    struct Outcome {
        let signingTime: Instant
        let anchor: TrustAnchor
        let signerName: String?
        let certificates: IssuerCertificates
    }

    /// - Returns: Nil when a check failed that the observer let pass.
    func run(_ observer: inout some CheckObserver) throws(TokenError) -> Outcome? {
        let signedData = try observer.check(.cmsStructure) { () throws(TokenError) in
            try SignedData(parsing: self.token.signature)
        }
        guard let signedData else { return nil }
        let signingTime = signedData.attributes.signingTime

        let issuers = try self.issuers(signedData, &observer)
        // An observer that lets failures pass sees every check that can still be made.
        var isGenuine = true
        if let leaf = issuers.leaf {
            isGenuine = try observer.passes(.signerIdentifier) { () throws(TokenError) in
                try self.signerIdentifier(signedData, leaf)
            }
            isGenuine =
                try observer.passes(.signatureAlgorithm) { () throws(TokenError) in
                    try self.signatureAlgorithm(signedData, leaf)
                } && isGenuine
        }
        isGenuine =
            try observer.passes(.messageDigest) { () throws(TokenError) in
                try self.messageDigest(signedData)
            } && isGenuine
        if let leaf = issuers.leaf {
            isGenuine =
                try observer.passes(.signature) { () throws(TokenError) in
                    try self.signature(signedData, leaf)
                } && isGenuine
        }
        if isGenuine, let chain = issuers.chain, !issuers.isFromCache {
            self.cache?.insert(chain, anchors: self.anchors)
        }
        var isTimely = true
        if let chain = issuers.chain {
            isTimely = try observer.passes(.certificateValidity) { () throws(TokenError) in
                try self.certificateValidity(chain, at: signingTime)
            }
        }
        isTimely =
            try observer.passes(.signingTimeWindow) { () throws(TokenError) in
                try self.signingTimeWindow(signingTime)
            } && isTimely
        let isExpected = try observer.passes(.applicationData) { () throws(TokenError) in
            try self.applicationData()
        }
        guard isGenuine, isTimely, isExpected, let chain = issuers.chain else { return nil }
        return Outcome(
            signingTime: signingTime, anchor: chain.anchor, signerName: chain.signerName,
            certificates: chain.certificates)
    }

    private func issuers(
        _ signedData: SignedData, _ observer: inout some CheckObserver
    ) throws(TokenError) -> Issuers {
        let time = signedData.attributes.signingTime
        if let chain = self.cache?.chain(of: signedData, anchors: self.anchors, validAt: time) {
            return Issuers(leaf: chain.leaf, chain: chain, isFromCache: true)
        }
        return try Issuers(signedData, anchors: self.anchors.anchors, observer: &observer)
    }
}

// MARK: - The checks

extension TokenExamination {
    /// Any certificate can be put into a CMS; only the one with Apple's marker may be the signer.
    private func signerIdentifier(_ signedData: SignedData, _ leaf: SigningLeaf) throws(TokenError) {
        guard signedData.bytes[signedData.issuer].elementsEqual(leaf.issuer),
            signedData.bytes[signedData.serialNumber].elementsEqual(leaf.serialNumber)
        else {
            throw TokenError(
                .signerNotLeaf, .signature,
                "The signer (issuer and serial number) is not the leaf certificate that bears Apple's marker.")
        }
    }

    private func signatureAlgorithm(_ signedData: SignedData, _ leaf: SigningLeaf) throws(TokenError) {
        let expected = SignatureAlgorithm(self.token.version)
        guard signedData.signatureAlgorithm == expected else {
            throw TokenError(
                .signatureAlgorithmMismatch, .signature,
                "A token of version \(self.token.version) is signed with \(expected.name), "
                    + "and this one with \(signedData.signatureAlgorithm.name).")
        }
        switch (leaf.key, expected) {
        case (.ecdsa, .ecdsaWithSHA256), (.rsa, .rsaPKCS1WithSHA256): break
        default:
            throw TokenError(
                .signatureAlgorithmMismatch, .signature,
                "The leaf's key is not of the kind that \(expected.name) takes.")
        }
        // RFC 6211, section 3: if the attribute is there, it must say the same.
        let protection = signedData.attributes.protection
        guard protection == .absent || protection == .names(expected) else {
            throw TokenError(
                .algorithmProtectionMismatch, .signature,
                "The signed attribute CMSAlgorithmProtection names another algorithm than the signer.")
        }
    }

    private func messageDigest(_ signedData: SignedData) throws(TokenError) {
        let signed = signedData.bytes[signedData.attributes.messageDigest]
        let isSame = self.token.signedContentHash.withUnsafeBytes { digest in
            signed.withUnsafeBytes { digest.elementsEqual($0) }
        }
        guard isSame else {
            throw TokenError(
                .messageDigestMismatch, .signature,
                "The digest that was signed is not that of this token's key, data, transactionId and applicationData: "
                    + "one of them was changed.")
        }
    }

    /// RFC 5652, section 5.4: what is signed is the attributes as a SET OF, with the universal tag in the place of [0].
    /// They come in DER, and are taken as they come.
    private func signature(_ signedData: SignedData, _ leaf: SigningLeaf) throws(TokenError) {
        var hash = SHA256()
        hash.update(data: [BERReader.setTag])
        hash.update(data: signedData.bytes[signedData.signedAttributes].dropFirst())
        let digest = hash.finalize()
        let bytes = signedData.bytes[signedData.signature]
        let isValid =
            switch leaf.key {
            case .ecdsa(let key):
                ECDSASignatureValue.rawP256(bytes).map { key.isValidSignature($0, for: digest) } ?? false
            case .rsa(let key):
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: bytes), for: digest, padding: .insecurePKCS1v1_5)
            }
        guard isValid else {
            throw TokenError(
                .signatureInvalid, .signature, "The signature was not made with the leaf's key over these attributes.")
        }
    }

    /// Certificates are judged at the signing time: Apple's leaves expire, and tokens of their time stay genuine.
    private func certificateValidity(_ chain: IssuerChain, at time: Instant) throws(TokenError) {
        for (role, validity) in [("leaf", chain.leafValidity), ("intermediate", chain.intermediateValidity)] {
            guard time >= validity.lowerBound else {
                throw TokenError(
                    .certificateNotYetValid, .chain,
                    "The token was signed at \(time.text), before its \(role) certificate became valid "
                        + "at \(validity.lowerBound.text).")
            }
            guard time <= validity.upperBound else {
                throw TokenError(
                    .certificateExpired, .chain,
                    "The token was signed at \(time.text), after its \(role) certificate had expired "
                        + "at \(validity.upperBound.text).")
            }
        }
    }

    private func signingTimeWindow(_ time: Instant) throws(TokenError) {
        guard case .live(let ageMaxSeconds, let futureMaxSeconds) = self.policy.window else { return }
        let age = time.seconds(until: self.now)
        guard age <= ageMaxSeconds else {
            throw TokenError(
                .signingTimeTooOld, .window,
                "The token was signed at \(time.text), \(age) seconds before \(self.now.text); "
                    + "\(ageMaxSeconds) are allowed. Ask the buyer to pay again.")
        }
        guard age >= -futureMaxSeconds else {
            throw TokenError(
                .signingTimeInFuture, .window,
                "The token was signed at \(time.text), after \(self.now.text) by more than the "
                    + "\(futureMaxSeconds) seconds that are allowed. Check this machine's clock.")
        }
    }

    private func applicationData() throws(TokenError) {
        guard let expected = self.expectations.applicationData else { return }
        guard let hash = self.token.header.applicationDataHash else {
            throw TokenError(
                .applicationDataMissing, .expectation,
                "The request had application data, and the token has no hash of any: it is of another request.")
        }
        guard SHA256.hash(data: expected) == hash else {
            throw TokenError(
                .applicationDataMismatch, .expectation,
                "The token's applicationData is not the hash of the request's application data: it is of another "
                    + "request."
            )
        }
    }
}
