//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Chaos
import Foundation
import TestShop

/// `script/chaos`.
@main struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script/chaos",
        abstract: "Run real gateways, under load, and see what they bear.",
        subcommands: [FaultsCommand.self, GrowthCommand.self, SoakCommand.self, RatesCommand.self],
        defaultSubcommand: FaultsCommand.self)

    /// Ends all that was started before this program is asked to end.
    static func abandoningOnSignals<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let interruptions = [SIGINT, SIGTERM].map { number -> any DispatchSourceSignal in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Chaos.abandon()
                Foundation.exit(130)
            }
            source.resume()
            return source
        }
        defer { for source in interruptions { source.cancel() } }
        return try await body()
    }

    @Sendable static func write(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// What every command needs to know.
struct Deployment: ParsableArguments {
    @Option(help: "sqlite, postgresql, or replicated: PostgreSQL with standbys, as docs/operations.md sets it up.")
    var store = "sqlite"

    @Option(help: "How many gateways serve the store: 1 or 2. On SQLite 1.")
    var nodes = 1

    @Option(help: "The built pomona.")
    var pomona: String

    @Option(help: "The source of the library that fills disks and sets clocks.")
    var shim: String?

    @Option(help: "The configuration of replicated databases.")
    var failover: String?

    func validate() throws {
        guard (1...2).contains(self.nodes) else { throw ValidationError("--nodes must be 1 or 2.") }
        guard let store = ChaosSettings.Store(rawValue: self.store) else {
            throw ValidationError("--store must be sqlite, postgresql or replicated.")
        }
        guard store != .sqlite || self.nodes == 1 else { throw ValidationError("SQLite takes one node.") }
    }

    func settings(seed: UInt64, faultsCount: Int, shopsCount: Int) -> ChaosSettings {
        ChaosSettings(
            program: URL(fileURLWithPath: self.pomona), shimSource: self.shim.map { URL(fileURLWithPath: $0) },
            failoverSource: self.failover.map { URL(fileURLWithPath: $0) }, seed: seed,
            store: ChaosSettings.Store(rawValue: self.store) ?? .sqlite, nodesCount: self.nodes,
            faultsCount: faultsCount, shopsCount: shopsCount, log: { ChaosCommand.write($0) })
    }
}

/// `script/chaos [faults]`.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Do real gateways harm, and check that nothing was lost and nothing doubled.",
        discussion: """
            Starts pomona acquirer and one or two pomona serve (their merchants made by pomona sandbox), on PostgreSQL also a \
            throwaway database server. Shops speak all five dialects to them: they authorize, capture in parts, refund and \
            void, and send a request again until they know what became of it. Faults, drawn by the seed: kill -9 of a gateway, \
            of the acquirer, of PostgreSQL, or of all of them; PostgreSQL stopped at once; SIGSTOP of each, at times for longer \
            than a lease; connections that are cut at any byte, held or garbled; messages sent twice; the store's disk full; a \
            gateway's clock set. Now and then, and after the last one, everything must come to its end by itself. After every \
            --check-every faults the gateway's store, the acquirer's own book, the ledger, the shops' receipts and the \
            webhooks that arrived must agree; then it goes on with an empty store. Ends with 1 if they do not, and leaves the \
            data behind; the seed brings the same faults again, though not the same timing.
            """)

    @Option(help: "Which faults come, and in which order. Drawn anew if left out.")
    var seed: UInt64 = .random(in: 0..<1_000_000)

    @Option(help: "How many faults.")
    var faults = 50

    @Option(
        help: ArgumentHelp(
            "What the simulated acquirer is like: \(ChaosBehavior.allCases.map(\.rawValue).joined(separator: ", ")); all for each "
                + "in turn, mixed for an order that the seed draws.",
            valueName: "name"))
    var behavior = "remembering"

    @Option(help: "How many shops there are.")
    var shops = 12

    @Option(help: "How long the load runs undisturbed before a fault, at most, in milliseconds.")
    var calm = 400

    @Option(help: "After how many faults everything must have been resolved once, with the load going on.")
    var recoverEvery = 20

    @Option(help: "After how many faults everything is checked and begun anew.")
    var checkEvery = 200

    @Option(
        help: ArgumentHelp(
            "Only these faults, separated by commas: \(ChaosFault.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "faults"))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "Pay through these services, separated by commas, each for --check-every faults: "
                + "\(Self.services.joined(separator: ", ")); or all.",
            valueName: "services"))
    var upstream: String?

    @OptionGroup var deployment: Deployment

    private static let services = PaidService.all.map(\.name)

    private func chosenServices() throws -> [String] {
        guard let upstream = self.upstream else { return [] }
        let names = upstream == "all" ? Self.services : upstream.split(separator: ",").map(String.init)
        if let name = names.first(where: { !Self.services.contains($0) }) {
            throw ValidationError("There is no service \(name). --help lists them.")
        }
        return names
    }

    func validate() throws {
        _ = try self.chosenServices()
        guard self.faults > 0, self.shops > 0, self.recoverEvery > 0, self.checkEvery > 0, self.calm >= 0 else {
            throw ValidationError("The counts must be positive.")
        }
        _ = try self.chosenFaults()
        guard ChaosBehavior.named(self.behavior, seed: self.seed) != nil else {
            throw ValidationError("There is no behaviour \(self.behavior). --help lists them.")
        }
        guard self.upstream == nil || self.behavior == ChaosBehavior.remembering.rawValue else {
            throw ValidationError("--behavior is of runs without --upstream.")
        }
    }

    private func chosenFaults() throws -> [ChaosFault]? {
        try self.only?.split(separator: ",").map { name in
            guard let fault = ChaosFault(rawValue: String(name)) else {
                throw ValidationError("There is no fault \(name). --help lists them.")
            }
            return fault
        }
    }

    func run() async throws {
        var settings = self.deployment.settings(
            seed: self.seed, faultsCount: self.faults, shopsCount: self.shops)
        settings.calmMilliseconds = Int64(self.calm)
        settings.faultsPerRecovery = self.recoverEvery
        settings.faultsPerCheck = self.checkEvery
        settings.services = try self.chosenServices()
        settings.behaviors = ChaosBehavior.named(self.behavior, seed: self.seed) ?? [.remembering]
        // What a service has never heard of is given up minutes later.
        if !settings.services.isEmpty { settings.recoveryBoundMilliseconds = 420_000 }
        settings.choose(try self.chosenFaults() ?? ChaosFault.allCases)
        ChaosCommand.write("seed \(self.seed)")
        let report = try await ChaosCommand.abandoningOnSignals { [settings] in try await Chaos.run(settings) }
        for line in report.lines { ChaosCommand.write(line) }
        if !report.violations.isEmpty { throw ExitCode(1) }
    }
}

/// `script/chaos growth`.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measure what a gateway takes with many payments in its store, beside another with few.",
        discussion: """
            Shops pay, in all dialects, and the store is filled with copies of their payments, as many for each day of the past. \
            Then authorizations, captures, refunds and inquiries over HTTP, the operator's searches, pages and reports, a start \
            after a kill under load and the ledger's check are measured, in turn with a gateway whose store has two days of payments. \
            A payment takes some 7 kB on SQLite, and more on PostgreSQL.
            """)

    @Option(help: "How many payments, or several numbers, separated by commas, one after the other.")
    var payments = "1000000"

    @Option(help: "How often all is measured with each number.")
    var rounds = 5

    @Option(help: "How many orders of each dialect are paid in a round.")
    var orders = 300

    @Option(help: "How many callers there are at the same time.")
    var callers = 32

    @Option(help: ArgumentHelp("A file to write the figures to, as script/bench --json does.", valueName: "file"))
    var json: String?

    @OptionGroup var deployment: Deployment

    private func sizes() throws -> [Int] {
        try self.payments.split(separator: ",").map { text in
            guard let size = Int(text), size > 0 else {
                throw ValidationError("--payments takes numbers, separated by commas: \(text) is none.")
            }
            return size
        }
    }

    func validate() throws {
        guard try !self.sizes().isEmpty, self.rounds > 0, self.orders > 0, self.callers > 0 else {
            throw ValidationError("The counts must be positive.")
        }
    }

    func run() async throws {
        let settings = self.deployment.settings(seed: 1, faultsCount: 0, shopsCount: self.callers)
        let trial = GrowthTrial(
            settings, sizes: try self.sizes(), roundsCount: self.rounds, ordersCount: self.orders)
        let reports = try await ChaosCommand.abandoningOnSignals { try await trial.run() }
        guard let json else { return }
        try Data(GrowthReport.json(reports, store: self.deployment.store).utf8).write(to: URL(fileURLWithPath: json))
    }
}

/// `script/chaos soak`.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Measure a gateway's memory, minute by minute, under a load of all dialects.",
        discussion: "Shops pay, capture in parts, refund and void, one order after the other, until the time is over.")

    @Option(help: "How long.")
    var minutes = 60

    @Option(help: "How many shops there are.")
    var shops = 12

    @OptionGroup var deployment: Deployment

    func validate() throws {
        guard self.minutes > 0, self.shops > 0 else { throw ValidationError("The counts must be positive.") }
    }

    func run() async throws {
        let settings = self.deployment.settings(seed: 1, faultsCount: 0, shopsCount: self.shops)
        let trial = SoakTrial(settings, minutesCount: self.minutes)
        let report = try await ChaosCommand.abandoningOnSignals { try await trial.run() }
        for line in report.lines { ChaosCommand.write(line) }
    }
}

/// `script/chaos rates`.
struct RatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Measure durable authorizations a second, beside the bare engine's commits a second.",
        discussion: """
            CommWeb authorizations with a card number, over HTTP, with the acquirer in a process of its own; the callers run on \
            the same machine. In turn with it, commits of one row each, made durable: on SQLite one after the other, on PostgreSQL \
            over eight connections.
            """)

    @Option(help: "How many callers there are at the same time.")
    var callers = 128

    @Option(help: "How long a round takes, in seconds.")
    var seconds = 5

    @Option(help: "How many rounds.")
    var rounds = 5

    @OptionGroup var deployment: Deployment

    func run() async throws {
        let settings = self.deployment.settings(seed: 1, faultsCount: 0, shopsCount: self.callers)
        let trial = RateTrial(settings, seconds: Int64(self.seconds), roundsCount: self.rounds)
        let report = try await ChaosCommand.abandoningOnSignals { try await trial.run() }
        ChaosCommand.write("\(self.deployment.store), \(self.deployment.nodes) node(s): \(report.line)")
    }
}
