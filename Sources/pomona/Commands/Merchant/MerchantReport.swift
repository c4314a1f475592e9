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
    let acquirers: [AcquirerReport]
    let routes: RouteReport
    let missing: [MissingReport]

    init(of merchant: Merchant, _ administration: Administration, _ directory: DataDirectory) async throws {
        let (accounts, acquirers) = try await administration.read { reader in
            (try reader.accounts(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        self.merchant = merchant
        self.accounts = accounts
        self.acquirers = acquirers.map { AcquirerReport($0, merchant: merchant.name) }
        self.routes = try await RouteReport(of: merchant, administration)
        self.missing = try await administration.missingParts(of: merchant).map {
            MissingReport($0, merchant: merchant, directory)
        }
    }

    var json: JSON {
        var object = JSONObject()
        object["merchant"] = .object(self.merchant.json)
        object["accounts"] = .array(
            self.accounts.map { ["dialect": .string($0.dialect.text), "account": .string($0.key)] })
        object["acquirers"] = .array(self.acquirers.map(\.json))
        object["routes"] = self.routes.list
        object["missing"] = .array(self.missing.map(\.json))
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
        for account in self.accounts { fields.add("account", "\(account.key) in \(account.dialect)") }
        for acquirer in self.acquirers {
            fields.add(
                "acquirer",
                "\(acquirer.account.name) (\(acquirer.account.connector), \(acquirer.account.state.rawValue))")
        }
        for line in fields.lines() { console.line(line) }
        if !self.routes.routes.isEmpty { self.routes.write(to: console, json: false) }
        MissingReport.write(self.missing, to: console)
    }
}

/// What a merchant lacks, with the command that provides it.
struct MissingReport: Hashable, Sendable {
    /// A stable name: "route".
    let part: String
    let text: String
    let command: String

    init(_ part: MissingPart, merchant: Merchant, _ directory: DataDirectory) {
        self.part =
            switch part {
            case .dialectAccount: "account"
            case .acquirerAccount: "acquirer"
            case .route: "route"
            case .processingKey: "processingKey"
            case .processingCertificate: "processingCertificate"
            case .processingActivation: "processingActivation"
            case .processingExpired: "processingExpired"
            case .resumption: "resumption"
            }
        self.text = part.text
        let words = part.command(for: merchant.name)
        // After the command's two words, before what it is given.
        self.command =
            (["pomona"] + words.prefix(2) + ["--data", directory.path] + words.dropFirst(2)).joined(separator: " ")
    }

    var json: JSON {
        ["part": .string(self.part), "text": .string(self.text), "command": .string(self.command)]
    }

    static func write(_ missing: [MissingReport], to console: Console) {
        guard !missing.isEmpty else { return console.line("It can take payments.") }
        console.line(console.styled("It cannot take payments yet:", .strong))
        for one in missing {
            console.line("  \(one.text)")
            console.line("    \(one.command)")
        }
    }
}

extension Merchant {
    var json: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["name"] = .string(self.name)
        object["displayName"] = .string(self.displayName)
        object["mode"] = .string(self.mode.rawValue)
        object["countryCode"] = .string(self.countryCode)
        object["state"] = .string(self.state.rawValue)
        return object
    }
}
