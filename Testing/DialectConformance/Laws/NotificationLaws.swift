//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Gateway
import Money
import Payments
import TestGateway

/// The laws about notifying the merchant.
extension DialectProbe {
    /// The outcomes that the merchant is notified of now, everything acknowledged.
    func notices(_ subject: DialectNotice.Subject) async throws -> [DialectNotice] {
        guard self.driver.has(.notifications) else { return [] }
        return try await self.shop.deliverAll()
            .map { try self.driver.read($0, in: self.shop) }
            .filter { $0.subject == subject && $0.verdict != .pending }
    }

    func expectNotice(_ subject: DialectNotice.Subject, _ verdict: DialectVerdict) async throws {
        guard self.driver.has(.notifications) else { return }
        let notices = try await self.notices(subject)
        // A dialect may have no message for a failure, or none for what can be asked for: by a query, or by the same
        // request once more.
        guard let last = notices.last else {
            return try self.expect(
                verdict != .approved || self.driver.has(.query) || self.driver.has(.paymentRepeats)
                    || subject != .payment,
                "a notification, where nothing can be asked", found: "none")
        }
        try self.expect(
            last.verdict == verdict, "a notification: \(verdict)", found: last.verdict.rawValue)
    }

    func notifiesInOrder() async throws {
        var subject = try await self.paid(1000)
        var expected = [DialectNotice(.payment, .approved)]
        if !self.driver.has(.sale) { expected.append(DialectNotice(.capture, .approved)) }
        if self.driver.has(.refund) {
            for part in [400, 600] as [Int64] {
                try self.expect(
                    await self.make(.refund(self.shop.money(part)), &subject), .approved, "a refund")
                expected.append(DialectNotice(.refund, .approved, amount: self.shop.money(part)))
            }
        }
        let sent = try await self.shop.deliverAll()
        let events = sent.map { ($0.delivery.event.paymentVersion, $0.messageIndex) }
        try self.expect(!sent.isEmpty, "a notification of a payment", found: "none")
        try self.expect(zip(events, events.dropFirst()).allSatisfy { $0 < $1 }, "notifications in the events' order")
        var remaining = expected[...]
        for notice in try sent.map({ try self.driver.read($0, in: self.shop) }) where notice.subject != .other {
            try self.expect(notice.verdict != .declined, "only good news", found: "a decline")
            while let next = remaining.first, !Self.isAbout(notice, next) { remaining = remaining.dropFirst() }
            try self.expect(!remaining.isEmpty, "outcomes in their order", found: "\(notice.subject.rawValue) too late")
        }
        self.test.clock.advance(seconds: 7 * 86_400)
        let again = try await self.shop.deliverAll()
        try self.expect(again.isEmpty, "nothing sent twice", found: "\(again.count) again")
    }

    private static func isAbout(_ notice: DialectNotice, _ expected: DialectNotice) -> Bool {
        guard notice.subject == expected.subject else { return false }
        guard let amount = notice.amount, let wanted = expected.amount else { return true }
        return amount == wanted
    }

    func notifiesUntilAcknowledged() async throws {
        var subject = try await self.paid(1000)
        let bad =
            [(500, ""), (404, "no"), (302, self.driver.acknowledgement.body)]
            + self.driver.unacknowledged.map { (200, $0) }
        var first: Delivered?
        for answer in bad {
            let sent = try await self.shop.deliverDue { _ in answer }
            try self.expect(sent.count == 1, "one notification at a time", found: "\(sent.count)")
            guard let now = sent.first else { return }
            if let first {
                try self.expect(
                    now.delivery.event.id == first.delivery.event.id && now.messageIndex == first.messageIndex
                        && now.target == first.target, "the same notification again, after \(answer.0)")
            }
            first = first ?? now
            try self.expect(!now.isAcknowledged, "status \(answer.0) to be no acknowledgement")
            guard let retryAt = now.retryAt else { throw self.broken("another try after \(answer.0)", "none") }
            let early = try await self.shop.deliverDue { _ in answer }
            try self.expect(
                early.isEmpty || retryAt <= self.test.clock.now, "no notification before its time", found: "one")
            self.test.clock.advance(to: retryAt)
        }
        // What happens meanwhile waits for its turn.
        if self.driver.has(.refund) {
            try self.expect(await self.make(.refund(self.shop.money(100)), &subject), .approved, "a refund")
        }
        let rest = try await self.shop.deliverAll()
        try self.expect(
            rest.first?.delivery.event.id == first?.delivery.event.id, "the first notification before any other")
        try self.expect(rest.allSatisfy(\.isAcknowledged), "the driver's acknowledgement to be one")
        self.test.clock.advance(seconds: 7 * 86_400)
        try self.expect(try await self.shop.deliverAll().isEmpty, "nothing sent again after its acknowledgement")
    }

    func givesUpAtTheEndOfItsSchedule() async throws {
        _ = try await self.paid(1000)
        var triesCount = 0
        while let sent = try await self.shop.deliverDue(answering: { _ in (503, "") }).first {
            triesCount += 1
            guard let retryAt = sent.retryAt else { break }
            self.test.clock.advance(to: retryAt)
            try self.expect(triesCount < 1000, "an end of the tries", found: "\(triesCount)")
        }
        let wanted = self.shop.dialect.retrySchedule.delaysSeconds.count + 1
        try self.expect(triesCount == wanted, "\(wanted) tries", found: "\(triesCount)")
        let events = try await self.test.store.read { reader in
            try reader.payments(PaymentQuery()).flatMap { try reader.events(of: $0.id) }
        }
        try self.expect(events.contains { $0.state == .dead }, "an event put aside")
    }
}
