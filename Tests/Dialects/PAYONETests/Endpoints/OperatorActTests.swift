//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectConformance
import DialectKit
import Gateway
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// What the payment process says of requests that an operator has made.
@Suite struct OperatorActTests {
    private static let plans = [PAYONE.accounts]

    private static func capture(
        _ minorUnits: Int64, _ shop: TestShop, isFinal: Bool = false, key: String = "c"
    ) async throws -> OperationOutcome {
        try await shop.test.gateway.administration.capture(
            shop.payment().id, amount: TestShop.euros(minorUnits), isFinal: isFinal, key: key, reason: nil,
            plans: self.plans)
    }

    private static func refund(
        _ minorUnits: Int64, _ shop: TestShop, key: String = "r"
    ) async throws -> OperationOutcome {
        try await shop.test.gateway.administration.refund(
            shop.payment().id, amount: TestShop.euros(minorUnits), key: key, reason: nil, plans: self.plans)
    }

    private static func part(_ txid: String, _ amount: Int64, _ number: Int?) -> ShopForm {
        ShopForm.capture(txid, amount, sequenceNumber: number, mode: "notcompleted")
    }

    /// A shop takes the number for its next request from what it is notified of.
    @Test func hasTheNextNumberAndIsReportedUnderIt() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        _ = try await Self.capture(600, shop)
        _ = try await Self.refund(200, shop)
        let sent = try await shop.sent()
        #expect(
            sent.map(\.summary) == [
                "appointed 0 10.00/0.00/0.00", "capture 1 10.00/6.00/6.00", "paid 1 10.00/0.00/6.00",
                "debit 2 10.00/0.00/4.00",
            ])
        #expect(sent.last?["transactiontype"] == "GT" && sent.allSatisfy { $0["txid"] == txid })
        #expect(sent.allSatisfy { $0.target == TestShop.notificationURL })
        #expect(try await shop.send(Self.part(txid, 400, 3)).status == "APPROVED")
        #expect(try await shop.send(ShopForm.debit(txid, -800, sequenceNumber: 4)).status == "APPROVED")
        #expect(try await shop.sent().map(\.summary).last == "debit 4 10.00/0.00/0.00")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// A shop that has not heard of it yet uses the number again, and is refused it, not answered with what is not its own.
    @Test func itsNumberIsTaken() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        _ = try await Self.capture(600, shop)
        #expect(try await shop.send(Self.part(txid, 600, 1)).errorCode == 907)
        #expect(try await shop.send(Self.part(txid, 400, 1)).errorCode == 907)
        // The first capture alone may leave its number out.
        #expect(try await shop.send(Self.part(txid, 400, nil).with("sequencenumber", nil)).status == "ERROR")
        #expect(try await shop.send(Self.part(txid, 400, 2)).status == "APPROVED")
        #expect(try await shop.payment().capturedAmount == TestShop.euros(1000))
    }

    @Test func numberOfOneThatFailedIsFree() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.capture, .decline(.issuerUnavailable))
        #expect(try await Self.capture(600, shop).operation.state == .failed(.declined(.issuerUnavailable)))
        // The second try of the same number, by the operator and then by the shop.
        shop.direct(.capture, .decline(.issuerUnavailable))
        _ = try await Self.capture(600, shop, key: "c2")
        #expect(try await shop.send(Self.part(txid, 600, 1)).status == "APPROVED")
        #expect(try await Self.capture(400, shop, isFinal: true, key: "c3").operation.state == .succeeded)
        #expect(
            try await shop.sent().map(\.summary).suffix(2) == ["capture 2 10.00/4.00/10.00", "paid 2 10.00/0.00/10.00"])
    }

    /// Of two that take the same number at the same time one is refused, or takes the next.
    @Test func numbersAreNeverTakenTwice() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for round in 0..<20 {
            let number = try await shop.payment().operations.count
            async let own = shop.send(Self.part(txid, 1, number))
            async let operators = Self.capture(2, shop, key: "k\(round)")
            _ = try await (own, operators)
        }
        let numbers = try await shop.payment().operations.compactMap { $0.labels.fields["sequencenumber"] }
        #expect(Set(numbers).count == numbers.count && numbers.count > 20)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func reservationIsGivenBackInSilence() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let id = try await shop.payment().id
        let void = try await shop.test.gateway.administration.void(id, key: "v", reason: nil, plans: Self.plans)
        #expect(void.payment.state == .voided)
        #expect(try await shop.sent().map(\.summary) == ["appointed 0 10.00/0.00/0.00"])
        #expect(try await shop.send(Self.part(txid, 600, 2)).status == "ERROR")
        #expect(try await shop.send(Self.part(txid, 600, nil).with("sequencenumber", nil)).errorCode == 80)
    }

    @Test func capturedSaleIsDebitedAndNotVoided() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid()
        let acts = shop.test.gateway.administration
        let id = try await shop.payment().id
        #expect(try await acts.possibleActs(of: id, plans: Self.plans).void == .notOffered)
        _ = try await Self.refund(1000, shop)
        #expect(try await shop.sent().map(\.summary).last == "debit 1 10.00/0.00/0.00")
    }

    @Test func isReportedNowhereWithoutAnAddress() async throws {
        let shop = try await TestShop.open(notificationURL: nil)
        _ = try await shop.paid()
        _ = try await Self.refund(100, shop)
        #expect(try await shop.sent().isEmpty)
    }
}
