//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import Payments
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

    /// Long after everything, when no claim is left but those that the dialect names, payments are found as before, and
    /// what was paid with a token is not paid once more.
    func knowsPaymentsWhoseClaimsAreGone() async throws {
        var paid = Subject(name: "p1")
        let sent = try await self.make(self.charge(self.shop.money(1000)), &paid)
        try self.expect(sent, .approved, "a payment")
        if !self.driver.has(.sale) {
            try self.expect(
                await self.make(.capture(self.shop.money(1000), isFinal: true), &paid), .approved, "a capture")
        }
        if self.driver.has(.refund) {
            try self.expect(await self.make(.refund(self.shop.money(400)), &paid), .approved, "a refund")
        }
        await self.test.recover()
        try await self.deleteClaims()
        try await self.expectQuery(&paid, .approved, captured: 1000)
        try await self.bookingNothing("a payment once more, whose claim is gone") {
            _ = try await self.send(self.driver.renewed(sent.request, in: self.shop), of: sent.call)
        }
        if self.driver.has(.refund) {
            try self.expect(await self.make(.refund(self.shop.money(600)), &paid), .approved, "the rest's refund")
            try await self.expectBooked(.refund, 2)
        }
    }

    /// As ``RetentionWorker`` does, of a gateway that keeps claims no longer than it has to.
    private func deleteClaims() async throws {
        self.test.clock.advance(seconds: 400 * 86_400)
        let names = type(of: self.shop.dialect).namingClaims
        let left = try await self.test.gateway.deleteClaims(after: nil, limit: 1000) { names.contains($0.operation) }
        try self.expect(left == nil, "fewer than a thousand claims", found: "more")
        let claims = try await self.test.store.read { try $0.claims(after: nil, limit: 1000) }
        let found = claims.filter { claim in
            guard case .operation = claim.subject else { return false }
            return !names.contains(claim.key.operation)
        }
        try self.expect(
            found.isEmpty, "no claim that names nothing", found: found.map(\.key.operation).joined(separator: ", "))
    }
}
