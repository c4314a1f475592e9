//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// How operations end by what the acquirer reports, in any order.
struct NoticeTests {
    @Test func acceptedCaptureEndsByNotice() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .accept))
        let capture = try await shop.capture(nil, of: payment)
        #expect(capture.operation.state == .accepted)
        await upstream.report("approved", of: capture.operation.id, ["amount": Upstream.json(money(10_00))])
        #expect(try await shop.payment(payment).state == .captured)
        #expect(try await shop.recoveryJobs().isEmpty)
        #expect(try await upstream.problems() == [])
    }

    @Test func acceptedCaptureIsDeclinedByNotice() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .accept))
        let capture = try await shop.capture(nil, of: payment)
        // "Failed" of what was never known to have succeeded is a decline.
        await upstream.report("failed", of: capture.operation.id, ["reason": "exceedsLimit"])
        #expect(try await shop.operation(capture).state == .failed(.declined(.exceedsLimit)))
        #expect(try await shop.payment(payment).capturableAmount == money(10_00))
    }

    /// The notice is quicker than the answer, which is not lost but late.
    @Test func noticeBeforeTheAnswer() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(
            .init(
                .capture, .first(1),
                beforeAnswer: {
                    let pending = try? await shop.payment(payment).operations.last
                    guard let pending, pending.state == .pending else { return }
                    await upstream.report("approved", of: pending.id, ["amount": Upstream.json(money(10_00))])
                }))
        let capture = try await shop.capture(nil, of: payment)
        #expect(capture.operation.state == .succeeded)
        let after = try await shop.payment(payment)
        #expect(after.capturedAmount == money(10_00))
        #expect(after.operations.filter { $0.kind == .capture }.count == 1)
        #expect(try await upstream.problems() == [])
    }

    /// Its number is used up at an acquirer that numbers what it takes, and its merchant may not have heard of its end.
    @Test func declineByNoticeIsNoAnswer() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(
            .init(
                .capture, .first(1), fault: .dropAfterBooking,
                beforeAnswer: {
                    let pending = try? await shop.payment(payment).operations.last
                    guard let pending, pending.state == .pending else { return }
                    await upstream.report("failed", of: pending.id, ["reason": "exceedsLimit"])
                }))
        let capture = try await shop.capture(nil, of: payment)
        let operation = try await shop.operation(capture)
        #expect(operation.state == .failed(.declined(.exceedsLimit)))
        #expect(!operation.wasResolvedAtOnce)
    }

    @Test func lostAuthorizationEndsByNotice() async throws {
        let upstream = try await Upstream.open()
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let outcome = try await upstream.shop.authorize(money(10_00))
        #expect(outcome.operation.state == .pending || outcome.operation.state == .unknown)
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(10_00))])
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .authorized)
    }

    /// What comes over a connector's own connection is booked like what comes over HTTP, and only for accounts of its kind.
    @Test func reportOfAConnectorIsBooked() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await shop.authorize(money(10_00))
        let approval = AcquirerApproval(amount: money(10_00), answer: AcquirerAnswer(reference: "1"))
        let notice = AcquirerNotice(.operation(outcome.operation.id), .resolved(.approved(approval)))
        let simulator = AcquirerName("simulator")
        func receive(
            _ notice: AcquirerNotice, for account: AcquirerAccountID, by connector: AcquirerName
        ) async -> AcquirerReports.Receipt {
            await shop.gateway.receive(notice, for: account, by: connector)
        }
        #expect(await receive(notice, for: upstream.account, by: AcquirerName("mpgs")) == .notKnown)
        let other = AcquirerAccountID(at: shop.clock.now, random: [1])
        #expect(await receive(notice, for: other, by: simulator) == .notKnown)
        let unheard = AcquirerNotice(.operation(OperationID(at: shop.clock.now, random: [1])), .changed)
        #expect(await receive(unheard, for: upstream.account, by: simulator) == .notKnown)
        #expect(try await shop.operation(outcome).state == .accepted)
        for _ in 1...2 { #expect(await receive(notice, for: upstream.account, by: simulator) == .booked) }
        #expect(try await shop.payment(outcome.payment.id).state == .authorized)
        #expect(try await upstream.problems() == [])
    }

    /// A notice that proves nothing is a reason to ask, at once and not when recovery would have.
    @Test func noticeOfAChangeIsAReasonToAsk() async throws {
        let upstream = try await Upstream.open()
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await upstream.shop.authorize(money(10_00))
        upstream.shop.clock.advance(seconds: 2)
        _ = await upstream.shop.gateway.recover()
        let asked = upstream.shop.script.count(of: .query)
        await upstream.report("changed", of: outcome.operation.id)
        _ = await upstream.shop.gateway.recover()
        #expect(upstream.shop.script.count(of: .query) >= asked)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .authorized)
        // Of what is resolved nobody asks any more.
        let count = upstream.shop.script.count(of: .query)
        #expect(await upstream.report("changed", of: outcome.operation.id).status == 200)
        _ = await upstream.shop.gateway.recover()
        #expect(upstream.shop.script.count(of: .query) == count)
    }

    /// Also where recovery is asking just then, whose answer is older than the notice.
    @Test func noticeWhileRecoveryAsksIsLookedAtAfterwards() async throws {
        let upstream = try await Upstream.open()
        let shop = upstream.shop
        shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await shop.authorize(money(10_00))
        shop.clock.advance(seconds: 600)
        shop.script.append(
            .init(
                .query, .first(1), fault: .dropBeforeBooking,
                beforeAnswer: { await upstream.report("changed", of: outcome.operation.id) }))
        _ = await shop.gateway.recover()
        #expect(try await shop.operation(outcome).state == .accepted)
        #expect(try await shop.recoveryJobs().allSatisfy { $0.dueAt <= shop.clock.now })
        _ = await shop.gateway.recover()
        #expect(try await shop.payment(outcome.payment.id).state == .authorized)
    }

    /// What is resolved stays. An approval after the decline is money that our books do not have: somebody has to look.
    @Test func approvalAfterTheDeclineIsReportedAndChangesNothing() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let outcome = try await upstream.shop.authorize(money(57_57))
        #expect(outcome.operation.state == .failed(.declined(.doNotHonor)))
        let amount = ["amount": Upstream.json(money(57_57))]
        #expect(await upstream.report("approved", of: outcome.operation.id, amount).status == 200)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .declined)
        let errors = log.lines.filter { $0.hasPrefix("error") }
        #expect(errors.count == 1 && errors.allSatisfy { $0.contains("cannot be booked") }, "\(log.text)")
    }

    /// The reversal has won: that the acquirer had approved it before is no news.
    @Test func approvalAfterTheReversalIsNoMatterForAnybody() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await upstream.shop.authorize(money(10_00))
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(9_00))])
        let amount = ["amount": Upstream.json(money(10_00))]
        #expect(await upstream.report("approved", of: outcome.operation.id, amount).status == 200)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .reversed)
        #expect(!log.lines.contains { $0.hasPrefix("error") }, "\(log.text)")
    }

    /// An approval of more than was asked for is taken back, whichever way it comes.
    @Test func approvalThatCannotStandIsReversed() async throws {
        let upstream = try await Upstream.open()
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await upstream.shop.authorize(money(10_00))
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(9_00))])
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .reversed)
        #expect(try await upstream.shop.book.entry(outcome.operation.id)?.state == .reversed)
    }

    /// At an acquirer that takes nothing back the operation would be sent once more.
    @Test(arguments: [money(9_00), money(11_00), money(10_00, usd), money(9_00, usd)])
    func approvalOfAnotherAmountLeavesAnAcceptedCaptureAsItIs(_ approved: Money) async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(["recovery": "reports"], log: log)
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .accept))
        let capture = try await shop.capture(nil, of: payment)
        let sent = shop.script.count(of: .capture)
        let other = ["amount": Upstream.json(approved)]
        #expect(await upstream.report("approved", of: capture.operation.id, other).status == 200)
        #expect(try await shop.operation(capture).state == .accepted)
        #expect(log.text.contains("notice of an acquirer cannot be booked"))
        shop.clock.advance(seconds: 4000)
        _ = await shop.gateway.recover()
        #expect(shop.script.count(of: .capture) == sent && shop.script.count(of: .reverse) == 0)
        await upstream.report("approved", of: capture.operation.id, ["amount": Upstream.json(money(10_00))])
        #expect(try await shop.payment(payment).state == .captured)
        #expect(try await upstream.problems() == [])
    }

    /// The merchant takes parts: a report is as good as an answer.
    @Test(arguments: ["reports", "query"]) func reportedPartIsBooked(_ recovery: String) async throws {
        let upstream = try await Upstream.open(recovery == "reports" ? ["recovery": recovery] : [:])
        let shop = upstream.shop
        shop.script.append(.init(.authorize, .first(1), fault: .accept))
        let outcome = try await shop.authorize(money(10_00), acceptsPartialApproval: true)
        #expect(try await shop.operation(outcome).state == .accepted)
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(4_00))])
        let payment = try await shop.payment(outcome.payment.id)
        #expect(payment.state == .authorized && payment.authorizedAmount == money(4_00))
        #expect(payment.opening?.wasResolvedAtOnce == false)
        #expect(try await upstream.payable(of: payment.id).held == 4_00)
        #expect(try await upstream.problems() == [])
    }

    /// Nothing could follow what a person has decided without what the acquirer calls it.
    @Test func whatTheAcquirerCallsAnOperationIsNotedAfterItsEnd() async throws {
        let upstream = try await Upstream.open(["namesOperations": "true"])
        let shop = upstream.shop
        let outcome = try await shop.authorize(money(10_00))
        func content() async throws -> [[UInt8]] {
            try await shop.store.read { try $0.memos(of: outcome.payment.id).map(\.content.box) }
        }
        func report(_ number: String) async -> AcquirerReports.Receipt {
            let approval = AcquirerApproval(
                amount: money(10_00), answer: AcquirerAnswer(), memo: AcquirerMemo(["number": Redacted(number)]))
            return await shop.gateway.receive(
                AcquirerNotice(.operation(outcome.operation.id), .resolved(.approved(approval))),
                for: upstream.account, by: AcquirerName("simulator"))
        }
        let before = try await content()
        #expect(await report("1") == .booked)
        let noted = try await content()
        #expect(before.count == 1 && noted.count == 1 && noted != before)
        // Said once more it is not written once more.
        #expect(await report("1") == .booked)
        #expect(try await content() == noted)
        #expect(try await shop.capture(nil, of: outcome.payment.id).operation.state == .succeeded)
    }

    /// An account said that it did nothing, the payment went on under another, and the first has done it all the same.
    @Test func approvalByAnAccountThatThePaymentHasLeftIsReported() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let outcome = try await upstream.shop.sell(money(10_00))
        var draft = AcquirerAccountDraft(name: "left", connector: AcquirerName("simulator"))
        draft.secrets = [SimulatorNotice.secretName: Upstream.secret]
        let left = try await upstream.shop.gateway.administration.addAcquirerAccount(
            draft, to: upstream.shop.merchant.merchant.id)
        let earlier = Upstream(shop: upstream.shop, account: left.id)
        #expect(await earlier.report("failed", of: outcome.operation.id).status == 200)
        #expect(!log.text.contains("notice of an acquirer cannot be booked"))
        let approval = ["amount": Upstream.json(money(10_00))]
        #expect(await earlier.report("approved", of: outcome.operation.id, approval).status == 200)
        #expect(log.text.contains("notice of an acquirer cannot be booked"))
        #expect(try await upstream.shop.payment(outcome.payment.id) == outcome.payment)
    }

    @Test func refusesWhatIsNotSignedByTheAccountsSecret() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let answer = await upstream.report("failed", of: outcome.operation.id, signedBy: Redacted("another"))
        #expect(answer.status == 401)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .captured)
    }

    @Test(arguments: [#"{"event": "failed"}"#, #"{"operation": "op_1", "event": "failed"}"#, "{", ""])
    func refusesWhatCannotBeRead(_ text: String) async throws {
        let upstream = try await Upstream.open()
        let body = Array(text.utf8)
        let signature = SimulatorNotice.signature(of: body, secret: Upstream.secret)
        let answer = await upstream.shop.gateway.receive(
            NoticeCall(headers: [SimulatorNotice.signatureHeader: signature], body: body), for: upstream.account)
        #expect(answer.status == 400)
    }

    @Test func operationsOfOthersAreNotKnown() async throws {
        let (upstream, other) = (try await Upstream.open(), try await Upstream.open())
        let outcome = try await other.shop.sell(money(10_00))
        #expect(await upstream.report("failed", of: outcome.operation.id).status == 404)
        // Nor an account that is not there.
        let answer = await upstream.shop.gateway.receive(
            NoticeCall(headers: [:], body: []), for: upstream.shop.gateway.makeID())
        #expect(answer.status == 404)
    }

    /// An account of another merchant's cannot speak of this one's payments.
    @Test func accountsSpeakOfTheirOwnPaymentsOnly() async throws {
        let upstream = try await Upstream.open()
        let outcome = try await upstream.shop.sell(money(10_00))
        let second = try await Shop.makeMerchant("second", .sandbox, upstream.shop.gateway)
        let store = upstream.shop.store
        let account = try #require(try await store.read { try $0.acquirerAccounts(of: second.merchant.id) }.first)
        try await upstream.shop.gateway.administration.changeAcquirerAccount(
            account.id, AcquirerAccountChange(secrets: [SimulatorNotice.secretName: Upstream.secret]))
        let intruder = Upstream(shop: upstream.shop, account: account.id)
        #expect(await intruder.report("failed", of: outcome.operation.id).status == 404)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .captured)
    }
}
