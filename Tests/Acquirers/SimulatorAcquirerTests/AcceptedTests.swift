//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import Testing

@Suite("What is accepted, and what is not processed")
struct AcceptedTests {
    private func desk(_ rules: SimulatorScript.Rule...) throws -> Desk {
        try Desk(script: SimulatorScript(rules))
    }

    // MARK: - Accepted

    @Test func acceptedIsBookedAtOnceAndAQuerySaysHowItEnded() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .first(1), fault: .accept))
        #expect(await desk.authorize(1000) == .accepted(AcquirerAcceptance()), "nothing of the answer comes with it")
        let entry = try #require(await desk.book.entry(desk.authorizationID))
        #expect(entry.state == .approved && entry.approvedAmount == desk.money(1000) && entry.arrivalsCount == 1)
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000))
        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(words(await desk.capture(1, 400)) == "approved 400 00")
        #expect(
            try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000, captured: 400))
    }

    @Test func repeatOfWhatIsAcceptedIsBookedOnce() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .first(2), fault: .accept))
        #expect(words(await desk.authorize(1000)) == "accepted")
        #expect(words(await desk.authorize(1000)) == "accepted")
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [3])
    }

    @Test func acceptedMayTurnOutDeclined() async throws {
        let desk = try self.desk(SimulatorScript.Rule(nil, .nth(1), fault: .accept))
        #expect(words(await desk.authorize(5757)) == "accepted")
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
        #expect(words(await desk.query(0)) == "declined doNotHonor 05")
        #expect(words(await desk.capture(1, 100)) == RulesTests.refused)

        let expired = try self.desk(SimulatorScript.Rule(.verify, fault: .accept))
        #expect(words(await expired.verify(with: Desk.card(pan: Desk.pan, expiry: "2001"))) == "accepted")
        #expect(words(await expired.query(0)) == "declined expiredCard 54")
    }

    @Test func everyOperationMayBeAccepted() async throws {
        let script = SimulatorScript(
            [.verify, .adjust, .capture, .refund, .reverse].map { SimulatorScript.Rule($0, fault: .accept) })
        let desk = try Desk(script: script)
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        #expect(words(await desk.adjust(1, 1500)) == "accepted")
        #expect(words(await desk.query(1)) == "approved 1500 00")
        #expect(words(await desk.capture(2, 1200)) == "accepted")
        #expect(words(await desk.query(2)) == "approved 1200 00")
        #expect(words(await desk.refund(3, 100)) == "accepted")
        #expect(words(await desk.query(3)) == "approved 100 00")
        #expect(
            try await desk.book.position(desk.paymentID)
                == desk.position(authorized: 1500, captured: 1200, refunded: 100))
        #expect(words(await desk.void(4, target: 3, 100)) == "accepted")
        #expect(words(await desk.query(4)) == "approved 100 00")
        #expect(words(await desk.query(3)) == "reversed")
        #expect(words(await desk.reverse(5, target: 2, 1200)) == "accepted")
        #expect(words(await desk.query(5)) == "approved 1200 00")
        #expect(words(await desk.query(2)) == "reversed")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1500))

        let verified = try Desk(script: script, payment: 2)
        #expect(words(await verified.verify()) == "accepted")
        #expect(words(await verified.query(0)) == "approved 0 00")
    }

    @Test func acceptedCanBeTakenBack() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: .accept))
        #expect(words(await desk.authorize(1000)) == "accepted")
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "approved 1000 00")
        #expect(words(await desk.query(0)) == "reversed")
        #expect(words(await desk.capture(2, 1)) == RulesTests.refused)
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }

    /// A query may come too early to say it.
    @Test func acceptedStaysSoUntilAQuerySaysMore() async throws {
        let desk = try self.desk(
            SimulatorScript.Rule(.authorize, fault: .accept), SimulatorScript.Rule(.query, .first(2), fault: .accept))
        #expect(words(await desk.authorize(1000)) == "accepted")
        #expect(await desk.query(0) == .accepted(AcquirerAcceptance()))
        #expect(words(await desk.query(0)) == "accepted")
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    /// Nothing is promised of what nobody knows, nor where the answer is lost.
    @Test(arguments: [(5858, "unknown timed_out"), (6363, "unknown unclear")] as [(Int64, String)])
    func unknownOutcomeIsNotAccepted(_ amount: Int64, _ answer: String) async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: .accept))
        #expect(words(await desk.authorize(amount)) == answer)
    }

    // MARK: - Not processed

    @Test(arguments: NotProcessedReason.allCases)
    func notProcessedIsNotBookedAndCanBeSentAgain(_ reason: NotProcessedReason) async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .first(1), fault: .refuse(reason)))
        #expect(await desk.authorize(1000) == .notProcessed(NotProcessed(reason, "scripted")))
        #expect(try await desk.book.entry(desk.authorizationID) == nil)
        #expect(try await desk.book.position(desk.paymentID) == nil)
        #expect(words(await desk.query(0)) == "notFound")
        #expect(await desk.acquirer.deliverLate().isEmpty, "nor is it on its way")
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [1])
    }

    /// The id has been used for nothing: it may be used for another amount too.
    @Test func notProcessedFollowUpTakesNoRoom() async throws {
        let desk = try self.desk(
            SimulatorScript.Rule(.capture, .first(1), fault: .refuse(.busy)),
            SimulatorScript.Rule(.refund, .first(1), fault: .refuse(.notSent)),
            SimulatorScript.Rule(.adjust, .first(1), fault: .refuse(.requestRefused)))
        _ = await desk.authorize(1000)
        #expect(words(await desk.adjust(1, 600)) == "notProcessed requestRefused")
        #expect(words(await desk.capture(2, 1000)) == "notProcessed busy")
        #expect(words(await desk.query(2)) == "notFound")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 1000))
        #expect(words(await desk.capture(3, 400)) == "approved 400 00")
        #expect(words(await desk.capture(2, 600)) == "approved 600 00")
        #expect(words(await desk.refund(4, 1000)) == "notProcessed notSent")
        #expect(words(await desk.refund(4, 1000)) == "approved 1000 00")
        #expect(
            try await desk.book.position(desk.paymentID)
                == desk.position(authorized: 1000, captured: 1000, refunded: 1000))
    }

    @Test func notProcessedReversalTakesNothingBack() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.reverse, .first(2), fault: .refuse(.notAuthorized)))
        _ = await desk.authorize(1000)
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "notProcessed notAuthorized")
        #expect(words(await desk.void(2, target: 0, 1000)) == "notProcessed notAuthorized")
        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "approved 1000 00")
        #expect(words(await desk.query(0)) == "reversed")
    }

    /// What was booked before stands, whatever becomes of a repeat.
    @Test func repeatThatIsNotProcessedLeavesWhatIsBooked() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .nth(2), fault: .refuse(.busy)))
        let first = await desk.authorize(1000)
        #expect(words(first) == "approved 1000 00")
        #expect(words(await desk.authorize(1000)) == "notProcessed busy")
        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(await desk.authorize(1000) == first)
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [2])
    }
}
