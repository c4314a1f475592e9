//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@testable import pomona

/// `pomona payments show` by whatever a shop has in hand: the references that the demo's dialects gave out.
@Suite struct CliPaymentReferenceTests {
    /// The value that stands beside a name in what the demo printed.
    private static func printed(_ name: String, _ sandbox: CliSandbox) throws -> String {
        let line = try #require(
            sandbox.demo.stdout.split(separator: "\n").last { $0.trimmingCharacters(in: .whitespaces).hasPrefix(name) },
            "\(name) in \(sandbox.demo.stdout)")
        return try #require(line.split(separator: " ").last.map(String.init))
    }

    private static func show(_ id: String, _ more: [String] = []) async throws -> CliResult {
        let sandbox = try await CliSandbox.shared()
        return try await CliTool.pomona(["payments", "show", id, "--data", sandbox.data, "--json"] + more)
    }

    @Test(arguments: [("rec_trade_id", "tappay"), ("txid", "payone"), ("account token", "radial")])
    func findsWhatTheDialectGaveOut(_ name: String, _ dialect: String) async throws {
        let reference = try Self.printed(name, try await CliSandbox.shared())
        let shown = try await Self.show(reference)
        #expect(shown.exitCode == 0, "\(reference): \(shown.stdout)")
        let json = try shown.json()
        #expect(json["dialect"]?.string == dialect)
        let id = try #require(json["id"]?.string)
        #expect(try await Self.show(reference, ["--merchant", dialect]).json()["id"]?.string == id)
        let elsewhere = try await Self.show(reference, ["--merchant", dialect == "tappay" ? "payone" : "tappay"])
        #expect(elsewhere.errorCode == "payment_unknown")
        let sandbox = try await CliSandbox.shared()
        let found = try await CliTool.pomona(["search", reference, "--data", sandbox.data, "--json"]).json()
        let hits = found["hits"]?.array ?? []
        #expect(hits.contains { $0["id"]?.string == id && $0["matched"] == "dialectReference" }, "\(hits)")
    }

    /// Every name that the record of a payment shows finds that payment again, or says which others have it too.
    @Test func findsOrdersTransactionsAndTheAcquirersReferences() async throws {
        let sandbox = try await CliSandbox.shared()
        let listed = try await CliTool.pomona(["payments", "list", "--data", sandbox.data, "--json"]).json()
        var dialects: Set<String> = []
        for payment in listed["payments"]?.array ?? [] {
            let id = try #require(payment["id"]?.string)
            let record = try await Self.show(id).json()
            dialects.insert(record["dialect"]?.string ?? "")
            #expect(record["proof"]?["checks"]?.array?.contains("signature") == true, "\(record["proof"] ?? .null)")
            let reference = try #require(record["operations"]?.array?.first?["acquirerReference"]?.string)
            let found = try await Self.show(reference)
            #expect(try found.json()["id"]?.string == id, "\(reference): \(found.stdout)")
            guard let order = record["orderReference"]?.string else { continue }
            let byOrder = try await Self.show(order, ["--merchant", try #require(record["merchant"]?.string)])
            #expect(try byOrder.json()["id"]?.string == id, "\(order): \(byOrder.stdout)")
            guard record["dialect"]?.string == "commweb" else { continue }
            // The demo's client numbers an order's calls.
            #expect(try await Self.show("\(order)/\(order)-1").json()["id"]?.string == id)
        }
        #expect(dialects.count == 5)
    }

    @Test func paymentsAreListedByTheirState() async throws {
        let sandbox = try await CliSandbox.shared()
        let list = ["payments", "list", "--data", sandbox.data, "--json"]
        let captured = try await CliTool.pomona(list + ["--state", "captured"]).json()["payments"]?.array ?? []
        #expect(!captured.isEmpty && captured.allSatisfy { $0["state"]?.string == "captured" })
        let all = try await CliTool.pomona(list).json()["payments"]?.array ?? []
        #expect(captured.count == all.filter { $0["state"]?.string == "captured" }.count)
        // There are payments, and none of these.
        let none = try await CliTool.pomona(["payments", "list", "--data", sandbox.data, "--state", "authorizing"])
        #expect(none.exitCode == 0 && none.stdout == "There are no such payments.\n", "\(none.stdout)")
        let wrong = try await CliTool.pomona(list + ["--state", "paid"])
        #expect(wrong.exitCode != 0)
    }

    /// The number that was charged is the device's; what the customer knows is what his wallet displays.
    @Test func paymentsAreListedByTheLastDigitsOfEitherNumber() async throws {
        let sandbox = try await CliSandbox.shared()
        let list = ["payments", "list", "--data", sandbox.data, "--json", "--limit", "1000"]
        let all = try await CliTool.pomona(list).json()["payments"]?.array ?? []
        let card = try #require(all.lazy.compactMap { $0["card"] }.first { $0["displayName"]?.string != nil })
        let numbers = ["accountNumber", "displayName"].compactMap { card[$0]?.string.map { String($0.suffix(4)) } }
        #expect(Set(numbers).count == 2, "\(card.text())")
        for number in numbers {
            let found = try await CliTool.pomona(list + ["--last-four", number]).json()["payments"]?.array ?? []
            let wanted = all.filter { payment in
                ["accountNumber", "displayName"].contains {
                    payment["card"]?[$0]?.string?.hasSuffix(number) == true
                }
            }
            #expect(!found.isEmpty && found == wanted, "\(number)")
        }
        let none = try await CliTool.pomona(["payments", "list", "--data", sandbox.data, "--last-four", "0000"])
        #expect(none.stdout.contains("There are no such payments."), "\(none.stdout)")
        for wrong in ["12", "12345", "Visa"] {
            #expect(try await CliTool.pomona(list + ["--last-four", wrong]).exitCode == 64)
        }
    }

    @Test func severalPaymentsAreListed() async throws {
        // PAYONE numbers its requests, and so may the shops of other dialects.
        let result = try await Self.show("1")
        #expect(result.exitCode == 0 || ["payment_ambiguous", "payment_unknown"].contains(result.errorCode))
        let words = try await Self.show("preauthorization", ["--merchant", "payone"])
        #expect(words.exitCode == 0 || words.errorCode == "payment_ambiguous")
    }

    @Test func unknownReferencesAreSaidToBe() async throws {
        let result = try await Self.show("no-such-reference")
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "payment_unknown")
        #expect(try await Self.show("x", ["--merchant", "nobody"]).errorCode == "merchant_unknown")
        #expect(try await Self.show("").exitCode == 64)
        #expect(try await Self.show(String(repeating: "a", count: 256)).exitCode == 64)
    }
}
