//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Money
import Payments
import SimulatorAcquirer
import TestGateway

/// The laws about what the acquirer says, and about what it does not say: nobody guesses an outcome, and in the end the
/// merchant learns the truth.
extension DialectProbe {
    private func direct(_ call: SimulatorCall, _ fault: SimulatorFault) {
        self.test.script.clear()
        self.test.script.append(.init(call, .nth(1), fault: fault))
    }

    func reportsEveryDecline() async throws {
        for (index, reason) in DeclineReason.allCases.enumerated() {
            self.direct(.authorize, .decline(reason))
            var subject = Subject(name: "p\(index)")
            try self.expect(
                await self.make(self.charge(self.shop.money(1000)), &subject), .declined, "a decline for \(reason)")
            try await self.expectQuery(&subject, .declined, captured: 0)
        }
        if self.driver.has(.refund) {
            var subject = try await self.paid(1000, "refunded")
            self.direct(.refund, .decline(.doNotHonor))
            try self.expect(
                await self.make(.refund(self.shop.money(300)), &subject), .declined, "a refund that is declined")
            try await self.expectQuery(&subject, .approved, captured: 1000, refunded: 0)
            // It took nothing of the sum.
            try self.expect(await self.make(.refund(self.shop.money(1000)), &subject), .approved, "a refund of all")
        }
        if self.driver.has(.authorization) {
            var subject = try await self.authorized(1000, "captured")
            self.direct(.capture, .decline(.systemError))
            try self.expect(
                await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .declined,
                "a capture that is declined")
            try self.expect(
                await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .approved,
                "the capture once more, as another request")
        }
    }

    func takesAnotherTokenAfterDecline() async throws {
        self.direct(.authorize, .decline(.insufficientFunds))
        var subject = Subject(name: "p1")
        try self.expect(await self.make(self.charge(self.shop.money(1000)), &subject), .declined, "a declined payment")
        try self.expect(
            await self.make(self.charge(self.shop.money(1000)), &subject), .approved, "the payment with another token")
        try await self.bookingNothing("a third try") {
            let third = try await self.make(self.charge(self.shop.money(1000)), &subject)
            try self.expect(third, .refused, "a payment of what has been paid")
        }
    }

    /// What the acquirer did nothing with failed, and nobody declined it: the answer has another word for it.
    func reportsWhatWasNotProcessed() async throws {
        self.direct(.authorize, .decline(.doNotHonor))
        var declined = Subject(name: "declined")
        let decline = try await self.make(self.charge(self.shop.money(1000)), &declined)
        for reason in NotProcessedReason.allCases {
            self.direct(.authorize, .refuse(reason))
            var subject = Subject(name: "p-\(reason.rawValue.lowercased())")
            let sent = try await self.make(self.charge(self.shop.money(1000)), &subject)
            try self.expect(
                [.declined, .refused].contains(sent.answer.verdict),
                "the failure of what was not processed (\(reason))",
                found: sent.answer.verdict.rawValue)
            try self.expect(
                sent.answer.code != decline.answer.code, "another word than for a decline", found: sent.answer.code)
            try await self.expectQuery(&subject, .declined, captured: 0)
            try await self.expectBooked(.authorization, 0)
            guard self.driver.has(.retryAfterDecline) else { continue }
            try self.expect(
                await self.make(self.charge(self.shop.money(1000)), &subject), .approved,
                "the payment once more, after it was not processed")
            return
        }
    }

    /// The acquirer has it and decides later: until then nobody knows, and nothing is taken back.
    func waitsForPaymentThatWasAccepted() async throws {
        self.direct(.authorize, .accept)
        try await self.expectTruth("accepted", 1000, .approved)
        try await self.expectBooked(.reversal, 0)
    }

    // MARK: - Payments of unknown outcome

    func recoversPaymentWhoseAnswerWasLost() async throws {
        for fault in [SimulatorFault.dropAfterBooking, .garbage] {
            self.direct(.authorize, fault)
            try await self.expectTruth("\(fault)", 1000, .approved, timesOut: fault == .dropAfterBooking)
        }
    }

    /// The acquirer has booked it, and says so when nobody waits any more.
    func recoversPaymentWhoseAnswerTookTooLong() async throws {
        let answer = Gate()
        let deadline = self.test.deadline
        self.test.script.append(
            .init(
                .authorize, .nth(1),
                beforeAnswer: {
                    deadline.pass()
                    await answer.wait()
                }))
        var subject = Subject(name: "p-slow")
        let sent = try await self.make(self.charge(self.shop.money(1000)), &subject)
        deadline.reset()
        answer.open()
        // The reversal may be acknowledged before its own deadline, which has passed too.
        if !self.driver.timeoutsAreFailures || sent.answer.verdict != .declined {
            try self.expect(sent, .pending, "a payment whose answer takes too long")
        }
        await self.test.recover()
        let verdict: DialectVerdict = self.driver.timeoutsAreFailures ? .declined : .approved
        let isCaptured = verdict == .approved && self.driver.has(.sale)
        try await self.expectQuery(&subject, verdict, captured: isCaptured ? 1000 : 0)
        try await self.expectRepeat(sent, verdict, "the payment's repeat, after recovery")
        try await self.expectNotice(.payment, verdict)
        try await self.expectBooked(.authorization, verdict == .approved ? 1 : 0)
    }

    func takesBackPaymentThatNeverArrived() async throws {
        self.direct(.authorize, .dropBeforeBooking)
        try await self.expectTruth("lost", 1000, .declined)
    }

    func takesBackPaymentThatArrivesLate() async throws {
        self.direct(.authorize, .arriveLate)
        try await self.expectTruth("late", 1000, .declined, timesOut: true)
        let late = await self.test.acquirer.deliverLate()
        try self.expect(late.count == 1, "one late arrival", found: "\(late.count)")
        try await self.expectBooked(.authorization, 0)
    }

    /// 6363 minor units: the acquirer itself never knows.
    func takesBackPaymentThatStaysUnclear() async throws {
        try await self.expectTruth("unclear", 6363, .declined)
    }

    /// A payment whose outcome nobody knows is reported as pending, repeats and all, until it has been recovered; one that
    /// timed out may be a failure at once, and then counts for nothing at the acquirer.
    private func expectTruth(
        _ name: String, _ minorUnits: Int64, _ verdict: DialectVerdict, timesOut: Bool = false
    ) async throws {
        var subject = Subject(name: "p-\(name.lowercased())")
        let sent = try await self.make(self.charge(self.shop.money(minorUnits)), &subject)
        if timesOut, self.driver.timeoutsAreFailures {
            try self.expect(sent, .declined, "a payment that timed out (\(name))")
            try await self.expectQuery(&subject, .declined, captured: 0)
            try await self.expectRepeat(sent, .declined, "the repeat of a payment that timed out")
            try await self.expectBooked(.authorization, 0)
            return try await self.expectNotice(.payment, .declined)
        }
        try self.expect(sent, .pending, "a payment of unknown outcome (\(name))")
        try await self.bookingNothing("what is asked meanwhile") {
            try await self.expectQuery(&subject, .pending)
            try await self.expectRepeat(sent, .pending, "the payment's repeat, meanwhile")
        }
        let before = try await self.notices(.payment)
        try self.expect(before.isEmpty, "no notification of an outcome that nobody knows", found: "\(before.count)")
        await self.test.recover()
        try await self.expectQuery(&subject, verdict)
        try await self.expectRepeat(sent, verdict, "the payment's repeat, after recovery")
        try await self.expectNotice(.payment, verdict)
    }

    private func expectRepeat(_ sent: Sent, _ verdict: DialectVerdict, _ what: String) async throws {
        guard self.driver.has(.paymentRepeats) else { return }
        let (response, answer) = try await self.send(self.driver.renewed(sent.request, in: self.shop), of: sent.call)
        try self.expect(answer, response, verdict, what)
    }

    // MARK: - Follow-ups of unknown outcome

    func recoversRefundWhoseAnswerWasLost() async throws {
        var subject = try await self.paid(1000)
        self.direct(.refund, .dropAfterBooking)
        let refund = DialectCall.Action.refund(self.shop.money(400))
        try await self.expectTruth(of: refund, &subject, .refund, .approved, timesOut: true)
        let refunded: Int64 = self.driver.timeoutsAreFailures ? 0 : 400
        try await self.expectQuery(&subject, .approved, captured: 1000, refunded: refunded)
    }

    func takesBackRefundThatNeverArrived() async throws {
        var subject = try await self.paid(1000)
        self.direct(.refund, .dropBeforeBooking)
        try await self.expectTruth(of: .refund(self.shop.money(400)), &subject, .refund, .declined)
        try await self.expectQuery(&subject, .approved, captured: 1000, refunded: 0)
        try self.expect(await self.make(.refund(self.shop.money(1000)), &subject), .approved, "a refund of all")
    }

    func recoversCaptureWhoseAnswerWasLost() async throws {
        var subject = try await self.authorized(1000)
        self.direct(.capture, .dropAfterBooking)
        let capture = DialectCall.Action.capture(self.shop.money(1000), isFinal: true)
        try await self.expectTruth(of: capture, &subject, .capture, .approved, timesOut: true)
        try await self.expectQuery(&subject, .approved, captured: self.driver.timeoutsAreFailures ? 0 : 1000)
    }

    func takesBackCaptureThatNeverArrived() async throws {
        var subject = try await self.authorized(1000)
        self.direct(.capture, .dropBeforeBooking)
        try await self.expectTruth(
            of: .capture(self.shop.money(1000), isFinal: true), &subject, .capture, .declined)
        try await self.expectQuery(&subject, .approved, captured: 0)
        try self.expect(
            await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .approved,
            "the capture once more, as another request")
    }

    func recoversVoidWhoseAnswerWasLost() async throws {
        var subject = try await self.authorized(1000)
        self.direct(.reverse, .dropAfterBooking)
        try await self.expectTruth(of: .void, &subject, .void, .approved)
        try await self.expectQuery(&subject, .declined, captured: 0)
    }

    private func expectTruth(
        of action: DialectCall.Action, _ subject: inout Subject, _ about: DialectNotice.Subject,
        _ verdict: DialectVerdict, timesOut: Bool = false
    ) async throws {
        _ = try await self.notices(about)
        let sent = try await self.make(action, &subject)
        if timesOut, self.driver.timeoutsAreFailures {
            try self.expect(sent, .declined, "a \(about.rawValue) that timed out")
            return try await self.expectRepeat(sent, .declined, "the repeat of a \(about.rawValue) that timed out")
        }
        try self.expect(sent, .pending, "a \(about.rawValue) of unknown outcome")
        try await self.bookingNothing("what is sent meanwhile") {
            if self.driver.has(.followUpRepeats) {
                let (response, answer) = try await self.send(
                    self.driver.renewed(sent.request, in: self.shop), of: sent.call)
                try self.expect(answer, response, .pending, "the \(about.rawValue)'s repeat, meanwhile")
            }
            try await self.expectQuery(&subject, .approved)
        }
        await self.test.recover()
        if self.driver.has(.followUpRepeats) {
            let (response, answer) = try await self.send(
                self.driver.renewed(sent.request, in: self.shop), of: sent.call)
            try self.expect(answer, response, verdict, "the \(about.rawValue)'s repeat, after recovery")
            subject.handle.merge(answer.handle) { $1 }
        }
        if !self.driver.has(.followUpRepeats) || !self.driver.has(.query) {
            try await self.expectNotice(about, verdict)
        }
    }
}
