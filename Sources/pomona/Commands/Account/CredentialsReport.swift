//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Payments
import StrictJSON

/// Credentials that have just been made, shown once. Keys and certificates are files by now.
struct CredentialsReport: Sendable {
    let merchant: String
    let dialect: String
    /// In the order in which they are shown: values, and paths of files.
    let entries: [AccountCredentials.Entry]

    /// Writes the files.
    ///
    /// - Throws: ``CommandFailure`` when a file cannot be written.
    init(_ made: AccountCredentials, plan: AccountPlan, merchant: String, folder: String) throws {
        self.merchant = merchant
        self.dialect = plan.dialect.text
        var entries = made.values
        if !made.files.isEmpty { try FileSystem.makePrivateDirectory(folder) }
        for file in made.files {
            let path = "\(folder)/\(plan.dialect)-\(file.fileName)"
            try FileSystem.write(file.text, to: path, mode: file.isPrivate ? FileSystem.privateFileMode : 0o644)
            entries.append(AccountCredentials.Entry(name: file.name, value: path))
        }
        self.entries = entries
    }

    var credentials: JSONObject {
        var object = JSONObject()
        for entry in self.entries { object[entry.name] = .string(entry.value) }
        return object
    }

    func write(to console: Console, json: Bool, hasChanged: Bool = false) {
        if json {
            var report = JSONObject()
            report["merchant"] = .string(self.merchant)
            report["dialect"] = .string(self.dialect)
            report["credentials"] = .object(self.credentials)
            if hasChanged { report["heededWithinSeconds"] = JSON(MerchantAccounts.heededWithinSeconds) }
            return console.line(JSON.object(report).text(pretty: true))
        }
        console.line(console.styled("\(self.merchant): account in \(self.dialect)", .title))
        var fields = Fields()
        for entry in self.entries { fields.add(entry.name, entry.value) }
        for line in fields.lines() { console.line(line) }
        console.line("Keep them: they are not shown again.")
        if hasChanged { console.line(MerchantAccounts.heededSentence) }
    }
}
