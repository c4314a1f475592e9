//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// What a merchant voids, beside an authorization.

extension AcquirerProbe {
    private mutating func void(_ target: OperationID, _ count: Int64) async -> AcquirerOutcome {
        await self.reverse(self.nextID(), of: target, self.fifths(count), because: .voidedByMerchant)
    }

    mutating func voidOfSaleEndsIt() async throws {
        try await self.authorized(captures: true)
        let id = self.nextID()
        let first = await self.reverse(id, of: self.authorizationID, self.fifths(5), because: .voidedByMerchant)
        try self.expectApproved(first, self.fifths(5), "the void of a sale")
        let second = await self.reverse(id, of: self.authorizationID, self.fifths(5), because: .voidedByMerchant)
        try self.expect(first == second, "the same answer to the same void")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of a voided sale")
        try self.expectNotDoneAgain(
            await self.authorize(self.fifths(5), captures: true), "a repeat of a voided sale")
    }

    mutating func declinesVoidOfRefundedSale() async throws {
        try await self.authorized(captures: true)
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(1)), self.fifths(1), "a refund")
        try self.expectDeclined(
            await self.void(self.authorizationID, 5), "the void of a sale of which a part is refunded")
        try self.expectApproved(
            await self.refund(self.nextID(), self.fifths(4)), self.fifths(4), "a refund of what is left")
    }

    mutating func voidOfCaptureLeavesRoomForAnother() async throws {
        try await self.authorized()
        let id = self.nextID()
        let capture = await self.capture(id, self.fifths(3), isFinal: true)
        try self.expectApproved(capture, self.fifths(3), "a final capture")
        try self.expectApproved(await self.void(id, 3), self.fifths(3), "the void of a capture")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of a voided capture")
        try self.expectNotDoneAgain(
            await self.capture(id, self.fifths(3), isFinal: true), "a repeat of a voided capture")
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(5)), self.fifths(5), "another capture")
    }

    mutating func declinesVoidOfRefundedCapture() async throws {
        try await self.authorized()
        let id = self.nextID()
        try self.expectApproved(await self.capture(id, self.fifths(3)), self.fifths(3), "a capture")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(1)), self.fifths(1), "a refund")
        try self.expectDeclined(await self.void(id, 3), "the void of a capture of which a part is refunded")
    }

    mutating func voidOfRefundLeavesRoomForAnother() async throws {
        try await self.captured()
        let id = self.nextID()
        try self.expectApproved(await self.refund(id, self.fifths(5)), self.fifths(5), "a refund")
        try self.expectApproved(await self.void(id, 5), self.fifths(5), "the void of a refund")
        try self.expectNotDoneAgain(await self.refund(id, self.fifths(5)), "a repeat of a voided refund")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(5)), self.fifths(5), "another refund")
    }
}
