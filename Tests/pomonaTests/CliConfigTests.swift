//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@testable import pomona

/// `pomona config`, as a program.
@Suite("pomona config")
struct CliConfigTests {
    @Test func whatInitWritesIsInOrder() async throws {
        let folder = try CliFolder()
        let written = try await CliTool.pomona([
            "config", "init", "--data", folder.file("data"), "--port", "0", "--store",
            "sqlite:\(folder.file("s.sqlite"))",
        ])
        #expect(written.exitCode == 0, "\(written.stderr)")
        let json = try written.json()
        #expect(json["http"]?["port"]?.integer == 0)
        #expect(json["data"]?["directory"]?.string == folder.file("data"))
        let file = try folder.write("pomona.json", written.stdout)
        let checked = try await CliTool.pomona(["config", "check", "--config", file])
        #expect(checked.exitCode == 0, "\(checked.stderr)")
        #expect(checked.stdout == "The configuration is in order.\n")
        let started = try await CliTool.pomona(["serve", "--check", "--config", file])
        #expect(started.stdout == checked.stdout)
    }

    @Test func initRefusesWhatTheKeyMayNotBe() async throws {
        let refused = try await CliTool.pomona(["config", "init", "--port", "70000"])
        #expect(refused.exitCode == 1)
        #expect(refused.stdout.isEmpty)
        #expect(refused.stderr.contains("http.port") && refused.stderr.contains("configuration_value_invalid"))
    }

    @Test func checkNamesWhatIsWrong() async throws {
        let folder = try CliFolder()
        let file = try folder.write("pomona.json", #"{"http": {"prot": 1}}"#)
        let unknown = try await CliTool.pomona(["config", "check", "--config", file])
        #expect(unknown.exitCode == 1)
        #expect(unknown.stderr.contains("http.prot") && unknown.stderr.contains("http.port"))
        let missing = try folder.write("other.json", "{}")
        let incomplete = try await CliTool.pomona(["config", "check", "--config", missing])
        #expect(incomplete.stderr.contains("data.directory") && incomplete.exitCode == 1)
    }

    @Test func explainSaysWhoSetsAKey() async throws {
        let folder = try CliFolder()
        let file = try folder.write(
            "pomona.json", #"{"http": {"port": 81}, "store": {"url": "postgresql://me:hush-1234@db/p"}}"#)
        let explained = try await CliTool.bash(
            "POMONA_LOG_LEVEL=debug POMONA_HTTP_PORT=tcp://10.0.0.1:80 '\(CliTool.pomona.path)' config explain "
                + "http store.url log.level --config '\(file)' --json")
        #expect(explained.exitCode == 0, "\(explained.stderr)")
        let keys = try #require(try explained.json().array)
        let find = { (name: String) in keys.first { $0["key"]?.string == name } }
        #expect(find("http.port")?["value"] == "81")
        // Kubernetes's own variable sets nothing.
        #expect(find("http.port")?["source"] == "the file")
        #expect(find("http.host")?["source"] == nil)
        #expect(find("http.host")?["value"] == find("http.host")?["standard"])
        #expect(find("log.level")?["source"] == "POMONA_LOG_LEVEL")
        #expect(find("log.level")?["value"] == "debug")
        #expect(find("store.url")?["value"] == "(set)")
        #expect(!explained.stdout.contains("hush-1234"))
        #expect(keys.allSatisfy { ["http", "store", "log"].contains($0["key"]?.string?.prefix { $0 != "." }) })
    }

    @Test func explainListsEveryKey() async throws {
        let explained = try await CliTool.pomona(["config", "explain"])
        // As docs/configuration.md lists them: those of a provider of sign-in under {name}.
        for key in ConfigurationKey.all {
            #expect(
                explained.stdout.contains("\(key.name) (\(key.environmentName))\n  \(key.meaning)\n"), "\(key.name)")
        }
        let unknown = try await CliTool.pomona(["config", "explain", "htp.port"])
        #expect(unknown.exitCode == 1)
        #expect(unknown.stderr.contains("Did you mean http.port?"))
    }

    /// Where nothing names a provider yet, its keys are found by the words that the documents have for them.
    @Test(arguments: [
        ("admin.openid", "{name}", 8), ("admin.openid.{name}.issuer", "{name}", 1),
        ("admin.openid.company", "company", 8), ("admin.openid.company.issuer", "company", 1),
    ])
    func explainKnowsTheKeysOfProviders(_ name: String, _ provider: String, _ count: Int) async throws {
        let explained = try await CliTool.pomona(["config", "explain", name, "--json"])
        #expect(explained.exitCode == 0, "\(explained.stdout)\(explained.stderr)")
        let keys = try #require(try explained.json().array)
        #expect(keys.count == count)
        #expect(keys.first?["key"]?.string == "admin.openid.\(provider).issuer")
        #expect(keys.first?["environment"]?.string == "POMONA_ADMIN_OPENID_\(provider.uppercased())_ISSUER")
        #expect(keys.first?["value"] == nil)
    }

    @Test func explainShowsTheProvidersThatThereAreInPlaceOfTheTemplate() async throws {
        let folder = try CliFolder()
        let file = try folder.write(
            "pomona.json",
            #"{"admin": {"openid": {"company": {"issuer": "https://a.example", "clientId": "b"}}}}"#)
        let explained = try await CliTool.pomona(["config", "explain", "--config", file, "--json"])
        let keys = try #require(try explained.json().array)
        let names = keys.compactMap { $0["key"]?.string }
        #expect(names.contains("admin.openid.company.issuer"))
        #expect(!names.contains { $0.contains("{") })
        for wrong in ["admin.openid.Company.issuer", "admin.openid.company.isuer"] {
            let refused = try await CliTool.pomona(["config", "explain", wrong, "--config", file, "--json"])
            #expect(refused.exitCode == 1 && refused.errorCode == "configuration_key_unknown", "\(refused.stdout)")
        }
    }
}
