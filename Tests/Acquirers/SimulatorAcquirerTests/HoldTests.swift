//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import SimulatorAcquirer
import Testing
import Time

/// Until when an authorization is held, and what comes after that. Time is that of the requests.
@Suite struct HoldTests {
    private static let lapsed = "declined invalidOperation 12"
    private static let holdSeconds: Int64 = 60

    private let desk: Desk
    private let acquirer: SimulatorAcquirer

    init() throws {
        self.desk = try Desk()
        self.acquirer = Self.acquirer(holding: Self.holdSeconds, self.desk.book)
    }

    private static func acquirer(holding seconds: Int64, _ book: SimulatorBook) -> SimulatorAcquirer {
        SimulatorAcquirer(book: book, behavior: SimulatorBehavior(holdsForSeconds: seconds))
    }

    private func perform(
        _ number: UInt8, _ minorUnits: Int64, _ action: AcquirerRequest.Action, after seconds: Int64 = 0
    ) async -> AcquirerOutcome {
        await self.acquirer.perform(
            self.desk.request(number, self.desk.money(minorUnits), action, at: Desk.now.adding(seconds: seconds)))
    }

    private func authorize(_ minorUnits: Int64 = 1000, captures: Bool = false) async -> AcquirerOutcome {
        await self.perform(
            0, minorUnits, .authorize(Charge(instrument: Desk.card, network: .visa, captures: captures)))
    }

    private func capture(
        _ number: UInt8, _ minorUnits: Int64, isFinal: Bool = false, after seconds: Int64
    ) async -> AcquirerOutcome {
        await self.perform(
            number, minorUnits, .capture(of: self.desk.original(0), isFinal: isFinal), after: seconds)
    }

    private func refund(_ number: UInt8, _ minorUnits: Int64, after seconds: Int64) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .refund(of: self.desk.original(0), capture: nil), after: seconds)
    }

    private var position: SimulatorPosition? {
        get async throws { try await self.desk.book.position(self.desk.paymentID) }
    }

    @Test func takesCapturesUntilTheEndThatItHasSaid() async throws {
        guard case .approved(let approval) = await self.authorize() else {
            Issue.record("declined")
            return
        }
        #expect(approval.answer.authorizationExpiresAt == Desk.now.adding(seconds: Self.holdSeconds))
        #expect(words(await self.capture(1, 400, after: 59)) == "approved 400 00")
        let late = await self.capture(2, 600, after: 60)
        #expect(words(late) == Self.lapsed)
        guard case .declined(let decline) = late else { return }
        #expect(decline.answer.vendorCode == "authorizationExpired")
        #expect(decline.answer.vendorText == "The authorization has expired")
        // The same request has the same answer.
        #expect(await self.capture(2, 600, after: 60) == late)
    }

    @Test func whatComesTooLateReleasesTheRest() async throws {
        _ = await self.authorize()
        _ = await self.capture(1, 400, after: 59)
        #expect(try await self.position?.held == self.desk.money(600))
        _ = await self.capture(2, 600, after: 60)
        #expect(
            try await self.position == self.desk.position(authorized: 1000, captured: 400, released: 600))
        #expect(try await self.position?.held.isZero == true)
        // Once more releases nothing more, and what was captured in time can be given back.
        _ = await self.capture(3, 100, after: 61)
        #expect(words(await self.refund(4, 400, after: 3600)) == "approved 400 00")
        #expect(
            try await self.position
                == self.desk.position(authorized: 1000, captured: 400, refunded: 400, released: 600))
    }

    @Test func canBeVoidedAfterItsEnd() async throws {
        _ = await self.authorize()
        _ = await self.capture(1, 1000, isFinal: true, after: 60)
        #expect(try await self.position == self.desk.position(authorized: 1000, released: 1000))
        #expect(words(await self.perform(2, 1000, .void(self.desk.original(0)), after: 61)) == "approved 1000 00")
        #expect(try await self.position == self.desk.position(authorized: 1000, voided: 1000))
        #expect(words(await self.capture(3, 1000, after: 62)) == Self.lapsed)
        #expect(try await self.position == self.desk.position(authorized: 1000, voided: 1000))
    }

    @Test func isNotRaisedAfterItsEnd() async throws {
        _ = await self.authorize()
        #expect(words(await self.perform(1, 1500, .adjust(self.desk.original(0)), after: 59)) == "approved 1500 00")
        #expect(words(await self.perform(2, 1501, .adjust(self.desk.original(0)), after: 60)) == Self.lapsed)
        #expect(words(await self.perform(3, 700, .adjust(self.desk.original(0)), after: 60)) == "approved 700 00")
        #expect(try await self.position == self.desk.position(authorized: 700, released: 700))
    }

    /// What was never possible is declined as that, and releases nothing.
    @Test func moreThanIsLeftIsNoMatterOfTime() async throws {
        _ = await self.authorize()
        guard case .declined(let decline) = await self.capture(1, 1001, after: 60) else {
            Issue.record("approved")
            return
        }
        #expect(decline.answer.vendorCode == DeclineReason.invalidOperation.rawValue)
        #expect(try await self.position == self.desk.position(authorized: 1000))
    }

    @Test func saleIsCapturedAndHasNoEnd() async throws {
        _ = await self.authorize(captures: true)
        #expect(words(await self.refund(1, 1000, after: 400 * 86_400)) == "approved 1000 00")
    }

    /// An authorization keeps the end that it was given, whatever the account's setting is by now.
    @Test func endIsThatOfItsOwnAnswer() async throws {
        _ = await self.authorize()
        let other = Self.acquirer(holding: 3600, self.desk.book)
        let capture = AcquirerRequest.Action.capture(of: self.desk.original(0), isFinal: false)
        let late = self.desk.request(1, self.desk.money(1000), capture, at: Desk.now.adding(seconds: 60))
        #expect(words(await other.perform(late)) == Self.lapsed)
    }

    /// What is found out later is what was decided.
    @Test func queryFindsThatACaptureCameTooLate() async throws {
        let script = SimulatorScript()
        script.append(.init(.capture, .nth(1), fault: .dropAfterBooking))
        let acquirer = SimulatorAcquirer(
            book: self.desk.book, script: script, behavior: SimulatorBehavior(holdsForSeconds: Self.holdSeconds))
        _ = await self.authorize()
        let capture = AcquirerRequest.Action.capture(of: self.desk.original(0), isFinal: false)
        let late = self.desk.request(1, self.desk.money(1000), capture, at: Desk.now.adding(seconds: 60))
        #expect(words(await acquirer.perform(late)) == "unknown timed_out")
        #expect(words(await self.desk.query(1)) == Self.lapsed)
        #expect(try await self.position == self.desk.position(authorized: 1000, released: 1000))
    }

    /// Longer than any dialect lets a capture be planned: TapPay's thirtieth day ends 31 days after the first one began.
    @Test func holdsForAMonthUnlessItsAccountSaysOtherwise() async throws {
        let days = SimulatorBehavior.usualHoldSeconds / 86_400
        #expect(SimulatorBehavior().holdsForSeconds == SimulatorBehavior.usualHoldSeconds && days == 32)
        let desk = try Desk()
        _ = await desk.authorize(1000)
        for (number, seconds, ending) in [(1, -1, "approved 500 00"), (2, 0, Self.lapsed)] as [(UInt8, Int64, String)] {
            let capture = AcquirerRequest.Action.capture(of: desk.original(0), isFinal: false)
            let at = Desk.now.adding(seconds: SimulatorBehavior.usualHoldSeconds + seconds)
            let outcome = await desk.acquirer.perform(desk.request(number, desk.money(500), capture, at: at))
            #expect(words(outcome) == ending)
        }
    }
}
