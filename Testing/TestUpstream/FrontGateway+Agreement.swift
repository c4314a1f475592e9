//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
public import SimulatorAcquirer
public import Testing

extension FrontGateway {
    /// Whether this gateway, and the acquirer behind another one, have the same sums of a payment.
    ///
    /// - Parameters:
    ///   - position: what that acquirer has booked of it; `nil` for nothing.
    ///   - authorized: the sum in minor units, as the two others; `nil` where it need only be the same.
    public func expectAgreement(
        on id: PaymentID, with position: SimulatorPosition?, authorized: Int64? = nil, captured: Int64, refunded: Int64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let payment = try await self.payment(id)
        let sums = [
            (payment.authorizedAmount, position?.authorized, authorized),
            (payment.capturedAmount, position?.captured, captured),
            (payment.refundedAmount, position?.refunded, refunded),
        ]
        for (own, booked, expected) in sums {
            #expect(own == booked ?? .zero(own.currency), sourceLocation: sourceLocation)
            if let expected { #expect(own.minorUnits == expected, sourceLocation: sourceLocation) }
        }
    }
}
