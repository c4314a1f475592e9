//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import Time

@testable import TapPayUpstream

/// Whole payments against another gateway, and what its acquirer has booked after them.
@Suite struct FlowTests {
    private static func with(
        settings: [String: String?] = [:], _ body: (Steps, OtherTapPay) async throws -> Void
    ) async throws {
        let other = try await OtherTapPay.open()
        try await other.withAcquirer(settings: settings) { acquirer in
            try await body(Steps(acquirer, other, total: try Bench.money(500_000)), other)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func position(_ other: OtherTapPay) async throws -> SimulatorPosition {
        try #require(try await other.positions()[Bench.authorizationID.shortName])
    }

    @Test func authorizationCaptureAndRefundsInParts() async throws {
        let (part, rest) = (try Bench.money(100_000), try Bench.money(400_000))
        try await Self.with { steps, other in
            let steps = try await steps.authorized()
            #expect(
                await steps.capture(3) == .approved(AcquirerApproval(amount: steps.total, answer: AcquirerAnswer())))
            try steps.expectApproved(await steps.refund(4, part), part)
            try steps.expectApproved(await steps.refund(5, part), part)
            // The same again, and more than is left.
            try steps.expectApproved(await steps.refund(5, part), part)
            #expect(await steps.refund(6, rest) == .wrongState)
            let booked = try await Self.position(other)
            #expect(booked.captured == steps.total)
            #expect(booked.refunded == part + part)
            for number in [4, 5] as [UInt8] {
                guard case .approved(let approval) = await steps.query(number, .refund, part) else {
                    Issue.record("refund \(number) is not found")
                    continue
                }
                #expect(approval.amount == part)
            }
            #expect(await steps.query(6, .refund, rest) == .notFound)
            #expect(
                await steps.query(3, .capture, steps.total)
                    == .approved(AcquirerApproval(amount: steps.total, answer: AcquirerAnswer())))
        }
    }

    /// Of two refunds of the same amount one was never sent: it is not taken for the other.
    @Test func refundIsNotTakenForAnother() async throws {
        let part = try Bench.money(100_000)
        try await Self.with { steps, _ in
            let steps = try await steps.authorized()
            _ = await steps.capture(3)
            try steps.expectApproved(await steps.refund(4, part), part)
            #expect(await steps.query(5, .refund, part) == .notFound)
        }
    }

    @Test func captureIsAllOrNothing() async throws {
        let part = try Bench.money(100_000)
        try await Self.with { steps, other in
            let steps = try await steps.authorized()
            #expect(await steps.query(3, .capture, steps.total) == .notFound)
            #expect(await steps.perform(3, .capture(of: steps.authorization(), isFinal: true), part) == .wrongState)
            #expect(try await Self.position(other).captured == .zero(part.currency))
        }
    }

    /// TapPay captures a sale in the evening; a part of it can be refunded from then on.
    @Test func saleIsCapturedInTheEvening() async throws {
        let part = try Bench.money(100_000)
        try await Self.with { steps, other in
            let steps = try await steps.authorized(captures: true)
            #expect(await steps.refund(4, part) == .notProcessed(NotProcessed(.busy, "status_10024")))
            other.test.clock.advance(seconds: 86_400)
            #expect(await other.test.gateway.captureDue() == 1)
            try steps.expectApproved(await steps.refund(5, part), part)
            let booked = try await Self.position(other)
            #expect(booked.captured == steps.total && booked.refunded == part)
        }
    }

    @Test func saleThatIsGivenBackBeforeTheEveningIsNeverCaptured() async throws {
        for isVoid in [true, false] {
            try await Self.with { steps, other in
                let steps = try await steps.authorized(captures: true)
                let outcome =
                    isVoid
                    ? await steps.perform(4, .void(steps.authorization()), steps.total)
                    : await steps.refund(4, steps.total)
                try steps.expectApproved(outcome, steps.total)
                other.test.clock.advance(seconds: 86_400)
                _ = await other.test.gateway.captureDue()
                let booked = try await Self.position(other)
                #expect(booked.captured == .zero(steps.total.currency) && booked.voided == steps.total)
                #expect(await steps.queryPayment() == .reversed)
            }
        }
    }

    @Test func voidEndsAnAuthorization() async throws {
        try await Self.with { steps, other in
            let steps = try await steps.authorized()
            let first = await steps.perform(3, .void(steps.authorization()), steps.total)
            try steps.expectApproved(first, steps.total)
            #expect(await steps.perform(3, .void(steps.authorization()), steps.total) == first)
            #expect(await steps.perform(4, .void(steps.authorization()), steps.total) == .wrongState)
            #expect(await steps.capture(5) == .wrongState)
            guard case .approved(let approval) = first else {
                Issue.record("\(first)")
                return
            }
            #expect(await steps.query(3, .void, steps.total) == .approved(approval))
            #expect(try await Self.position(other).voided == steps.total)
        }
    }

    @Test func captureThatIsTakenBackLeavesRoomForAnother() async throws {
        for isVoid in [true, false] {
            try await Self.with { steps, other in
                let steps = try await steps.authorized()
                _ = await steps.capture(3)
                let capture = steps.original(3, .capture)
                let action: AcquirerRequest.Action = isVoid ? .void(capture) : .reverse(capture)
                try steps.expectApproved(await steps.perform(4, action, steps.total), steps.total)
                #expect(try await Self.position(other).captured == .zero(steps.total.currency))
                #expect(await steps.query(3, .capture, steps.total) == .notFound)
                // Again: a void is what it was, and a reversal finds nothing more to take back.
                let again = await steps.perform(4, action, steps.total)
                if isVoid { try steps.expectApproved(again, steps.total) } else { #expect(again == .wrongState) }
                try steps.expectApproved(await steps.capture(5), steps.total)
                #expect(try await Self.position(other).captured == steps.total)
            }
        }
    }

    @Test func refundThatIsTakenBackLeavesRoomForAnother() async throws {
        let part = try Bench.money(300_000)
        for isVoid in [true, false] {
            try await Self.with { steps, other in
                let steps = try await steps.authorized()
                _ = await steps.capture(3)
                let outcome = await steps.refund(4, part)
                try steps.expectApproved(outcome, part)
                let refund = steps.original(4, .refund, part, memo: outcome.memo)
                let action: AcquirerRequest.Action = isVoid ? .void(refund) : .reverse(refund)
                try steps.expectApproved(await steps.perform(5, action, part), part)
                #expect(try await Self.position(other).refunded == .zero(part.currency))
                #expect(await steps.query(4, .refund, part) == .reversed)
                try steps.expectApproved(await steps.perform(5, action, part), part)
                try steps.expectApproved(await steps.refund(6, part), part)
                #expect(try await Self.position(other).refunded == part)
            }
        }
    }

    // MARK: - Declines and lost answers

    @Test(
        arguments: [
            (575_700, DeclineReason.doNotHonor), (595_900, .systemError), (626_200, .systemError),
        ] as [(Int64, DeclineReason)])
    func declinesMoveNothing(_ minorUnits: Int64, _ reason: DeclineReason) async throws {
        let other = try await OtherTapPay.open()
        let amount = try Bench.money(minorUnits)
        try await other.withAcquirer { acquirer in
            let steps = Steps(acquirer, other, total: amount)
            let outcome = await steps.charge()
            guard case .declined(let decline) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(decline.reason == reason)
            #expect(await steps.queryPayment().wordless == .declined(decline.wordless))
            #expect(await steps.capture(3) == .wrongState)
        }
        #expect(try await Self.position(other).authorized == .zero(amount.currency))
        #expect(try await other.test.bookProblems().isEmpty)
    }

    /// The bank's answer to TapPay is lost: 421. TapPay finds out, and then it is asked.
    @Test func lostAnswerOfTheBankIsAskedFor() async throws {
        try await Self.with { steps, other in
            other.test.script.append(SimulatorScript.Rule(.authorize, fault: .dropAfterBooking))
            guard case .unknown(let unknown) = await steps.charge() else {
                Issue.record("known")
                return
            }
            #expect(unknown.reason == .timedOut && unknown.memo[AcquirerMemo.trade] != nil)
            guard case .accepted = await steps.queryPayment() else {
                Issue.record("not pending")
                return
            }
            await other.test.recover()
            guard case .approved(let approval) = await steps.queryPayment() else {
                Issue.record("not found")
                return
            }
            #expect(approval.amount == steps.total && approval.memo == unknown.memo)
        }
    }

    @Test func lostAnswersOfFollowUpsAreAskedFor() async throws {
        let part = try Bench.money(100_000)
        try await Self.with { steps, other in
            let steps = try await steps.authorized()
            other.test.script.append(SimulatorScript.Rule(.capture, fault: .dropAfterBooking))
            #expect(await steps.capture(3) == .timedOut("status_421"))
            await other.test.recover()
            guard case .approved = await steps.query(3, .capture, steps.total) else {
                Issue.record("the capture is not found")
                return
            }
            other.test.script.append(SimulatorScript.Rule(.refund, fault: .dropAfterBooking))
            #expect(await steps.refund(4, part) == .timedOut("status_421"))
            #expect(await steps.query(4, .refund, part) == .accepted(AcquirerAcceptance()))
            await other.test.recover()
            guard case .approved(let approval) = await steps.query(4, .refund, part) else {
                Issue.record("the refund is not found")
                return
            }
            #expect(approval.amount == part)
            #expect(try await Self.position(other).refunded == part)
        }
    }

    /// What TapPay has taken back by itself is reversed, and so is what recovery takes back here.
    @Test func reversalsEndWhatWasNotKnown() async throws {
        try await Self.with { steps, other in
            let steps = try await steps.authorized()
            let original = Bench.original(
                .authorization, steps.total, id: Bench.authorizationID, trade: nil)
            let first = await steps.perform(3, .reverse(original), steps.total)
            try steps.expectApproved(first, steps.total)
            #expect(await steps.perform(3, .reverse(original), steps.total) == first)
            #expect(await steps.queryPayment() == .reversed)
            #expect(try await Self.position(other).voided == steps.total)
            // What never came is not taken back: it may still come.
            let unheard = Bench.original(.authorization, steps.total, id: Bench.id(40), trade: nil)
            #expect(await steps.perform(5, .reverse(unheard), steps.total) == .wrongState)
        }
    }
}
