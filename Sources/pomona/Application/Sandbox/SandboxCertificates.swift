//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Gateway
import Payments
import SwiftASN1
import Time
import WalletSimulator
import X509

extension Administration {
    /// What a live merchant does at Apple's developer portal, done with a test authority: a signing request, its
    /// certificate, and the import. It is in use from then on.
    ///
    /// - Parameter algorithm: for a Payment Processing Certificate.
    /// - Returns: the certificate, PEM.
    func certify(
        _ purpose: AppleCredential.Purpose, _ merchantIdentifier: String, of merchant: MerchantID,
        by authority: TestAuthority, algorithm: CertificateSigningRequests.ProcessingAlgorithm = .p256
    ) async throws -> String {
        let request = try await self.createSigningRequest(
            merchant: merchant, purpose: purpose, merchantIdentifier: merchantIdentifier, algorithm: algorithm)
        return try await self.certify(request, purpose, merchantIdentifier, of: merchant, by: authority)
    }

    /// The same for the signing request that an earlier run has left open, where there is one.
    func certifyOpenRequest(
        _ purpose: AppleCredential.Purpose, _ merchantIdentifier: String, of merchant: MerchantID,
        by authority: TestAuthority
    ) async throws -> String {
        let open = try await self.credentials(of: merchant).last {
            $0.state == .requested && $0.purpose == purpose && $0.merchantIdentifier == merchantIdentifier
        }
        guard let open else {
            return try await self.certify(purpose, merchantIdentifier, of: merchant, by: authority)
        }
        let request = try await self.signingRequest(open.id, of: merchant)
        return try await self.certify(request, purpose, merchantIdentifier, of: merchant, by: authority)
    }

    private func certify(
        _ request: String, _ purpose: AppleCredential.Purpose, _ merchantIdentifier: String, of merchant: MerchantID,
        by authority: TestAuthority
    ) async throws -> String {
        let kind: MerchantCertificateKind =
            switch purpose {
            case .paymentProcessing: .paymentProcessing
            case .merchantIdentity: .merchantIdentity
            }
        let certificate = try authority.issue(
            kind, merchantIdentifier: merchantIdentifier, signingRequestPEM: request, now: self.now().date)
        let pem = try certificate.serializeAsPEM().pemString + "\n"
        _ = try await self.importCertificate(merchant: merchant, bytes: Array(pem.utf8), activates: true)
        return pem
    }
}
