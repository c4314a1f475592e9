//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import Redaction
import Settings
import StrictJSON

/// The guided setup: asks for what a merchant lacks, makes each thing when it has been answered, and so can be left and
/// taken up again.
struct SetupDialogue {
    let directory: DataDirectory
    let console: Console
    let questions: Questions

    init(_ directory: DataDirectory, _ console: Console, _ questions: Questions? = nil) {
        self.directory = directory
        self.console = console
        self.questions = questions ?? Questions(console)
    }

    func run() async throws {
        self.console.line(self.console.styled("Setting up a merchant in \(self.directory.path)", .title))
        self.console.line("What is answered is made at once. Leave at any time; the next run goes on from there.")
        do {
            let draft = try await self.merchant()
            try await SetupCommand.withGateway(self.directory, mode: draft.mode) { administration in
                try await self.complete(draft, administration)
            }
        } catch is Questions.Ended {
            self.console.line()
            self.console.line(
                "Left. What was answered is there; go on with: pomona setup --data \(self.directory.path)")
        }
    }

    // MARK: - The merchant

    /// The merchant that is to be set up: one that is there, or what a new one is to be.
    private func merchant() async throws -> SetupFile {
        let known = try await self.knownMerchants()
        if !known.isEmpty {
            self.console.line("There are: " + known.map(\.name).joined(separator: ", ") + ".")
        }
        let name = try self.questions.ask(
            "What shall commands call the merchant?", standard: known.first?.name ?? "shop", rule: SettingRules.name)
        if let merchant = known.first(where: { $0.name == name }) {
            return SetupFile(
                name: name, displayName: merchant.displayName, mode: merchant.mode, countryCode: merchant.countryCode)
        }
        let displayName = try self.questions.ask(
            "What shall customers see in the payment sheet?", rule: SettingRules.text(64))
        let mode = try self.questions.choose("Is its money real?", among: ["sandbox", "live"], standard: "sandbox")
        let country = try self.questions.ask("In which country is it? Two capital letters.", rule: SettingRules.country)
        return SetupFile(
            name: name, displayName: displayName, mode: mode == "live" ? .live : .sandbox, countryCode: country)
    }

    private func knownMerchants() async throws -> [Merchant] {
        guard case .sqlite(let path) = try self.directory.storeLocation(), !FileSystem.exists(path) else {
            let store = try await StoreAccess.readOnly(self.directory)
            let merchants = try await store.read { try $0.merchants() }
            try await store.close()
            return merchants
        }
        return []
    }

    // MARK: - What it needs

    private func complete(_ draft: SetupFile, _ administration: Administration) async throws {
        let setup = Setup(administration: administration, directory: self.directory)
        let merchant = try await setup.makeMerchant(draft)
        var file = draft
        if try await self.lacks(merchant, .dialectAccount, administration) {
            let account = try await self.account(merchant, setup)
            file.accounts.append(account)
        }
        if try await self.lacks(merchant, .acquirerAccount, administration) {
            try await self.acquirer(merchant, setup)
        }
        if try await self.lacks(merchant, .route, administration) {
            let accounts = try await administration.read { try $0.acquirerAccounts(of: merchant.id) }
            let names = accounts.filter { $0.state == .active }.map(\.name)
            let name =
                names.count == 1
                ? names.first
                : try self.questions.choose("Which acquirer account shall payments take?", among: names)
            try await setup.makeRoute(SetupFile.RouteEntry(acquirer: name ?? ""), merchant)
        }
        if try await self.lacks(merchant, .processingKey, administration) {
            let identifier = try self.questions.ask(
                "What is its merchant identifier at Apple?", standard: "merchant.com.example.\(merchant.name)",
                rule: SettingRules.merchantIdentifier)
            let custody = try await self.custody(of: identifier, merchant, setup)
            file.applePay = [SetupFile.ApplePay(merchantIdentifier: identifier, custody: custody)]
            self.console.line(
                merchant.mode == .sandbox ? "Certified by the simulated Apple." : "Signing requests made.")
        }
        let report = try await setup.apply(file)
        self.console.line()
        for entry in report.applePay { self.show(entry) }
        report.report.write(to: self.console, json: false)
        if report.report.missing.isEmpty {
            self.console.line("Start the gateway: pomona serve --config FILE (docs/configuration.md)")
        }
    }

    private func lacks(_ merchant: Merchant, _ part: MissingPart, _ administration: Administration) async throws -> Bool
    {
        try await administration.missingParts(of: merchant).contains(part)
    }

    private func account(_ merchant: Merchant, _ setup: Setup) async throws -> SetupFile.Account {
        while true {
            let dialect = try self.questions.choose(
                "Which API does the shop speak?", among: DialectModule.all.map(\.name))
            var account = SetupFile.Account(dialect: dialect)
            if DialectModule.named(dialect)?.plan.notifySetting != nil {
                account.notifyURL = try self.questions.askOptional(
                    "Where shall events be reported? A URL.", rule: SettingRules.url)
            }
            do {
                let credentials = try await setup.makeAccount(account, merchant)
                self.console.line(self.console.styled("Credentials in \(dialect), shown this once", .strong))
                self.show(credentials)
                return account
            } catch let error as AccountPlanError {
                self.console.line("  \(error.message)")
            }
        }
    }

    private func acquirer(_ merchant: Merchant, _ setup: Setup) async throws {
        while true {
            let names = setup.administration.connectors.map(\.name.text)
            let connector = try setup.administration.connector(
                AcquirerName(try self.questions.choose("Which kind of acquirer takes its money?", among: names)))
            var acquirer = SetupFile.Acquirer(name: "", connector: connector.name.text)
            acquirer.name = try self.questions.ask(
                "What shall commands call that account?", standard: connector.name.text, rule: SettingRules.name)
            for setting in connector.settings where setting.isRequired {
                acquirer.settings[setting.name] = try self.questions.ask(
                    "\(setting.name): \(setting.meaning)", rule: setting.rule)
            }
            for secret in connector.secrets where secret.isRequired {
                acquirer.secrets[secret.name] = Redacted(
                    try self.questions.ask("\(secret.name): \(secret.meaning)", isSecret: true, rule: secret.rule))
            }
            do {
                try await setup.makeAcquirer(acquirer, merchant)
                return try await self.check(acquirer.name, merchant, setup)
            } catch let error as AdministrationError {
                self.console.line("  \(error.message)")
            }
        }
    }

    /// Who opens the tokens for a merchant identifier. An acquirer that does is written into its account's settings.
    private func custody(
        of identifier: String, _ merchant: Merchant, _ setup: Setup
    ) async throws -> SetupFile.ApplePay.Custody {
        let accounts = try await setup.administration.read { try $0.acquirerAccounts(of: merchant.id) }
        let openers = try accounts.filter { account in
            let settings = try setup.administration.connector(account.connector).settings
            return account.state == .active && settings.contains { $0.name == KeyCustody.identifiersName }
        }
        guard !openers.isEmpty else { return .gateway }
        let names = ["gateway"] + openers.map(\.name)
        let holder = try self.questions.choose(
            "Who holds its payment processing key, and opens its tokens: this gateway, or an acquirer?", among: names,
            standard: "gateway")
        guard let account = openers.first(where: { $0.name == holder }) else { return .gateway }
        let hash = try self.questions.askOptional(
            "What is that key's SHA-256 hash, in base64? Tokens for other keys are refused then.",
            rule: SettingRules.sha256Base64)
        let list = { (name: String, element: String?) in
            ((account.settings[name].map(SettingRules.elements) ?? []) + [element].compactMap { $0 })
                .joined(separator: ",")
        }
        var settings = [KeyCustody.identifiersName: list(KeyCustody.identifiersName, identifier)]
        if hash != nil { settings[KeyCustody.hashesName] = list(KeyCustody.hashesName, hash) }
        try await setup.administration.changeAcquirerAccount(account.id, AcquirerAccountChange(settings: settings))
        return .acquirer
    }

    private func check(_ name: String, _ merchant: Merchant, _ setup: Setup) async throws {
        let account = try await setup.administration.acquirerAccount(named: name, of: merchant)
        for finding in try await setup.administration.checkAcquirerAccount(account) {
            finding.write(to: self.console)
        }
    }

    private func show(_ object: JSON) {
        var fields = Fields()
        for member in object.object?.members ?? [] { fields.add(member.name, member.value.string) }
        for line in fields.lines() { self.console.line(line) }
    }
}
