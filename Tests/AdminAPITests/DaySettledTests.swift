//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What the bank says of a day is what its files say, and no sum of the ledger's number and what is open.
@Suite struct DaySettledTests {
    private let desk: Desk
    private let till: Till

    init() async throws {
        self.desk = try await Desk.open()
        self.till = try await Till.open(self.desk)
    }

    private var today: String { String(self.desk.test.clock.now.description.prefix(10)) }

    private var yesterday: String {
        String(self.desk.test.clock.now.adding(seconds: -86_400).description.prefix(10))
    }

    private func imported(_ lines: [String]) async throws -> String {
        let mapping: JSON = [
            "name": "bank", "types": ["sale": "payment"],
            "columns": [
                "date": "date", "amount": "amount", "currency": "currency", "type": "type", "reference": "reference",
                "fee": "fee",
            ],
        ]
        let text = (["date,amount,currency,type,reference,fee"] + lines).joined(separator: "\n") + "\n"
        let body: JSON = [
            "acquirer": "simulator", "name": "bank.csv", "mapping": mapping, "text": .string(text),
        ]
        let done = try await self.desk.expect(201, .post, "/merchants/till/settlements", body, key: "file")
        return try #require(done.json["file"]?["id"]?.string)
    }

    private func settled(_ day: String) async throws -> [JSON] {
        let json = try await self.desk.expect(200, .get, "/merchants/till/days/\(day)").json
        return try #require(json["settled"]?.array)
    }

    private func reference(_ minorUnits: Int64, _ key: String) async throws -> String {
        try #require(try await self.till.pay(minorUnits, key, purpose: .sale).operations[0].answer.reference)
    }

    @Test func theBanksNumberStaysWhenADifferenceIsExplained() async throws {
        let (one, two) = (try await self.reference(10_00, "a"), try await self.reference(5_00, "b"))
        #expect(try await self.settled(self.today) == [])
        let file = try await self.imported([
            "\(self.today),9.00,EUR,sale,\(one),0.30", "\(self.today),5.00,EUR,sale,\(two),0",
        ])
        let before = try #require(try await self.settled(self.today).first)
        #expect(before["account"] == "simulator" && before["currency"] == "EUR" && before["lines"] == 2)
        #expect(before["paid"] == "14.00" && before["open"] == "-1.00", "\(before.text())")
        #expect(before["openDifferences"] == 1 && before["explained"] == "0.00")
        try await self.desk.expect(
            200, .post, "/settlements/\(file)/items/1/resolve",
            ["decision": "written-off", "reason": "Their statement."], key: "resolve")
        let after = try #require(try await self.settled(self.today).first)
        #expect(after["paid"] == "14.00" && after["open"] == "0.00", "\(after.text())")
        #expect(after["openDifferences"] == 0 && after["explained"] == "-1.00")
        let net = try await self.desk.expect(200, .get, "/merchants/till/days/\(self.today)").json["report"]?["totals"]
        #expect(net?.array?.first?["captured"] == "15.00")
    }

    /// What the bank has paid in a currency that the ledger knows nothing of.
    @Test func whatTheLedgerLacksIsTheBanksAlone() async throws {
        _ = try await self.imported(["\(self.yesterday),300,JPY,sale,nobody's,0"])
        let day = try await self.desk.expect(200, .get, "/merchants/till/days/\(self.yesterday)").json
        #expect(day["report"]?["totals"] == [])
        let settled = try #require(day["settled"]?.array?.first)
        #expect(settled["currency"] == "JPY" && settled["paid"] == "300" && settled["open"] == "300")
        #expect(try await self.settled(self.today) == [])
    }

    /// Of a file of several days each day has its own.
    @Test func whatAFileLacksIsOfTheDayOfItsOperation() async throws {
        let first = try await self.till.pay(10_00, "a", purpose: .sale)
        self.desk.test.clock.advance(seconds: 86_400)
        let second = try await self.till.pay(5_00, "b", purpose: .sale)
        let file = try await self.imported([
            "\(self.yesterday),1.00,EUR,sale,nobody's,0", "\(self.today),2.00,EUR,sale,no one's,0",
        ])
        for (day, payment, open, paid) in [
            (self.yesterday, first, "-9.00", "1.00"), (self.today, second, "-3.00", "2.00"),
        ] {
            let sums = try #require(try await self.settled(day).first)
            #expect(sums["openDifferences"] == 2 && sums["lines"] == 1, "\(sums.text())")
            #expect(sums["open"]?.string == open && sums["paid"]?.string == paid)
            for path in ["/settlement-differences", "/settlements/\(file)/items"] {
                let items = try await self.desk.expect(200, .get, path).json["data"]?.array ?? []
                let lacking = items.filter { $0["verdict"] == "missingInFile" && $0["date"]?.string == day }
                #expect(lacking.map { $0["payment"]?.string } == [payment.id.text], "\(path)")
            }
        }
        let export = try await self.desk.file("/exports/settlement", query: "file=\(file)")
        #expect(export.lines.contains { $0.contains(self.yesterday) && $0.contains("missingInFile") })
    }
}
