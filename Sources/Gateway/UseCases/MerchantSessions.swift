//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
public import Payments
public import Redaction

/// Asks for a merchant session, which Apple Pay on the Web needs before the payment sheet may open.
public struct MerchantSessionCommand: Sendable {
    public var merchant: MerchantContext
    /// One of the merchant's; `nil` takes the newest identity certificate.
    public var merchantIdentifier: String?
    /// The shop's domain, registered with Apple: "shop.example.com".
    public var domainName: String
    /// What the sheet shows; `nil` takes the merchant's.
    public var displayName: String?

    public init(
        merchant: MerchantContext, merchantIdentifier: String? = nil, domainName: String, displayName: String? = nil
    ) {
        self.merchant = merchant
        self.merchantIdentifier = merchantIdentifier
        self.domainName = domainName
        self.displayName = displayName
    }
}

/// What goes to Apple: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's TLS
/// identity.
public struct MerchantSessionRequest: Sendable {
    public let mode: Mode
    public let merchantIdentifier: String
    public let domainName: String
    public let displayName: String
    public let identityCertificatePEM: String
    public let identityPrivateKeyPEM: Redacted<String>

    public init(
        mode: Mode, merchantIdentifier: String, domainName: String, displayName: String,
        identityCertificatePEM: String, identityPrivateKeyPEM: Redacted<String>
    ) {
        self.mode = mode
        self.merchantIdentifier = merchantIdentifier
        self.domainName = domainName
        self.displayName = displayName
        self.identityCertificatePEM = identityCertificatePEM
        self.identityPrivateKeyPEM = identityPrivateKeyPEM
    }
}

/// Why Apple gave no session: a word for it ("timed_out", "http_417").
public struct MerchantSessionError: Error, Hashable, Sendable {
    public let reason: String

    public init(_ reason: String) {
        self.reason = reason
    }
}

extension Gateway {
    /// A merchant session as Apple gave it: JSON that is handed on and never read.
    ///
    /// - Throws: ``GatewayRefusal/merchantIdentityMissing``, ``GatewayRefusal/merchantSessionFailed(_:)``,
    ///   ``GatewayRefusal/storeUnavailable``.
    public func merchantSession(_ command: MerchantSessionCommand) async throws(GatewayRefusal) -> Redacted<[UInt8]> {
        let merchant = command.merchant.merchant
        let credentials = try await self.reading { try $0.appleCredentials(of: merchant.id) }
        let identity = credentials.last { credential in
            credential.purpose == .merchantIdentity && credential.certificatePEM != nil
                && command.merchantIdentifier.map { $0 == credential.merchantIdentifier } ?? true
        }
        guard let identity, let certificate = identity.certificatePEM else { throw .merchantIdentityMissing }
        guard let send = self.requestMerchantSession else { throw .merchantSessionFailed("not_connected") }
        let privateKey: Redacted<String>
        do {
            privateKey = try self.vault.openText(
                identity.sealedPrivateKey, context: Gateway.privateKeyContext(identity))
        } catch {
            self.logger.error(
                "identity key cannot be opened", metadata: ["merchant": "\(merchant.id)", "reason": "\(error)"])
            throw .merchantIdentityMissing
        }
        do throws(MerchantSessionError) {
            return try await send(
                MerchantSessionRequest(
                    mode: merchant.mode, merchantIdentifier: identity.merchantIdentifier,
                    domainName: command.domainName, displayName: command.displayName ?? merchant.displayName,
                    identityCertificatePEM: certificate, identityPrivateKeyPEM: privateKey))
        } catch {
            throw .merchantSessionFailed(error.reason)
        }
    }
}
