//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// A certificate in use, for whoever has to renew it in time.
public struct RunningCertificate: Hashable, Sendable {
    public let merchantName: String
    public let purpose: AppleCredential.Purpose
    /// The first 16 digits of the credential's id.
    public let keyPrefix: String
    public let notAfter: Timestamp
}

extension Gateway {
    /// How much is open in the store.
    public func openWork() async throws(GatewayRefusal) -> OpenWork {
        try await self.reading { try $0.openWork() }
    }

    /// The certificates of all merchants that are in use, but for those that another one has taken the place of: their end stops
    /// no payment.
    public func runningCertificates() async throws(GatewayRefusal) -> [RunningCertificate] {
        try await self.reading { reader in
            let open = try reader.merchants().filter { $0.state != .closed }
            let names = Dictionary(open.map { ($0.id, $0.name) }) { first, _ in first }
            let credentials = try reader.appleCredentials(of: nil)
            return try credentials.compactMap { credential in
                guard credential.isInUse, let notAfter = credential.notAfter, let name = names[credential.merchantID]
                else { return nil }
                let opened = try credential.followers(among: credentials).filter { follower in
                    try !reader.observations(.keyUse, of: follower.merchantID, subject: follower.id, limit: 1).isEmpty
                }
                guard !credential.isFollowed(among: credentials, hasOpened: opened.contains) else { return nil }
                return RunningCertificate(
                    merchantName: name, purpose: credential.purpose,
                    keyPrefix: String(credential.id.prefix(16)), notAfter: notAfter)
            }
        }
    }
}
