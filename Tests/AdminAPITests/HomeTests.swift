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

/// What an operator looks at first.
@Suite struct HomeTests {
    @Test func homeCountsWhatHappened() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        _ = try await till.pay(10_00, "a")
        desk.test.clock.advance(seconds: 2 * 3600)
        _ = try await till.pay(5_00, "b", purpose: .sale)
        // The window ends before the moment that it is asked in.
        desk.test.clock.advance(seconds: 1)
        let home = try await desk.expect(200, .get, "/home", query: "merchant=till").json
        #expect(home["window"]?["bucket"] == "hour")
        #expect(home["window"]?["cut"] == false)
        // Two authorizations, one of them with its capture.
        #expect(home["window"]?["movements"] == 3)
        let total = home["totals"]?.array?.first
        #expect(total?["currency"] == "EUR")
        #expect(total?["authorized"]?["count"] == 2)
        #expect(total?["authorized"]?["amount"] == "15.00")
        #expect(total?["captured"]?["amount"] == "5.00")
        #expect(home["networks"]?.array?.first?["approved"] == 2)
        let buckets = home["buckets"]?.array ?? []
        #expect(buckets.allSatisfy { $0["read"] == true && $0["refused"] == 0 })
        #expect(buckets.filter { $0["approved"] == 1 }.count == 2)
        #expect(home["latencies"]?.array?.contains { $0["operation"] == "authorization" && $0["count"] == 2 } == true)
        #expect(home["certificates"]?.array?.first?["merchant"] == "till")
        #expect(home["approvals"]?["waiting"] == 0)
        #expect(home["work"]?["unknownOperations"]?["atLeast"] == false)
    }

    @Test func homeOfAllIsTheSameWithoutAMerchant() async throws {
        let desk = try await Desk.open()
        for (name, key) in [("one", "1"), ("two", "2")] { _ = try await Till.open(desk, name, key).pay(10_00, "a") }
        desk.test.clock.advance(seconds: 1)
        let home = try await desk.expect(200, .get, "/home").json
        #expect(home["totals"]?.array?.first?["authorized"]?["amount"] == "20.00")
        #expect(home["certificates"]?.array?.count == 2)
    }

    @Test func homeCountsRefusedCalls() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        try await desk.refuse(2, of: till.merchant.id)
        let home = try await desk.expect(200, .get, "/home", query: "merchant=till").json
        #expect(home["refusals"]?.array?.first?["code"] == "key_unknown")
        #expect(home["refusals"]?.array?.first?["count"] == 2)
        #expect(home["buckets"]?.array?.last?["refused"] == 2)
    }

    /// A day of three months is a bucket for each, in the merchant's zone.
    @Test func bucketsAreDaysForLongWindows() async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk)
        let now = desk.test.clock.now
        let from = now.adding(seconds: -90 * 86_400)
        let home = try await desk.expect(
            200, .get, "/home", query: "merchant=till&from=\(from)&to=\(now)"
        ).json
        #expect(home["window"]?["bucket"] == "day")
        #expect((90...92).contains(home["buckets"]?.array?.count ?? 0))
    }

    @Test(arguments: [
        "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
        "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&bucket=hour",
        "from=0001-01-01T00:00:00Z&to=9999-01-01T00:00:00Z",
    ])
    func refusesWindowsThatAreNone(_ query: String) async throws {
        let desk = try await Desk.open()
        #expect(try await desk.expect(422, .get, "/home", query: query).code == "parameters_unfit")
        try await desk.expect(400, .get, "/home", query: "bucket=week")
        try await desk.expect(400, .get, "/home", query: "from=yesterday")
    }

    /// Whoever may not see certificates and alarms is not shown them here either.
    @Test func homeHasNoMoreThanItsCallerMaySee() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let token = try await desk.token(Access(.support, merchants: [till.merchant.id]))
        let home = try await desk.expect(200, .get, "/home", token: token).json
        #expect(home["certificates"] == [])
        #expect(home["alarms"] == [])
        #expect(try await desk.expect(404, .get, "/home", token: token, query: "merchant=other").code == "not_found")
    }
}

extension Desk {
    /// Refused calls, a millisecond apart.
    @discardableResult
    func refuse(_ count: Int, of merchant: MerchantID?, text: String = "The key is unknown.") async throws
        -> [RefusedCall]
    {
        let now = self.test.clock.now
        let calls = (0..<count).map { index in
            let at = now.adding(milliseconds: Int64(index - count))
            return RefusedCall(
                id: RefusedCallID(at: at, random: [UInt8(index)]), at: at, merchantID: merchant,
                dialect: DialectName("payone"), operation: "authorize", wireCode: "1", stage: .keySelection,
                code: "key_unknown", text: text, requestID: "request-\(index)",
                publicKeyHash: String(repeating: "ab", count: 32))
        }
        try await self.test.store.write { transaction in for call in calls { try transaction.insert(call) } }
        return calls
    }
}
