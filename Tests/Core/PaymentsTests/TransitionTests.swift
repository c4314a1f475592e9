//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Testing
import Time

@Suite("The state machine, by tables")
struct TransitionTests {
    @Test(arguments: Situation.all)
    func keepsItsTable(_ situation: Situation) throws {
        let story = try Story(situation.story)
        for row in situation.rows {
            var next = story
            #expect(try next.result(of: row.event) == row.result, "\(row.event)")
        }
    }

    @Test func everyRefusalIsInTheTables() throws {
        let results = Set(Situation.all.flatMap { $0.rows.map(\.result) })
        // Only a payment of very many operations meets this one; it has a test of its own.
        let expected = Set(PaymentRefusal.allCases).subtracting([.tooManyOperations])
        #expect(results.intersection(expected.map(\.rawValue)).count == expected.count)
    }

    @Test func everyStateIsInTheTables() throws {
        let states = Situation.all.flatMap(\.rows).compactMap { $0.result.split(separator: " ").first.map(String.init) }
        #expect(Set(states).isSuperset(of: PaymentState.allCases.map(\.rawValue)))
    }

    /// A refused event leaves no trace: neither in the payment nor, as nothing is returned, in the ledger.
    @Test(arguments: Situation.all)
    func refusalChangesNothing(_ situation: Situation) throws {
        let story = try Story(situation.story)
        for row in situation.rows where PaymentRefusal(rawValue: row.result) != nil {
            var next = story
            _ = try next.result(of: row.event)
            #expect(next.current == story.current)
            #expect(next.journal == story.journal)
        }
    }

    // MARK: - Opening

    @Test func openingBeginsTheAuthorization() throws {
        let payment = try Story("open 1000").payment
        #expect(payment.state == .authorizing)
        #expect(payment.version == 1)
        #expect(payment.operations.count == 1)
        let authorization = try #require(payment.authorization)
        #expect(authorization.id == Story.id("a"))
        #expect(authorization.kind == .authorization)
        #expect(authorization.state == .pending)
        #expect(authorization.begunInVersion == 1)
        #expect(authorization.begunAt == payment.createdAt)
        #expect(!authorization.isSale)
        #expect(try Story("open 1000 sale").payment.authorization?.isSale == true)
    }

    @Test(arguments: ["0", "-1"])
    func refusesToOpenForNothing(_ amount: String) {
        #expect(throws: PaymentRefusal.amountNotPositive) { try Story("open \(amount)") }
    }

    // MARK: - What an event writes

    @Test func beginningWritesTheRequest() throws {
        let payment = try Story("open 1000\na succeeds").payment
        let labels = OperationLabels(reference: "refund-1", memo: "memo", notifyURL: "https://shop.example/hook")
        let request = OperationRequest(
            id: Story.id("c"), action: .capture(try Story.money("400"), isFinal: true), labels: labels)
        let change = try payment.transition(on: .begin(request), at: Story.start.adding(seconds: 60))
        let capture = try #require(change.payment.operation(Story.id("c")))
        #expect(change.journal.isEmpty)
        #expect(capture.kind == .capture)
        #expect(try capture.amount == Story.money("400"))
        #expect(capture.isFinalCapture)
        #expect(capture.labels == labels)
        #expect(capture.state == .pending)
        #expect(capture.begunAt == Story.start.adding(seconds: 60))
        #expect(capture.begunInVersion == 3)
        #expect(capture.resolvedAt == nil)
        #expect(change.payment.version == 3)
    }

    @Test func successWritesTheAnswer() throws {
        let story = try Story("open 1000 partial\na succeeds 400")
        let authorization = try #require(story.payment.authorization)
        #expect(authorization.state == .succeeded)
        #expect(try authorization.approvedAmount == Story.money("400"))
        #expect(try authorization.amount == Story.money("1000"))
        #expect(authorization.answer == Story.answer("a"))
        #expect(authorization.resolvedInVersion == 2)
        #expect(authorization.resolvedAt == Story.start.adding(milliseconds: 2))
    }

    @Test func failureWritesTheAnswerAndNoAmount() throws {
        let authorization = try #require(try Story("open 1000\na declined").payment.authorization)
        #expect(authorization.state == .failed(.declined(.doNotHonor)))
        #expect(authorization.approvedAmount == nil)
        #expect(authorization.answer == Story.answer("a"))
        #expect(authorization.resolvedInVersion == 2)
    }

    @Test func unknownIsNoResolution() throws {
        let authorization = try #require(try Story("open 1000\na unknown").payment.authorization)
        #expect(authorization.state == .unknown)
        #expect(!authorization.state.isResolved)
        #expect(authorization.resolvedAt == nil)
        #expect(authorization.resolvedInVersion == nil)
    }

    @Test func saleBooksItsCaptureInTheSameVersion() throws {
        let payment = try Story("open 1000 sale\na succeeds").payment
        let capture = try #require(payment.operation(Story.id("s")))
        #expect(payment.version == 2)
        #expect(capture.kind == .capture)
        #expect(capture.isFinalCapture)
        #expect(capture.begunInVersion == 2)
        #expect(capture.resolvedInVersion == 2)
        #expect(capture.answer == Story.answer("a"))
        #expect(try capture.approvedAmount == Story.money("1000"))
    }

    @Test func openingAVerificationMovesNothing() throws {
        let payment = try Story("verify 0").payment
        #expect(payment.state == .authorizing)
        #expect(payment.amount.isZero)
        #expect(payment.authorization == nil)
        let verification = try #require(payment.opening)
        #expect(verification.id == Story.id("a"))
        #expect(verification.kind == .verification)
        #expect(verification.amount.isZero)
        #expect(verification.state == .pending)
        #expect(payment.operations.count == 1)
    }

    @Test func verificationWritesItsAnswer() throws {
        let payment = try Story("verify 0\na succeeds").payment
        let verification = try #require(payment.opening)
        #expect(verification.approvedAmount?.isZero == true)
        #expect(verification.answer == Story.answer("a"))
        #expect(payment.capturableAmount.isZero && payment.refundableAmount.isZero && payment.heldAmount.isZero)
    }

    @Test(
        arguments: [
            ("open 1000, a succeeds, v void", nil, 1000), ("open 1000, a succeeds, v void a", nil, 1000),
            ("open 1000, a succeeds, j adjust 1500, j succeeds, v void", nil, 1500),
            ("open 1000 sale, a succeeds, v void a", nil, 1000), ("open 1000 sale, a succeeds, v void s", nil, 1000),
            ("open 1000 sale partial, a succeeds 400, v void s", nil, 400),
            ("open 1000, a succeeds, c capture 400, c succeeds, v void c", "c", 400),
            ("open 1000 sale, a succeeds, r refund 300, r succeeds, v void r", "r", 300),
        ] as [(String, String?, Int64)])
    func voidNamesWhatItTakesBackAndHowMuch(_ story: String, _ target: String?, _ amount: Int64) throws {
        let payment = try Story(story.split(separator: ",").joined(separator: "\n")).payment
        let void = try #require(payment.operation(Story.id("v")))
        #expect(void.target == target.map(Story.id))
        #expect(void.amount.minorUnits == amount)
        #expect(!payment.isUndone(Story.id("a")), "not before it has succeeded")
    }

    @Test(
        arguments: [
            ("open 1000, a succeeds, v void, v succeeds", ["a"]),
            ("open 1000 sale, a succeeds, v void a, v succeeds", ["a", "s"]),
            ("open 1000, a succeeds, c capture 400, c succeeds, v void c, v succeeds", ["c"]),
            ("open 1000 sale, a succeeds, r refund 300, r succeeds, v void r, v succeeds", ["r"]),
            ("open 1000, a succeeds, c capture 400, c succeeds, v void c, v declined", []),
            ("open 1000, a succeeds, v void, v unknown", []),
            ("open 1000 sale, a succeeds, f failure s", ["a", "s"]),
            ("open 1000, a succeeds, c capture 400, c succeeds, f failure c", ["c"]),
            ("open 1000 sale, a succeeds, b chargeback 400, f failure b", ["b"]),
        ] as [(String, [String])])
    func saysWhatIsUndone(_ story: String, _ undone: [String]) throws {
        let payment = try Story(story.split(separator: ",").joined(separator: "\n")).payment
        let found = payment.operations.map(\.id).filter(payment.isUndone)
        #expect(Set(found) == Set(undone.map(Story.id)))
    }

    @Test func saysWhatAVoidTakesBack() throws {
        let payment = try Story("open 1000\na succeeds\nc capture 400\nc succeeds\nr refund 1\nr succeeds").payment
        #expect(payment.voidable(by: nil) == .authorization)
        #expect(payment.voidable(by: Story.id("a")) == .authorization)
        #expect(payment.voidable(by: Story.id("c")) == .capture)
        #expect(payment.voidable(by: Story.id("r")) == .refund)
        let sale = try Story("open 1000 sale\na succeeds\nr refund 1\nr succeeds").payment
        for target in [nil, "a", "s"] { #expect(sale.voidable(by: target.map(Story.id)) == .sale) }
        #expect(sale.voidable(by: Story.id("r")) == .refund)
    }

    @Test func whatCameToNothingHasThreeStates() {
        #expect(PaymentState.allCases.filter(\.cameToNothing) == [.declined, .notProcessed, .reversed])
    }

    @Test func adjustmentWritesTheNewTotal() throws {
        let payment = try Story("open 1000\na succeeds\nj adjust 600\nj succeeds").payment
        let adjustment = try #require(payment.operation(Story.id("j")))
        #expect(adjustment.kind == .adjustment)
        #expect(try adjustment.approvedAmount == Story.money("600"))
        #expect(adjustment.target == nil)
        #expect(try payment.authorization?.approvedAmount == Story.money("1000"), "what was approved stays on record")
        #expect(try payment.amount == Story.money("1000"))
    }

    @Test func reversalEndsWhatItTakesBackInTheSameVersion() throws {
        let payment = try Story("open 1000\na unknown\nx reversal a\nx succeeds").payment
        let authorization = try #require(payment.authorization)
        let reversal = try #require(payment.operation(Story.id("x")))
        #expect(authorization.state == .failed(.reversed))
        #expect(authorization.resolvedInVersion == 4)
        #expect(reversal.state == .succeeded)
        #expect(reversal.target == authorization.id)
        #expect(reversal.amount == authorization.amount)
        #expect(reversal.resolvedInVersion == 4)
    }

    @Test func nameOfAReportIsTheAcquirers() throws {
        let payment = try Story("open 1000 sale\na succeeds\nb chargeback 400 as cb1").payment
        let chargeback = try #require(payment.operation(Story.id("b")))
        #expect(chargeback.acquirerReference == "cb1" && chargeback.reportReference == "cb1")
        #expect(chargeback.merchantReference == nil && payment.isReported("cb1"))
        let sale = try #require(payment.authorization)
        #expect(sale.acquirerReference == "reference of a" && sale.reportReference == nil)
    }

    // MARK: - What is left

    @Test(
        arguments: [
            ("open 1000", 0, 0), ("open 1000, a declined", 0, 0), ("open 1000, a succeeds", 1000, 0),
            ("open 1000 partial, a succeeds 400", 400, 0), ("open 1000, a succeeds, c capture 400", 600, 0),
            ("open 1000, a succeeds, c capture 400, c succeeds", 600, 400),
            ("open 1000, a succeeds, c capture 400, c declined", 1000, 0),
            ("open 1000, a succeeds, c capture 400 final", 0, 0),
            ("open 1000, a succeeds, c capture 400 final, c succeeds", 0, 400),
            ("open 1000, a succeeds, v void, v succeeds", 0, 0), ("open 1000 sale, a succeeds", 0, 1000),
            ("open 1000 sale, a succeeds, r refund 300", 0, 700),
            ("open 1000 sale, a succeeds, r refund 300, r unknown", 0, 700),
            ("open 1000 sale, a succeeds, r refund 300, r declined", 0, 1000),
            ("open 1000 sale, a succeeds, r refund 300, r succeeds", 0, 700),
            ("open 1000, a succeeds, j adjust 1500", 1000, 0), ("open 1000, a succeeds, j adjust 600", 600, 0),
            ("open 1000, a succeeds, j adjust 600, j succeeds", 600, 0),
            ("open 1000, a succeeds, j adjust 600, j declined", 1000, 0),
            ("open 1000, a succeeds, j adjust 600, c capture 500", 100, 0),
            ("open 1000, a succeeds, c capture 400 final, c succeeds, v void c, v succeeds", 1000, 0),
            ("open 1000, a succeeds, c capture 400, c succeeds, v void c", 600, 400),
            ("open 1000 sale, a succeeds, v void a, v succeeds", 0, 0),
            ("open 1000 sale, a succeeds, r refund 300, r succeeds, v void r, v succeeds", 0, 1000),
            ("verify 0, a succeeds", 0, 0),
        ] as [(String, Int64, Int64)])
    func saysWhatMayStillBeTaken(_ story: String, _ capturable: Int64, _ refundable: Int64) throws {
        let payment = try Story(story.split(separator: ",").joined(separator: "\n")).payment
        #expect(payment.capturableAmount.minorUnits == capturable)
        #expect(payment.refundableAmount.minorUnits == refundable)
    }
}
