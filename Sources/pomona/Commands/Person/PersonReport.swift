//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// A person as commands show it: never a password, nor what it is proved by.
struct PersonReport: Sendable {
    let view: PersonView
    /// What was made to sign in with.
    let made: PersonWithCredential?

    init(of person: Person, _ administration: Administration, made: PersonWithCredential? = nil) async throws {
        self.view = try await administration.read { try PersonView(of: person, in: $0) }
        self.made = made
    }

    private var person: Person { self.view.person }

    private var limits: [Money]? {
        self.person.refundLimits.map { limits in
            limits.sorted { $0.key.code < $1.key.code }.map { Money(minorUnits: $0.value, currency: $0.key) }
        }
    }

    /// As the administration API shows it.
    var json: JSON { self.made?.view(self.view) ?? .object(self.view.json) }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line(console.styled("\(self.person.userName): \(self.person.displayName)", .title))
        var fields = Fields()
        fields.add("id", self.person.id.text)
        fields.add("role", self.person.role.rawValue)
        fields.add("merchants", merchantWords(self.view.merchants))
        fields.add(
            "refunds",
            self.limits.map { $0.isEmpty ? "none" : "up to " + $0.map(\.description).joined(separator: ", ") })
        fields.add("e-mail", self.person.email)
        fields.add("identity", self.person.externalIdentity.map { "\($0.subject) at \($0.issuer)" })
        fields.add("state", self.stateWords)
        fields.add("second factor", self.view.hasSecondFactor ? "yes" : "none")
        if let made, let secret = made.secret { fields.add(made.credential.rawValue, secret.reveal()) }
        if self.made != nil { fields.add("valid until", self.person.invitation?.endsAt.description) }
        for line in fields.lines() { console.line(line) }
        guard let made, made.secret != nil else { return }
        console.line(
            made.credential == .password
                ? "Hand it over: it is not shown again, and must be changed at the first sign-in."
                : "Hand it over: it is not shown again, and lets the person choose a password once.")
    }

    private var stateWords: String {
        guard let until = self.person.lockedUntil, self.person.state == .active, until > Timestamp.now() else {
            return self.person.state.rawValue
        }
        return "locked out until \(until)"
    }

    static func write(_ reports: [PersonReport], to console: Console, json: Bool) {
        if json {
            return console.line((["people": .array(reports.map(\.json))] as JSON).text(pretty: true))
        }
        guard !reports.isEmpty else {
            return console.line("Nobody administers yet: pomona person add --role owner …")
        }
        var table = Table([
            ("person", .left), ("role", .left), ("merchants", .left), ("state", .left), ("second factor", .left),
            ("last sign-in", .left),
        ])
        for report in reports {
            table.add([
                report.person.userName, report.person.role.rawValue,
                merchantWords(report.view.merchants), report.stateWords,
                report.view.hasSecondFactor ? "yes" : "none", report.person.lastSignInAt?.rfc3339Seconds ?? "never",
            ])
        }
        for line in table.lines() { console.line(line) }
    }
}
