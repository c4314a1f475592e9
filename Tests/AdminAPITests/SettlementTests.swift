//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import Crypto
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What the bank's file says, beside what the ledger says.
@Suite struct SettlementTests {
    private static let mapping: JSON = [
        "name": "bank", "currency": "EUR",
        "columns": ["date": "date", "amount": "amount", "type": "type", "reference": "reference"],
        "types": ["sale": "payment", "refund": "refund"],
    ]

    private static func file(_ lines: [String]) -> String {
        (["date,amount,type,reference"] + lines).joined(separator: "\r\n") + "\r\n"
    }

    private func imported(
        _ desk: Desk, _ text: String, key: String = "file", name: String = "bank.csv"
    ) async throws -> JSON {
        try await desk.expect(
            201, .post, "/merchants/till/settlements",
            ["acquirer": "simulator", "name": .string(name), "mapping": Self.mapping, "text": .string(text)], key: key
        ).json
    }

    @Test func fileIsMatchedAndItsDifferenceIsResolved() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let sale = try await till.pay(10_00, "s", purpose: .sale)
        let reference = try #require(sale.operations[0].answer.reference)
        let day = String(desk.test.clock.now.description.prefix(10))
        let done = try await self.imported(
            desk, Self.file(["\(day),9.00,sale,\(reference)", "\(day),1.50,sale,nobody's"]))
        #expect(done["differences"] == 2)
        #expect(done["file"]?["acquirer"] == "simulator")
        let id = try #require(done["file"]?["id"]?.string)
        let file = try await desk.expect(200, .get, "/settlements/\(id)")
        #expect(file.json["open"] == 2)
        #expect(file.json["counts"]?["amountDiffers"] == 1)
        let items = try await desk.expect(200, .get, "/settlements/\(id)/items", query: "open=true&limit=1")
        #expect(items.json["next"]?.string == "\(id)/1")
        #expect(items.json["data"]?.array?.first?["difference"] == "-1.00")
        let resolved = try await desk.expect(
            200, .post, "/settlements/\(id)/items/1/resolve", ["decision": "fee", "reason": "Their statement."],
            key: "resolve")
        #expect(resolved.json["resolution"] == "fee")
        #expect(
            try await desk.expect(
                409, .post, "/settlements/\(id)/items/1/resolve", ["decision": "ours", "reason": "Again."], key: "again"
            ).code == "settlement_resolved")
        let open = try await desk.expect(200, .get, "/settlement-differences", query: "merchant=till")
        #expect(open.json["data"]?.array?.count == 1)
        #expect(try await desk.expect(200, .get, "/merchants/till/fees").json["data"]?.array?.count == 1)
        try await desk.expect(
            201, .post, "/merchants", ["name": "other", "displayName": "Other", "mode": "live", "countryCode": "DE"],
            key: "other")
        let export = try await desk.file("/exports/settlement", query: "file=\(id)")
        #expect(export.lines.count == 3)
        #expect(export.name.hasPrefix("pomona-sandbox-till-settlement-"), "It is of one merchant alone.")
        #expect(try await desk.expect(200, .get, "/settlements").json["data"]?.array?.count == 1)
        #expect(try await self.hits(id, desk) == ["settlementFile"])
    }

    /// A part whose file has no last one: its import was cut off.
    @Test func fileThatWasCutOffIsShownAsIncomplete() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let whole = try await self.imported(desk, Self.file(["2026-01-02,1.00,sale,a"]))
        #expect(whole["file"]?["incomplete"] == .null)
        let id = try #require(whole["file"]?["id"]?.string.flatMap { SettlementFileID($0) })
        try await desk.test.store.write { transaction in
            guard let file = try transaction.settlementFile(id) else { return }
            let digest = [UInt8](repeating: 7, count: 32)
            var part = SHA256()
            part.update(data: digest)
            part.update(data: Array("part 1".utf8))
            try transaction.insert(
                SettlementFile(
                    id: Identifier(at: file.importedAt.adding(seconds: 1), random: [1]), merchantID: till.merchant.id,
                    accountID: file.accountID, name: "long.csv, part 1", mapping: "bank",
                    digest: Array(part.finalize()), linesCount: 5000, from: file.from, to: file.to,
                    importedAt: file.importedAt, importedBy: "älice",
                    part: SettlementFile.Part(wholeDigest: digest, wholeLinesCount: 12_000)))
        }
        let files = try await desk.expect(200, .get, "/settlements").json["data"]?.array ?? []
        let incomplete: JSON = ["bookedLines": 5000, "lines": 12_000]
        #expect(files.map { $0["incomplete"] } == [incomplete, .null])
        let part = try #require(files.first?["id"]?.string)
        #expect(try await desk.expect(200, .get, "/settlements/\(part)").json["incomplete"] == incomplete)
    }

    private func hits(_ text: String, _ desk: Desk) async throws -> [String] {
        let reply = try await desk.expect(200, .get, "/search", query: "q=\(text)")
        return (reply.json["data"]?.array ?? []).compactMap { $0["type"]?.string }
    }

    @Test func sameBytesAreImportedOnce() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let text = Self.file(["2026-01-02,1.00,sale,a"])
        #expect(try await self.imported(desk, text)["repeated"] == false)
        #expect(try await self.imported(desk, text, key: "other")["repeated"] == true)
        let bytes = try await desk.expect(
            201, .post, "/merchants/till/settlements",
            [
                "acquirer": "simulator", "name": "b", "mapping": Self.mapping,
                "base64": .string(Base64.encode(Array(text.utf8))),
            ], key: "third")
        #expect(bytes.json["repeated"] == true)
    }

    /// A bank's file of a day without payouts is headings alone.
    @Test func fileWithoutLinesIsOfTheDaysThatAreSaid() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        func body(_ day: String?) -> JSON {
            let members: [(name: String, value: JSON)] = [
                ("acquirer", "simulator"), ("name", "empty.csv"), ("mapping", Self.mapping),
                ("text", .string(Self.file([]))),
            ]
            var body = JSONObject(members)
            for name in ["from", "to"] { body[name] = day.map { .string($0) } }
            return .object(body)
        }
        let refused = try await desk.expect(422, .post, "/merchants/till/settlements", body(nil), key: "none")
        #expect(refused.code == "settlement_malformed")
        var ids: Set<String> = []
        for (day, isRepeated) in [("2026-01-02", false), ("2026-01-03", false), ("2026-01-02", true)] {
            let done = try await desk.expect(
                201, .post, "/merchants/till/settlements", body(day), key: "\(day)-\(isRepeated)")
            #expect(done.json["repeated"] == .bool(isRepeated))
            #expect(done.json["file"]?["from"]?.string?.hasPrefix(day) == true)
            ids.insert(try #require(done.json["file"]?["id"]?.string))
        }
        #expect(ids.count == 2)
    }

    /// A body of megabytes is taken here, and nowhere else.
    @Test func largeFilesAreTaken() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        // Of a bank that is fond of words.
        let note = String(repeating: "n", count: 1000)
        let lines = (0..<800).map { "2026-01-02,1.00,sale,\($0),\(note)" }
        let text = (["date,amount,type,reference,note"] + lines).joined(separator: "\r\n") + "\r\n"
        #expect(text.utf8.count > Endpoint.bodyBytesMax)
        let done = try await self.imported(desk, text)
        #expect(done["file"]?["lines"] == 800)
    }

    @Test func refusesFilesThatAreNone() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        func code(_ body: JSON, _ key: String) async throws -> String? {
            try await desk.expect(422, .post, "/merchants/till/settlements", body, key: key).code
        }
        let text: JSON = .string(Self.file(["2026-01-02,1.00,sale,a"]))
        let base: [(String, JSON)] = [("acquirer", "simulator"), ("name", "a.csv")]
        func body(_ members: [(String, JSON)]) -> JSON {
            .object(JSONObject((base + members).map { (name: $0.0, value: $0.1) }))
        }
        #expect(try await code(body([("mapping", "nobody"), ("text", text)]), "a") == "body_invalid")
        #expect(try await code(body([("mapping", 1), ("text", text)]), "b") == "settlement_mapping_invalid")
        #expect(try await code(body([("mapping", Self.mapping), ("base64", "****")]), "c") == "body_invalid")
        #expect(
            try await code(body([("mapping", Self.mapping), ("text", text), ("base64", "YQ==")]), "d") == "body_invalid"
        )
        #expect(
            try await code(body([("mapping", Self.mapping), ("text", text), ("from", "2026-01-02")]), "e")
                == "body_invalid")
        #expect(
            try await code(
                body([("mapping", Self.mapping), ("text", text), ("from", "2026-01-02"), ("to", "2026-01-01")]), "f")
                == "body_invalid")
        #expect(try await code(body([("mapping", Self.mapping), ("text", "nonsense")]), "g") == "settlement_malformed")
        let names = try await desk.expect(200, .get, "/settlement-mappings")
        #expect(names.json["data"]?.array?.contains { $0["name"] == "mpgs" } == true)
    }

    @Test func othersFilesAreNotThere() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let other = try await Till.open(desk, "other", "2")
        let id = try #require(
            try await self.imported(desk, Self.file(["2026-01-02,1.00,sale,a"]))["file"]?["id"]?.string)
        let token = try await desk.token(Access(.owner, merchants: [other.merchant.id]))
        for path in ["/settlements/\(id)", "/settlements/\(id)/items"] {
            try await desk.expect(404, .get, path, token: token)
        }
        try await desk.expect(404, .get, "/exports/settlement", token: token, query: "file=\(id)")
        try await desk.expect(
            404, .post, "/settlements/\(id)/items/1/resolve", ["decision": "ours", "reason": "Mine."], token: token,
            key: "k")
        #expect(try await desk.expect(200, .get, "/settlements", token: token).json["data"] == [])
    }

    /// A file's name and its references come back as they are, whatever they are.
    @Test(arguments: ["<script>alert(1)</script>", "=cmd()", "ü“\u{202E}", "a'; DROP TABLE payments;--"])
    func hostileTextsAreTexts(_ text: String) async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let done = try await self.imported(desk, Self.file(["2026-01-02,1.00,sale,\"\(text)\""]), name: text)
        #expect(done["file"]?["name"]?.string == text)
        let id = done["file"]?["id"]?.string ?? ""
        let items = try await desk.expect(200, .get, "/settlements/\(id)/items")
        #expect(items.json["data"]?.array?.first?["reference"]?.string == text)
    }
}
