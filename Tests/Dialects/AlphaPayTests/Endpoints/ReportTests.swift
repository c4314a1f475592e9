//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestGateway
import Testing

@Suite struct ReportTests {
    /// Three payments on the 15th, one of them declined; a refund on the 15th and one on the 16th.
    private func busyShop(settings: [String: String] = [:]) async throws -> TestShop {
        let shop = try await TestShop.open(settings: settings)
        let first = try await shop.paid(1000)
        shop.clock.advance(seconds: 60)
        _ = try await shop.paid(2500)
        shop.clock.advance(seconds: 60)
        let declined = try await shop.order("5757")
        #expect(try await shop.pay(declined.paymentID, 5757).code == "DO_NOT_HONOR")
        #expect(try await shop.refund(first, "300", id: "r1").code == "SUCCESS")
        shop.clock.advance(seconds: 86_400)
        #expect(try await shop.refund(first, "200", id: "r2").code == "SUCCESS")
        return shop
    }

    private func amounts(_ reply: Reply) -> [String] {
        (reply.json["transactions"]?.array ?? []).map {
            "\($0["transactionType"]?.string ?? "") \($0["amount"]?.string ?? "")"
        }
    }

    @Test(
        arguments: [
            ("20260615", nil, ["Credit 1000", "Credit 2500", "Debit 300"]),
            ("20260615", "All", ["Credit 1000", "Credit 2500", "Debit 300"]),
            ("20260615", "Credit", ["Credit 1000", "Credit 2500"]),
            ("20260615", "Payment", ["Credit 1000", "Credit 2500"]),
            ("20260615", "Debit", ["Debit 300"]), ("20260615", "Refund", ["Debit 300"]),
            ("20260616", "All", ["Debit 200"]),
            ("20260616", "Credit", []), ("20260614", "All", []), ("20270101", "All", []),
        ] as [(String, String?, [String])])
    func listsTheMovementsOfADay(date: String, kind: String?, expected: [String]) async throws {
        let shop = try await self.busyShop()
        var body = JSONObject()
        body["date"] = .string(date)
        body["transactionType"] = kind.map(JSON.string)
        let reply = try await shop.call("transactions", .object(body))
        #expect(reply.result == "SUCCESS S" && reply.isSigned)
        #expect(self.amounts(reply) == expected)
        #expect(reply.json["pagination"]?["total"]?.integer == Int64(expected.count))
    }

    @Test func reportsAllAboutATransaction() async throws {
        let shop = try await self.busyShop()
        let reply = try await shop.call("transactions", ["date": "20260615", "transactionType": "Debit"])
        let refund = try #require(reply.json["transactions"]?.array?.first)
        #expect(refund["requestId"] == "r1" && refund["currency"] == "CAD" && refund["settleAmount"] == "300")
        #expect(refund["createTime"] == "2026-06-15T12:02:00Z" && refund["transactionTime"] == "2026-06-15T12:02:00Z")
        #expect(refund["transactionId"]?.string != nil && refund["refundId"]?.string != nil)
        #expect(refund["paymentId"]?.string?.hasPrefix("ord_") == true)
    }

    @Test func dividesTheListIntoPages() async throws {
        let shop = try await TestShop.open()
        for value in 1...12 as ClosedRange<Int64> {
            _ = try await shop.paid(1000 + value)
            shop.clock.advance(seconds: 1)
        }
        let all = (1001...1012).map { "Credit \($0)" }
        let pages: [(page: Int64, amounts: [String])] = [
            (1, Array(all.prefix(10))), (2, Array(all.suffix(2))), (3, []), (1_000_000, []),
        ]
        for (page, expected) in pages {
            for limit in [nil, 10] as [JSON?] {
                var body = JSONObject()
                body["date"] = "20260615"
                body["page"] = JSON(page)
                body["pageLimit"] = limit
                let reply = try await shop.call("transactions", .object(body))
                #expect(self.amounts(reply) == expected)
                #expect(
                    reply.json["pagination"] == ["page": JSON(page), "pageLimit": 10, "totalPage": 2, "total": 12])
            }
        }
    }

    @Test func settlesADay() async throws {
        let shop = try await self.busyShop()
        let reply = try await shop.call("settlements", ["date": "20260615"])
        #expect(reply.result == "SUCCESS S" && reply.isSigned)
        #expect(
            reply.json["settlements"] == [
                [
                    "settleInfo": [
                        "settleNo": "CXVJIU-20260615-CAD", "currency": "CAD", "creditNum": "2", "creditAmount": "3500",
                        "debitNum": "1", "debitAmount": "300", "netAmount": "3200", "serviceFee": "0",
                        "settleAmount": "3200",
                    ]
                ]
            ])
        let next = try await shop.call("settlements", ["date": "20260616"])
        #expect(next.json["settlements"]?.array?.first?["settleInfo"]?["netAmount"] == "-200")
        #expect(try await shop.call("settlements", ["date": "20260614"]).json["settlements"] == [])
    }

    /// 12:00 UTC is 04:00 of the same day at -08:00, and 02:00 of the next at +14:00.
    @Test(
        arguments: [
            (nil, "20260615"), ("-08:00", "20260615"), ("-13:00", "20260614"), ("+14:00", "20260616"),
            ("bogus", "20260615"),
        ] as [(String?, String)])
    func countsDaysWhereTheMerchantIs(offset: String?, date: String) async throws {
        let shop = try await TestShop.open(settings: offset.map { ["timeZoneOffset": $0] } ?? [:])
        _ = try await shop.paid(1000)
        let reply = try await shop.call("transactions", ["date": .string(date)])
        #expect(self.amounts(reply) == ["Credit 1000"])
    }
}
