//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import SimulatorAcquirer
import Testing

@Suite("The rules of the book")
struct RulesTests {
    static let refused = "declined invalidOperation 12"

    // MARK: - Repeats

    @Test func repeatIsCountedAndNotBooked() async throws {
        let desk = try Desk()
        let answers = [await desk.authorize(1000), await desk.authorize(1000), await desk.authorize(1000)]
        #expect(Set(answers).count == 1)
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [3])
    }

    @Test func declinesKnownIDForSomethingElse() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(words(await desk.authorize(1001)) == Self.refused)
        #expect(words(await desk.authorize(1000, captures: true)) == Self.refused)
        #expect(words(await desk.capture(0, 1000)) == Self.refused)
        #expect(words(await desk.capture(1, 500)) == "approved 500 00")
        #expect(words(await desk.capture(1, 500, isFinal: true)) == Self.refused)
        #expect(words(await desk.refund(1, 500)) == Self.refused)
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [1, 1])
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000, captured: 500))
    }

    // MARK: - Follow-ups

    @Test func declinesFollowUpFromAnotherPaymentMerchantOrCurrency() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000, captures: true)
        let yen = try #require(Currency.alphabetic("JPY"))
        let action = AcquirerRequest.Action.refund(of: desk.original(0), capture: nil)
        let requests = [
            desk.request(1, desk.money(1), action, paymentID: PaymentID(at: Desk.now, random: [9])),
            desk.request(2, desk.money(1), action, merchantID: Desk.merchantID(9)),
            desk.request(3, Money(minorUnits: 1, currency: yen), action),
        ]
        for request in requests {
            #expect(words(await desk.acquirer.perform(request)) == Self.refused)
        }
        #expect(words(await desk.refund(4, 1)) == "approved 1 00")
    }

    @Test func declinesFollowUpOfWhatIsNoAuthorization() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 1000)
        let request = desk.request(2, desk.money(1), .refund(of: desk.original(1), capture: nil))
        #expect(words(await desk.acquirer.perform(request)) == Self.refused)
    }

    /// The book knows more than whoever asks.
    @Test func believesNothingThatARequestSaysOfTheOriginal() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        let claimed = OriginalOperation(
            id: desk.id(0), kind: .capture, isSale: true, amount: desk.money(9000), begunAt: Desk.now,
            authorizedTotal: desk.money(9000), capturedTotal: desk.money(9000))
        for action in [
            AcquirerRequest.Action.capture(of: claimed, isFinal: false), .refund(of: claimed, capture: claimed),
        ] {
            #expect(words(await desk.acquirer.perform(desk.request(1, desk.money(1001), action))) == Self.refused)
        }
        #expect(words(await desk.capture(2, 1000)) == "approved 1000 00")
    }

    @Test(arguments: [0, -1, .min] as [Int64])
    func declinesAmountThatIsNotPositive(_ amount: Int64) async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000, captures: true)
        #expect(words(await desk.refund(1, amount)) == Self.refused)
        #expect(words(await desk.reverse(2, target: 0, amount)) == Self.refused)
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    @Test func finalCaptureReleasesTheRest() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 300)
        _ = await desk.capture(2, 200, isFinal: true)
        let position = try #require(await desk.book.position(desk.paymentID))
        #expect(position == desk.position(authorized: 1000, captured: 500, released: 500))
        #expect(position.held.isZero)
        #expect(words(await desk.capture(3, 1)) == Self.refused)
    }

    @Test func reversedFinalCaptureReleasesNothing() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 200, isFinal: true)
        #expect(words(await desk.reverse(2, target: 1, 200)) == "approved 200 00")
        let position = try #require(await desk.book.position(desk.paymentID))
        #expect(position == desk.position(authorized: 1000))
        #expect(position.held == desk.money(1000))
        #expect(words(await desk.capture(3, 1000)) == "approved 1000 00")
    }

    // MARK: - Reversals

    @Test func voidIsDistinguishedFromReversal() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(words(await desk.void(1, target: 0, 1000)) == "approved 1000 00")
        #expect(try await desk.book.entry(desk.id(0))?.state == .voided)
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000, voided: 1000))
        #expect(words(await desk.query(0)) == "reversed")

        let other = try Desk(payment: 2)
        _ = await other.authorize(1000)
        #expect(words(await other.reverse(1, target: 0, 1000)) == "approved 1000 00")
        #expect(try await other.book.entry(other.id(0))?.state == .reversed)
        #expect(try await other.book.position(other.paymentID) == other.position())
    }

    /// A void is distinguished from a reversal here too: the sale's capture is gone with its authorization.
    @Test func voidsSaleWhileNothingOfItIsRefunded() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000, captures: true)
        _ = await desk.refund(1, 1)
        #expect(words(await desk.void(2, target: 0, 1000)) == Self.refused)
        #expect(words(await desk.void(3, target: 1, 1)) == "approved 1 00")
        #expect(words(await desk.void(4, target: 0, 1000)) == "approved 1000 00")
        #expect(try await desk.book.entry(desk.id(0))?.state == .voided)
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000, voided: 1000))
        #expect(words(await desk.refund(5, 1)) == Self.refused)
    }

    @Test func voidedCaptureIsHeldAgain() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 400, isFinal: true)
        #expect(words(await desk.void(2, target: 1, 400)) == "approved 400 00")
        #expect(try await desk.book.entry(desk.id(1))?.state == .reversed)
        let position = try #require(await desk.book.position(desk.paymentID))
        #expect(position == desk.position(authorized: 1000))
        #expect(position.held == desk.money(1000))
        #expect(words(await desk.capture(3, 1000)) == "approved 1000 00")
    }

    @Test func declinesVoidOfCaptureThatIsRefunded() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 400)
        _ = await desk.refund(2, 1)
        #expect(words(await desk.void(3, target: 1, 400)) == Self.refused)
        #expect(words(await desk.void(4, target: 2, 1)) == "approved 1 00")
        #expect(words(await desk.void(5, target: 1, 400)) == "approved 400 00")
    }

    // MARK: - Adjustments

    @Test func adjustmentSetsTheTotal() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(words(await desk.adjust(1, 1500)) == "approved 1500 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1500))
        #expect(words(await desk.adjust(2, 600)) == "approved 600 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 600))
        #expect(words(await desk.capture(3, 601)) == Self.refused)
        #expect(words(await desk.capture(4, 600)) == "approved 600 00")
        #expect(words(await desk.adjust(5, 599)) == Self.refused, "less than is captured")
        #expect(words(await desk.adjust(6, 700)) == "approved 700 00")
        #expect(words(await desk.capture(7, 50, isFinal: true)) == "approved 50 00")
        #expect(
            try await desk.book.position(desk.paymentID)
                == desk.position(authorized: 700, captured: 650, released: 50))
        #expect(words(await desk.adjust(8, 800)) == Self.refused, "after the final capture")
    }

    @Test func declinesAdjustmentOfSaleAndOfWhatIsNotApproved() async throws {
        let sale = try Desk()
        _ = await sale.authorize(1000, captures: true)
        #expect(words(await sale.adjust(1, 1500)) == Self.refused)
        let desk = try Desk(payment: 2)
        #expect(words(await desk.adjust(1, 1500)) == Self.refused)
        _ = await desk.authorize(5757)
        #expect(words(await desk.adjust(2, 1500)) == Self.refused)
        #expect(words(await desk.adjust(3, 0)) == Self.refused)
    }

    @Test func reversedAdjustmentLeavesTheTotalBeforeIt() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.adjust(1, 1500)
        _ = await desk.adjust(2, 600)
        #expect(words(await desk.reverse(3, target: 2, 600)) == "approved 600 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1500))
        #expect(words(await desk.capture(4, 1200)) == "approved 1200 00")
        #expect(words(await desk.reverse(5, target: 1, 1500)) == Self.refused, "more is captured than was authorized")
        #expect(words(await desk.reverse(6, target: 4, 1200)) == "approved 1200 00")
        #expect(words(await desk.reverse(7, target: 1, 1500)) == "approved 1500 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000))
        #expect(words(await desk.capture(8, 1001)) == Self.refused)
    }

    @Test func voidOfAdjustedAuthorizationVoidsTheNewTotal() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.adjust(1, 1500)
        #expect(words(await desk.void(2, target: 0, 1500)) == "approved 1500 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1500, voided: 1500))
    }

    // MARK: - Verifications

    @Test func verificationMovesNothing() async throws {
        let desk = try Desk()
        #expect(words(await desk.verify()) == "approved 0 00")
        #expect(words(await desk.query(0)) == "approved 0 00")
        let entry = try #require(await desk.book.entry(desk.id(0)))
        #expect(entry.kind == .verification && entry.state == .approved && entry.approvedAmount == desk.money(0))
        #expect(entry.answer.authorizationCode?.count == 6)
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
        #expect(words(await desk.capture(1, 1)) == Self.refused)
        #expect(words(await desk.adjust(2, 1)) == Self.refused)
    }

    @Test func verificationOfExpiredCardIsDeclined() async throws {
        let desk = try Desk()
        #expect(words(await desk.verify(with: Desk.card(pan: Desk.pan, expiry: "2001"))) == "declined expiredCard 54")
    }

    /// Only what takes a verification back is of no amount.
    @Test func reversalOfNothingIsForVerificationsAlone() async throws {
        let desk = try Desk()
        _ = await desk.verify()
        #expect(words(await desk.reverse(1, target: 0, 0)) == "approved 0 00")
        #expect(words(await desk.query(0)) == "reversed")
        #expect(words(await desk.verify()) == Self.refused)
        #expect(words(await desk.reverse(2, target: 9, 0)) == "approved 0 00", "one that has not arrived")
        #expect(words(await desk.query(9)) == "reversed")
        let other = try Desk(payment: 2)
        _ = await other.authorize(1000)
        #expect(words(await other.reverse(1, target: 0, 0)) == Self.refused)
        #expect(words(await other.query(0)) == "approved 1000 00")
    }

    @Test func declinesReversalOfSaleThatIsRefunded() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000, captures: true)
        _ = await desk.refund(1, 1)
        #expect(words(await desk.reverse(2, target: 0, 1000)) == Self.refused)
        #expect(words(await desk.reverse(3, target: 1, 1)) == "approved 1 00")
        #expect(words(await desk.reverse(4, target: 0, 1000)) == "approved 1000 00")
    }

    @Test func declinesReversalOfCaptureThatIsRefunded() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 400)
        _ = await desk.capture(2, 100)
        _ = await desk.refund(3, 200)
        #expect(words(await desk.reverse(4, target: 1, 400)) == Self.refused)
        #expect(words(await desk.reverse(5, target: 2, 100)) == "approved 100 00")
        #expect(
            try await desk.book.position(desk.paymentID)
                == desk.position(authorized: 1000, captured: 400, refunded: 200))
    }

    @Test func declinesReversalOfReversal() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.void(1, target: 0, 1000)
        #expect(words(await desk.reverse(2, target: 1, 1000)) == Self.refused)
        #expect(words(await desk.query(0)) == "reversed")
    }

    @Test func reversalThatWasTakenBackBeforeItArrivedIsRefused() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(words(await desk.reverse(2, target: 1, 1000)) == "approved 1000 00")
        #expect(words(await desk.void(1, target: 0, 1000)) == Self.refused)
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    @Test func reversalOfDeclinedOperationChangesNothing() async throws {
        let desk = try Desk()
        _ = await desk.authorize(5757)
        #expect(words(await desk.reverse(1, target: 0, 5757)) == "approved 5757 00")
        #expect(words(await desk.query(0)) == "declined doNotHonor 05")
    }

    @Test func reversalOfDeclinedReversalChangesNothing() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 1)
        #expect(words(await desk.void(2, target: 0, 1000)) == Self.refused)
        #expect(words(await desk.reverse(3, target: 2, 1000)) == "approved 1000 00")
        #expect(words(await desk.query(2)) == Self.refused)
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    @Test func declinesReversalFromAnotherPayment() async throws {
        let book = try SimulatorBook.inMemory()
        let desk = try Desk(book: book)
        let other = try Desk(book: book, payment: 2)
        _ = await desk.authorize(1000)
        let outcome = await desk.acquirer.perform(
            other.request(1, desk.money(1000), .reverse(desk.original(0))))
        #expect(words(outcome) == Self.refused)
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    @Test func markOfTakenBackOperationSaysThatItNeverArrived() async throws {
        let desk = try Desk()
        _ = await desk.reverse(1, target: 0, 1000)
        var entry = try #require(await desk.book.entry(desk.authorizationID))
        #expect(entry.kind == nil)
        #expect(entry.state == .reversed)
        #expect(entry.arrivalsCount == 0)
        #expect(words(await desk.authorize(1000)) == Self.refused)
        entry = try #require(await desk.book.entry(desk.authorizationID))
        #expect(entry.kind == nil)
        #expect(entry.arrivalsCount == 1)
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }

    // MARK: - Queries

    @Test func queryFromAnotherPaymentOrMerchantFindsNothing() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(await desk.query(0, paymentID: PaymentID(at: Desk.now, random: [9])) == .notFound)
        #expect(await desk.query(0, merchantID: Desk.merchantID(9)) == .notFound)
    }

    // MARK: - Answers

    @Test func answersFollowFromTheOperationID() async throws {
        let first = try Desk()
        let second = try Desk()
        #expect(await first.authorize(1000) == second.authorize(1000))
        #expect(await first.capture(1, 400) == second.capture(1, 400))
        guard case .approved(let approval) = await first.authorize(1000),
            case .approved(let capture) = await first.capture(1, 400)
        else {
            Issue.record("not approved")
            return
        }
        let digits = Set("0123456789")
        #expect(approval.answer.reference?.count == 12)
        #expect(approval.answer.reference.map { digits.isSuperset(of: $0) } == true)
        #expect(approval.answer.authorizationCode?.count == 6)
        #expect(approval.answer.authorizationCode.map { digits.isSuperset(of: $0) } == true)
        #expect(capture.answer.authorizationCode == nil)
        #expect(capture.answer.reference != approval.answer.reference)
    }

    @Test func referencesAreUnique() async throws {
        let book = try SimulatorBook.inMemory()
        for payment in 0..<200 as Range<UInt8> {
            let desk = try Desk(book: book, payment: payment)
            for number in 0..<5 as Range<UInt8> {
                _ = await desk.reverse(number + 100, target: number, 100)
            }
        }
        let references = try await book.entries().compactMap(\.answer.reference)
        #expect(references.count == 1000)
        #expect(Set(references).count == 1000)
    }

    @Test(arguments: [
        (DeclineReason.doNotHonor, "05"), (.insufficientFunds, "51"), (.expiredCard, "54"), (.invalidCard, "14"),
        (.lostOrStolenCard, "41"), (.suspectedFraud, "59"), (.exceedsLimit, "61"), (.notPermitted, "57"),
        (.issuerUnavailable, "91"), (.timedOut, "68"), (.systemError, "96"), (.invalidOperation, "12"),
        (.unspecified, "06"),
    ])
    func declineCarriesResponseCode(_ reason: DeclineReason, _ code: String) async throws {
        let desk = try Desk(script: SimulatorScript([SimulatorScript.Rule(.authorize, fault: .decline(reason))]))
        #expect(words(await desk.authorize(1000)) == "declined \(reason.rawValue) \(code)")
        #expect(words(await desk.query(0)) == "declined \(reason.rawValue) \(code)")
    }
}
