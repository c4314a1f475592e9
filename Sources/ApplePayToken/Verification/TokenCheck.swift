//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The checks that a token goes through, in their order. The verifier stops at the first that fails; an inspection goes
/// on.
public enum TokenCheck: String, Hashable, Sendable, CaseIterable {
    case tokenFormat = "token_format"
    case cmsStructure = "cms_structure"
    case certificateSet = "certificate_set"
    case leafCertificate = "leaf_certificate"
    case intermediateCertificate = "intermediate_certificate"
    case leafIssuer = "leaf_issuer"
    case trustAnchor = "trust_anchor"
    case signerIdentifier = "signer_identifier"
    case signatureAlgorithm = "signature_algorithm"
    case messageDigest = "message_digest"
    case signature = "signature"
    case certificateValidity = "certificate_validity"
    case signingTimeWindow = "signing_time_window"
    case applicationData = "application_data"

    /// What is true when the check has passed.
    public var meaning: String {
        switch self {
        case .tokenFormat: "The token is read: every part is there and has its shape."
        case .cmsStructure: "The signature is a detached CMS with one signer and its signed attributes."
        case .certificateSet: "There is one leaf and one intermediate, each with Apple's marker."
        case .leafCertificate: "The leaf may sign, is no authority and has a key of a known kind."
        case .intermediateCertificate: "The intermediate is an authority that may sign certificates."
        case .leafIssuer: "The leaf was issued and signed by the intermediate."
        case .trustAnchor: "The intermediate was signed by a root that is trusted here."
        case .signerIdentifier: "The signer is the leaf."
        case .signatureAlgorithm: "The algorithm is the one of the token's version, and fits the leaf's key."
        case .messageDigest: "The signed digest is the digest of this token's key, data and header."
        case .signature: "The signature over the signed attributes was made with the leaf's key."
        case .certificateValidity: "Both certificates were valid at the signing time."
        case .signingTimeWindow: "The token is as young as the policy asks for."
        case .applicationData: "The application data is what the merchant's request said, as far as it was given."
        }
    }
}

/// Who watches the checks run. The same sequence of checks serves the verifier, which stops, and the inspection, which
/// takes notes.
protocol CheckObserver {
    /// Runs the check; gives nil when it failed and the sequence shall go on without its result.
    mutating func check<Result>(
        _ check: TokenCheck, _ body: () throws(TokenError) -> Result
    ) throws(TokenError) -> Result?
}

extension CheckObserver {
    /// The same for a check that has no result but that it passed.
    mutating func passes(
        _ check: TokenCheck, _ body: () throws(TokenError) -> Void
    ) throws(TokenError) -> Bool {
        try self.check(check, body) != nil
    }
}

/// Every failure ends the sequence.
struct StrictObserver: CheckObserver {
    mutating func check<Result>(
        _ check: TokenCheck, _ body: () throws(TokenError) -> Result
    ) throws(TokenError) -> Result? {
        try body()
    }
}
