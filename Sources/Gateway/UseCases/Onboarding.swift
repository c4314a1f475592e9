//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
import BaseEncoding
import Foundation
public import Payments
public import Redaction
import Time

/// Why an operator's act is refused.
public struct OnboardingError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case merchantUnknown = "merchant_unknown"
        case certificateOfNeitherKind = "certificate_of_neither_kind"
        case certificateHasNoKey = "certificate_has_no_key"
        case keyDoesNotFit = "key_does_not_fit"
        case merchantIdentifierDiffers = "merchant_identifier_differs"
        case certificateExpired = "certificate_expired"
        case certificateNotYetValid = "certificate_not_yet_valid"
        case certificateNotOfApple = "certificate_not_of_apple"
        case certificateUnknown = "certificate_unknown"
        case certificateNotImported = "certificate_not_imported"
        case certificateInUse = "certificate_in_use"
        case algorithmNotAllowed = "algorithm_not_allowed"
    }

    public let code: Code
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }
}

extension Gateway {
    /// Writes a merchant's account in a dialect, over an earlier one, of which it keeps what webhooks are signed with.
    /// Secrets are sealed.
    ///
    /// - Parameter aliases: further names by which the wire finds the account.
    public func putAccount(
        merchant: MerchantID, dialect: DialectName, key: String, aliases: Set<String> = [],
        settings: [String: String], secrets: [String: Redacted<String>]
    ) async throws {
        try await self.administer(AuditDraft(.accountWrite, "")) { transaction, entry in
            guard let owner = try transaction.merchant(merchant) else { throw Gateway.merchantUnknown }
            entry.setSubject(owner, dialect)
            entry.details["settings"] = settings.keys.sorted().joined(separator: " ")
            entry.details["secrets"] = secrets.keys.sorted().joined(separator: " ")
            let account = MerchantAccount(
                merchantID: merchant, dialect: dialect, key: key, aliases: aliases, settings: settings, secrets: [:])
            try self.write(account, with: secrets, of: owner, in: transaction)
        }
    }

    /// Writes an account with its secrets and its seal, over an earlier one, of which it keeps what webhooks are signed
    /// with.
    @_spi(Administration)
    public func write(
        _ account: MerchantAccount, with secrets: [String: Redacted<String>], of owner: Merchant,
        in transaction: any StoreTransaction
    ) throws {
        let sealed = try Dictionary(
            uniqueKeysWithValues: secrets.map { name, secret in
                let context = Gateway.secretContext(account, name)
                return (name, try self.vault.sealText(secret, context: context, in: transaction))
            })
        let complete = MerchantAccount(
            merchantID: account.merchantID, dialect: account.dialect, key: account.key, aliases: account.aliases,
            settings: account.settings, secrets: sealed)
        let earlier = try transaction.account(dialect: account.dialect, merchant: account.merchantID)
        try transaction.upsert(
            try self.sealed(complete.keepingWebhookSecrets(of: earlier), of: owner, in: transaction))
    }

    /// The secrets that the account's dialect has given it, open, after a look at the account's seal.
    ///
    /// - Throws: ``VaultError``.
    @_spi(Administration)
    public func openedSecrets(
        of account: MerchantAccount, _ owner: Merchant, in reader: any StoreReader
    ) throws -> [String: Redacted<String>] {
        try self.checkSeal(of: account, owner, in: reader)
        let own = account.secrets.filter { name, _ in
            name != AccountSeal.secretName && !WebhookSecrets.names.contains(name)
        }
        return try Dictionary(
            uniqueKeysWithValues: own.map { name, sealed in
                (name, try self.vault.openText(sealed, context: Gateway.secretContext(account, name)))
            })
    }

    /// Makes a key pair and the signing request for Apple. The private key is sealed and stored, and leaves the gateway
    /// no more.
    ///
    /// - Parameter algorithm: for a Payment Processing Certificate; a Merchant Identity Certificate is always RSA-2048.
    /// - Returns: the request, PEM.
    public func createSigningRequest(
        merchant: MerchantID, purpose: AppleCredential.Purpose, merchantIdentifier: String,
        algorithm: CertificateSigningRequests.ProcessingAlgorithm = .p256
    ) async throws -> String {
        guard try await self.store.read({ try $0.merchant(merchant) }) != nil else { throw Gateway.merchantUnknown }
        let generated =
            switch purpose {
            case .paymentProcessing:
                try CertificateSigningRequests.paymentProcessing(algorithm, commonName: merchantIdentifier)
            case .merchantIdentity: try CertificateSigningRequests.merchantIdentity(commonName: merchantIdentifier)
            }
        try await self.keep(
            privateKey: generated.privateKeyPEM, publicKeyHash: generated.publicKeyHash, merchant: merchant,
            purpose: purpose, merchantIdentifier: merchantIdentifier, certificate: nil, activates: false,
            act: .signingRequest)
        return generated.requestPEM
    }

    /// Imports the certificate that Apple issued for an earlier signing request: .cer or .pem. It finds its key by the
    /// public key.
    ///
    /// - Parameter activates: whether it is used from now on; else it waits for ``activateCredential(_:of:)``.
    public func importCertificate(
        merchant: MerchantID, bytes: [UInt8], activates: Bool
    ) async throws -> AppleCredential {
        let certificate = try AppleCertificate(bytes)
        let purpose = try self.purpose(of: certificate)
        try await self.checkIssuer(of: certificate, for: merchant)
        let id = Hex.encode(certificate.publicKeyHash)
        let pending = try await self.store.read { try $0.appleCredentials(of: merchant) }
        guard let credential = pending.first(where: { $0.id == id && $0.purpose == purpose }) else {
            throw OnboardingError(
                .certificateHasNoKey,
                "No signing request of this merchant has the certificate's key. Make the request here, or import the key with it."
            )
        }
        if let identifier = certificate.merchantIdentifier, identifier != credential.merchantIdentifier {
            throw OnboardingError(
                .merchantIdentifierDiffers,
                "The certificate is for \(identifier), the signing request was for \(credential.merchantIdentifier).")
        }
        let key = try await self.openText(
            credential.sealedPrivateKey, context: Gateway.privateKeyContext(credential))
        return try await self.keep(
            privateKey: key, publicKeyHash: certificate.publicKeyHash, merchant: merchant, purpose: purpose,
            merchantIdentifier: credential.merchantIdentifier, certificate: certificate, activates: activates,
            act: .certificateImport)
    }

    /// Imports a certificate with its private key, as they come out of a PKCS#12 file.
    ///
    /// - Parameter activates: as with ``importCertificate(merchant:bytes:activates:)``.
    public func importCredential(
        merchant: MerchantID, certificate bytes: [UInt8], privateKeyPEM: Redacted<String>, activates: Bool
    ) async throws -> AppleCredential {
        let certificate = try AppleCertificate(bytes)
        let purpose = try self.purpose(of: certificate)
        try await self.checkIssuer(of: certificate, for: merchant)
        guard certificate.fits(try MerchantPrivateKey(pem: privateKeyPEM)) else {
            throw OnboardingError(.keyDoesNotFit, "The private key does not belong to the certificate.")
        }
        guard let identifier = certificate.merchantIdentifier else {
            throw OnboardingError(.certificateOfNeitherKind, "The certificate names no merchant identifier.")
        }
        return try await self.keep(
            privateKey: privateKeyPEM, publicKeyHash: certificate.publicKeyHash, merchant: merchant, purpose: purpose,
            merchantIdentifier: identifier, certificate: certificate, activates: activates, act: .certificateImport)
    }

    /// Has a certificate used from now on, beside those that are in use already.
    public func activateCredential(_ id: String, of merchant: MerchantID) async throws -> AppleCredential {
        try await self.change(id, of: merchant, to: .active, act: .certificateActivate)
    }

    /// Has a certificate used no more: its key opens no tokens, and Apple is not shown it. The key stays, sealed, so that
    /// ``activateCredential(_:of:)`` can undo it.
    public func retireCredential(_ id: String, of merchant: MerchantID) async throws -> AppleCredential {
        try await self.change(id, of: merchant, to: .retired, act: .certificateRetire)
    }

    /// The Apple credentials of a merchant, or of all; private keys stay sealed.
    public func credentials(of merchant: MerchantID?) async throws -> [AppleCredential] {
        try await self.store.read { try $0.appleCredentials(of: merchant) }
    }

    static var merchantUnknown: OnboardingError {
        OnboardingError(.merchantUnknown, "There is no such merchant. List them with `pomona certificate list`.")
    }

    private func purpose(of certificate: AppleCertificate) throws -> AppleCredential.Purpose {
        let now = Date(timeIntervalSince1970: TimeInterval(self.clock().seconds))
        guard now <= certificate.notAfter else {
            throw OnboardingError(.certificateExpired, "The certificate has expired. Ask Apple for a new one.")
        }
        guard now >= certificate.notBefore else {
            throw OnboardingError(
                .certificateNotYetValid,
                "The certificate is not valid yet. Import it later, or check this machine's clock.")
        }
        switch certificate.kind {
        case .paymentProcessing: return .paymentProcessing
        case .merchantIdentity: return .merchantIdentity
        case .other:
            throw OnboardingError(
                .certificateOfNeitherKind,
                "This is neither a Payment Processing Certificate nor a Merchant Identity Certificate of Apple Pay.")
        }
    }

    /// Apple's authorities, and for sandbox merchants the simulator's.
    private func checkIssuer(of certificate: AppleCertificate, for merchant: MerchantID) async throws {
        guard let mode = try await self.store.read({ try $0.merchant(merchant) })?.mode else {
            throw Gateway.merchantUnknown
        }
        guard certificate.issuer(among: self.certificateIssuers[mode] ?? []) == nil else { return }
        let authorities = mode == .live ? "Apple" : "Apple or the sandbox's authority"
        throw OnboardingError(
            .certificateNotOfApple,
            "The certificate was not issued by \(authorities), whatever it says of its issuer. Import the file that "
                + "Apple's developer portal gave back.")
    }

    private func change(
        _ id: String, of merchant: MerchantID, to state: AppleCredential.State, act: AuditAct
    ) async throws -> AppleCredential {
        let now = self.clock()
        let changed = try await self.administer(AuditDraft(act, "", ["key": id])) { transaction, draft in
            guard var credential = try transaction.appleCredentials(of: merchant).first(where: { $0.id == id }) else {
                throw OnboardingError(
                    .certificateUnknown,
                    "The merchant has no certificate with this id. List them with `pomona certificate list`.")
            }
            guard let notAfter = credential.notAfter, credential.certificatePEM != nil else {
                throw OnboardingError(
                    .certificateNotImported, "Its certificate has not been imported yet: pomona certificate import")
            }
            guard state != .active || notAfter >= now else {
                throw OnboardingError(.certificateExpired, "The certificate has expired. Ask Apple for a new one.")
            }
            draft.setSubject(try transaction.merchant(merchant), nil)
            draft.details["merchantIdentifier"] = credential.merchantIdentifier
            draft.details["purpose"] = credential.purpose.rawValue
            draft.isNothing = credential.state == state
            credential.state = state
            try transaction.upsert(credential)
            return credential
        }
        return changed
    }

    @discardableResult
    private func keep(
        privateKey: Redacted<String>, publicKeyHash: [UInt8], merchant: MerchantID, purpose: AppleCredential.Purpose,
        merchantIdentifier: String, certificate: AppleCertificate?, activates: Bool, act: AuditAct
    ) async throws -> AppleCredential {
        let id = Hex.encode(publicKeyHash)
        let (certificatePEM, createdAt) = (certificate.map(Gateway.pem), self.clock())
        let notAfter = certificate.map { Timestamp(seconds: Int64($0.notAfter.timeIntervalSince1970)) }
        let details = ["key": id, "merchantIdentifier": merchantIdentifier, "purpose": purpose.rawValue]
        let credential = try await self.administer(AuditDraft(act, "", details)) { transaction, draft in
            let context = Gateway.privateKeyContext(merchant, id)
            let state = activates ? AppleCredential.State.active : .imported
            // What is in use stays so, and only under the certificate with which it was activated.
            if let earlier = try transaction.appleCredentials(of: merchant).first(where: { $0.id == id }),
                earlier.isInUse, state != .active
            {
                guard earlier.certificatePEM == certificatePEM else {
                    throw OnboardingError(
                        .certificateInUse,
                        "The key of this certificate is in use with another one. Make a new signing request, or retire "
                            + "the other first.")
                }
                draft.isNothing = true
                return earlier
            }
            let credential = AppleCredential(
                id: id, merchantID: merchant, purpose: purpose, merchantIdentifier: merchantIdentifier,
                certificatePEM: certificatePEM, notAfter: notAfter,
                sealedPrivateKey: try self.vault.sealText(privateKey, context: context, in: transaction),
                createdAt: createdAt, state: certificatePEM == nil ? .requested : state)
            try transaction.upsert(credential)
            draft.setSubject(try transaction.merchant(merchant), nil)
            return credential
        }
        return credential
    }

    static func privateKeyContext(_ credential: AppleCredential) -> String {
        self.privateKeyContext(credential.merchantID, credential.id)
    }

    private static func privateKeyContext(_ merchant: MerchantID, _ id: String) -> String {
        Gateway.context(of: .appleCredential(merchant, id: id))
    }

    /// RFC 7468.
    private static func pem(_ certificate: AppleCertificate) -> String {
        let text = Data(certificate.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}
