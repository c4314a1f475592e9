//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import StrictJSON
import Testing
import Time

@testable import pomona

@Suite("pomona refusals")
struct CliRefusalsTests {
    private static func call(
        _ index: Int, at: Timestamp, merchant: MerchantID?, code: String, stage: RefusedCall.Stage, key: String? = nil
    ) -> RefusedCall {
        RefusedCall(
            id: RefusedCallID(at: at, random: [UInt8(index)]), at: at, merchantID: merchant,
            dialect: DialectName("payone"), operation: "authorization", wireCode: "1000", stage: stage, code: code,
            text: "What to do.", requestID: "request\(index)", publicKeyHash: key)
    }

    private static let key = String(repeating: "0a", count: 32)

    private static func sandbox() async throws -> (CliSandbox, [RefusedCall]) {
        let sandbox = try await CliSandbox.copy()
        let store = try await DataDirectory(path: sandbox.data).storeLocation().openBeside()
        let merchant = try #require(try await store.read { try $0.merchant(named: "payone") })
        let now = Timestamp.now()
        let calls = [
            Self.call(1, at: now.adding(seconds: -7200), merchant: nil, code: "1000", stage: .fields),
            Self.call(
                2, at: now.adding(seconds: -60), merchant: merchant.id, code: "key_unknown", stage: .keySelection,
                key: Self.key),
            Self.call(3, at: now, merchant: merchant.id, code: "token_replayed", stage: .binding),
        ]
        try await store.write { transaction in
            // What the demo had refused is none of this test's.
            try transaction.deleteRefusedCalls(before: now.adding(seconds: 60), keeping: 0)
            for call in calls { try transaction.insert(call) }
        }
        try await store.close()
        return (sandbox, calls)
    }

    private static func ids(_ sandbox: CliSandbox, _ arguments: [String]) async throws -> [String] {
        let result = try await CliTool.pomona(["refusals", "list", "--data", sandbox.data, "--json"] + arguments)
        #expect(result.exitCode == 0, "\(result.stderr)")
        return try result.json()["refusals"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    @Test func findsWhatIsAskedFor() async throws {
        let (sandbox, calls) = try await Self.sandbox()
        let all = calls.reversed().map(\.id.text)
        #expect(try await Self.ids(sandbox, []) == all)
        #expect(try await Self.ids(sandbox, ["--merchant", "payone"]) == Array(all.prefix(2)))
        #expect(try await Self.ids(sandbox, ["--code", "token_replayed"]) == [all[0]])
        #expect(try await Self.ids(sandbox, ["--code", "1000"]) == all)
        #expect(try await Self.ids(sandbox, ["--stage", "key_selection"]) == [all[1]])
        #expect(try await Self.ids(sandbox, ["--key", Self.key.uppercased()]) == [all[1]])
        #expect(
            try await Self.ids(sandbox, ["--key", Data(repeating: 0x0A, count: 32).base64EncodedString()]) == [all[1]])
        #expect(try await Self.ids(sandbox, ["--request", "request1"]) == [all[2]])
        #expect(try await Self.ids(sandbox, ["--since", "1h"]) == Array(all.prefix(2)))
        #expect(try await Self.ids(sandbox, ["--since", calls[2].at.description]) == [all[0]])
        #expect(try await Self.ids(sandbox, ["--before", all[0], "--limit", "1"]) == [all[1]])
    }

    @Test func saysWhatToDoAndWhereTheNextPageBegins() async throws {
        let (sandbox, calls) = try await Self.sandbox()
        let text = try await CliTool.pomona(["refusals", "list", "--data", sandbox.data, "--limit", "2"])
        #expect(text.stdout.contains("key_unknown  payone payone, authorization, answered 1000"), "\(text.stdout)")
        #expect(text.stdout.contains("What to do.") && text.stdout.contains(Self.key))
        #expect(text.stdout.contains("--before \(calls[1].id.text)"))
        let json = try await CliTool.pomona(["refusals", "list", "--data", sandbox.data, "--limit", "2", "--json"])
            .json()
        #expect(json["next"]?.string == calls[1].id.text)
        let call = try #require(json["refusals"]?.array?.last)
        #expect(call["merchant"]?.string == "payone" && call["publicKeyHash"]?.string == Self.key)
        let none = try await CliTool.pomona(["refusals", "list", "--data", sandbox.data, "--code", "x"])
        #expect(none.exitCode == 0 && none.stdout == "No such call was refused.\n")
    }

    @Test(arguments: [
        ["--key", "abc"], ["--since", "yesterday"], ["--since", "0d"], ["--before", "pay_1"], ["--limit", "0"],
        ["--stage", "nowhere"],
    ])
    func refusesWhatCannotBeAsked(arguments: [String]) async throws {
        let result = try await CliTool.pomona(["refusals", "list", "--data", "/nowhere"] + arguments)
        #expect(result.exitCode == 64)
    }

    /// Every code has its line in docs/refusals.md.
    @Test func everyCodeIsExplained() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("docs/refusals.md"), encoding: .utf8)
        for stage in RefusedCall.Stage.allCases { #expect(document.contains("| `\(stage.rawValue)` |")) }
        let files = [
            "Sources/Gateway/Commands/GatewayRefusal+Code.swift", "Sources/ApplePayToken/TokenErrorCodes.swift",
        ]
        for file in files {
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
                .components(separatedBy: "// MARK: - Stage certificate")[0]
            for match in text.matches(of: /"([a-z0-9_]+)"/) where match.1.contains("_") {
                #expect(document.contains("`\(match.1)`"), "\(match.1)")
            }
        }
    }
}
