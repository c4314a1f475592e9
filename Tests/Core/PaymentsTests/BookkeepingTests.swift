//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Testing
import Time

@Suite("What the ledger books")
struct BookkeepingTests {
    private let receivable = Bookkeeping.receivable(of: Story.accountID)
    private let payable = Bookkeeping.payable(to: Story.merchantID)

    private func leg(_ layer: LedgerLayer, _ debit: LedgerAccount, _ credit: LedgerAccount, _ amount: String) throws
        -> [Posting]
    {
        [
            Posting(account: debit, layer: layer, side: .debit, amount: try Story.money(amount)),
            Posting(account: credit, layer: layer, side: .credit, amount: try Story.money(amount)),
        ]
    }

    private func lastEntries(_ lines: String...) throws -> [JournalEntry] {
        var story = Story()
        var booked: [JournalEntry] = []
        for line in lines { booked = try story.apply(line) }
        return booked
    }

    @Test func accountsAreNamedAfterTheirOwners() {
        #expect(self.receivable.path == "acquirer/\(Story.accountID)/receivable")
        #expect(self.payable.path == "merchant/\(Story.merchantID.text)/payable")
    }

    @Test func authorizationHolds() throws {
        let entries = try self.lastEntries("open 1000", "a succeeds")
        #expect(entries.map(\.kind) == [.hold])
        #expect(entries.map(\.id) == [Story.id("a").text])
        #expect(try entries.first?.postings == self.leg(.pending, self.receivable, self.payable, "1000"))
    }

    @Test func partialApprovalHoldsWhatIsApproved() throws {
        let entries = try self.lastEntries("open 1000 partial", "a succeeds 400")
        #expect(try entries.first?.postings == self.leg(.pending, self.receivable, self.payable, "400"))
    }

    @Test func captureMovesFromPendingToPosted() throws {
        let entries = try self.lastEntries("open 1000", "a succeeds", "c capture 400", "c succeeds")
        #expect(entries.map(\.kind) == [.capture])
        #expect(entries.map(\.id) == [Story.id("c").text])
        #expect(
            try entries.first?.postings
                == self.leg(.pending, self.payable, self.receivable, "400")
                + self.leg(.posted, self.receivable, self.payable, "400"))
    }

    @Test func finalCaptureReleasesTheRest() throws {
        let entries = try self.lastEntries(
            "open 1000", "a succeeds", "b capture 300", "b succeeds", "c capture 400 final", "c succeeds")
        #expect(entries.map(\.kind) == [.capture, .release])
        #expect(entries.map(\.id) == [Story.id("c").text, Story.id("c").text + "/rest"])
        #expect(try entries.last?.postings == self.leg(.pending, self.payable, self.receivable, "300"))
    }

    @Test func finalCaptureOfAllReleasesNothing() throws {
        let entries = try self.lastEntries("open 1000", "a succeeds", "c capture 1000 final", "c succeeds")
        #expect(entries.map(\.kind) == [.capture])
    }

    @Test func saleHoldsAndCaptures() throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds")
        #expect(entries.map(\.kind) == [.hold, .capture])
        #expect(entries.map(\.id) == [Story.id("a").text, Story.id("s").text])
        #expect(
            try entries.last?.postings
                == self.leg(.pending, self.payable, self.receivable, "1000")
                + self.leg(.posted, self.receivable, self.payable, "1000"))
    }

    @Test func voidReleases() throws {
        let entries = try self.lastEntries("open 1000 partial", "a succeeds 400", "v void", "v succeeds")
        #expect(entries.map(\.kind) == [.release])
        #expect(entries.map(\.id) == [Story.id("v").text])
        #expect(try entries.first?.postings == self.leg(.pending, self.payable, self.receivable, "400"))
    }

    @Test func refundPostsTheOppositeWay() throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds", "r refund 300", "r succeeds")
        #expect(entries.map(\.kind) == [.refund])
        #expect(entries.map(\.id) == [Story.id("r").text])
        #expect(try entries.first?.postings == self.leg(.posted, self.payable, self.receivable, "300"))
    }

    @Test func reversalBooksNothing() throws {
        #expect(try self.lastEntries("open 1000", "a unknown", "x reversal a", "x succeeds").isEmpty)
        #expect(
            try self.lastEntries(
                "open 1000", "a succeeds", "c capture 1", "c unknown", "x reversal c", "x succeeds"
            ).isEmpty)
    }

    @Test func voidOfSalePostsTheOppositeWayAndHoldsNothing() throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds", "v void s", "v succeeds")
        #expect(entries.map(\.kind) == [.void])
        #expect(entries.map(\.id) == [Story.id("v").text])
        #expect(try entries.first?.postings == self.leg(.posted, self.payable, self.receivable, "1000"))
    }

    @Test func voidOfCaptureHoldsItAgain() throws {
        let entries = try self.lastEntries(
            "open 1000", "a succeeds", "c capture 400", "c succeeds", "v void c", "v succeeds")
        #expect(entries.map(\.kind) == [.void])
        #expect(
            try entries.first?.postings
                == self.leg(.posted, self.payable, self.receivable, "400")
                + self.leg(.pending, self.receivable, self.payable, "400"))
    }

    /// What the final capture had given back is held again too.
    @Test func voidOfFinalCaptureHoldsTheWholeAuthorizationAgain() throws {
        let entries = try self.lastEntries(
            "open 1000", "a succeeds", "c capture 400 final", "c succeeds", "v void c", "v succeeds")
        #expect(
            try entries.first?.postings
                == self.leg(.posted, self.payable, self.receivable, "400")
                + self.leg(.pending, self.receivable, self.payable, "1000"))
    }

    @Test func voidOfCaptureBeforeTheFinalOneHoldsNothing() throws {
        let entries = try self.lastEntries(
            "open 1000", "a succeeds", "c capture 400", "c succeeds", "d capture 100 final", "d succeeds", "v void c",
            "v succeeds")
        #expect(entries.map(\.kind) == [.void])
        #expect(try entries.first?.postings == self.leg(.posted, self.payable, self.receivable, "400"))
    }

    @Test func voidOfRefundPostsItBack() throws {
        let entries = try self.lastEntries(
            "open 1000 sale", "a succeeds", "r refund 300", "r succeeds", "v void r", "v succeeds")
        #expect(entries.map(\.kind) == [.void])
        #expect(try entries.first?.postings == self.leg(.posted, self.receivable, self.payable, "300"))
    }

    @Test func adjustmentHoldsOrReleasesTheDifference() throws {
        let up = try self.lastEntries("open 1000", "a succeeds", "j adjust 1500", "j succeeds")
        #expect(up.map(\.kind) == [.hold])
        #expect(up.map(\.id) == [Story.id("j").text])
        #expect(try up.first?.postings == self.leg(.pending, self.receivable, self.payable, "500"))
        let down = try self.lastEntries(
            "open 1000", "a succeeds", "j adjust 1500", "j succeeds", "k adjust 200", "k succeeds")
        #expect(down.map(\.kind) == [.release])
        #expect(try down.first?.postings == self.leg(.pending, self.payable, self.receivable, "1300"))
        #expect(try self.lastEntries("open 1000", "a succeeds", "j adjust 1000", "j succeeds").isEmpty)
    }

    @Test func voidOfAdjustedAuthorizationReleasesTheNewTotal() throws {
        let entries = try self.lastEntries(
            "open 1000", "a succeeds", "j adjust 1500", "j succeeds", "v void", "v succeeds")
        #expect(try entries.first?.postings == self.leg(.pending, self.payable, self.receivable, "1500"))
    }

    @Test func verificationBooksNothing() throws {
        #expect(try self.lastEntries("verify 0", "a succeeds").isEmpty)
        #expect(try self.lastEntries("verify 0", "a unknown", "x reversal a", "x succeeds").isEmpty)
    }

    // MARK: - What the acquirer reports

    @Test func failureOfAnAuthorizationReleases() throws {
        let entries = try self.lastEntries("open 1000 partial", "a succeeds 400", "f failure a")
        #expect(entries.map(\.kind) == [.failure])
        #expect(entries.map(\.id) == [Story.id("f").text])
        #expect(try entries.first?.postings == self.leg(.pending, self.payable, self.receivable, "400"))
    }

    @Test(arguments: ["f failure a", "f failure s"]) func failureOfASalePostsTheOppositeWay(_ failure: String) throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds", failure)
        #expect(entries.map(\.kind) == [.failure])
        #expect(try entries.first?.postings == self.leg(.posted, self.payable, self.receivable, "1000"))
    }

    @Test func failureOfACaptureHoldsItAgain() throws {
        let one = try self.lastEntries("open 1000", "a succeeds", "c capture 400", "c succeeds", "f failure c")
        #expect(one.map(\.kind) == [.failure])
        #expect(
            try one.first?.postings
                == self.leg(.pending, self.receivable, self.payable, "400")
                + self.leg(.posted, self.payable, self.receivable, "400"))
        // What the final capture had given back is held again too.
        let final = try self.lastEntries("open 1000", "a succeeds", "c capture 400 final", "c succeeds", "f failure c")
        #expect(
            try final.first?.postings
                == self.leg(.pending, self.receivable, self.payable, "1000")
                + self.leg(.posted, self.payable, self.receivable, "400"))
    }

    @Test func failureOfARefundPostsItBack() throws {
        let entries = try self.lastEntries(
            "open 1000 sale", "a succeeds", "r refund 300", "r succeeds", "f failure r")
        #expect(entries.map(\.kind) == [.failure])
        #expect(try entries.first?.postings == self.leg(.posted, self.receivable, self.payable, "300"))
    }

    @Test func chargebackPostsTheOppositeWayAndItsFailureBack() throws {
        let taken = try self.lastEntries("open 1000 sale", "a succeeds", "b chargeback 400")
        #expect(taken.map(\.kind) == [.chargeback])
        #expect(taken.map(\.id) == [Story.id("b").text])
        #expect(try taken.first?.postings == self.leg(.posted, self.payable, self.receivable, "400"))
        let given = try self.lastEntries("open 1000 sale", "a succeeds", "b chargeback 400", "f failure b")
        #expect(given.map(\.kind) == [.failure])
        #expect(try given.first?.postings == self.leg(.posted, self.receivable, self.payable, "400"))
    }

    @Test func feeOfAReportIsPostedBesides() throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds", "b chargeback 400 fee 25")
        #expect(entries.map(\.kind) == [.chargeback, .fee])
        #expect(entries.last?.id == Bookkeeping.feeEntryID(of: Story.id("b")))
        let fees = Bookkeeping.fees(of: Story.accountID)
        #expect(try entries.last?.postings == self.leg(.posted, fees, self.receivable, "25"))
    }

    /// What a void takes back is not written on it where it is the sale, and an adjustment goes both ways: an entry has its
    /// name from what is done, also where its amounts are a difference of sums because something has failed late.
    @Test(
        arguments: [
            ("open 1000 sale, a succeeds", "v void s, v succeeds", .void),
            ("open 1000 sale, a succeeds", "v void a, v succeeds", .void),
            (BookkeepingTests.captured, "v void c, v succeeds", .void),
            (BookkeepingTests.captured, "d capture 100, d succeeds", .capture),
            (BookkeepingTests.captured, "t refund 100, t succeeds", .refund),
            (BookkeepingTests.captured, "b chargeback 100", .chargeback),
            (BookkeepingTests.captured, "j adjust 1500, j succeeds", .hold),
            (BookkeepingTests.captured, "j adjust 500, j succeeds", .release),
            (BookkeepingTests.captured + ", t refund 50, t succeeds", "v void t, v succeeds", .void),
            (BookkeepingTests.captured + ", t refund 50, t succeeds", "g failure t", .failure),
        ] as [(String, String, JournalEntry.Kind)])
    func lateFailureRenamesNoEntry(_ story: String, _ events: String, _ kind: JournalEntry.Kind) throws {
        let plain = try self.entries(of: events, after: story)
        let late = try self.entries(of: events, after: story + ", r refund 1, r succeeds, f failure r")
        #expect(plain.map(\.kind) == [kind])
        #expect(late.map(\.kind) == [kind])
        #expect(Set(plain.flatMap(\.postings)) == Set(late.flatMap(\.postings)))
    }

    @Test func whatEndsAfterALateFailureBooksWhatItChanges() throws {
        let final = try self.lastEntries(
            "open 1000", "a succeeds", "c capture 400", "c succeeds", "f failure c", "d capture 300 final", "d succeeds"
        )
        #expect(final.map(\.kind) == [.capture])
        #expect(
            try final.first?.postings
                == self.leg(.pending, self.payable, self.receivable, "1000")
                + self.leg(.posted, self.receivable, self.payable, "300"))
        let void = try self.lastEntries(
            "open 1000", "a succeeds", "c capture 400", "c succeeds", "f failure c", "v void", "v succeeds")
        #expect(void.map(\.kind) == [.release])
        #expect(try void.first?.postings == self.leg(.pending, self.payable, self.receivable, "1000"))
        #expect(try self.lastEntries("open 1000", "a succeeds", "v void", "f failure a", "v succeeds").isEmpty)
        let capture = try self.lastEntries("open 1000", "a succeeds", "c capture 400", "f failure a", "c succeeds")
        #expect(capture.map(\.kind) == [.capture])
        #expect(try capture.first?.postings == self.leg(.posted, self.receivable, self.payable, "400"))
    }

    fileprivate static let captured = "open 1000, a succeeds, c capture 400, c succeeds"

    private func entries(of events: String, after story: String) throws -> [JournalEntry] {
        var story = try Story(story.split(separator: ",").joined(separator: "\n"))
        return try events.split(separator: ",").flatMap { try story.apply(String($0)) }
    }

    // MARK: -

    @Test func beginningFailingAndNotKnowingBookNothing() throws {
        for line in ["a declined", "a unknown", "a reversed", "x reversal a"] {
            #expect(try self.lastEntries("open 1000", line).isEmpty)
        }
        for line in ["c capture 5", "v void", "v void a", "j adjust 2000"] {
            #expect(try self.lastEntries("open 1000", "a succeeds", line).isEmpty)
        }
    }

    @Test func entriesAreAboutThePaymentAtTheTimeOfTheEvent() throws {
        let entries = try self.lastEntries("open 1000 sale", "a succeeds")
        #expect(entries.allSatisfy { $0.subject == Story.paymentID.text })
        #expect(entries.allSatisfy { $0.bookedAt == Story.start.adding(milliseconds: 2) })
    }
}
