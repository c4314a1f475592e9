//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import GRDB
import StrictJSON
import Testing

@testable import pomona

/// `pomona keys`, as a program.
@Suite("pomona keys", .serialized)
struct CliKeysTests {
    private static func keys(_ arguments: [String], _ data: String) async throws -> CliResult {
        try await CliTool.pomona(["keys"] + arguments + ["--data", data, "--json"])
    }

    private static func list(_ data: String) async throws -> [JSON] {
        let result = try await self.keys(["list"], data)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        return try #require(try result.json()["keys"]?.array)
    }

    private static func key(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).filter { $0 != "\n" }
    }

    /// Whatever a key may look like in a file or in an output.
    private static func expectNoKey(_ keys: [String], in bytes: Data, _ what: String) throws {
        for key in keys {
            let raw = Data(try #require(Hex.decode(key)))
            for spelling in [Data(key.utf8), Data(key.uppercased().utf8), raw, Data(raw.base64EncodedString().utf8)] {
                #expect(bytes.range(of: spelling) == nil, "a key is in \(what)")
            }
        }
    }

    private static func works(_ data: String) async throws {
        for arguments in [["ledger", "check"], ["audit", "verify"]] {
            let result = try await CliTool.pomona(arguments + ["--data", data, "--json"])
            #expect(result.exitCode == 0, "\(arguments): \(result.stdout)\(result.stderr)")
        }
    }

    @Test func rotationWithoutAServerIsFinishedAtOnce() async throws {
        let sandbox = try await CliSandbox.copy()
        let before = try await Self.list(sandbox.data)
        #expect(before.count == 1)
        let sealed = try #require(before[0]["sealed"]?.integer)
        #expect(sealed > 5)
        let result = try await Self.keys(["rotate"], sandbox.data)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        let report = try result.json()
        #expect(report["finished"]?.bool == true)
        #expect(report["waitsUntil"]?.isNull == true)
        #expect(report["retired"]?.array == [before[0]["id"] ?? .null])
        #expect((report["resealed"]?.integer ?? 0) >= sealed)
        let after = try await Self.list(sandbox.data)
        #expect(after.map { $0["id"] } == [report["current"]])
        #expect(after[0]["current"]?.bool == true && after[0]["ageDays"]?.integer == 0)

        let people = try await CliTool.pomona(["keys", "rotate", "--data", sandbox.data])
        #expect(people.exitCode == 0)
        #expect(people.stdout.contains("A new data key seals from now on: dk_"))
        #expect(people.stdout.contains("Deleted the old data key \(after[0]["id"]?.string ?? "")."))
        let table = try await CliTool.pomona(["keys", "list", "--data", sandbox.data])
        #expect(table.stdout.contains("seals what is new") && !table.stdout.contains("not finished"))
        try await Self.works(sandbox.data)
    }

    @Test func rotationBesideAServer() async throws {
        let sandbox = try await CliSandbox.copy()
        let server = try await SandboxProcess(data: sandbox.data)
        let shop = try Shop(url: server.http, data: sandbox.data)
        let masterKey = try Self.key("\(sandbox.data)/master.key")
        let begun = try await Self.keys(["rotate", "--no-wait"], sandbox.data)
        #expect(begun.exitCode == 0, "\(begun.stdout)\(begun.stderr)")
        #expect(try begun.json()["finished"]?.bool == false)
        #expect(try begun.json()["waitsUntil"]?.string != nil)
        #expect(try begun.json()["retired"]?.array == [])
        #expect(try await Self.list(sandbox.data).count == 2)
        let table = try await CliTool.pomona(["keys", "list", "--data", sandbox.data])
        #expect(table.stdout.contains("pomona keys rotate --resume"))

        func pay(_ number: Int) async throws {
            let id = try await shop.order("order-\(number)", amount: 500)
            #expect(try await shop.pay(id, amount: 500)["paymentStatus"]?.string == "SUCCESS")
        }
        try await pay(1)
        // Too soon for a server that has not heard of it, and yet it goes on.
        let ended = try await Self.keys(["rotate", "--resume", "--grace-seconds", "0"], sandbox.data)
        #expect(ended.exitCode == 0, "\(ended.stdout)\(ended.stderr)")
        #expect(try ended.json()["finished"]?.bool == true)
        try await pay(2)
        let nothing = try await CliTool.pomona(["keys", "rotate", "--resume", "--data", sandbox.data])
        #expect(nothing.exitCode == 0 && nothing.stdout.contains("There was no old data key to delete."))
        #expect(server.log.contains("audit log"))
        #expect(await server.stop() == 0)
        try await Self.works(sandbox.data)

        let outputs = [begun, ended, table, nothing].map { $0.stdout + $0.stderr }.joined() + server.log
        try Self.expectNoKey([masterKey], in: Data(outputs.utf8), "an output or the log")
        for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.data) where name.contains("sqlite") {
            let file = try #require(FileManager.default.contents(atPath: "\(sandbox.data)/\(name)"))
            try Self.expectNoKey([masterKey], in: file, name)
        }
    }

    @Test func masterKeyIsChangedBesideAServer() async throws {
        let sandbox = try await CliSandbox.copy()
        let path = "\(sandbox.data)/master.key"
        let old = try Self.key(path)
        let server = try await SandboxProcess(data: sandbox.data)
        // What a rotation leaves behind that was killed: no process has a number beyond PID_MAX_LIMIT (proc(5)).
        let left = path + ".old.2000000001.new"
        try FileSystem.writePrivate(old, to: left)
        let result = try await Self.keys(["rotate", "--master"], sandbox.data)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(!FileSystem.exists(left))
        try FileSystem.writePrivate(old, to: left)
        let report = try result.json()
        #expect(report["masterKeyFile"]?.string == path && report["oldKeyFile"]?.string == path + ".old")
        #expect(report["dataKeys"]?.integer == 1 && report["resumed"]?.bool == false)
        let new = try Self.key(path)
        #expect(new != old && new.count == 64)
        #expect(try Self.key(path + ".old") == old)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        let shop = try Shop(url: server.http, data: sandbox.data)
        let id = try await shop.order("order-1", amount: 500)
        #expect(try await shop.pay(id, amount: 500)["paymentStatus"]?.string == "SUCCESS")
        #expect(await server.stop() == 0)
        try await Self.works(sandbox.data)
        let again = try await SandboxProcess(data: sandbox.data)
        #expect(!FileSystem.exists(left))
        #expect(await again.stop() == 0)
        let outputs = result.stdout + result.stderr + server.log + again.log
        try Self.expectNoKey([old, new], in: Data(outputs.utf8), "an output or the log")

        // The old key opens nothing any more.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        #expect(try await Self.keys(["rotate"], sandbox.data).errorCode == "master_key_wrong")
    }

    /// Killed after the store's commit and before the files were swapped, or before the commit.
    @Test(arguments: [true, false]) func changeThatWasCutShortIsFinished(_ isCommitted: Bool) async throws {
        let sandbox = try await CliSandbox.copy()
        let path = "\(sandbox.data)/master.key"
        if isCommitted {
            #expect(try await Self.keys(["rotate", "--master"], sandbox.data).exitCode == 0)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".new")
            try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        } else {
            try Data(String(repeating: "ab", count: 32).utf8).write(to: URL(fileURLWithPath: path + ".new"))
            chmod(path + ".new", 0o600)
        }
        let next = try Self.key(path + ".new")
        try await Self.works(sandbox.data)
        let server = try await SandboxProcess(data: sandbox.data)
        #expect(await server.stop() == 0)
        let result = try await Self.keys(["rotate", "--master"], sandbox.data)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(try result.json()["resumed"]?.bool == isCommitted)
        #expect(try (Self.key(path) == next) == isCommitted)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        try await Self.works(sandbox.data)
    }

    @Test func masterKeyFromTheEnvironmentOrACommand() async throws {
        let sandbox = try await CliSandbox.copy()
        let path = "\(sandbox.data)/master.key"
        let key = try Self.key(path)
        let (kept, new) = (sandbox.folder.file("kept"), sandbox.folder.file("new.key"))
        try FileManager.default.moveItem(atPath: path, toPath: kept)
        let pomona = "'\(CliTool.pomona.path)'"
        func run(_ environment: String, _ arguments: String) async throws -> CliResult {
            try await CliTool.bash("\(environment) \(pomona) \(arguments) --data '\(sandbox.data)' --json")
        }
        let verify = "audit verify"
        #expect(try await run("", verify).errorCode == "file_missing")
        #expect(try await run("POMONA_MASTER_KEY=\(key)", verify).exitCode == 0)
        #expect(try await run("POMONA_DATA_MASTER_KEY_COMMAND='cat \(kept)'", verify).exitCode == 0)
        #expect(try await run("POMONA_DATA_MASTER_KEY_FILE=\(kept)", verify).exitCode == 0)
        let malformed = try await run("POMONA_MASTER_KEY=hush", verify)
        #expect(malformed.errorCode == "master_key_malformed" && !malformed.stdout.contains("hush"))
        let both = try await run("POMONA_MASTER_KEY=\(key) POMONA_DATA_MASTER_KEY_FILE=\(kept)", verify)
        #expect(both.errorCode == "master_key_ambiguous")
        #expect(!(both.stdout + both.stderr).contains(key))

        #expect(try await run("POMONA_MASTER_KEY=\(key)", "keys rotate --master").errorCode == "new_key_file_missing")
        let changed = try await run("POMONA_MASTER_KEY=\(key)", "keys rotate --master --new-key-file '\(new)'")
        #expect(changed.exitCode == 0, "\(changed.stdout)\(changed.stderr)")
        #expect(try changed.json()["masterKeyFile"]?.string == new)
        #expect(try changed.json()["oldKeyFile"]?.isNull == true)
        #expect(try await run("POMONA_MASTER_KEY=\(key)", verify).errorCode == "master_key_wrong")
        #expect(try await run("POMONA_MASTER_KEY=\(Self.key(new))", verify).exitCode == 0)
        // A key that is there is taken.
        let back = try await run("POMONA_DATA_MASTER_KEY_FILE=\(new)", "keys rotate --master --new-key-file '\(kept)'")
        #expect(back.exitCode == 0, "\(back.stdout)\(back.stderr)")
        #expect(try await run("POMONA_MASTER_KEY=\(key)", verify).exitCode == 0)
    }

    /// A command is given what `pomona serve` is given, and says what it lacks.
    @Test func masterKeyByTheServersConfiguration() async throws {
        let sandbox = try await CliSandbox.copy()
        let path = "\(sandbox.data)/master.key"
        let kept = sandbox.folder.file("kept.key")
        try FileManager.default.moveItem(atPath: path, toPath: kept)
        let configuration = try sandbox.folder.write(
            "pomona.json", #"{"data": {"directory": "\#(sandbox.data)", "masterKeyFile": "\#(kept)"}}"#)
        let without = try await CliTool.pomona(["audit", "verify", "--data", sandbox.data])
        #expect(without.exitCode == 1)
        for word in ["--config", "POMONA_DATA_MASTER_KEY_FILE", "systemd"] { #expect(without.stderr.contains(word)) }
        for data in [["--data", sandbox.data], []] {
            let verified = try await CliTool.pomona(["audit", "verify", "--config", configuration, "--json"] + data)
            #expect(verified.exitCode == 0, "\(verified.stdout)\(verified.stderr)")
        }
        let unread = try await CliTool.pomona(["audit", "verify", "--config", sandbox.folder.file("none"), "--json"])
        #expect(unread.errorCode == "file_missing" && unread.stdout.contains("/none"))
        let misspelled = try sandbox.folder.write("wrong.json", #"{"data": {"masterKeyFiel": "x"}}"#)
        let refused = try await CliTool.pomona([
            "audit", "verify", "--config", misspelled, "--data", sandbox.data, "--json",
        ])
        #expect(refused.errorCode == "configuration_key_unknown", "\(refused.stdout)")

        // What cannot be changed is refused before anything is; what can be is changed where it lies.
        let before = try Self.key(kept)
        let blind = try await Self.keys(["rotate", "--master"], sandbox.data)
        #expect(blind.errorCode == "file_missing")
        let link = sandbox.folder.file("link.key")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: kept)
        let rotate = "'\(CliTool.pomona.path)' keys rotate --master --data '\(sandbox.data)' --json"
        let linked = try await CliTool.bash("POMONA_DATA_MASTER_KEY_FILE='\(link)' \(rotate)")
        #expect(linked.errorCode == "new_key_file_missing" && linked.stdout.contains("is a link"))
        #expect(try Self.key(kept) == before && !FileManager.default.fileExists(atPath: kept + ".new"))
        let changed = try await CliTool.pomona(["keys", "rotate", "--master", "--config", configuration, "--json"])
        #expect(changed.exitCode == 0, "\(changed.stdout)\(changed.stderr)")
        #expect(try changed.json()["masterKeyFile"]?.string == kept)
        #expect(try Self.key(kept) != before && Self.key(kept + ".old") == before)
        #expect(try await CliTool.pomona(["audit", "verify", "--config", configuration]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        // Another store's key.
        try Data(String(repeating: "ab", count: 32).utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        let wrong = try await CliTool.pomona(["audit", "verify", "--data", sandbox.data, "--json"])
        #expect(wrong.errorCode == "master_key_wrong" && wrong.stdout.contains("--config"))
    }

    /// What the environment had is not passed on, nor shown by the kernel.
    @Test func masterKeyIsTakenOutOfTheEnvironment() async throws {
        let sandbox = try await CliSandbox.copy()
        let key = try Self.key("\(sandbox.data)/master.key")
        setenv("POMONA_TEST_UNUSED", "1", 1)
        defer { unsetenv("POMONA_TEST_UNUSED") }
        let script = """
            POMONA_MASTER_KEY=\(key) '\(CliTool.pomona.path)' sandbox --no-shop --port 0 --tls-port 0 \
            --data '\(sandbox.data)' --json > '\(sandbox.folder.file("ready"))' & server=$!
            while ! [ -s '\(sandbox.folder.file("ready"))' ] && kill -0 $server; do sleep 0.05; done
            tr '\\0' '\\n' < /proc/$server/environ | grep POMONA_MASTER_KEY
            kill $server; wait $server
            """
        let result = try await CliTool.bash(script)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.contains("POMONA_MASTER_KEY="))
        #expect(!result.stdout.contains(key.prefix(8)))
    }

    @Test(arguments: [
        ["rotate", "--master", "--resume"], ["rotate", "--new-key-file", "x"], ["rotate", "--grace-seconds", "-1"],
        ["rotate", "--master", "--grace-seconds", "1"],
    ])
    func wrongOptionsAreRefused(_ arguments: [String]) async throws {
        let result = try await CliTool.pomona(["keys"] + arguments + ["--data", "/nonexistent"])
        #expect(result.exitCode == 64)
    }

    @Test func damagedValueIsReportedAndNothingIsLost() async throws {
        let sandbox = try await CliSandbox.copy()
        let queue = try DatabaseQueue(path: "\(sandbox.data)/pomona.sqlite")
        try await queue.write {
            try $0.execute(sql: "UPDATE account_secrets SET box = x'00' WHERE dialect = 'alphapay'")
        }
        try queue.close()
        let result = try await Self.keys(["rotate"], sandbox.data)
        #expect(result.exitCode == 1)
        #expect(try result.json()["finished"]?.bool == false)
        #expect(result.errorCode == "values_damaged")
        #expect(try await Self.list(sandbox.data).count == 2)
    }

    /// A trigger does what a gateway of an earlier version would: it goes on sealing under the old key.
    @Test func keyUnderWhichValuesAreStillSealedIsKept() async throws {
        let sandbox = try await CliSandbox.copy()
        let queue = try DatabaseQueue(path: "\(sandbox.data)/pomona.sqlite")
        try await queue.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER earlier_version AFTER UPDATE ON store_secrets WHEN old.name = 'audit' BEGIN
                        UPDATE store_secrets SET key_id = old.key_id, box = old.box WHERE name = old.name;
                    END
                    """)
        }
        try queue.close()
        let result = try await Self.keys(["rotate"], sandbox.data)
        #expect(result.exitCode == 1 && result.errorCode == "data_key_in_use", "\(result.stdout)\(result.stderr)")
        #expect(try result.json()["finished"]?.bool == false && result.json()["retired"] == [])
        #expect(try await Self.list(sandbox.data).count == 2)
        try await Self.works(sandbox.data)
    }
}
