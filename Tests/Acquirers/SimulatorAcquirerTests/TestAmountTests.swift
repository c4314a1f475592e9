//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import SimulatorAcquirer
import Testing

@Suite("What an amount brings about")
struct TestAmountTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let amount: Int64
        let answered: String
        let queried: String
        let state: SimulatorEntry.State
        let moved: Int64

        var testDescription: String { "\(self.amount)" }

        /// - Parameter queried: what a query says; also what a repeat is answered. `nil`: the same as was answered.
        init(_ amount: Int64, _ answered: String, queried: String? = nil, _ state: SimulatorEntry.State, moved: Int64) {
            self.amount = amount
            self.answered = answered
            self.queried = queried ?? answered
            self.state = state
            self.moved = moved
        }
    }

    @Test(arguments: [
        Row(1, "approved 1 00", .approved, moved: 1),
        Row(5655, "approved 5655 00", .approved, moved: 5655),
        Row(5656, "approved 5656 00", .approved, moved: 5656),
        Row(5757, "declined doNotHonor 05", .declined, moved: 0),
        Row(5858, "unknown timed_out", queried: "approved 5858 00", .approved, moved: 5858),
        Row(5959, "declined unspecified 06", .declined, moved: 0),
        Row(6161, "approved 3080 10", .approved, moved: 3080),
        Row(6262, "declined systemError 96", .declined, moved: 0),
        Row(6363, "unknown unclear", .unclear, moved: 0),
        Row(0, "declined invalidOperation 12", .declined, moved: 0),
        Row(-5, "declined invalidOperation 12", .declined, moved: 0),
        Row(.max, "approved \(Int64.max) 00", .approved, moved: .max),
        // The same in whole dollars.
        Row(565_600, "approved 565600 00", .approved, moved: 565_600),
        Row(575_700, "declined doNotHonor 05", .declined, moved: 0),
        Row(585_800, "unknown timed_out", queried: "approved 585800 00", .approved, moved: 585_800),
        Row(595_900, "declined unspecified 06", .declined, moved: 0),
        Row(616_100, "approved 308050 10", .approved, moved: 308_050),
        Row(626_200, "declined systemError 96", .declined, moved: 0),
        Row(636_300, "unknown unclear", .unclear, moved: 0),
        Row(575_701, "approved 575701 00", .approved, moved: 575_701),
        Row(57_570_000, "approved 57570000 00", .approved, moved: 57_570_000),
    ])
    func decidesAuthorization(_ row: Row) async throws {
        let desk = try Desk()
        #expect(words(await desk.authorize(row.amount)) == row.answered)
        #expect(words(await desk.query(0)) == row.queried)
        #expect(words(await desk.authorize(row.amount)) == row.queried)
        let entry = try #require(await desk.book.entry(desk.authorizationID))
        #expect(entry.state == row.state)
        #expect(entry.kind == .authorization)
        #expect(entry.arrivalsCount == 2)
        #expect(entry.amount == desk.money(row.amount))
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: row.moved))
    }

    @Test(arguments: [
        Row(100, "approved 100 00", .approved, moved: 100),
        Row(5656, "approved 5656 00", .approved, moved: 5656),
        Row(5757, "declined doNotHonor 05", .declined, moved: 0),
        Row(5858, "unknown timed_out", queried: "approved 5858 00", .approved, moved: 5858),
        Row(5959, "declined unspecified 06", .declined, moved: 0),
        Row(6161, "approved 6161 00", .approved, moved: 6161),
        Row(6262, "declined systemError 96", .declined, moved: 0),
        Row(6363, "unknown unclear", .unclear, moved: 0),
    ])
    func decidesCaptureSaleAndRefund(_ row: Row) async throws {
        let desk = try Desk()
        _ = await desk.authorize(100_000)
        #expect(words(await desk.capture(1, row.amount)) == row.answered)
        #expect(words(await desk.query(1)) == row.queried)
        #expect(words(await desk.capture(1, row.amount)) == row.queried)
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 100_000, captured: row.moved))

        let sale = try Desk(payment: 2)
        _ = await sale.authorize(100_000, captures: true)
        #expect(words(await sale.refund(1, row.amount)) == row.answered)
        #expect(words(await sale.query(1)) == row.queried)
        #expect(words(await sale.refund(1, row.amount)) == row.queried)
        #expect(
            try await sale.book.position(sale.paymentID)
                == sale.position(authorized: 100_000, captured: 100_000, refunded: row.moved))
    }

    /// What is decided by why nobody knows: a word alone is for the log.
    @Test(arguments: [(5858, .timedOut("timed_out")), (6363, .unclear("unclear"))] as [(Int64, UnknownOutcome)])
    func unknownOutcomeSaysWhy(_ amount: Int64, _ unknown: UnknownOutcome) async throws {
        #expect(try await Desk().authorize(amount) == .unknown(unknown))
    }

    /// 5757 yen and 5757.000 dinars are the test amount; 575,700 yen and 575.700 dinars are not.
    @Test(
        arguments: [
            ("JPY", 5757, "declined doNotHonor 05"), ("JPY", 575_700, "approved 575700 00"),
            ("KWD", 5757, "declined doNotHonor 05"), ("KWD", 5_757_000, "declined doNotHonor 05"),
            ("KWD", 575_700, "approved 575700 00"), ("KWD", 5_757_100, "approved 5757100 00"),
            ("CLF", 57_570_000, "declined doNotHonor 05"), ("CLF", 5_757_000, "approved 5757000 00"),
        ] as [(String, Int64, String)])
    func wholeUnitsAreThoseOfTheCurrency(_ code: String, _ minorUnits: Int64, _ answer: String) async throws {
        let desk = try Desk()
        let currency = try #require(Currency.alphabetic(code))
        let charge = Charge(instrument: Desk.card, network: .visa)
        let outcome = await desk.acquirer.perform(
            desk.request(0, Money(minorUnits: minorUnits, currency: currency), .authorize(charge)))
        #expect(words(outcome) == answer)
    }

    @Test(arguments: [
        Row(5757, "declined doNotHonor 05", .declined, moved: 0),
        Row(5858, "unknown timed_out", queried: "approved 5858 00", .approved, moved: 5858),
        Row(6161, "approved 6161 00", .approved, moved: 6161),
        Row(6363, "unknown unclear", .unclear, moved: 0),
    ])
    func decidesAdjustment(_ row: Row) async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        #expect(words(await desk.adjust(1, row.amount)) == row.answered)
        #expect(words(await desk.query(1)) == row.queried)
        #expect(words(await desk.adjust(1, row.amount)) == row.queried)
        let total = row.moved > 0 ? row.moved : 1000
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: total))
    }

    @Test func partiallyApprovedSaleCapturesItsHalf() async throws {
        let desk = try Desk()
        #expect(words(await desk.authorize(6161, captures: true)) == "approved 3080 10")
        #expect(try await desk.book.position(desk.paymentID) == desk.position(authorized: 3080, captured: 3080))
        #expect(words(await desk.refund(1, 3081)) == "declined invalidOperation 12")
        #expect(words(await desk.refund(2, 3080)) == "approved 3080 00")
    }

    @Test func unclearAuthorizationStaysUnclearUntilReversed() async throws {
        let desk = try Desk()
        _ = await desk.authorize(6363)
        for _ in 0..<3 { #expect(words(await desk.query(0)) == "unknown unclear") }
        #expect(words(await desk.capture(1, 100)) == "declined invalidOperation 12")
        #expect(words(await desk.reverse(2, target: 0, 6363)) == "approved 6363 00")
        #expect(words(await desk.query(0)) == "reversed")
        #expect(words(await desk.authorize(6363)) == "declined invalidOperation 12")
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }

    /// Recovery must come to an end, whatever the amount.
    @Test(arguments: [5656, 5757, 5858, 5959, 6161, 6262, 6363] as [Int64])
    func reversalIgnoresTheAmount(_ amount: Int64) async throws {
        let desk = try Desk()
        _ = await desk.authorize(amount)
        #expect(words(await desk.reverse(1, target: 0, amount)) == "approved \(amount) 00")
        #expect(words(await desk.query(1)) == "approved \(amount) 00")
        #expect(try await desk.book.position(desk.paymentID) == desk.position())
    }
}
