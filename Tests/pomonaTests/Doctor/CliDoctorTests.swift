//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona doctor")
struct CliDoctorTests {
    private static func doctor(_ sandbox: CliSandbox, _ arguments: [String] = []) async throws -> CliResult {
        try await CliTool.pomona(["doctor", "--data", sandbox.data] + arguments)
    }

    @Test func findsNothingWrongWithAReadyMerchant() async throws {
        let sandbox = try await CliSandbox.copy()
        let text = try await Self.doctor(sandbox, ["--merchant", "payone"])
        #expect(text.exitCode == 0 && text.stdout.hasPrefix("Nothing is wrong"), "\(text.stdout)\(text.stderr)")
        let json = try await Self.doctor(sandbox, ["--all", "--json", "--merchant", "payone"]).json()
        #expect(json["worst"]?.string == "good")
        let findings = try #require(json["findings"]?.array)
        #expect(
            Set(findings.compactMap { $0["area"]?.string }) == [
                "directory", "disk", "certificate", "route", "acquirer", "operations", "webhooks", "store",
            ])
        #expect(Set(findings.compactMap { $0["merchant"]?.string }) == ["payone"])
    }

    /// The demo has had a second gateway behind an acquirer account, which is not there any more.
    @Test func asksAcquirersUnlessItIsOffline() async throws {
        let sandbox = try await CliSandbox.copy()
        let asked = try await Self.doctor(sandbox, ["--json"])
        #expect(asked.exitCode == 3)
        let codes = try asked.json()["findings"]?.array?.map { $0["code"]?.string }
        #expect(codes == ["acquirer_fails", "account_without_route"])
        let offline = try await Self.doctor(sandbox, ["--offline"])
        #expect(offline.exitCode == 0 && offline.stdout.hasPrefix("notice   tappay: No route leads to"))
    }

    /// The demo's account with the second gateway takes up to 30 seconds, and a gateway waits 32 unless it is said.
    @Test func comparesDeadlinesWithTheConfiguration() async throws {
        let sandbox = try await CliSandbox.copy()
        for (seconds, codes) in [(30, []), (29, ["deadline_short"])] as [(Int, [String?])] {
            let configuration: JSON = [
                "data": ["directory": .string(sandbox.data)], "http": ["port": 0],
                "acquirer": ["deadlineSeconds": JSON(Int64(seconds))],
            ]
            let config = try sandbox.folder.write("config.json", configuration.text())
            let result = try await Self.doctor(sandbox, ["--offline", "--json", "--config", config])
            let found = try result.json()["findings"]?.array?.filter { $0["severity"]?.string != "notice" }
            #expect(found?.map { $0["code"]?.string } == codes, "\(result.stdout)")
        }
    }

    @Test func saysWhatIsWrongAndWhatToDoAndExitsBySeverity() async throws {
        let sandbox = try await CliSandbox.copy()
        let target = ["--data", sandbox.data, "--merchant", "payone", "--name", "simulator"]
        #expect(try await CliTool.pomona(["acquirer", "suspend"] + target).exitCode == 0)
        let text = try await Self.doctor(sandbox, ["--offline", "--merchant", "payone"])
        #expect(text.exitCode == 3)
        #expect(
            text.stdout.contains("payone: The acquirer account simulator, which payments would take, is suspended."))
        #expect(
            text.stdout.contains("pomona acquirer resume --merchant payone --name simulator --data \(sandbox.data)"))
        let json = try await Self.doctor(sandbox, ["--offline", "--json", "--merchant", "payone"])
        #expect(json.exitCode == 3)
        #expect(try json.json()["worst"]?.string == "failure")
        #expect(
            try json.json()["findings"]?.array?.map { $0["code"]?.string } == [
                "route_missing", "route_to_suspended_account",
            ])
        let other = try await Self.doctor(sandbox, ["--offline", "--merchant", "radial"])
        #expect(other.exitCode == 0)
    }

    @Test func refusesWhatItCannotLookAt() async throws {
        let sandbox = try await CliSandbox.copy()
        let unknown = try await Self.doctor(sandbox, ["--merchant", "nobody", "--json"])
        #expect(unknown.exitCode == 1 && unknown.errorCode == "merchant_unknown")
        let trust = try await Self.doctor(sandbox, ["--trust", "/nowhere", "--json"])
        #expect(trust.exitCode == 1 && trust.errorCode == "file_missing", "\(trust.stdout)\(trust.stderr)")
        let folder = try CliFolder()
        let empty = try await CliTool.pomona(["doctor", "--data", folder.file("none"), "--json"])
        #expect(empty.exitCode == 1 && empty.errorCode == "file_missing")
    }

    @Test func failsForADirectoryThatOthersMayRead() async throws {
        let sandbox = try await CliSandbox.copy()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: DataDirectory(path: sandbox.data).masterKeyPath)
        let found = try await Self.doctor(sandbox, ["--json"])
        #expect(found.exitCode == 3)
        #expect(try found.json()["findings"]?.array?.first?["code"]?.string == "directory_too_open")
    }

    /// As on a second node, and after a restore of the store and the master key alone.
    @Test func warnsWhereSandboxMerchantsHaveNoAuthority() async throws {
        let sandbox = try await CliSandbox.copy()
        let directory = DataDirectory(path: sandbox.data)
        try FileManager.default.moveItem(atPath: directory.authorityPath, toPath: sandbox.folder.file("kept"))
        for arguments in [[], ["--merchant", "payone"]] {
            let found = try await Self.doctor(sandbox, ["--offline", "--json"] + arguments)
            #expect(found.exitCode == 2, "\(found.stdout)")
            let finding = try found.json()["findings"]?.array?.first
            #expect(finding?["code"]?.string == "simulator_authority_missing")
            #expect(finding?["severity"]?.string == "warning")
            #expect(finding?["subject"]?.string == directory.authorityPath)
        }
        try FileManager.default.moveItem(atPath: sandbox.folder.file("kept"), toPath: directory.authorityPath)
        let whole = try await Self.doctor(sandbox, ["--offline", "--json"])
        #expect(!whole.stdout.contains("simulator_authority_missing"))
    }

    /// What does not help is not advised: tables of an earlier version are none of these.
    @Test func advisesWhatHelpsAStoreThatTakesNoCommits() async throws {
        let sandbox = try await CliSandbox.copy()
        let directory = DataDirectory(path: sandbox.data)
        let good = await StoreExamination(directory: directory).finding()
        #expect(good.code == "store_writable")
        try directory.remember(try StoreLocation(text: "postgresql://pomona@127.0.0.1:1/pomona"))
        let down = await StoreExamination(directory: directory).finding()
        #expect(down.code == "store_not_writable" && down.command == nil)
        #expect(down.advice?.contains("database server") == true)
        let other = try sandbox.folder.write("other.sqlite", "no database")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        try directory.remember(.sqlite(path: other))
        let unreadable = await StoreExamination(directory: directory).finding()
        #expect(unreadable.code == "store_not_writable" && unreadable.command == nil)
        #expect(unreadable.advice?.contains(other) == true)
    }

    @Test(arguments: [
        (DirectoryExamination.freeBytesWarning, "disk_has_room", Finding.Severity.good),
        (DirectoryExamination.freeBytesWarning - 1, "disk_nearly_full", .warning),
        (DirectoryExamination.freeBytesFailure - 1, "disk_nearly_full", .failure),
    ])
    func warnsBeforeTheDiskIsFull(free: Int64, code: String, severity: Finding.Severity) throws {
        let folder = try CliFolder()
        var examination = DirectoryExamination(directory: DataDirectory(path: folder.path))
        examination.space = { _ in (free, 1 << 40) }
        let finding = try #require(examination.findings().first { $0.area == .disk })
        #expect(finding.code == code && finding.severity == severity)
        examination.space = { _ in nil }
        #expect(!examination.findings().contains { $0.area == .disk })
    }

    /// One disk is spoken of once.
    @Test func looksAtTheDiskThatTheStoreLiesOn() throws {
        let folder = try CliFolder()
        let elsewhere = folder.file("elsewhere")
        try FileSystem.makePrivateDirectory(elsewhere)
        var examination = DirectoryExamination(directory: DataDirectory(path: folder.path))
        examination.store = .sqlite(path: elsewhere + "/x.sqlite")
        examination.space = { ($0.hasSuffix("/elsewhere") ? 0 : 1 << 40, 1 << 40) }
        #expect(examination.room().map(\.code) == ["disk_has_room"])
        examination.fileSystem = { $0.hasSuffix("/elsewhere") ? 2 : 1 }
        #expect(examination.room().map(\.code) == ["disk_has_room", "disk_nearly_full"])
        #expect(examination.room().last?.subject?.hasSuffix("/elsewhere") == true)
        examination.store = .sqlite(path: folder.file("x.sqlite"))
        #expect(examination.room().count == 1)
    }
}
