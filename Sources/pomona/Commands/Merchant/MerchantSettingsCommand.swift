//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import DialectKit
import Gateway
import Payments
import Settings
import StrictJSON

/// `pomona merchant settings`: lists, sets and unsets what an account says of itself; also beside a running server.
struct MerchantSettingsCommand: AsyncParsableCommand {
    static let configuration: CommandConfiguration = Self.configuration(under: "merchant")

    /// - Parameter group: the command that it is a part of; it is one of two.
    static func configuration(under group: String) -> CommandConfiguration {
        let command = "pomona \(group) settings --merchant <name> [--dialect <dialect>]"
        return CommandConfiguration(
            commandName: "settings", abstract: "List or change the settings of a merchant's account.",
            usage: [command, "\(command) set NAME=VALUE …", "\(command) unset NAME …", "\(command) bind"]
                .joined(separator: "\n"),
            discussion: """
                NAME=@FILE takes the value from a file. All changes of one call are made together, or none. Of secrets only \
                the names are ever shown. Settings are sealed with their account: one that somebody has changed in the \
                database is not served, until you have looked at it, and bind seals it as it stands. Credentials that are \
                settings, and bind, may need a second person (pomona approval) or --override. A server that runs on the data \
                directory applies a change within \(MerchantAccounts.heededWithinSeconds) seconds.
                """)
    }

    @OptionGroup var arguments: SettingsArguments

    func run() async throws { try await self.arguments.run() }
}

/// What `pomona merchant settings` and `pomona account settings` are given, and do. No command of its own: the argument
/// parser would name it behind the one that it is a part of.
struct SettingsArguments: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: "The account's dialect; may be left out when the merchant has one account.")
    var dialect: String?

    @OptionGroup var override: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    @Argument(help: ArgumentHelp("list, set NAME=VALUE …, unset NAME …, or bind", valueName: "action"))
    var words: [String] = []

    func validate() throws {
        switch self.words.first ?? "list" {
        case "list":
            guard self.words.count <= 1 else { throw ValidationError("list takes nothing more.") }
        case "set":
            guard self.words.count > 1, self.words.dropFirst().allSatisfy({ $0.contains("=") }) else {
                throw ValidationError("set takes NAME=VALUE, one or several.")
            }
        case "unset":
            guard self.words.count > 1, !self.words.contains(where: { $0.contains("=") }) else {
                throw ValidationError("unset takes names, one or several.")
            }
        case "bind":
            guard self.words.count == 1 else { throw ValidationError("bind takes nothing more.") }
        case let word: throw ValidationError("\(word) is none of: list, set, unset, bind.")
        }
        let names = self.words.dropFirst().map { $0.prefix { $0 != "=" } }
        guard Set(names).count == names.count else { throw ValidationError("A setting is named twice.") }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let (name, dialect) = (self.merchant, self.dialect)
            guard let action = self.words.first, action != "list" else {
                let store = try await DirectoryAccess.readOnly(self.directory.directory)
                let account = try await store.read { try MerchantAccounts.account(of: name, dialect: dialect, in: $0) }
                return self.write(account, to: console)
            }
            let changes = try self.words.dropFirst().map { try SettingChange(word: $0, isSet: action == "set") }
            let override = self.override
            let account = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let administration = override.applied(to: administration)
                let (account, mode) = try await administration.read { reader in
                    let account = try MerchantAccounts.account(of: name, dialect: dialect, in: reader)
                    return (account, try reader.merchant(account.merchantID)?.mode ?? .live)
                }
                if action == "bind" {
                    return try await administration.bindAccount(of: account.merchantID, dialect: account.dialect)
                }
                for change in changes { try change.check(against: account, mode) }
                return try await administration.changeSettings(
                    of: account.merchantID, dialect: account.dialect,
                    guarded: DialectModule.named(account.dialect.text)?.plan.guardedSettings ?? []
                ) { settings in
                    for change in changes { settings[change.name] = change.value }
                }
            }
            self.write(account, to: console, hasChanged: true)
        }
    }

    private func write(_ account: MerchantAccount, to console: Console, hasChanged: Bool = false) {
        if self.json {
            var report = JSONObject()
            report["merchant"] = .string(self.merchant)
            report["dialect"] = .string(account.dialect.text)
            report["account"] = .string(account.key)
            report["settings"] = .object(JSONObject(texts: account.settings))
            report["secrets"] = .array(Self.secretNames(account).map { .string($0) })
            if hasChanged { report["heededWithinSeconds"] = JSON(MerchantAccounts.heededWithinSeconds) }
            console.line(JSON.object(report).text(pretty: true))
            return
        }
        console.line(console.styled("\(self.merchant): account \(account.key) in \(account.dialect.text)", .title))
        var fields = Fields()
        let known = DialectModule.named(account.dialect.text)?.plan.settings ?? []
        for setting in known {
            fields.add(setting.name, account.settings[setting.name].map(Self.shown) ?? "—  \(setting.meaning)")
        }
        for name in account.settings.keys.sorted() where !known.contains(where: { $0.name == name }) {
            fields.add(name, account.settings[name].map(Self.shown))
        }
        for name in Self.secretNames(account) { fields.add(name, "(a secret, not shown)") }
        for line in fields.lines() { console.line(line) }
        if hasChanged { console.line(MerchantAccounts.heededSentence) }
    }

    /// The account's own; the seal of its settings is none.
    private static func secretNames(_ account: MerchantAccount) -> [String] {
        account.secrets.keys.filter { $0 != AccountSeal.secretName }.sorted()
    }

    /// On one line.
    private static func shown(_ value: String) -> String {
        let lines = value.split(whereSeparator: \.isNewline)
        return lines.count > 1 ? "\(lines[0]) … (\(lines.count) lines)" : value
    }
}

/// One setting that is set or unset.
struct SettingChange: Sendable {
    let name: String
    /// `nil` to unset it.
    let value: String?

    /// - Parameter word: "NAME=VALUE" or "NAME=@FILE" to set, "NAME" to unset.
    init(word: String, isSet: Bool) throws(CommandFailure) {
        self.name = String(word.prefix { $0 != "=" })
        guard isSet else {
            self.value = nil
            return
        }
        let text = String(word.dropFirst(self.name.count + 1))
        self.value =
            text.hasPrefix("@")
            ? try InputFile.text(of: String(text.dropFirst()), what: "value of \(self.name)", bytesMax: 64 << 10) : text
    }

    /// - Parameter mode: the merchant's.
    /// - Throws: ``CommandFailure`` `setting_is_secret`, `dialect_unknown`, ``AccountPlanError``.
    func check(against account: MerchantAccount, _ mode: Mode) throws {
        let plan = try DialectModule.required(account.dialect.text).plan
        guard account.secrets[self.name] == nil, !plan.secretNames.contains(self.name) else {
            throw CommandFailure(
                .settingIsSecret, stage: .input,
                "\(self.name) is a secret of the account, not a setting: this command neither shows nor changes it.")
        }
        // What an older version has left may be taken away.
        let isKnown = plan.settings.contains { $0.name == self.name }
        if !isKnown, self.value == nil, account.settings[self.name] != nil { return }
        try plan.check(setting: self.name, value: self.value, mode: mode)
    }
}
