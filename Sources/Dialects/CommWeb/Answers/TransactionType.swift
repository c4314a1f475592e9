//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// `transaction.type`.
enum TransactionType: String, CaseIterable, Hashable, Sendable {
    case authorization = "AUTHORIZATION"
    case authorizationUpdate = "AUTHORIZATION_UPDATE"
    case capture = "CAPTURE"
    case payment = "PAYMENT"
    case refund = "REFUND"
    case verification = "VERIFICATION"
    case voidAuthorization = "VOID_AUTHORIZATION"
    case voidCapture = "VOID_CAPTURE"
    case voidPayment = "VOID_PAYMENT"
    case voidRefund = "VOID_REFUND"

    /// - Parameter target: what a void takes back.
    /// - Returns: `nil` for what is no transaction of the wire: the gateway's own reversals.
    init?(_ operation: Operation, _ target: Operation?) {
        switch operation.kind {
        case .authorization: self = operation.isSale ? .payment : .authorization
        case .capture: self = .capture
        case .refund: self = .refund
        case .adjustment: self = .authorizationUpdate
        case .verification: self = .verification
        case .void: self = Self.void(of: target)
        case .reversal, .lateFailure, .chargeback: return nil
        }
    }

    private static func void(of target: Operation?) -> TransactionType {
        switch target?.kind {
        case .capture: .voidCapture
        case .refund: .voidRefund
        case .authorization where target?.isSale == true: .voidPayment
        case .authorization, .adjustment, .verification, .void, .reversal, .lateFailure, .chargeback, nil:
            .voidAuthorization
        }
    }
}
