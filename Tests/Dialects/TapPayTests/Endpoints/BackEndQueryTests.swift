//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import TapPay

/// query, trade-history and reconciliation.
@Suite struct BackEndQueryTests {
    @Test func recordHasEveryFieldOfThePage() async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.pay(
            1000, changing: ["order_number": "A-1", "bank_transaction_id": "TP1"])
        let record = try await shop.record(answer.recTradeID)
        let now = shop.test.clock.now.milliseconds
        let texts = [
            "rec_trade_id": answer.recTradeID, "auth_code": answer["auth_code"], "merchant_id": BackEndShop.merchantID,
            "merchant_name": "Fruit & More", "app_name": "shop.example", "bank_transaction_id": "TP1",
            "bank_order_number": answer["bank_order_number"], "bank_result_code": "00", "bank_result_msg": "Success",
            "partial_card_number": "489537******5671", "payment_method": "apple_pay", "details": "Six apples",
            "currency": "TWD", "order_number": "A-1", "card_identifier": answer["card_identifier"],
        ]
        for (name, text) in texts { #expect(record[name]?.string == text, "\(name)") }
        let numbers: [String: Int64] = [
            "time": now, "amount": 1000, "refunded_amount": 0, "original_amount": 1000, "record_status": 0,
            "bank_transaction_start_millis": now, "bank_transaction_end_millis": now,
        ]
        for (name, number) in numbers { #expect(record[name]?.integer == number, "\(name)") }
        for name in ["is_captured", "three_domain_secure", "pay_by_instalment", "pay_by_redeem", "is_rba_verified"] {
            #expect(record[name] == false, "\(name)")
        }
        #expect(record["cardholder"]?["name"]?.string == "Lin Mei")
        #expect(record["cardholder"]?["phone_number"]?.string == "+886912345678")
        #expect(record["cardholder"]?["email"]?.string == "mei@example.com")
        #expect(record["card_info"]?["bin_code"]?.string == "489537")
        #expect(record["card_info"]?["expiry_date"] == nil)
    }

    /// A shop with trades of 100, 200 … in TWD, a minute apart.
    private func shop(_ count: Int64) async throws -> BackEndShop {
        let shop = try await BackEndShop.open()
        for index in 1...count {
            try await shop.pay(100 * index, changing: ["order_number": .string("A-\(index)")])
            shop.test.clock.advance(seconds: 60)
        }
        return shop
    }

    private func amounts(_ answer: BackEndShop.Answer) -> [Int64] {
        (answer.json["trade_records"]?.array ?? []).compactMap { $0["amount"]?.integer }
    }

    @Test func pagesEndWithStatusTwo() async throws {
        let shop = try await self.shop(5)
        let first = try await shop.query(["records_per_page": 2])
        #expect(first.status == 0 && first.message == "Success" && self.amounts(first) == [500, 400])
        #expect(first.integer("total_page_count") == 3 && first.integer("number_of_transactions") == 5)
        #expect(first.integer("records_per_page") == 2 && first.integer("page") == 0)
        #expect(try await shop.query(["records_per_page": "2", "page": "1"]).status == 0)
        let last = try await shop.query(["records_per_page": 2, "page": 2])
        #expect(last.status == 2 && last.message == "End of list" && self.amounts(last) == [100])
        let beyond = try await shop.query(["records_per_page": 2, "page": 9])
        #expect(beyond.status == 2 && self.amounts(beyond).isEmpty)
    }

    @Test func aRequestWithNothingButTheKeyListsAll() async throws {
        let shop = try await self.shop(2)
        let answer = try await shop.query()
        #expect(answer.status == 2 && self.amounts(answer) == [200, 100] && answer.integer("records_per_page") == 50)
    }

    @Test(
        arguments: [
            (["attribute": "time", "is_descending": true], [300, 200, 100]),
            (["attribute": "time", "is_descending": false], [100, 200, 300]),
            (["attribute": "amount", "is_descending": true], [300, 200, 100]),
            (["attribute": "amount", "is_descending": false], [100, 200, 300]), ([:], [300, 200, 100]),
        ] as [(JSON, [Int64])])
    func ordersByTimeAndAmount(_ order: JSON, _ expected: [Int64]) async throws {
        #expect(self.amounts(try await self.shop(3).query(["order_by": order])) == expected)
    }

    @Test(
        arguments: [
            (["order_number": "A-2"], [200]), (["merchant_id": "GlobalTesting_CTBC"], [300, 200, 100]),
            (["merchant_id": ["GlobalTesting_CTBC"]], [300, 200, 100]), (["record_status": 0], [300, 200, 100]),
            (["record_status": "1"], []), (["currency": "TWD"], [300, 200, 100]), (["currency": "USD"], []),
            (["amount": ["upper_limit": 200, "lower_limit": 200]], [200]),
            (["amount": ["upper_limit": 250], "currency": "TWD"], [200, 100]),
            (["amount": ["lower_limit": 150]], [300, 200]),
            (["cardholder": ["name": "Lin Mei"]], [300, 200, 100]), (["cardholder": ["email": "x@example.com"]], []),
            (["tsp": true], [300, 200, 100]), (["tsp": false], []), (["auth_code": "none"], []),
            (["card_identifier": "none"], []), (["app_id": 12345], [300, 200, 100]), (["app_id": "99"], []),
            (["app_id": ["12345"]], [300, 200, 100]), (["app_id": ["99", 12345]], [300, 200, 100]),
            (["app_id": ["99"]], []), (["app_id": []], [300, 200, 100]), (["app_id": ""], [300, 200, 100]),
            (["payment_type": ["apple_pay": true, "direct_pay": false]], [300, 200, 100]),
            (["payment_type": ["direct_pay": true]], []), (["payment_type": ["direct_pay": false]], [300, 200, 100]),
            (["cardholder": ["name": "Lin Mei", "zip_code": ""], "color": nil], [300, 200, 100]),
            (["rec_trade_id": "D20260615none"], []), (["bank_transaction_id": "none"], []),
            (["records_per_page": 1, "page": 1], [200]), (["cap_time": ["start_time": 1]], []),
        ] as [(JSON, [Int64])])
    func filters(_ filters: JSON, _ expected: [Int64]) async throws {
        let answer = try await self.shop(3).query(["filters": filters])
        #expect(self.amounts(answer) == expected, "\(answer)")
    }

    @Test func filtersByTimes() async throws {
        let shop = try await self.shop(3)
        let first = shop.test.clock.now.adding(seconds: -180).milliseconds
        let bounds: JSON = ["start_time": JSON(first + 60_000), "end_time": .string(String(first + 60_000))]
        #expect(self.amounts(try await shop.query(["filters": ["time": bounds]])) == [200])
        #expect(self.amounts(try await shop.query(["filters": ["time": ["start_time": 0, "end_time": 0]]])).count == 3)
        let trade = try await shop.paid(900)
        let now = shop.test.clock.now.milliseconds
        let captured = try await shop.query(["filters": ["cap_time": ["start_time": JSON(now), "end_time": JSON(now)]]])
        #expect(captured.json["trade_records"]?.array?.first?["rec_trade_id"]?.string == trade)
        #expect(self.amounts(captured) == [900])
    }

    @Test func namesFindOneTrade() async throws {
        let shop = try await self.shop(3)
        let trade = try await shop.pay(400, changing: ["bank_transaction_id": "TP4"])
        #expect(self.amounts(try await shop.query(["filters": ["bank_transaction_id": "TP4"]])) == [400])
        let both: JSON = ["rec_trade_id": .string(trade.recTradeID), "bank_transaction_id": "TP4"]
        #expect(self.amounts(try await shop.query(["filters": both])) == [400])
        let differing: JSON = ["rec_trade_id": .string(trade.recTradeID), "bank_transaction_id": "TP5"]
        #expect(self.amounts(try await shop.query(["filters": differing])).isEmpty)
        #expect(self.amounts(try await shop.query(["page": 1, "filters": both])).isEmpty)
    }

    @Test(
        arguments: [
            (["records_per_page": 0], 559), (["records_per_page": 201], 559), (["records_per_page": "x"], 535),
            (["page": -1], 560), (["page": "x"], 536), (["filters": "x"], 5),
            (["filters": ["time": "x"]], 537), (["filters": ["time": ["start_time": "x"]]], 537),
            (["filters": ["time": ["end_time": "x"]]], 538), (["filters": ["time": ["start_time": -1]]], 561),
            (["filters": ["time": ["end_time": -1]]], 562),
            (["filters": ["time": ["start_time": 2, "end_time": 1]]], 563),
            (["filters": ["rec_trade_id": .string(String(repeating: "D", count: 41))]], 539),
            (["filters": ["amount": ["upper_limit": "x"]]], 545), (["filters": ["amount": ["lower_limit": "x"]]], 546),
            (["filters": ["amount": ["upper_limit": -1]]], 564), (["filters": ["amount": ["lower_limit": -1]]], 565),
            (["filters": ["amount": ["upper_limit": 1, "lower_limit": 2]]], 566),
            (["filters": ["app_id": .string(String(repeating: "1", count: 21))]], 547),
            (["filters": ["app_id": [["a": 1]]]], 547), (["filters": ["app_id": true]], 547),
            (["filters": ["payment_type": "apple_pay"]], 5), (["filters": ["payment_type": ["apple_pay": "x"]]], 5),
            (["filters": ["merchant_id": 7]], 548), (["filters": ["merchant_id": [7]]], 548),
            (["filters": ["merchant_id": ["Nobody"]]], 61), (["filters": ["record_status": 6]], 549),
            (["filters": ["record_status": "x"]], 549), (["filters": ["currency": "EUR"]], 652),
            (["order_by": "time"], 550), (["order_by": ["attribute": "color"]], 550),
            (["order_by": ["is_descending": "perhaps"]], 551),
        ] as [([String: JSON?], Int64)])
    func refusesFiltersThatAreNone(_ fields: [String: JSON?], _ code: Int64) async throws {
        let shop = try await BackEndShop.open()
        let answer = try await shop.query(fields)
        #expect(answer.status == code, "\(answer)")
    }

    /// A name that is misspelt would be answered with more trades than were asked for.
    @Test(
        arguments: [
            ("status", ["status": 1]), ("merchantId", ["merchantId": "M", "order_number": "A-1"]),
            ("time > start", ["time": ["start": 1]]), ("cap_time > from", ["cap_time": ["from": 1]]),
            ("amount > max", ["amount": ["max": 1]]), ("cardholder > zip_code", ["cardholder": ["zip_code": "100"]]),
            ("payment_type > line_pay", ["payment_type": ["line_pay": true]]),
        ] as [(String, JSON)])
    func refusesFiltersThatItDoesNotHave(_ path: String, _ filters: JSON) async throws {
        let answer = try await BackEndShop.open().query(["filters": filters])
        #expect(answer.status == 5 && answer.message == "Wrong JSON format", "\(answer)")
        #expect(answer.detail.contains("filters > \(path) "), "\(answer)")
        #expect(answer.json["trade_records"] == nil)
    }

    @Test func statusOfEveryState() async throws {
        let shop = try await BackEndShop.open()
        #expect(try await shop.record(shop.pay(5757).recTradeID)["record_status"]?.integer == -1)
        let unknown = try await shop.pay(5858)
        #expect(unknown.status == 421 && unknown.detail.contains("/tpc/transaction/query"))
        #expect(try await shop.record(unknown.recTradeID)["record_status"]?.integer == 4)
        let unclear = try await shop.pay(6363)
        await shop.test.recover()
        #expect(try await shop.record(unknown.recTradeID)["record_status"]?.integer == 0)
        #expect(try await shop.record(unclear.recTradeID)["record_status"]?.integer == 5)
    }

    @Test func historyShowsEveryStep() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(1000).recTradeID
        shop.test.script.append(.init(.capture, .nth(1), fault: .decline(.systemError)))
        try await shop.follow("cap", trade)
        try await shop.follow("cap", trade)
        let refund = try await shop.follow("refund", trade, ["amount": 300, "bank_refund_id": "R1"])
        try await shop.follow("refund/cancel", trade)
        try await shop.follow("cap/cancel", trade)
        let answer = try await shop.follow("trade-history", trade)
        #expect(answer.status == 0 && answer["rec_trade_id"] == trade && answer["currency"] == "TWD")
        #expect(answer["bank_order_number"].count == 12)
        let history = try #require(answer.json["trade_history"]?.array)
        #expect(history.compactMap { $0["action"]?.integer } == [0, 1, 1, 3, 6, 5])
        #expect(history.compactMap { $0["amount"]?.integer } == [1000, 1000, 1000, 300, 300, 1000])
        #expect(history.compactMap { $0["success"]?.bool } == [true, false, true, true, true, true])
        #expect(history.allSatisfy { $0["is_pending"] == false })
        #expect(history[1]["bank_result_code"]?.string == "96")
        for index in [3, 4] {
            #expect(history[index]["refund_id"]?.string == refund["refund_id"])
            #expect(history[index]["bank_refund_id"]?.string == "R1")
            // It can't be cancelled again.
            #expect(history[index]["can_refund_cancel_millis"] == nil)
        }
        let late = try await shop.paid(500)
        try await shop.follow("refund", late, ["amount": 100])
        let entry = try #require(try await shop.follow("trade-history", late).json["trade_history"]?.array?.last)
        let midnight = try #require(Timestamp(rfc3339: "2026-06-16T00:00:00+08:00"))
        #expect(entry["can_refund_cancel_millis"]?.integer == midnight.milliseconds)
    }

    @Test func historyShowsWhatIsUnderWay() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.pay(5858).recTradeID
        let history = try await shop.follow("trade-history", trade).json["trade_history"]?.array
        #expect(history?.first?["is_pending"] == true && history?.first?["success"] == false)
    }

    @Test(arguments: [Int64.min, -1, 253_402_300_800_000, 1 << 62, .max])
    func reconciliationRefusesTimesThatAreNone(_ millis: Int64) async throws {
        let shop = try await BackEndShop.open()
        for (name, code) in [
            ("start_time_millis", TapPayCode.filterStartTimeOutOfRange),
            ("end_time_millis", .filterEndTimeOutOfRange),
        ] {
            let answer = try await shop.call("/tpc/transaction/reconciliation", [name: JSON(millis)])
            #expect(answer.status == Int64(code.rawValue), "\(name)")
        }
    }

    @Test func reconciliationListsADaysMovements() async throws {
        let shop = try await BackEndShop.open()
        let trade = try await shop.paid(1000)
        shop.test.clock.advance(seconds: 1)
        try await shop.follow("refund", trade, ["amount": 300])
        shop.test.clock.advance(seconds: 1)
        try await shop.paid(700, "USD")
        try await shop.pay(5757)
        let answer = try await shop.call("/tpc/transaction/reconciliation", [:])
        #expect(answer.status == 2 && answer.integer("number_of_transactions") == 3)
        let lines = try #require(answer.json["reconciliation_datas"]?.array)
        #expect(lines.compactMap { $0["transaction_action"]?.string } == ["CAPTURE", "REFUND", "CAPTURE"])
        #expect(lines.compactMap { $0["trade_amount"]?.integer } == [1000, 300, 700])
        let line = lines[1]
        for (name, text) in [
            "merchant_id": BackEndShop.merchantID, "merchant_description": "Fruit & More", "acquirer": "simulator",
            "payment_method": "apple_pay", "rec_trade_id": trade, "currency": "TWD",
            "partial_card_number": "489537******5671",
        ] { #expect(line[name]?.string == text, "\(name)") }
        #expect(line["card_type"]?.integer == 1 && line["auth_amount"]?.integer == 1000)
        #expect(line["transaction_result"] == true && line["is_kyc_verified"] == false)
        #expect(line["bank_refund_order_number"]?.string?.count == 12)
        let summary = try #require(answer.json["summary"]?.array)
        #expect(summary.compactMap { $0["currency"]?.string } == ["TWD", "USD"])
        #expect(summary[0]["capture"] == ["count": 1, "amount": 1000])
        #expect(summary[0]["refund"] == ["count": 1, "amount": 300])
        // Taipei's day.
        let midnight = try #require(Timestamp(rfc3339: "2026-06-15T00:00:00+08:00"))
        #expect(answer.integer("start_time_millis") == midnight.milliseconds)
        #expect(answer.integer("end_time_millis") == midnight.adding(seconds: 86_400).milliseconds - 1)
        shop.test.clock.advance(seconds: 86_400)
        let tomorrow = try await shop.call("/tpc/transaction/reconciliation", [:])
        #expect(tomorrow.integer("number_of_transactions") == 0)
        let yesterday = try await shop.call(
            "/tpc/transaction/reconciliation",
            [
                "start_time_millis": JSON(midnight.milliseconds), "transaction_actions": ["auth", "REFUND"],
                "records_per_page": 2, "acquirers": ["simulator"], "merchant_ids": [.string(BackEndShop.merchantID)],
            ])
        #expect(yesterday.status == 0 && yesterday.integer("number_of_transactions") == 3)
        #expect(yesterday.json["reconciliation_datas"]?.array?.count == 2)
    }

    /// Before the capture a refund takes the authorization back: nothing was paid that it could give back.
    @Test func whatWasNeverCapturedIsNoRefundedMoney() async throws {
        let shop = try await BackEndShop.open()
        let held = try await shop.pay(500).recTradeID
        #expect(try await shop.follow("refund", held).json["is_captured"] == false)
        shop.test.clock.advance(seconds: 1)
        let alone = try await shop.call("/tpc/transaction/reconciliation", [:])
        #expect(alone.integer("number_of_transactions") == 1 && alone.json["summary"]?.array?.isEmpty == true)
        let trade = try await shop.paid(1000)
        shop.test.clock.advance(seconds: 1)
        try await shop.follow("refund", trade, ["amount": 300])
        let answer = try await shop.call("/tpc/transaction/reconciliation", [:])
        let lines = try #require(answer.json["reconciliation_datas"]?.array)
        #expect(lines.compactMap { $0["transaction_action"]?.string } == ["REFUND", "CAPTURE", "REFUND"])
        #expect(lines.map { $0["is_captured"] } == [false, nil, true])
        let summary = answer.json["summary"]?.array?.first
        #expect(summary?["capture"] == ["count": 1, "amount": 1000])
        #expect(summary?["refund"] == ["count": 1, "amount": 300])
    }

    @Test(
        arguments: [
            (["transaction_actions": ["SALE"]], 5), (["transaction_actions": 1], 5), (["acquirers": 1], 5),
            (["merchant_ids": 1], 548), (["merchant_ids": ["Nobody"]], 61), (["start_time_millis": "x"], 537),
            (["end_time_millis": "x"], 538), (["start_time_millis": 2, "end_time_millis": 1], 563),
            (["start_time_millis": 1, "end_time_millis": 2_678_400_002], 562), (["records_per_page": 201], 559),
            (["page": "x"], 536),
        ] as [([String: JSON?], Int64)])
    func refusesReconciliationsThatAreNone(_ fields: [String: JSON?], _ code: Int64) async throws {
        let shop = try await BackEndShop.open()
        #expect(try await shop.call("/tpc/transaction/reconciliation", fields).status == code)
    }
}
