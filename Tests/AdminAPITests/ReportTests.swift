//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What an accountant reads and closes, and what an engineer looks up.
@Suite struct ReportTests {
    @Test func transactionsComeInPagesAndAddUpToTheDay() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        for index in 0..<3 {
            desk.test.clock.advance(seconds: 1)
            _ = try await till.pay(10_00, "s\(index)", purpose: .sale)
        }
        var changes: [String] = []
        var query = "limit=2&merchant=till"
        while true {
            let page = try await desk.expect(200, .get, "/transactions", query: query)
            changes += page.json["data"]?.array?.compactMap { $0["change"]?.string } ?? []
            guard let next = page.json["next"]?.string else { break }
            query = "limit=2&merchant=till&after=\(next)"
        }
        #expect(changes.filter { $0 == "10.00" }.count == 3)
        let balances = try await desk.expect(200, .get, "/balances")
        let payable = balances.json["data"]?.array?.first {
            $0["account"]?.string == "payable" && $0["layer"]?.string == "posted"
        }
        #expect(payable?["credits"]?.string == "30.00")
        #expect(balances.json["asOf"]?.string == desk.test.clock.now.description)
    }

    @Test func dayIsClosedOnceAndStays() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        _ = try await till.pay(10_00, "s", purpose: .sale)
        let day = String(desk.test.clock.now.description.prefix(10))
        let open = try await desk.expect(200, .get, "/merchants/till/days/\(day)")
        #expect(open.json["state"] == "open")
        #expect(
            try await desk.expect(409, .post, "/merchants/till/closed-days", [:], key: "early").code == "day_not_over")
        desk.test.clock.advance(seconds: 86_400 + 600)
        let closed = try await desk.expect(
            200, .post, "/merchants/till/closed-days", ["day": .string(day)], key: "close")
        #expect(closed.json["day"]?.string == day)
        let kept = try await desk.expect(200, .get, "/merchants/till/days/\(day)")
        #expect(kept.json["state"] == "closed")
        #expect(kept.json["report"] == open.json["report"])
        #expect(
            try await desk.expect(409, .post, "/merchants/till/closed-days", ["day": .string(day)], key: "again").code
                == "day_closed")
        try await desk.expect(404, .get, "/merchants/till/days/yesterday")
        try await desk.expect(422, .post, "/merchants/till/closed-days", ["day": "2026-02-30"], key: "no")
    }

    @Test func refusalsAndAlarmsAreListed() async throws {
        let desk = try await Desk.open()
        #expect(try await desk.expect(200, .get, "/refusals").json["data"] == [])
        #expect(try await desk.expect(200, .get, "/alarms", query: "standing=true").json["data"] == [])
        #expect(try await desk.expect(200, .get, "/alarms").json["next"] == .null)
        try await desk.expect(400, .get, "/refusals", query: "stage=nowhere")
        try await desk.expect(400, .get, "/refusals", query: "after=rfs_1")
    }
}
