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

/// `pomona keys`: the keys under which the store's secrets are sealed.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List and change the keys that seal the store's secrets.",
        subcommands: [KeysListCommand.self, KeysRotateCommand.self])
}

/// `pomona keys list`. Needs no master key.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the data keys, and how much each seals. No key is shown.")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let keys = try await store.read { try DataKeyStatus.all(in: $0) }
            try await store.close()
            let now = Timestamp.now()
            if self.json {
                let list = keys.map { key -> JSON in
                    [
                        "id": .string(key.id), "createdAt": .string(key.createdAt.description),
                        "ageDays": JSON(key.ageDays(at: now)), "sealed": JSON(key.sealedCount),
                        "current": .bool(key.isCurrent),
                    ]
                }
                let report: JSON = ["keys": .array(list)]
                return console.line(report.text(pretty: true))
            }
            guard !keys.isEmpty else { return console.line("There are none yet: no gateway has run on this store.") }
            var table = Table([
                ("data key", .left), ("made", .left), ("days old", .right), ("seals", .right), ("", .left),
            ])
            for key in keys {
                table.add([
                    key.id, key.createdAt.description, "\(key.ageDays(at: now))", key.sealedCountText,
                    key.isCurrent ? "seals what is new" : "only opens",
                ])
            }
            for line in table.lines() { console.line(line) }
            if keys.count > 1 {
                console.line("A rotation is not finished. Go on with: pomona keys rotate --resume")
            }
        }
    }
}

extension DataKeyStatus {
    fileprivate var sealedCountText: String {
        let text = Text.count(self.sealedCount, "value")
        return self.sealedCount < Self.sealedCountMax ? text : text + " or more"
    }

    fileprivate func ageDays(at now: Timestamp) -> Int64 {
        max(0, now.milliseconds(since: self.createdAt) / 86_400_000)
    }
}
