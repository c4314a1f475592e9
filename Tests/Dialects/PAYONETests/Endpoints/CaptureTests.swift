//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import MemoryStore
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

@Suite struct CaptureTests {
    @Test func capturesAllAtOnce() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let reply = try await shop.send(ShopForm.capture(txid, 1000))
        #expect(reply.status == "APPROVED" && reply.txid == txid && reply["settleaccount"] == "yes")
        #expect(try await shop.payment().state == .captured)
        #expect(try await shop.send(ShopForm.capture(txid, 1, sequenceNumber: 2)).errorCode == 952)
    }

    @Test func capturesInPartsUntilCompleted() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for (number, amount) in [(1, 250), (2, 300)] as [(Int, Int64)] {
            let part = ShopForm.capture(txid, amount, sequenceNumber: number, mode: "notcompleted")
            #expect(try await shop.send(part).status == "APPROVED")
        }
        let tooMuch = try await shop.send(ShopForm.capture(txid, 451, sequenceNumber: 3))
        #expect(tooMuch.errorCode == 908 && tooMuch.message.hasPrefix("Capture amount too high. {amount}"))
        #expect(try await shop.send(ShopForm.capture(txid, 200, sequenceNumber: 3)).status == "APPROVED")
        #expect(try await shop.payment().capturedAmount == TestShop.euros(750))
        #expect(try await shop.send(ShopForm.capture(txid, 100, sequenceNumber: 4)).errorCode == 952)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The acquirer has taken back what it had approved; the shop has not given it back.
    @Test func refusesToCaptureWhatCameToNothing() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let reservation = try #require(try await shop.payment().opening).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: reservation, reference: "late") == .booked)
        #expect(try await shop.send(ShopForm.capture(txid, 1000)).errorCode == 950)
    }

    /// Only the first capture may go without its number: a second one of the same amount must not be answered as done.
    @Test func numbersTheFirstCaptureItself() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let first = ShopForm.capture(txid, 250, sequenceNumber: nil, mode: "notcompleted")
        let reply = try await shop.send(first)
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(first.with("sequencenumber", "1")) == reply)
        for amount in ["250", "300"] {
            let second = try await shop.send(first.with("amount", amount))
            #expect(second.errorCode == 1009 && second.message.contains("{sequencenumber}"))
        }
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// Nor one that was on its way at the same time.
    @Test func numbersOneOfTwoFirstCapturesAtOnce() async throws {
        let store = HookedStore(MemoryStore())
        let shop = try await TestShop.open { $0.store = store }
        let part = ShopForm.capture(
            try await shop.preauthorized(), 250, sequenceNumber: nil, mode: "notcompleted")
        // The second has looked at the payment process, and begins nothing yet, when the first is made.
        store.beforeWrite(1) {
            let first = try? await shop.send(part)
            #expect(first?.status == "APPROVED")
        }
        let second = try await shop.send(part)
        #expect(second.errorCode == 1009 && second.message.contains("{sequencenumber}"))
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// The last capture cannot be meant twice, so that it may be sent again as it was.
    @Test func repeatsALastCaptureWithoutNumber() async throws {
        let shop = try await TestShop.open()
        let last = ShopForm.capture(try await shop.preauthorized(), 1000, sequenceNumber: nil)
        let reply = try await shop.send(last)
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(last) == reply)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// Who was answered PENDING may ask as before, as long as nothing is known.
    @Test func repeatsAPendingCaptureWithoutNumber() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.capture, .dropAfterBooking)
        let part = ShopForm.capture(txid, 250, sequenceNumber: nil, mode: "notcompleted")
        for _ in 0..<2 { #expect(try await shop.send(part).status == "PENDING") }
        await shop.test.recover()
        #expect(try await shop.send(part.with("sequencenumber", "1")).status == "APPROVED")
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// The amount 0 with "completed" gives the reservation back.
    @Test func cancelsTheReservationWithTheAmountZero() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let cancel = ShopForm.capture(txid, 0)
        #expect(try await shop.send(cancel.with("capturemode", "notcompleted")).errorCode == 935)
        // In another currency nothing is given back either.
        #expect(try await shop.send(cancel.with("currency", "USD")).errorCode == 910)
        let reply = try await shop.send(cancel)
        #expect(reply.status == "APPROVED" && reply["settleaccount"] == "no")
        #expect(try await shop.send(cancel) == reply)
        #expect(try await shop.payment().state == .voided)
        #expect(try await shop.send(ShopForm.capture(txid, 1000, sequenceNumber: 2)).errorCode == 80)
        // Without a number it is the next request, not another one with the cancellation's.
        let unnumbered = ShopForm.capture(txid, 1000).with("sequencenumber", nil)
        let refused = try await shop.send(unnumbered)
        #expect(refused.errorCode == 80 && refused.message.contains("given back"))
        #expect(try await shop.send(cancel.with("sequencenumber", nil)) == reply)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// It may be gone in a moment, or be there.
    @Test func unnumberedCaptureWaitsForTheCancellation() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.reverse, .dropBeforeBooking)
        #expect(try await shop.send(ShopForm.capture(txid, 0)).status == "PENDING")
        let unnumbered = ShopForm.capture(txid, 1000).with("sequencenumber", nil)
        #expect(try await shop.send(unnumbered).errorCode == 904)
        #expect(try await shop.test.bookedCount(.capture) == 0)
    }

    /// After a cancellation that was declined the first capture is made, once.
    @Test func unnumberedCaptureFollowsADeclinedCancellation() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.reverse, .decline(.issuerUnavailable))
        #expect(try await shop.send(ShopForm.capture(txid, 0)).errorCode == 91)
        let unnumbered = ShopForm.capture(txid, 1000).with("sequencenumber", nil)
        let reply = try await shop.send(unnumbered)
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(unnumbered) == reply)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    @Test func cancelsNothingThatIsCaptured() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(
            try await shop.send(ShopForm.capture(txid, 250, mode: "notcompleted")).status == "APPROVED")
        #expect(try await shop.send(ShopForm.capture(txid, 0, sequenceNumber: 2)).errorCode == 950)
    }

    @Test(
        arguments: [
            (["amount": "-100"], 1016), (["settleaccount": "no"], 1031), (["currency": "USD"], 910),
            (["txid": "999999999"], 913), (["capturemode": nil], 1032), (["request": "creditcardcheck"], 1202),
            (["wallettype": "PPE"], 1095), (["sequencenumber": "128"], 1009), (["sequencenumber": "0"], 907),
            (["sequencenumber": "2"], 907), (["amount": "1001"], 908), (["amount": "2000000000"], 1016),
            (["clearingtype": "cc"], 1001), (["settleaccount": "x"], 1031), (["txid": "1"], 1008),
            (["narrative_text": "a\u{7}"], 2013), (["currency": "EURO"], 1005),
        ] as [([String: String?], Int)])
    func refuses(changes: [String: String?], code: Int) async throws {
        let shop = try await TestShop.open()
        let good = ShopForm.capture(try await shop.preauthorized(), 1000)
        let refused = try await shop.send(good.merging(changes))
        let name = try #require(changes.keys.first)
        #expect(refused.errorCode == code && refused.message.contains("{\(name)}"))
        #expect(try await shop.test.bookedCount(.capture) == 0)
        #expect(try await shop.send(good).status == "APPROVED")
    }

    @Test(arguments: ["yes", "auto"])
    func settlesAsAsked(value: String) async throws {
        let shop = try await TestShop.open()
        let form = ShopForm.capture(try await shop.preauthorized(), 1000).with("settleaccount", value)
        #expect(try await shop.send(form)["settleaccount"] == "yes")
    }

    /// The clients of Magento 2 and WooCommerce send no capturemode; the account says what theirs is.
    @Test(arguments: [(PAYONE.CaptureMode.completed, 952), (.notcompleted, nil)] as [(PAYONE.CaptureMode, Int?)])
    func takesTheAccountsCaptureMode(mode: PAYONE.CaptureMode, codeOfTheNext: Int?) async throws {
        let shop = try await TestShop.open(captureModeDefault: mode)
        let txid = try await shop.preauthorized()
        let first = ShopForm.capture(txid, 250).with("capturemode", nil).with("settleaccount", "auto")
        #expect(try await shop.send(first).status == "APPROVED")
        #expect(try await shop.send(first.with("capturemode", "x")).errorCode == 1032)
        #expect(try await shop.send(ShopForm.capture(txid, 250, sequenceNumber: 2)).errorCode == codeOfTheNext)
    }

    @Test func waitsForAnAuthorizationOfUnknownOutcome() async throws {
        let shop = try await TestShop.open()
        let pending = try await shop.send(shop.preauthorization(TestShop.euros(6363)))
        #expect(try await shop.send(ShopForm.capture(pending.txid, 6363)).errorCode == 904)
        await shop.test.recover()
        #expect(try await shop.send(ShopForm.capture(pending.txid, 6363)).errorCode == 950)
    }
}
