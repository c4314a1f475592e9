//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import Redaction
import Settings
import StrictJSON

/// `pomona acquirer`: under which contracts merchants' money moves, and the simulated acquirer as a process.
struct AcquirerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acquirer",
        abstract: "Merchants' accounts with acquirers, and the simulated acquirer.",
        subcommands: [
            AcquirerAddCommand.self, AcquirerListCommand.self, AcquirerSettingsCommand.self, AcquirerCheckCommand.self,
            AcquirerDoCommand.self, AcquirerSuspendCommand.self, AcquirerResumeCommand.self,
            AcquirerConnectorsCommand.self, AcquirerServeCommand.self,
        ], defaultSubcommand: AcquirerServeCommand.self)
}

/// Which of a merchant's acquirer accounts.
struct AcquirerOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("What the acquirer account is called.", valueName: "name"))
    var name: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// Finds the account and does something with it.
    /// - Parameters:
    ///   - overriding: of an act that may need a second person.
    ///   - connectors: those of a command that talks to acquirers; else such as only look at accounts.
    func withAccount<Value: Sendable>(
        _ overriding: OverrideOption? = nil, connectors: [any Connector]? = nil,
        _ body: (Administration, AcquirerAccount) async throws -> Value
    ) async throws -> Value {
        try await DirectoryAccess.withOpenGateway(self.directory.directory, connectors: connectors) { open in
            let administration = overriding?.applied(to: open.administration) ?? open.administration
            let merchant = try await administration.merchant(named: self.merchant)
            let account = try await administration.acquirerAccount(named: self.name, of: merchant)
            return try await body(administration, account)
        }
    }

    /// - Throws: `ExitCode` 1 where something is wrong.
    func write(_ findings: [ConnectorFinding], to console: Console) throws {
        let isGood = findings.allSatisfy(\.isGood)
        if self.json {
            let report: JSON = ["good": .bool(isGood), "findings": .array(findings.map { .object($0.view) })]
            console.line(report.text(pretty: true))
        } else {
            for finding in findings { finding.write(to: console) }
        }
        if !isGood { throw ExitCode(1) }
    }
}

/// `pomona acquirer add`.
struct AcquirerAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give a merchant an account with an acquirer.",
        usage: """
            pomona acquirer add --merchant <name> --name <name> --connector <connector> 
                [NAME=VALUE …] [--secret NAME=@FILE …]
            """,
        discussion: """
            NAME=@FILE takes a value from a file, and @- from standard input; a secret is taken in no other way, so that it \
            stands in no list of processes. `pomona acquirer connectors` lists what each connector's accounts are made of. No payment takes \
            the account until a route leads to it: pomona route set.
            """)

    @OptionGroup var options: AcquirerOptions

    @OptionGroup var overriding: OverrideOption

    @Option(help: ArgumentHelp("The kind of acquirer.", valueName: "connector"))
    var connector: String

    @Option(help: ArgumentHelp("A password or a key: NAME=@FILE. Repeatable.", valueName: "NAME=@FILE"))
    var secret: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the acquirer knows the merchant by: \(CardAcceptor.settings.map(\.name).joined(separator: ", ")). Repeatable.",
            valueName: "NAME=VALUE"))
    var acceptor: [String] = []

    @Argument(help: ArgumentHelp("The account's settings.", valueName: "NAME=VALUE"))
    var settings: [String] = []

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let draft = AcquirerAccountDraft(
                name: self.options.name, connector: AcquirerName(self.connector),
                acceptor: try CardAcceptor(try NamedValues.settings(self.acceptor)),
                settings: try NamedValues.settings(self.settings), secrets: try NamedValues.secrets(self.secret))
            let account = try await DirectoryAccess.withAdministration(self.options.directory.directory) {
                administration in
                let merchant = try await administration.merchant(named: self.options.merchant)
                return try await self.overriding.applied(to: administration).addAcquirerAccount(
                    draft, to: merchant.id)
            }
            AcquirerAccountReport(account, merchant: self.options.merchant).write(to: console, json: self.options.json)
        }
    }
}

/// `pomona acquirer settings`.
struct AcquirerSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change an acquirer account's settings, secrets and acceptor.",
        usage: """
            pomona acquirer settings --merchant <name> --name <name>
            pomona acquirer settings --merchant <name> --name <name> [NAME=VALUE …]
                [--secret NAME=@FILE …] [--acceptor NAME=VALUE …] [--unset NAME …]
            """,
        discussion: """
            All changes of one call are made together, or none. Of secrets only the names are shown. Settings are sealed with their \
            account: one that somebody has changed in the database takes no payments. A running server applies a change within \
            \(MerchantAccounts.heededWithinSeconds) seconds.
            """)

    @OptionGroup var options: AcquirerOptions

    @OptionGroup var overriding: OverrideOption

    @Option(help: ArgumentHelp("A password or a key: NAME=@FILE. Repeatable.", valueName: "NAME=@FILE"))
    var secret: [String] = []

    @Option(help: ArgumentHelp("What the acquirer knows the merchant by. Repeatable.", valueName: "NAME=VALUE"))
    var acceptor: [String] = []

    @Option(help: ArgumentHelp("A setting or a secret to take away. Repeatable.", valueName: "NAME"))
    var unset: [String] = []

    @Argument(help: ArgumentHelp("Settings to change.", valueName: "NAME=VALUE"))
    var settings: [String] = []

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let settings = try NamedValues.settings(self.settings)
            let secrets = try NamedValues.secrets(self.secret)
            let acceptor = try NamedValues.settings(self.acceptor)
            let account = try await self.options.withAccount(self.overriding) { administration, account in
                var change = AcquirerAccountChange()
                for (name, value) in settings { change.settings[name] = .some(value) }
                for (name, value) in secrets { change.secrets[name] = .some(value) }
                for name in self.unset {
                    guard account.settings[name] != nil || account.secrets[name] != nil else {
                        throw CommandFailure(
                            .settingUnknown, stage: .input,
                            "The account has neither a setting nor a secret named \(name).")
                    }
                    if account.settings[name] != nil { change.settings.updateValue(nil, forKey: name) }
                    if account.secrets[name] != nil { change.secrets.updateValue(nil, forKey: name) }
                }
                if !acceptor.isEmpty {
                    change.acceptor = try CardAcceptor(account.acceptor.values.merging(acceptor) { $1 })
                }
                let isNothing = change.settings.isEmpty && change.secrets.isEmpty && change.acceptor == nil
                return isNothing ? account : try await administration.changeAcquirerAccount(account.id, change)
            }
            AcquirerAccountReport(account, merchant: self.options.merchant).write(to: console, json: self.options.json)
        }
    }
}

/// `pomona acquirer list`.
struct AcquirerListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the acquirer accounts of a merchant, or of all.")

    @OptionGroup var options: MerchantListOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let reports = try await self.options.ofEach { reader, merchant in
                try reader.acquirerAccounts(of: merchant.id).map { AcquirerAccountReport($0, merchant: merchant.name) }
            }
            if self.options.json {
                console.line((["acquirers": .array(reports.map(\.json))] as JSON).text(pretty: true))
                return
            }
            guard !reports.isEmpty else {
                return console.line("There are no acquirer accounts yet: pomona acquirer add")
            }
            var table = Table([
                ("merchant", .left), ("name", .left), ("connector", .left), ("mode", .left), ("state", .left),
                ("id", .left),
            ])
            for report in reports { table.add(report.cells) }
            for line in table.lines() { console.line(line) }
        }
    }
}

/// `pomona acquirer check`.
struct AcquirerCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Find out whether an acquirer can be reached and takes the credentials.",
        usage: "pomona acquirer check --merchant <name> --name <name> [<options>]",
        discussion: "No money moves. Exits with 1 when something is wrong.")

    @OptionGroup var options: AcquirerOptions

    @OptionGroup var link: AcquirerLinkOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let findings = try await self.link.withConnectors(self.options.directory.directory) { connectors in
                try await self.options.withAccount(connectors: connectors) { try await $0.checkAcquirerAccount($1) }
            }
            try self.options.write(findings, to: console)
        }
    }
}

/// `pomona acquirer suspend`.
struct AcquirerSuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Let no new payments take an acquirer account. What has begun goes on.",
        usage: "pomona acquirer suspend --merchant <name> --name <name> [<options>]")

    @OptionGroup var options: AcquirerOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let account = try await self.options.withAccount { try await $0.setAcquirerAccount($1.id, to: .suspended) }
            AcquirerAccountReport(account, merchant: self.options.merchant).write(to: console, json: self.options.json)
        }
    }
}

/// `pomona acquirer resume`.
struct AcquirerResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let payments take a suspended acquirer account again.",
        usage: "pomona acquirer resume --merchant <name> --name <name> [<options>]")

    @OptionGroup var options: AcquirerOptions

    @OptionGroup var overriding: OverrideOption

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let account = try await self.options.withAccount(self.overriding) {
                try await $0.setAcquirerAccount($1.id, to: .active)
            }
            AcquirerAccountReport(account, merchant: self.options.merchant).write(to: console, json: self.options.json)
        }
    }
}

/// `pomona acquirer connectors`.
struct AcquirerConnectorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connectors", abstract: "List the kinds of acquirers and what their accounts are made of.")

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let connectors = try Connectors.forCommands()
            if self.json {
                let list = connectors.map { connector -> JSON in
                    [
                        "name": .string(connector.name.text),
                        "settings": .array(connector.settings.map(\.view)),
                        "secrets": .array(connector.secrets.map(\.view)),
                        "commands": .array(connector.commands.map(\.view)),
                    ]
                }
                console.line((["connectors": .array(list)] as JSON).text(pretty: true))
                return
            }
            for connector in connectors {
                console.line(console.styled(connector.name.text, .title))
                var fields = Fields()
                for setting in connector.settings {
                    fields.add(setting.name, setting.meaning + (setting.isRequired ? " (required)" : ""))
                }
                for secret in connector.secrets {
                    let required = secret.isRequired ? " (required)" : ""
                    let alternative = secret.alternative.map { " (for proof by \($0))" } ?? ""
                    fields.add(secret.name, "secret: " + secret.meaning + required + alternative)
                }
                for command in connector.commands {
                    let danger = command.isDangerous ? " (dangerous)" : ""
                    fields.add(command.name, "command: " + command.meaning + danger)
                }
                for line in fields.lines() { console.line(line) }
            }
        }
    }
}
