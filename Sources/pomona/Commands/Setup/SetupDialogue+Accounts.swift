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

// How the shop calls the gateway, and where the money goes.

extension SetupDialogue {
    // MARK: - The account in a dialect

    func addAccount(_ merchant: Merchant, _ setup: Setup) async throws {
        while true {
            let dialect = try self.questions.choose(
                "Which API does the shop speak?", among: DialectModule.all.map(\.name))
            var entry = SetupFile.Account(dialect: dialect)
            if DialectModule.named(dialect)?.plan.notifySetting != nil {
                entry.notifyURL = try self.questions.askOptional(
                    "Where shall events be reported? A URL.", rule: SettingRules.url)
            }
            let account: SetupAccount
            do {
                account = try await setup.makeAccount(entry, merchant)
            } catch let error as AccountPlanError {
                self.complain(error)
                continue
            }
            account.write(to: self.console)
            if let failure = account.failure { throw failure }
            return
        }
    }

    // MARK: - The account with an acquirer

    /// Asks until an account is made, by what the connector says of its accounts alone.
    func addAcquirer(_ merchant: Merchant, _ setup: Setup) async throws {
        let connectors = setup.administration.connectors.filter { $0.takes(merchant.mode) }
        while true {
            let name = try self.questions.choose(
                "Which kind of acquirer takes its money?", among: connectors.map(\.name.text))
            let connector = try setup.administration.connector(AcquirerName(name))
            let accountName = try self.questions.ask(
                "What shall commands call that account?", standard: name, rule: SettingRules.name)
            let draft = try self.draft(accountName, connector, merchant.mode)
            do {
                try await setup.makeAcquirer(draft, merchant)
            } catch let error as AdministrationError {
                self.complain(error)
                continue
            }
            let account = try await setup.administration.acquirerAccount(named: accountName, of: merchant)
            for finding in try await setup.administration.checkAcquirerAccount(account) {
                finding.write(to: self.console)
            }
            return
        }
    }

    /// Asks for what an account of the connector is made of until the connector takes it. What has been answered is what an
    /// empty line stands for then.
    private func draft(
        _ name: String, _ connector: any Connector, _ mode: Mode
    ) throws -> SetupFile.Acquirer {
        var acquirer = SetupFile.Acquirer(name: name, connector: connector.name.text)
        var way: SecretAlternative?
        while true {
            for setting in connector.settings where setting.isRequired { try self.ask(setting, &acquirer) }
            for secret in connector.secrets where secret.isRequired && acquirer.secrets[secret.name] == nil {
                try self.ask(secret, &acquirer)
            }
            let ways = connector.secrets.alternatives
            if way == nil, !ways.isEmpty {
                let chosen = try self.questions.choose(
                    "How does the gateway prove who it is?", among: ways.map(\.name), standard: ways.first?.name)
                way = ways.first { $0.name == chosen }
            }
            for secret in connector.secrets
            where way?.secrets.contains(secret.name) == true && acquirer.secrets[secret.name] == nil {
                try self.ask(secret, &acquirer)
            }
            if connector.asksForSomething { try self.askForMore(connector, &acquirer) }
            let problems = try acquirer.draft.problems(mode: mode, connector)
            guard !problems.isEmpty else { return acquirer }
            for problem in problems {
                self.complain(problem.error)
                // Nobody can look at it and see what is wrong: it is typed again.
                if problem.place.first == "secrets", let secret = problem.place.last { acquirer.secrets[secret] = nil }
            }
        }
    }

    /// Settings and secrets that an account need not have, by their names.
    private func askForMore(_ connector: any Connector, _ acquirer: inout SetupFile.Acquirer) throws {
        let settings = connector.settings.filter { !$0.isRequired }
        let secrets = connector.secrets.filter { !$0.isRequired && $0.alternative == nil }
        let names = settings.map(\.name) + secrets.map(\.name)
        guard !names.isEmpty else { return }
        while true {
            let answer = try self.questions.askOptional("Anything else to set? A name; ? shows what there is.") {
                name in
                name == "?" ? nil : SettingRules.choice(names)(name)
            }
            guard let answer else { return }
            if let setting = settings.first(where: { $0.name == answer }) {
                try self.ask(setting, &acquirer)
            } else if let secret = secrets.first(where: { $0.name == answer }) {
                try self.ask(secret, &acquirer)
            } else {
                var fields = Fields()
                for setting in settings { fields.add(setting.name, setting.meaning) }
                for secret in secrets { fields.add(secret.name, "a secret: \(secret.meaning)") }
                for line in fields.lines() { self.console.line(line) }
            }
        }
    }

    private func ask(_ setting: SettingDescription, _ acquirer: inout SetupFile.Acquirer) throws {
        let question = "\(setting.name): \(setting.meaning)"
        let earlier = acquirer.settings[setting.name]
        guard setting.isDocument else {
            acquirer.settings[setting.name] = try self.questions.ask(question, standard: earlier, rule: setting.rule)
            return
        }
        guard earlier == nil else { return }
        acquirer.settings[setting.name] = try self.questions.askDocument(question, rule: setting.rule)
    }

    private func ask(_ secret: SecretDescription, _ acquirer: inout SetupFile.Acquirer) throws {
        let question = "\(secret.name): \(secret.meaning)"
        acquirer.secrets[secret.name] = Redacted(
            secret.isDocument
                ? try self.questions.askDocument(question, rule: secret.rule)
                : try self.questions.ask(question, isSecret: true, rule: secret.rule))
    }

    /// Offers to resume the account that payments would take.
    func resumeAcquirer(_ merchant: Merchant, _ setup: Setup) async throws {
        for part in try await setup.administration.missingParts(of: merchant) {
            guard case .acquirerResumption(let name) = part,
                try self.questions.confirm("The acquirer account \(name) is suspended. Resume it?")
            else { continue }
            let account = try await setup.administration.acquirerAccount(named: name, of: merchant)
            try await SetupStep.acquirerResumption(name, of: merchant).run(in: self.directory) {
                _ = try await setup.administration.setAcquirerAccount(account.id, to: .active)
            }
        }
    }

    func setRoute(_ merchant: Merchant, _ setup: Setup) async throws {
        let isMissing = try await setup.administration.missingParts(of: merchant).contains { part in
            if case .route = part { return true } else { return false }
        }
        let names = try await setup.administration.read { try $0.acquirerAccounts(of: merchant.id) }
            .filter { $0.state == .active }.map(\.name)
        guard isMissing, let first = names.first else { return }
        let name =
            names.count == 1
            ? first : try self.questions.choose("Which acquirer account shall payments take?", among: names)
        try await setup.makeRoute(SetupFile.RouteEntry(acquirer: name), merchant)
    }
}

extension Connector {
    /// Whether it has accounts of that mode at all.
    fileprivate func takes(_ mode: Mode) -> Bool {
        let draft = AcquirerAccountDraft(name: self.name.text, connector: self.name)
        return !draft.problems(mode: mode, self).contains { $0.place == ["connector"] }
    }

    /// Whether an account of it needs anything. Who takes one that does not has nothing to say of it.
    fileprivate var asksForSomething: Bool {
        self.settings.contains(where: \.isRequired) || self.secrets.contains { $0.isRequired || $0.alternative != nil }
    }
}
