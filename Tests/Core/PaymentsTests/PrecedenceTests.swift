//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

/// Where two rules refuse the same event, the one that comes first in ``PaymentRefusal`` is named.
@Suite("The order of refusals")
struct PrecedenceTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let story: String
        let event: String
        /// The rule that is named.
        let winner: PaymentRefusal
        /// The rule that is broken too.
        let other: PaymentRefusal

        init(_ story: String, _ event: String, _ winner: PaymentRefusal, over other: PaymentRefusal) {
            self.story = story.split(separator: ",").joined(separator: "\n")
            self.event = event
            self.winner = winner
            self.other = other
        }

        var testDescription: String { "\(self.winner) over \(self.other)" }
    }

    static let pairs: [Pair] = [
        Pair("verify 0", "c capture 0", .verificationOnly, over: .amountNotPositive),
        Pair("verify 0", "c capture 1USD", .verificationOnly, over: .currencyDiffers),
        Pair("verify 0", "j adjust 1", .verificationOnly, over: .authorizationPending),
        Pair("verify 0, a unknown", "v void", .verificationOnly, over: .authorizationUnknown),
        Pair("verify 0, a declined", "r refund 1", .verificationOnly, over: .authorizationFailed),
        Pair("open 1000", "c capture 0USD", .amountNotPositive, over: .currencyDiffers),
        Pair("open 1000", "c capture 0", .amountNotPositive, over: .authorizationPending),
        Pair("open 1000, a declined", "r refund -1", .amountNotPositive, over: .authorizationFailed),
        Pair("open 1000", "c capture 1USD", .currencyDiffers, over: .authorizationPending),
        Pair("open 1000, a succeeds", "r refund 1USD", .currencyDiffers, over: .notCaptured),
        Pair("open 1000", "c capture 1001", .authorizationPending, over: .captureExceedsAuthorized),
        Pair("open 1000", "r refund 1", .authorizationPending, over: .notCaptured),
        Pair("open 1000, a unknown", "c capture 1001", .authorizationUnknown, over: .captureExceedsAuthorized),
        Pair("open 1000, a unknown", "r refund 1", .authorizationUnknown, over: .notCaptured),
        Pair("open 1000, a declined", "r refund 1", .authorizationFailed, over: .notCaptured),
        Pair("open 1000, a declined", "c capture 1", .authorizationFailed, over: .captureExceedsAuthorized),
        Pair("open 1000, a succeeds, v void", "c capture 1001", .voidPending, over: .captureExceedsAuthorized),
        Pair("open 1000, a succeeds, v void", "r refund 1", .voidPending, over: .notCaptured),
        Pair("open 1000, a succeeds, v void, v succeeds", "r refund 1", .alreadyVoided, over: .notCaptured),
        Pair(
            "open 1000, a succeeds, v void, v succeeds", "c capture 1001", .alreadyVoided,
            over: .captureExceedsAuthorized),
        Pair(
            "open 1000, a succeeds, c capture 400, c succeeds, d capture 1", "v void", .capturePending,
            over: .alreadyCaptured),
        Pair("open 1000, a succeeds, c capture 400 final", "d capture 1 final", .capturePending, over: .captureIsFinal),
        Pair(
            "open 1000, a succeeds, c capture 400", "d capture 1000 final", .capturePending,
            over: .captureExceedsAuthorized),
        Pair("open 1000, a succeeds, c capture 400", "r refund 1", .capturePending, over: .notCaptured),
        Pair(
            "open 1000, a succeeds, c capture 400 final, c succeeds", "d capture 700", .captureIsFinal,
            over: .captureExceedsAuthorized),
        Pair("open 1000, a succeeds", "r refund 1", .notCaptured, over: .refundExceedsCaptured),
        Pair("open 1000", "j adjust 0USD", .amountNotPositive, over: .currencyDiffers),
        Pair("open 1000", "j adjust 1USD", .currencyDiffers, over: .authorizationPending),
        Pair("open 1000, a succeeds, v void", "j adjust 1", .voidPending, over: .adjustmentPending),
        Pair(
            "open 1000, a succeeds, j adjust 500, c capture 1", "k adjust 500", .capturePending,
            over: .adjustmentPending),
        Pair(
            "open 1000, a succeeds, j adjust 500, c capture 1", "d capture 1 final", .capturePending,
            over: .adjustmentPending),
        Pair(
            "open 1000, a succeeds, c capture 1, c succeeds, j adjust 500", "v void", .alreadyCaptured,
            over: .adjustmentPending),
        Pair(
            "open 1000, a succeeds, j adjust 500", "c capture 501 final", .adjustmentPending,
            over: .captureExceedsAuthorized),
        Pair(
            "open 1000, a succeeds, c capture 400, c succeeds, j adjust 500", "k adjust 1", .adjustmentPending,
            over: .adjustmentBelowCaptured),
        Pair(
            "open 1000, a succeeds, c capture 400 final, c succeeds", "j adjust 1", .captureIsFinal,
            over: .adjustmentBelowCaptured),
        Pair("open 1000", "v void z", .authorizationPending, over: .operationNotFound),
        Pair("open 1000, a succeeds, v void", "w void z", .voidPending, over: .operationNotFound),
        Pair("open 1000, a succeeds, v void, f failure a", "c capture 1", .authorizationFailed, over: .voidPending),
        Pair(
            "open 1000, a succeeds, v void, f failure a, v succeeds", "c capture 1", .authorizationFailed,
            over: .alreadyVoided),
        Pair("open 1000, a succeeds, c capture 1", "r refund 1 z", .capturePending, over: .operationNotFound),
        Pair("open 1000, a succeeds", "r refund 1 z", .notCaptured, over: .operationNotFound),
        Pair(
            "open 1000 sale, a succeeds, r refund 1000, r succeeds", "t refund 1 z", .alreadyRefunded,
            over: .operationNotFound),
        Pair("open 1000 sale, a succeeds", "r refund 1001 z", .operationNotFound, over: .refundExceedsCaptured),
        Pair(
            "open 1000 sale, a succeeds, r refund 1, r succeeds, t refund 1", "v void a", .alreadyRefunded,
            over: .refundPending),
        Pair("open 1000, a succeeds, v void, v succeeds", "w void v", .alreadyVoided, over: .notVoidable),
        Pair("open 1000, a declined", "v void a", .authorizationFailed, over: .notVoidable),
        Pair(
            "open 1000 sale, a succeeds, r refund 1000, r succeeds", "t refund 1", .alreadyRefunded,
            over: .refundExceedsCaptured),
        Pair(
            "open 1000, a unknown, x reversal a, x succeeds", "a declined", .operationAlreadyResolved,
            over: .reversalPending),
        Pair("open 1000, a declined", "a succeeds 1001", .operationAlreadyResolved, over: .approvalExceedsRequest),
        Pair("open 1000, a unknown, x reversal a", "a succeeds 1001", .reversalPending, over: .approvalExceedsRequest),
        Pair(
            "open 1000, a unknown, x reversal a", "a succeeds 999", .reversalPending, over: .partialApprovalNotAccepted),
        Pair("open 1000", "a succeeds 999USD", .approvalExceedsRequest, over: .partialApprovalNotAccepted),
        Pair("open 1000", "a succeeds 0", .approvalExceedsRequest, over: .partialApprovalNotAccepted),
        Pair("open 1000, a succeeds", "b chargeback 0", .amountNotPositive, over: .refundExceedsCaptured),
        Pair("open 1000, a succeeds", "b chargeback 1 fee 1USD", .currencyDiffers, over: .refundExceedsCaptured),
        Pair("open 1000, a succeeds", "f failure z fee 0", .amountNotPositive, over: .operationNotFound),
    ]

    /// The rule that is broken too is about the capture that a refund names.
    static let namedPairs: [Pair] = [
        Pair(
            "open 1000, a succeeds, c capture 1, c succeeds, v void c, v succeeds, d capture 1", "r refund 1 c",
            .capturePending, over: .alreadyVoided),
        Pair(
            "open 1000, a succeeds, c capture 400, c succeeds, v void c, v succeeds", "r refund 1 c", .notCaptured,
            over: .alreadyVoided),
        Pair(Self.refunded + "d capture 1", "t refund 1 d", .alreadyRefunded, over: .capturePending),
        Pair(Self.refunded + "d capture 1, d declined", "t refund 1 d", .alreadyRefunded, over: .notCaptured),
        Pair(
            Self.refunded + "d capture 1, d succeeds, v void d, v succeeds", "t refund 1 d", .alreadyRefunded,
            over: .alreadyVoided),
    ]

    private static let refunded = "open 1000, a succeeds, c capture 400, c succeeds, r refund 400, r succeeds, "

    /// What is named is looked at where it may not be found.
    @Test(arguments: PrecedenceTests.namedPairs)
    func namesThePaymentsRuleBeforeThatOfWhatIsNamed(_ pair: Pair) throws {
        var story = try Story(pair.story)
        #expect(try story.result(of: pair.event) == pair.winner.rawValue)
        let order = PaymentRefusal.allCases
        let winner = try #require(order.firstIndex(of: pair.winner))
        #expect(try winner < #require(order.firstIndex(of: .operationNotFound)))
    }

    /// Also where it says something that no report may say.
    @Test func repeatedReportIsNamedFirst() throws {
        var story = try Story("open 1000 sale\na succeeds\nb chargeback 400 as cb1")
        for event in ["d chargeback 0 as cb1", "d chargeback 1USD as cb1", "f failure z fee 0 as cb1"] {
            #expect(try story.result(of: event) == PaymentRefusal.operationAlreadyResolved.rawValue)
        }
        #expect(try story.result(of: "d chargeback 1 as cb2") == "captured 1000/1000/0 + chargeback 1")
    }

    @Test(arguments: PrecedenceTests.pairs)
    func namesTheEarlierRule(_ pair: Pair) throws {
        var story = try Story(pair.story)
        #expect(try story.result(of: pair.event) == pair.winner.rawValue)
        let order = PaymentRefusal.allCases
        let winner = try #require(order.firstIndex(of: pair.winner))
        let other = try #require(order.firstIndex(of: pair.other))
        #expect(winner < other)
    }

    // MARK: - Very many operations

    /// An authorized payment with failed captures up to a number of operations.
    private func crowded(_ count: Int, authorization: Operation.State = .succeeded) throws -> Payment {
        let opened = try Story("open 1000").payment
        let amount = opened.amount
        let isApproved = authorization == .succeeded
        let first = Operation(
            id: Story.id("a"), kind: .authorization, amount: amount, begunAt: Story.start, begunInVersion: 1,
            state: authorization, approvedAmount: isApproved ? amount : nil, resolvedInVersion: isApproved ? 2 : nil)
        let rest = (1..<count).map { number in
            Operation(
                id: OperationID(at: Story.start, random: [0, UInt8(number >> 8), UInt8(number & 0xFF)]), kind: .capture,
                amount: amount, begunAt: Story.start, begunInVersion: 3, state: .failed(.declined(.doNotHonor)),
                resolvedInVersion: 4)
        }
        return Payment(
            id: opened.id, merchantID: opened.merchantID, mode: opened.mode, dialect: opened.dialect,
            acquirer: opened.acquirer, accountID: opened.accountID, orderID: nil, amount: amount,
            instrument: opened.instrument,
            createdAt: opened.createdAt, version: 4, operations: [first] + rest)
    }

    private func refusal(_ payment: Payment, _ action: OperationRequest.Action) -> PaymentRefusal? {
        do throws(PaymentRefusal) {
            _ = try payment.transition(on: .begin(OperationRequest(id: Story.id("n"), action: action)), at: Story.start)
            return nil
        } catch {
            return error
        }
    }

    @Test func refusesTooManyOperations() throws {
        #expect(operationsPerPaymentMax == 4096)
        let full = try self.crowded(operationsPerPaymentMax)
        let one = try Story.money("1")
        #expect(self.refusal(full, .capture(one, isFinal: false)) == .tooManyOperations)
        #expect(self.refusal(full, .void(of: nil)) == .tooManyOperations)
        #expect(self.refusal(full, .void(of: Story.id("a"))) == .tooManyOperations)
        #expect(self.refusal(full, .adjustment(one)) == .tooManyOperations)
        #expect(self.refusal(full, .refund(one)) == .tooManyOperations)
        let almostFull = try self.crowded(operationsPerPaymentMax - 1)
        #expect(self.refusal(almostFull, .capture(one, isFinal: false)) == nil)
        #expect(self.refusal(almostFull, .void(of: nil)) == nil)
        #expect(self.refusal(almostFull, .adjustment(one)) == nil)
    }

    @Test func tooManyOperationsComesInItsPlace() throws {
        let full = try self.crowded(operationsPerPaymentMax)
        #expect(self.refusal(full, .capture(try Story.money("0"), isFinal: false)) == .amountNotPositive)
        #expect(self.refusal(full, .capture(try Story.money("1USD"), isFinal: false)) == .currencyDiffers)
        #expect(self.refusal(full, .capture(try Story.money("1001"), isFinal: false)) == .tooManyOperations)
        let pending = try self.crowded(operationsPerPaymentMax, authorization: .pending)
        #expect(self.refusal(pending, .void(of: nil)) == .tooManyOperations)
        #expect(self.refusal(pending, .refund(try Story.money("1"))) == .tooManyOperations)
    }

    /// What the acquirer has done is booked however long the history is.
    @Test func reportIsNeverOneTooMany() throws {
        let full = try self.crowded(operationsPerPaymentMax)
        let report = AcquirerReport(id: Story.id("n"), event: .failed(Story.id("a"), .doNotHonor))
        let change = try full.transition(on: .report(report), at: Story.start)
        #expect(change.payment.operations.count == operationsPerPaymentMax + 1)
        #expect(change.payment.state == .declined)
        // Nothing was captured: the rule that refuses is that one, and not the room.
        #expect(throws: PaymentRefusal.refundExceedsCaptured) {
            try full.transition(
                on: .report(AcquirerReport(id: Story.id("n"), event: .chargedBack(try Story.money("1")))),
                at: Story.start)
        }
    }

    /// Whatever has been begun must be able to end, so a reversal always finds room.
    @Test func reversalIsNeverOneTooMany() throws {
        let full = try self.crowded(operationsPerPaymentMax, authorization: .unknown)
        #expect(self.refusal(full, .reversal(of: Story.id("a"))) == nil)
    }
}
