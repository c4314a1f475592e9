//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona merchant create`.
struct MerchantCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a merchant.",
        usage: """
            pomona merchant create --name <name> --display-name <text> --mode <mode>
                --country <code> [<options>]
            """,
        discussion: """
            It takes no payments until it has an account in a dialect, a certificate of Apple's and a route to an acquirer account; \
            the command says what is missing. `pomona setup` does all of it step by step. The data directory is made if it is not there.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        help: ArgumentHelp(
            "What commands call it: lower-case letters, digits, hyphens; the first is a letter or a digit.",
            valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("What the customer sees in the payment sheet.", valueName: "text"))
    var displayName: String

    @Option(help: "Whether its money is real. It can never be changed.")
    var mode: Mode

    @Option(name: .customLong("country"), help: ArgumentHelp("Its country (ISO 3166-1 alpha-2).", valueName: "code"))
    var countryCode: String

    @Option(help: ArgumentHelp("Where its days begin (IANA): Europe/Berlin.", valueName: "zone"))
    var timeZone = Merchant.defaultTimeZone

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.directory.directory, makesStore: true) {
                administration in
                let merchant = try await administration.createMerchant(
                    name: self.name, displayName: self.displayName, mode: self.mode, countryCode: self.countryCode,
                    timeZone: self.timeZone)
                return try await MerchantReport(of: merchant, administration, self.directory.directory)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona merchant list`.
struct MerchantListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the merchants.")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let merchants = try await store.read { reader in
                try reader.merchants().map { merchant in
                    (merchant, try reader.accounts(of: merchant.id).map(\.dialect.text))
                }
            }
            if self.json {
                let list = merchants.map { merchant, dialects -> JSON in
                    var object = merchant.view
                    object["dialects"] = .array(dialects.map { .string($0) })
                    return .object(object)
                }
                return console.line((["merchants": .array(list)] as JSON).text(pretty: true))
            }
            guard !merchants.isEmpty else {
                return console.line("There are no merchants yet: \(self.directory.directory.command("setup"))")
            }
            var table = Table([
                ("merchant", .left), ("mode", .left), ("state", .left), ("country", .left), ("dialects", .left),
                ("id", .left),
            ])
            for (merchant, dialects) in merchants {
                table.add([
                    merchant.name, merchant.mode.rawValue, merchant.state.rawValue, merchant.countryCode,
                    dialects.joined(separator: ", "), merchant.id.text,
                ])
            }
            for line in table.lines() { console.line(line) }
        }
    }
}

/// Of which merchants something is listed.
struct MerchantListOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// What each of them has, one after the other.
    func ofEach<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader, Merchant) throws -> [Value]
    ) async throws -> [Value] {
        let store = try await DirectoryAccess.readOnly(self.directory.directory)
        let name = self.merchant
        return try await store.read { reader in
            let merchants = try name.map { [try Administration.merchant(named: $0, in: reader)] } ?? reader.merchants()
            return try merchants.flatMap { try body(reader, $0) }
        }
    }
}

/// Which merchant.
struct MerchantOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var name: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// Does something with the merchant and shows it.
    func change(_ body: @escaping (Administration, Merchant) async throws -> Merchant) async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let merchant = try await administration.merchant(named: self.name)
                return try await MerchantReport(
                    of: try await body(administration, merchant), administration, self.directory.directory)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona merchant show`.
struct MerchantShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a merchant, its accounts and routes, and what it lacks to take payments.")

    @OptionGroup var options: MerchantOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let report = try await DirectoryAccess.withReadingAdministration(self.options.directory.directory) {
                administration in
                try await MerchantReport(
                    of: try await administration.merchant(named: self.options.name), administration,
                    self.options.directory.directory)
            }
            report.write(to: console, json: self.options.json)
        }
    }
}

/// `pomona merchant change`.
struct MerchantChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change what customers are shown of a merchant, and its time zone.",
        usage: """
            pomona merchant change [--display-name <text>] [--country <code>] [--time-zone <zone>]
                <name>
            """)

    @OptionGroup var options: MerchantOptions

    @Option(help: ArgumentHelp("What the customer sees in the payment sheet.", valueName: "text"))
    var displayName: String?

    @Option(name: .customLong("country"), help: ArgumentHelp("Its country (ISO 3166-1 alpha-2).", valueName: "code"))
    var countryCode: String?

    @Option(help: ArgumentHelp("Where its days begin (IANA): Europe/Berlin.", valueName: "zone"))
    var timeZone: String?

    func run() async throws {
        try await self.options.change { administration, merchant in
            try await administration.changeMerchant(
                merchant.id, displayName: self.displayName, countryCode: self.countryCode,
                timeZone: self.timeZone)
        }
    }
}

/// `pomona merchant suspend`.
struct MerchantSuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Let a merchant take no new payments.",
        discussion: """
            What has begun can be captured, refunded and looked up. A running server applies the change within \
            \(MerchantAccounts.heededWithinSeconds) seconds.
            """)

    @OptionGroup var options: MerchantOptions

    func run() async throws { try await self.options.change { try await $0.suspendMerchant($1.id) } }
}

/// `pomona merchant resume`.
struct MerchantResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a suspended merchant take payments again.")

    @OptionGroup var options: MerchantOptions

    func run() async throws { try await self.options.change { try await $0.resumeMerchant($1.id) } }
}

/// `pomona merchant close`.
struct MerchantCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "End a merchant, for ever.",
        discussion: """
            Its credentials are refused from then on. What has begun comes to its end; its payments and its books stay.
            """)

    @OptionGroup var options: MerchantOptions

    @Flag(help: "Really: a closed merchant cannot be opened again.")
    var forEver = false

    func validate() throws {
        guard self.forEver else { throw ValidationError("A closed merchant cannot be opened again: say --for-ever.") }
    }

    func run() async throws { try await self.options.change { try await $0.closeMerchant($1.id) } }
}
