//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Foundation
import Gateway
public import Payments
public import Redaction
import SwiftASN1
import Time
public import WalletSimulator
import X509

/// A merchant of a test gateway, with one account.
public struct TestMerchant: Sendable {
    public let merchant: Merchant
    public let dialect: DialectName
    /// What the wire calls the account.
    public let key: String
    public let merchantIdentifier: String
    /// What tokens for the merchant are encrypted to; `nil` when none is certified.
    public let recipient: ProcessingPublicKey?

    public var id: MerchantID { self.merchant.id }
}

extension TestGateway {
    /// Onboards a merchant with an account in a dialect.
    ///
    /// - Parameters:
    ///   - name: the merchant's; the key in lower-case letters and digits if left out.
    ///   - aliases: further names of the account.
    ///   - secrets: the account's. They go into the jar, to be searched for.
    ///   - mode: the gateway's if left out.
    ///   - acquirer: the connector of its one acquirer account; none for `nil`.
    ///   - certified: whether it has a processing key and its certificate.
    @discardableResult
    public func addMerchant(
        _ name: String? = nil, dialect: DialectName, key: String, aliases: Set<String> = [],
        settings: [String: String] = [:], secrets: [String: Redacted<String>] = [:], mode: Mode? = nil,
        certified: Bool = true,
        merchantIdentifier: String = "merchant.com.example.shop", acquirer: String? = "simulator",
        countryCode: String = "CA", displayName: String = "Demo Merchant"
    ) async throws -> TestMerchant {
        let plain = key.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let merchant = try await self.gateway.administration.createMerchant(
            name: name ?? plain, displayName: displayName, mode: mode ?? self.mode, countryCode: countryCode)
        if let acquirer {
            try await self.gateway.administration.ensureAcquirerAccount(
                of: merchant.id, connector: AcquirerName(acquirer))
        }
        try await self.gateway.administration.putAccount(
            merchant: merchant.id, dialect: dialect, key: key, aliases: aliases, settings: settings, secrets: secrets)
        for (name, secret) in secrets {
            let text = secret.reveal()
            if text.contains("-----BEGIN") {
                self.jar.keep(pem: text, as: "account secret \(name)")
            } else {
                self.jar.keep(Secret("account secret \(name)", text))
            }
        }
        var recipient: ProcessingPublicKey?
        if certified {
            recipient = try ProcessingPublicKey(
                certificate: try await self.certify(.paymentProcessing, merchant, merchantIdentifier))
        }
        return TestMerchant(
            merchant: merchant, dialect: dialect, key: key, merchantIdentifier: merchantIdentifier,
            recipient: recipient)
    }

    /// Says how a merchant's acquirer knows him.
    public func setAcceptor(of merchant: TestMerchant, acquirer: String = "simulator", _ acceptor: CardAcceptor)
        async throws
    {
        _ = try await self.gateway.administration.putAcquirerAccount(
            AcquirerAccountDraft(name: acquirer, connector: AcquirerName(acquirer), acceptor: acceptor),
            of: merchant.merchant.id)
    }

    /// Gives a merchant a Merchant Identity Certificate, with which merchant sessions are asked for.
    public func certifyIdentity(of merchant: TestMerchant) async throws {
        _ = try await self.certify(.merchantIdentity, merchant.merchant, merchant.merchantIdentifier)
    }

    /// Certifies a processing key of the merchant's for another merchant identifier; tokens for it are encrypted to what is
    /// returned.
    public func addMerchantIdentifier(
        _ identifier: String, to merchant: TestMerchant
    ) async throws -> ProcessingPublicKey {
        try ProcessingPublicKey(
            certificate: try await self.certify(.paymentProcessing, merchant.merchant, identifier))
    }

    private func certify(
        _ kind: MerchantCertificateKind, _ merchant: Merchant, _ identifier: String
    ) async throws -> Certificate {
        let request =
            switch kind {
            case .paymentProcessing: try CertificateSigningRequests.paymentProcessing(commonName: identifier)
            case .merchantIdentity: try CertificateSigningRequests.merchantIdentity(commonName: identifier)
            }
        self.jar.keep(pem: request.privateKeyPEM.reveal(), as: "private key (\(kind.rawValue))")
        let certificate = try TestAuthorities.authority(merchant.mode).issue(
            kind, merchantIdentifier: identifier, signingRequestPEM: request.requestPEM, now: self.date)
        _ = try await self.gateway.administration.importCredential(
            merchant: merchant.id, certificate: Array(try certificate.serializeAsPEM().pemString.utf8),
            privateKeyPEM: request.privateKeyPEM, activates: true)
        return certificate
    }

    var date: Date { Date(timeIntervalSince1970: TimeInterval(self.clock.now.seconds)) }
}
