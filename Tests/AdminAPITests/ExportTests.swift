//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
@_spi(Administration) import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// Lists as files.
@Suite struct ExportTests {
    @Test func namesSayWhoseTheyAreAndWhetherTheMoneyIsReal() async throws {
        let desk = try await Desk.open()
        let empty = try await desk.file("/exports/payments")
        #expect(empty.name.hasPrefix("pomona-empty-all-payments-"))
        #expect(empty.lines.count == 1)
        _ = try await Till.open(desk)
        #expect(try await desk.file("/exports/payments").name.hasPrefix("pomona-sandbox-till-payments-"))
        try await desk.expect(
            201, .post, "/merchants", ["name": "real", "displayName": "Real", "mode": "live", "countryCode": "DE"],
            key: "real")
        #expect(try await desk.file("/exports/payments").name.hasPrefix("pomona-live-and-sandbox-all-payments-"))
        let live = try await desk.file("/exports/refusals", query: "merchant=real&format=json")
        #expect(live.name.hasPrefix("pomona-live-real-refusals-") && live.name.hasSuffix(".jsonl"))
        #expect(live.type == "application/x-ndjson")
        #expect(live.text.isEmpty)
    }

    @Test func everyRowIsThereOnce() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        for index in 0..<3 {
            desk.test.clock.advance(seconds: 1)
            _ = try await till.pay(10_00, "\(index)", purpose: .sale)
        }
        try await desk.refuse(3, of: till.merchant.id)
        let payments = try await desk.file("/exports/payments", query: "state=captured")
        #expect(payments.type == "text/csv; charset=utf-8")
        #expect(payments.lines.count == 4)
        #expect(payments.lines.first?.hasPrefix("moment,momentUTC,merchant,mode,payment,") == true)
        let transactions = try await desk.file("/exports/transactions", query: "format=json")
        let kinds = try transactions.lines.map { try JSON.parse(String($0))["kind"]?.string }
        #expect(kinds.filter { $0 == "capture" }.count == 3)
        let audit = try await desk.file("/exports/audit", query: "format=json")
        let numbers = try audit.lines.compactMap { try JSON.parse(String($0))["number"]?.integer }
        #expect(numbers == Array(1...Int64(numbers.count)) && numbers.count > 1)
        #expect(try await desk.file("/exports/refusals", query: "code=key_unknown").lines.count == 4)
        #expect(try await desk.file("/exports/refusals", query: "code=other").lines.count == 1)
    }

    /// More than one page of the store's.
    @Test func longFilesComePartByPart() async throws {
        let desk = try await Desk.open()
        try await self.refuseThreePages(desk, of: try await Till.open(desk).merchant.id)
        let (_, stream) = try await desk.stream("/exports/refusals")
        var parts: [[UInt8]] = []
        while let part = try await stream.next() { parts.append(part) }
        stream.end()
        #expect(parts.count == 4)
        let lines = String(decoding: parts.joined(), as: UTF8.self).split(whereSeparator: \.isNewline)
        #expect(lines.count == 1201 && Set(lines).count == 1201)
    }

    private func refuseThreePages(_ desk: Desk, of merchant: MerchantID) async throws {
        var calls: [RefusedCall] = []
        for index in 0..<1200 {
            let at = desk.test.clock.now.adding(milliseconds: Int64(-index))
            calls.append(
                RefusedCall(
                    id: RefusedCallID(at: at, random: []), at: at, merchantID: merchant,
                    dialect: DialectName("payone"), operation: "authorize", wireCode: "1", stage: .fields,
                    code: "field_missing", text: "", requestID: "\(index)"))
        }
        let all = calls
        try await desk.test.store.write { transaction in for call in all { try transaction.insert(call) } }
    }

    /// Draws a file until there is a row in it; then the rest, which must fail, and have no more than a page.
    private func expectBreaksOff(
        _ stream: WireStream, as code: String, sourceLocation: SourceLocation = #_sourceLocation,
        when change: () async throws -> Void
    ) async throws {
        defer { stream.end() }
        _ = try await stream.next()
        _ = try await stream.next()
        try await change()
        let problem = await #expect(throws: Problem.self, sourceLocation: sourceLocation) {
            while try await stream.next() != nil {}
        }
        #expect(problem?.code == code, sourceLocation: sourceLocation)
    }

    @Test func revokedTokenGetsNoMorePages() async throws {
        let desk = try await Desk.open()
        try await self.refuseThreePages(desk, of: try await Till.open(desk).merchant.id)
        let made = try await desk.expect(201, .post, "/tokens", ["name": "t", "role": "viewer"], key: "t")
        let (_, stream) = try await desk.stream("/exports/refusals", token: try #require(made.json["secret"]?.string))
        try await self.expectBreaksOff(stream, as: "unauthorized") {
            try await desk.expect(200, .delete, "/tokens/\(made.json["token"]?["id"]?.string ?? "")")
        }
    }

    @Test func whoIsSuspendedOrSeesLessGetsNoMorePages() async throws {
        let desk = try await Desk.open()
        let (till, other) = (try await Till.open(desk, "own", "1"), try await Till.open(desk, "other", "2"))
        try await self.refuseThreePages(desk, of: till.merchant.id)
        var streams: [WireStream] = []
        var people: [Person] = []
        for name in ["bob", "carol"] {
            people.append(try await desk.addPerson(name, .viewer))
            var browser = Browser(desk)
            try await browser.signIn(name)
            let response = await desk.service.respond(to: browser.request(.get, "/exports/refusals"))
            streams.append(try #require(response.stream))
        }
        try await self.expectBreaksOff(streams[0], as: "scope_missing") {
            var change = PersonChange()
            change.merchants = .set([other.merchant.id])
            try await desk.people.change(people[0].id, change, by: Access(.owner))
        }
        try await self.expectBreaksOff(streams[1], as: "session_ended") {
            try await desk.people.suspend(people[1].id, by: Access(.owner))
        }
    }

    /// Whoever waits for a long file is not idle meanwhile.
    @Test func longFileKeepsItsSession() async throws {
        let desk = try await Desk.open()
        try await self.refuseThreePages(desk, of: try await Till.open(desk).merchant.id)
        try await desk.addPerson("bob", .viewer)
        var browser = Browser(desk)
        try await browser.signIn("bob")
        let stream = try #require(await desk.service.respond(to: browser.request(.get, "/exports/refusals")).stream)
        defer { stream.end() }
        var partsCount = 0
        while try await stream.next() != nil {
            partsCount += 1
            desk.test.clock.advance(seconds: desk.people.settings.idleSeconds - 1)
        }
        #expect(partsCount == 4)
    }

    /// A file that has begun can only break off; what is known before is answered by its code.
    @Test func balancesBeyond64BitsAreRefusedByTheirCode() async throws {
        let desk = try await Desk.open()
        let merchant = try await Till.open(desk).merchant.merchant.id
        let account = try #require(try await desk.test.store.read { try $0.acquirerAccounts(of: merchant) }.first)
        let euro = try #require(Currency.alphabetic("EUR"))
        let amount = Money(minorUnits: .max / 2 + 1, currency: euro)
        #expect(try await desk.file("/exports/balances").lines.count == 1)
        for _ in 0..<2 {
            let now = desk.test.clock.now
            let authorization: OperationID = desk.test.gateway.makeID()
            let payment = try Payment.opening(
                id: desk.test.gateway.makeID(), merchantID: merchant, mode: .sandbox, dialect: PAYONE.dialectName,
                acquirer: account.connector, accountID: account.id, orderID: nil, amount: amount,
                instrument: InstrumentSummary(
                    maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa,
                    expiryYearMonth: "3112", eci: "05", displayName: nil),
                authorizationID: authorization, saleCaptureID: desk.test.gateway.makeID(), at: now)
            let change = try payment.transition(
                on: .resolve(authorization, .succeeded(approved: amount, AcquirerAnswer())), at: now)
            try await desk.test.store.write { transaction in
                try transaction.insert(payment)
                try transaction.update(change, from: payment.version)
            }
        }
        for path in ["/balances", "/exports/balances"] {
            for query in [nil, "merchant=till"] {
                let refused = try await desk.expect(422, .get, path, query: query)
                #expect(refused.json["code"] == "sum_too_large")
            }
        }
    }

    @Test func daysAndFeesAndSettlementsAreExported() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        _ = try await till.pay(10_00, "s", purpose: .sale)
        desk.test.clock.advance(seconds: 86_400 + 600)
        try await desk.expect(200, .post, "/merchants/till/closed-days", [:], key: "close")
        let days = try await desk.file("/exports/days", query: "merchant=till")
        #expect(days.lines.count == 2 && days.text.contains("10.00"))
        #expect(try await desk.file("/exports/fees", query: "merchant=till").lines.count == 1)
        let list = try await desk.expect(200, .get, "/merchants/till/days")
        #expect(list.json["data"]?.array?.count == 1)
        #expect(list.json["next"] == .null)
        #expect(list.json["nextDay"]?["over"] == false)
        try await desk.expect(400, .get, "/merchants/till/days", query: "after=yesterday")
        #expect(try await desk.expect(200, .get, "/merchants/till/fees").json["next"] == .null)
        try await desk.expect(404, .get, "/exports/settlement")
        // Of several merchants' one must be named.
        _ = try await Till.open(desk, "other", "2")
        try await desk.expect(422, .get, "/exports/days")
        try await desk.expect(400, .get, "/exports/fees", query: "format=xml&merchant=till")
    }

    /// What a spreadsheet would take for a formula is text, and a line break ends no row.
    @Test func hostileTextStaysACell() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        try await desk.refuse(1, of: till.merchant.id, text: "=HYPERLINK(\"x\")\r\n,<script>")
        let csv = try await desk.file("/exports/refusals")
        #expect(csv.text.contains("\"'=HYPERLINK(\"\"x\"\")"))
        let json = try await desk.file("/exports/refusals", query: "format=json")
        #expect(json.text.split(separator: "\n").count == 1)
        #expect(try JSON.parse(json.text)["text"] == "=HYPERLINK(\"x\")\r\n,<script>")
    }

    @Test func storeThatFailsEndsTheStreamWithAnError() async throws {
        struct Gone: Error {}
        let stream = RowStream(header: "a\r\n", from: 0) { place in
            guard place < 2 else { throw Gone() }
            return (place == 0 ? "" : "\(place)\r\n", place + 1)
        }.stream
        #expect(try await stream.next() == Array("a\r\n".utf8))
        #expect(try await stream.next() == Array("1\r\n".utf8))
        await #expect(throws: Gone.self) { try await stream.next() }
    }
}
