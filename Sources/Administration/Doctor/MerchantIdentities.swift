//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
@_spi(Administration) public import Gateway
public import Payments

extension Administration {
    /// With what a merchant proves to Apple who it is, one for each of its merchant identifiers: those that Apple has
    /// issued, and that the wallet simulator has.
    ///
    /// - Parameter bySimulator: whether those of the wallet simulator's authority are wanted, rather than Apple's.
    /// - Throws: `StoreError`.
    public func merchantIdentities(
        of merchant: Merchant, bySimulator: Bool = false
    ) async throws -> [MerchantSessionRequest] {
        try await self.gateway.identities(of: merchant).filter { Self.isIssued($0.identity, bySimulator) }
    }

    /// With what the platform integrator proves to Apple who it is, who registers the merchants of a mode and asks for
    /// their sessions; `nil` where there is none, or its key cannot be opened.
    ///
    /// - Parameter bySimulator: as with ``merchantIdentities(of:bySimulator:)``.
    /// - Throws: `StoreError`.
    public func platformIdentity(for mode: Mode, bySimulator: Bool = false) async throws -> MerchantSessionRequest? {
        do throws(GatewayRefusal) {
            guard let platform = try await self.gateway.platformIdentity(for: mode),
                Self.isIssued(platform.identity, bySimulator)
            else { return nil }
            return MerchantSessionRequest(
                mode: mode, merchantIdentifier: platform.identifier, domainName: "", displayName: "",
                identity: platform.identity)
        } catch {
            guard error != .storeUnavailable else { throw StoreError.unavailable(error.explanation) }
            return nil
        }
    }

    /// Whether a merchant takes cards of China mainland, for which Apple has hosts of its own.
    ///
    /// - Throws: `StoreError`.
    public func isInChina(_ merchant: Merchant) async throws -> Bool {
        if merchant.countryCode == "CN" { return true }
        // Tokens of China mainland are sealed for an RSA key ("Payment token format reference").
        return try await self.read { try $0.appleCredentials(of: merchant.id) }.contains { credential in
            guard credential.purpose == .paymentProcessing, credential.isInUse,
                case .rsa? = credential.appleCertificate?.keyAlgorithm
            else { return false }
            return true
        }
    }

    private static func isIssued(_ identity: AppleIdentity, _ bySimulator: Bool) -> Bool {
        guard let certificate = try? AppleCertificate(Array(identity.certificatePEM.utf8)) else { return false }
        return (certificate.issuer(among: MerchantCertificateIssuer.apple) == nil) == bySimulator
    }
}
