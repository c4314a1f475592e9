//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
@_spi(Administration) public import Gateway
public import Payments

/// How a merchant stands with the platform integrator: whether Apple has it registered, and with what it could be.
public struct PlatformStanding: Hashable, Sendable {
    /// The platform integrator's identifier: "platformintegrator.com.example".
    public let platform: String
    /// What the merchant is called at Apple, registered or not.
    public let identifier: String
    /// `nil` while it is not registered.
    public let registration: MerchantRegistration?
    /// To whose keys tokens may be encrypted: the identifiers of which the merchant has a key in use.
    public let recipients: [String]

    /// To whose key Apple encrypts: by its name where that is known, for Apple gives its digest.
    public var recipient: String? {
        guard let digest = self.registration?.encryptTo else { return nil }
        let known = self.recipients + [self.platform]
        return known.first { $0 == digest || Self.digest(of: $0) == digest.uppercased() } ?? digest
    }

    private static func digest(of identifier: String) -> String {
        Hex.encode(Array(SHA256.hash(data: Data(identifier.utf8))), isUpperCase: true)
    }
}

/// Merchants that a platform integrator registers at Apple: "Apple Pay Web Merchant Registration API". Apple keeps the
/// registrations; nothing of them is in the store but who has made them.
extension Administration {
    /// - Throws: ``AdministrationError`` `platform_unknown`; `MerchantRegistrationFailure`; `GatewayRefusal`; `StoreError`.
    public func platformStanding(
        of merchant: Merchant, by registrar: any MerchantRegistrar
    ) async throws -> PlatformStanding {
        let (platform, identity) = try await self.platform(for: merchant)
        let identifier = MerchantRegistration.identifier(of: merchant.id)
        return PlatformStanding(
            platform: platform, identifier: identifier,
            registration: try await registrar.registration(of: identifier, in: merchant.mode, by: identity),
            recipients: try await self.recipients(of: merchant.id))
    }

    /// Registers a merchant with some of its domains, or further ones.
    ///
    /// - Parameters:
    ///   - name: what Apple is to call the merchant.
    ///   - domainNames: of those that are registered here, because Apple reads its file there.
    ///   - recipient: to whose key tokens are encrypted; one of ``PlatformStanding/recipients``.
    ///   - url: the merchant's website, where its payment page is the integrator's.
    /// - Throws: ``AdministrationError`` `platform_unknown`, `registration_invalid`, `merchant_closed`;
    ///   `MerchantRegistrationFailure`; `GatewayRefusal`; `StoreError`.
    public func register(
        _ merchant: Merchant, as name: String, domainNames: [String], encryptTo recipient: String, url: String?,
        by registrar: any MerchantRegistrar
    ) async throws {
        let (_, identity) = try await self.platform(for: merchant)
        let known = try await self.read { reader in
            _ = try Self.openMerchant(merchant.id, in: reader)
            return Set(try reader.domains(of: merchant.id).map(\.name))
        }
        if let stranger = domainNames.first(where: { !known.contains($0) }) {
            throw AdministrationError(
                .registrationInvalid,
                "\(stranger) is none of the merchant's domains. Add it first: Apple reads its file there.")
        }
        guard (1...MerchantRegistration.domainNamesMax).contains(domainNames.count),
            Set(domainNames).count == domainNames.count
        else {
            throw AdministrationError(
                .registrationInvalid,
                "Name 1 to \(MerchantRegistration.domainNamesMax) domains, each of them once.")
        }
        guard try await self.recipients(of: merchant.id).contains(recipient) else {
            throw AdministrationError(
                .registrationInvalid,
                "Nobody could open tokens for \(recipient): the merchant has no payment processing key in use of that "
                    + "identifier.")
        }
        try await registrar.register(
            MerchantRegistration(
                identifier: MerchantRegistration.identifier(of: merchant.id), merchantName: name,
                domainNames: domainNames, encryptTo: recipient, merchantURL: url),
            in: merchant.mode, by: identity)
        try await self.log(.registrationMake, merchant, domainNames, ["encryptTo": recipient])
    }

    /// Takes domains off a merchant's registration; with the last one it is registered no more.
    ///
    /// - Parameter reason: in a few words, for Apple and the audit log.
    /// - Throws: ``AdministrationError`` `platform_unknown`; `MerchantRegistrationFailure`; `GatewayRefusal`; `StoreError`.
    public func unregister(
        _ domainNames: [String], of merchant: Merchant, because reason: String, by registrar: any MerchantRegistrar
    ) async throws {
        let (_, identity) = try await self.platform(for: merchant)
        try await registrar.unregister(
            domainNames, of: MerchantRegistration.identifier(of: merchant.id), because: reason, in: merchant.mode,
            by: identity)
        try await self.log(.registrationEnd, merchant, domainNames, ["reason": reason])
    }

    private func log(
        _ act: AuditAct, _ merchant: Merchant, _ domainNames: [String], _ details: [String: String]
    ) async throws {
        var details = details
        details["domains"] = domainNames.joined(separator: " ")
        try await self.gateway.administer(AuditDraft(act, merchant.name, details)) { transaction, entry in
            entry.setSubject(try transaction.merchant(merchant.id), nil)
        }
    }

    private func platform(for merchant: Merchant) async throws -> (identifier: String, identity: AppleIdentity) {
        guard let platform = try await self.gateway.platformIdentity(for: merchant.mode) else {
            throw AdministrationError(
                .platformUnknown,
                "There is no platform integrator for \(merchant.mode.rawValue) merchants: apple.platformMerchant names the "
                    + "merchant that has its identity, a Merchant Identity Certificate in use.")
        }
        return platform
    }

    private func recipients(of merchant: MerchantID) async throws -> [String] {
        let credentials = try await self.read { try $0.appleCredentials(of: merchant) }
        return Set(credentials.filter { $0.purpose == .paymentProcessing && $0.isInUse }.map(\.merchantIdentifier))
            .sorted()
    }
}
