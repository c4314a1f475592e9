//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// `record_status` of a trade record.
enum RecordStatus: Int, Hashable, Sendable {
    case error = -1
    /// Authorized, and not captured yet.
    case authorized = 0
    /// Captured.
    case ok = 1
    case partiallyRefunded = 2
    /// Also of an authorization that was taken back before its capture, which the merchant asked for as a refund.
    case refunded = 3
    case pending = 4
    /// Taken back because its outcome could not be known.
    case canceled = 5

    init(_ state: PaymentState) {
        switch state {
        case .authorizing, .authorizationUnknown: self = .pending
        case .declined, .notProcessed: self = .error
        case .reversed: self = .canceled
        case .authorized, .verified: self = .authorized
        case .partiallyCaptured, .captured: self = .ok
        case .partiallyRefunded: self = .partiallyRefunded
        case .refunded, .voided: self = .refunded
        }
    }
}

extension Payment {
    /// What has been given back, as the wire counts: a void before the capture gives all of it back.
    var givenBackUnits: Int64 {
        self.state == .voided ? self.authorizedAmount.wireUnits : self.refundedAmount.wireUnits
    }

    /// What a capture of less than all has left on the customer's card for good. Captures of the wire's own take all.
    var releasedUnits: Int64 {
        guard self.capturedAmount.isPositive, self.heldAmount.isZero else { return 0 }
        return (self.authorizedAmount - self.capturedAmount).wireUnits
    }
}
