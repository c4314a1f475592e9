//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why there is no merchant session: which certificate, which domain, which environment or which way is wrong.
///
/// The raw value is the word that stands in logs and in dialects' answers. Words stay; docs/merchant-validation.md lists them.
public enum MerchantSessionFailure: String, Error, CaseIterable, Hashable, Sendable {
    /// The gateway has nobody to ask.
    case notConnected = "not_connected"

    // What the caller sent.
    case domainMalformed = "domain_malformed"
    case displayNameMalformed = "display_name_malformed"
    case validationURLMalformed = "validation_url_malformed"
    case validationURLNotApple = "validation_url_not_apple"
    case validationURLOfOtherEnvironment = "validation_url_of_other_environment"

    // The merchant identity certificate, before it is shown to Apple.
    case identityUnusable = "identity_unusable"
    case identityExpired = "identity_expired"
    case identityNotYetValid = "identity_not_yet_valid"
    case identityOfWrongKind = "identity_of_wrong_kind"
    case identityOfOtherMerchant = "identity_of_other_merchant"

    // What Apple said.
    case identityRefused = "identity_refused"
    case merchantNotRegistered = "merchant_not_registered"
    case domainNotRegistered = "domain_not_registered"
    case requestRefused = "request_refused"
    case appleUnavailable = "apple_unavailable"
    case redirected = "redirected"
    case answerTooLarge = "answer_too_large"
    case answerUnreadable = "answer_unreadable"

    // The way to Apple.
    case serverNotTrusted = "server_not_trusted"
    case connectionFailed = "connection_failed"
    case timedOut = "timed_out"

    /// What is wrong and what to do, without data.
    public var explanation: String {
        switch self {
        case .notConnected: "This gateway is not connected to Apple."
        case .domainMalformed:
            "The domain must be a host name as it is registered with Apple, without scheme, port and path."
        case .displayNameMalformed: "The display name must have 1 to 64 characters."
        case .validationURLMalformed:
            "The validation URL is not one of Apple's. Hand on the one of the page's event, unchanged, or none."
        case .validationURLNotApple:
            "The validation URL's host is none that Apple documents. Hand on the one of the page's event, or none."
        case .validationURLOfOtherEnvironment:
            "The validation URL is of Apple's other environment. A live merchant needs a device with a real account, a "
                + "sandbox merchant one with a sandbox account."
        case .identityUnusable:
            "The Merchant Identity Certificate and its key cannot be used together. Import the certificate again."
        case .identityExpired:
            "The Merchant Identity Certificate has expired. Request a new one from Apple and import it."
        case .identityNotYetValid:
            "The Merchant Identity Certificate is not valid yet. Check this machine's clock."
        case .identityOfWrongKind:
            "The certificate is no Merchant Identity Certificate. Import the one that Apple issued for Apple Pay on the web."
        case .identityOfOtherMerchant:
            "The Merchant Identity Certificate is for another merchant identifier. Import the one for this identifier."
        case .identityRefused:
            "Apple refused the Merchant Identity Certificate. It may be revoked, or of the other environment: "
                + "request a new one and import it."
        case .merchantNotRegistered:
            "Apple does not know the merchant identifier for this certificate, or not for Apple Pay on the web. "
                + "Compare both at Apple."
        case .domainNotRegistered:
            "The domain is not registered with Apple for this merchant identifier, or not here for this merchant. Register "
                + "and verify it at Apple, and register it here (pomona domain add)."
        case .requestRefused:
            "Apple refused the request. Check the merchant identifier, the domain and the display name."
        case .appleUnavailable: "Apple's server has a fault. Try again in a moment."
        case .redirected: "The server sent the request elsewhere, which Apple's never does. Check the way to Apple."
        case .answerTooLarge: "The answer is longer than a session can be. Check the way to Apple."
        case .answerUnreadable: "The answer is no JSON object. Check the way to Apple."
        case .serverNotTrusted:
            "The server could not prove that it is Apple's. Check the way to Apple, and this machine's trusted authorities."
        case .connectionFailed: "No connection to Apple could be made. Check the way to Apple (TCP port 443)."
        case .timedOut: "Apple did not answer in time. Try again in a moment."
        }
    }
}
