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
    /// Of an order that can be paid no more (AlphaPay's documentation in Chinese, "order inquiry").
    case closed = "CLOSED"
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
        let closing: ResultCode? =
            order.canceledAt != nil ? .orderCanceled : order.expiresAt <= now ? .orderExpired : nil
        guard let payment else {
            self.status = closing == nil ? .inProcess : .closed
            self.failure = closing.map { AlphaPayResult($0) }
            return
        }
        let status = PaymentStatus(payment.state)
        switch (status, payment.authorization?.state) {
        case (.failed, .failed(let failure)):
            // A failed attempt may be followed by another until then.
            self.status = closing == nil ? .failed : .closed
            self.failure = AlphaPayResult(failure)
        case (.failed, _):
            self.status = .failed
            self.failure = AlphaPayResult(.orderCanceled)
        default:
            self.status = status
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
