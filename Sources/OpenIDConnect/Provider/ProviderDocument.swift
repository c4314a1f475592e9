//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as sign-in needs it.
struct ProviderDocument: Hashable, Sendable {
    let issuer: String
    let authorizationEndpoint: ProviderURL
    let tokenEndpoint: ProviderURL
    let keysEndpoint: ProviderURL
    let userInfoEndpoint: ProviderURL?
    let algorithms: [SigningAlgorithm]
    let authentications: [OpenIDProviderSettings.ClientAuthentication]
    /// Whether an answer names its issuer always (RFC 9207, section 3).
    let namesIssuer: Bool

    /// - Parameter issuer: whom was asked.
    init(_ json: JSON, issuer: String) throws(OpenIDFailure) {
        // Section 4.3: otherwise anybody could speak for somebody else.
        guard let object = json.object, let named = object["issuer"]?.string else {
            throw OpenIDFailure(.providerAnswerUnreadable)
        }
        guard named.isExactly(issuer) else { throw OpenIDFailure(.issuerMismatch) }
        self.issuer = issuer
        self.authorizationEndpoint = try Self.endpoint(object["authorization_endpoint"])
        self.tokenEndpoint = try Self.endpoint(object["token_endpoint"])
        self.keysEndpoint = try Self.endpoint(object["jwks_uri"])
        self.userInfoEndpoint =
            object["userinfo_endpoint"] == nil ? nil : try Self.endpoint(object["userinfo_endpoint"])
        // What is left out is the standard's: RS256 must be supported, and client_secret_basic is meant.
        let algorithms = Self.texts(object["id_token_signing_alg_values_supported"]) ?? ["RS256"]
        self.algorithms = SigningAlgorithm.allCases.filter { algorithms.contains($0.rawValue) }
        let methods = Self.texts(object["token_endpoint_auth_methods_supported"]) ?? ["client_secret_basic"]
        self.authentications = OpenIDProviderSettings.ClientAuthentication.allCases.filter {
            methods.contains($0.rawValue)
        }
        self.namesIssuer = object["authorization_response_iss_parameter_supported"]?.bool ?? false
        // A provider that lists its methods and leaves S256 out would ignore the challenge.
        let challenges = Self.texts(object["code_challenge_methods_supported"]) ?? ["S256"]
        let types = Self.texts(object["response_types_supported"]) ?? ["code"]
        guard !self.algorithms.isEmpty, challenges.contains("S256"), types.contains("code") else {
            throw OpenIDFailure(.methodsUnsupported)
        }
    }

    private static func endpoint(_ json: JSON?) throws(OpenIDFailure) -> ProviderURL {
        guard let text = json?.string, let url = ProviderURL(text) else { throw OpenIDFailure(.discoveryIncomplete) }
        guard url.isProtected else { throw OpenIDFailure(.endpointNotProtected) }
        return url
    }

    private static func texts(_ json: JSON?) -> [String]? { json?.array?.compactMap(\.string) }

    /// How the client proves itself.
    func authentication(
        of settings: OpenIDProviderSettings
    ) throws(OpenIDFailure) -> OpenIDProviderSettings.ClientAuthentication {
        if let chosen = settings.authentication { return chosen }
        let possible = self.authentications.filter { settings.clientSecret == nil ? $0 == .none : $0 != .none }
        if let first = possible.first { return first }
        // Providers that know public clients do not always say so.
        guard settings.clientSecret == nil else { throw OpenIDFailure(.methodsUnsupported) }
        return .none
    }
}
