//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Gateway
import Payments
import StrictJSON
import Synchronization
import Time

/// `pomona store copy`: moves a store into another, a file into PostgreSQL or back.
struct StoreCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store whole into an empty one of either kind.",
        usage: "pomona store copy [--from <store>] --to <store> [--switch] [<options>]",
        discussion: """
            Stop all gateways first. Every row is copied in one transaction and compared, and the books are checked on \
            both ends; a copy that is cut off leaves the target empty. The source stays as it is. Exit code 0 only when \
            all of it is there.
            """)

    @OptionGroup var directory: DataOptions

    @Option(
        help: ArgumentHelp(
            "The store to copy: sqlite:PATH or postgresql://…; the data directory's if left out.",
            valueName: "store"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The store to fill, which must be new or empty: sqlite:PATH or postgresql://…", valueName: "store"))
    var to: String

    @Flag(name: .customLong("switch"), help: "Have the data directory remember the new store as its own.")
    var switches = false

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard !self.switches || self.from == nil else {
            throw ValidationError("--switch goes with the data directory's own store, without --from.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            try directory.checkPermissions()
            let copy = StoreCopy(source: try self.source(of: directory), target: try StoreLocation(text: self.to))
            let lock = try self.lock(directory, copy)
            defer { withExtendedLifetime(lock) {} }
            let start = ContinuousClock.now
            let switches = self.switches
            let isNoted = Mutex(false)
            let report = try await copy.run {
                console.progress($0)
            } finish: { report in
                let isLogged = try await Self.log(report, copy, directory)
                isNoted.withLock { $0 = isLogged }
                if switches { try directory.remember(copy.target) }
            }
            let (duration, isLogged) = (ContinuousClock.now - start, isNoted.withLock { $0 })
            console.progress("")
            let summary = Summary(report: report, copy: copy, duration: duration, isLogged: isLogged)
            if self.json {
                console.line(summary.json(hasSwitched: self.switches).text(pretty: true))
            } else {
                for line in summary.lines { console.line(line) }
                console.line()
                for line in Text.wrapped(self.nextStep(directory, copy), width: 100) { console.line(line) }
            }
        }
    }

    private func source(of directory: DataDirectory) throws -> StoreLocation {
        if let from { return try StoreLocation(text: from) }
        try directory.requireStore()
        return try directory.storeLocation()
    }

    /// Takes the data directory if its gateway's store is one of the two.
    private func lock(_ directory: DataDirectory, _ copy: StoreCopy) throws -> DirectoryLock? {
        guard FileSystem.exists(directory.path) else { return nil }
        let own = try directory.storeLocation()
        guard own == copy.source || own == copy.target else { return nil }
        return try directory.lock()
    }

    private static func log(_ report: StoreCopy.Report, _ copy: StoreCopy, _ directory: DataDirectory) async throws
        -> Bool
    {
        let draft = AuditDraft(
            .storeCopy, "",
            [
                "from": copy.source.kind, "to": copy.target.kind,
                "rows": "\(report.rowsCounts.values.reduce(0, +))",
            ])
        let store = try await copy.target.openBeside()
        do {
            let isLogged = try await StoreLog.note(draft, on: store, of: directory)
            try await store.close()
            return isLogged
        } catch {
            try? await store.close()
            throw error
        }
    }

    private func nextStep(_ directory: DataDirectory, _ copy: StoreCopy) -> String {
        let warning = "Never serve both: each would pay out what the other has."
        if self.switches {
            return "\(directory.path) remembers the new store. Start the gateway, with store.url in its configuration "
                + "changed if it is there. Keep \(copy.source.summary) until you trust the copy. \(warning)"
        }
        return "Nothing was switched: \(directory.path) remembers the store that it had. To use the copy, start the "
            + "gateway with --store or store.url naming it, or copy again with --switch into a new store. Keep "
            + "\(copy.source.summary) until you trust the copy. \(warning)"
    }
}

/// What was done.
private struct Summary {
    let report: StoreCopy.Report
    let copy: StoreCopy
    let duration: Duration
    let isLogged: Bool

    private var tables: [(name: String, rowsCount: Int)] {
        self.report.rowsCounts.sorted { $0.key < $1.key }.map { (name: $0.key, rowsCount: $0.value) }
    }

    private var rowsCount: Int { self.report.rowsCounts.values.reduce(0, +) }

    var lines: [String] {
        var table = Table([("table", .left), ("rows", .right)])
        for (name, count) in self.tables { table.add([name, "\(count)"]) }
        let milliseconds = self.duration.wholeMilliseconds
        let seconds = "\(milliseconds / 1000).\(milliseconds % 1000 / 100) seconds"
        return table.lines() + [
            "",
            "Copied \(Text.count(self.tables.count, "table")), \(Text.count(self.rowsCount, "row")) in \(seconds). "
                + "Every row was compared, and the books of both stores are right and the same: "
                + "\(Text.count(self.report.books.paymentsCount, "payment")), "
                + "\(Text.count(self.report.books.entriesCount, "journal entry", plural: "journal entries")).",
        ] + (self.isLogged ? [] : ["Not in the audit log: its key is not here."])
    }

    func json(hasSwitched: Bool) -> JSON {
        var tables = JSONObject()
        for (name, count) in self.tables { tables[name] = JSON(count) }
        return [
            "copied": true, "from": .string(self.copy.source.kind), "to": .string(self.copy.target.kind),
            "tables": .object(tables), "rows": JSON(self.rowsCount),
            "payments": JSON(self.report.books.paymentsCount), "entries": JSON(self.report.books.entriesCount),
            "milliseconds": JSON(self.duration.wholeMilliseconds), "logged": .bool(self.isLogged),
            "switched": .bool(hasSwitched),
        ]
    }
}
