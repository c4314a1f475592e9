//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import Server
import SimulatorAcquirer
import WalletSimulator

/// The merchants of a sandbox are paid through another sandbox, which speaks a service's API and pays them through its
/// simulated acquirer: TapPay in, PAYONE out, on one machine.
///
/// Each merchant has an account of its own there, as with a real service, so that what the service reports of one
/// merchant's payments goes to that merchant's acquirer account.
struct SandboxChain: Sendable {
    /// What commands call the acquirer account of a chained merchant, before the service's name.
    private static let accountName = "upstream"

    let service: UpstreamService
    /// Where the service listens.
    let listensAt: String
    /// Where it is reached: there, or through a proxy.
    let url: String
    let directory: DataDirectory
    let administration: Administration
    let tools: AccountTools

    /// What the other sandbox calls a merchant of this one. Its own demo merchants have the plain names.
    static func name(of merchant: String) -> String { "front-\(merchant)" }

    private func plan() throws(CommandFailure) -> AccountPlan {
        try DialectModule.required(self.service.dialect.text).plan
    }

    /// Of the other sandbox; it lies in this one's.
    static func directory(of service: UpstreamService, in front: DataDirectory) -> DataDirectory {
        DataDirectory(path: "\(front.path)/upstream-\(service.rawValue)")
    }

    /// Whether it is an account that a chain has made.
    static func isChained(_ account: AcquirerAccount) -> Bool {
        account.name == "\(self.accountName)-\(account.connector)"
    }

    /// Runs the other sandbox while a body runs. It has the same test authority, so that it opens what this one's wallet mints.
    ///
    /// - Parameters:
    ///   - directory: the front gateway's.
    ///   - url: where the front gateway reaches it, if not directly.
    static func withService(
        _ service: UpstreamService, of directory: DataDirectory, at listener: ApplicationConfiguration.Listener,
        through url: String?, surroundings: Surroundings = .system,
        _ body: @escaping @Sendable (SandboxChain) async throws -> Void
    ) async throws {
        try directory.create()
        let other = Self.directory(of: service, in: directory)
        try other.create()
        try other.save(try directory.loadOrCreateAuthority(now: surroundings.clock()))
        var configuration = ApplicationConfiguration.sandbox(other)
        configuration.listeners = [listener]
        configuration.hasShop = false
        let application = try await Application.build(configuration, surroundings: surroundings)
        try await application.withRunning { addresses in
            try await body(
                SandboxChain(
                    service: service, listensAt: addresses.first?.url ?? "",
                    url: url ?? addresses.first?.url ?? "", directory: other,
                    administration: application.gateway.administration,
                    tools: AccountTools(surroundings)))
        }
    }

    // MARK: - Before the front gateway listens

    /// Has a merchant's payments take an account with the service.
    ///
    /// - Returns: the merchant's card. Tokens are minted for the key of whoever opens them.
    func link(
        _ merchant: Merchant, _ card: MerchantCard, in folder: MerchantDirectory, _ front: Administration
    ) async throws -> MerchantCard {
        let other = try await self.otherMerchant(of: merchant)
        let account = try await self.account(of: merchant, other, card.merchantIdentifier, front)
        try await Self.setRoutes(of: merchant, to: account, front)
        let certificate = try await self.processingCertificate(other, card.merchantIdentifier)
        guard self.service.opensTokens else { return card }
        let held = card.with(keyHolder: self.service, in: folder)
        try FileSystem.write(certificate, to: held.processingCertificatePath)
        return held
    }

    /// The service before all others, and never the simulated acquirer: it would take what the service cannot be reached for.
    private static func setRoutes(
        of merchant: Merchant, to account: AcquirerAccount, _ front: Administration
    ) async throws {
        let (routes, accounts) = try await front.read { reader in
            (try reader.routes(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        let passed = Set(accounts.filter { $0.connector == SimulatorConnector.name || Self.isChained($0) }.map(\.id))
        let others = routes.filter { !passed.contains($0.account) }.enumerated().map { index, route in
            Route(number: index + 2, account: route.account, condition: route.condition)
        }
        try await front.setRoutes(of: merchant.id, to: [Route(number: 1, account: account.id)] + others)
    }

    private func otherMerchant(of merchant: Merchant) async throws -> Merchant {
        let name = Self.name(of: merchant.name)
        if let known = try await self.administration.read({ try $0.merchant(named: name) }) { return known }
        return try await self.administration.createMerchant(
            name: name, displayName: merchant.displayName, mode: .sandbox, countryCode: merchant.countryCode)
    }

    /// The acquirer account, with the credentials of an account in the other sandbox that is made for it. One that is
    /// there has them already, and learns where the service is now.
    private func account(
        of merchant: Merchant, _ other: Merchant, _ identifier: String, _ front: Administration
    ) async throws -> AcquirerAccount {
        let plan = try self.plan()
        let known = try await front.read { try $0.acquirerAccounts(of: merchant.id) }
            .first { $0.name == self.accountName }
        let isThere = try await self.administration.read { reader in
            try reader.account(dialect: plan.dialect, merchant: other.id) != nil
        }
        if let known, isThere {
            return try await front.changeAcquirerAccount(
                known.id, AcquirerAccountChange(settings: ["host": self.url]))
        }
        var order = AccountOrder(
            mode: .sandbox, settings: plan.demo.settings.merging(self.service.accountSettings) { $1 })
        for name in self.service.optionalCredentials { order.chosen[name] = self.tools.password() }
        let made = try await plan.makeCredentials(order, self.tools)
        let draft = try plan.draft(made, order, self.tools.keys)
        try await self.administration.putAccount(
            merchant: other.id, dialect: plan.dialect, key: draft.key, aliases: draft.aliases,
            settings: draft.settings, secrets: draft.secrets)
        let (settings, secrets) = self.service.draft(
            made, url: self.url, identifier: identifier, connector: try front.connector(self.service.connector))
        return try await front.putAcquirerAccount(
            AcquirerAccountDraft(
                name: self.accountName, connector: self.service.connector, settings: settings, secrets: secrets),
            of: merchant.id)
    }

    /// Whose connector the account is of. A data directory may have been chained to another service before.
    private var accountName: String { "\(Self.accountName)-\(self.service.rawValue)" }

    /// - Returns: PEM.
    private func processingCertificate(_ other: Merchant, _ identifier: String) async throws -> String {
        try await self.administration.ensureAcquirerAccount(of: other.id, connector: SimulatorConnector.name)
        let now = self.administration.now()
        let known = SandboxMerchants.current(
            .paymentProcessing, in: try await self.administration.credentials(of: other.id), at: now)
        if let certificate = known?.certificatePEM { return certificate }
        return try await self.administration.certify(
            .paymentProcessing, identifier, of: other.id,
            by: try self.directory.loadOrCreateAuthority(now: now))
    }

    // MARK: - Once it listens

    /// Has the service report to the merchants' acquirer accounts.
    func open(at front: String, _ administration: Administration, merchants: [String]) async throws {
        let plan = try self.plan()
        for name in merchants {
            let merchant = try await administration.merchant(named: name)
            let account = try await administration.acquirerAccount(named: self.accountName, of: merchant)
            let url = "\(front)/acquirers/\(account.id)/notices"
            if let setting = self.service.noticesSetting {
                _ = try await administration.changeAcquirerAccount(
                    account.id, AcquirerAccountChange(settings: [setting: url]))
            }
            if self.service.provesNotices, let setting = plan.notifySetting {
                let other = try await self.administration.merchant(named: Self.name(of: name))
                try await self.administration.changeSettings(of: other.id, dialect: plan.dialect) {
                    $0[setting] = url
                }
            }
        }
    }
}

extension MerchantCard {
    /// Of a merchant whose tokens somebody opens: a service, or this gateway.
    func with(keyHolder: UpstreamService?, in folder: MerchantDirectory) -> MerchantCard {
        var card = self
        card.keyHolder = keyHolder
        card.processingCertificatePath = folder.processingCertificatePath(of: keyHolder)
        return card
    }
}
