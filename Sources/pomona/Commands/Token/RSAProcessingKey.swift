//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Payments
import SwiftASN1
import WalletSimulator
import X509

/// A sandbox merchant's RSA-2048 key for RSA_v1 tokens, held by whoever opens the merchant's tokens. Few merchants need
/// one, so it is made when the first such token is minted.
struct RSAProcessingKey {
    let directory: DataDirectory
    let merchant: MerchantCard

    private var path: String {
        self.directory.merchant(self.merchant.name)
            .processingCertificatePath(of: self.merchant.keyHolder, isRSA: true)
    }

    /// Its certificate, which is made with its key where there is none yet. The private key is kept in the store of who
    /// opens the tokens.
    ///
    /// - Throws: ``CommandFailure`` `token_version_not_supported` where the merchant is paid through a service that
    ///   takes no such tokens.
    func certificate(_ authority: TestAuthority) async throws -> Certificate {
        if let obstacle = self.merchant.keyHolder?.obstacleToRSATokens {
            throw CommandFailure(
                .tokenVersionNotSupported, stage: .mint,
                "The merchant \(self.merchant.name) is paid through a service that opens its tokens, and \(obstacle). "
                    + "Mint an EC_v1 token.")
        }
        if !FileSystem.exists(self.path) { try await self.make(authority) }
        return try Certificate(pemEncoded: try FileSystem.readText(self.path))
    }

    /// As at Apple: a signing request, a certificate for it, and its import.
    private func make(_ authority: TestAuthority) async throws {
        let identifier = self.merchant.merchantIdentifier
        let (directory, name) =
            if let service = self.merchant.keyHolder {
                (
                    SandboxChain.directory(of: service, in: self.directory),
                    SandboxChain.name(of: self.merchant.name)
                )
            } else { (self.directory, self.merchant.name) }
        let pem = try await DirectoryAccess.withAdministration(directory) { administration in
            let merchant = try await administration.merchant(named: name)
            return try await administration.certify(
                .paymentProcessing, identifier, of: merchant.id, by: authority, algorithm: .rsa2048)
        }
        try FileSystem.write(pem, to: self.path)
    }
}
