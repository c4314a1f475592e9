//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Money
import Payments
import Settings

/// One act of a setup that may need a second person: what it is called, and the command that does it alone.
///
/// A setup takes no override, which would be one reason for many acts. Each act's own command takes it.
struct SetupStep: Sendable {
    /// A stable name, as of what a merchant lacks: "acquirer".
    let part: String
    /// In a sentence: "the acquirer account bank".
    let text: String
    /// The command without the program's name and the data directory. Never a secret: those it takes from a file.
    let words: [String]

    /// Does the act.
    ///
    /// - Throws: ``CommandFailure`` `approval_required` with the step's name and command, where a second person must
    ///   approve it; else whatever the act throws.
    func run<Value>(in directory: DataDirectory, _ act: () async throws -> Value) async throws -> Value {
        do {
            return try await act()
        } catch let error as AdministrationError where error.code == .approvalRequired {
            throw self.heldFailure(in: directory)
        }
    }

    func heldFailure(in directory: DataDirectory) -> CommandFailure {
        var failure = CommandFailure(
            of: AdministrationError.Code.approvalRequired.rawValue, stage: .administration,
            "A second person must approve \(self.text): ask for it over the administration's API or portal, or do it "
                + "here with its own command and a reason. What comes before it is done; then run setup again.")
        failure.part = self.part
        failure.command = directory.command(self.words + ["--override", "REASON"])
        return failure
    }
}

extension SetupStep {
    /// The account in a dialect: made, or with other settings.
    ///
    /// - Parameter existing: the one that is there.
    static func account(
        _ entry: SetupFile.Account, of merchant: Merchant, _ plan: AccountPlan, instead existing: MerchantAccount?
    ) -> SetupStep {
        let target = ["--merchant", merchant.name, "--dialect", entry.dialect]
        let documents = Set(plan.settings.lazy.filter(\.isDocument).map(\.name))
        let text = "the account in \(entry.dialect)"
        if let existing {
            let changes = entry.changes(of: existing, plan)
            return SetupStep(
                part: "account", text: "new settings of \(text)",
                words: ["merchant", "settings"] + target + ["set"] + Self.values(changes, documents: documents))
        }
        let chosen = Self.values(
            entry.credentials, documents: Set(plan.credentials.lazy.filter(\.isSecret).map(\.name)))
        return SetupStep(
            part: "account", text: text,
            words: ["account", "create"] + target + chosen.flatMap { ["--choose", $0] }
                + (entry.notifyURL.map { ["--notify-url", $0] } ?? [])
                + Self.values(entry.settings, documents: documents))
    }

    /// The account with an acquirer: made, or changed.
    ///
    /// - Parameter existing: the one that is there.
    static func acquirer(
        _ entry: SetupFile.Acquirer, of merchant: Merchant, _ connector: (any Connector)?,
        instead existing: AcquirerAccount?
    ) -> SetupStep {
        let documents = Set((connector?.settings ?? []).lazy.filter(\.isDocument).map(\.name))
        let target = ["--merchant", merchant.name, "--name", entry.name]
        let settings = entry.settings.filter { existing?.settings[$0.key] != $0.value }
        let acceptor = entry.acceptor.filter { existing?.acceptor.values[$0.key] != $0.value }
        // What is sealed in the account is not compared: a secret that it has already changes nothing.
        let more =
            Self.values(acceptor, documents: []).flatMap { ["--acceptor", $0] }
            + entry.secrets.keys.sorted().flatMap { ["--secret", "\($0)=@FILE"] }
            + Self.values(settings, documents: documents)
        let text = "the acquirer account \(entry.name)"
        guard existing == nil else {
            return SetupStep(
                part: "acquirer", text: "changes of \(text)", words: ["acquirer", "settings"] + target + more)
        }
        return SetupStep(
            part: "acquirer", text: text,
            words: ["acquirer", "add"] + target + ["--connector", entry.connector] + more)
    }

    static func acquirerResumption(_ name: String, of merchant: Merchant) -> SetupStep {
        SetupStep(
            part: "acquirerResumption", text: "that payments take the acquirer account \(name) again",
            words: ["acquirer", "resume", "--merchant", merchant.name, "--name", name])
    }

    static func route(_ entry: SetupFile.RouteEntry, of merchant: Merchant) -> SetupStep {
        let condition = entry.condition
        let options: [(String, String?)] = [
            ("--number", entry.number.map { "\($0)" }), ("--dialect", condition.dialect?.text),
            ("--network", condition.network?.rawValue), ("--currency", condition.currency?.code),
            ("--from", condition.least?.decimalText), ("--to", condition.most?.decimalText),
        ]
        return SetupStep(
            part: "route", text: "the route to \(entry.acquirer)",
            words: ["route", "set", "--merchant", merchant.name, "--acquirer", entry.acquirer]
                + options.flatMap { name, value in value.map { [name, $0] } ?? [] })
    }

    /// Apple's certificate, imported from a file.
    ///
    /// - Parameter what: "the payment-processing certificate for merchant.com.example".
    static func certificateImport(_ what: String, _ path: String, of merchant: Merchant) -> SetupStep {
        SetupStep(
            part: "certificate", text: what, words: ["certificate", "import", "--merchant", merchant.name, path])
    }

    static func certificateActivation(_ credential: AppleCredential, of merchant: Merchant) -> SetupStep {
        SetupStep(
            part: "certificate", text: "the use of the \(credential.purpose.name) certificate",
            words: ["certificate", "activate", "--merchant", merchant.name, String(credential.id.prefix(16))])
    }

    /// NAME=VALUE, sorted; of what is a text of several lines or must stand on no command line NAME=@FILE.
    private static func values(_ values: [String: String], documents: Set<String>) -> [String] {
        values.sorted { $0.key < $1.key }.map { name, value in
            let isFile = documents.contains(name) || value.hasPrefix("@") || value.contains(where: \.isNewline)
            return "\(name)=\(isFile ? "@FILE" : value)"
        }
    }
}

extension SetupFile.Account {
    /// What the entry says otherwise than the account.
    func changes(of account: MerchantAccount, _ plan: AccountPlan) -> [String: String] {
        var settings = self.settings
        if let name = plan.notifySetting, let notifyURL = self.notifyURL { settings[name] = notifyURL }
        return settings.filter { account.settings[$0.key] != $0.value }
    }
}
