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
import TapPay

/// `pomona merchant affiliates`: the codes of a TapPay merchant's co-branded cards.
struct MerchantAffiliatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "affiliates",
        abstract: "The affiliate codes of a merchant's co-branded cards, by BIN (TapPay).",
        discussion: """
            A card whose number begins with a BIN of the list is reported to the merchant with the BIN's codes, in \
            merchant_reference_info.
            """,
        subcommands: [
            MerchantAffiliatesListCommand.self, MerchantAffiliatesSetCommand.self, MerchantAffiliatesRemoveCommand.self,
        ])
}

/// What the three have in common.
struct AffiliatesOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// The list as it stands.
    ///
    /// - Throws: ``CommandFailure`` `setting_invalid` for one that was not written by this program.
    static func codes(in settings: [String: String]) throws(CommandFailure) -> AffiliateCodes {
        do throws(AffiliateCodesError) {
            return try AffiliateCodes(setting: settings[AffiliateCodes.settingName] ?? "")
        } catch {
            throw CommandFailure(
                .settingInvalid, stage: .store,
                "The account's \(AffiliateCodes.settingName) cannot be read: it \(error). "
                    + "Unset it with: pomona merchant settings … unset \(AffiliateCodes.settingName)")
        }
    }

    /// Changes the list and shows it.
    func change(
        _ console: Console, _ body: @escaping @Sendable (inout AffiliateCodes) throws -> Void
    ) async throws {
        let name = self.merchant
        let codes = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
            let account = try await administration.read {
                try MerchantAccounts.account(of: name, dialect: TapPay.dialectName.text, in: $0)
            }
            let changed = try await administration.changeSettings(
                of: account.merchantID, dialect: account.dialect, guarded: TapPay.accounts.guardedSettings
            ) { settings in
                var codes = try Self.codes(in: settings)
                try body(&codes)
                settings[AffiliateCodes.settingName] = codes.codes.isEmpty ? nil : codes.setting
            }
            return try Self.codes(in: changed.settings)
        }
        self.write(codes, to: console, hasChanged: true)
    }

    func write(_ codes: AffiliateCodes, to console: Console, hasChanged: Bool = false) {
        let entries = codes.codes.sorted { $0.key < $1.key }
        if self.json {
            let list = entries.map { bin, codes -> JSON in
                ["bin": .string(bin), "codes": .array(codes.map { .string($0) })]
            }
            var report = JSONObject()
            report["merchant"] = .string(self.merchant)
            report["affiliates"] = .array(list)
            if hasChanged { report["heededWithinSeconds"] = JSON(MerchantAccounts.heededWithinSeconds) }
            console.line(JSON.object(report).text(pretty: true))
            return
        }
        if entries.isEmpty {
            console.line("\(self.merchant) has no affiliate codes.")
        } else {
            var table = Table([("BIN", .left), ("codes", .left)])
            for (bin, codes) in entries { table.add([bin, codes.joined(separator: ", ")]) }
            for line in table.lines() { console.line(line) }
        }
        if hasChanged { console.line(MerchantAccounts.heededSentence) }
    }
}

struct MerchantAffiliatesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List them.")

    @OptionGroup var options: AffiliatesOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let store = try await DirectoryAccess.readOnly(self.options.directory.directory)
            let name = self.options.merchant
            let account = try await store.read {
                try MerchantAccounts.account(of: name, dialect: TapPay.dialectName.text, in: $0)
            }
            self.options.write(try AffiliatesOptions.codes(in: account.settings), to: console)
        }
    }
}

struct MerchantAffiliatesSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the codes of a BIN, in the place of those that it has.",
        usage: "pomona merchant affiliates set --merchant <name> --bin <digits> --code <code> ... [<options>]")

    @OptionGroup var options: AffiliatesOptions

    @Option(help: ArgumentHelp("The cards' first six digits, also where a BIN has eight.", valueName: "digits"))
    var bin: String

    @Option(help: ArgumentHelp("A code: 1 to 20 half-width letters and digits. May be repeated.", valueName: "code"))
    var code: [String]

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let (bin, code) = (self.bin, self.code)
            try await self.options.change(console) { codes in
                do throws(AffiliateCodesError) {
                    try codes.set(code, bin: bin)
                } catch {
                    throw CommandFailure(.affiliateCodeInvalid, stage: .input, "Not so: \(error).")
                }
            }
        }
    }
}

struct MerchantAffiliatesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the codes of a BIN.",
        usage: "pomona merchant affiliates remove --merchant <name> --bin <digits> [<options>]")

    @OptionGroup var options: AffiliatesOptions

    @Option(help: ArgumentHelp("The BIN, as it was set.", valueName: "digits"))
    var bin: String

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let bin = self.bin
            try await self.options.change(console) { codes in
                guard codes.remove(bin: bin) else {
                    throw CommandFailure(.affiliateUnknown, stage: .input, "There are no codes of the BIN \(bin).")
                }
            }
        }
    }
}
