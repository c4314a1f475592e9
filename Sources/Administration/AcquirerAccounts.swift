//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Redaction
import Settings
import StrictJSON
import Time

/// What an acquirer account is to be made of.
public struct AcquirerAccountDraft: Sendable {
    /// What commands call it.
    public var name: String
    /// The connector's name.
    public var connector: AcquirerName
    public var acceptor: CardAcceptor
    public var settings: [String: String]
    public var secrets: [String: Redacted<String>]

    public init(
        name: String, connector: AcquirerName, acceptor: CardAcceptor = CardAcceptor(),
        settings: [String: String] = [:], secrets: [String: Redacted<String>] = [:]
    ) {
        self.name = name
        self.connector = connector
        self.acceptor = acceptor
        self.settings = settings
        self.secrets = secrets
    }
}

/// What is to be different about an acquirer account.
public struct AcquirerAccountChange: Sendable {
    /// By name; `nil` takes a setting away.
    public var settings: [String: String?]
    /// By name; `nil` takes a secret away.
    public var secrets: [String: Redacted<String>?]
    public var acceptor: CardAcceptor?

    public init(
        settings: [String: String?] = [:], secrets: [String: Redacted<String>?] = [:], acceptor: CardAcceptor? = nil
    ) {
        self.settings = settings
        self.secrets = secrets
        self.acceptor = acceptor
    }
}

extension Administration {
    /// The kinds of acquirers that this gateway has, by name.
    public var connectors: [any Connector] {
        self.gateway.connectors.values.sorted { $0.name.text < $1.name.text }
    }

    /// - Throws: ``AdministrationError`` `connector_unknown`, which names those that there are.
    public func connector(_ name: AcquirerName) throws(AdministrationError) -> any Connector {
        if let connector = self.gateway.connectors[name] { return connector }
        let names = self.connectors.map(\.name.text).joined(separator: ", ")
        throw AdministrationError(.connectorUnknown, "There is no connector named \(name); there are \(names).")
    }

    /// The merchant's acquirer account of that name.
    ///
    /// - Throws: ``AdministrationError`` `acquirer_unknown`.
    public func acquirerAccount(named name: String, of merchant: Merchant) async throws -> AcquirerAccount {
        let accounts = try await self.read { try $0.acquirerAccounts(of: merchant.id) }
        if let account = accounts.first(where: { $0.name == name }) { return account }
        let known = accounts.isEmpty ? "it has none yet" : "it has " + accounts.map(\.name).joined(separator: ", ")
        throw AdministrationError(
            .acquirerUnknown, "The merchant \(merchant.name) has no acquirer account named \(name); \(known).")
    }

    /// Makes an account with an acquirer. No payment takes it until a route leads to it.
    ///
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func addAcquirerAccount(
        _ draft: AcquirerAccountDraft, to merchant: MerchantID
    ) async throws -> AcquirerAccount {
        if let problem = SettingRules.name(draft.name) {
            throw AdministrationError(.acquirerNameMalformed, "An acquirer account's name \(problem).")
        }
        let connector = try self.connector(draft.connector)
        let (id, now): (AcquirerAccountID, _) = (self.gateway.makeID(), self.gateway.now())
        let details = ["connector": draft.connector.text, "id": id.text]
        return try await self.gateway.administer(AuditDraft(.acquirerAdd, "", details)) { transaction, entry in
            let owner = try Self.openMerchant(merchant, in: transaction)
            guard try !transaction.acquirerAccounts(of: merchant).contains(where: { $0.name == draft.name }) else {
                throw AdministrationError(
                    .acquirerNameTaken,
                    "The merchant \(owner.name) has an acquirer account named \(draft.name) already.")
            }
            let account = AcquirerAccount(
                id: id, merchantID: merchant, name: draft.name, connector: draft.connector, mode: owner.mode,
                acceptor: draft.acceptor, settings: draft.settings, createdAt: now)
            // First: what waits for a second person names settings with their values, and a secret is none.
            try account.check(draft.secrets, connector)
            try self.checkPlaces(of: account, instead: [:], connector)
            try self.permit(.liveCredentials, of: owner, in: transaction, &entry)
            let sealed = try self.gateway.sealed(account, with: draft.secrets, in: transaction)
            try transaction.insert(sealed)
            entry.setSubject(owner, nil)
            entry.details["account"] = draft.name
            entry.details["settings"] = draft.settings.keys.sorted().joined(separator: " ")
            entry.details["secrets"] = draft.secrets.keys.sorted().joined(separator: " ")
            return sealed
        }
    }

    /// Makes the account, or has the one of that name be as the draft says; what the draft says nothing of stays.
    ///
    /// - Throws: ``AdministrationError``, `acquirer_name_taken` where the one of that name is with another connector;
    ///   ``VaultError``, `StoreError`.
    public func putAcquirerAccount(
        _ draft: AcquirerAccountDraft, of merchant: MerchantID
    ) async throws -> AcquirerAccount {
        let accounts = try await self.read { try $0.acquirerAccounts(of: merchant) }
        guard let existing = accounts.first(where: { $0.name == draft.name }) else {
            return try await self.addAcquirerAccount(draft, to: merchant)
        }
        guard existing.connector == draft.connector else {
            throw AdministrationError(
                .acquirerNameTaken,
                "The acquirer account \(draft.name) is there, with the connector \(existing.connector). Choose another name."
            )
        }
        let acceptor = try CardAcceptor(existing.acceptor.values.merging(draft.acceptor.values) { $1 })
        return try await self.changeAcquirerAccount(
            existing.id,
            AcquirerAccountChange(
                settings: draft.settings.mapValues { $0 }, secrets: draft.secrets.mapValues { $0 },
                acceptor: acceptor == existing.acceptor ? nil : acceptor))
    }

    /// Changes the settings, the secrets and the acceptor of an account, all or none.
    ///
    /// - Throws: ``AdministrationError``, ``VaultError`` for an account that somebody has changed in the database,
    ///   `StoreError`.
    @discardableResult
    public func changeAcquirerAccount(
        _ id: AcquirerAccountID, _ change: AcquirerAccountChange
    ) async throws -> AcquirerAccount {
        try await self.checkIdentity(of: id, change)
        return try await self.gateway.administer(AuditDraft(.acquirerChange, "")) { transaction, entry in
            let account = try Self.acquirerAccount(id, in: transaction)
            let connector = try self.connector(account.connector)
            // Else a change of something harmless would seal what somebody has put beside it.
            let known = try self.gateway.opened(account).secrets
            var secrets = known
            var changed = account
            for (name, value) in change.settings { changed.settings[name] = value }
            for (name, value) in change.secrets {
                secrets[name] = value
                if value == nil { changed.secrets[name] = nil }
            }
            changed.acceptor = change.acceptor ?? account.acceptor
            try changed.check(secrets, connector)
            try self.checkPlaces(of: changed, instead: account.settings, connector)
            let made = change.secrets.compactMapValues { $0 }.filter { name, secret in
                !(known[name]?.reveal()).isExactly(secret.reveal())
            }
            entry.setSubject(try transaction.merchant(account.merchantID), nil)
            entry.details["account"] = account.name
            let names = change.settings.keys.filter { !changed.settings[$0].isExactly(account.settings[$0]) }
            entry.details["settings"] = names.sorted().joined(separator: " ")
            entry.details["secrets"] = change.secrets.keys.sorted().joined(separator: " ")
            // Swift holds settings to be equal that differ in Unicode normalization.
            entry.isNothing = changed == account && names.isEmpty && made.isEmpty
            try self.permit(
                .liveCredentials, of: try transaction.merchant(account.merchantID), isChange: !entry.isNothing,
                in: transaction, &entry)
            guard !entry.isNothing else { return account }
            let sealed = try self.gateway.sealed(changed, with: made, in: transaction)
            try transaction.update(sealed)
            return sealed
        }
    }

    /// Under another name the acquirer knows none of an account's payments: he would say of one whose answer was lost that it
    /// never arrived, and none could be captured or refunded any more. At another place it may be so: those whose end is not
    /// known wait for the one that they were sent to.
    ///
    /// Looked at by itself, since an account's payments may have to be looked for among all of its merchant's.
    private func checkIdentity(of id: AcquirerAccountID, _ change: AcquirerAccountChange) async throws {
        let found = try await self.search { reader -> (account: AcquirerAccount, hasPayments: Bool)? in
            let account = try Self.acquirerAccount(id, in: reader)
            let settings = try self.connector(account.connector).settings.filter { setting in
                guard let value = change.settings[setting.name] else { return false }
                return account.settings[setting.name].map { !value.isExactly($0) } ?? false
            }
            guard settings.contains(where: { $0.isIdentity || $0.isPlace }) else { return nil }
            var query = PaymentQuery(
                merchantID: account.merchantID, from: account.createdAt.adding(seconds: -86_400), limit: 1)
            query.accountID = id
            if settings.contains(where: \.isIdentity) {
                query.states = Set(PaymentState.allCases).subtracting([.declined, .notProcessed])
            } else {
                query.hasUnknownOutcome = true
            }
            return (account, try reader.hasPayments(query))
        }
        guard let found, found.hasPayments else { return }
        throw AdministrationError(
            .acquirerHasPayments,
            "The acquirer account \(found.account.name) has payments, which the acquirer knows under its present identity and "
                + "where it is now alone. Add another account, lead the routes to it, and suspend this one; or change the host "
                + "when no outcome is unknown.")
    }

    /// Lets no new payment take an account, or lets them again. What has begun goes on.
    ///
    /// One person is enough to suspend an account: in an emergency that cannot wait. Payments then take the next route, so
    /// whatever has them take the account again is held to the policy of routes.
    /// - Throws: ``AdministrationError`` `acquirer_unknown`, `approval_required`; `StoreError`.
    @discardableResult
    public func setAcquirerAccount(
        _ id: AcquirerAccountID, to state: AcquirerAccount.State
    ) async throws -> AcquirerAccount {
        let details = ["state": state.rawValue]
        return try await self.gateway.administer(AuditDraft(.acquirerState, "", details)) { transaction, entry in
            var account = try Self.acquirerAccount(id, in: transaction)
            let owner = try transaction.merchant(account.merchantID)
            entry.setSubject(owner, nil)
            entry.details["account"] = account.name
            entry.isNothing = account.state == state
            if state == .active {
                try self.permit(.route, of: owner, isChange: !entry.isNothing, in: transaction, &entry)
            }
            account.state = state
            try transaction.update(account)
            return account
        }
    }

    /// Whether the acquirer can be reached and takes the account's credentials. Moves no money.
    ///
    /// - Throws: ``AdministrationError`` `connector_unknown`, ``VaultError``, `StoreError`.
    public func checkAcquirerAccount(_ account: AcquirerAccount) async throws -> [ConnectorFinding] {
        let connector = try self.connector(account.connector)
        let opened = try await self.gateway.withFreshKeys { try self.gateway.opened(account) }
        return await connector.check(opened)
    }

    /// Whether the account's acquirer takes Apple Pay tokens as they come, so that it can be the one who holds their key. One
    /// that can't be opened takes none.
    ///
    /// - Throws: `GatewayRefusal` `storeUnavailable`.
    public func takesSealedTokens(_ account: AcquirerAccount) async throws -> Bool {
        try await self.gateway.capabilities(of: account.id)?.forms.contains(.sealedApplePayToken) == true
    }

    /// Whether it takes nothing else: then what this gateway opens goes there sealed all the same.
    ///
    /// - Throws: `GatewayRefusal` `storeUnavailable`.
    public func takesSealedTokensAlone(_ account: AcquirerAccount) async throws -> Bool {
        try await self.gateway.capabilities(of: account.id)?.forms == [.sealedApplePayToken]
    }

    /// - Throws: ``AdministrationError`` `connector_unknown`.
    public func commands(of account: AcquirerAccount) throws -> [ConnectorCommand] {
        try self.connector(account.connector).commands
    }

    /// Has the connector of an account do what an operator asks for. The log knows of it before it is done.
    ///
    /// - Parameter name: of one of its ``Connector/commands``.
    /// - Returns: what came of it; `nil` where it takes no such command.
    /// - Throws: ``AdministrationError`` `connector_unknown`, ``VaultError``, `StoreError`.
    public func perform(
        _ name: String, for account: AcquirerAccount
    ) async throws -> ConnectorFinding? {
        let connector = try self.connector(account.connector)
        guard let command = connector.commands.first(where: { $0.name == name }) else { return nil }
        let opened = try await self.gateway.withFreshKeys { try self.gateway.opened(account) }
        let details = ["account": account.name, "command": command.name]
        try await self.gateway.administer(AuditDraft(.acquirerCommand, "", details)) { transaction, entry in
            entry.setSubject(try transaction.merchant(account.merchantID), nil)
        }
        return await connector.perform(command, for: opened)
    }

    /// Gives a merchant an account with an acquirer that needs no settings, and a route to it, if it has neither: what
    /// the sandbox's merchants have.
    ///
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func ensureAcquirerAccount(of merchant: MerchantID, connector name: AcquirerName) async throws {
        let known = try await self.read { reader in
            (try reader.acquirerAccounts(of: merchant), try reader.routes(of: merchant))
        }
        var account = known.0.first { $0.connector == name }
        if account == nil {
            account = try await self.addAcquirerAccount(
                AcquirerAccountDraft(name: name.text, connector: name), to: merchant)
        }
        guard let account, known.1.isEmpty else { return }
        try await self.setRoutes(of: merchant, to: [Route(number: 1, account: account.id)])
    }

    static func acquirerAccount(_ id: AcquirerAccountID, in reader: any StoreReader) throws -> AcquirerAccount {
        guard let account = try reader.acquirerAccount(id) else {
            throw AdministrationError(.acquirerUnknown, "The store has no acquirer account with the id \(id).")
        }
        return account
    }
}
