//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import StrictJSON
import Testing

/// `pomona audit`, as a program, and what somebody who can write to the database may try.
@Suite("pomona audit")
struct CliAuditTests {
    private static func audit(_ arguments: [String], _ data: String) async throws -> CliResult {
        try await CliTool.pomona(["audit"] + arguments + ["--data", data, "--json"])
    }

    /// Runs SQL on the file, with the triggers that keep the log as it is taken away.
    private static func tamper(_ data: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: "\(data)/pomona.sqlite")
        try queue.write { database in
            for trigger in ["audit_entries_never_update", "audit_entries_never_delete"] {
                try database.execute(sql: "DROP TRIGGER \(trigger)")
            }
            try database.execute(sql: sql)
        }
        try queue.close()
    }

    @Test func actsAreListed() async throws {
        let sandbox = try await CliSandbox.copy()
        let all = try await Self.audit(["list"], sandbox.data).json()
        let entries = try #require(all["entries"]?.array)
        #expect(all["hasMore"]?.bool == false)
        #expect(entries.compactMap { $0["number"]?.integer } == Array(1...Int64(entries.count)))
        let acts = Set(entries.compactMap { $0["act"]?.string })
        #expect(acts.contains("merchant.create") && acts.contains("account.write"))
        #expect(entries.allSatisfy { $0["actor"]?.string?.contains("@") == true })

        let set = [
            "merchant", "settings", "--merchant", "commweb", "set", "notifyURL=https://hush-1234.example/n",
            "notificationFormat=NVP",
        ]
        let changed = try await CliTool.pomona(set + ["--data", sandbox.data])
        #expect(changed.exitCode == 0, "\(changed.stdout)\(changed.stderr)")
        let file = try sandbox.folder.write("association", "text from Apple")
        let domain = ["--merchant", "commweb", "--host", "shop.example", "--data", sandbox.data]
        #expect(try await CliTool.pomona(["domain", "add", "--file", file] + domain).exitCode == 0)
        #expect(try await CliTool.pomona(["domain", "remove"] + domain).exitCode == 0)
        #expect(try await CliTool.pomona(["domain", "remove"] + domain).exitCode == 1)
        let migrated = try await CliTool.pomona(["store", "migrate", "--data", sandbox.data, "--json"])
        #expect(try migrated.json()["logged"]?.bool == true)

        let new = try await Self.audit(["list", "--after", "\(entries.count)"], sandbox.data)
        let found = try #require(try new.json()["entries"]?.array)
        #expect(
            found.compactMap { $0["act"]?.string }
                == ["account.settings", "domain.add", "domain.remove", "store.migrate"])
        #expect(found.compactMap { $0["subject"]?.string } == ["commweb", "shop.example", "shop.example", ""])
        #expect(found[0]["details"]?["settings"]?.string == "notificationFormat notifyURL")
        #expect(!new.stdout.contains("hush"))
        let people = try await CliTool.pomona(["audit", "list", "--data", sandbox.data, "--limit", "1"])
        #expect(people.stdout.contains("account.bind") && people.stdout.contains("There are more: --after 1"))
    }

    @Test func soundLogPasses() async throws {
        let sandbox = try await CliSandbox.shared()
        let result = try await Self.audit(["verify"], sandbox.data)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        let report = try result.json()
        #expect(report["sound"]?.bool == true && report["firstBreak"]?.isNull == true)
        let head = try #require(report["head"]?.string)
        let last = try await Self.audit(["list"], sandbox.data).json()["entries"]?.array?.last
        #expect(last?["digest"]?.string == head && last?["number"]?.integer == report["entries"]?.integer)
        #expect(try await Self.audit(["verify", "--head", head], sandbox.data).exitCode == 0)
        let people = try await CliTool.pomona(["audit", "verify", "--data", sandbox.data])
        #expect(people.exitCode == 0)
        #expect(people.stdout.contains("Sound: ") && people.stdout.contains("Head: \(head)"))
    }

    @Test(arguments: [
        ("UPDATE audit_entries SET actor = 'nobody@nowhere' WHERE number = 2", Int64(2), "changed"),
        ("UPDATE audit_entries SET subject = 'other' WHERE number = 3", 3, "changed"),
        ("UPDATE audit_entries SET at = at + 1 WHERE number = 1", 1, "changed"),
        ("UPDATE audit_entries SET act = 'domain.add' WHERE number = 2", 2, "changed"),
        ("UPDATE audit_entries SET details = '{}' WHERE number = 2", 2, "changed"),
        // Not even to be read any more.
        ("UPDATE audit_entries SET details = 'x' WHERE number = 2", 2, "changed"),
        ("UPDATE audit_entries SET details = 'x' WHERE number = 1", 1, "changed"),
        ("UPDATE audit_entries SET digest = zeroblob(32) WHERE number = 2", 2, "changed"),
        ("UPDATE audit_entries SET previous_digest = zeroblob(32) WHERE number = 2", 2, "unlinked"),
        ("DELETE FROM audit_entries WHERE number = 3", 3, "missing"),
        ("DELETE FROM audit_entries WHERE number = 1", 1, "missing"),
        ("DELETE FROM audit_entries WHERE number BETWEEN 2 AND 4", 2, "missing"),
        // Taken out, and those after it moved up.
        (
            """
            DELETE FROM audit_entries WHERE number = 3;
            UPDATE audit_entries SET number = -number WHERE number > 3;
            UPDATE audit_entries SET number = -number - 1 WHERE number < 0;
            """, 3, "unlinked"
        ),
        // Two in each other's place.
        (
            """
            UPDATE audit_entries SET number = 1000000 WHERE number = 2;
            UPDATE audit_entries SET number = 2 WHERE number = 3;
            UPDATE audit_entries SET number = 3 WHERE number = 1000000;
            """, 2, "unlinked"
        ),
        // One put in: a copy of another, well linked.
        (
            """
            UPDATE audit_entries SET number = number + 1000000 WHERE number > 2;
            UPDATE audit_entries SET number = number - 999999 WHERE number > 1000000;
            INSERT INTO audit_entries SELECT 3, at, actor, act, subject, details,
                (SELECT digest FROM audit_entries WHERE number = 2), digest FROM audit_entries WHERE number = 5;
            """, 3, "changed"
        ),
        ("DELETE FROM audit_entries", 1, "emptied"),
        ("DELETE FROM store_secrets", 1, "keyMissing"),
        ("DELETE FROM audit_entries; DELETE FROM store_secrets", 1, "emptied"),
    ])
    func tamperingIsFoundWhereItBegins(_ sql: String, _ number: Int64, _ reason: String) async throws {
        let sandbox = try await CliSandbox.copy()
        // Numbers below zero are refused by the table itself, while they are moved.
        try Self.tamper(sandbox.data, "PRAGMA ignore_check_constraints = ON; " + sql)
        let result = try await Self.audit(["verify"], sandbox.data)
        #expect(result.exitCode == 1, "\(result.stdout)\(result.stderr)")
        #expect(result.errorCode == "audit_broken" && result.errorStage == "audit")
        let first = try result.json()["firstBreak"]
        #expect(first?["number"]?.integer == number && first?["reason"]?.string == reason, "\(result.stdout)")
        #expect(try result.json()["entries"]?.integer == number - 1)
        let people = try await CliTool.pomona(["audit", "verify", "--data", sandbox.data])
        #expect(people.exitCode == 1 && people.stderr.contains("audit_broken"))
    }

    /// What the chain alone can't show.
    @Test func truncationIsFoundByAHeadThatWasNoted() async throws {
        let sandbox = try await CliSandbox.copy()
        let before = try await Self.audit(["verify"], sandbox.data).json()
        let head = try #require(before["head"]?.string)
        let count = try #require(before["entries"]?.integer)
        try Self.tamper(sandbox.data, "DELETE FROM audit_entries WHERE number > \(count - 2)")
        let alone = try await Self.audit(["verify"], sandbox.data)
        #expect(alone.exitCode == 0)
        #expect(try alone.json()["entries"]?.integer == count - 2)
        let noted = try await Self.audit(["verify", "--head", head], sandbox.data)
        #expect(noted.exitCode == 1)
        #expect(noted.errorCode == "audit_head_missing")
    }

    @Test(arguments: [["verify", "--head", "12"], ["list", "--after", "-1"], ["list", "--limit", "0"]])
    func wrongOptionsAreRefused(_ arguments: [String]) async throws {
        let result = try await CliTool.pomona(["audit"] + arguments + ["--data", "/nonexistent"])
        #expect(result.exitCode == 64)
    }

    /// Every act has its line in docs/secrets.md.
    @Test func everyActIsExplained() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/secrets.md"), encoding: .utf8)
        let sources = root.appendingPathComponent("Sources")
        var acts: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            guard text.contains("AuditAct(\"") else { continue }
            acts.formUnion(text.matches(of: /static let \w+ = AuditAct\("([\w.]+)"\)/).map { String($0.1) })
        }
        #expect(acts.count > 50)
        for act in acts.sorted() { #expect(page.contains("`\(act)`"), "\(act)") }
    }
}
