//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The laws about what is booked, and how often.
extension AcquirerProbe {
    mutating func approvesAndGivesReference() async throws {
        let approval = try await self.authorized()
        try self.expect(approval.answer.reference?.isEmpty == false, "a reference of the approved authorization")
        try self.expect(approval.answer.responseCode?.isEmpty == false, "a response code with the approval")
    }

    mutating func declinesWithReason() async throws {
        let decline = try self.expectDeclined(
            await self.authorize(self.values.declinedAmount), "the amount that the test environment declines")
        try self.expect(decline.answer.responseCode?.isEmpty == false, "a response code with the decline")
    }

    mutating func answersRepeatedAuthorizationAlike() async throws {
        let first = try await self.authorized()
        let second = try await self.authorized()
        try self.expect(first == second, "the same answer to the same authorization")
        // Were it booked twice, there would be room for two captures.
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(5)), self.fifths(5), "a capture of all")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture beyond all")
    }

    mutating func booksRepeatedCaptureOnce() async throws {
        try await self.authorized()
        let id = self.nextID()
        let first = await self.capture(id, self.fifths(2))
        try self.expectApproved(first, self.fifths(2), "a capture")
        let second = await self.capture(id, self.fifths(2))
        try self.expect(first == second, "the same answer to the same capture")
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture of all that is left")
    }

    mutating func booksRepeatedRefundOnce() async throws {
        try await self.captured()
        let id = self.nextID()
        let first = await self.refund(id, self.fifths(2))
        try self.expectApproved(first, self.fifths(2), "a refund")
        let second = await self.refund(id, self.fifths(2))
        try self.expect(first == second, "the same answer to the same refund")
        try self.expectApproved(
            await self.refund(self.nextID(), self.fifths(3)), self.fifths(3), "a refund of all that is left")
    }

    /// A repeat that is refused says nothing about the first, and is not done.
    mutating func booksRefusedRepeatOnce() async throws {
        try await self.authorized()
        let id = self.nextID()
        try self.expectApproved(await self.capture(id, self.fifths(2)), self.fifths(2), "a capture")
        if case .declined = await self.capture(id, self.fifths(2)) {
            try self.expect(false, "no decline of a capture that stands")
        }
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture of all that is left")
    }

    mutating func booksConcurrentRepeatsOnce() async throws {
        let probe = self
        let authorizations = await withTaskGroup(of: AcquirerOutcome.self) { group in
            for _ in 0..<100 { group.addTask { await probe.authorize(probe.fifths(5)) } }
            return await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
        }
        try self.expect(authorizations.count == 1, "one answer to a hundred concurrent repeats of an authorization")
        let id = self.nextID()
        let captures = await withTaskGroup(of: AcquirerOutcome.self) { group in
            for _ in 0..<100 { group.addTask { await probe.capture(id, probe.fifths(2)) } }
            return await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
        }
        try self.expect(captures.count == 1, "one answer to a hundred concurrent repeats of a capture")
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture of all that is left")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture beyond all")
    }
}
