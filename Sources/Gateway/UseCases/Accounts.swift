//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Logging
public import Payments
import Redaction
import StrictJSON
import Time

extension Gateway {
    /// The merchant that an account belongs to, or `nil` for an account that does not exist or whose merchant is closed.
    ///
    /// - Parameter key: the account's key, or one of its aliases.
    /// - Throws: ``GatewayRefusal/storeUnavailable``.
    public func account(dialect: DialectName, key: String) async throws(GatewayRefusal) -> MerchantContext? {
        let context = try await self.knownAccount(dialect: dialect, key: key)
        if let context { CallNotes.change { $0.merchantID = context.merchant.id } }
        return context?.merchant.state == .closed ? nil : context
    }

    /// The same, also of a merchant that is closed: what had begun is reported to its end.
    private func knownAccount(dialect: DialectName, key: String) async throws(GatewayRefusal) -> MerchantContext? {
        let now = self.clock()
        let name = AccountCache.AccountName(dialect: dialect, key: ExactText(key))
        if let cached = self.accounts.context(name, at: now) { return cached }
        guard let context = try await self.openedAccount(name) else { return nil }
        self.accounts.keep(context, as: name, at: now)
        return context
    }

    /// An account and its secrets. Both are read again when the data keys turn out to be old.
    private func openedAccount(_ name: AccountCache.AccountName) async throws(GatewayRefusal) -> MerchantContext? {
        do {
            return try await self.withFreshKeys {
                try await self.store.read { reader -> MerchantContext? in
                    guard let account = try reader.account(dialect: name.dialect, key: name.key.text),
                        let merchant = try reader.merchant(account.merchantID)
                    else { return nil }
                    try self.checkSeal(of: account, merchant, in: reader)
                    return try self.context(
                        of: account, merchant, acceptors: try reader.acquirerAccounts(of: merchant.id))
                }
            }
        } catch let error as VaultError {
            self.logger.error(
                "account cannot be opened",
                metadata: ["dialect": "\(name.dialect)", "account": "\(name.key.text)", "reason": "\(error)"])
            switch error.code {
            // It is this process that lacks a key, and another may have it: nobody's credentials are wrong.
            case .masterKeyLength, .masterKeyWrong, .dataKeyUnknown: throw .storeUnavailable
            // An account that somebody has changed cannot be served, and is as if there were none.
            case .boxDamaged, .auditKeyMissing, .accountChanged, .accountUnsealed, .accountBindingGone: return nil
            }
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// The merchant that a delivery notifies.
    public func merchantContext(for delivery: Delivery) async throws(GatewayRefusal) -> MerchantContext? {
        try await self.merchantContext(delivery.event.merchantID, dialect: delivery.event.dialect)
    }

    /// The merchant that a payment belongs to, in the dialect in which it was made.
    func merchantContext(of payment: Payment) async throws(GatewayRefusal) -> MerchantContext? {
        try await self.merchantContext(payment.merchantID, dialect: payment.dialect)
    }

    private func merchantContext(
        _ merchantID: MerchantID, dialect: DialectName
    ) async throws(GatewayRefusal) -> MerchantContext? {
        let account = try await self.reading { try $0.account(dialect: dialect, merchant: merchantID) }
        guard let account else { return nil }
        return try await self.knownAccount(dialect: dialect, key: account.key)
    }

    private func context(
        of account: MerchantAccount, _ merchant: Merchant, acceptors: [AcquirerAccount]
    ) throws -> MerchantContext {
        let secrets = try Dictionary(
            uniqueKeysWithValues: account.secrets.filter { $0.key != AccountSeal.secretName }.map { name, sealed in
                (name, try self.vault.openText(sealed, context: Gateway.secretContext(account, name)))
            })
        return MerchantContext(
            merchant: merchant, dialect: account.dialect, accountKey: account.key, settings: account.settings,
            keys: AccountKeys(settings: account.settings, secrets: secrets),
            acceptors: Dictionary(acceptors.map { ($0.id, $0.acceptor) }, uniquingKeysWith: { first, _ in first }))
    }

    static func secretContext(_ account: MerchantAccount, _ name: String) -> String {
        Gateway.context(of: .accountSecret(account.merchantID, account.dialect, name: name))
    }

    static func privateKeyContext(_ credential: AppleCredential) -> String {
        Gateway.context(of: .appleCredential(credential.merchantID, id: credential.id))
    }

    /// Whether a merchant identifier of Apple's is the merchant's: one of his certificates, whatever its state, is for it; an
    /// acquirer of his opens its tokens; or it is what the platform integrator calls him.
    ///
    /// - Throws: ``GatewayRefusal/storeUnavailable``.
    public func isMerchantIdentifier(
        _ merchantIdentifier: String, of merchant: MerchantContext
    ) async throws(GatewayRefusal) -> Bool {
        let id = merchant.merchant.id
        let isCertified = try await self.reading { reader in
            try reader.appleCredentials(of: id).contains { $0.merchantIdentifier == merchantIdentifier }
        }
        if isCertified { return true }
        if merchantIdentifier == MerchantRegistration.identifier(of: id) {
            return try await self.platform(of: merchant.merchant.mode) != nil
        }
        do throws(GatewayRefusal) {
            return try await self.routes(of: merchant).candidates(dialect: merchant.dialect).contains {
                $0.custody.merchantIdentifiers.contains(merchantIdentifier)
            }
        } catch .acquirerNotConnected {
            return false
        }
    }

    /// The merchant's processing keys, those of all its merchant identifiers and of every certificate not yet removed.
    ///
    /// - Throws: ``GatewayRefusal/merchantNotReady``, ``GatewayRefusal/storeUnavailable``.
    func keyring(of merchant: Merchant, for token: UnverifiedToken) async throws(GatewayRefusal) -> TokenKeyring {
        let now = self.clock()
        // A token for a key that is not in memory may be for one that has just been imported elsewhere.
        if let cached = self.accounts.keyring(merchant.id, at: now),
            cached.keys.contains(where: { $0.publicKeyHash == token.header.publicKeyHash })
        {
            return cached
        }
        let keys = try await self.processingKeys(of: merchant)
        guard !keys.isEmpty else { throw .merchantNotReady }
        let keyring = TokenKeyring(keys)
        self.accounts.keep(keyring, of: merchant.id, at: now)
        return keyring
    }

    private func processingKeys(of merchant: Merchant) async throws(GatewayRefusal) -> [PaymentProcessingKey] {
        do {
            let found = try await self.openedCredentials(of: merchant)
            guard found.hasStaleKeys else { return found.keys }
            try await self.reloadKeys()
            return try await self.openedCredentials(of: merchant).keys
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// The merchant's processing keys; one that does not open is left out, and the log says so.
    private func openedCredentials(
        of merchant: Merchant
    ) async throws -> (keys: [PaymentProcessingKey], hasStaleKeys: Bool) {
        var keys: [PaymentProcessingKey] = []
        var hasStaleKeys = false
        let credentials = try await self.store.read { try $0.appleCredentials(of: merchant.id) }
        for credential in credentials
        where credential.purpose == .paymentProcessing && credential.isInUse {
            do {
                let pem = try self.vault.openText(
                    credential.sealedPrivateKey, context: Gateway.privateKeyContext(credential))
                keys.append(
                    try PaymentProcessingKey(privateKeyPEM: pem, merchantIdentifier: credential.merchantIdentifier))
            } catch {
                if Self.isOfStaleKeys(error) { hasStaleKeys = true }
                self.logger.error(
                    "processing key cannot be opened",
                    metadata: ["merchant": "\(merchant.id)", "key": "\(credential.id)", "reason": "\(error)"])
            }
        }
        return (keys, hasStaleKeys)
    }
}
