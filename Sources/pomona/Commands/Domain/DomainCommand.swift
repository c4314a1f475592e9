//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona domain`: the domains of merchants, and the files by which Apple verifies them.
struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain",
        abstract: "Serve the files by which Apple verifies merchants' domains.",
        discussion: """
            Apple gives a file for every domain on which the Apple Pay button is shown, and reads it under \
            \(RegisteredDomain.filePath) when it verifies the domain. \
            A running server sees what has changed at once. In a sandbox, the simulated Apple takes the domain as registered.
            """,
        subcommands: [DomainAddCommand.self, DomainListCommand.self, DomainRemoveCommand.self])
}

/// Whose domain, and which.
struct DomainOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("The domain: a host name without scheme and port.", valueName: "host"))
    var host: String

    var wellKnownHost: WellKnownHost? { WellKnownHost(self.host) }

    func validate() throws {
        guard self.wellKnownHost != nil else {
            throw ValidationError("--host must be a host name without scheme, port and path, such as shop.example.com.")
        }
    }
}

/// `pomona domain add`.
struct DomainAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Register a merchant's domain with the file that Apple gave for it.",
        usage: "pomona domain add --merchant <name> --host <host> --file <file> [<options>]")

    @OptionGroup var options: DomainOptions

    @Option(help: ArgumentHelp("The file that Apple gave; - is standard input.", valueName: "file"))
    var file: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let host = self.options.wellKnownHost else { return }
            let bytes = try InputFile.bytes(
                of: self.file, what: "domain association file", bytesMax: RegisteredDomain.fileBytesMax)
            let name = self.options.merchant
            let entry = try await DirectoryAccess.withAdministration(self.options.directory.directory) {
                administration in
                let merchant = try await administration.merchant(named: name)
                return try await administration.addDomain(host, to: merchant.id, file: bytes)
                    .asRegistered(by: merchant.name)
            }
            if self.json {
                console.line(entry.json.text(pretty: true))
            } else {
                console.line(console.styled("\(host.name) is registered for \(name).", .good))
                console.line("The gateway answers https://\(host.name)\(RegisteredDomain.filePath) with the file.")
            }
        }
    }
}

/// `pomona domain list`.
struct DomainListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the domains of all merchants.")

    @OptionGroup var filter: MerchantFilter

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let entries = try await DirectoryAccess.withReadingAdministration(self.filter.directory) { administration in
                if let name = self.filter.merchant { _ = try await administration.merchant(named: name) }
                return try await administration.domains().filter { entry in
                    self.filter.merchant.map { entry.merchants.contains($0) } ?? true
                }.map { entry in self.filter.merchant.map(entry.asRegistered(by:)) ?? entry }
            }
            if self.json {
                let object: JSON = ["domains": .array(entries.map(\.json))]
                console.line(object.text(pretty: true))
            } else if entries.isEmpty {
                console.line("There are none. Add one with: pomona domain add")
            } else {
                var table = Table([("domain", .left), ("merchants", .left), ("bytes", .right)])
                for entry in entries {
                    table.add([
                        entry.host.name, entry.merchants.joined(separator: ", "), String(entry.file.utf8.count),
                    ])
                }
                for line in table.lines() { console.line(line) }
            }
        }
    }
}

/// `pomona domain remove`.
struct DomainRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a merchant off a domain; the file goes with the last merchant.",
        usage: "pomona domain remove --merchant <name> --host <host> [<options>]")

    @OptionGroup var options: DomainOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let host = self.options.wellKnownHost else { return }
            let name = self.options.merchant
            try await DirectoryAccess.withAdministration(self.options.directory.directory) { administration in
                let merchant = try await administration.merchant(named: name)
                try await administration.removeDomain(host, of: merchant.id)
            }
            if self.json {
                let object: JSON = ["removed": true, "host": .string(host.name)]
                console.line(object.text(pretty: true))
            } else {
                console.line("\(host.name) is no longer registered for \(self.options.merchant).")
            }
        }
    }
}

extension RegisteredDomain {
    fileprivate var json: JSON {
        [
            "host": .string(self.host.name), "merchants": .array(self.merchants.map { .string($0) }),
            "bytes": JSON(self.file.utf8.count),
        ]
    }
}
