//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ApplePayToken
import Foundation
import Logging
public import Payments
public import Redaction
import Time

/// Asks for a merchant session, which Apple Pay on the Web needs before the payment sheet may open.
public struct MerchantSessionCommand: Sendable {
    public var merchant: MerchantContext
    /// One of the merchant's; `nil` takes the newest identity certificate.
    public var merchantIdentifier: String?
    /// The shop's domain, registered with Apple: "shop.example.com".
    public var domainName: String
    /// What the sheet shows, at most 64 characters; `nil` takes the merchant's.
    public var displayName: String?
    /// Where the browser asked the page to ask (`ApplePayValidateMerchantEvent.validationURL`); `nil` asks where Apple
    /// now recommends. Nobody else's address is ever asked.
    public var validationURL: String?

    public init(
        merchant: MerchantContext, merchantIdentifier: String? = nil, domainName: String, displayName: String? = nil,
        validationURL: String? = nil
    ) {
        self.merchant = merchant
        self.merchantIdentifier = merchantIdentifier
        self.domainName = domainName
        self.displayName = displayName
        self.validationURL = validationURL
    }
}

/// What goes to Apple: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's TLS
/// identity.
public struct MerchantSessionRequest: Sendable {
    public let mode: Mode
    public let merchantIdentifier: String
    public let domainName: String
    public let displayName: String
    /// As the caller gave it: whoever sends the request decides whether it is Apple's.
    public let validationURL: String?
    public let identityCertificatePEM: String
    public let identityPrivateKeyPEM: Redacted<String>

    public init(
        mode: Mode, merchantIdentifier: String, domainName: String, displayName: String, validationURL: String? = nil,
        identityCertificatePEM: String, identityPrivateKeyPEM: Redacted<String>
    ) {
        self.mode = mode
        self.merchantIdentifier = merchantIdentifier
        self.domainName = domainName
        self.displayName = displayName
        self.validationURL = validationURL
        self.identityCertificatePEM = identityCertificatePEM
        self.identityPrivateKeyPEM = identityPrivateKeyPEM
    }
}

extension Gateway {
    /// Apple's bound ("Requesting an Apple Pay payment session").
    private static let displayNameCharactersMax = 64

    /// A merchant session as Apple gave it: JSON that is handed on and never read.
    ///
    /// - Throws: ``GatewayRefusal/merchantIdentityMissing``; ``GatewayRefusal/merchantSessionFailed(_:)``;
    ///   ``GatewayRefusal/storeUnavailable``.
    public func merchantSession(_ command: MerchantSessionCommand) async throws(GatewayRefusal) -> Redacted<[UInt8]> {
        let merchant = command.merchant.merchant
        let (identity, certificate) = try await self.identity(of: merchant, command.merchantIdentifier)
        let displayName = command.displayName ?? merchant.displayName
        do throws(MerchantSessionFailure) {
            guard Self.isHostName(command.domainName) else { throw MerchantSessionFailure.domainMalformed }
            guard (1...Self.displayNameCharactersMax).contains(displayName.count) else {
                throw MerchantSessionFailure.displayNameMalformed
            }
            try self.check(certificate, isIdentityOf: identity.merchantIdentifier)
            guard let send = self.requestMerchantSession else { throw MerchantSessionFailure.notConnected }
            return try await send(
                MerchantSessionRequest(
                    mode: merchant.mode, merchantIdentifier: identity.merchantIdentifier,
                    domainName: command.domainName, displayName: displayName, validationURL: command.validationURL,
                    identityCertificatePEM: certificate, identityPrivateKeyPEM: try await self.identityKey(identity)))
        } catch {
            self.logger.warning(
                "no merchant session", metadata: ["merchant": "\(merchant.id)", "reason": "\(error.rawValue)"])
            throw .merchantSessionFailed(error)
        }
    }

    /// With what a merchant proves to Apple who it is, for each of its merchant identifiers: for whoever looks whether
    /// Apple takes it. What cannot be opened is left out.
    ///
    /// - Throws: ``GatewayRefusal/storeUnavailable``.
    @_spi(Administration)
    public func identities(of merchant: Merchant) async throws(GatewayRefusal) -> [MerchantSessionRequest] {
        let credentials = try await self.reading { try $0.appleCredentials(of: merchant.id) }
        let identifiers = Set(
            credentials.filter { $0.purpose == .merchantIdentity && $0.isInUse }.map(\.merchantIdentifier))
        var identities: [MerchantSessionRequest] = []
        for identifier in identifiers.sorted() {
            let (identity, certificate) = try await self.identity(of: merchant, identifier)
            guard let key = try? await self.identityKey(identity) else { continue }
            identities.append(
                MerchantSessionRequest(
                    mode: merchant.mode, merchantIdentifier: identifier, domainName: "",
                    displayName: merchant.displayName, identityCertificatePEM: certificate, identityPrivateKeyPEM: key))
        }
        return identities
    }

    /// The newest identity certificate that has not expired; where all have, the newest.
    private func identity(
        of merchant: Merchant, _ merchantIdentifier: String?
    ) async throws(GatewayRefusal) -> (AppleCredential, certificatePEM: String) {
        let now = self.clock()
        let credentials = try await self.reading { try $0.appleCredentials(of: merchant.id) }
        let identities = credentials.filter { credential in
            credential.purpose == .merchantIdentity && credential.isInUse
                && merchantIdentifier.map { $0 == credential.merchantIdentifier } ?? true
        }
        let current = identities.last { $0.notAfter.map { $0 >= now } ?? false }
        guard let identity = current ?? identities.last, let certificate = identity.certificatePEM else {
            throw .merchantIdentityMissing
        }
        return (identity, certificate)
    }

    private func identityKey(_ identity: AppleCredential) async throws(MerchantSessionFailure) -> Redacted<String> {
        do {
            return try await self.openText(identity.sealedPrivateKey, context: Gateway.privateKeyContext(identity))
        } catch {
            self.logger.error(
                "identity key cannot be opened",
                metadata: ["merchant": "\(identity.merchantID)", "reason": "\(error)"])
            throw MerchantSessionFailure.identityUnusable
        }
    }

    /// What Apple would find too, but would only say by ending the handshake.
    private func check(
        _ certificatePEM: String, isIdentityOf merchantIdentifier: String
    ) throws(MerchantSessionFailure) {
        guard let certificate = try? AppleCertificate(Array(certificatePEM.utf8)) else {
            throw MerchantSessionFailure.identityUnusable
        }
        guard certificate.kind == .merchantIdentity else { throw MerchantSessionFailure.identityOfWrongKind }
        guard certificate.merchantIdentifier == merchantIdentifier else {
            throw MerchantSessionFailure.identityOfOtherMerchant
        }
        let now = Date(timeIntervalSince1970: TimeInterval(self.clock().seconds))
        guard now <= certificate.notAfter else { throw MerchantSessionFailure.identityExpired }
        guard now >= certificate.notBefore else { throw MerchantSessionFailure.identityNotYetValid }
    }

    /// Letters, digits, hyphens and dots: no scheme, no port, no path (RFC 1123, section 2.1).
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }
}
