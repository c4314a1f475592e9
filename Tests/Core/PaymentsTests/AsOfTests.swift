//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Testing

@Suite("A payment as of a version")
struct AsOfTests {
    private static let long = """
        open 1000 partial
        a unknown
        a succeeds 900
        c capture 400
        d capture 100
        d declined
        c unknown
        x reversal c
        x unknown
        x succeeds
        e capture 300
        e succeeds
        r refund 100
        f capture 200 final
        r succeeds
        f succeeds
        t refund 400
        t unknown
        t succeeds
        """

    /// Unknown counts as pending: the same operation without what is not kept.
    private func withoutUnknowns(_ payment: Payment) -> Payment { payment.asOf(version: payment.version) }

    @Test func isTheSameBeforeAndAfterLaterChanges() throws {
        let story = try Story(Self.long)
        #expect(story.versions.count == 19)
        for later in story.versions {
            for earlier in story.versions where earlier.version <= later.version {
                #expect(later.asOf(version: earlier.version) == self.withoutUnknowns(earlier))
            }
        }
    }

    /// Sums and voids are functions of the operations, so they are what they were.
    @Test func showsEarlierTotalsAndVoids() throws {
        let payment = try Story(
            "open 1000\na succeeds\nj adjust 1500\nj succeeds\nc capture 400\nc succeeds\nv void c\nv succeeds"
        ).payment
        #expect([2, 3, 4].map { payment.asOf(version: $0).authorizedAmount.minorUnits } == [1000, 1000, 1500])
        #expect(payment.asOf(version: 7).capturedAmount.minorUnits == 400)
        #expect(!payment.asOf(version: 7).isUndone(Story.id("c")))
        #expect(payment.isUndone(Story.id("c")))
        #expect(payment.capturedAmount.isZero)
        #expect(!payment.isUndone(Story.id("a")))
    }

    @Test func isThePaymentItselfWhereNothingIsUnknown() throws {
        let story = try Story(Self.long)
        let known = story.versions.filter { $0.operations.allSatisfy { $0.state != .unknown } }
        #expect(known.count > 10)
        for payment in known {
            #expect(payment.asOf(version: payment.version) == payment)
            #expect(try story.payment.asOf(version: payment.version) == payment)
        }
    }

    @Test func unknownCountsAsPending() throws {
        let payment = try Story("open 1000\na unknown").payment
        #expect(payment.state == .authorizationUnknown)
        #expect(payment.asOf(version: 2).state == .authorizing)
        #expect(payment.asOf(version: 1).state == .authorizing)
        #expect(payment.asOf(version: 2).version == 2)
    }

    /// The reason is that of the state: neither a later outcome nor an earlier version has it.
    @Test(arguments: UnknownReason.allCases)
    func aReasonLastsAsLongAsTheOutcomeIsUnknown(reason: UnknownReason) throws {
        let opened = try Story("open 1000").payment
        let unknown = try opened.transition(on: .resolve(Story.id("a"), .unknown(reason)), at: Story.start).payment
        #expect(unknown.operations[0].unknownReason == reason)
        #expect(unknown.asOf(version: 2).operations[0].unknownReason == nil)
        let declined = try unknown.transition(
            on: .resolve(Story.id("a"), .failed(.declined(.doNotHonor), AcquirerAnswer())), at: Story.start)
        #expect(declined.payment.operations[0].unknownReason == nil)
        // What was taken back for it keeps it: that is why it failed.
        let reversed = try unknown.transition(
            on: .resolve(Story.id("a"), .failed(.reversed, AcquirerAnswer())), at: Story.start)
        #expect(reversed.payment.operations[0].unknownReason == reason)
    }

    /// What became of other operations meanwhile, and another account, do not count.
    @Test func wasResolvedAtOnceWhereItNeverStayedOpen() throws {
        let payment = try Story(
            """
            open 1000
            a succeeds
            c capture 300
            d capture 400
            c unknown
            d declined
            c succeeds
            """
        ).payment
        let operations = ["a", "c", "d"].compactMap { payment.operation(Story.id($0)) }
        #expect(operations.map(\.wasResolvedAtOnce) == [true, false, true])
        let earlier = payment.asOf(version: 4)
        #expect(earlier.operation(Story.id("c"))?.leftOpenInVersion == nil)
    }

    /// What is found out in another way than by an answer had stayed open; so had what an earlier version has left so.
    @Test func wasResolvedAtOnceOnlyByAnAnswer() throws {
        let opened = try Story("open 1000").payment
        let declined = Resolution.failed(.declined(.doNotHonor), AcquirerAnswer())
        let answered = try opened.transition(on: .resolve(Story.id("a"), declined), at: Story.start).payment
        #expect(answered.operations[0].wasResolvedAtOnce)
        let found = try opened.transition(
            on: .resolve(Story.id("a"), declined, isAnswer: false), at: Story.start
        ).payment
        #expect(!found.operations[0].wasResolvedAtOnce && found.operations[0].leftOpenInVersion == 2)
        #expect(found.asOf(version: 1) == opened)
        for state in [Operation.State.unknown, .accepted] {
            let first = opened.operations[0]
            let open = Operation(
                id: first.id, kind: first.kind, amount: first.amount, begunAt: first.begunAt,
                begunInVersion: first.begunInVersion, state: state, unknownReason: state == .unknown ? .unclear : nil)
            let earlier = Payment(
                id: opened.id, merchantID: opened.merchantID, mode: opened.mode, dialect: opened.dialect,
                acquirer: opened.acquirer, accountID: opened.accountID, orderID: opened.orderID, amount: opened.amount,
                instrument: opened.instrument, createdAt: opened.createdAt, version: 2, operations: [open])
            let ended = try earlier.transition(on: .resolve(Story.id("a"), declined), at: Story.start).payment
            #expect(!ended.operations[0].wasResolvedAtOnce && ended.operations[0].leftOpenInVersion == 3)
        }
    }

    @Test func laterOutcomesArePending() throws {
        let payment = try Story("open 1000\na succeeds\nc capture 400\nc succeeds").payment
        let earlier = payment.asOf(version: 3)
        #expect(earlier.version == 3)
        #expect(earlier.state == .authorized)
        let capture = try #require(earlier.operation(Story.id("c")))
        #expect(capture.state == .pending)
        #expect(capture.approvedAmount == nil)
        #expect(capture.answer == AcquirerAnswer())
        #expect(capture.resolvedAt == nil)
        #expect(capture.resolvedInVersion == nil)
    }

    @Test func laterOperationsAreGone() throws {
        let payment = try Story("open 1000 sale\na succeeds\nr refund 400\nr succeeds").payment
        #expect(payment.asOf(version: 1).operations.map(\.id) == [Story.id("a")])
        #expect(payment.asOf(version: 2).operations.map(\.id) == [Story.id("a"), Story.id("s")])
        #expect(payment.asOf(version: 2).state == .captured)
        #expect(payment.asOf(version: 4).state == .partiallyRefunded)
    }

    @Test func versionThatIsNotYetIsTheLatest() throws {
        let payment = try Story("open 1000\na succeeds").payment
        #expect(payment.asOf(version: 99) == payment)
    }
}
