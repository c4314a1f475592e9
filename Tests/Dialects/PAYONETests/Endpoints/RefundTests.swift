//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

@Suite struct RefundTests {
    @Test(arguments: ["debit", "refund"])
    func paysBackANegativeAmount(request: String) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        let first = try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 1, request: request))
        #expect(first.status == "APPROVED" && first.txid == txid && first["settleaccount"] == "yes")
        #expect(
            try await shop.send(ShopForm.debit(txid, -601, sequenceNumber: 2, request: request)).errorCode == 906)
        #expect(
            try await shop.send(ShopForm.debit(txid, -600, sequenceNumber: 2, request: request)).status == "APPROVED")
        #expect(try await shop.send(ShopForm.debit(txid, -1, sequenceNumber: 3, request: request)).errorCode == 906)
        #expect(try await shop.payment().state == .refunded)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test(arguments: ["debit", "refund"])
    func refusesTheWrongSignWithAClearNumber(request: String) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid()
        let positive = try await shop.send(ShopForm.debit(txid, 400, sequenceNumber: 1, request: request))
        #expect(positive.errorCode == 1016 && positive.message.contains("{amount} must be negative"))
        #expect(try await shop.send(ShopForm.debit(txid, 0, sequenceNumber: 1, request: request)).errorCode == 1016)
        #expect(try await shop.test.bookedCount(.refund) == 0)
    }

    @Test(
        arguments: [
            (["settleaccount": "no"], 3000), (["settleaccount": "x"], 1031), (["currency": "USD"], 910),
            (["txid": "999999999"], 913), (["sequencenumber": nil], 1009), (["sequencenumber": "2"], 907),
            (["sequencenumber": "0"], 907), (["request": "creditcardcheck"], 1202), (["clearingtype": "cc"], 1001),
            (["amount": "-1001"], 906),
        ] as [([String: String?], Int)])
    func refuses(changes: [String: String?], code: Int) async throws {
        let shop = try await TestShop.open()
        let good = ShopForm.debit(try await shop.paid(), -400, sequenceNumber: 1)
        #expect(try await shop.send(good.merging(changes)).errorCode == code)
        #expect(try await shop.test.bookedCount(.refund) == 0)
        #expect(try await shop.send(good).status == "APPROVED")
    }

    /// 80 is for captures alone.
    @Test(arguments: ["debit", "refund"])
    func refusesToPayBackAReservationThatWasGivenBack(request: String) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.capture(txid, 0, sequenceNumber: 1)).status == "APPROVED")
        let refused = try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 2, request: request))
        #expect(refused.errorCode == 915 && refused.message.contains("given back"))
        #expect(refused["customermessage"]?.contains("Händler") == true)
        #expect(try await shop.send(ShopForm.capture(txid, 400, sequenceNumber: 2)).errorCode == 80)
    }

    /// The one whose money comes back is not asked to pay with another card.
    @Test(arguments: ["debit", "refund"])
    func sendsTheCustomerToTheMerchantWhereTheBankDeclines(request: String) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid(10_000)
        let declined = try await shop.send(ShopForm.debit(txid, -5757, sequenceNumber: 1, request: request))
        #expect(declined.errorCode == 5 && declined["customermessage"]?.contains("Händler") == true)
    }

    @Test func refusesToPayBackWhatIsNotCaptured() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.debit(txid, -400, sequenceNumber: 1)).errorCode == 915)
    }

    /// A refund is for balanced accounts; a debit is not bound to that.
    @Test func refundsOnlyABalancedAccount() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(ShopForm.capture(txid, 500, mode: "notcompleted")).status == "APPROVED")
        shop.direct(.capture, .dropBeforeBooking)
        let pending = ShopForm.capture(txid, 500, sequenceNumber: 2)
        #expect(try await shop.send(pending).status == "PENDING")
        let refund = ShopForm.debit(txid, -100, sequenceNumber: 3, request: "refund")
        #expect(try await shop.send(refund).errorCode == 915)
        #expect(try await shop.send(refund.with("request", "debit")).status == "APPROVED")
        await shop.test.recover()
        #expect(try await shop.send(refund.with("sequencenumber", "4")).status == "APPROVED")
    }

    @Test func aDeclineTakesNothingOfTheSum() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.paid(10_000)
        let declined = try await shop.send(ShopForm.debit(txid, -5757, sequenceNumber: 1))
        #expect(declined.status == "ERROR" && (1...104).contains(declined.errorCode ?? 0))
        #expect(try await shop.send(ShopForm.debit(txid, -10_000, sequenceNumber: 2)).status == "APPROVED")
    }
}
