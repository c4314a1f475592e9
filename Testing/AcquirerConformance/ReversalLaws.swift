//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The laws about taking back.
extension AcquirerProbe {
    mutating func declinesVoidAfterCapture() async throws {
        try await self.authorized()
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(1)), self.fifths(1), "a capture")
        let outcome = await self.reverse(
            self.nextID(), of: self.authorizationID, self.fifths(5), because: .voidedByMerchant)
        try self.expectDeclined(outcome, "the void of an authorization of which a part is captured")
    }

    mutating func reversedSaleCannotBeRefunded() async throws {
        try await self.authorized(captures: true)
        try self.expectApproved(
            await self.reverse(self.nextID(), of: self.authorizationID, self.fifths(5)), self.fifths(5), "a reversal")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of a reversed sale")
    }

    mutating func acknowledgesReversalOfUnknownOperation() async throws {
        let unheard = self.nextID()
        try self.expectApproved(
            await self.reverse(self.nextID(), of: unheard, self.fifths(1)), self.fifths(1),
            "the reversal of an operation that never arrived")
    }

    mutating func voidEndsAuthorization() async throws {
        try await self.authorized()
        let outcome = await self.reverse(
            self.nextID(), of: self.authorizationID, self.fifths(5), because: .voidedByMerchant)
        try self.expectApproved(outcome, self.fifths(5), "a void")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture after a void")
        try self.expectNotDoneAgain(await self.authorize(self.fifths(5)), "a repeat of a voided authorization")
    }

    mutating func repeatedReversalIsAcknowledgedAgain() async throws {
        try await self.authorized()
        let id = self.nextID()
        let first = await self.reverse(id, of: self.authorizationID, self.fifths(5))
        try self.expectApproved(first, self.fifths(5), "a reversal")
        let second = await self.reverse(id, of: self.authorizationID, self.fifths(5))
        try self.expect(first == second, "the same answer to the same reversal")
        try self.expectApproved(
            await self.reverse(self.nextID(), of: self.authorizationID, self.fifths(5)), self.fifths(5),
            "another reversal of what is taken back already")
    }

    mutating func reversedCaptureLeavesRoomForAnother() async throws {
        try await self.authorized()
        let id = self.nextID()
        try self.expectApproved(await self.capture(id, self.fifths(5)), self.fifths(5), "a capture")
        try self.expectApproved(await self.reverse(self.nextID(), of: id, self.fifths(5)), self.fifths(5), "a reversal")
        try self.expectNotDoneAgain(await self.capture(id, self.fifths(5)), "a repeat of a reversed capture")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of a reversed capture")
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(5)), self.fifths(5), "another capture")
    }

    mutating func reversedRefundLeavesRoomForAnother() async throws {
        try await self.captured()
        let id = self.nextID()
        try self.expectApproved(await self.refund(id, self.fifths(5)), self.fifths(5), "a refund")
        try self.expectApproved(await self.reverse(self.nextID(), of: id, self.fifths(5)), self.fifths(5), "a reversal")
        try self.expectNotDoneAgain(await self.refund(id, self.fifths(5)), "a repeat of a reversed refund")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(5)), self.fifths(5), "another refund")
    }

    mutating func refusesArrivalAfterReversal() async throws {
        try self.expectApproved(
            await self.reverse(self.nextID(), of: self.authorizationID, self.fifths(5)), self.fifths(5),
            "the reversal of an authorization that never arrived")
        try self.expectDeclined(
            await self.authorize(self.fifths(5)), "an authorization that arrives after its reversal")
        try self.expectDeclined(
            await self.capture(self.nextID(), self.fifths(1)), "a capture of an authorization that came too late")
    }
}
