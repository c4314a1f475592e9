//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// A merchant that a platform integrator has registered at Apple: it needs no account at Apple and no identity of its
/// own ("Apple Pay Web Merchant Registration API").
public struct MerchantRegistration: Hashable, Sendable {
    /// Apple's bound for a merchant's domains ("Register Merchant").
    public static let domainNamesMax = 99
    /// Apple's bound for a reason ("UnregisterMerchantRequest").
    public static let reasonCharactersMax = 1024

    /// partnerInternalMerchantIdentifier: what sessions and pages name in the place of a merchant identifier.
    public var identifier: String
    /// partnerMerchantName.
    public var merchantName: String
    public var domainNames: [String]
    /// To whose key Apple encrypts the merchant's tokens: a merchant identifier, or a platform integrator's. Apple
    /// answers with its SHA-256, 64 hexadecimal digits.
    public var encryptTo: String
    /// merchantUrl: of the merchant's website, where its payment page is the integrator's.
    public var merchantURL: String?

    public init(
        identifier: String, merchantName: String, domainNames: [String], encryptTo: String, merchantURL: String? = nil
    ) {
        self.identifier = identifier
        self.merchantName = merchantName
        self.domainNames = domainNames
        self.encryptTo = encryptTo
        self.merchantURL = merchantURL
    }

    /// What a merchant is called at Apple: its id here, because no other merchant of the integrator's may have it.
    public static func identifier(of merchant: MerchantID) -> String { merchant.text }
}

/// Why Apple did not do what a platform integrator asked of it.
public struct MerchantRegistrationFailure: Error, Hashable, Sendable {
    public let reason: MerchantSessionFailure
    /// What Apple has said of it, a line; Apple documents none of its texts.
    public let message: String?

    public init(_ reason: MerchantSessionFailure, message: String? = nil) {
        self.reason = reason
        self.message = message
    }

    /// Why, in a sentence; Apple's own words follow ours.
    public var text: String { self.reason.explanation + (self.message.map { " Apple says: \($0)" } ?? "") }
}

/// Registers merchants at Apple, as a platform integrator.
public protocol MerchantRegistrar: Sendable {
    /// Registers a merchant with its domains, or further domains of a merchant that is.
    func register(
        _ registration: MerchantRegistration, in mode: Mode, by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure)

    /// Takes domains off a merchant; with the last one it is registered no more.
    ///
    /// - Parameter reason: for Apple, in a few words.
    func unregister(
        _ domainNames: [String], of identifier: String, because reason: String, in mode: Mode,
        by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure)

    /// - Returns: `nil` where Apple knows no such merchant of the integrator's.
    func registration(
        of identifier: String, in mode: Mode, by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure) -> MerchantRegistration?
}
