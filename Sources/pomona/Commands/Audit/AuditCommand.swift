//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import BaseEncoding
import Gateway
import Payments
import StrictJSON
import Time

/// `pomona audit`: what operators have done.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show and check the log of administrative acts.",
        subcommands: [AuditListCommand.self, AuditVerifyCommand.self])
}

/// `pomona audit list`.
struct AuditListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List administrative acts, oldest first.",
        usage: "pomona audit list [--after <number>] [--limit <count>] [<options>]")

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only entries after this one.", valueName: "number"))
    var after: Int64 = 0

    @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
    var limit = 1000

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard self.after >= 0 else { throw ValidationError("--after must not be negative.") }
        guard (1...100_000).contains(self.limit) else {
            throw ValidationError("--limit must be a whole number from 1 to 100000.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (after, limit) = (self.after, self.limit)
            let found = try await store.read { try $0.auditEntries(after: after, limit: limit + 1) }
            try await store.close()
            let entries = found.prefix(limit)
            if self.json {
                let report: JSON = [
                    "entries": .array(entries.map { .object($0.view) }), "hasMore": .bool(found.count > entries.count),
                ]
                return console.line(report.text(pretty: true))
            }
            guard !entries.isEmpty else { return console.line("There are none.") }
            var table = Table([
                ("number", .right), ("time", .left), ("who", .left), ("act", .left), ("what", .left), ("", .left),
            ])
            for entry in entries {
                table.add([
                    "\(entry.number)", entry.at.description, entry.actor, entry.act.name, entry.subject,
                    entry.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "  "),
                ])
            }
            for line in table.lines() { console.line(line) }
            if found.count > entries.count, let last = entries.last {
                console.line("There are more: --after \(last.number)")
            }
        }
    }
}

/// `pomona audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no entry of the log was changed, taken out or put in.",
        discussion: """
            Exit code 0 only when all of it is right; 1 with the number of the first entry that is not. What was taken from \
            the end leaves a log that is right by itself: note the head that this command prints and a server logs when it \
            starts, somewhere else than in the store, and name it with --head the next time.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("A head that was noted before: it must be in the log.", valueName: "hex"))
    var head: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    private var knownHead: [UInt8]? { self.head.flatMap { Hex.decode($0) } }

    func validate() throws {
        guard self.head == nil || self.knownHead?.count == AuditEntry.digestBytesCount else {
            throw ValidationError("--head must be 64 hexadecimal digits.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let knownHead = self.knownHead
            let report = try await DirectoryAccess.withReadingAdministration(self.directory.directory) {
                try await $0.checkAuditLog(knownHead: knownHead)
            }
            if self.json {
                console.line(report.json.text(pretty: true))
                guard report.isSound else { throw ExitCode.failure }
            } else if let failure = report.failure {
                throw failure
            } else {
                let count = Text.count(Int(report.entriesCount), "entry", plural: "entries")
                console.line(console.styled("Sound: ", .good) + "\(count), each as it was written.")
                console.line("Head: \(Hex.encode(report.head))")
            }
        }
    }
}

extension AuditReport {
    fileprivate var failure: CommandFailure? {
        guard let first = self.firstBreak else {
            guard self.hasKnownHead == false else { return nil }
            return CommandFailure(
                .auditHeadMissing, stage: .audit,
                "The log has \(Text.count(Int(self.entriesCount), "entry", plural: "entries")), each as it was written, but the "
                    + "head that you name is not among them: entries were taken from the end, or it is another log's.")
        }
        let what =
            switch first.reason {
            case .missing: "Entry \(first.number) is missing, and there are later ones"
            case .unlinked:
                "Entry \(first.number) does not continue entry \(first.number - 1): something was taken out or put in"
            case .changed: "Entry \(first.number) is not as it was written"
            case .emptied: "There are no entries, and there were: all were taken out"
            case .begunAnew:
                "The log does not record the making of a merchant that is there: all entries were taken out, with their key, and the log was begun anew"
            case .keyMissing: "The key that the entries were made with is gone from the store"
            }
        return CommandFailure(
            .auditBroken, stage: .audit,
            "\(what). \(Text.count(Int(self.entriesCount), "entry", plural: "entries")) before that are right.")
    }

    fileprivate var json: JSON {
        var object = self.view
        object["error"] = self.failure?.json["error"]
        return .object(object)
    }
}
