//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import StrictJSON

/// A merchant as commands show it: what it has, and what it lacks.
struct MerchantReport: Sendable {
    let merchant: Merchant
    let accounts: [MerchantAccount]
    let acquirers: [AcquirerAccountReport]
    let routes: RouteReport
    let missing: [MissingReport]
    /// Where Apple Pay is shown: the hosts, sorted.
    let domains: [String]
    /// What it lacks besides to take payments on web pages. Who has none is ready without.
    let missingForWeb: [MissingReport]

    init(of merchant: Merchant, _ administration: Administration, _ directory: DataDirectory) async throws {
        let (accounts, acquirers) = try await administration.read { reader in
            (try reader.accounts(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        self.merchant = merchant
        self.accounts = accounts
        self.acquirers = acquirers.map { AcquirerAccountReport($0, merchant: merchant.name) }
        self.routes = try await RouteReport(of: merchant, administration)
        self.missing = try await administration.missingParts(of: merchant).map {
            MissingReport($0, merchant: merchant, directory)
        }
        self.domains = try await administration.domains(of: merchant.id).map(\.host.name)
        self.missingForWeb = try await administration.missingPartsForWeb(of: merchant)
            .map { MissingReport($0, merchant: merchant, directory) }
    }

    var json: JSON {
        var object = JSONObject()
        object["merchant"] = .object(self.merchant.view)
        object["accounts"] = .array(
            self.accounts.map { ["dialect": .string($0.dialect.text), "account": .string($0.key)] })
        object["acquirers"] = .array(self.acquirers.map(\.json))
        object["routes"] = self.routes.list
        object["domains"] = .array(self.domains.map { .string($0) })
        object["missing"] = .array(self.missing.map(\.json))
        object["missingForWeb"] = .array(self.missingForWeb.map(\.json))
        return .object(object)
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line(console.styled("\(self.merchant.name): \(self.merchant.displayName)", .title))
        var fields = Fields()
        fields.add("id", self.merchant.id.text)
        fields.add("mode", self.merchant.mode.rawValue)
        fields.add("state", self.merchant.state.rawValue)
        fields.add("country", self.merchant.countryCode)
        fields.add("time zone", self.merchant.timeZone)
        for account in self.accounts { fields.add("account", "\(account.key) in \(account.dialect)") }
        for acquirer in self.acquirers {
            fields.add(
                "acquirer",
                "\(acquirer.account.name) (\(acquirer.account.connector), \(acquirer.account.state.rawValue))")
        }
        for domain in self.domains { fields.add("domain", domain) }
        for line in fields.lines() { console.line(line) }
        if !self.routes.routes.isEmpty { self.routes.write(to: console, json: false) }
        MissingReport.write(self.missing, to: console)
        if !self.missingForWeb.isEmpty {
            console.line("For payments on web pages it needs besides:")
            MissingReport.list(self.missingForWeb, to: console)
        }
    }
}

/// What a merchant lacks, with the command that provides it.
struct MissingReport: Hashable, Sendable {
    /// A stable name: "route".
    let part: String
    let text: String
    let command: String

    init(_ part: MissingPart, merchant: Merchant, _ directory: DataDirectory) {
        self.part = part.name
        self.text = part.text
        let words = part.command(for: merchant)
        // After the command's two words, before what it is given.
        self.command = (["pomona"] + words.prefix(2) + ["--data", directory.path] + words.dropFirst(2))
            .map(\.shellQuoted).joined(separator: " ")
    }

    var json: JSON {
        ["part": .string(self.part), "text": .string(self.text), "command": .string(self.command)]
    }

    static func write(_ missing: [MissingReport], to console: Console) {
        guard !missing.isEmpty else { return console.line("It can take payments.") }
        console.line(console.styled("It cannot take payments yet:", .strong))
        self.list(missing, to: console)
    }

    fileprivate static func list(_ missing: [MissingReport], to console: Console) {
        for one in missing {
            console.line("  \(one.text)")
            console.line("    \(one.command)")
        }
    }
}
