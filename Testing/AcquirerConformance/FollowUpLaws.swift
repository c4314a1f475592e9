//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The laws about captures and refunds.
extension AcquirerProbe {
    mutating func declinesCaptureBeyondAuthorization() async throws {
        try await self.authorized()
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(3)), self.fifths(3), "a capture")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(3)), "a capture of more than is left")
    }

    mutating func declinesCaptureAfterFinalOne() async throws {
        try await self.authorized()
        try self.expectApproved(
            await self.capture(self.nextID(), self.fifths(2), isFinal: true), self.fifths(2), "a final capture")
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture after the final one")
    }

    mutating func declinesCaptureOfDeclinedAuthorization() async throws {
        try self.expectDeclined(await self.authorize(self.values.declinedAmount), "an authorization")
        try self.expectDeclined(
            await self.capture(self.nextID(), self.values.declinedAmount), "a capture of a declined authorization")
    }

    mutating func declinesFollowUpOfUnknownAuthorization() async throws {
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture of nothing")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of nothing")
    }

    mutating func declinesRefundBeforeCapture() async throws {
        try await self.authorized()
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund before any capture")
    }

    mutating func declinesRefundBeyondCapture() async throws {
        try await self.authorized()
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(2)), self.fifths(2), "a capture")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(3)), "a refund of more than is captured")
    }

    mutating func saleCapturesAtOnce() async throws {
        try await self.authorized(captures: true)
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture after a sale")
        try self.expectApproved(
            await self.refund(self.nextID(), self.fifths(5)), self.fifths(5), "a refund of a whole sale")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of more than the sale")
    }

    mutating func capturesInParts() async throws {
        try await self.authorized()
        for _ in 0..<5 {
            try self.expectApproved(await self.capture(self.nextID(), self.fifths(1)), self.fifths(1), "a capture")
        }
        try self.expectDeclined(await self.capture(self.nextID(), self.fifths(1)), "a capture beyond all")
    }

    mutating func refundsInParts() async throws {
        try await self.authorized()
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(1)), self.fifths(1), "a capture")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(1)), self.fifths(1), "a refund")
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(2)), self.fifths(2), "a second capture")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(1)), self.fifths(1), "a second refund")
        try self.expectApproved(await self.refund(self.nextID(), self.fifths(1)), self.fifths(1), "a third refund")
        try self.expectDeclined(await self.refund(self.nextID(), self.fifths(1)), "a refund of more than is captured")
    }
}
