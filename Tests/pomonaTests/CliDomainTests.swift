//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@Suite("pomona domain")
struct CliDomainTests {
    private static let file = "7B227073704964223A2239363432"

    private func domain(_ sandbox: CliSandbox, _ arguments: [String], stdin: String? = nil) async throws -> CliResult {
        try await CliTool.pomona(["domain"] + arguments + ["--data", sandbox.data], stdin: stdin)
    }

    @Test func addsListsAndRemoves() async throws {
        let sandbox = try await CliSandbox.copy()
        let path = try sandbox.folder.write("association", Self.file)
        let target = ["--merchant", "payone", "--host", "Shop.Example.com"]
        let added = try await self.domain(sandbox, ["add", "--file", path, "--json"] + target)
        #expect(added.exitCode == 0, "\(added.stdout)\(added.stderr)")
        #expect(try added.json()["host"] == "shop.example.com")
        let again = try await self.domain(
            sandbox, ["add", "--file", "-", "--merchant", "radial", "--host", "shop.example.com"], stdin: Self.file)
        #expect(again.exitCode == 0 && again.stdout.contains("shop.example.com"))
        let list = try await self.domain(sandbox, ["list", "--json"]).json()
        let expected: JSON = [
            "domains": [["host": "shop.example.com", "merchants": ["payone", "radial"], "bytes": 28]]
        ]
        #expect(list == expected)
        #expect(try await self.domain(sandbox, ["list"]).stdout.contains("payone, radial"))
        let filtered = try await self.domain(sandbox, ["list", "--json", "--merchant", "alphapay"]).json()
        #expect(filtered["domains"]?.array?.isEmpty == true)
        for merchant in ["payone", "radial"] {
            let removed = try await self.domain(
                sandbox, ["remove", "--json", "--merchant", merchant, "--host", "shop.example.com"])
            #expect(try removed.json()["removed"] == true)
        }
        #expect(try await self.domain(sandbox, ["list"]).stdout.contains("pomona domain add"))
    }

    @Test func refusesWithAReason() async throws {
        let sandbox = try await CliSandbox.copy()
        let path = try sandbox.folder.write("association", Self.file)
        let target = ["--merchant", "payone", "--host", "shop.example.com", "--json"]
        let nobody = try await self.domain(
            sandbox, ["add", "--file", path, "--merchant", "nobody", "--host", "shop.example.com", "--json"])
        #expect(nobody.exitCode == 1 && nobody.errorCode == "merchant_unknown")
        let listed = try await self.domain(sandbox, ["list", "--merchant", "nobody", "--json"])
        #expect(listed.exitCode == 1 && listed.errorCode == "merchant_unknown", "\(listed.stdout)")
        let missing = try await self.domain(sandbox, ["add", "--file", "/nowhere"] + target)
        #expect(missing.exitCode == 1 && missing.errorCode == "file_unreadable")
        let long = try sandbox.folder.write("long", String(repeating: "x", count: 64 * 1024 + 1))
        #expect(try await self.domain(sandbox, ["add", "--file", long] + target).errorCode == "file_too_large")
        let binary = try sandbox.folder.write("binary", bytes: [0xFF, 0x00])
        let malformed = try await self.domain(sandbox, ["add", "--file", binary] + target)
        #expect(malformed.errorCode == "domain_file_malformed")
        let unknown = try await self.domain(sandbox, ["remove"] + target)
        #expect(unknown.exitCode == 1 && unknown.errorCode == "domain_unknown")
        let other = try sandbox.folder.write("other", "other")
        #expect(try await self.domain(sandbox, ["add", "--file", path] + target).exitCode == 0)
        let taken = try await self.domain(
            sandbox, ["add", "--file", other, "--merchant", "radial", "--host", "shop.example.com", "--json"])
        #expect(taken.exitCode == 1 && taken.errorCode == "domain_taken")
        let empty = try CliFolder()
        let noStore = try await CliTool.pomona(["domain", "list", "--data", empty.path, "--json"])
        #expect(noStore.exitCode == 1 && noStore.errorCode == "file_missing")
    }

    @Test(arguments: ["https://shop.example.com", "shop.example.com:443", "../../etc", ""])
    func refusesHostsThatAreNone(host: String) async throws {
        let sandbox = try await CliSandbox.shared()
        let result = try await self.domain(
            sandbox, ["add", "--file", "-", "--merchant", "payone", "--host", host], stdin: Self.file)
        #expect(result.exitCode == 64)
    }
}
