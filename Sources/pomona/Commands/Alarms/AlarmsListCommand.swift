//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona alarms list`: alarms that stand, or all that are remembered.
struct AlarmsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the alarms that stand.",
        usage: "pomona alarms list [--ended] [--limit <count>] [--json]",
        discussion: """
            A running gateway looks every half minute at what costs little, every ten minutes at acquirers and once an hour at \
            domains, the books and the audit log. An alarm begins once and ends once, on however many nodes. pomona doctor \
            looks at once, and at more.
            """)

    @OptionGroup var directory: DataOptions

    @Flag(help: "Those that have ended too, newest first, as many as --limit says.")
    var ended = false

    @OptionGroup var page: LimitOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (ended, limit) = (self.ended, self.page.limit)
            let alarms = try await store.read { reader in
                ended ? try reader.alarms(before: nil, limit: limit) : try reader.standingAlarms()
            }
            if self.json {
                let page: JSON = ["alarms": .array(alarms.map { .object($0.view) })]
                return console.line(page.text(pretty: true))
            }
            guard !alarms.isEmpty else {
                return console.line(ended ? "There has been no alarm." : console.styled("No alarm stands.", .good))
            }
            for alarm in alarms { Self.write(alarm, to: console) }
        }
    }

    private static func write(_ alarm: Alarm, to console: Console) {
        let whose = alarm.merchant.map { "\($0): " } ?? ""
        console.line(
            console.styled("\(alarm.severity.rawValue)  \(whose)\(alarm.text)", alarm.endedAt == nil ? .strong : .faint)
        )
        var fields = Fields()
        fields.add("what to do", alarm.advice.isEmpty ? nil : alarm.advice)
        fields.add("alarm", alarm.id.text)
        fields.add("kind", "\(alarm.kind.rawValue), \(alarm.code)")
        fields.add("of", alarm.subject)
        fields.add("since", alarm.begunAt.rfc3339Seconds)
        fields.add("ended", alarm.endedAt?.rfc3339Seconds)
        for line in fields.lines() { console.line(line) }
    }
}
