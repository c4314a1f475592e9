//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import StrictJSON
import TestUpstream
import Testing
import Time

@testable import pomona

/// `pomona doctor --config`: what `pomona serve` would refuse to start with, and why.
struct ConfigurationExaminationTests {
    private static func findings(_ text: String) async -> [Finding] {
        await ConfigurationExamination(text: text, environment: [:]).findings()
    }

    private static func text(_ folder: CliFolder, _ rest: String = "") -> String {
        #"{"data": {"directory": "\#(folder.file("data"))"}, "http": {"port": 0}\#(rest)}"#
    }

    @Test func isGoodWhereAllIsInOrder() async throws {
        let folder = try CliFolder()
        let findings = await Self.findings(Self.text(folder))
        #expect(findings.map(\.code) == ["configuration_sound"] && findings.first?.severity == .good)
    }

    @Test(arguments: [
        (#"{"#, "configuration_file_malformed"),
        (#"{"data": {"directory": "/d"}, "htp": {}}"#, "configuration_key_unknown"),
        (#"{"data": {"directory": "/d"}, "http": {"port": "8080"}}"#, "configuration_value_invalid"),
        (#"{}"#, "configuration_key_missing"),
        (#"{"data": {"directory": "/d"}, "alarms": {"url": "https://a.example/"}}"#, "configuration_key_missing"),
        (#"{"data": {"directory": "/d"}, "alarms": {"secretFile": "/s"}}"#, "configuration_key_missing"),
        (
            #"{"data": {"directory": "/d"}, "alarms": {"url": "mailto:a", "secretFile": "/s"}}"#,
            "configuration_value_invalid"
        ),
    ])
    func saysWhatIsWrongWithAKey(text: String, code: String) async {
        let findings = await Self.findings(text)
        #expect(findings.map(\.code) == ["configuration_invalid"])
        #expect(findings.first?.subject == code && findings.first?.severity == .failure)
    }

    /// Of a listener and of the link alike, before it ends and once it has.
    @Test func saysWhenACertificateEnds() async throws {
        let folder = try CliFolder()
        let now = Timestamp(seconds: 1_800_000_000)
        let made = DataDirectory(path: folder.path)
        _ = try SandboxTLS(directory: made, host: "127.0.0.1", otherNames: [], now: now).identity()
        let (certificate, key) = (made.serverCertificatePath, made.serverKeyPath)
        let secret = try folder.write("secret", String(repeating: "ab", count: 32))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let texts = [
            (
                #", "https": {"port": 0}, "tls": {"certificateFile": "\#(certificate)", "privateKeyFile": "\#(key)"}"#,
                "tls.certificateFile"
            ),
            (
                #", "acquirer": {"address": "tcp://127.0.0.1:9", "secretFile": "\#(secret)", "authorityFile": "\#(made.caCertificatePath)", "certificateFile": "\#(certificate)", "privateKeyFile": "\#(key)"}"#,
                "acquirer.certificateFile"
            ),
        ]
        let end = now.adding(seconds: SandboxTLS.serverValiditySeconds)
        for (text, setting) in texts {
            for (moment, codes) in [
                (now, []), (end.adding(seconds: -86_400 * 6), ["server_certificate_ends"]),
                (end.adding(seconds: 1), ["server_certificate_ended"]),
            ] {
                let findings = await ConfigurationExamination(
                    text: Self.text(folder, text), environment: [:], now: { moment }
                ).findings()
                #expect(findings.map(\.code) == ["configuration_sound"] + codes, "\(setting)")
                guard let finding = findings.last, !codes.isEmpty else { continue }
                #expect(finding.severity == .failure && finding.advice?.contains(setting) == true)
            }
        }
    }

    /// A listener takes an RSA key of 1024 bits; what reads the certificate's end does not.
    @Test func saysThatACertificateCannotBeRead() async throws {
        let folder = try CliFolder()
        let (certificate, key) = (folder.file("server.pem"), folder.file("server.key"))
        let made = try await CliTool.openssl([
            "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=localhost", "-days", "1", "-keyout", key,
            "-out", certificate,
        ])
        try #require(made.exitCode == 0, "openssl: \(made.stderr)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let text = Self.text(
            folder,
            #", "https": {"port": 0}, "tls": {"certificateFile": "\#(certificate)", "privateKeyFile": "\#(key)"}"#)
        let findings = await Self.findings(text)
        #expect(findings.map(\.code) == ["configuration_sound", "server_certificate_unreadable"])
        #expect(findings.last?.severity == .warning && findings.last?.subject == "tls.certificateFile")
        #expect(findings.last?.advice?.contains("2048") == true)
        let config = try folder.write("config.json", text)
        for arguments in [["config", "check"], ["serve", "--check"]] {
            let checked = try await CliTool.pomona(arguments + ["--config", config])
            #expect(checked.exitCode == 0, "\(checked.stderr)")
            #expect(checked.stderr.contains("server_certificate_unreadable"), "\(checked.stderr)")
            #expect(!checked.stdout.contains("The configuration is in order."), "\(checked.stdout)")
        }
    }

    /// A script reads nothing but the exit code.
    @Test func aCheckThatFindsAFailureEndsAsDoctorDoes() async throws {
        let folder = try CliFolder()
        let made = DataDirectory(path: folder.path)
        let start = Surroundings.system.clock().adding(seconds: -SandboxTLS.serverValiditySeconds - 1)
        _ = try SandboxTLS(directory: made, host: "127.0.0.1", otherNames: [], now: start).identity()
        let config = try folder.write(
            "config.json",
            Self.text(
                folder,
                #", "https": {"port": 0}, "tls": {"certificateFile": "\#(made.serverCertificatePath)", "privateKeyFile": "\#(made.serverKeyPath)"}"#
            ))
        for arguments in [["config", "check"], ["serve", "--check"]] {
            let checked = try await CliTool.pomona(arguments + ["--config", config])
            #expect(checked.exitCode == 3, "\(checked.stderr)")
            #expect(checked.stderr.contains("failure: ") && checked.stderr.contains("server_certificate_ended"))
            #expect(checked.stdout.contains("A start would take the configuration"), "\(checked.stdout)")
        }
    }

    @Test func saysWhatIsWrongWithAFile() async throws {
        let folder = try CliFolder()
        let key = try folder.write("master.key", String(repeating: "ab", count: 32))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let open = await Self.findings(
            #"{"data": {"directory": "\#(folder.file("data"))", "masterKeyFile": "\#(key)"}, "http": {"port": 0}}"#)
        #expect(open.map(\.code) == ["configuration_files"] && open.first?.subject == "file_too_open")
        let gone = await Self.findings(
            Self.text(
                folder, #", "alarms": {"url": "https://a.example/", "secretFile": "\#(folder.file("none"))"}"#))
        #expect(gone.map(\.code) == ["configuration_files"] && gone.first?.subject == "file_missing")
        let short = try folder.write("secret", "fifteen letters")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: short)
        let weak = await Self.findings(
            Self.text(folder, #", "alarms": {"url": "https://a.example/", "secretFile": "\#(short)"}"#))
        #expect(weak.first?.subject == "file_malformed")
    }

    @Test func saysThatSomebodyListensOnAPort() async throws {
        let folder = try CliFolder()
        let server = try await StubUpstream { _, _ in StubAnswer(status: 200, body: "") }
        let text = #"{"data": {"directory": "\#(folder.file("data"))"}, "http": {"port": \#(server.port)}}"#
        let taken = await Self.findings(text)
        #expect(taken.map(\.code) == ["port_not_free"] && taken.first?.subject == "127.0.0.1:\(server.port)")
        let ofAdmin =
            #"{"data": {"directory": "\#(folder.file("data"))"}, "http": {"port": 0}, "admin": {"port": \#(server.port)}}"#
        #expect(await Self.findings(ofAdmin).map(\.code) == ["port_not_free"])
        // A gateway that runs on the directory listens there itself.
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        let lock = try directory.lock()
        #expect(await Self.findings(text).map(\.code) == ["configuration_sound"])
        lock.release()
        await server.close()
    }

    @Test func isAPartOfTheCommand() async throws {
        let sandbox = try await CliSandbox.copy()
        let config = try sandbox.folder.write(
            "config.json", #"{"data": {"directory": "\#(sandbox.data)"}, "htp": {}}"#)
        let result = try await CliTool.pomona(
            ["doctor", "--data", sandbox.data, "--offline", "--json", "--config", config])
        #expect(result.exitCode == 3)
        let first = try result.json()["findings"]?.array?.first
        #expect(first?["area"]?.string == "configuration" && first?["subject"]?.string == "configuration_key_unknown")
    }
}
