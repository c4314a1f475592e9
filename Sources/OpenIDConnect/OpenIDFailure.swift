//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why nobody is signed in by a provider, as a stable code. Nothing of what was sent is in it: neither tokens nor what a
/// provider writes about its errors.
public struct OpenIDFailure: Error, Hashable, Sendable {
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // The way to the provider.
        case providerUnreachable = "provider_unreachable"
        case providerNotTrusted = "provider_not_trusted"
        case providerTimedOut = "provider_timed_out"
        case providerAnswerTooLarge = "provider_answer_too_large"
        case providerAnswerUnreadable = "provider_answer_unreadable"
        case providerRedirects = "provider_redirects"
        case providerRefused = "provider_refused"

        // What the provider says of itself.
        case issuerMismatch = "issuer_mismatch"
        case discoveryIncomplete = "discovery_incomplete"
        case endpointNotProtected = "endpoint_not_protected"
        case methodsUnsupported = "methods_unsupported"

        // The way back.
        case callbackMalformed = "callback_malformed"
        case stateMissing = "state_missing"
        case stateWrong = "state_wrong"
        case stateExpired = "state_expired"
        case stateUsed = "state_used"
        case issuerWrong = "issuer_wrong"
        case accessDenied = "access_denied"
        case providerError = "provider_error"

        // The token endpoint.
        case codeRefused = "code_refused"
        case clientRefused = "client_refused"

        // The ID token.
        case tokenMissing = "token_missing"
        case tokenMalformed = "token_malformed"
        case tokenAlgorithmNotAllowed = "token_algorithm_not_allowed"
        case tokenKeyUnknown = "token_key_unknown"
        case tokenSignatureWrong = "token_signature_wrong"
        case tokenIssuerWrong = "token_issuer_wrong"
        case tokenAudienceWrong = "token_audience_wrong"
        case tokenPartyWrong = "token_party_wrong"
        case tokenExpired = "token_expired"
        case tokenTooEarly = "token_too_early"
        case tokenNonceWrong = "token_nonce_wrong"
        case tokenSubjectMalformed = "token_subject_malformed"
        case userInfoOfAnother = "user_info_of_another"
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }

    /// What was wrong, and what to do, for the log and for doctor.
    public var explanation: String {
        switch self.code {
        case .providerUnreachable:
            "No connection could be made to the provider. Look at its address, and at the network."
        case .providerNotTrusted:
            "The provider's certificate is not trusted: by another authority, for another name, or expired."
        case .providerTimedOut: "The provider did not answer in time."
        case .providerAnswerTooLarge: "The provider's answer is larger than any that is taken."
        case .providerAnswerUnreadable: "The provider's answer is not the JSON that it should be."
        case .providerRedirects:
            "The provider answers with a redirect, which is never followed: name the final address."
        case .providerRefused: "The provider refuses to answer."
        case .issuerMismatch:
            "The discovery document is another issuer's (OpenID Connect Discovery 1.0, section 4.3): the configured issuer must be "
                + "written exactly as the document has it."
        case .discoveryIncomplete: "The discovery document lacks an endpoint that sign-in needs."
        case .endpointNotProtected: "An endpoint of the provider is not https, and not on this machine."
        case .methodsUnsupported:
            "The provider offers nothing that is spoken here: the code flow, ID tokens signed with RS256 or ES256, PKCE with S256, "
                + "and client_secret_basic, client_secret_post or none."
        case .callbackMalformed: "The way back from the provider lacks a parameter, or has one twice."
        case .stateMissing: "The browser did not begin this sign-in, or has forgotten it. Begin anew."
        case .stateWrong: "The way back belongs to another sign-in. Begin anew."
        case .stateExpired: "The sign-in took too long. Begin anew."
        case .stateUsed: "The sign-in has come back once already. Begin anew."
        case .issuerWrong: "The answer is another provider's (RFC 9207)."
        case .accessDenied: "The sign-in was cancelled at the provider, or the provider does not let this person in."
        case .providerError: "The provider reports an error of the sign-in."
        case .codeRefused: "The provider does not take its own code. Begin anew."
        case .clientRefused: "The provider does not know the client, or its secret is wrong."
        case .tokenMissing: "The provider's answer has no ID token."
        case .tokenMalformed: "The ID token cannot be read."
        case .tokenAlgorithmNotAllowed: "The ID token is signed with an algorithm that is not taken, or not signed."
        case .tokenKeyUnknown: "The ID token is signed with a key that the provider does not publish."
        case .tokenSignatureWrong: "The ID token's signature is wrong."
        case .tokenIssuerWrong: "The ID token is another issuer's."
        case .tokenAudienceWrong: "The ID token is for another client."
        case .tokenPartyWrong: "The ID token was made for another party."
        case .tokenExpired: "The ID token has expired. Compare the clocks."
        case .tokenTooEarly: "The ID token is from the future. Compare the clocks."
        case .tokenNonceWrong: "The ID token belongs to another sign-in."
        case .tokenSubjectMalformed: "The ID token names nobody."
        case .userInfoOfAnother: "What the provider says of the person is about somebody else."
        }
    }
}
