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

@testable import MPGS

/// What comes late, twice, hidden or not at all: the record under our own id is the way to the truth.
@Suite struct StandInRecoveryTests {
    @Test(arguments: StandInStep.allCases, [400, 404]) func aLostAnswerIsFound(_ step: StandInStep, _ status: Int)
        async throws
    {
        try await AtStandIn.with { at in
            at.standIn.set { $0.notFoundStatus = status }
            let id = try await step.begin(at)
            let lost = try await at.loseAnswer { try await step.run(at, id) }
            #expect(lost.operation.state == .unknown)
            let count = at.standIn.requestsCount
            await at.front.test.recover()
            // A void is not asked after: it is sent again under its own id.
            #expect(at.standIn.requestsCount == count + (step == .void ? 1 : 0))
            try await at.expectAgreement()
            at.standIn.release()
            #expect(try await at.front.payment(lost.payment.id).operation(lost.operation.id)?.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    /// "Not found" may be "not yet".
    @Test(arguments: StandInStep.allCases, [1, 2]) func aTransactionThatQueriesDoNotSeeAtOnceIsFound(
        _ step: StandInStep, _ count: Int
    ) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(.hidden(count))
            let hidden = try await step.run(at, id)
            #expect(hidden.operation.state == .unknown)
            await at.front.test.recover()
            try await at.expectAgreement()
            #expect(try await at.front.payment(hidden.payment.id).operation(hidden.operation.id)?.state == .succeeded)
        }
    }

    /// A request that is on its way for a minute and a half is found when it has come.
    @Test(arguments: StandInStep.allCases) func aRequestThatArrivesLateIsFound(_ step: StandInStep) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            let late = try await at.loseAnswer(.onItsWay) { try await step.run(at, id) }
            #expect(late.operation.state == .unknown)
            await at.recoverOnce()
            at.standIn.arrive()
            await at.front.test.recover()
            try await at.expectAgreement()
            #expect(try await at.front.payment(late.payment.id).operation(late.operation.id)?.state == .succeeded)
        }
    }

    @Test(arguments: StandInStep.allCases) func aRequestThatNeverArrivesIsNotProcessed(_ step: StandInStep) async throws
    {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            let lost = try await at.loseAnswer(.onItsWay) { try await step.run(at, id) }
            await at.front.test.recover()
            let state = try await at.front.payment(lost.payment.id).operation(lost.operation.id)?.state
            #expect(state == (step == .void ? .succeeded : .failed(.notProcessed(.neverArrived))))
            try await at.expectAgreement()
        }
    }

    /// These statuses say nothing of whether the gateway has it, as those after the booking do.
    @Test(arguments: StandInStep.allCases, [408, 409, 500, 502, 503, 504])
    func whatSomebodyInBetweenAnsweredIsNotProcessed(_ step: StandInStep, _ status: Int) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(.statusBeforeBooking(status))
            let lost = try await step.run(at, id)
            #expect(lost.operation.state == .unknown)
            await at.front.test.recover()
            let state = try await at.front.payment(lost.payment.id).operation(lost.operation.id)?.state
            // A void is sent again.
            #expect(state == (step == .void ? .succeeded : .failed(.notProcessed(.neverArrived))))
            try await at.expectAgreement()
        }
    }

    // MARK: - Repeats

    /// "The bank transaction will not be repeated": the identical request is answered as before, or is an error about
    /// its id. Either way it is booked once, and no answer is taken for a decline.
    @Test(
        arguments: StandInStep.allCases,
        [(replays: true, answersFirst: true), (true, false), (false, true), (false, false)])
    func aRepeatedRequestIsBookedOnce(_ step: StandInStep, _ how: (replays: Bool, answersFirst: Bool)) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.replays = how.replays }
            let id = try await step.begin(at)
            at.standIn.next(.repeated(answersFirst: how.answersFirst))
            let outcome = try await step.run(at, id)
            await at.front.test.recover()
            try await at.expectAgreement()
            let settled = try await at.front.payment(outcome.payment.id).operation(outcome.operation.id)
            #expect(settled?.state == .succeeded)
        }
    }

    /// A void is sent again under its own id.
    @Test(arguments: [true, false]) func aVoidWhoseAnswerIsLostIsDoneOnce(_ replays: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.replays = replays }
            let id = try await at.authorize(1000).payment.id
            let lost = try await at.loseAnswer { try await at.front.follow(.void(nil), of: id) }
            #expect(lost.operation.state == .unknown)
            await at.front.test.recover()
            #expect(try await at.front.payment(id).state == .voided)
            #expect(at.standIn.orders.first?.transactions.count == 2)
            try await at.expectAgreement()
        }
    }

    /// Somebody has voided in Merchant Administration what the gateway was waiting for.
    @Test(arguments: [false, true]) func whatWasVoidedByHandIsNotBooked(_ sale: Bool) async throws {
        try await AtStandIn.with { at in
            let lost = try await at.loseAnswer { try await at.authorize(1000, sale: sale) }
            at.standIn.voidByHand(lost.payment.id.text)
            await at.front.test.recover()
            #expect(try await at.front.payment(lost.payment.id).authorizedAmount.minorUnits == 0)
            try await at.expectAgreement()
        }
    }

    // MARK: - Notices

    /// A notice is a reason to ask: before the answer, twice, and in any order.
    @Test(arguments: StandInStep.allCases) func aNoticeBeforeTheAnswerIsBookedOnce(_ step: StandInStep) async throws {
        try await AtStandIn.with { at in
            let id = try await step.begin(at)
            at.standIn.next(.held)
            async let call = step.run(at, id)
            await at.standIn.heldRequestArrived()
            await at.deliver(at.standIn.notices + at.standIn.notices.reversed())
            _ = await at.front.test.gateway.recover()
            at.standIn.release()
            #expect(try await call.operation.state == .succeeded)
            await at.deliver(at.standIn.notices)
            await at.front.test.recover()
            try await at.expectAgreement()
        }
    }

    @Test func aNoticeEndsWhatIsOpenWithoutWaiting() async throws {
        try await AtStandIn.with { at in
            let lost = try await at.loseAnswer { try await at.authorize(1000) }
            for notice in at.standIn.notices {
                for secret in ["another", "", nil] {
                    #expect(await at.receive(notice.body, secret: secret).status == 401)
                }
            }
            _ = await at.front.test.gateway.recover()
            #expect(try await at.front.payment(lost.payment.id).operations.first?.state == .unknown)
            await at.deliver(at.standIn.notices)
            _ = await at.front.test.gateway.recover()
            #expect(try await at.front.payment(lost.payment.id).operations.first?.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    // MARK: - The comparison itself

    /// A stand-in that books a repeat twice, or what it declines, or hides a payment for ever is found out: the laws
    /// above can fail.
    @Test func theComparisonFindsWhatIsBookedTwice() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.booksRepeats = true }
            let id = try await at.authorize(1000).payment.id
            at.standIn.next(.repeated(answersFirst: true))
            try await at.capture(1000, of: id)
            #expect(try await at.disagreements() == ["captured: 1000 in the gateway, 2000 in the stand-in"])
        }
    }

    @Test func theComparisonFindsWhatIsBookedAfterADecline() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.booksWhatItDeclines = true }
            at.standIn.next(.declined(gatewayCode: "DECLINED", acquirerCode: "05"))
            try await at.authorize(1000)
            #expect(try await at.disagreements() == ["authorized: 0 in the gateway, 1000 in the stand-in"])
        }
    }

    @Test func theComparisonFindsWhatIsHiddenForEver() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.hidden(1000))
            try await at.authorize(1000)
            await at.front.test.recover()
            #expect(try await at.disagreements() == ["authorized: 0 in the gateway, 1000 in the stand-in"])
        }
    }
}
