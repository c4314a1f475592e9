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
    let person: Person
    /// The names of the merchants that the person is for; `nil` for all.
    let merchants: [String]?
    let hasSecondFactor: Bool
    /// What was made to sign in with.
    let made: PersonWithCredential?

    init(of person: Person, _ administration: Administration, made: PersonWithCredential? = nil) async throws {
        self.person = person
        self.made = made
        (self.merchants, self.hasSecondFactor) = try await administration.read { reader in
            (
                try person.merchants?.sorted().map { try reader.merchant($0)?.name ?? $0.text },
                try reader.secondFactor(of: person.id)?.confirmedAt != nil
            )
        }
    }

    private var limits: [Money]? {
        self.person.refundLimits.map { limits in
            limits.sorted { $0.key.code < $1.key.code }.map { Money(minorUnits: $0.value, currency: $0.key) }
        }
    }

    var json: JSON {
        var object = JSONObject()
        object["id"] = .string(self.person.id.text)
        object["userName"] = .string(self.person.userName)
        object["displayName"] = .string(self.person.displayName)
        object["email"] = self.person.email.map { .string($0) }
        object["role"] = .string(self.person.role.rawValue)
        object["merchants"] = self.merchants.map { .array($0.map { .string($0) }) }
        object["refundLimits"] = self.limits.map { limits in
            .object(JSONObject(limits.map { (name: $0.currency.code, value: .string($0.decimalText)) }))
        }
        object["state"] = .string(self.person.state.rawValue)
        object["hasPassword"] = .bool(self.person.passwordVerifier != nil)
        object["externalIdentity"] = self.person.externalIdentity.map {
            ["issuer": .string($0.issuer), "subject": .string($0.subject)]
        }
        object["hasSecondFactor"] = .bool(self.hasSecondFactor)
        object["lockedUntil"] = self.person.lockedUntil.map { .string($0.description) }
        object["createdAt"] = .string(self.person.createdAt.description)
        object["lastSignInAt"] = self.person.lastSignInAt.map { .string($0.description) }
        if let made, let secret = made.secret {
            object[made.credential.rawValue] = .string(secret.reveal())
            object["invitationEndsAt"] = self.person.invitation.map { .string($0.endsAt.description) }
        }
        return .object(object)
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line(console.styled("\(self.person.userName): \(self.person.displayName)", .title))
        var fields = Fields()
        fields.add("id", self.person.id.text)
        fields.add("role", self.person.role.rawValue)
        fields.add("merchants", merchantWords(self.merchants))
        fields.add(
            "refunds",
            self.limits.map { $0.isEmpty ? "none" : "up to " + $0.map(\.description).joined(separator: ", ") })
        fields.add("e-mail", self.person.email)
        fields.add("identity", self.person.externalIdentity.map { "\($0.subject) at \($0.issuer)" })
        fields.add("state", self.stateWords)
        fields.add("second factor", self.hasSecondFactor ? "yes" : "none")
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
                merchantWords(report.merchants), report.stateWords,
                report.hasSecondFactor ? "yes" : "none", report.person.lastSignInAt?.rfc3339Seconds ?? "never",
            ])
        }
        for line in table.lines() { console.line(line) }
    }
}
