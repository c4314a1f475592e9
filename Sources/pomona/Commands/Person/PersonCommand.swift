//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments

/// `pomona person`: who administers this Pomona.
struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Say who administers this Pomona, and what he may do.",
        discussion: """
            People sign in with a password and a second factor. What they may do is said by a role, for all merchants or for some. \
            Secrets that are made here are shown once.
            """,
        subcommands: [
            PersonAddCommand.self, PersonListCommand.self, PersonChangeCommand.self, PersonSuspendCommand.self,
            PersonResumeCommand.self, PersonResetCommand.self, PersonRemoveCommand.self,
        ])
}

/// `pomona person add`.
struct PersonAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Let somebody administer.",
        usage: """
            pomona person add --name <name> --display-name <text> --role <role>
                [--merchant <name> ...] [--email <address>] [--refund-limit <code=decimal> ...]
                [--credential <credential>] [--issuer <url> --subject <text>] [--data <dir>] [--json]
            """,
        discussion: """
            The first person should be an owner. The data directory is made if it is not there.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        help: ArgumentHelp("What signs in: lower-case letters, digits, and . - _ @ after the first.", valueName: "name")
    )
    var name: String

    @Option(help: ArgumentHelp("What the person is shown as.", valueName: "text"))
    var displayName: String

    @Option(help: "What the person may do.")
    var role: Role

    @Option(
        name: .customLong("merchant"),
        help: ArgumentHelp("Only for this merchant; for all if none is named.", valueName: "name"))
    var merchants: [String] = []

    @Option(help: ArgumentHelp("An e-mail address.", valueName: "address"))
    var email: String?

    @Option(
        name: .customLong("refund-limit"),
        help: ArgumentHelp(
            "The largest refund in a currency, such as CAD=100.00; none in others then.", valueName: "code=decimal"))
    var refundLimits: [String] = []

    @Option(help: "What to sign in with at first: a secret for a link, or a password.")
    var credential = FirstCredential.invitation

    @OptionGroup var identity: IdentityOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let limits = try PersonArguments.limits(self.refundLimits)
            let report = try await DirectoryAccess.withAdministration(self.directory.directory, makesStore: true) {
                administration in
                let made = try await People(administration).create(
                    PersonDraft(
                        userName: self.name, displayName: self.displayName, email: self.email, role: self.role,
                        merchants: try await PersonArguments.merchants(self.merchants, administration),
                        refundLimits: limits, externalIdentity: self.identity.identity),
                    with: self.credential, by: .operatorsOwn)
                return try await PersonReport(of: made.person, administration, made: made)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona person list`.
struct PersonListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the people.", usage: "pomona person list [--data <dir>] [--json]")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let reports = try await DirectoryAccess.withReadingAdministration(self.directory.directory) {
                administration in
                var reports: [PersonReport] = []
                for person in try await People(administration).all() {
                    reports.append(try await PersonReport(of: person, administration))
                }
                return reports
            }
            PersonReport.write(reports, to: console, json: self.json)
        }
    }
}

/// Which person.
struct PersonOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The person's user name.", valueName: "name"))
    var name: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// Does something with the person and shows it.
    func change(
        _ body: @escaping (People, Person) async throws -> PersonWithCredential?
    ) async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let people = People(administration)
                let person = try await people.person(named: self.name)
                let made = try await body(people, person)
                return try await PersonReport(of: try await people.person(person.id), administration, made: made)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona person change`.
struct PersonChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change what a person is shown as and may do.",
        usage: """
            pomona person change [--display-name <text>] [--email <address> | --no-email] [--role <role>]
                [--merchant <name> ... | --all-merchants]
                [--refund-limit <code=decimal> ... | --no-refund-limit]
                [--issuer <url> --subject <text> | --no-identity] [--data <dir>] [--json] <name>
            """,
        discussion: "Whose role changes is signed out everywhere.")

    @OptionGroup var options: PersonOptions

    @Option(help: ArgumentHelp("What the person is shown as.", valueName: "text"))
    var displayName: String?

    @Option(help: ArgumentHelp("An e-mail address.", valueName: "address"))
    var email: String?

    @Flag(name: .customLong("no-email"), help: "Forget the e-mail address.")
    var hasNoEmail = false

    @Option(help: "What the person may do.")
    var role: Role?

    @Option(
        name: .customLong("merchant"), help: ArgumentHelp("For this merchant, and others so named.", valueName: "name"))
    var merchants: [String] = []

    @Flag(name: .customLong("all-merchants"), help: "For all merchants.")
    var isForAllMerchants = false

    @Option(
        name: .customLong("refund-limit"),
        help: ArgumentHelp("The largest refund in a currency; none in others then.", valueName: "code=decimal"))
    var refundLimits: [String] = []

    @Flag(name: .customLong("no-refund-limit"), help: "Refunds of any amount.")
    var hasNoRefundLimit = false

    @OptionGroup var identity: IdentityOptions

    @Flag(name: .customLong("no-identity"), help: "Forget who the person is at an OpenID Connect provider.")
    var hasNoIdentity = false

    func validate() throws {
        guard self.identity.identity == nil || !self.hasNoIdentity else {
            throw ValidationError("--issuer and --no-identity contradict each other.")
        }
        guard self.merchants.isEmpty || !self.isForAllMerchants else {
            throw ValidationError("--merchant and --all-merchants contradict each other.")
        }
        guard self.refundLimits.isEmpty || !self.hasNoRefundLimit else {
            throw ValidationError("--refund-limit and --no-refund-limit contradict each other.")
        }
        guard self.email == nil || !self.hasNoEmail else {
            throw ValidationError("--email and --no-email contradict each other.")
        }
    }

    func run() async throws {
        try await self.options.change { people, person in
            var change = PersonChange()
            if let displayName { change.displayName = .set(displayName) }
            if let email { change.email = .set(email) }
            if self.hasNoEmail { change.email = .set(nil) }
            if let role { change.role = .set(role) }
            if self.isForAllMerchants { change.merchants = .set(nil) }
            if let merchants = try await PersonArguments.merchants(self.merchants, people.administration) {
                change.merchants = .set(merchants)
            }
            if self.hasNoRefundLimit { change.refundLimits = .set(nil) }
            if let limits = try PersonArguments.limits(self.refundLimits) { change.refundLimits = .set(limits) }
            if let identity = self.identity.identity { change.externalIdentity = .set(identity) }
            if self.hasNoIdentity { change.externalIdentity = .set(nil) }
            try await people.change(person.id, change, by: .operatorsOwn)
            return nil
        }
    }
}

/// `pomona person suspend`.
struct PersonSuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Sign a person out everywhere, and let him not sign in.",
        usage: "pomona person suspend [--data <dir>] [--json] <name>")

    @OptionGroup var options: PersonOptions

    func run() async throws {
        try await self.options.change { people, person in
            try await people.suspend(person.id, by: .operatorsOwn)
            return nil
        }
    }
}

/// `pomona person resume`.
struct PersonResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a suspended person sign in again.",
        usage: "pomona person resume [--data <dir>] [--json] <name>")

    @OptionGroup var options: PersonOptions

    func run() async throws {
        try await self.options.change { people, person in
            try await people.resume(person.id, by: .operatorsOwn)
            return nil
        }
    }
}

/// `pomona person reset`.
struct PersonResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Take a password or a second factor away, or end a lock-out.",
        usage: """
            pomona person reset [--password [--credential <credential>]] [--second-factor]
                [--lock-out] [--sessions] [--data <dir>] [--json] <name>
            """)

    @OptionGroup var options: PersonOptions

    @Flag(help: "The password: another credential is made in its place.")
    var password = false

    @Option(help: "What to sign in with instead of the password.")
    var credential = FirstCredential.invitation

    @Flag(help: "The second factor, with its recovery codes.")
    var secondFactor = false

    @Flag(help: "Forget wrong tries, and end a lock-out.")
    var lockOut = false

    @Flag(help: "Sign the person out everywhere.")
    var sessions = false

    func validate() throws {
        guard self.password || self.secondFactor || self.lockOut || self.sessions else {
            throw ValidationError("Say what: --password, --second-factor, --lock-out or --sessions.")
        }
    }

    func run() async throws {
        try await self.options.change { people, person in
            if self.lockOut { try await people.unlock(person.id, by: .operatorsOwn) }
            if self.secondFactor { try await people.resetSecondFactor(of: person.id, by: .operatorsOwn) }
            if self.sessions { try await people.endSessions(of: person.id, by: .operatorsOwn) }
            guard self.password else { return nil }
            return try await people.resetPassword(of: person.id, with: self.credential, by: .operatorsOwn)
        }
    }
}

/// `pomona person remove`.
struct PersonRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a person, and all that he signs in with.",
        usage: "pomona person remove [--data <dir>] [--json] <name>",
        discussion: "What the person has done stays in the audit log. The last owner who is active cannot be removed.")

    @OptionGroup var options: PersonOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.options.directory.directory) {
                administration in
                let people = People(administration)
                let person = try await people.person(named: self.options.name)
                let report = try await PersonReport(of: person, administration)
                try await people.remove(person.id, by: .operatorsOwn)
                return report
            }
            report.write(to: console, json: self.options.json)
        }
    }
}
