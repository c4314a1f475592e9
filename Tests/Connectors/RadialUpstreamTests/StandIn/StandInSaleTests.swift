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

@testable import RadialUpstream

/// Sales, which are an authorization, a confirmation and a debit there: what is lost in the middle is neither lost nor
/// doubled, and what is not debited is canceled.
@Suite struct StandInSaleTests {
    private static func declined(_ reason: DeclineReason) -> PaymentOperation.State { .failed(.declined(reason)) }

    @Test func saleGoesItsWay() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            #expect(sale.operation.state == .accepted && at.standIn.count(.settle) == 0)
            await at.recover()
            #expect(at.standIn.count(.confirm) == 1 && at.standIn.count(.settle) == 1)
            #expect(try await at.state(of: sale.operation) == .accepted)
            await at.deliver(at.standIn.night())
            let payment = try await at.front.payment(sale.payment.id)
            #expect(payment.state == .captured && payment.authorization?.answer.authorizationCode == "614653")
            _ = try await at.follow(.refund(try Bench.money(5000)), of: payment.id)
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    // MARK: - Refused

    @Test func debitThatIsRefusedTheNextDayIsCanceledAndDeclined() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            await at.recover()
            at.standIn.refuse("InsufficientFunds")
            let refused = at.standIn.night()
            // Twice, as every event may come.
            await at.deliver(refused + refused)
            #expect(try await at.state(of: sale.operation) == .accepted)
            await at.front.test.recover()
            #expect(try await at.state(of: sale.operation) == Self.declined(.insufficientFunds))
            // The event of the cancellation is about no operation of the merchant's.
            await at.deliver(at.standIn.night() + refused)
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.standing) == [.canceled] && at.standIn.count(.cancel) == 1)
        }
    }

    @Test(arguments: [RadialStandIn.Ending.lost, .late, .status(503), .refused(409, "OperationInProcessException")])
    func cancellationThatIsNotAcknowledgedIsSentAgain(_ ending: RadialStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            await at.recover()
            at.standIn.refuse("DoNotHonor")
            at.standIn.next(.cancel, ending, ending)
            await at.deliver(at.standIn.night())
            await at.front.test.recover()
            #expect(try await at.state(of: sale.operation) == .accepted)
            await at.recover()
            #expect(try await at.state(of: sale.operation) == Self.declined(.doNotHonor))
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    @Test func debitOfWhatIsGoneIsDeclined() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            at.standIn.cancelByHand()
            await at.recover()
            #expect(try await at.state(of: sale.operation) == Self.declined(.unspecified))
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(at.standIn.count(.settle) == 0)
        }
    }

    @Test(arguments: ["AuthorizationCanceledException", "AuthorizationDeclinedException"])
    func debitOfWhatIsNoAuthorizationAnyMoreIsDeclined(_ code: String) async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            at.standIn.next(.settle, .refused(400, code))
            await at.recover()
            #expect(try await at.state(of: sale.operation) == Self.declined(.systemError))
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    /// "More than one status may follow."
    @Test func saleThatComesToNothingLaterIsNoneInBothBooks() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            await at.recover()
            await at.deliver(at.standIn.night())
            let later = at.standIn.failLater("DoNotHonor")
            await at.deliver(later + later)
            let payment = try await at.front.payment(sale.payment.id)
            #expect(payment.state == .declined && payment.capturedAmount.isZero)
            #expect(payment.operations.count { $0.kind == .lateFailure } == 1)
            #expect(at.standIn.orders.map(\.captured) == [0])
        }
    }

    // MARK: - Lost in the middle

    @Test(arguments: [1, 2, 3])
    func debitIsSentUntilItIsAcknowledged(_ tries: Int) async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            for _ in 0..<tries { at.standIn.next(.settle, .lost, .late) }
            await at.recover(times: 10)
            #expect(at.standIn.count(.settle) == 2 * tries + 1)
            await at.deliver(at.standIn.night())
            #expect(try await at.state(of: sale.operation) == .succeeded)
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [5000])
        }
    }

    /// Refused as a repeat, in whatever words, it may have been done: only its event ends it.
    @Test(arguments: [
        RadialStandIn.Habits.Repeats.refused(400, "DuplicateRequestException"),
        .refused(409, "RequestIdConflictException"), .refused(400, "FinalDebitMadeException"),
        .refused(400, "NoAuthFoundException"), .refused(400, "AlreadySettledException"),
        .refused(400, "DebitExceedsAuthorizationException"),
    ])
    func refusalOfARepeatedDebitEndsNothing(_ repeats: RadialStandIn.Habits.Repeats) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = repeats }
            let sale = try await at.authorize(sale: true)
            at.standIn.next(.settle, .lost)
            await at.recover()
            #expect(try await at.state(of: sale.operation) == .accepted && at.standIn.count(.cancel) == 0)
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [5000])
        }
    }

    @Test func confirmationThatIsLostIsAskedForAgain() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            at.standIn.next(.confirm, .lost, .late, .status(503), .refused(500, "SystemException"))
            await at.recover(times: 3)
            #expect(at.standIn.count(.settle) == 0)
            await at.recover(times: 6)
            await at.deliver(at.standIn.night())
            #expect(try await at.state(of: sale.operation) == .succeeded)
            try await at.expectAgreement()
        }
    }

    /// The event comes before the answer to the debit, which nobody waits for any more then.
    @Test func eventBeforeTheAcknowledgementEndsTheSale() async throws {
        try await AtStandIn.with { at in
            let sale = try await at.authorize(sale: true)
            at.standIn.next(.settle, .held)
            await at.recover(times: 1)
            async let recovery: Void = at.recover(times: 1)
            await at.standIn.heldRequestArrived()
            await at.deliver(at.standIn.night())
            #expect(try await at.state(of: sale.operation) == .succeeded)
            at.standIn.release()
            await recovery
            await at.recover()
            #expect(at.standIn.count(.settle) == 1)
            try await at.expectAgreement()
        }
    }

    @Test func standInThatBooksDebitsAgainIsFoundOut() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = .bookedAgain }
            _ = try await at.authorize(sale: true)
            at.standIn.next(.settle, .lost)
            await at.recover()
            await at.deliver(at.standIn.night())
            #expect(try await at.disagreements().contains("captured: 5000 in the gateway, 10000 in the stand-in"))
        }
    }
}
