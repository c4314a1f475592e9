//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Money
public import Payments
public import Redaction

/// An acquirer account that is in use. A class, because a payment hands it on at each step, and it never changes.
final class OpenAcquirer: Sendable {
    let id: AcquirerAccountID
    let state: AcquirerAccount.State
    let acquirer: any Acquirer
    /// Asked once: each payment looks at them several times.
    let capabilities: AcquirerCapabilities
    let custody: KeyCustody

    init(_ account: AcquirerAccount, _ acquirer: any Acquirer) {
        self.id = account.id
        self.state = account.state
        self.acquirer = acquirer
        self.capabilities = acquirer.capabilities
        self.custody = KeyCustody(account.settings)
    }
}

extension Gateway {
    /// The acquirer with which a payment began, in whatever state its account is now.
    ///
    /// - Returns: `nil` for an account that cannot be opened; the log says why.
    func acquirer(of payment: Payment) async throws(GatewayRefusal) -> OpenAcquirer? {
        try await self.acquirer(payment.accountID)
    }

    func acquirer(_ id: AcquirerAccountID) async throws(GatewayRefusal) -> OpenAcquirer? {
        if let cached = self.accounts.acquirer(id, at: self.clock()) { return cached }
        return try await self.readingSecrets { try self.acquirer(id, in: $0) }
    }

    /// What an account's acquirer can do; `nil` where it can't be opened.
    ///
    /// - Throws: ``GatewayRefusal/storeUnavailable``.
    @_spi(Administration)
    public func capabilities(of id: AcquirerAccountID) async throws(GatewayRefusal) -> AcquirerCapabilities? {
        try await self.acquirer(id)?.capabilities
    }

    /// The same within a read.
    func acquirer(_ id: AcquirerAccountID, in reader: any StoreReader) throws -> OpenAcquirer? {
        let now = self.clock()
        if let cached = self.accounts.acquirer(id, at: now) { return cached }
        guard let account = try reader.acquirerAccount(id), let open = try self.open(account) else { return nil }
        self.accounts.keep(open, at: now)
        return open
    }

    /// Opens the secrets of an account and has its connector make an acquirer of it.
    ///
    /// - Returns: `nil` when that cannot be done, which is the operator's business.
    /// - Throws: ``VaultError`` `data_key_unknown`, for the keys to be read again.
    private func open(_ account: AcquirerAccount) throws -> OpenAcquirer? {
        let reason: String
        do {
            if let connector = self.connectors[account.connector] {
                return OpenAcquirer(account, try connector.open(try self.opened(account)))
            }
            reason = "there is no connector named \(account.connector)"
        } catch let error where Self.isOfStaleKeys(error) {
            throw error
        } catch {
            reason = "\(error)"
        }
        self.logger.error(
            "acquirer account cannot be opened",
            metadata: ["account": "\(account.id)", "name": "\(account.name)", "reason": "\(reason)"])
        return nil
    }

    /// An account with its secrets open, after a look at its seal.
    ///
    /// - Throws: ``VaultError``.
    @_spi(Administration)
    public func opened(_ account: AcquirerAccount) throws -> OpenedAcquirerAccount {
        try self.checkSeal(of: account)
        var secrets: [String: Redacted<String>] = [:]
        for (name, sealed) in account.secrets where name != AccountSeal.secretName {
            secrets[name] = try self.vault.openText(sealed, context: Gateway.secretContext(account, name))
        }
        return OpenedAcquirerAccount(account, secrets: secrets)
    }

    /// The account with secrets sealed into it, and with the seal of all that its money's way depends on.
    @_spi(Administration)
    public func sealed(
        _ account: AcquirerAccount, with secrets: [String: Redacted<String>], in transaction: any StoreTransaction
    ) throws -> AcquirerAccount {
        var account = account
        for (name, secret) in secrets {
            account.secrets[name] = try self.vault.sealText(
                secret, context: Gateway.secretContext(account, name), in: transaction)
        }
        return try self.sealed(account, in: transaction)
    }

    static func secretContext(_ account: AcquirerAccount, _ name: String) -> String {
        Gateway.context(of: .acquirerSecret(account.id, name: name))
    }
}
