//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

@testable import pomona

/// What an operator looks at first, and what a text names, at the shell.
@Suite("pomona home, pomona search")
struct CliHomeTests {
    private func pomona(_ arguments: [String], json: Bool = true) async throws -> CliResult {
        let sandbox = try await CliSandbox.shared()
        return try await CliTool.pomona(arguments + ["--data", sandbox.data] + (json ? ["--json"] : []))
    }

    @Test func homeCountsWhatHappened() async throws {
        let home = try await self.pomona(["home"]).json()
        #expect(home["window"]?["bucket"] == "hour" && home["window"]?["cut"] == false)
        #expect((home["window"]?["movements"]?.integer ?? 0) > 0, "the demo has paid")
        #expect(home["totals"]?.array?.isEmpty == false && home["latencies"]?.array?.isEmpty == false)
        #expect(home["approvals"]?["waiting"] == 0 && home["work"]?["deadEvents"]?["atLeast"] == false)
        let text = try await self.pomona(["home"], json: false)
        #expect(text.exitCode == 0 && text.stdout.contains("webhooks waiting"), "\(text.stderr)")
        for total in home["totals"]?.array ?? [] {
            #expect(text.stdout.contains(try #require(total["currency"]?.string)))
        }
    }

    @Test func homeIsOfAMerchantAndOfDays() async throws {
        let all = try await self.pomona(["home"]).json()["window"]?["movements"]?.integer
        let one = try await self.pomona(["home", "--merchant", "payone"]).json()
        #expect(try #require(one["window"]?["movements"]?.integer) < (try #require(all)))
        let none = try await self.pomona(["home", "--from", "2001-01-01", "--through", "2001-01-31"]).json()
        #expect(none["window"]?["bucket"] == "day" && none["buckets"]?.array?.count == 31 && none["totals"] == [])
        let empty = try await self.pomona(["home", "--from", "2001-01-01", "--through", "2001-01-02"], json: false)
        #expect(empty.stdout.contains("No payments."))
        for window in [
            ["--from", "2001-01-02", "--through", "2001-01-01"], ["--from", "2001-01-01"],
            ["--from", "2001-01-01", "--through", "2001-01-31", "--bucket", "hour"],
        ] {
            let wrong = try await self.pomona(["home"] + window)
            #expect(wrong.exitCode == 1 && wrong.errorCode == "argument_malformed", "\(window): \(wrong.stdout)")
        }
        #expect(try await self.pomona(["home", "--merchant", "nobody"]).errorCode == "merchant_unknown")
    }

    @Test func searchFindsByWhateverNames() async throws {
        let payments = try await self.pomona(["payments", "list", "--limit", "1"]).json()["payments"]?.array
        let id = try #require(payments?.first?["id"]?.string)
        let found = try await self.pomona(["search", id]).json()
        #expect(found["cut"] == false && found["hits"]?.array?.count == 1)
        let hit = found["hits"]?.array?.first
        #expect(hit?["type"] == "payment" && hit?["id"]?.string == id && hit?["matched"] == "id")
        #expect(try await self.pomona(["search", "payone"]).json()["hits"]?.array?.first?["type"] == "merchant")
        let text = try await self.pomona(["search", id], json: false)
        #expect(text.exitCode == 0 && text.stdout.contains(id))
        let last4 = try #require(payments?.first?["card"]?["accountNumber"]?.string?.suffix(4))
        let cut = try await self.pomona(["search", String(last4), "--limit", "1"]).json()
        #expect(cut["hits"]?.array?.count == 1)
        let nothing = try await self.pomona(["search", "no such thing"], json: false)
        #expect(nothing.exitCode == 0 && nothing.stdout.contains("Nothing has that name."))
        #expect(try await self.pomona(["search", "x", "--limit", "0"]).exitCode == 64)
    }
}
