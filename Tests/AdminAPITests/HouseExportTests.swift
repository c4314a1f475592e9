//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// What the house keeps beside payments, as files.
@Suite struct HouseExportTests {
    private static func rows(_ desk: Desk, _ name: String, query: String? = nil) async throws -> [JSON] {
        let json = try await desk.file(
            "/exports/\(name)", query: ["format=json", query].compactMap(\.self).joined(separator: "&"))
        let rows = try json.lines.map { try JSON.parse(String($0)) }
        let csv = try await desk.file("/exports/\(name)", query: query)
        #expect(csv.lines.count == rows.count + 1, "\(name)")
        #expect(csv.name.contains("-\(name)-") && csv.type == "text/csv; charset=utf-8")
        let columns = csv.lines.first?.split(separator: ",").map(String.init)
        for row in rows { #expect(row.object?.members.map(\.name) == columns) }
        return rows
    }

    @Test func peopleTokensAndMerchantsAreExportedWithoutSecrets() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        try await desk.addPerson("bob", .support, merchants: [till.merchant.id])
        desk.test.clock.advance(seconds: 1)
        let token = try await desk.token(Access(.viewer, merchants: [till.merchant.id]))
        let people = try await Self.rows(desk, "people")
        #expect(people.map { $0["userName"] } == ["bob"] && people.first?["merchants"] == "till")
        #expect(people.first?["role"] == "support" && people.first?["hasPassword"] == "true")
        let tokens = try await Self.rows(desk, "tokens")
        #expect(tokens.map { $0["merchants"] } == ["*", "till"])
        let person = try #require(try await desk.administration.read { try $0.person(named: "bob") })
        let texts = (people + tokens).map { $0.text() }.joined()
        #expect(!texts.contains(token) && !texts.contains(desk.owner))
        #expect(!texts.contains(try #require(person.passwordVerifier).reveal()))
        let id = try #require(tokens.last?["token"]?.string)
        try await desk.expect(200, .delete, "/tokens/\(id)")
        #expect(try await Self.rows(desk, "tokens").count == 1)
        let all = try await Self.rows(desk, "tokens", query: "state=all")
        #expect(all.count == 2 && all.last?["revokedAt"]?.string?.isEmpty == false)
        let merchants = try await Self.rows(desk, "merchants")
        #expect(merchants.map { $0["name"] } == ["till"] && merchants.first?["mode"] == "sandbox")
        #expect(try await Self.rows(desk, "merchants", query: "name=nothing").isEmpty)
    }

    @Test func balancesAndEventsAreExported() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        _ = try await till.pay(10_00, "s", purpose: .sale)
        let balances = try await Self.rows(desk, "balances")
        #expect(balances.contains { $0["account"] == "payable" && $0["credits"] == "10.00" })
        let listed = try await desk.expect(200, .get, "/balances").json["data"]?.array
        #expect(listed == balances)
        let payment = try await till.pay(20_00, "p")
        let event = OutboxEvent(
            id: EventID(at: desk.test.clock.now, random: []), merchantID: till.merchant.id,
            dialect: payment.dialect, kind: .authorizationSucceeded, paymentID: payment.id,
            operationID: payment.operations[0].id, paymentVersion: 1, target: "https://shop.example/n?secret=1",
            createdAt: desk.test.clock.now)
        try await desk.test.store.write { try $0.insert(event) }
        let events = try await Self.rows(desk, "events", query: "merchant=till&state=pending")
        #expect(events.map { $0["payment"]?.string } == [payment.id.text])
        #expect(events.first?["host"] == "shop.example" && events.first?.text().contains("secret") == false)
        #expect(try await Self.rows(desk, "events", query: "state=dead").isEmpty)
    }

    @Test func approvalsAndAlarmsAreExported() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let desk = bench.desk
        let routes = try await desk.call(.get, "/merchants/live/routes", token: bench.alice)
        let asked = try await desk.call(
            .put, "/merchants/live/routes", ["data": [["number": 1, "acquirer": "bank"]]], token: bench.alice,
            tag: routes.tag)
        let id = try bench.asked(asked)
        let waiting = try await Self.rows(desk, "approvals", query: "state=waiting")
        #expect(waiting.map { $0["approval"]?.string } == [id])
        #expect(waiting.first?["merchant"] == "live" && waiting.first?["askedBy"]?.string?.contains("alice") == true)
        try await desk.expect(200, .post, "/approvals/\(id)/reject", ["reason": "No."], token: bench.bob, key: "r")
        #expect(try await Self.rows(desk, "approvals").map { $0["state"] } == ["rejected"])
        let finding = Finding(
            .disk, "disk_low", .warning, "1 GiB is free.", because: "It fills up.", advice: "Make room.")
        _ = try await desk.administration.updateAlarms(
            [try #require(AlarmFinding(.disk, finding, node: "a"))], in: [], reports: false)
        let alarms = try await Self.rows(desk, "alarms")
        #expect(alarms.map { $0["code"] } == ["disk_low"] && alarms.first?["endedAt"] == "")
        #expect(alarms.first?["alarm"]?.string?.hasPrefix("alm_") == true)
    }
}
