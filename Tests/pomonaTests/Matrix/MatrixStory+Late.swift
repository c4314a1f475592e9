//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Money
import Payments
import TestShop

@testable import pomona

/// What the service's acquirer accepts first, and decides a second later.
extension MatrixStory {
    /// At which the acquirer declines what is refunded.
    private static let declined: Int64 = 5757
    /// Of an authorization whose void it declines.
    private static let voidDeclined: Int64 = 6464
    /// More than ``declined``.
    private static let plenty: Int64 = 9000

    /// Nobody knows at first, and both know in the end.
    func lateResult() async throws {
        let opening = try await self.opened()
        guard opening.outcome == .pending else {
            throw Trouble(description: "the payment is \(opening.outcome): \(opening.text)")
        }
        let (front, upstream) = try await self.settled()
        // To CommWeb a payment that nobody knows the end of has failed, and what became of it is taken back.
        let isTakenBack = self.cell.pair.dialect == "commweb" && front.state == .reversed
        guard front.currentSums == upstream.currentSums,
            isTakenBack || front.authorizedAmount.minorUnits == Self.amount
        else { throw self.disagreement(front, upstream) }
    }

    func lateFailure() async throws {
        _ = try await self.taken(Self.amount)
        let (_, upstream) = try await self.settled()
        guard let capture = upstream.operations.last(where: { $0.kind == .capture }) else {
            throw Trouble(description: "the service has no capture")
        }
        try await self.sandbox.reportFailure(of: capture.id, self.cell.pair)
        try await self.sandbox.waitUntil(self.cell.pair) { $0.keptAmount.isZero && $1.keptAmount.isZero }
    }

    func lateRefund() async throws {
        try await self.refund(1000, of: try await self.taken(Self.amount))
        try await self.expect(captured: Self.amount, refunded: 1000)
    }

    /// The shop has been answered that it will be done, and learns that it was not.
    func refundFailsLate() async throws {
        let taken = try await self.taken(Self.plenty)
        try await self.refund(Self.declined, of: taken)
        try await self.expect(captured: Self.plenty)
        try await self.expectFailure(of: .refund)
        // What was not given back still can be.
        try await self.refund(1000, of: Taken(handle: taken.handle, followUpsCount: taken.followUpsCount), again: true)
        try await self.expect(captured: Self.plenty, refunded: 1000)
    }

    func lateVoid() async throws {
        try await self.void(Self.amount)
        let (front, upstream) = try await self.settled()
        guard front.capturableAmount.isZero, upstream.capturableAmount.isZero else {
            throw self.disagreement(front, upstream)
        }
    }

    func voidFailsLate() async throws {
        try await self.void(Self.voidDeclined)
        try await self.expect(authorized: Self.voidDeclined, captured: 0)
        try await self.expectFailure(of: .void)
        let (front, upstream) = try await self.settled()
        guard front.capturableAmount.minorUnits == Self.voidDeclined else { throw self.disagreement(front, upstream) }
    }

    // MARK: - Steps

    /// The money is taken, once nothing is open any more.
    private func taken(_ minorUnits: Int64) async throws -> Taken {
        let opening = try await self.opened(minorUnits)
        _ = try await self.settled()
        if !self.sellsAtOnce {
            let capture = try self.shop.capture(self.order, 1, minorUnits: minorUnits, handle: opening.handle)
            _ = try await self.sandbox.send(capture)
        }
        try await self.expect(captured: minorUnits)
        return Taken(handle: opening.handle, followUpsCount: self.sellsAtOnce ? 0 : 1)
    }

    private func refund(_ minorUnits: Int64, of taken: Taken, again: Bool = false) async throws {
        let refund = try self.shop.refund(
            self.order, taken.followUpsCount + (again ? 2 : 1), ofCapture: taken.followUpsCount,
            minorUnits: minorUnits, handle: taken.handle)
        try self.isOpen(try await self.sandbox.send(refund), "the refund")
        _ = try await self.settled()
    }

    private func void(_ minorUnits: Int64) async throws {
        let opening = try await self.opened(minorUnits)
        _ = try await self.settled()
        let void = try self.shop.void(self.order, 1, authorized: minorUnits, handle: opening.handle)
        try self.isOpen(try await self.sandbox.send(void), "the void")
    }

    /// Nobody has said no.
    private func isOpen(_ reading: Reading, _ what: String) throws {
        switch reading.outcome {
        case .approved, .accepted, .pending: return
        case .declined, .refused, .unknown:
            throw Trouble(description: "\(what) is \(reading.outcome): \(reading.text)")
        }
    }

    private func expectFailure(of kind: PaymentOperation.Kind) async throws {
        let (front, upstream) = try await self.settled()
        for payment in [front, upstream] {
            guard case .failed? = payment.operations.last(where: { $0.kind == kind })?.state else {
                throw Trouble(description: "\(kind) has not failed: \(payment.operations.map(\.state))")
            }
        }
    }
}
