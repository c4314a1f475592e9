//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import Synchronization
import Testing

@Suite("Faults of the road")
struct FaultTests {
    private func desk(_ rules: SimulatorScript.Rule...) throws -> Desk {
        try Desk(script: SimulatorScript(rules))
    }

    @Test func requestThatIsLostIsNotBooked() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .first(1), fault: .dropBeforeBooking))
        #expect(words(await desk.authorize(1000)) == "unknown connection_lost")
        #expect(try await desk.book.entry(desk.authorizationID) == nil)
        #expect(try await desk.book.position(desk.paymentID) == nil)
        #expect(words(await desk.query(0)) == "notFound")
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
    }

    @Test(arguments: [
        (SimulatorFault.dropAfterBooking, "unknown timed_out"), (.garbage, "unknown garbled_answer"),
    ])
    func answerThatIsLostIsBooked(_ fault: SimulatorFault, _ answer: String) async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, .first(1), fault: fault))
        #expect(words(await desk.authorize(1000)) == answer)
        #expect(try await desk.book.entry(desk.authorizationID)?.state == .approved)
        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
    }

    /// What is decided by why nobody knows: a word alone is for the log.
    @Test(
        arguments: [
            (.dropBeforeBooking, .unclear("connection_lost")), (.dropAfterBooking, .timedOut("timed_out")),
            (.arriveLate, .timedOut("timed_out")), (.garbage, .unclear("garbled_answer")),
        ] as [(SimulatorFault, UnknownOutcome)])
    func unknownOutcomeSaysWhy(_ fault: SimulatorFault, _ unknown: UnknownOutcome) async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: fault))
        #expect(await desk.authorize(1000) == .unknown(unknown))
    }

    @Test func lostReversalIsBookedAndItsRepeatAcknowledged() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.reverse, .first(1), fault: .dropAfterBooking))
        _ = await desk.authorize(1000)
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "unknown timed_out")
        #expect(words(await desk.query(0)) == "reversed")
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "approved 1000 00")
    }

    @Test func scriptedDeclineIsBookedAsDeclined() async throws {
        let desk = try self.desk(
            SimulatorScript.Rule(.capture, .nth(2), fault: .decline(.exceedsLimit)),
            SimulatorScript.Rule(.reverse, fault: .decline(.systemError)))
        _ = await desk.authorize(1000)
        #expect(words(await desk.capture(1, 100)) == "approved 100 00")
        #expect(words(await desk.capture(2, 100)) == "declined exceedsLimit 61")
        #expect(words(await desk.capture(2, 100)) == "declined exceedsLimit 61")
        #expect(words(await desk.capture(3, 100)) == "approved 100 00")
        #expect(words(await desk.reverse(4, target: 3, 100)) == "declined systemError 96")
        #expect(words(await desk.query(3)) == "approved 100 00")
    }

    @Test func duplicateIsBookedOnce() async throws {
        let desk = try self.desk(SimulatorScript.Rule(nil, fault: .duplicate))
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 600)
        _ = await desk.refund(2, 100)
        #expect(
            try await desk.book.position(desk.paymentID)
                == desk.position(authorized: 1000, captured: 600, refunded: 100))
        #expect(try await desk.book.entries().map(\.arrivalsCount) == [2, 2, 2])
    }

    @Test(arguments: [
        (SimulatorFault.dropBeforeBooking, "unknown timed_out"), (.dropAfterBooking, "unknown timed_out"),
        (.arriveLate, "unknown timed_out"), (.decline(.systemError), "unknown timed_out"),
        (.garbage, "unknown garbled_answer"), (.duplicate, "approved 1000 00"), (.refuse(.busy), "unknown timed_out"),
        (.accept, "accepted"),
    ])
    func queryMayGetLost(_ fault: SimulatorFault, _ answer: String) async throws {
        let desk = try self.desk(SimulatorScript.Rule(.query, .first(1), fault: fault))
        _ = await desk.authorize(1000)
        #expect(words(await desk.query(0)) == answer)
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    // MARK: - Late arrivals

    @Test func lateRequestIsBookedWhenItArrives() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: .arriveLate))
        #expect(words(await desk.authorize(1000)) == "unknown timed_out")
        #expect(words(await desk.query(0)) == "notFound")
        let delivered = await desk.acquirer.deliverLate()
        #expect(delivered.map(\.operationID) == [desk.authorizationID])
        #expect(delivered.map { words($0.outcome) } == ["approved 1000 00"])
        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(await desk.acquirer.deliverLate().isEmpty)
    }

    @Test func lateRequestIsRefusedAfterItsReversal() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: .arriveLate))
        _ = await desk.authorize(1000)
        #expect(words(await desk.reverse(1, target: 0, 1000)) == "approved 1000 00")
        #expect(await desk.acquirer.deliverLate().map { words($0.outcome) } == ["declined invalidOperation 12"])
        #expect(words(await desk.query(0)) == "reversed")
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }

    @Test func lateRequestsArriveInTheOrderSent() async throws {
        let desk = try self.desk(
            SimulatorScript.Rule(.capture, fault: .arriveLate), SimulatorScript.Rule(.refund, fault: .arriveLate))
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 1000)
        _ = await desk.refund(2, 400)
        let delivered = await desk.acquirer.deliverLate().map { words($0.outcome) }
        #expect(delivered == ["approved 1000 00", "approved 400 00"])
    }

    /// The card is judged when the request is sent, so that no PAN waits anywhere.
    @Test func lateRequestWithWrongCardIsDeclined() async throws {
        let desk = try self.desk(SimulatorScript.Rule(.authorize, fault: .arriveLate))
        _ = await desk.authorize(1000, with: Desk.card(pan: "4895370012345672"))
        #expect(await desk.acquirer.deliverLate().map { words($0.outcome) } == ["declined invalidCard 14"])
    }

    // MARK: - Delays

    @Test func delaysAreAwaitedBeforeBookingAndBeforeTheAnswer() async throws {
        let steps = Mutex<[String]>([])
        let book = try SimulatorBook.inMemory()
        let script = SimulatorScript()
        let desk = try Desk(book: book, script: script)
        let id = desk.authorizationID
        script.append(
            SimulatorScript.Rule(
                .authorize,
                beforeBooking: {
                    let isBooked = try? await book.entry(id) != nil
                    steps.withLock { $0.append("on its way: \(isBooked == true ? "booked" : "not booked")") }
                },
                beforeAnswer: {
                    let isBooked = try? await book.entry(id) != nil
                    steps.withLock { $0.append("on its way back: \(isBooked == true ? "booked" : "not booked")") }
                }))
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        #expect(steps.withLock { $0 } == ["on its way: not booked", "on its way back: booked"])
    }

    @Test func reversalOvertakesDelayedRequest() async throws {
        let script = SimulatorScript()
        let desk = try Desk(script: script)
        script.append(
            SimulatorScript.Rule(.authorize, beforeBooking: { _ = await desk.reverse(1, target: 0, 1000) }))
        #expect(words(await desk.authorize(1000)) == "declined invalidOperation 12")
        #expect(words(await desk.query(0)) == "reversed")
    }

    @Test func queriesAreDelayedToo() async throws {
        let count = Mutex(0)
        let step: @Sendable () async -> Void = { count.withLock { $0 += 1 } }
        let desk = try self.desk(SimulatorScript.Rule(.query, beforeBooking: step, beforeAnswer: step))
        #expect(words(await desk.query(0)) == "notFound")
        #expect(count.withLock { $0 } == 2)
    }

    // MARK: - The script

    @Test func firstRuleThatFitsDirects() async throws {
        let script = SimulatorScript([
            SimulatorScript.Rule(.capture, .nth(2), fault: .decline(.suspectedFraud)),
            SimulatorScript.Rule(.capture, .first(3), fault: .decline(.doNotHonor)),
        ])
        let desk = try Desk(script: script)
        _ = await desk.authorize(1000)
        var answers: [String] = []
        for number in 1...4 as ClosedRange<UInt8> { answers.append(words(await desk.capture(number, 10))) }
        #expect(
            answers == [
                "declined doNotHonor 05", "declined suspectedFraud 59", "declined doNotHonor 05", "approved 10 00",
            ])
        #expect(script.count(of: .capture) == 4)
        #expect(script.count(of: .authorize) == 1)
        #expect(script.count(of: .refund) == 0)
    }

    @Test func ruleForAllCallsCountsThemTogether() async throws {
        let desk = try self.desk(SimulatorScript.Rule(nil, .nth(3), fault: .dropBeforeBooking))
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        #expect(words(await desk.capture(1, 10)) == "approved 10 00")
        #expect(words(await desk.refund(2, 10)) == "unknown connection_lost")
        #expect(words(await desk.refund(2, 10)) == "approved 10 00")
    }

    @Test func clearedScriptDirectsNothing() async throws {
        let script = SimulatorScript([SimulatorScript.Rule(nil, fault: .dropBeforeBooking)])
        let desk = try Desk(script: script)
        #expect(words(await desk.authorize(1000)) == "unknown connection_lost")
        script.clear()
        #expect(script.count(of: .authorize) == 0)
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        script.append(SimulatorScript.Rule(.capture, .nth(1), fault: .garbage))
        #expect(words(await desk.capture(1, 10)) == "unknown garbled_answer")
    }
}
