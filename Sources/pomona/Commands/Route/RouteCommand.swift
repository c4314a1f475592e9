//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
public import ArgumentParser
import DialectKit
public import Gateway
import Money
import Payments
import StrictJSON

/// `pomona route`: which of a merchant's acquirer accounts a payment takes.
struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Say which of a merchant's acquirer accounts payments take.",
        discussion: """
            The routes of a merchant are asked in the order of their numbers; the first that fits and whose account is active decides. \
            A payment stays with its account for life. A running server applies a change within \(MerchantAccounts.heededWithinSeconds) seconds.
            """,
        subcommands: [
            RouteSetCommand.self, RouteListCommand.self, RouteRemoveCommand.self, RouteTestCommand.self,
        ])
}

/// Whose routes.
struct RouteOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// Finds the merchant, does something, and shows the routes as they are then.
    func showRoutes(
        _ overriding: OverrideOption, after act: (Administration, Merchant) async throws -> Void
    ) async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let merchant = try await administration.merchant(named: self.merchant)
                try await act(overriding.applied(to: administration), merchant)
                return try await RouteReport(of: merchant, administration)
            }
            report.write(to: console, json: self.json)
        }
    }
}

/// `pomona route set`.
struct RouteSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a route to an acquirer account.",
        usage: "pomona route set --merchant <name> --acquirer <name> [--number <number>] [<conditions>]")

    @OptionGroup var options: RouteOptions

    @OptionGroup var overriding: OverrideOption

    @Option(help: ArgumentHelp("The acquirer account that payments take.", valueName: "name"))
    var acquirer: String

    @Option(help: ArgumentHelp("Its place among the routes; after all others if left out.", valueName: "number"))
    var number: Int?

    @Option(help: ArgumentHelp("Only payments in this dialect.", valueName: "dialect"))
    var dialect: String?

    @Option(help: ArgumentHelp("Only cards of this network.", valueName: "network"))
    var network: CardNetwork?

    @Option(help: ArgumentHelp("Only amounts in this currency (ISO 4217).", valueName: "code"))
    var currency: String?

    @Option(help: ArgumentHelp("Only amounts from this on, in the currency's major unit.", valueName: "decimal"))
    var from: String?

    @Option(help: ArgumentHelp("Only amounts up to this.", valueName: "decimal"))
    var to: String?

    func validate() throws {
        guard self.from == nil && self.to == nil || self.currency != nil else {
            throw ValidationError("--from and --to need --currency.")
        }
    }

    func run() async throws {
        try await self.options.showRoutes(self.overriding) { administration, merchant in
            let condition = try RouteArguments.condition(
                dialect: self.dialect, network: self.network, currency: self.currency, from: self.from, to: self.to)
            let account = try await administration.acquirerAccount(named: self.acquirer, of: merchant)
            try await administration.setRoute(
                of: merchant.id, to: account.id, condition: condition, number: self.number)
        }
    }
}

/// `pomona route list`.
struct RouteListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a merchant's routes.",
        usage: "pomona route list --merchant <name> [<options>]")

    @OptionGroup var options: RouteOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let report = try await DirectoryAccess.withReadingAdministration(self.options.directory.directory) {
                administration in
                try await RouteReport(
                    of: try await administration.merchant(named: self.options.merchant), administration)
            }
            report.write(to: console, json: self.options.json)
        }
    }
}

/// `pomona route remove`.
struct RouteRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a route.",
        usage: "pomona route remove --merchant <name> --number <number> [<options>]")

    @OptionGroup var options: RouteOptions

    @OptionGroup var overriding: OverrideOption

    @Option(help: ArgumentHelp("The route's number.", valueName: "number"))
    var number: Int

    func run() async throws {
        try await self.options.showRoutes(self.overriding) { try await $0.removeRoute(self.number, of: $1.id) }
    }
}

/// `pomona route test`.
struct RouteTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Say which acquirer account a payment would take, and why.",
        usage: """
            pomona route test --merchant <name> --dialect <dialect> --amount <decimal>
                --currency <code> [--network <network>] [--purpose <purpose>]
            """,
        discussion: "Exits with 1 when it would find none.")

    @OptionGroup var options: RouteOptions

    @Option(help: ArgumentHelp("The dialect in which the payment is made.", valueName: "dialect"))
    var dialect: String

    @Option(help: ArgumentHelp("The card's network.", valueName: "network"))
    var network = CardNetwork.visa

    @Option(help: ArgumentHelp("The amount in the currency's major unit.", valueName: "decimal"))
    var amount: String

    @Option(help: ArgumentHelp("The currency (ISO 4217).", valueName: "code"))
    var currency: String

    @Option(
        help: ArgumentHelp(
            "authorization, sale (captured at once) or verification; what the dialect's payments usually are if left out.",
            valueName: "purpose"))
    var purpose: AuthorizeCommand.Purpose?

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let dialect = try RouteArguments.dialect(self.dialect)
            let usual = DialectModule.named(dialect.text)?.plan.usualPurpose ?? .authorization
            let amount = try RouteArguments.money(self.amount, try RouteArguments.currency(self.currency))
            let decision = try await DirectoryAccess.withReadingAdministration(self.options.directory.directory) {
                administration in
                let merchant = try await administration.merchant(named: self.options.merchant)
                return try await administration.testRoute(
                    of: merchant.id, dialect: dialect, network: self.network, amount: amount,
                    purpose: self.purpose ?? usual)
            }
            let taken = decision.taken
            if self.options.json {
                let steps = decision.steps.map { step -> JSON in
                    [
                        "route": JSON(Int64(step.route.number)), "acquirer": .string(step.account),
                        "verdict": .string(step.verdict.rawValue),
                    ]
                }
                let report: JSON = [
                    "acquirer": taken.map { .string($0.account) } ?? .null,
                    "obstacle": decision.obstacle.map { .string($0.rawValue) } ?? .null, "steps": .array(steps),
                ]
                console.line(report.text(pretty: true))
            } else {
                for step in decision.steps {
                    console.line("  \(step.route.number)  \(step.account): \(step.verdict.words)")
                }
                console.line(
                    taken.map { "The payment takes \($0.account)." }
                        ?? self.advice(decision, dialect: dialect))
            }
            if taken == nil { throw ExitCode(1) }
        }
    }

    /// Why the payment is refused, and the command that helps.
    private func advice(_ decision: RouteDecision, dialect: DialectName) -> String {
        let data = "--data \(self.options.directory.directory.path.shellQuoted)"
        let merchant = self.options.merchant
        if let obstacle = decision.obstacle {
            return switch obstacle {
            case .merchantSuspended:
                "Every payment is refused, since \(merchant) is suspended: pomona merchant resume \(data) \(merchant)"
            case .merchantClosed: "Every payment is refused, since \(merchant) is closed, for ever."
            case .dialectAccountMissing:
                "Nobody can ask for it, since \(merchant) has no account in \(dialect): "
                    + "pomona account create \(data) --merchant \(merchant) --dialect \(dialect)"
            }
        }
        if let suspended = decision.steps.first(where: { $0.verdict == .suspended }) {
            return "No route takes the payment: pomona acquirer resume \(data) --merchant \(merchant) "
                + "--name \(suspended.account)"
        }
        return "No route takes the payment: pomona route set \(data) --merchant \(merchant) --acquirer NAME"
    }
}

extension AuthorizeCommand.Purpose: ExpressibleByArgument {}

extension RouteDecision.Verdict {
    fileprivate var words: String {
        switch self {
        case .taken: "taken"
        case .later: "would fit too, later"
        case .otherDialect: "is for another dialect"
        case .otherNetwork: "is for another network"
        case .otherCurrency: "is for another currency"
        case .otherAmount: "is for other amounts"
        case .suspended: "fits, but the account is suspended"
        case .networkNotTaken: "fits, but the acquirer takes no cards of the network"
        case .currencyNotTaken: "fits, but the account is not paid in the currency"
        case .amountNotTaken: "fits, but the acquirer takes no payment of this amount"
        case .purposeNotOffered: "fits, but the acquirer does not offer this"
        case .notUsable: "fits, but the account cannot be opened: pomona acquirer check"
        }
    }
}
