//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// Adjustments and verifications, of acquirers that offer them.

extension AcquirerProbe {
    /// An authorization of three fifths that must be approved.
    private func authorizedThreeFifths() async throws {
        try self.expectApproved(await self.authorize(self.fifths(3)), self.fifths(3), "an authorization")
    }

    mutating func adjustmentSetsTheTotal() async throws {
        try await self.authorizedThreeFifths()
        try self.expectApproved(await self.adjust(self.nextID(), self.fifths(5)), self.fifths(5), "an adjustment up")
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(1)), self.fifths(1), "a capture")
        try self.expectApproved(await self.adjust(self.nextID(), self.fifths(4)), self.fifths(4), "an adjustment down")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(4)), "a capture beyond the new total")
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture of all that is left")
    }

    mutating func booksRepeatedAdjustmentOnce() async throws {
        try await self.authorizedThreeFifths()
        let id = self.nextID()
        let first = await self.adjust(id, self.fifths(5))
        try self.expectApproved(first, self.fifths(5), "an adjustment")
        try self.expectApproved(await self.adjust(self.nextID(), self.fifths(4)), self.fifths(4), "another adjustment")
        let second = await self.adjust(id, self.fifths(5))
        try self.expect(first == second, "the same answer to the same adjustment")
        try self.expectDeclined(
            await self.capture(self.nextID(), self.fifths(5)), "a capture of the total that was adjusted away")
    }

    mutating func declinesAdjustmentBelowCapture() async throws {
        try await self.authorized()
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture")
        try self.expectDeclined(
            await self.adjust(self.nextID(), self.fifths(2)), "an adjustment to less than is captured")
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(2)), self.fifths(2), "a capture of all that is left")
    }

    mutating func declinesAdjustmentAfterFinalCapture() async throws {
        try await self.authorized()
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(2), isFinal: true), self.fifths(2), "a final capture")
        try self.expectDeclined(
            await self.adjust(self.nextID(), self.fifths(4)), "an adjustment after the final capture")
    }

    mutating func declinesAdjustmentOfUnknownAuthorization() async throws {
        try self.expectDeclined(await self.adjust(self.nextID(), self.fifths(1)), "an adjustment of nothing")
    }

    mutating func reversedAdjustmentLeavesTheTotalBeforeIt() async throws {
        try await self.authorizedThreeFifths()
        let id = self.nextID()
        try self.expectApproved(await self.adjust(id, self.fifths(5)), self.fifths(5), "an adjustment")
        try self.expectApproved(
            await self.reverse(self.nextID(), of: id, self.fifths(5)), self.fifths(5), "the reversal of an adjustment")
        try self.expectNotDoneAgain(await self.adjust(id, self.fifths(5)), "a repeat of a reversed adjustment")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(4)), "a capture beyond the old total")
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture of the old total")
    }

    mutating func verificationMovesNothing() async throws {
        let approval = try self.expectApproved(await self.verify(), self.fifths(0), "a verification")
        try self.expect(approval.answer.responseCode?.isEmpty == false, "a response code with the approval")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture after a verification")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund after a verification")
    }

    mutating func answersRepeatedVerificationAlike() async throws {
        let first = try self.expectApproved(await self.verify(), self.fifths(0), "a verification")
        let second = try self.expectApproved(await self.verify(), self.fifths(0), "a verification")
        try self.expect(first == second, "the same answer to the same verification")
    }

    mutating func reversedVerificationIsOver() async throws {
        try self.expectApproved(await self.verify(), self.fifths(0), "a verification")
        try self.expectApproved(
            await self.reverse(self.nextID(), of: self.authorizationID, self.fifths(0)), self.fifths(0),
            "the reversal of a verification")
        try self.expectNotDoneAgain(await self.verify(), "a repeat of a reversed verification")
    }
}
