//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// What the wire calls a payment's state.
enum PaymentStatus: String, Hashable, Sendable {
    case success = "SUCCESS"
    case failed = "FAILED"
    case partialRefund = "PARTIAL_REFUND"
    case fullRefund = "FULL_REFUND"
    case inProcess = "PAYMENT_IN_PROCESS"

    /// Payments of this dialect are captured with their authorization; the states between the two can only be an
    /// operator's doing.
    init(_ state: PaymentState) {
        switch state {
        case .authorizing, .authorizationUnknown, .authorized, .verified: self = .inProcess
        case .declined, .notProcessed, .reversed, .voided: self = .failed
        case .partiallyCaptured, .captured: self = .success
        case .partiallyRefunded: self = .partialRefund
        case .refunded: self = .fullRefund
        }
    }
}

/// Where an order stands, with its newest payment, and why it failed if it did.
struct OrderStanding: Hashable, Sendable {
    let status: PaymentStatus
    let failure: AlphaPayResult?

    init(_ order: Order, payment: Payment?, at now: Timestamp) {
        if let payment {
            self.status = PaymentStatus(payment.state)
            guard self.status == .failed else {
                self.failure = nil
                return
            }
            switch payment.authorization?.state {
            case .failed(let failure): self.failure = AlphaPayResult(failure)
            case .pending, .unknown, .accepted, .succeeded, nil: self.failure = AlphaPayResult(.orderCanceled)
            }
        } else if order.canceledAt != nil {
            self.status = .failed
            self.failure = AlphaPayResult(.orderCanceled)
        } else if order.expiresAt <= now {
            self.status = .failed
            self.failure = AlphaPayResult(.orderExpired)
        } else {
            self.status = .inProcess
            self.failure = nil
        }
    }
}

/// What the wire calls a refund's state.
enum RefundStatus: String, Hashable, Sendable {
    case success = "SUCCESS"
    case failed = "FAILED"
    case inProcess = "REFUND_IN_PROCESS"

    init(_ state: Operation.State) {
        switch state {
        case .pending, .unknown, .accepted: self = .inProcess
        case .succeeded: self = .success
        case .failed: self = .failed
        }
    }
}
