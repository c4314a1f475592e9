//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Hosts
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

/// What Apple's servers are shown: a certificate by Apple, and its key.
public struct AppleIdentity: Sendable {
    public let certificatePEM: String
    public let privateKeyPEM: Redacted<String>

    public init(certificatePEM: String, privateKeyPEM: Redacted<String>) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }
}

/// What goes to Apple: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's TLS
/// identity.
public struct MerchantSessionRequest: Sendable {
    public let mode: Mode
    /// Of a merchant whom a platform integrator has registered: what the integrator calls it.
    public let merchantIdentifier: String
    public let domainName: String
    public let displayName: String
    /// As the caller gave it: whoever sends the request decides whether it is Apple's.
    public let validationURL: String?
    public let identity: AppleIdentity

    public init(
        mode: Mode, merchantIdentifier: String, domainName: String, displayName: String, validationURL: String? = nil,
        identity: AppleIdentity
    ) {
        self.mode = mode
        self.merchantIdentifier = merchantIdentifier
        self.domainName = domainName
        self.displayName = displayName
        self.validationURL = validationURL
        self.identity = identity
    }
}

extension Gateway {
    /// Refuses a page whose domain is not registered here for the merchant: what whoever shows no secret is asked before
    /// Apple is. Pages of this machine need no registration for sandbox merchants.
    ///
    /// - Throws: ``GatewayRefusal/merchantSessionFailed(_:)`` with `domain_malformed`, `domain_not_registered`;
    ///   ``GatewayRefusal/storeUnavailable``.
    public func checkRegistration(ofPageAt host: String, for merchant: Merchant) async throws(GatewayRefusal) {
        guard HostName.isName(host) else { throw .merchantSessionFailed(.domainMalformed) }
        // Domains are kept in lower case: capitals are as good (RFC 4343, section 2).
        let name = host.lowercased()
        if merchant.mode == .sandbox, self.settings.sandboxPageHosts.contains(name) { return }
        guard try await self.reading({ try $0.domains(named: name) }).contains(where: { $0.merchantID == merchant.id })
        else { throw .merchantSessionFailed(.domainNotRegistered) }
    }

    /// Apple's bound ("Requesting an Apple Pay payment session").
    private static let displayNameCharactersMax = 64

    /// A merchant session as Apple gave it: JSON that is handed on and never read.
    ///
    /// - Throws: ``GatewayRefusal/merchantIdentityMissing``; ``GatewayRefusal/merchantSessionFailed(_:)``;
    ///   ``GatewayRefusal/storeUnavailable``.
    public func merchantSession(_ command: MerchantSessionCommand) async throws(GatewayRefusal) -> Redacted<[UInt8]> {
        let merchant = command.merchant.merchant
        let shown = try await self.identity(for: merchant, command.merchantIdentifier)
        let displayName = command.displayName ?? merchant.displayName
        do throws(MerchantSessionFailure) {
            guard HostName.isName(command.domainName) else { throw MerchantSessionFailure.domainMalformed }
            guard (1...Self.displayNameCharactersMax).contains(displayName.count) else {
                throw MerchantSessionFailure.displayNameMalformed
            }
            try self.check(shown.certificatePEM, isIdentityOf: shown.credential.merchantIdentifier)
            guard let send = self.requestMerchantSession else { throw MerchantSessionFailure.notConnected }
            return try await send(
                MerchantSessionRequest(
                    mode: merchant.mode, merchantIdentifier: shown.merchantIdentifier,
                    domainName: command.domainName, displayName: displayName, validationURL: command.validationURL,
                    identity: try await self.open(shown)))
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
            guard let shown = try await self.newestIdentity(of: merchant.id, identifier),
                let identity = try? await self.open(shown)
            else { continue }
            identities.append(
                MerchantSessionRequest(
                    mode: merchant.mode, merchantIdentifier: identifier, domainName: "",
                    displayName: merchant.displayName, identity: identity))
        }
        return identities
    }

    /// With what the platform integrator proves to Apple who it is, who registers merchants of a mode: the identity of
    /// the merchant that ``GatewaySettings/platformMerchant`` names.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: ``GatewayRefusal/merchantSessionFailed(_:)`` where its key cannot be opened;
    ///   ``GatewayRefusal/storeUnavailable``.
    @_spi(Administration)
    public func platformIdentity(
        for mode: Mode
    ) async throws(GatewayRefusal) -> (identifier: String, identity: AppleIdentity)? {
        guard let shown = try await self.platform(of: mode) else { return nil }
        do throws(MerchantSessionFailure) {
            try self.check(shown.certificatePEM, isIdentityOf: shown.credential.merchantIdentifier)
            return (shown.credential.merchantIdentifier, try await self.open(shown))
        } catch {
            throw .merchantSessionFailed(error)
        }
    }

    /// A credential that Apple is shown, and for whom.
    struct ShownIdentity {
        let credential: AppleCredential
        let certificatePEM: String
        /// What the request names.
        var merchantIdentifier: String
    }

    /// The merchant's own; for one that has none that of the platform integrator, who has registered it.
    private func identity(
        for merchant: Merchant, _ merchantIdentifier: String?
    ) async throws(GatewayRefusal) -> ShownIdentity {
        if let own = try await self.newestIdentity(of: merchant.id, merchantIdentifier) { return own }
        let registered = MerchantRegistration.identifier(of: merchant.id)
        guard merchantIdentifier == nil || merchantIdentifier == registered,
            var platform = try await self.platform(of: merchant.mode)
        else { throw .merchantIdentityMissing }
        platform.merchantIdentifier = registered
        return platform
    }

    func platform(of mode: Mode) async throws(GatewayRefusal) -> ShownIdentity? {
        guard let name = self.settings.platformMerchant,
            let platform = try await self.reading({ try $0.merchant(named: name) }),
            platform.mode == mode, platform.state != .closed
        else { return nil }
        return try await self.newestIdentity(of: platform.id, nil)
    }

    /// The newest identity certificate that has not expired; where all have, the newest.
    private func newestIdentity(
        of merchant: MerchantID, _ merchantIdentifier: String?
    ) async throws(GatewayRefusal) -> ShownIdentity? {
        let now = self.clock()
        let credentials = try await self.reading { try $0.appleCredentials(of: merchant) }
        let identities = credentials.filter { credential in
            credential.purpose == .merchantIdentity && credential.isInUse
                && merchantIdentifier.map { $0 == credential.merchantIdentifier } ?? true
        }
        let current = identities.last { $0.notAfter.map { $0 >= now } ?? false }
        guard let identity = current ?? identities.last, let certificate = identity.certificatePEM else { return nil }
        return ShownIdentity(
            credential: identity, certificatePEM: certificate, merchantIdentifier: identity.merchantIdentifier)
    }

    private func open(_ shown: ShownIdentity) async throws(MerchantSessionFailure) -> AppleIdentity {
        let credential = shown.credential
        do {
            let key = try await self.withFreshKeys {
                try self.vault.openText(
                    credential.sealedPrivateKey, context: Gateway.privateKeyContext(credential))
            }
            return AppleIdentity(certificatePEM: shown.certificatePEM, privateKeyPEM: key)
        } catch {
            self.logger.error(
                "identity key cannot be opened",
                metadata: ["merchant": "\(credential.merchantID)", "reason": "\(error)"])
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
}
