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
        try await self.gateway.identities(of: merchant).filter { identity in
            guard let certificate = try? AppleCertificate(Array(identity.identity.certificatePEM.utf8)) else {
                return false
            }
            return (certificate.issuer(among: MerchantCertificateIssuer.apple) == nil) == bySimulator
        }
    }
}
