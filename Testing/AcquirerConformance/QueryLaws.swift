//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The laws about queries, for an acquirer that answers them.
extension AcquirerProbe {
    mutating func queryFindsNothingBeforeArrival() async throws {
        try self.expect(await self.query(self.authorizationID), isAnyOf: [.notFound], "not found")
    }

    mutating func queryReportsDeclineAsItWasAnswered() async throws {
        let decline = try self.expectDeclined(await self.authorize(self.values.declinedAmount), "an authorization")
        // The vendor's own words may be those of the one answer.
        try self.expect(
            await self.query(self.authorizationID).wordless, isAnyOf: [.declined(decline.wordless)], "the decline")
    }

    mutating func queryReportsApprovalAsItWasAnswered() async throws {
        let approval = try await self.authorized()
        try self.expect(await self.query(self.authorizationID), isAnyOf: [.approved(approval)], "the authorization")
        let captureID = self.nextID()
        let capture = try self.expectApproved(
            await self.capture(captureID, self.fifths(2)), self.fifths(2), "a capture")
        try self.expect(await self.query(captureID), isAnyOf: [.approved(capture)], "the capture")
        let refundID = self.nextID()
        let refund = try self.expectApproved(await self.refund(refundID, self.fifths(1)), self.fifths(1), "a refund")
        try self.expect(await self.query(refundID), isAnyOf: [.approved(refund)], "the refund")
        try self.expect(
            await self.query(self.authorizationID), isAnyOf: [.approved(approval)], "the authorization still")
    }

    /// What has been prepared, however often, and not sent is not there.
    mutating func preparationMovesNothing() async throws {
        for _ in 0..<2 {
            guard case .ready(let memo) = await self.prepare(self.authorizationID, self.fifths(5)), !memo.isEmpty
            else { throw AcquirerLawBroken(law: self.law, wanted: "a memo", found: "none") }
        }
        try self.expect(await self.query(self.authorizationID), isAnyOf: [.notFound], "not found")
        try await self.authorized()
    }

    mutating func queryReportsReversal() async throws {
        try await self.authorized()
        let reversalID = self.nextID()
        let reversal = try self.expectApproved(
            await self.reverse(reversalID, of: self.authorizationID, self.fifths(5)), self.fifths(5), "a reversal")
        try self.expect(await self.query(self.authorizationID), isAnyOf: [.reversed], "reversed")
        try self.expect(await self.query(reversalID), isAnyOf: [.approved(reversal)], "the reversal itself")
        guard self.acquirer.capabilities.recovery.remembersReversals else { return }
        // What never arrived is as good as reversed once it has been taken back, and a stateless link may still not
        // know it.
        let unheard = self.nextID()
        try self.expectApproved(
            await self.reverse(self.nextID(), of: unheard, self.fifths(1)), self.fifths(1), "a reversal")
        try self.expect(await self.query(unheard), isAnyOf: [.reversed, .notFound], "reversed")
    }
}
