//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// What TapPay's pages leave open, both ways.
@Suite struct StandInQuirkTests {
    // MARK: - Lists

    /// Two payments of one amount, and a list that gives both whatever it is asked for.
    @Test func filterThatIsIgnoredIsNoAnswer() async throws {
        try await StandInFront.with { front, vendor in
            let first = try await front.pay(350).operation
            vendor.set { $0.ignoresFilters = true }
            vendor.set(.late, of: .pay)
            let lost = try await front.pay(350).operation
            vendor.set(.silent, of: .pay)
            let never = try await front.pay(350).operation
            await front.test.recover()
            #expect(try await front.state(of: lost) == .unknown)
            #expect(try await front.state(of: never) == .unknown)
            vendor.set { $0.ignoresFilters = false }
            front.test.clock.advance(seconds: 86_400)
            await front.test.recover()
            #expect(try await front.state(of: first) == .succeeded)
            // Which of both endings a reversal that was begun meanwhile has found, both books say alike.
            try await front.expectAgreement()
        }
    }

    /// One trade, and it is not ours.
    @Test func onlyTradeOfAListIsNotTakenForOurs() async throws {
        try await StandInFront.with { front, vendor in
            let paid = try await front.pay(350).operation
            vendor.set { $0.ignoresFilters = true }
            vendor.set(.silent, of: .pay)
            let never = try await front.pay(350).operation
            await front.test.recover()
            #expect(try await front.state(of: never) == .unknown)
            #expect(try await front.state(of: paid) == .succeeded)
            #expect(vendor.trades.map(\.held) == [350])
        }
    }

    // MARK: - Histories

    @Test func historyMayBeginWithTheNewest() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.newestFirst = true }
            let payment = try await front.captured(350)
            let refund = try await front.refund(100, of: payment)
            vendor.set(.late, of: .cancelRefund)
            _ = try await front.follow(.void(.operation(refund.id)), of: payment)
            try await front.recoverToAgreement()
            vendor.set(.late, of: .refund)
            _ = try await front.refund(100, of: payment)
            try await front.recoverToAgreement()
            #expect(vendor.trades.map(\.taken) == [250])
        }
    }

    /// Nobody has published that a history names refunds. If it does not, a lost one stays open for a person.
    @Test(arguments: [true, false]) func refundWithoutANameIsNotGuessed(_ isDone: Bool) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.namesRefunds = false }
            let payment = try await front.captured(350)
            #expect(try await front.refund(100, of: payment).state == .succeeded)
            vendor.set(isDone ? .late : .silent, of: .refund)
            let lost = try await front.refund(100, of: payment)
            await front.test.recover()
            #expect(try await front.state(of: lost) == .unknown)
            #expect(try await front.differences().contains { $0.hasPrefix("refund is open") })
            #expect(vendor.trades.map(\.taken) == [isDone ? 150 : 250])
        }
    }

    /// Somebody refunds as much in the Portal, while the gateway's own refund never arrived.
    @Test func refundOfThePortalIsNotTakenForOurs() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            vendor.set(.silent, of: .refund)
            let lost = try await front.refund(100, of: payment)
            vendor.change {
                $0.refunds.append(
                    StandInTrade.Refund(id: "RF-PORTAL", name: nil, amount: 100, standing: .done, isOfACapture: true))
            }
            await front.test.recover()
            #expect(try await front.state(of: lost) == .unknown)
        }
    }

    // MARK: - Later

    @Test(arguments: [true, false]) func paymentThatTakesTimeEndsAsTapPaySays(_ isPaid: Bool) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.paymentsTakeTime = true }
            let paid = try await front.pay(350)
            #expect(paid.operation.state == .unknown)
            await front.test.recover()
            #expect(try await front.state(of: paid.operation) == .accepted)
            vendor.change { $0.standing = isPaid ? .alive : .declined }
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
            #expect(
                try await front.state(of: paid.operation) == (isPaid ? .succeeded : .failed(.declined(.unspecified))))
        }
    }

    @Test(arguments: [true, false]) func refundThatTakesTimeEndsAsTapPaySays(_ isDone: Bool) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            vendor.set { $0.refundsTakeTime = true }
            let refund = try await front.refund(100, of: payment)
            #expect(refund.state == .unknown)
            await front.test.recover()
            #expect(try await front.state(of: refund) == .accepted)
            vendor.change { trade in
                for index in trade.refunds.indices { trade.refunds[index].standing = isDone ? .done : .failed }
            }
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == (isDone ? .succeeded : .failed(.declined(.unspecified))))
        }
    }

    // MARK: - Notices

    /// TapPay's notice may be there before its answer. The payment is under way then, and stays so.
    @Test func noticeBeforeTheAnswerChangesNothing() async throws {
        try await StandInFront.with { front, vendor in
            let (arrived, gate) = (Gate(), Gate())
            let waiting = StandInFault.waiting {
                arrived.open()
                await gate.wait()
            }
            vendor.set(waiting, of: .pay)
            async let paying = front.pay(350)
            await arrived.wait()
            for notice in vendor.notices + vendor.notices { #expect(await front.receive(notice).status == 200) }
            gate.open()
            let paid = try await paying
            #expect(paid.operation.state == .succeeded)
            for notice in vendor.notices { #expect(await front.receive(notice).status == 200) }
            try await front.recoverToAgreement()
            #expect(vendor.trades.count == 1)
        }
    }

    @Test func noticeIsTheReasonToAskAndNothingMore() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.late, of: .pay)
            let lost = try await front.pay(350)
            vendor.set(.late, of: .pay)
            let other = try await front.pay(120)
            #expect(vendor.notices.count == 2)
            let count = vendor.calls.count { $0 == .query }
            // The last one first, each twice, and one that says the opposite.
            for notice in vendor.notices.reversed() + vendor.notices {
                let opposite = notice.replacing(#""status":0"#, with: #""status":10003"#)
                #expect(await front.receive(opposite).status == 200)
            }
            _ = await front.test.gateway.recover()
            #expect(vendor.calls.count { $0 == .query } == count + 2)
            #expect(try await front.state(of: lost.operation) == .succeeded)
            #expect(try await front.state(of: other.operation) == .succeeded)
            try await front.recoverToAgreement()
        }
    }

    @Test func noticeOfATradeThatWasMadeElsewhereIsAnsweredAndNothingElse() async throws {
        try await StandInFront.with { front, vendor in
            _ = try await front.pay(350)
            let notice = try #require(vendor.notices.first)
            let name = try #require(vendor.trades.first?.name)
            let count = vendor.calls.count
            #expect(await front.receive(notice.replacing(name, with: "TP20190723Uxy4ZR-1")).status == 200)
            try await front.recoverToAgreement()
            #expect(vendor.calls.count == count)
        }
    }
}
