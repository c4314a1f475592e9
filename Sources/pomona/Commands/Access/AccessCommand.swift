//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona access`: what lets machines administer.
struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "Make, list and revoke access tokens for machines.",
        subcommands: [AccessCreateCommand.self, AccessListCommand.self, AccessRevokeCommand.self])
}

/// `pomona access create`.
struct AccessCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an access token.",
        usage: """
            pomona access create --name <text> (--role <role> | --scope <scope> ...)
                [--merchant <name> ...] [--sandbox-only] [--days <days>] [--data <dir>] [--json]
            """,
        discussion: "Its secret is shown once.")

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("What it is for.", valueName: "text"))
    var name: String

    @Option(help: "What it may do, as people of a role do.")
    var role: Role?

    @Option(name: .customLong("scope"), help: ArgumentHelp("One thing that it may do.", valueName: "scope"))
    var scopes: [Scope] = []

    @Option(
        name: .customLong("merchant"),
        help: ArgumentHelp("Only for this merchant; for all if none is named.", valueName: "name"))
    var merchants: [String] = []

    @Flag(name: .customLong("sandbox-only"), help: "It changes only what is a sandbox merchant's.")
    var changesSandboxOnly = false

    @Option(help: ArgumentHelp("For how many days, 366 at most.", valueName: "days"))
    var days = 90

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard (self.role == nil) != self.scopes.isEmpty else {
            throw ValidationError("Say what it may do: either --role or one or more --scope.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                var access = self.role.map { Access($0) } ?? Access(scopes: Set(self.scopes))
                access.merchants = try await PersonArguments.merchants(self.merchants, administration)
                access.changesSandboxOnly = access.changesSandboxOnly || self.changesSandboxOnly
                let made = try await administration.makeAccessToken(
                    AccessTokenDraft(name: self.name, access: access, days: self.days), by: .operatorsOwn,
                    madeBy: Surroundings.system.operatorName)
                return try await AccessReport(of: made.token, administration, made: made)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona access list`.
struct AccessListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the access tokens.",
        usage: "pomona access list [--all] [--data <dir>] [--json]")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Also those that are revoked or have ended.")
    var all = false

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let reports = try await DirectoryAccess.withReadingAdministration(self.directory.directory) {
                administration in
                let now = Timestamp.now()
                var reports: [AccessReport] = []
                for token in try await administration.accessTokens() where self.all || token.isValid(at: now) {
                    reports.append(try await AccessReport(of: token, administration))
                }
                return reports
            }
            AccessReport.write(reports, to: console, json: self.json)
        }
    }
}

/// `pomona access revoke`.
struct AccessRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End an access token, for ever.",
        usage: "pomona access revoke [--data <dir>] [--json] <id>",
        discussion: "The next request with it is refused.")

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The token's id, as the list shows it.", valueName: "id"))
    var id: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let id = AccessTokenID(self.id) else {
                throw CommandFailure(
                    .argumentMalformed, stage: .input,
                    "An access token's id begins with tok_, as pomona access list shows it. A secret is none.")
            }
            let report = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let token = try await administration.revokeAccessToken(id, by: .operatorsOwn)
                return try await AccessReport(of: token, administration)
            }
            report.write(to: console, json: self.json)
        }
    }
}
