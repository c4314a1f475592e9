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

/// TransactionStatus with PAYONE's quirks: late, twice, out of order, in another's name, and of what came to nothing.
@Suite struct StandInNoticeTests {
    /// A payment of every kind of request, each answered.
    private static func whole(_ at: AtStandIn) async throws -> PaymentID {
        let id = try await at.authorize(1000).payment.id
        try await at.capture(600, of: id)
        try await at.refund(100, of: id)
        try await at.capture(300, isFinal: true, of: id)
        return id
    }

    @Test func whatIsKnownIsReportedAndChangesNothing() async throws {
        try await AtStandIn.with { at in
            let id = try await Self.whole(at)
            let known = try await at.front.payment(id)
            await at.deliver(at.standIn.messages)
            await at.deliver(at.standIn.messages.reversed())
            await at.deliver(at.standIn.messages)
            #expect(try await at.front.payment(id) == known)
            try await at.expectAgreement()
        }
    }

    /// "PENDING": appointed comes twice, and the end with the second one.
    @Test(arguments: [true, false], [true, false])
    func aPendingAuthorizationEndsByItsNotice(_ approves: Bool, _ sale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.pending)
            let paid = try await at.authorize(1000, sale: sale)
            #expect(paid.operation.state == .unknown)
            await at.deliver(at.standIn.messages)
            #expect(try await at.front.payment(paid.payment.id).operations.first?.state == .unknown)
            at.standIn.settle(paid.reference, 0, approves: approves)
            await at.deliver(at.standIn.messages)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    @Test(arguments: [true, false]) func pendingFollowUpsEndByTheirNotices(_ approves: Bool) async throws {
        try await AtStandIn.with { at in
            let paid = try await at.authorize(1000, sale: true)
            at.standIn.next(.pending, .pending)
            #expect(try await at.refund(300, of: paid.payment.id).operation.state == .unknown)
            #expect(try await at.refund(200, of: paid.payment.id).operation.state == .unknown)
            at.standIn.settle(paid.reference, 2, approves: !approves)
            at.standIn.settle(paid.reference, 1, approves: approves)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    @Test func noticesOfLostAnswersEndAlikeInAnyOrder() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.errorAfterBooking(903))
            let paid = try await at.authorize(1000, sale: true)
            let before = at.standIn.messages
            await at.deliver(before)
            at.standIn.next(.errorAfterBooking(909), .errorAfterBooking(902))
            try await at.refund(300, of: paid.payment.id)
            try await at.refund(200, of: paid.payment.id)
            await at.deliver(at.standIn.messages.reversed())
            await at.deliver(at.standIn.messages)
            #expect(try await at.front.payment(paid.payment.id).refundedAmount.minorUnits == 500)
            try await at.expectAgreement()
        }
    }

    /// Version 7.4 knows no `transaction_status`, and sends the fields in the recorded order all the same.
    @Test func aMessageOfAnOlderVersionIsTaken() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.errorAfterBooking(900))
            try await at.authorize(1000)
            await at.deliver(
                at.standIn.messages.map { $0.with("transaction_status", nil).with("notify_version", "7.4") })
            try await at.expectAgreement()
        }
    }

    @Test func otherActionsAreAcknowledgedAndBookNothing() async throws {
        try await AtStandIn.with { at in
            let id = try await Self.whole(at)
            let known = try await at.front.payment(id)
            let message = try #require(at.standIn.messages.first)
            for action in [
                "paid", "underpaid", "reminder", "vauthorization", "vsettlement", "transfer", "invoice", "", "later",
            ] {
                await at.deliver([message.with("txaction", action)])
            }
            #expect(try await at.front.payment(id) == known)
            try await at.expectAgreement()
        }
    }

    // MARK: - Whose it is

    @Test(
        arguments: [
            ("key", Bench.secondKeyMD5, 401), ("key", Bench.keySHA384, 401), ("key", "", 401), ("key", nil, 401),
            ("mode", "live", 400), ("portalid", "2030406", 400),
        ] as [(String, String?, Int)])
    func aMessageOfAnotherAccountBooksNothing(_ name: String, _ value: String?, _ status: Int) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.errorAfterBooking(903))
            let paid = try await at.authorize(1000)
            for message in at.standIn.messages {
                #expect(await at.receive(message.with(name, value)).status == status)
            }
            #expect(try await at.front.payment(paid.payment.id).operations.first?.state == .unknown)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    /// A price that is not what was asked for cannot stand: less is given back, and more is never believed.
    @Test func anApprovalOfLessIsGivenBack() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.errorAfterBooking(903))
            let paid = try await at.authorize(1000)
            await at.deliver(at.standIn.messages.map { $0.with("price", "9.99") })
            #expect(at.standIn.processes.map(\.isReleased) == [true])
            #expect(try await at.front.payment(paid.payment.id).authorizedAmount.minorUnits == 0)
            #expect(try await at.front.bookProblems().isEmpty)
        }
    }

    // MARK: - Later

    /// A debit that comes to nothing, reported twice.
    @Test func aRefundThatFailsLaterIsTakenOutOfTheBooksOnce() async throws {
        try await AtStandIn.with { at in
            let paid = try await at.authorize(1000, sale: true)
            try await at.refund(300, of: paid.payment.id)
            await at.deliver(at.standIn.messages)
            at.standIn.fail(paid.reference, 1)
            let message = try #require(at.standIn.messages.last)
            await at.deliver([message, message])
            try await at.expectAgreement()
        }
    }

    /// A request that was taken and failed later keeps its number: the next one is not what a repeated message means.
    @Test(arguments: [true, false]) func aRepeatedFailureIsNotTheNextRequests(_ isOpen: Bool) async throws {
        try await AtStandIn.with { at in
            let paid = try await at.authorize(1000, sale: true)
            at.standIn.next(.pending)
            try await at.refund(300, of: paid.payment.id)
            at.standIn.settle(paid.reference, 1, approves: false)
            let failure = try #require(at.standIn.messages.last)
            await at.deliver([failure])
            if isOpen { at.standIn.next(.pending) }
            let next = try await at.refund(200, of: paid.payment.id)
            #expect(next.operation.state == (isOpen ? .unknown : .succeeded))
            await at.deliver([failure, failure])
            let known = try await at.front.payment(paid.payment.id).operation(next.operation.id)
            #expect(known?.state == next.operation.state)
            if isOpen { at.standIn.settle(paid.reference, 2, approves: true) }
            await at.deliver(at.standIn.messages)
            #expect(try await at.front.payment(paid.payment.id).refundedAmount.minorUnits == 200)
            try await at.expectAgreement()
        }
    }

    @Test func chargebacksAreBookedOnceEach() async throws {
        try await AtStandIn.with { at in
            let paid = try await at.authorize(1000, sale: true)
            await at.deliver(at.standIn.messages)
            at.standIn.chargeBack(paid.reference, 400)
            at.standIn.chargeBack(paid.reference, 400)
            let messages = at.standIn.messages.suffix(2)
            await at.deliver(messages + messages.reversed())
            try await at.expectAgreement()
            #expect(try await at.front.payment(paid.payment.id).chargedBackAmount.minorUnits == 800)
        }
    }
}
