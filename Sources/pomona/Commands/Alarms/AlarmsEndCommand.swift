//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON

/// `pomona alarms end`: ends an alarm that nobody looks after any more.
struct AlarmsEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End an alarm of a node that is gone.",
        usage: "pomona alarms end <id> [--data <dir>] [--json]",
        discussion: "An alarm whose cause is still there begins anew at the next look. The act stands in the audit log."
    )

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The alarm, as pomona alarms list shows it: alm_…", valueName: "id"))
    var id: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard AlarmID(self.id) != nil else {
            throw ValidationError("\(self.id) is no alarm's id: alm_ and 26 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let id = AlarmID(self.id) else { return }
            let alarm = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                try await administration.endAlarm(id)
            }
            if self.json {
                console.line(JSON.object(alarm.view).text(pretty: true))
            } else {
                console.line("Ended: \(alarm.text)")
            }
        }
    }
}
