//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Chaos
import Foundation

/// `script/chaos`.
@main struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script/chaos",
        abstract: "Run real gateways under load, do them harm, and check that nothing was lost and nothing doubled.",
        discussion: """
            Starts pomona acquirer and one or two pomona serve (their merchants made by pomona sandbox), on PostgreSQL also a \
            throwaway database server. Shops speak CommWeb, PAYONE and Radial to them: they authorize, capture in parts, \
            refund and void, and send a request again until they know what became of it. Each round brings a fault, drawn by \
            the seed: kill -9 of a gateway, of the acquirer, of PostgreSQL, or of all of them; SIGSTOP of a gateway, at times for \
            longer than a lease; connections that are cut at any byte, held, sent twice or garbled. After the last round \
            everything must come to its end by itself. Then the gateway's store, the acquirer's own book, the ledger, what the \
            shops were told and the webhooks that arrived must agree. Ends with 1 if they do not; the seed brings the same faults \
            again, though not the same timing.
            """)

    @Option(help: "Which faults come, and in which order. Drawn anew if left out.")
    var seed: UInt64 = .random(in: 0..<1_000_000)

    @Option(help: "How many faults.")
    var rounds = 20

    @Option(help: "sqlite or postgresql")
    var store = "sqlite"

    @Option(help: "How many gateways serve the store: 1 or 2. On SQLite 1.")
    var nodes = 1

    @Option(help: "How many shops there are.")
    var shops = 6

    @Option(name: .customLong("recover-every"), help: "After how many rounds everything must have been resolved once.")
    var recoverEvery = 10

    @Option(help: "The built pomona.")
    var pomona: String

    func validate() throws {
        guard self.rounds > 0, self.shops > 0, (1...2).contains(self.nodes), self.recoverEvery > 0 else {
            throw ValidationError("--rounds, --shops and --recover-every must be positive, and --nodes 1 or 2.")
        }
        guard let store = ChaosSettings.Store(rawValue: self.store) else {
            throw ValidationError("--store must be sqlite or postgresql.")
        }
        guard store == .postgresql || self.nodes == 1 else { throw ValidationError("SQLite takes one node.") }
    }

    func run() async throws {
        let settings = ChaosSettings(
            program: URL(fileURLWithPath: self.pomona), seed: self.seed,
            store: ChaosSettings.Store(rawValue: self.store) ?? .sqlite, nodesCount: self.nodes,
            roundsCount: self.rounds, shopsCount: self.shops, roundsPerRecovery: self.recoverEvery,
            tell: { Self.write($0) })
        let interruptions = [SIGINT, SIGTERM].map { Self.abandoning(on: $0) }
        defer { for source in interruptions { source.cancel() } }
        Self.write("seed \(self.seed)")
        let report = try await Chaos.run(settings)
        for line in report.lines { Self.write(line) }
        if !report.violations.isEmpty { throw ExitCode(1) }
    }

    /// Leaves no process behind when it is told to end.
    private static func abandoning(on number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            Chaos.abandon()
            Foundation.exit(130)
        }
        source.resume()
        return source
    }

    @Sendable private static func write(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}
