//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Money
import SimulatorAcquirer
import TestGateway

/// The laws about the same request again, and about another one under its key.
extension DialectProbe {
    /// Sends a request once more and expects the same answer.
    private func expectSame(_ sent: Sent, _ what: String) async throws {
        let again = try self.driver.renewed(sent.request, in: self.shop)
        let (response, answer) = try await self.send(again, of: sent.call)
        try self.expect(answer, response, sent.answer.verdict, "\(what), once more")
        try self.expect(
            response.status == sent.response.status
                && self.driver.stablePart(of: response) == self.driver.stablePart(of: sent.response),
            "the same answer to \(what), once more", found: "another one")
    }

    func answersRepeatedPaymentAlike() async throws {
        var subject = Subject(name: "p1")
        let sent = try await self.make(self.charge(self.shop.money(1000)), &subject)
        try self.expect(sent, .approved, "a payment")
        try await self.bookingNothing("repeats") {
            try await self.expectSame(sent, "a payment")
            self.test.clock.advance(seconds: 7200)
            try await self.expectSame(sent, "a payment, when its token has expired")
        }
        // What happens to the payment later does not change what was answered.
        if self.driver.has(.refund), self.driver.has(.sale) {
            try self.expect(await self.make(.refund(self.shop.money(400)), &subject), .approved, "a refund")
            try await self.expectSame(sent, "a payment that has been refunded in part")
        }
        try await self.expectBooked(.authorization, 1)
        var declined = Subject(name: "p2")
        let refusal = try await self.make(self.charge(self.shop.money(5757)), &declined)
        try self.expect(refusal, .declined, "a payment of the amount that is declined")
        try await self.bookingNothing("the repeat of a declined payment") {
            try await self.expectSame(refusal, "a declined payment")
        }
    }

    func refusesConflictingPayment() async throws {
        var subject = Subject(name: "p1")
        let sent = try await self.make(self.charge(self.shop.money(1000)), &subject)
        try self.expect(sent, .approved, "a payment")
        try await self.expectConflicts(with: sent)
    }

    private func expectConflicts(with sent: Sent) async throws {
        try await self.bookingNothing("another request under the same key") {
            let requests = try await self.driver.conflicting(with: sent.request, of: sent.call, in: self.shop)
            try self.expect(!requests.isEmpty, "a conflicting request from the driver", found: "none")
            for conflicting in requests {
                let (response, answer) = try await self.send(conflicting.request, of: nil)
                try self.expect(answer, response, .refused, conflicting.name)
            }
        }
        try await self.expectSame(sent, "the first request after the conflicting one")
    }

    func booksConcurrentPaymentsOnce() async throws {
        var subject = Subject(name: "p1")
        let call = self.call(try self.charge(self.shop.money(1000)), &subject)
        try await self.expectOnce(call)
        try await self.expectBooked(.authorization, 1)
    }

    func booksConcurrentRefundsOnce() async throws {
        var subject = try await self.paid(1000)
        try await self.expectOnce(self.call(.refund(self.shop.money(300)), &subject))
        try await self.expectBooked(.refund, 1)
    }

    /// Sends a request eight times at once. Each is answered as the one that was made, or as one that is under way.
    private func expectOnce(_ call: DialectCall) async throws {
        let request = try await self.driver.request(call, in: self.shop)
        let requests = try (0..<8).map { _ in try self.driver.renewed(request, in: self.shop) }
        let answers = try await withThrowingTaskGroup(of: DialectAnswer.self) { group in
            for request in requests { group.addTask { try await self.send(request, of: call).1 } }
            return try await group.reduce(into: [DialectAnswer]()) { $0.append($1) }
        }
        try self.expect(
            answers.contains { $0.verdict == .approved }, "one of eight concurrent requests approved", found: "none")
        try self.expect(
            answers.allSatisfy { $0.verdict != .declined }, "none of eight concurrent requests declined",
            found: "a decline")
        let (response, answer) = try await self.send(self.driver.renewed(request, in: self.shop), of: call)
        try self.expect(answer, response, .approved, "the request once more, afterwards")
    }

    func answersRepeatedFollowUpAlike() async throws {
        var subject = try await self.paid(1000)
        let refund = try await self.make(.refund(self.shop.money(400)), &subject)
        try self.expect(refund, .approved, "a refund")
        try await self.bookingNothing("a refund's repeats") {
            try await self.expectSame(refund, "a refund")
            self.test.clock.advance(seconds: 86_400)
            try await self.expectSame(refund, "a refund, a day later")
        }
        try self.expect(await self.make(.refund(self.shop.money(600)), &subject), .approved, "another refund")
        try await self.expectSame(refund, "a refund after another one")
        try await self.expectBooked(.refund, 2)
        guard self.driver.has(.authorization) else { return }
        var second = try await self.authorized(1000, "p2")
        let capture = try await self.make(.capture(self.shop.money(1000), isFinal: true), &second)
        try self.expect(capture, .approved, "a capture")
        try await self.bookingNothing("a capture's repeat") { try await self.expectSame(capture, "a capture") }
        guard self.driver.has(.void) else { return }
        var third = try await self.authorized(1000, "p3")
        let void = try await self.make(.void, &third)
        try self.expect(void, .approved, "a void")
        try await self.bookingNothing("a void's repeat") { try await self.expectSame(void, "a void") }
    }

    func refusesConflictingFollowUp() async throws {
        var subject = try await self.paid(1000)
        let refund = try await self.make(.refund(self.shop.money(400)), &subject)
        try self.expect(refund, .approved, "a refund")
        try await self.expectConflicts(with: refund)
        try await self.expectBooked(.refund, 1)
    }
}
