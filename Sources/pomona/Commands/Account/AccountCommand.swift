//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import DialectKit
import Gateway
import Payments
import StrictJSON

/// `pomona account`: merchants' accounts in dialects, and their credentials.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Merchants' accounts in dialects: how shops call the gateway.",
        subcommands: [
            AccountCreateCommand.self, AccountListCommand.self, AccountRotateCommand.self, AccountRevokeCommand.self,
            AccountSettingsCommand.self,
        ])
}

/// Which account.
struct AccountOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("The dialect.", valueName: "dialect"))
    var dialect: String

    @OptionGroup var overriding: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    var plan: AccountPlan {
        get throws(CommandFailure) {
            try DialectModule.required(self.dialect).plan
        }
    }
}

/// `pomona account create`.
struct AccountCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a merchant's account in a dialect.",
        usage: "pomona account create --merchant <name> --dialect <dialect> [--out <dir>] [NAME=VALUE …]",
        discussion: """
            The credentials are made here and shown this once: the gateway keeps what it compares with, sealed. Keys and certificates are \
            written as files. An id may be chosen with --choose NAME=VALUE, a password with --choose NAME=@FILE.
            """)

    @OptionGroup var options: AccountOptions

    @Option(help: ArgumentHelp("A credential that is not to be made. Repeatable.", valueName: "NAME=VALUE"))
    var choose: [String] = []

    @Option(help: ArgumentHelp("Where events are reported, in dialects with one address for all.", valueName: "url"))
    var notifyURL: String?

    @Option(help: ArgumentHelp("Where keys are written; the merchant's folder if left out.", valueName: "dir"))
    var out: String?

    @Argument(help: ArgumentHelp("Settings of the account.", valueName: "NAME=VALUE"))
    var settings: [String] = []

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let plan = try self.options.plan
            let chosen = try NamedValues.values(self.choose) { name in
                plan.credentials.contains { $0.name == name && $0.isSecret }
            }
            let settings = try NamedValues.settings(self.settings)
            let directory = self.options.directory.directory
            let report = try await DirectoryAccess.withAdministration(directory) { administration in
                let merchant = try await administration.merchant(named: self.options.merchant)
                let order = AccountOrder(
                    mode: merchant.mode, chosen: chosen, notifyURL: self.notifyURL, settings: settings)
                let made = try await self.options.overriding.applied(to: administration).createAccount(
                    of: merchant, plan, order, AccountTools(.system))
                return try CredentialsReport(
                    made, plan: plan, merchant: merchant.name,
                    folder: self.out.map(FileSystem.absolutePath) ?? directory.merchant(merchant.name).path)
            }
            report.write(to: console, json: self.options.json)
        }
    }
}

/// `pomona account list`.
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts of a merchant in dialects, or of all.")

    @OptionGroup var options: MerchantListOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let accounts = try await self.options.ofEach { reader, merchant in
                let uses = try CredentialUses(of: merchant.id, in: reader)
                return try reader.accounts(of: merchant.id).map { account in
                    (merchant.name, account, account.credentials(Self.plan(of: account), uses))
                }
            }
            if self.options.json {
                let list = accounts.map { merchant, account, credentials -> JSON in
                    var view = account.view(merchant: merchant, Self.plan(of: account))
                    view["credentials"] = .array(credentials.map { .object($0.view) })
                    return .object(view)
                }
                return console.line((["accounts": .array(list)] as JSON).text(pretty: true))
            }
            guard !accounts.isEmpty else {
                return console.line(
                    "There are no accounts yet: pomona account create --merchant NAME --dialect DIALECT")
            }
            var table = Table([
                ("merchant", .left), ("dialect", .left), ("account", .left), ("credential", .left),
                ("last used", .left),
            ])
            for (merchant, account, credentials) in accounts {
                var names = [merchant, account.dialect.text, account.key]
                for (credential, use) in Self.rows(of: credentials) {
                    table.add(names + [credential, use?.sentence ?? "not seen in use"])
                    names = ["", "", ""]
                }
            }
            for line in table.lines() { console.line(line) }
        }
    }

    /// The one that a new one has replaced stands below it while both are accepted.
    private static func rows(of credentials: [CredentialState]) -> [(String, CredentialUse?)] {
        credentials.flatMap { credential in
            let replaced = credential.isReplacedAccepted
            return [(credential.name, credential.lastUse)]
                + (replaced ? [("\(credential.name) (previous)", credential.lastUseOfReplaced)] : [])
        }
    }

    private static func plan(of account: MerchantAccount) -> AccountPlan? {
        DialectModule.named(account.dialect.text)?.plan
    }
}

struct AccountRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give an account a new password or key.",
        usage: """
            pomona account rotate --merchant <name> --dialect <dialect> --credential <name> [<options>]
            """,
        discussion: """
            The one before is accepted beside it until it is revoked, where the dialect has room for two; so the shop can be changed \
            without a stop. The new one is shown this once.
            """)

    @OptionGroup var options: AccountOptions

    @Option(help: ArgumentHelp("Which credential: password, apikey, privateKey …", valueName: "name"))
    var credential: String

    @Option(help: ArgumentHelp("A file with what it is to be; made if left out.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Where keys are written; the merchant's folder if left out.", valueName: "dir"))
    var out: String?

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let plan = try self.options.plan
            let chosen = try self.file.map { path throws(CommandFailure) in
                try NamedValues.settings(["\(self.credential)=@\(path)"])[self.credential] ?? ""
            }
            // The dialect's refusal, which the API has too, knows no option.
            guard chosen != nil || plan.credentials.first(where: { $0.name == self.credential })?.isOptional != true
            else {
                throw CommandFailure(
                    of: AccountPlanError.Code.credentialInvalid.rawValue, stage: .input,
                    "\(self.credential) is not made here: say what it is to be, with --file FILE.")
            }
            let directory = self.options.directory.directory
            let report = try await DirectoryAccess.withAdministration(directory) { administration in
                let merchant = try await administration.merchant(named: self.options.merchant)
                let made = try await self.options.overriding.applied(to: administration).rotateCredential(
                    self.credential, of: merchant, plan, AccountTools(.system), chosen: chosen)
                return try CredentialsReport(
                    made, plan: plan, merchant: merchant.name,
                    folder: self.out.map(FileSystem.absolutePath) ?? directory.merchant(merchant.name).path)
            }
            report.write(to: console, json: self.options.json, hasChanged: true)
        }
    }
}

/// `pomona account revoke`.
struct AccountRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Accept a password or a key that has been replaced no more.",
        usage: "pomona account revoke --merchant <name> --dialect <dialect> --credential <name>",
        discussion: """
            A password or a key that an account need not have, and of which there is no second, is taken away: \
            webhookPassword (Radial), notificationKey (TapPay), clientCertificate (CommWeb).
            """)

    @OptionGroup var options: AccountOptions

    @Option(help: ArgumentHelp("Which credential.", valueName: "name"))
    var credential: String

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let plan = try self.options.plan
            let directory = self.options.directory.directory
            let revocation = try await DirectoryAccess.withAdministration(directory) { administration in
                let merchant = try await administration.merchant(named: self.options.merchant)
                return try await self.options.overriding.applied(to: administration).revokeCredential(
                    self.credential, of: merchant, plan)
            }
            if self.options.json {
                let report: JSON = [
                    "merchant": .string(self.options.merchant), "dialect": .string(self.options.dialect),
                    "revoked": .string(self.credential),
                    "heededWithinSeconds": JSON(MerchantAccounts.heededWithinSeconds),
                ]
                return console.line(report.text(pretty: true))
            }
            switch revocation {
            case .replaced: console.line("The \(self.credential) before the present one is not accepted any more.")
            case .present: console.line("The account has no \(self.credential) any more.")
            }
            console.line(MerchantAccounts.heededSentence)
        }
    }
}

/// `pomona account settings`: the same as `pomona merchant settings`.
struct AccountSettingsCommand: AsyncParsableCommand {
    static let configuration: CommandConfiguration = MerchantSettingsCommand.configuration(under: "account")

    @OptionGroup var arguments: SettingsArguments

    func run() async throws { try await self.arguments.run() }
}
