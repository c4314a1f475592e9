//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
import Redaction
import Time

/// Which credentials are in use, for whoever has rotated one and wants to know whether the old one is still needed.
extension Gateway {
    /// How many are written in a pass of the worker's.
    private static let usesPerPass = 256

    /// Notes that a caller has proved to be the merchant. Waits for nothing, and writes nothing: a worker does
    /// (``writeCredentialUses()``).
    ///
    /// - Parameters:
    ///   - place: the name of the account's secret, or of its setting, by which the caller has proved it.
    ///   - from: the caller's address; `nil` for a customer's device, whose address is nobody's business.
    ///   - client: what the caller says that it is.
    public func noteUse(of place: String, by merchant: MerchantContext, from: String?, client: String?) {
        guard let credential = merchant.settings[place] ?? merchant.secret(place)?.reveal() else { return }
        let name = CredentialSightings.Name(merchant.merchant.id, merchant.dialect, credential: credential)
        self.credentialSightings.note(
            name, at: place, CredentialUse(at: self.clock(), from: from, client: client))
    }

    /// Writes which credentials were used, of each at most once in ten minutes. Called by one worker. What the store
    /// does not take waits for the next time.
    ///
    /// - Returns: how many were written.
    /// - Throws: `StoreError`.
    @discardableResult
    public func writeCredentialUses() async throws -> Int {
        let due = self.credentialSightings.due(at: self.clock(), limit: Self.usesPerPass)
        for sighting in due {
            do {
                try await self.withFreshKeys { try await self.write(sighting) }
            } catch let error as VaultError {
                // An account that does not open is served no more; the log says why where it is asked for.
                self.logger.debug("a credential's use is not written", metadata: ["reason": "\(error)"])
            }
            self.credentialSightings.wrote(sighting, at: self.clock())
        }
        return due.count
    }

    /// A transaction of its own: reading the account locks it, so that what is written belongs to what stands there.
    private func write(_ sighting: CredentialSightings.Sighting) async throws {
        let name = sighting.name
        try await self.store.write { transaction in
            guard let account = try transaction.account(dialect: name.dialect, merchant: name.merchant),
                let place = try self.place(of: sighting, in: account)
            else { return }
            let subject = CredentialUse.subject(name.dialect, place)
            let earlier = try transaction.observations(.credentialUse, of: name.merchant, subject: subject, limit: 1)
            // Another node may have seen it later.
            if let last = earlier.first.flatMap(CredentialUse.init), last.at > sighting.use.at { return }
            try transaction.upsert(sighting.use.observation(of: name.merchant, subject))
        }
    }

    /// Where the credential stands now: it may have been replaced since it was used.
    ///
    /// - Returns: `nil` for one that is not the account's any more.
    private func place(of sighting: CredentialSightings.Sighting, in account: MerchantAccount) throws -> String? {
        let foreign = WebhookSecrets.names.union([AccountSeal.secretName])
        let others = Set(account.settings.keys).union(account.secrets.keys).subtracting(foreign).sorted()
        return try ([sighting.place] + others).first { place in
            let credential =
                try account.settings[place]
                ?? account.secrets[place].map { sealed in
                    try self.vault.openText(sealed, context: Gateway.secretContext(account, place)).reveal()
                }
            guard let credential else { return false }
            return CredentialSightings.Name(account.merchantID, account.dialect, credential: credential)
                == sighting.name
        }
    }
}
