//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import Redaction
import StrictJSON

/// Makes what a setup names and is not there yet, and changes what is there otherwise; the same setup twice changes nothing
/// the second time. What a file names has been looked through before (``SetupExamination``).
struct Setup {
    let administration: Administration
    let directory: DataDirectory

    /// Makes all of a file. Where that fails in the middle, what was made before stays and is in the outcome, credentials too,
    /// and the same setup goes on from there.
    func run(_ file: SetupFile) async -> SetupOutcome {
        var outcome = SetupOutcome()
        do {
            try await self.make(file, &outcome)
        } catch {
            outcome.failure = CommandFailure(error)
        }
        return outcome
    }

    private func make(_ file: SetupFile, _ outcome: inout SetupOutcome) async throws {
        // Keys are written here: what cannot be written to is found out before there are any.
        try self.directory.merchant(file.name).create()
        let merchant = try await self.makeMerchant(file)
        outcome.merchant = merchant
        let identifier = try await self.merchantIdentifier(file, merchant)
        for entry in file.accounts {
            let account = try await self.makeAccount(entry, merchant, merchantIdentifier: identifier)
            outcome.accounts.append(account)
            if let failure = account.failure { throw failure }
        }
        for acquirer in file.acquirersWithKeys { try await self.makeAcquirer(acquirer, merchant) }
        for route in file.routes { try await self.makeRoute(route, merchant) }
        for entry in file.applePay { outcome.applePay.append(try await self.makeCredentials(entry, merchant)) }
        for domain in file.domains { try await self.makeDomain(domain, merchant) }
        try await self.saveCard(of: merchant)
        outcome.report = try await MerchantReport(of: merchant, self.administration, self.directory)
    }

    func makeMerchant(_ file: SetupFile) async throws -> Merchant {
        let existing = try await self.administration.read { try $0.merchant(named: file.name) }
        guard let existing else {
            return try await self.administration.createMerchant(
                name: file.name, displayName: file.displayName ?? file.name, mode: file.mode,
                countryCode: file.countryCode, timeZone: file.timeZone ?? Merchant.defaultTimeZone)
        }
        return try await self.administration.changeMerchant(
            existing.id, displayName: file.displayName, countryCode: file.countryCode, timeZone: file.timeZone)
    }

    /// What the merchant calls itself at Apple: by the file, else as it is.
    private func merchantIdentifier(_ file: SetupFile, _ merchant: Merchant) async throws -> String? {
        if let entry = file.applePay.first { return entry.merchantIdentifier }
        return try await self.administration.read { try $0.appleCredentials(of: merchant.id) }
            .last { $0.state != .retired }?.merchantIdentifier
    }

    // MARK: - Accounts

    /// Makes an account, or has the one that is there be as the entry says. Only credentials that are made here and now are
    /// in the answer; of an account that was there, the ids.
    func makeAccount(
        _ entry: SetupFile.Account, _ merchant: Merchant, merchantIdentifier: String? = nil
    ) async throws -> SetupAccount {
        let plan = try DialectModule.required(entry.dialect).plan
        let existing = try await self.administration.read { reader in
            try reader.account(dialect: plan.dialect, merchant: merchant.id)
        }
        var account = SetupAccount(dialect: entry.dialect, isNew: existing == nil)
        if let existing {
            try await SetupStep.account(entry, of: merchant, plan, instead: existing).run(in: self.directory) {
                try await self.change(existing, entry, plan)
            }
            for identifier in plan.identifiers(of: existing) { account.add(identifier) }
            account.rotation = plan.credentials.first(where: \.isReplaceable).map { credential in
                self.directory.command(
                    "account", "rotate", "--merchant", merchant.name, "--dialect", entry.dialect, "--credential",
                    credential.name)
            }
        } else {
            let made = try await SetupStep.account(entry, of: merchant, plan, instead: nil).run(in: self.directory) {
                try await self.administration.createAccount(
                    of: merchant, plan, entry.order(merchant.mode), AccountTools(.system))
            }
            // From here on they are nowhere else: whatever fails, they are shown.
            do {
                let folder = self.directory.merchant(merchant.name).path
                for value in try CredentialsReport(made, plan: plan, merchant: merchant.name, folder: folder).entries {
                    account.add(value)
                }
                let secrets = try await self.administration.webhookSecrets(of: merchant.id, dialect: plan.dialect)
                account.credentials[MerchantCard.webhookSecretName] = .string(secrets.current.reveal())
            } catch {
                for value in made.values { account.add(value) }
                for file in made.files where account.credentials[file.name] == nil {
                    account.credentials[file.name] = .string(file.text)
                }
                account.failure = error
            }
        }
        if let merchantIdentifier { account.credentials["merchantIdentifier"] = .string(merchantIdentifier) }
        return account
    }

    /// Writes what the entry says otherwise than the account.
    private func change(_ account: MerchantAccount, _ entry: SetupFile.Account, _ plan: AccountPlan) async throws {
        let settings = entry.changes(of: account, plan)
        guard !settings.isEmpty else { return }
        try await self.administration.changeSettings(
            of: account.merchantID, dialect: account.dialect, guarded: plan.guardedSettings
        ) { $0.merge(settings) { $1 } }
    }

    // MARK: - Where the money goes

    func makeAcquirer(_ acquirer: SetupFile.Acquirer, _ merchant: Merchant) async throws {
        let draft = try acquirer.draft
        let existing = try await self.administration.read { try $0.acquirerAccounts(of: merchant.id) }
            .first { $0.name == acquirer.name }
        let connector = self.administration.connectors.first { $0.name == draft.connector }
        let step = SetupStep.acquirer(acquirer, of: merchant, connector, instead: existing)
        try await step.run(in: self.directory) {
            _ = try await self.administration.putAcquirerAccount(draft, of: merchant.id)
        }
    }

    func makeRoute(_ route: SetupFile.RouteEntry, _ merchant: Merchant) async throws {
        let account = try await self.administration.acquirerAccount(named: route.acquirer, of: merchant)
        try await SetupStep.route(route, of: merchant).run(in: self.directory) {
            _ = try await self.administration.setRoute(
                of: merchant.id, to: account.id, condition: route.condition, number: route.number)
        }
    }
}

/// An account in a dialect, as a setup has left it.
struct SetupAccount: Sendable {
    let dialect: String
    /// Whether it was made here and now, and its credentials are shown this once.
    let isNew: Bool
    /// By the names of the sandbox's line.
    var credentials = JSONObject()
    /// What makes a new credential for an account that was there: whoever made it may have been cut off before any was shown.
    var rotation: String?
    /// What went wrong after the account had been made.
    var failure: (any Error)?

    mutating func add(_ entry: AccountCredentials.Entry) { self.credentials[entry.name] = .string(entry.value) }

    func write(to console: Console) {
        guard self.isNew else {
            if let rotation {
                console.line("Credentials in \(self.dialect) were shown when it was made. Who has none makes one:")
                console.line("  \(rotation)")
            }
            return
        }
        console.line(console.styled("Credentials in \(self.dialect), shown this once", .strong))
        var fields = Fields()
        for member in self.credentials.members { fields.add(member.name, member.value.string) }
        for line in fields.lines() { console.line(line) }
    }
}

/// What a setup has made, and how it ended.
struct SetupOutcome: Sendable {
    var merchant: Merchant?
    var accounts: [SetupAccount] = []
    var applePay: [JSON] = []
    /// What the merchant has and lacks; `nil` where the setup did not come so far.
    var report: MerchantReport?
    var failure: CommandFailure?

    /// One line. Of a setup that failed it says why, and beside that what was made all the same.
    var json: JSON {
        var accounts = JSONObject()
        var rotations = JSONObject()
        for account in self.accounts {
            accounts[account.dialect] = .object(account.credentials)
            if let rotation = account.rotation { rotations[account.dialect] = .string(rotation) }
        }
        var object = self.failure?.json.object ?? JSONObject()
        object["merchant"] = self.merchant.map { .object((self.report?.merchant ?? $0).view) }
        object["accounts"] = .object(accounts)
        // Of accounts that were there: whoever made them may have been cut off before any credential was shown.
        object["rotate"] = .object(rotations)
        if let report = self.report {
            var acquirers = JSONObject()
            for acquirer in report.acquirers { acquirers[acquirer.account.name] = acquirer.json }
            object["acquirers"] = .object(acquirers)
            object["routes"] = report.routes.list
        }
        object["applePay"] = .array(self.applePay)
        if let report = self.report {
            object["domains"] = .array(report.domains.map { .string($0) })
            object["missing"] = .array(report.missing.map(\.json))
            object["missingForWeb"] = .array(report.missingForWeb.map(\.json))
        }
        return .object(object)
    }

    /// For people. Credentials come last, where they are seen.
    func write(to console: Console) {
        self.report?.write(to: console, json: false)
        for account in self.accounts { account.write(to: console) }
    }
}
