//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import SimulatorAcquirer
import SwiftASN1
import Time
import WalletSimulator
import X509

/// What the person who starts the sandbox says about its accounts.
struct DemoSettings: Hashable, Sendable {
    /// Where accounts of dialects whose requests name no address are notified of events.
    var notifyURL: String?
}

/// Sets up the demo merchants of a sandbox, each with an account in its dialect, a route to the simulator, and a Payment
/// Processing Certificate and a Merchant Identity Certificate by the test authority. What is there already stays, so that
/// tokens, payments and keys survive a restart.
struct SandboxMerchants: Sendable {
    let directory: DataDirectory
    let administration: Administration
    let tools: AccountTools
    let settings: DemoSettings
    /// What was chosen of the credentials, by the dialect's name.
    var chosen: [String: [String: String]] = [:]
    /// Who pays the merchants; `nil` for the simulated acquirer.
    var chain: SandboxChain?

    func prepare(_ modules: [DialectModule]) async throws -> [MerchantCard] {
        var cards: [MerchantCard] = []
        for module in modules { cards.append(try await self.prepare(module)) }
        return cards
    }

    private func prepare(_ module: DialectModule) async throws -> MerchantCard {
        let (merchant, card) = try await self.prepareAccount(module)
        try await self.administration.ensureAcquirerAccount(of: merchant, connector: SimulatorConnector.name)
        let secrets = try await self.administration.webhookSecrets(of: merchant, dialect: module.plan.dialect)
        let folder = self.directory.merchant(module.name)
        let paid = try await self.prepareAcquirer(of: module.name, card, in: folder)
        if paid != card { try folder.save(paid) }
        return try folder.write(secrets, on: paid)
    }

    /// Leads the merchant's payments to whoever pays them in this run.
    private func prepareAcquirer(
        of name: String, _ card: MerchantCard, in folder: MerchantDirectory
    ) async throws -> MerchantCard {
        let merchant = try await self.administration.merchant(named: name)
        let own = card.with(keyHolder: nil, in: folder)
        if let chain = self.chain { return try await chain.link(merchant, own, in: folder, self.administration) }
        // Of a run with a chain. Other routes are the operator's.
        let (routes, accounts) = try await self.administration.read { reader in
            (try reader.routes(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        let chained = Set(accounts.filter { SandboxChain.isChained($0) }.map(\.id))
        guard routes.contains(where: { chained.contains($0.account) }) else { return own }
        let others = routes.filter { !chained.contains($0.account) }
        try await self.administration.setRoutes(of: merchant.id, to: others)
        try await self.administration.ensureAcquirerAccount(of: merchant.id, connector: SimulatorConnector.name)
        return own
    }

    private func prepareAccount(_ module: DialectModule) async throws -> (MerchantID, MerchantCard) {
        let folder = self.directory.merchant(module.name)
        let name = module.name
        let (merchant, account, credentials) = try await self.administration.read { reader in
            let merchant = try reader.merchant(named: name)
            let account = try merchant.flatMap { try reader.account(dialect: DialectName(name), merchant: $0.id) }
            return (merchant, account, try merchant.map { try reader.appleCredentials(of: $0.id) } ?? [])
        }
        let credential = self.current(.paymentProcessing, in: credentials)
        let merchantIdentifier = "merchant.dev.pomona.\(module.name)"
        // The card is the last thing that is written.
        if let merchant, let account, credential != nil, let card = try? folder.loadCard(),
            let held = try? self.credentials(on: card), self.isAsChosen(held, module)
        {
            try await self.refresh(account, of: merchant, module, held)
            try await self.certifyIdentity(of: merchant, merchantIdentifier: merchantIdentifier, credentials)
            return (merchant.id, card)
        }
        try folder.create()
        let owner: Merchant =
            if let merchant { merchant } else {
                try await self.administration.createMerchant(
                    name: name, displayName: module.plan.demo.displayName, mode: .sandbox,
                    countryCode: module.plan.demo.countryCode)
            }
        let certificate: String =
            if let existing = credential?.certificatePEM { existing } else {
                try await self.certify(.paymentProcessing, owner, merchantIdentifier: merchantIdentifier)
            }
        try await self.certifyIdentity(of: owner, merchantIdentifier: merchantIdentifier, credentials)
        try FileSystem.write(certificate, to: folder.processingCertificatePath)
        let made = try await self.openAccount(of: owner, account, module, in: folder)
        let card = MerchantCard(
            name: module.name, merchantIdentifier: merchantIdentifier, mode: Mode.sandbox.rawValue,
            currency: module.plan.demo.currency, countryCode: module.plan.demo.countryCode,
            processingCertificatePath: folder.processingCertificatePath,
            values: made.values.map { .init(name: $0.name, value: $0.value) },
            files: made.files.map { .init(name: $0.name, value: folder.file($0.fileName)) })
        try folder.save(card)
        return (owner.id, card)
    }

    /// The newest certificate for a purpose that has not expired; of those for tokens the newest for EC_v1.
    static func current(
        _ purpose: AppleCredential.Purpose, in credentials: [AppleCredential], at now: Timestamp
    ) -> AppleCredential? {
        credentials.last { credential in
            credential.purpose == purpose && credential.isInUse && credential.notAfter.map { $0 > now } ?? false
                && (purpose != .paymentProcessing || credential.isForECTokens)
        }
    }

    private func current(
        _ purpose: AppleCredential.Purpose, in credentials: [AppleCredential]
    ) -> AppleCredential? {
        Self.current(purpose, in: credentials, at: self.administration.now())
    }

    private func certifyIdentity(
        of merchant: Merchant, merchantIdentifier: String, _ credentials: [AppleCredential]
    ) async throws {
        guard self.current(.merchantIdentity, in: credentials) == nil else { return }
        _ = try await self.certify(.merchantIdentity, merchant, merchantIdentifier: merchantIdentifier)
    }

    /// - Returns: the certificate, PEM.
    private func certify(
        _ purpose: AppleCredential.Purpose, _ merchant: Merchant, merchantIdentifier: String
    ) async throws -> String {
        try await self.administration.certify(
            purpose, merchantIdentifier, of: merchant.id,
            by: try self.directory.loadOrCreateAuthority(now: self.administration.now()))
    }

    private func openAccount(
        of merchant: Merchant, _ earlier: MerchantAccount?, _ module: DialectModule, in folder: MerchantDirectory
    ) async throws -> AccountCredentials {
        // What is not chosen and stands on the card stays: only a part of an account may have been chosen.
        let onCard = ((try? folder.loadCard())?.values ?? []).map { ($0.name, $0.value) }
        let chosen = Dictionary(onCard) { first, _ in first }.merging(self.chosen[module.name] ?? [:]) { $1 }
        let order = AccountOrder.demo(chosen: chosen, notifyURL: self.settings.notifyURL)
        let made = try await module.plan.makeCredentials(order, self.tools)
        let draft = try module.plan.draft(made, order, self.tools.keys)
        var settings = earlier?.settings ?? [:]
        Self.update(&settings, from: try folder.loadWrittenSettings() ?? settings, to: draft.settings)
        try await self.administration.putAccount(
            merchant: merchant.id, dialect: module.plan.dialect, key: draft.key, aliases: draft.aliases,
            settings: settings, secrets: draft.secrets)
        try folder.save(writtenSettings: draft.settings)
        for file in made.files {
            try FileSystem.write(
                file.text, to: folder.file(file.fileName), mode: file.isPrivate ? FileSystem.privateFileMode : 0o644)
        }
        return made
    }

    /// The credentials that a card names, from its files.
    private func credentials(on card: MerchantCard) throws(CommandFailure) -> AccountCredentials {
        var credentials = AccountCredentials(values: card.values.map { .init(name: $0.name, value: $0.value) })
        for entry in card.files {
            credentials.files.append(
                AccountCredentials.File(
                    name: entry.name, fileName: entry.value, text: try FileSystem.readText(entry.value),
                    isPrivate: false))
        }
        return credentials
    }

    private func isAsChosen(_ held: AccountCredentials, _ module: DialectModule) -> Bool {
        (self.chosen[module.name] ?? [:]).allSatisfy { name, value in
            held.value(name) == value || held.file(name).split(separator: "\n") == value.split(separator: "\n")
        }
    }

    /// Writes what differs from the last start. Secrets stay, and so does what a command has changed since.
    private func refresh(
        _ account: MerchantAccount, of merchant: Merchant, _ module: DialectModule, _ credentials: AccountCredentials
    ) async throws {
        let folder = self.directory.merchant(module.name)
        let order = AccountOrder.demo(notifyURL: self.settings.notifyURL)
        let draft = try module.plan.draft(credentials, order, self.tools.keys).settings
        let written = try folder.loadWrittenSettings() ?? account.settings
        var settings = account.settings
        Self.update(&settings, from: written, to: draft)
        if settings != account.settings {
            try await self.administration.changeSettings(of: merchant.id, dialect: module.plan.dialect) {
                Self.update(&$0, from: written, to: draft)
            }
        }
        // What somebody has changed stays known as changed: a second draft of the same start must not take it for its own.
        var baseline = written
        for name in Set(written.keys).union(draft.keys) where account.settings[name] == written[name] {
            baseline[name] = draft[name]
        }
        if baseline != written || !folder.hasWrittenSettings { try folder.save(writtenSettings: baseline) }
    }

    /// Changes what stands as the sandbox wrote it; what stands otherwise somebody has changed by command.
    private static func update(
        _ settings: inout [String: String], from written: [String: String], to draft: [String: String]
    ) {
        for name in Set(written.keys).union(draft.keys) where settings[name] == written[name] {
            settings[name] = draft[name]
        }
    }

    /// Has merchants notified at an address of their own, by name, where the person who started the sandbox named none.
    func notify(at url: (_ name: String) -> String) async throws {
        guard self.settings.notifyURL == nil else { return }
        for module in DialectModule.all {
            let folder = self.directory.merchant(module.name)
            let name = module.name
            let (merchant, account) = try await self.administration.read { reader in
                let merchant = try reader.merchant(named: name)
                return (
                    merchant,
                    try merchant.flatMap { try reader.account(dialect: DialectName(name), merchant: $0.id) }
                )
            }
            guard let merchant, let account, let card = try? folder.loadCard() else { continue }
            let copy = SandboxMerchants(
                directory: self.directory, administration: self.administration, tools: self.tools,
                settings: DemoSettings(notifyURL: url(name)), chosen: self.chosen)
            try await copy.refresh(account, of: merchant, module, try self.credentials(on: card))
        }
    }
}

extension AppleCredential {
    /// RSA_v1's tokens have a key of their own (``RSAProcessingKey``).
    fileprivate var isForECTokens: Bool {
        guard let certificate = self.certificatePEM.flatMap({ try? Certificate(pemEncoded: $0) }) else { return false }
        return (try? ProcessingPublicKey(certificate: certificate))?.version == .ecV1
    }
}
