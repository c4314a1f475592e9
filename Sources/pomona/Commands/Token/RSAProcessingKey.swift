//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Payments
import SwiftASN1
import Time
import WalletSimulator
import X509

/// A sandbox merchant's RSA-2048 key for RSA_v1 tokens. Few merchants need one, so it is made when the first such token
/// is minted.
struct RSAProcessingKey {
    let directory: DataDirectory
    let merchant: MerchantCard

    private var path: String { "\(self.directory.merchant(self.merchant.name).path)/applepay-processing-rsa.pem" }

    /// Its certificate, which is made with its key where there is none yet. The private key is kept in the store.
    func certificate(_ authority: TestAuthority) async throws -> Certificate {
        if !FileSystem.exists(self.path) { try await self.make(authority) }
        return try Certificate(pemEncoded: try FileSystem.readText(self.path))
    }

    /// As at Apple: a signing request, a certificate for it, and its import.
    private func make(_ authority: TestAuthority) async throws {
        let name = self.merchant.name
        let identifier = self.merchant.merchantIdentifier
        let pem = try await StoreAccess.withGateway(self.directory) { gateway in
            let merchant = try await gateway.store.read { try StoreAccess.merchant(named: name, in: $0) }
            let request = try await gateway.createSigningRequest(
                merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: identifier,
                algorithm: .rsa2048)
            let certificate = try authority.issue(
                .paymentProcessing, merchantIdentifier: identifier, signingRequestPEM: request,
                now: Timestamp.now().date)
            let pem = try certificate.serializeAsPEM().pemString + "\n"
            _ = try await gateway.importCertificate(merchant: merchant.id, bytes: Array(pem.utf8), activates: true)
            return pem
        }
        try FileSystem.write(pem, to: self.path)
    }
}
