//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Every `order.status` of the vendor's list. docs/dialects/commweb.md says which occur here, and when.
enum OrderStatus: String, CaseIterable, Hashable, Sendable {
    case authenticated = "AUTHENTICATED"
    case authenticationInitiated = "AUTHENTICATION_INITIATED"
    case authenticationNotNeeded = "AUTHENTICATION_NOT_NEEDED"
    case authenticationUnsuccessful = "AUTHENTICATION_UNSUCCESSFUL"
    case authorized = "AUTHORIZED"
    case cancelled = "CANCELLED"
    case captured = "CAPTURED"
    case chargebackProcessed = "CHARGEBACK_PROCESSED"
    case disbursed = "DISBURSED"
    case disputed = "DISPUTED"
    case excessivelyRefunded = "EXCESSIVELY_REFUNDED"
    case failed = "FAILED"
    case funding = "FUNDING"
    case initiated = "INITIATED"
    case partiallyCaptured = "PARTIALLY_CAPTURED"
    case partiallyRefunded = "PARTIALLY_REFUNDED"
    case refunded = "REFUNDED"
    case refundRequested = "REFUND_REQUESTED"
    case verified = "VERIFIED"
}

extension OrderStatus {
    /// A payment whose outcome is not known has no status of its own on the list: it is `INITIATED`, and never
    /// `FAILED`, because money may have moved.
    init(of payment: Payment) {
        self = payment.chargedBackAmount.isPositive ? .chargebackProcessed : OrderStatus(payment.state)
    }

    init(_ state: PaymentState) {
        switch state {
        case .authorizing, .authorizationUnknown: self = .initiated
        case .declined, .notProcessed, .reversed: self = .failed
        case .authorized: self = .authorized
        case .voided: self = .cancelled
        case .partiallyCaptured: self = .partiallyCaptured
        case .captured: self = .captured
        case .partiallyRefunded: self = .partiallyRefunded
        case .refunded: self = .refunded
        case .verified: self = .verified
        }
    }
}
