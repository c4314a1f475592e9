//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// Answers with PAYONE's quirks: after each of them the gateway's books are the stand-in's.
@Suite struct StandInTests {
    @Test(arguments: AnswerForm.allCases) func readsAnswersInEveryForm(_ form: AnswerForm) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.form = form }
            let paid = try await at.authorize(1000)
            #expect(paid.operation.state == .succeeded)
            let id = paid.payment.id
            #expect(try await at.capture(400, of: id).operation.state == .succeeded)
            #expect(try await at.refund(150, of: id).operation.state == .succeeded)
            #expect(try await at.capture(600, isFinal: true, of: id).operation.state == .succeeded)
            #expect(try await at.authorize(700, sale: true).operation.state == .succeeded)
            at.standIn.next(.refused(33))
            #expect(try await at.authorize(800).operation.state == .failed(.declined(.expiredCard)))
            #expect(at.standIn.processes.map(\.captured) == [1000, 700])
            try await at.expectAgreement()
        }
    }

    @Test(arguments: [RecordedAnswers.approved, RecordedAnswers.approvedOnThePage])
    func readsRecordedApprovals(_ text: String) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.textAfterBooking(text))
            #expect(try await at.authorize(1000).operation.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    @Test func readsTheRecordedError() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.text(RecordedAnswers.expired))
            #expect(try await at.authorize(1000).operation.state == .failed(.declined(.expiredCard)))
            try await at.expectAgreement()
        }
    }

    /// What lacks the field that says how it ended has not said it: the TransactionStatus does.
    @Test(
        arguments: [
            "txid={txid}\nuserid=86057923\n", "status=\ntxid={txid}\n", "status=APPROVED\nuserid=86057923\n",
            "status=APPROVED\ntxid=\n", "status=APPROVED\ntxid=1965\n", "status=ERROR\nerrormessage=No\n",
            "status=approved\ntxid={txid}\n", "status=APPROVED\ntxid={txid}\ntxid=196569999\n", "", "TSOK",
            "{\"Status\":\"APPROVED\",\"TxId\":\"{txid}\"}", "status=REDIRECT\ntxid={txid}\n",
        ])
    func anAnswerWithoutItsFieldsIsNoOutcome(_ text: String) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.textAfterBooking(text))
            let paid = try await at.authorize(1000)
            #expect(paid.operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            // The txid has come with it: what follows can be asked for.
            #expect(try await at.capture(1000, of: paid.payment.id).operation.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    /// The bank may have been asked before the service failed, whoever says so.
    @Test(
        arguments: [900, 902, 903, 909].map(PAYONEStandIn.Ending.errorAfterBooking)
            + [408, 409, 500, 502, 503, 504].map(PAYONEStandIn.Ending.statusAfterBooking))
    func aFailureAfterTheBookingIsNoDecline(_ ending: PAYONEStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(ending)
            let paid = try await at.authorize(1000)
            #expect(paid.operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            at.standIn.next(ending)
            #expect(try await at.capture(600, of: paid.payment.id).operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            at.standIn.next(ending)
            #expect(try await at.refund(100, of: paid.payment.id).operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            #expect(at.standIn.requestsCount == 3)
            try await at.expectAgreement()
        }
    }

    /// Nobody can ask PAYONE, so that it stays open for a person; nothing else differs, and nothing is sent again.
    @Test(arguments: StandInStep.allCases, [500, 502, 503, 504])
    func aFailureBeforeTheBookingStaysOpen(_ step: StandInStep, _ status: Int) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            let count = at.standIn.requestsCount
            at.standIn.next(.statusBeforeBooking(status))
            let outcome = try await step.run(at, id)
            #expect(outcome.operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            await at.front.test.recover()
            #expect(at.standIn.requestsCount == count + 1)
            #expect(try await at.disagreements() == ["an operation is open"])
        }
    }

    // MARK: - Late and lost

    @Test(arguments: StandInStep.allCases) func aLostAnswerIsFoundByItsNotice(_ step: StandInStep) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            let lost = try await at.loseAnswer { try await step.run(at, id) }
            #expect(lost.operation.state == .unknown)
            // Nothing is sent again while nobody knows.
            let count = at.standIn.requestsCount
            await at.front.test.recover()
            #expect(at.standIn.requestsCount == count)
            #expect(try await at.disagreements().contains("an operation is open"))
            await at.deliver(at.standIn.messages)
            let state = try await at.front.payment(lost.payment.id).operation(lost.operation.id)?.state
            // No TransactionStatus of a void is known: a person ends it.
            #expect(state == (step == .void ? .unknown : .succeeded))
            #expect(try await at.disagreements() == (step == .void ? ["an operation is open"] : []))
        }
    }

    @Test(arguments: StandInStep.allCases) func anAnswerAfterTheDeadlineChangesNothing(_ step: StandInStep) async throws
    {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            let late = try await at.loseAnswer { try await step.run(at, id) }
            await at.deliver(at.standIn.messages)
            let known = try await at.front.payment(late.payment.id)
            at.standIn.release()
            #expect(try await at.front.payment(late.payment.id) == known)
            #expect(try await at.disagreements() == (step == .void ? ["an operation is open"] : []))
        }
    }

    @Test(arguments: StandInStep.allCases) func aNoticeBeforeTheAnswerIsBookedOnce(_ step: StandInStep) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(.held)
            async let call = step.run(at, id)
            await at.standIn.heldRequestArrived()
            await at.deliver(at.standIn.messages)
            at.standIn.release()
            let outcome = try await call
            #expect(outcome.operation.state == .succeeded)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
            #expect(try await at.front.payment(outcome.payment.id).operations.count(where: \.kind.isReported) == 0)
        }
    }

    // MARK: - Repeats

    /// "Reference number already exists": a copy has come before, or comes behind.
    @Test(arguments: [true, false], [true, false])
    func aRepeatedAuthorizationIsBookedOnce(_ answersFirst: Bool, _ sale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.repeated(answersFirst: answersFirst))
            let paid = try await at.authorize(1000, sale: sale)
            #expect(paid.operation.state == (answersFirst ? .succeeded : .unknown))
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    /// "Sequence no incorrect"
    @Test(arguments: [StandInStep.capture, .refund]) func aRepeatedFollowUpIsBookedOnce(_ step: StandInStep)
        async throws
    {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(.repeated(answersFirst: true))
            #expect(try await step.run(at, id).operation.state == .succeeded)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    // MARK: - The comparison itself

    /// A stand-in that books a repeat twice, or what it refuses, is found out: the laws above can fail.
    @Test func theComparisonFindsWhatIsBookedTwice() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.booksRepeats = true }
            at.standIn.next(.repeated(answersFirst: true))
            try await at.authorize(1000)
            #expect(try await at.disagreements().contains("2 payment processes of one reference"))
        }
        try await AtStandIn.with { at in
            at.standIn.set { $0.booksRepeats = true }
            let id = try await at.authorize(1000).payment.id
            at.standIn.next(.repeated(answersFirst: true))
            try await at.capture(600, of: id)
            #expect(try await at.disagreements() == ["captured: 600 in the gateway, 1200 in the stand-in"])
        }
    }

    @Test func theComparisonFindsWhatIsBookedAfterARefusal() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.booksWhatItRefuses = true }
            at.standIn.next(.refused(5))
            try await at.authorize(1000)
            #expect(try await at.disagreements() == ["authorized: 0 in the gateway, 1000 in the stand-in"])
        }
    }
}
