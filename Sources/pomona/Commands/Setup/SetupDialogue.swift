//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
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

    /// - Throws: `ExitCode` as a shell reports the signal that ended it (128 and its number).
    func run() async throws {
        self.console.line(self.console.styled("Setting up a merchant in \(self.directory.path)", .title))
        self.console.line("What is answered is made at once. Leave at any time; the next run goes on from there.")
        do {
            let draft = try await self.merchant()
            try await SetupCommand.withGateway(self.directory, mode: draft.mode) { administration in
                try await self.complete(draft, Setup(administration: administration, directory: self.directory))
            }
        } catch let ended as Questions.Ended {
            self.console.line()
            self.console.line(
                "Left. What was answered is there; go on with: \(self.directory.command("setup"))")
            if let signal = ended.signal { throw ExitCode(128 + signal) }
        }
    }

    // MARK: - The merchant

    /// The merchant that is to be set up: one that is there, or what a new one is to be.
    private func merchant() async throws -> SetupFile {
        let known = try await self.knownMerchants()
        let open = known.filter { $0.state != .closed }
        if !open.isEmpty { self.console.line("There are: " + open.map(\.name).joined(separator: ", ") + ".") }
        let name = try self.questions.ask(
            "What shall commands call the merchant?", standard: open.first?.name ?? "shop"
        ) { name in
            guard let merchant = known.first(where: { $0.name == name }) else { return SettingRules.name(name) }
            return merchant.state == .closed ? "is closed, for ever; choose another name" : nil
        }
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
        try self.directory.checkPermissions()
        guard try await self.directory.storeLocation().isBegun() else { return [] }
        let store = try await DirectoryAccess.readOnly(self.directory)
        let merchants = try await store.read { try $0.merchants() }
        try await store.close()
        return merchants
    }

    // MARK: - What it needs

    /// Asks for all that the merchant lacks, on a gateway that is open, and ends with what it lacks still.
    func complete(_ draft: SetupFile, _ setup: Setup) async throws {
        let administration = setup.administration
        let merchant = try await setup.makeMerchant(draft)
        if merchant.state == .suspended, try self.questions.confirm("The merchant is suspended. Resume it?") {
            try await administration.resumeMerchant(merchant.id)
        }
        if try await administration.missingParts(of: merchant).contains(.dialectAccount) {
            try await self.addAccount(merchant, setup)
        }
        if try await administration.missingParts(of: merchant).contains(.acquirerAccount) {
            try await self.addAcquirer(merchant, setup)
        }
        try await self.resumeAcquirer(merchant, setup)
        try await self.setRoute(merchant, setup)
        try await self.provideKeys(merchant, setup)
        try await self.importCertificates(merchant, setup)
        try await self.registerDomains(merchant, setup)
        try await setup.saveCard(of: merchant)
        let report = try await MerchantReport(
            of: try await administration.merchant(named: merchant.name), administration, self.directory)
        self.console.line()
        report.write(to: self.console, json: false)
        if report.missing.isEmpty {
            self.console.line("Start the gateway: pomona serve --config FILE (docs/configuration.md)")
        } else {
            self.console.line("Go on with: \(self.directory.command("setup"))")
        }
    }

    /// What could be made of the answers, and why not: the person is asked again, and not left.
    func complain(_ error: any Error) {
        self.console.line("  \(CommandFailure(error).message)")
    }
}
