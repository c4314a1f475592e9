//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import StrictJSON
import Time

/// An access token as commands show it: its secret only when it has just been made.
struct AccessReport: Sendable {
    let token: AccessToken
    /// The names of the merchants that it is for; `nil` for all.
    let merchants: [String]?
    let made: MadeAccessToken?

    init(of token: AccessToken, _ administration: Administration, made: MadeAccessToken? = nil) async throws {
        self.token = token
        self.made = made
        self.merchants = try await administration.read { reader in
            try token.access.merchants?.sorted().map { try reader.merchant($0)?.name ?? $0.text }
        }
    }

    /// As the administration API shows it.
    var json: JSON { self.made?.view ?? .object(self.token.view) }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line(console.styled("access token \(self.token.name)", .title))
        var fields = Fields()
        fields.add("id", self.token.id.text)
        fields.add("may", self.token.access.scopes.sorted().map(\.rawValue).joined(separator: ", "))
        fields.add("merchants", merchantWords(self.merchants))
        if self.token.access.changesSandboxOnly { fields.add("changes", "only what is a sandbox merchant's") }
        fields.add("ends", self.token.endsAt.description)
        fields.add("revoked", self.token.revokedAt?.description)
        fields.add("secret", self.made?.secret.reveal())
        for line in fields.lines() { console.line(line) }
        if self.made != nil { console.line("Keep it: it is not shown again.") }
    }

    static func write(_ reports: [AccessReport], to console: Console, json: Bool) {
        if json {
            return console.line((["tokens": .array(reports.map(\.json))] as JSON).text(pretty: true))
        }
        guard !reports.isEmpty else { return console.line("There are no access tokens.") }
        var table = Table([
            ("id", .left), ("name", .left), ("merchants", .left), ("made by", .left), ("ends", .left),
            ("last used", .left),
        ])
        for report in reports {
            let end = report.token.revokedAt.map { "revoked \($0.rfc3339Seconds)" }
            table.add([
                report.token.id.text, report.token.name, merchantWords(report.merchants),
                report.token.madeBy, end ?? report.token.endsAt.rfc3339Seconds,
                report.token.lastUsedAt?.rfc3339Seconds ?? "never",
            ])
        }
        for line in table.lines() { console.line(line) }
    }
}
