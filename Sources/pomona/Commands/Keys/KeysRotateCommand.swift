//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON
import Time

/// `pomona keys rotate`: new keys, beside whatever gateways run on the store.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Seal everything under a new data key, or the data keys under a new master key.",
        usage: "pomona keys rotate [<options>]",
        discussion: """
            Without --master: a new data key is made and seals from now on; everything that is sealed in the store is \
            sealed anew under it; and the old key is deleted. Gateways may run meanwhile. They learn of the new key \
            within seconds, and so the old one is kept for \(DataKeyRetirement.graceSeconds) seconds; the command waits. It may be stopped at any \
            moment: --resume goes on where it was.

            With --master: the data keys are sealed under a new master key. Gateways that run go on; give every one of \
            them the new master key before it is started again.
            """)

    @OptionGroup var directory: DataOptions

    @Flag(help: "Change the master key instead of the data key.")
    var master = false

    @Option(
        name: .customLong("new-key-file"),
        help: ArgumentHelp(
            "With --master: the new master key's file; made if it is not there. Needed unless the old key is in a file.",
            valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Make no new key; finish what an earlier rotation has left.")
    var resume = false

    @Flag(name: .customLong("no-wait"), help: "Do not wait until the old key can go. Later: --resume.")
    var noWait = false

    @Option(
        name: .customLong("grace-seconds"),
        help: "How long the old key is kept for gateways that run. 0 only where none does.")
    var graceSeconds: Int64?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard !self.master || (!self.resume && !self.noWait && self.graceSeconds == nil) else {
            throw ValidationError("--resume, --no-wait and --grace-seconds are for data keys: leave --master out.")
        }
        guard self.master || self.newKeyFile == nil else {
            throw ValidationError("--new-key-file goes with --master.")
        }
        guard (0...86_400).contains(self.graceSeconds ?? 0) else {
            throw ValidationError("--grace-seconds must be a whole number from 0 to 86400.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            if self.master {
                let newKeyPath = self.newKeyFile.map(FileSystem.absolutePath)
                let change = try await MasterKeyChange.run(
                    directory, newKeyPath: newKeyPath, random: Surroundings.system.random)
                return change.write(to: console, json: self.json)
            }
            try await DirectoryAccess.withOpenGateway(directory) { open in
                // Nobody else seals where nobody else runs.
                let grace = self.graceSeconds ?? (open.isAlone ? 0 : DataKeyRetirement.graceSeconds)
                var rotation = DataKeyRotation(administration: open.administration, graceSeconds: grace)
                try await self.rotate(&rotation, console)
            }
        }
    }

    private func rotate(_ rotation: inout DataKeyRotation, _ console: Console) async throws {
        let report = { (text: String) in if !self.json { console.line(text) } }
        if self.resume {
            try await rotation.administration.reloadKeys()
        } else {
            report("A new data key seals from now on: \(try await rotation.administration.rotateDataKey()).")
        }
        let progress = { (count: Int) in console.progress("Sealing anew: \(Text.count(count, "value")) …") }
        try await rotation.sweep(progress)
        console.progress("")
        report("Sealed anew: \(Text.count(rotation.resealedCount, "value")).")
        try await rotation.retire(progress)
        while !self.noWait, let until = rotation.retirement.waitsUntil {
            report(
                "The old key is kept until \(until), for gateways that have not heard of the new one. Waiting. If this is"
            )
            report("stopped, nothing is lost; go on later with: pomona keys rotate --resume")
            let rest = until.milliseconds(since: rotation.administration.now())
            try await Surroundings.system.sleep(max(1, rest))
            try await rotation.sweep(progress)
            try await rotation.retire(progress)
        }
        console.progress("")
        for id in rotation.retired { report("Deleted the old data key \(id).") }
        if self.json { console.line(try await rotation.json().text(pretty: true)) }
        if let failure = rotation.failure {
            // The report has it already.
            if self.json { throw ExitCode.failure }
            throw failure
        }
        if let until = rotation.retirement.waitsUntil {
            report("The old key is kept until \(until). Then say: pomona keys rotate --resume")
        } else if rotation.retired.isEmpty {
            report("There was no old data key to delete.")
        }
    }
}

/// The steps of a rotation, and what they have come to.
struct DataKeyRotation {
    let administration: Administration
    let graceSeconds: Int64
    private(set) var resealedCount = 0
    private(set) var retired: [String] = []
    private(set) var retirement = DataKeyRetirement()
    private var damagedCount = 0

    /// How often what was sealed under an old key meanwhile is swept up.
    private static let sweepsMax = 5

    init(administration: Administration, graceSeconds: Int64) {
        self.administration = administration
        self.graceSeconds = graceSeconds
    }

    mutating func sweep(_ progress: (Int) -> Void) async throws {
        var sweep = self.administration.sweepKeys()
        let earlier = self.resealedCount
        try await sweep.run { progress(earlier + $0) }
        self.resealedCount += sweep.resealedCount
        self.damagedCount = sweep.damagedCounts.values.reduce(0, +)
    }

    /// Deletes the old keys, if they may go by now. What was sealed under them since the last sweep is swept up first.
    mutating func retire(_ progress: (Int) -> Void) async throws {
        for _ in 0..<Self.sweepsMax {
            self.retirement = try await self.administration.retireDataKeys(graceSeconds: self.graceSeconds)
            self.retired += self.retirement.retired
            guard !self.retirement.stillNeeded.isEmpty, self.damagedCount == 0 else { return }
            try await self.sweep(progress)
        }
    }

    /// Why an old key had to stay.
    var failure: CommandFailure? {
        guard !self.retirement.stillNeeded.isEmpty else { return nil }
        let keys = self.retirement.stillNeeded.joined(separator: ", ")
        guard self.damagedCount > 0 else {
            return CommandFailure(
                .dataKeyInUse, stage: .keys,
                "Values are still being sealed under \(keys). Is there a gateway of an earlier version on the store? "
                    + "Stop it, then say: pomona keys rotate --resume")
        }
        return CommandFailure(
            .valuesDamaged, stage: .keys,
            "\(Text.count(self.damagedCount, "sealed value")) cannot be opened, so \(keys) is kept: the store was damaged or "
                + "changed by somebody. All others are sealed under the new key. Restore the damaged ones from a backup."
        )
    }

    func json() async throws -> JSON {
        let keys = try await self.administration.read { try $0.dataKeys() }
        var report = JSONObject()
        report["current"] = keys.last.map { .string($0.id) } ?? .null
        report["resealed"] = JSON(self.resealedCount)
        report["retired"] = .array(self.retired.map { .string($0) })
        report["waitsUntil"] = self.retirement.waitsUntil.map { .string($0.description) } ?? .null
        report["finished"] = .bool(keys.count == 1)
        if let failure = self.failure { report["error"] = failure.json["error"] }
        return .object(report)
    }
}
