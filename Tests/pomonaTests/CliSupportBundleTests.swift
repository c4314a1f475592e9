//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Redaction
import StrictJSON
import Testing

@testable import pomona

/// `pomona support bundle`, as a program.
@Suite("pomona support")
struct CliSupportBundleTests {
    @Test func bundleSaysWhatIsThereAndNoSecret() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = try CliFolder()
        let config = try folder.write(
            "pomona.json",
            """
            {"data": {"directory": "\(sandbox.data)"}, "http": {"port": 8099},
             "store": {"url": "sqlite:\(sandbox.data)/pomona.sqlite"}}
            """)
        let path = folder.file("bundle.json")
        let made = try await CliTool.pomona([
            "support", "bundle", "--data", sandbox.data, "--config", config, "--output", path,
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        #expect(made.stdout.contains(path))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let bundle = try JSON.parse(text)
        #expect(bundle["version"]?.string == Version.text)
        #expect(bundle["configuration"]?["keys"]?["http.port"]?["value"]?.string == "8099")
        #expect(bundle["configuration"]?["keys"]?["store.url"]?["value"]?.string == "(set)")
        #expect(bundle["store"]?["kind"]?.string == "sqlite")
        #expect((bundle["store"]?["counts"]?["payments"]?.integer ?? 0) > 0)
        #expect((bundle["findings"]?["findings"]?.array?.count ?? 0) > 5)
        // The demo's forged token.
        #expect((bundle["refusals"]?.array?.count ?? 0) > 0)
        #expect(bundle["alarms"]?.array != nil)
        #expect(bundle["metrics"] == nil)
        let masterKey = try String(contentsOfFile: sandbox.data + "/master.key", encoding: .utf8)
        #expect(!text.contains(masterKey.filter { $0 != "\n" }))
    }

    /// The store is the one that the configuration names, also where it does not answer.
    @Test func bundleHoldsNoPasswordOfADatabase() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = try CliFolder()
        let config = try folder.write(
            "pomona.json",
            """
            {"data": {"directory": "\(sandbox.data)"},
             "store": {"url": "postgresql://me:hush-hush-1234@127.0.0.1:1/p"}}
            """)
        let path = folder.file("bundle.json")
        let made = try await CliTool.pomona([
            "support", "bundle", "--data", sandbox.data, "--config", config, "--output", path,
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let bundle = try JSON.parse(text)
        #expect(bundle["configuration"]?["keys"]?["store.url"]?["value"]?.string == "(set)")
        #expect(bundle["store"]?["unavailable"]?.string?.isEmpty == false)
        #expect(!text.contains("hush-hush-1234") && !made.stderr.contains("hush-hush-1234"))
    }

    @Test func bundleSaysWhyAPartIsMissing() async throws {
        let folder = try CliFolder()
        let path = folder.file("bundle.json")
        let made = try await CliTool.pomona([
            "support", "bundle", "--data", folder.file("nothing"), "--metrics", "http://127.0.0.1:1/metrics",
            "--output", path,
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        let bundle = try JSON.parse(try String(contentsOfFile: path, encoding: .utf8))
        for part in ["findings", "store", "refusals", "alarms", "metrics"] {
            #expect(bundle[part]?["unavailable"]?.string?.isEmpty == false, "\(part)")
        }
    }

    @Test func bundleWritesOverNothing() async throws {
        let folder = try CliFolder()
        let path = try folder.write("bundle.json", "mine")
        let made = try await CliTool.pomona(["support", "bundle", "--data", folder.file("data"), "--output", path])
        #expect(made.exitCode == 1)
        #expect(made.stderr.contains("file_not_writable") && made.stderr.contains("--output"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test func whateverLooksLikeASecretIsTakenOut() {
        var sieve = SupportSieve(Scrubber([Redacted("hush-hush-1234")]))
        let json = sieve.sieved([
            "card 4111111111111111": ["text": "of hush-hush-1234", "number": .number("5105105105105100")],
            "list": [.string("4111 1111"), .number("42"), .bool(true), .null],
        ])
        #expect(
            json == [
                "card 4111…": ["text": "of …", "number": "5105…"],
                "list": [.string("4111 1111"), .number("42"), .bool(true), .null],
            ])
        #expect(sieve.hiddenCount == 3)
    }
}
