//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona alarms")
struct CliAlarmsTests {
    private static func alarm(_ sandbox: CliSandbox) async throws -> Alarm {
        let finding = Finding(
            .disk, "disk_nearly_full", .warning, "17 MiB are free.", because: "…", advice: "Make room.")
        let found = try #require(AlarmFinding(.disk, finding, node: "db1:/var/lib/pomona"))
        return try await DirectoryAccess.withAdministration(DataDirectory(path: sandbox.data)) { administration in
            try #require(
                try await administration.updateAlarms([found], in: [], reports: false).begun.first)
        }
    }

    @Test func listsWhatStandsAndEndsIt() async throws {
        let sandbox = try await CliSandbox.copy()
        let list = ["alarms", "list", "--data", sandbox.data]
        let none = try await CliTool.pomona(list)
        #expect(none.exitCode == 0 && none.stdout == "No alarm stands.\n", "\(none.stdout)\(none.stderr)")
        let alarm = try await Self.alarm(sandbox)
        let text = try await CliTool.pomona(list)
        #expect(text.stdout.hasPrefix("warning  17 MiB are free.") && text.stdout.contains("Make room."))
        #expect(text.stdout.contains("disk, disk_nearly_full") && text.stdout.contains("db1:/var/lib/pomona"))
        let json = try await CliTool.pomona(list + ["--json"]).json()
        #expect(json["alarms"]?.array?.map { $0["id"]?.string } == [alarm.id.text])
        let ended = try await CliTool.pomona(["alarms", "end", alarm.id.text, "--data", sandbox.data])
        #expect(ended.exitCode == 0 && ended.stdout == "Ended: 17 MiB are free.\n")
        #expect(try await CliTool.pomona(list).stdout == "No alarm stands.\n")
        let all = try await CliTool.pomona(list + ["--ended", "--json"]).json()
        #expect(all["alarms"]?.array?.first?["endedAt"]?.string != nil)
        let again = try await CliTool.pomona(["alarms", "end", alarm.id.text, "--data", sandbox.data, "--json"])
        #expect(again.exitCode == 1 && again.errorCode == "alarm_unknown")
        let audit = try await CliTool.pomona(["audit", "list", "--data", sandbox.data])
        #expect(audit.stdout.contains("alarm.end"), "\(audit.stdout)")
    }

    @Test(arguments: [["list", "--limit", "0"], ["end", "pay_1"], ["end"]])
    func refusesWhatCannotBeAsked(arguments: [String]) async throws {
        let result = try await CliTool.pomona(["alarms"] + arguments + ["--data", "/nowhere"])
        #expect(result.exitCode == 64)
    }
}
