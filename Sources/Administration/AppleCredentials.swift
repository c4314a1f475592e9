//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
import BaseEncoding
import Foundation
@_spi(Administration) import Gateway
public import Payments
public import Redaction
import Time

/// The keys that open tokens and those that Apple is shown, each with its certificate.
extension Administration {
    /// Makes a key pair and the signing request for Apple. The private key is sealed and stored, and leaves the gateway
    /// no more.
    ///
    /// - Parameter algorithm: for a Payment Processing Certificate; a Merchant Identity Certificate is always RSA-2048.
    /// - Returns: the request, PEM.
    public func createSigningRequest(
        merchant: MerchantID, purpose: AppleCredential.Purpose, merchantIdentifier: String,
        algorithm: CertificateSigningRequests.ProcessingAlgorithm = .p256
    ) async throws -> String {
        _ = try await self.read { try Self.openMerchant(merchant, in: $0) }
        let generated =
            switch purpose {
            case .paymentProcessing:
                try CertificateSigningRequests.paymentProcessing(
                    algorithm, commonName: Self.commonName(merchantIdentifier))
            case .merchantIdentity:
                try CertificateSigningRequests.merchantIdentity(commonName: Self.commonName(merchantIdentifier))
            }
        try await self.keep(
            privateKey: generated.privateKeyPEM, publicKeyHash: generated.publicKeyHash, merchant: merchant,
            purpose: purpose, merchantIdentifier: merchantIdentifier, certificate: nil, activates: false,
            act: .signingRequest)
        return generated.requestPEM
    }

    /// For whoever looks at the request: Apple writes names of its own into the certificate. RFC 5280, appendix A, has at
    /// most 64 characters (ub-common-name), and merchant identifiers may be longer.
    private static func commonName(_ merchantIdentifier: String) -> String { String(merchantIdentifier.prefix(64)) }

    /// The signing request of a key that waits for its certificate, written anew: for whoever has lost it. Key and name
    /// are those of the first one. Writes nothing.
    ///
    /// - Returns: the request, PEM.
    /// - Throws: ``AdministrationError`` `certificate_unknown`, `certificate_not_waiting`; ``VaultError``, `StoreError`.
    public func signingRequest(_ id: String, of merchant: MerchantID) async throws -> String {
        let known = try await self.read { try $0.appleCredentials(of: merchant) }
        guard let credential = known.first(where: { $0.id == id }) else { throw Self.certificateUnknown }
        guard credential.state == .requested else {
            let reason = credential.certificatePEM == nil ? "It was withdrawn" : "Its certificate has been imported"
            throw AdministrationError(
                .certificateNotWaiting, "\(reason): there is nothing to ask Apple for. Make a new signing request.")
        }
        let key = try await self.gateway.withFreshKeys {
            try self.gateway.open(credential.sealedPrivateKey, of: .appleCredential(merchant, id: id))
        }
        return try CertificateSigningRequests.again(
            privateKeyPEM: key, commonName: Self.commonName(credential.merchantIdentifier))
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
        let pending = try await self.read { try $0.appleCredentials(of: merchant) }
        guard let credential = pending.first(where: { $0.id == id && $0.purpose == purpose }) else {
            throw AdministrationError(
                .certificateHasNoKey,
                "No signing request of this merchant has the certificate's key. Make the request here, or import the key with it."
            )
        }
        if let identifier = certificate.merchantIdentifier, identifier != credential.merchantIdentifier {
            throw AdministrationError(
                .merchantIdentifierDiffers,
                "The certificate is for \(identifier), the signing request was for \(credential.merchantIdentifier).")
        }
        let key = try await self.gateway.withFreshKeys {
            try self.gateway.open(credential.sealedPrivateKey, of: .appleCredential(merchant, id: id))
        }
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
            throw AdministrationError(.keyDoesNotFit, "The private key does not belong to the certificate.")
        }
        guard let identifier = certificate.merchantIdentifier else {
            throw AdministrationError(.certificateOfNeitherKind, "The certificate names no merchant identifier.")
        }
        return try await self.keep(
            privateKey: privateKeyPEM, publicKeyHash: certificate.publicKeyHash, merchant: merchant, purpose: purpose,
            merchantIdentifier: identifier, certificate: certificate, activates: activates, act: .certificateImport)
    }

    /// Has a certificate used from now on, beside those that are in use already: a key that opens tokens also after its
    /// certificate's end, until it is retired.
    public func activateCredential(_ id: String, of merchant: MerchantID) async throws -> AppleCredential {
        try await self.change(id, of: merchant, to: .active, act: .certificateActivate)
    }

    /// Has a certificate used no more: its key opens no tokens, and Apple is not shown it. The key stays, sealed, so that
    /// ``activateCredential(_:of:)`` can undo it. Of a signing request, withdraws it: nobody waits for its certificate any
    /// more, and importing one undoes that.
    public func retireCredential(_ id: String, of merchant: MerchantID) async throws -> AppleCredential {
        try await self.change(id, of: merchant, to: .retired, act: .certificateRetire)
    }

    /// The Apple credentials of a merchant, or of all; private keys stay sealed.
    public func credentials(of merchant: MerchantID?) async throws -> [AppleCredential] {
        try await self.read { try $0.appleCredentials(of: merchant) }
    }

    private static let certificateUnknown = AdministrationError(
        .certificateUnknown, "The merchant has no certificate with this id. List them with `pomona certificate list`.")

    private func purpose(of certificate: AppleCertificate) throws -> AppleCredential.Purpose {
        let now = Date(timeIntervalSince1970: TimeInterval(self.gateway.now().seconds))
        guard now <= certificate.notAfter else {
            throw AdministrationError(.certificateExpired, "The certificate has expired. Ask Apple for a new one.")
        }
        guard now >= certificate.notBefore else {
            throw AdministrationError(
                .certificateNotYetValid,
                "The certificate is not valid yet. Import it later, or check this machine's clock.")
        }
        switch certificate.kind {
        case .paymentProcessing: return .paymentProcessing
        case .merchantIdentity: return .merchantIdentity
        case .other:
            throw AdministrationError(
                .certificateOfNeitherKind,
                "This is neither a Payment Processing Certificate nor a Merchant Identity Certificate of Apple Pay.")
        }
    }

    /// Apple's authorities, and for sandbox merchants the simulator's.
    private func checkIssuer(of certificate: AppleCertificate, for merchant: MerchantID) async throws {
        let mode = try await self.read { try Self.openMerchant(merchant, in: $0) }.mode
        guard !self.gateway.certificateIssuers.haveIssued(certificate, for: mode) else { return }
        let authorities = mode == .live ? "Apple" : "Apple or the sandbox's authority"
        throw AdministrationError(
            .certificateNotOfApple,
            "The certificate was not issued by \(authorities), whatever it says of its issuer. Import the file that "
                + "Apple's developer portal gave back.")
    }

    private func change(
        _ id: String, of merchant: MerchantID, to state: AppleCredential.State, act: AuditAct
    ) async throws -> AppleCredential {
        let now = self.gateway.now()
        return try await self.gateway.administer(AuditDraft(act, "", ["key": id])) { transaction, draft in
            // First: the merchant's row is locked for whoever writes one of its credentials, as it is when the key in it is
            // sealed anew.
            let owner = try transaction.merchant(merchant)
            guard var credential = try transaction.appleCredentials(of: merchant).first(where: { $0.id == id }) else {
                throw Self.certificateUnknown
            }
            let isRequest = credential.certificatePEM == nil
            guard !isRequest || state == .retired else {
                throw AdministrationError(
                    .certificateNotImported, "Its certificate has not been imported yet: pomona certificate import")
            }
            // The end of a Payment Processing Certificate is Apple's to heed: tokens that still come are opened. Apple
            // takes no merchant identity after its end.
            let isOfUse = credential.purpose == .paymentProcessing || (credential.notAfter ?? now) >= now
            guard state != .active || isOfUse else {
                throw AdministrationError(.certificateExpired, "The certificate has expired. Ask Apple for a new one.")
            }
            if state == .active { _ = try Self.openMerchant(merchant, in: transaction) }
            draft.setSubject(owner, nil)
            draft.details["merchantIdentifier"] = credential.merchantIdentifier
            draft.details["purpose"] = credential.purpose.rawValue
            if isRequest { draft.details["request"] = "withdrawn" }
            draft.isNothing = credential.state == state
            // A signing request has brought no key into use, and takes none out of it.
            try self.permit(
                .liveCredentials, of: owner, isChange: !draft.isNothing && !isRequest, in: transaction, &draft)
            credential.state = state
            try transaction.upsert(credential)
            return credential
        }
    }

    @discardableResult
    private func keep(
        privateKey: Redacted<String>, publicKeyHash: [UInt8], merchant: MerchantID, purpose: AppleCredential.Purpose,
        merchantIdentifier: String, certificate: AppleCertificate?, activates: Bool, act: AuditAct
    ) async throws -> AppleCredential {
        let id = Hex.encode(publicKeyHash)
        let (certificatePEM, createdAt) = (certificate.map(Self.pem), self.gateway.now())
        let notAfter = certificate.map { Timestamp(seconds: Int64($0.notAfter.timeIntervalSince1970)) }
        let details = ["key": id, "merchantIdentifier": merchantIdentifier, "purpose": purpose.rawValue]
        return try await self.gateway.administer(AuditDraft(act, "", details)) { transaction, draft in
            let owner = try transaction.merchant(merchant)
            let state = activates ? AppleCredential.State.active : .imported
            // What is in use stays so, and only under the certificate with which it was activated; another for the same key
            // takes its place, if it is for the same.
            if let earlier = try transaction.appleCredentials(of: merchant).first(where: { $0.id == id }),
                earlier.isInUse,
                state != .active || earlier.purpose != purpose || earlier.merchantIdentifier != merchantIdentifier
            {
                guard earlier.certificatePEM == certificatePEM else {
                    throw AdministrationError(
                        .certificateInUse,
                        "The key of this certificate is in use with another one. Make a new signing request, or retire "
                            + "the other first.")
                }
                draft.isNothing = true
                try self.permit(.liveCredentials, of: owner, isChange: false, in: transaction, &draft)
                return earlier
            }
            // A signing request brings no key into use: what Apple gives for it does.
            if certificatePEM != nil { try self.permit(.liveCredentials, of: owner, in: transaction, &draft) }
            let credential = AppleCredential(
                id: id, merchantID: merchant, purpose: purpose, merchantIdentifier: merchantIdentifier,
                certificatePEM: certificatePEM, notAfter: notAfter,
                sealedPrivateKey: try self.gateway.seal(
                    privateKey, for: .appleCredential(merchant, id: id), in: transaction),
                createdAt: createdAt, state: certificatePEM == nil ? .requested : state)
            try transaction.upsert(credential)
            draft.setSubject(owner, nil)
            return credential
        }
    }

    /// RFC 7468.
    private static func pem(_ certificate: AppleCertificate) -> String {
        let text = Data(certificate.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}
