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

/// Captures, refunds and lost answers against the stand-in: after whatever it does, both books say the same.
@Suite struct StandInTests {
    @Test(arguments: StandInTexts.Style.allCases) func answersMayBeWrittenInAnyWay(_ style: StandInTexts.Style)
        async throws
    {
        try await AtStandIn.with { at in
            at.standIn.set { $0.style = style }
            let authorized = try await at.authorize()
            let id = authorized.payment.id
            #expect(authorized.operation.state == .succeeded)
            #expect(authorized.operation.answer.authorizationCode == "614653")
            #expect(try await at.capture(3000, of: id).state == .accepted)
            await at.deliver(at.standIn.night(), style)
            let last = try await at.capture(500, isFinal: true, of: id)
            await at.deliver(at.standIn.night(), style)
            #expect(try await at.state(of: last) == .succeeded)
            _ = try await at.follow(.refund(try Bench.money(1000)), of: id)
            await at.deliver(at.standIn.night(), style)
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [3500] && at.standIn.orders.map(\.refunded) == [1000])
        }
    }

    /// "200 and an XML response" is all that is public of it; the vendor's SDK reads no more than the status.
    @Test(arguments: ["", "<AckReply/>", "<Acknowledgement><Status>received</Status></Acknowledgement>"])
    func acknowledgedSettlementIsNeverSentAgain(_ body: String) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.acknowledgement = body }
            let id = try await at.authorize().payment.id
            #expect(try await at.capture(5000, of: id).state == .accepted)
            await at.recover()
            #expect(at.standIn.count(.settle) == 1)
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    @Test(arguments: ["text/xml", "application/xml;charset=utf-8", "text/html; charset=ISO-8859-1", ""])
    func contentTypeDecidesNothing(_ contentType: String) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.contentType = contentType }
            let id = try await at.authorize().payment.id
            _ = try await at.capture(5000, of: id)
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
        }
    }

    // MARK: - Lost answers

    /// Whether a repeat is answered again, or refused: in words that nobody has published, or because the order is in no
    /// state for it any more, now that the first has been done.
    static let repeats: [RadialStandIn.Habits.Repeats] =
        [
            .answeredAgain, .refused(400, "DuplicateRequestException"), .refused(409, "DuplicateRequestException"),
            .refused(500, "DuplicateRequestException"),
        ]
        + [
            "NoAuthFoundException", "FinalDebitMadeException", "AlreadySettledException",
            "DebitExceedsAuthorizationException", "CreditExceedsDebitsException", "AlreadyCreditedException",
            "AuthorizationCanceledException",
        ].map { .refused(400, $0) }

    /// The event ends what nobody could ask after.
    @Test(arguments: repeats, [RadialStandIn.Ending.lost, .late])
    func lostCaptureIsDoneOnce(_ repeats: RadialStandIn.Habits.Repeats, _ ending: RadialStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = repeats }
            let id = try await at.authorize().payment.id
            at.standIn.next(.settle, ending, ending)
            let capture = try await at.capture(5000, of: id)
            #expect(capture.state == .unknown)
            await at.recover()
            // A refusal of the repeat says nothing of the first, whatever it says.
            #expect(try await at.state(of: capture) == (repeats == .answeredAgain ? .accepted : .unknown))
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [5000])
        }
    }

    @Test(arguments: repeats)
    func lostRefundAndLostVoidAreDoneOnce(_ repeats: RadialStandIn.Habits.Repeats) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = repeats }
            let id = try await at.authorize().payment.id
            _ = try await at.capture(5000, of: id)
            await at.deliver(at.standIn.night())
            at.standIn.next(.settle, .lost, .lost)
            let refund = try await at.follow(.refund(try Bench.money(2000)), of: id)
            let other = try await at.authorize().payment.id
            at.standIn.next(.cancel, .lost, .lost)
            let void = try await at.follow(.void(nil), of: other)
            #expect(refund.state == .unknown && void.state == .unknown)
            await at.recover()
            let expected: PaymentOperation.State = repeats == .answeredAgain ? .accepted : .unknown
            #expect(try await at.state(of: refund) == expected)
            #expect(try await at.state(of: void) == expected)
            await at.deliver(at.standIn.night())
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.refunded) == [2000, 0] && at.standIn.orders.map(\.held) == [0, 0])
        }
    }

    /// Such a refusal of the first request is what it says.
    @Test(arguments: ["NoAuthFoundException", "DebitExceedsAuthorizationException", "AuthorizationCanceledException"])
    func refusedCaptureIsDeclined(_ code: String) async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            at.standIn.next(.settle, .refused(400, code))
            #expect(try await at.capture(5000, of: id).state == .failed(.declined(.invalidOperation)))
            try await at.expectAgreement()
        }
    }

    @Test func lostAuthorizationThatIsRepeatedIsOneOrder() async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.authorize, .lost)
            #expect(try await at.authorize().operation.state == .succeeded)
            #expect(at.standIn.count(.authorize) == 2)
            try await at.expectAgreement()
        }
    }

    /// Nobody knows by which account it could be called, and the token is not kept.
    @Test(arguments: [false, true]) func authorizationThatNobodyHeardOfIsNotGuessed(_ isSale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.authorize, .lost, .late)
            let lost = try await at.authorize(sale: isSale).operation
            await at.recover()
            #expect(try await at.state(of: lost) == .unknown)
            #expect(at.standIn.count(.settle) == 0 && at.standIn.count(.authorize) == 2)
        }
    }

    @Test(arguments: [RadialStandIn.Ending.refused(400, "InvalidRequestException"), .status(503)])
    func captureWhoseFundsAreNotConfirmedIsNotSent(_ ending: RadialStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            at.standIn.next(.confirm, ending)
            let capture = try await at.capture(5000, of: id)
            guard case .failed(.notProcessed) = capture.state else {
                Issue.record("\(capture.state)")
                return
            }
            #expect(at.standIn.count(.settle) == 0)
            try await at.expectAgreement()
        }
    }

    // MARK: - The laws can fail

    /// Were a repeat booked again, both books would say so.
    @Test func standInThatBooksRepeatsIsFoundOut() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = .bookedAgain }
            let id = try await at.authorize().payment.id
            at.standIn.next(.settle, .lost)
            _ = try await at.capture(2000, of: id)
            await at.deliver(at.standIn.night())
            #expect(try await at.disagreements().contains("captured: 2000 in the gateway, 4000 in the stand-in"))
        }
    }

    @Test func orderThatNobodyHereKnowsIsFoundOut() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.repeats = .bookedAgain }
            at.standIn.next(.authorize, .lost)
            _ = try await at.authorize()
            #expect(try await at.disagreements().contains("2 orders of one payment"))
        }
    }
}
