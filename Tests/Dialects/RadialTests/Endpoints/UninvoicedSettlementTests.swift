//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

@testable import Radial

/// Settlements without the InvoiceId, which is optional.
@Suite struct UninvoicedSettlementTests {
    private func send(
        _ shop: RadialShop, _ token: String, _ amount: String, _ kind: String = "Debit", request: String,
        context: String = "order-77", isFinal: String = ""
    ) async throws -> Reply {
        try await shop.send(
            "settlement/create/VC.xml",
            Sample.settlement(
                token, amount, kind, request: request, invoice: "", clientContext: context, isFinal: isFinal))
    }

    /// The vendor's plugin names all parts of an order by the same ClientContext.
    @Test(arguments: ["Debit", "Credit"])
    func likePartsOfAnOrderAreEachMade(kind: String) async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1500)
        if kind == "Credit" { _ = try await shop.settle(token, "15.00", request: "d") }
        for part in 1...3 {
            // Whoever lost the answer asks again within a quarter of an hour, under another requestId.
            for attempt in ["a", "b"] {
                let reply = try await self.send(shop, token, "5.00", kind, request: "part-\(part)\(attempt)")
                #expect(reply["ResponseCode"] == "Success")
                shop.test.clock.advance(seconds: 600)
            }
            let payment = try #require(try await shop.test.payments().first)
            let moved = kind == "Debit" ? payment.capturedAmount : payment.refundedAmount
            #expect(moved.minorUnits == Int64(part) * 500)
        }
        let fault = kind == "Debit" ? "DebitExceedsAuthorizationException" : "AlreadyCreditedException"
        #expect(try await self.send(shop, token, "5.00", kind, request: "part-4").fault == "409 \(fault)")
        #expect(try await shop.events().count == (kind == "Debit" ? 3 : 4), "each is reported")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// However long its acquirer leaves it open: the shop has had no answer but `Timeout`.
    @Test(arguments: ["Debit", "Credit"], [SimulatorFault.dropAfterBooking, .accept])
    func anOpenOneIsRepeatedUntilItsEndIsKnown(kind: String, fault: SimulatorFault) async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1500)
        if kind == "Credit" { _ = try await shop.settle(token, "15.00", request: "d") }
        shop.test.script.append(.init(kind == "Debit" ? .capture : .refund, .nth(1), fault: fault))
        for request in ["1", "2", "3"] {
            #expect(try await self.send(shop, token, "5.00", kind, request: request)["ResponseCode"] == "Timeout")
            shop.test.clock.advance(seconds: 1300)
        }
        await shop.test.recover()
        // Twenty minutes from its end it is another one.
        for (seconds, minorUnits) in [(300, 500), (1300, 1000)] {
            shop.test.clock.advance(seconds: Int64(seconds))
            let reply = try await self.send(shop, token, "5.00", kind, request: "after-\(seconds)")
            #expect(reply["ResponseCode"] == "Success")
            let payment = try #require(try await shop.test.payments().first)
            #expect((kind == "Debit" ? payment.capturedAmount : payment.refundedAmount).minorUnits == minorUnits)
        }
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test(arguments: ["Debit", "Credit"])
    func sameRequestIDIsARepeatAtAnyTime(kind: String) async throws {
        let shop = try await RadialShop.open { $0.settings.claimsKeptSeconds = 365 * 86_400 }
        let token = try await shop.authorized(1500)
        if kind == "Credit" { _ = try await shop.settle(token, "15.00", request: "d") }
        let first = try await self.send(shop, token, "5.00", kind, request: "s")
        for _ in 1...2 {
            shop.test.clock.advance(seconds: 400 * 86_400)
            let again = try await self.send(shop, token, "5.00", kind, request: "s")
            #expect(again.response.body == first.response.body)
            // The second time by what the settlement itself says: its claim is gone.
            _ = try await shop.test.gateway.deleteClaims(after: nil, limit: 1000) {
                Radial.namingClaims.contains($0.operation)
            }
        }
        #expect(try await shop.test.bookedCount(kind == "Debit" ? .capture : .refund) == 1)
    }

    /// What is named otherwise, ends the authorization or is of another amount is a settlement of its own, whenever it comes.
    @Test func whatDiffersIsNoRepeat() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(5000)
        let calls = [
            ("1", "5.00", "order-77", "", 500), ("2", "5.00", "order-77", "", 500), ("3", "5.00", "order-78", "", 1000),
            ("4", "6.00", "order-77", "", 1600), ("5", "5.00", "", "", 2100), ("6", "5.00", "", "", 2600),
            ("7", "5.00", "order-77", "true", 3100), ("8", "5.00", "order-77", "true", 3100),
        ]
        for (request, amount, context, isFinal, captured) in calls {
            let reply = try await self.send(
                shop, token, amount, request: request, context: context, isFinal: isFinal)
            #expect(reply["ResponseCode"] == "Success" && reply["RequestId"] == request)
            #expect(try await shop.test.payments().first?.capturedAmount.minorUnits == Int64(captured), "\(request)")
        }
    }

    /// FinalDebit says nothing of a credit.
    @Test func aCreditsRepeatIsOneWhateverItSaysOfDebits() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1500)
        _ = try await shop.settle(token, "15.00", request: "d")
        for (request, isFinal) in [("1", "true"), ("2", "true"), ("3", "")] {
            let reply = try await self.send(shop, token, "5.00", "Credit", request: request, isFinal: isFinal)
            #expect(reply["ResponseCode"] == "Success" && reply["RequestId"] == request)
        }
        #expect(try await shop.test.payments().first?.refundedAmount.minorUnits == 500)
    }

    /// An invoice of the same amount is another settlement than one that has none.
    @Test func anInvoiceIsNoRepeatOfWhatHasNone() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1500)
        #expect(try await self.send(shop, token, "5.00", request: "1")["ResponseCode"] == "Success")
        let invoiced = Sample.settlement(token, "5.00", request: "2", invoice: "I1", clientContext: "order-77")
        #expect(try await shop.send("settlement/create/VC.xml", invoiced)["ResponseCode"] == "Success")
        #expect(try await shop.test.payments().first?.capturedAmount.minorUnits == 1000)
    }

    @Test func aDeclinedOneIsMadeAgain() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1500)
        shop.test.script.append(.init(.capture, .nth(1), fault: .decline(.unspecified)))
        #expect(try await self.send(shop, token, "5.00", request: "1")["ResponseCode"] == "Fail")
        #expect(try await self.send(shop, token, "5.00", request: "1")["ResponseCode"] == "Fail")
        #expect(try await self.send(shop, token, "5.00", request: "2")["ResponseCode"] == "Success")
    }

    /// Two runs of a shop's cron at once: none of them can know of the other's.
    @Test func ofSomeAtOnceAllAreOnesRepeats() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let replies = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await self.send(shop, token, "10.00", request: "d\(number)")["ResponseCode"]
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0 == "Success" || $0 == "Timeout" })
        #expect(try await shop.test.payments().first?.capturedAmount.minorUnits == 10_00)
    }
}
