//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What `response.gatewayCode` says of a transaction that was not approved (API reference, "gatewayCode").
enum GatewayCode {
    /// Beside them only PARTIALLY_APPROVED is an approval.
    static let approvals: Set = ["APPROVED", "APPROVED_AUTO", "APPROVED_PENDING_SETTLEMENT"]
    static let partialApproval = "PARTIALLY_APPROVED"
    /// "The gateway has timed out the request to the acquirer because it did not receive a response."
    static let timedOut = "TIMED_OUT"
    /// Another transaction of the order is in progress.
    static let lockFailure = "LOCK_FAILURE"

    /// What a code means that the vendor calls a failure; `nil` for any other, of which nothing may be concluded.
    static func declineReason(_ code: String) -> DeclineReason? { self.declines[code] }

    private static let declines: [String: DeclineReason] = [
        "ABORTED": .unspecified,
        "ACQUIRER_SYSTEM_ERROR": .issuerUnavailable,
        "AUTHENTICATION_FAILED": .notPermitted,
        "BLOCKED": .suspectedFraud,
        "CANCELLED": .unspecified,
        "DECLINED": .doNotHonor,
        "DECLINED_AVS": .unspecified,
        "DECLINED_AVS_CSC": .unspecified,
        "DECLINED_CSC": .unspecified,
        "DECLINED_DO_NOT_CONTACT": .doNotHonor,
        "DECLINED_INVALID_PIN": .notPermitted,
        "DECLINED_PAYMENT_PLAN": .doNotHonor,
        "DECLINED_PIN_REQUIRED": .notPermitted,
        "DUPLICATE_BATCH": .invalidOperation,
        "EXCEEDED_RETRY_LIMIT": .exceedsLimit,
        "EXPIRED_CARD": .expiredCard,
        "INSUFFICIENT_FUNDS": .insufficientFunds,
        "INVALID_CSC": .unspecified,
        "NOT_ENROLLED_3D_SECURE": .notPermitted,
        "NOT_SUPPORTED": .notPermitted,
        "REFERRED": .doNotHonor,
        "SYSTEM_ERROR": .systemError,
        "UNSPECIFIED_FAILURE": .unspecified,
    ]
}
