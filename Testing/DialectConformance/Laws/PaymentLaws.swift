//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import SimulatorAcquirer
import TestGateway

/// The laws about what is paid, captured, taken back and refunded.
extension DialectProbe {
    func paysAtOnce() async throws {
        var subject = Subject(name: "p1")
        let amount = self.shop.money(1099)
        try self.expect(
            await self.make(.pay(amount, self.shop.token(amount)), &subject), .approved, "a payment", amount)
        try await self.expectQuery(&subject, .approved, captured: 1099, refunded: 0)
        let entries = try await self.test.book.entries()
        try self.expect(
            entries.count == 1 && entries.allSatisfy { $0.captures && $0.approvedAmount == amount },
            "one sale of \(amount) in the book", found: "\(entries.count) entries")
    }

    func authorizesWithoutCapturing() async throws {
        var subject = try await self.authorized(1099)
        try await self.expectQuery(&subject, .approved, captured: 0, refunded: 0)
        let entries = try await self.test.book.entries()
        try self.expect(
            entries.count == 1 && entries.allSatisfy { !$0.captures && $0.approvedAmount == self.shop.money(1099) },
            "one authorization in the book", found: "\(entries.count) entries")
    }

    func capturesInParts() async throws {
        var subject = try await self.authorized(1000)
        for (part, sum) in [(300, 300), (500, 800)] as [(Int64, Int64)] {
            let amount = self.shop.money(part)
            try self.expect(
                await self.make(.capture(amount, isFinal: false), &subject), .approved, "a partial capture", amount)
            try await self.expectQuery(&subject, .approved, captured: sum, refunded: 0)
        }
        try await self.bookingNothing("a capture beyond the rest") {
            try self.expect(
                await self.make(.capture(self.shop.money(201), isFinal: false), &subject), .refused,
                "a capture beyond the rest")
        }
        try self.expect(
            await self.make(.capture(self.shop.money(200), isFinal: true), &subject), .approved,
            "the capture of the rest", self.shop.money(200))
        try await self.expectQuery(&subject, .approved, captured: 1000, refunded: 0)
        try await self.expectBooked(.capture, 3)
    }

    func finalCaptureGivesBackTheRest() async throws {
        var subject = try await self.authorized(1000)
        try self.expect(
            await self.make(.capture(self.shop.money(600), isFinal: true), &subject), .approved, "a final capture",
            self.shop.money(600))
        try await self.bookingNothing("a capture after the final one") {
            try self.expect(
                await self.make(.capture(self.shop.money(1), isFinal: true), &subject), .refused,
                "a capture after the final one")
        }
        try await self.expectQuery(&subject, .approved, captured: 600)
    }

    func refusesCaptureBeyondAuthorization() async throws {
        var subject = try await self.authorized(1000)
        try await self.bookingNothing("a capture beyond the authorization") {
            try self.expect(
                await self.make(.capture(self.shop.money(1001), isFinal: true), &subject), .refused,
                "a capture beyond the authorization")
        }
        // A refusal takes nothing away.
        try self.expect(
            await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .approved, "the capture of all")
    }

    func refusesCaptureAfterVoid() async throws {
        var subject = try await self.authorized(1000)
        try self.expect(await self.make(.void, &subject), .approved, "a void")
        try await self.bookingNothing("a capture after the void") {
            try self.expect(
                await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .refused,
                "a capture after the void")
        }
    }

    func voidEndsAuthorization() async throws {
        var subject = try await self.authorized(1000)
        try self.expect(await self.make(.void, &subject), .approved, "a void")
        try await self.expectQuery(&subject, .declined, captured: 0)
        let payments = try await self.test.payments()
        try self.expect(payments.allSatisfy { $0.state == .voided }, "a voided payment")
    }

    func refusesVoidAfterCapture() async throws {
        var subject = try await self.authorized(1000)
        try self.expect(
            await self.make(.capture(self.shop.money(1000), isFinal: true), &subject), .approved, "a capture")
        try await self.bookingNothing("the void of a captured authorization") {
            try self.expect(
                await self.make(.void, &subject), .refused, "the void of a captured authorization")
        }
    }

    func refundsInParts() async throws {
        var subject = try await self.paid(1000)
        for (part, sum) in [(400, 400), (500, 900), (100, 1000)] as [(Int64, Int64)] {
            let amount = self.shop.money(part)
            try self.expect(await self.make(.refund(amount), &subject), .approved, "a partial refund", amount)
            try await self.expectQuery(&subject, .approved, captured: 1000, refunded: sum)
        }
        try await self.expectBooked(.refund, 3)
    }

    func refusesRefundBeyondCapture() async throws {
        var subject = try await self.paid(1000)
        try await self.bookingNothing("a refund of more than was captured") {
            try self.expect(
                await self.make(.refund(self.shop.money(1001)), &subject), .refused,
                "a refund of more than was captured")
        }
        try self.expect(await self.make(.refund(self.shop.money(600)), &subject), .approved, "a refund")
        try await self.bookingNothing("a refund of more than is left") {
            try self.expect(
                await self.make(.refund(self.shop.money(401)), &subject), .refused, "a refund of more than is left")
        }
        try self.expect(await self.make(.refund(self.shop.money(400)), &subject), .approved, "the rest's refund")
        try await self.bookingNothing("a refund after all is refunded") {
            try self.expect(
                await self.make(.refund(self.shop.money(1)), &subject), .refused, "a refund after all is refunded")
        }
    }

    func refusesRefundBeforeCapture() async throws {
        var subject = try await self.authorized(1000)
        try await self.bookingNothing("a refund of nothing captured") {
            try self.expect(
                await self.make(.refund(self.shop.money(100)), &subject), .refused, "a refund of nothing captured")
        }
    }
}
