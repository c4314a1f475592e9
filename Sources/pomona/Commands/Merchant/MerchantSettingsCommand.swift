//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona merchant settings`: lists, sets and unsets what an account says of itself; also beside a running server.
struct MerchantSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List or change the settings of a merchant's account.",
        usage: """
            pomona merchant settings --merchant <name> [--dialect <dialect>]
            pomona merchant settings --merchant <name> [--dialect <dialect>] set NAME=VALUE …
            pomona merchant settings --merchant <name> [--dialect <dialect>] unset NAME …
            """,
        discussion: """
            NAME=@FILE takes the value from a file. All changes of one call are made together, or none. Of secrets only \
            the names are ever shown. A server that runs on the data directory applies a change within \
            \(MerchantAccounts.heededWithinSeconds) seconds.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: "The account's dialect; may be left out when the merchant has one account.")
    var dialect: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    @Argument(help: ArgumentHelp("list, set NAME=VALUE …, or unset NAME …", valueName: "action"))
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
        case let word: throw ValidationError("\(word) is none of: list, set, unset.")
        }
        let names = self.words.dropFirst().map { $0.prefix { $0 != "=" } }
        guard Set(names).count == names.count else { throw ValidationError("A setting is named twice.") }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let (name, dialect) = (self.merchant, self.dialect)
            guard let action = self.words.first, action != "list" else {
                let store = try await StoreAccess.readOnly(self.directory.directory)
                let account = try await store.read { try MerchantAccounts.account(of: name, dialect: dialect, in: $0) }
                return self.write(account, to: console)
            }
            let changes = try self.words.dropFirst().map { try SettingChange(word: $0, isSet: action == "set") }
            let account = try await StoreAccess.withGateway(self.directory.directory) { gateway in
                let account = try await gateway.store.read {
                    try MerchantAccounts.account(of: name, dialect: dialect, in: $0)
                }
                for change in changes { try change.check(against: account) }
                return try await gateway.changeSettings(of: account.merchantID, dialect: account.dialect) { settings in
                    for change in changes { settings[change.name] = change.value }
                }
            }
            self.write(account, to: console, hasChanged: true)
        }
    }

    private func write(_ account: MerchantAccount, to console: Console, hasChanged: Bool = false) {
        if self.json {
            var settings = JSONObject()
            for (name, value) in account.settings.sorted(by: { $0.key < $1.key }) { settings[name] = .string(value) }
            var report = JSONObject()
            report["merchant"] = .string(self.merchant)
            report["dialect"] = .string(account.dialect.text)
            report["account"] = .string(account.key)
            report["settings"] = .object(settings)
            report["secrets"] = .array(account.secrets.keys.sorted().map { .string($0) })
            if hasChanged { report["heededWithinSeconds"] = JSON(MerchantAccounts.heededWithinSeconds) }
            console.line(JSON.object(report).text(pretty: true))
            return
        }
        console.line(console.styled("\(self.merchant): account \(account.key) in \(account.dialect.text)", .title))
        var fields = Fields()
        let known = SettingCatalog.settings(of: account.dialect.text)
        for setting in known {
            fields.add(setting.name, account.settings[setting.name].map(Self.shown) ?? "—  \(setting.meaning)")
        }
        for name in account.settings.keys.sorted() where !known.contains(where: { $0.name == name }) {
            fields.add(name, account.settings[name].map(Self.shown))
        }
        for name in account.secrets.keys.sorted() { fields.add(name, "(a secret, not shown)") }
        for line in fields.lines() { console.line(line) }
        if hasChanged { console.line(MerchantAccounts.heededSentence) }
    }

    /// On one line.
    private static func shown(_ value: String) -> String {
        let lines = value.split(separator: "\n")
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

    /// - Throws: ``CommandFailure`` `setting_unknown`, `setting_is_secret`, `setting_fixed`, `setting_invalid`.
    func check(against account: MerchantAccount) throws(CommandFailure) {
        guard account.secrets[self.name] == nil else {
            throw CommandFailure(
                "setting_is_secret", stage: "input",
                "\(self.name) is a secret of the account, not a setting: this command neither shows nor changes it.")
        }
        let dialect = account.dialect.text
        let known = SettingCatalog.settings(of: dialect)
        guard let setting = known.first(where: { $0.name == self.name }) else {
            // What an older version has left may be taken away.
            if self.value == nil, account.settings[self.name] != nil { return }
            throw CommandFailure(
                "setting_unknown", stage: "input",
                "\(dialect) has no setting named \(self.name); it has \(known.map(\.name).joined(separator: ", ")).")
        }
        if let reason = setting.fixedBecause {
            throw CommandFailure("setting_fixed", stage: "input", "\(self.name) cannot be changed: \(reason).")
        }
        if let value = self.value, let problem = setting.rule(value) {
            throw CommandFailure("setting_invalid", stage: "input", "\(self.name) \(problem).")
        }
    }
}
