//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import TestGateway
import TestUpstream
import Testing

/// What nobody heard the end of, at AlphaPay's stand-in: it is found, or ended, and never done twice.
@Suite struct StandInRecoveryTests {
    /// How the answer of a call that was done is lost.
    enum Loss: String, CaseIterable, Sendable {
        case late, undecided, http502, http504, page, halfAnAnswer, unlisted

        var fault: StandInFault {
            switch self {
            case .late: .late
            case .undecided: .doneBut("U", "SYSTEM_RESULT_UNKNOWN")
            case .http502: .http(502)
            case .http504: .http(504)
            case .page: .text("<html><body>Service Unavailable</body></html>")
            case .halfAnAnswer: .text(#"{"paymentStatus":"SUCC"#)
            case .unlisted: .doneBut("F", "REQUEST_SEEN_BEFORE")
            }
        }
    }

    // MARK: - It was done

    @Test(arguments: Loss.allCases) func lostPaymentIsFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(loss.fault, of: .pay)
            let paid = try await front.pay(1099)
            #expect(paid.operation.state == (loss == .unlisted ? .succeeded : .unknown))
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
            #expect(vendor.orders.map(\.taken) == [1099])
        }
    }

    @Test(arguments: Loss.allCases) func lostRefundIsFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            vendor.set(loss.fault, of: .refund)
            let refund = try await front.refund(400, of: payment)
            #expect(refund.state == (loss == .unlisted ? .succeeded : .unknown))
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == .succeeded)
            #expect(vendor.orders.map(\.taken) == [699])
        }
    }

    /// An order moves nothing: whatever becomes of it, nothing is open.
    @Test(arguments: Loss.allCases) func lostOrderIsNotPaid(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(loss.fault, of: .preOrder)
            let state = try await front.pay(1099).operation.state
            if case .failed(.notProcessed) = state {} else { Issue.record("\(loss): \(state)") }
            try await front.expectAgreement()
            #expect(vendor.orders.map(\.taken) == [0])
        }
    }

    // MARK: - It was not done

    /// The order stays open at AlphaPay until it is canceled; after that nobody can pay it.
    @Test(arguments: [StandInFault.silent, .httpBefore(500), .httpBefore(503), .httpBefore(504)])
    func paymentThatNeverArrivedIsEndedByClosingItsOrder(_ fault: StandInFault) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(fault, of: .pay)
            let paid = try await front.pay(1099)
            #expect(paid.operation.state == .unknown)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .failed(.reversed))
            #expect(vendor.orders.map(\.standing) == [.closed])
        }
    }

    /// AlphaPay closes an order by itself when its time is over ("Overview": five minutes by default).
    @Test func orderThatWasClosedIsFoundToBeUnpaid() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.silent, of: .pay)
            let paid = try await front.pay(1099)
            vendor.change { $0.standing = .closed }
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .failed(.reversed))
        }
    }

    @Test(arguments: [StandInFault.silent, .httpBefore(503)]) func orderThatNeverArrivedIsNotPaid(
        _ fault: StandInFault
    ) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(fault, of: .preOrder)
            let state = try await front.pay(1099).operation.state
            if case .failed(.notProcessed) = state {} else { Issue.record("\(state)") }
            try await front.expectAgreement()
            #expect(vendor.orders.isEmpty)
        }
    }

    @Test(arguments: [StandInFault.late, .silent, .httpBefore(503), .http(503)])
    func lostCancellationIsFound(_ fault: StandInFault) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.silent, of: .pay)
            let paid = try await front.pay(1099)
            vendor.set(fault, of: .cancel)
            await front.test.recover()
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .failed(.reversed))
        }
    }

    @Test(arguments: [StandInFault.silent, .httpBefore(500), .httpBefore(503)])
    func refundThatNeverArrivedEndsOnceAlphaPaySaysSo(_ fault: StandInFault) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            vendor.set(fault, of: .refund)
            let refund = try await front.refund(400, of: payment)
            #expect(refund.state == .unknown)
            await front.test.recover()
            // NO_SUCH_REFUND is a name that nobody has published: it says nothing, and a person has to look.
            #expect(try await front.state(of: refund) == .unknown)
            #expect(vendor.orders.map(\.taken) == [1099])
            // AlphaPay's own word for it ends it.
            for _ in 0..<20 { vendor.set(.refused("F", "REFUND_NOT_EXIST"), of: .refundInquiry) }
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
        }
    }

    // MARK: - It is found later, or by another name

    /// AlphaPay may not know at once what it has: nothing is concluded from that, nor from a word that is not listed.
    @Test(arguments: [1, 2]) func whatIsFoundLateIsNotTakenBack(_ count: Int) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.late, of: .pay)
            let paid = try await front.pay(1099)
            vendor.set { $0.hidden = count }
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
            vendor.set(.late, of: .refund)
            let refund = try await front.refund(400, of: paid.payment)
            vendor.set { $0.hidden = count }
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == .succeeded)
        }
    }

    /// "Refund Inquiry" calls `refundId` required. Where its answer was lost, the refund stays open until AlphaPay's
    /// notice; where it is known, it is sent.
    @Test func refundIsAskedForByAlphaPaysIdWhereItIsKnown() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.needsRefundID = true }
            let payment = try await front.paid(1099)
            vendor.set(.late, of: .refund)
            let lost = try await front.refund(400, of: payment)
            vendor.set { $0.refundsTakeTime = true }
            let slow = try await front.refund(100, of: payment)
            #expect(slow.state == .unknown)
            await front.test.recover()
            #expect(try await front.state(of: lost) == .unknown)
            #expect(try await front.state(of: slow) == .accepted)
            vendor.change { order in
                for index in order.refunds.indices { order.refunds[index].standing = .done }
            }
            front.test.clock.advance(seconds: 86_400)
            await front.test.recover()
            #expect(try await front.state(of: slow) == .succeeded)
            for notice in vendor.notices.dropFirst() { #expect(await front.receive(notice).status == 200) }
            #expect(try await front.state(of: lost) == .succeeded)
            try await front.recoverToAgreement()
        }
    }

    @Test(arguments: [true, false]) func refundThatTakesTimeEndsAsAlphaPaySays(_ isDone: Bool) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            vendor.set { $0.refundsTakeTime = true }
            let refund = try await front.refund(400, of: payment)
            #expect(refund.state == .unknown)
            await front.test.recover()
            #expect(try await front.state(of: refund) == .accepted)
            vendor.change { $0.refunds[0].standing = isDone ? .done : .failed }
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == (isDone ? .succeeded : .failed(.declined(.unspecified))))
        }
    }

    // MARK: - It is sent twice

    @Test(arguments: [StandInQuirks.Repeats.refused, .answeredAgain], [true, false])
    func requestThatArrivesTwiceIsBookedOnce(
        _ repeats: StandInQuirks.Repeats, _ checksNonces: Bool
    ) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { quirks in
                quirks.repeats = repeats
                quirks.checksNonces = checksNonces
            }
            let payment = try await front.paid(1099)
            front.proxy.set(.repeatRequest)
            _ = try await front.pay(500)
            let refund = try await front.refund(400, of: payment)
            front.proxy.set(.none)
            try await front.recoverToAgreement()
            #expect(vendor.orders.allSatisfy { $0.paidCount <= 1 })
            #expect(vendor.orders.first?.refunds.count == 1)
            // A copy that was first may have used up the nonce of what was asked for.
            if !checksNonces { #expect(try await front.state(of: refund) == .succeeded) }
        }
    }

    /// As a service would that answers a repeat of a request under its own nonce again.
    @Test(arguments: [true, false]) func refusalOfWhatStandsIsNoDecline(_ isUnlisted: Bool) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.doneBut("F", isUnlisted ? "ALREADY_DONE" : "ORDER_PAID"), of: .pay)
            let paid = try await front.pay(1099)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
            vendor.set(.doneBut("F", isUnlisted ? "ALREADY_DONE" : "REFUND_AMOUNT_EXCEED"), of: .refund)
            #expect(try await front.refund(400, of: paid.payment).state == .succeeded)
            try await front.expectAgreement()
        }
    }

    /// Whether it stands, nobody has said then: booked as not processed, it would be charged or refunded once more.
    @Test(arguments: [true, false]) func refusalOfWhatNobodyCanAskAboutIsUnknown(_ isUnlisted: Bool) async throws {
        try await StandInFront.with { front, vendor in
            if isUnlisted {
                vendor.set(.doneBut("F", "ALREADY_DONE"), of: .pay)
                vendor.set(.httpBefore(502), of: .inquiry)
                let paid = try await front.pay(1099)
                #expect(paid.operation.state == .unknown)
                try await front.recoverToAgreement()
                #expect(try await front.state(of: paid.operation) == .succeeded)
            }
            let payment = try await front.paid(500)
            vendor.set(.doneBut("F", isUnlisted ? "ALREADY_DONE" : "REFUND_AMOUNT_EXCEED"), of: .refund)
            vendor.set(.httpBefore(502), of: .refundInquiry)
            let refund = try await front.refund(400, of: payment)
            #expect(refund.state == .unknown)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == .succeeded)
        }
    }

    // MARK: - The books can differ

    /// A service that books a payment twice is found out: else none of these tests would say anything.
    @Test func comparisonFindsWhatWasBookedTwice() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            try await front.expectAgreement()
            vendor.change { $0.paidCount += 1 }
            #expect(try await front.differences().count == 1)
            vendor.change { $0.paidCount -= 1 }
            _ = try await front.refund(400, of: payment)
            try await front.expectAgreement()
            vendor.change { order in order.refunds.append(contentsOf: order.refunds) }
            #expect(try await front.differences().count == 1)
        }
    }

    @Test func comparisonFindsARepeatThatWasBooked() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { quirks in
                quirks.repeats = .booked
                quirks.checksNonces = false
            }
            let payment = try await front.paid(1099)
            try await front.expectAgreement()
            front.proxy.set(.repeatRequest)
            _ = try await front.pay(500)
            _ = try await front.refund(400, of: payment)
            front.proxy.set(.none)
            // Both copies are done before the answer of a later call comes.
            _ = try await front.pay(120)
            #expect(vendor.orders.contains { $0.paidCount == 2 })
            #expect(vendor.orders.first?.refunds.count == 2)
            #expect(try await front.differences().count == 2)
        }
    }

    // MARK: - Notices

    @Test func noticeBeforeTheAnswerSaysTheSame() async throws {
        try await StandInFront.with { front, vendor in
            let (arrived, gate) = (Gate(), Gate())
            let waiting = StandInFault.waiting {
                arrived.open()
                await gate.wait()
            }
            vendor.set(waiting, of: .pay)
            async let paying = front.pay(1099)
            await arrived.wait()
            for notice in vendor.notices + vendor.notices { #expect(await front.receive(notice).status == 200) }
            gate.open()
            let paid = try await paying
            #expect(try await front.state(of: paid.operation) == .succeeded)
            for notice in vendor.notices { #expect(await front.receive(notice).status == 200) }
            try await front.recoverToAgreement()
            #expect(vendor.orders.map(\.paidCount) == [1])
        }
    }

    /// A payment and its refund, neither of which was heard of; the notices come in the other order, and twice.
    @Test func noticesEndWhatIsOpenInAnyOrder() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            vendor.set(.late, of: .pay)
            let lost = try await front.pay(500)
            vendor.set(.late, of: .refund)
            let refund = try await front.refund(400, of: payment)
            let count = vendor.calls.count
            for notice in vendor.notices.reversed() + vendor.notices {
                #expect(await front.receive(notice).status == 200)
            }
            #expect(try await front.state(of: lost.operation) == .succeeded)
            #expect(try await front.state(of: refund) == .succeeded)
            try await front.recoverToAgreement()
            #expect(vendor.calls.count == count)
        }
    }

    @Test func noticeThatAlphaPayHasNotSignedChangesNothing() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.late, of: .pay)
            let lost = try await front.pay(500)
            let notice = try #require(vendor.notices.first)
            #expect(await front.receive(notice, key: try Keys.stranger).status == 401)
            #expect(await front.receive(notice, key: try Keys.merchant).status == 401)
            #expect(await front.receive(notice, path: "/acquirers/other/notices").status == 401)
            #expect(await front.receive(notice, isSigned: false).status == 401)
            #expect(try await front.state(of: lost.operation) == .unknown)
            #expect(await front.receive(notice).status == 200)
            #expect(try await front.state(of: lost.operation) == .succeeded)
            try await front.expectAgreement()
        }
    }

    /// Signed by AlphaPay, and about a payment of another amount: it is not booked as ours.
    @Test func noticeOfAnotherAmountIsNotBooked() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.late, of: .pay)
            let lost = try await front.pay(500)
            let notice = try #require(vendor.notices.first)
            _ = await front.receive(notice.replacing(#""value":"500""#, with: #""value":"499""#))
            #expect(try await front.state(of: lost.operation) != .succeeded)
            try await front.recoverToAgreement()
        }
    }
}
