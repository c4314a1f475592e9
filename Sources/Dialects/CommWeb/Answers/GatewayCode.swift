//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Every `response.gatewayCode` of the vendor's list. docs/dialects/commweb.md says which occur here, and when.
enum GatewayCode: String, CaseIterable, Hashable, Sendable {
    case aborted = "ABORTED"
    case acquirerSystemError = "ACQUIRER_SYSTEM_ERROR"
    case approved = "APPROVED"
    case approvedAuto = "APPROVED_AUTO"
    case approvedPendingSettlement = "APPROVED_PENDING_SETTLEMENT"
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case authenticationInProgress = "AUTHENTICATION_IN_PROGRESS"
    case balanceAvailable = "BALANCE_AVAILABLE"
    case balanceUnknown = "BALANCE_UNKNOWN"
    case blocked = "BLOCKED"
    case cancelled = "CANCELLED"
    case declined = "DECLINED"
    case declinedAVS = "DECLINED_AVS"
    case declinedAVSCSC = "DECLINED_AVS_CSC"
    case declinedCSC = "DECLINED_CSC"
    case declinedDoNotContact = "DECLINED_DO_NOT_CONTACT"
    case declinedInvalidPIN = "DECLINED_INVALID_PIN"
    case declinedPaymentPlan = "DECLINED_PAYMENT_PLAN"
    case declinedPINRequired = "DECLINED_PIN_REQUIRED"
    case deferredTransactionReceived = "DEFERRED_TRANSACTION_RECEIVED"
    case duplicateBatch = "DUPLICATE_BATCH"
    case exceededRetryLimit = "EXCEEDED_RETRY_LIMIT"
    case expiredCard = "EXPIRED_CARD"
    case insufficientFunds = "INSUFFICIENT_FUNDS"
    case invalidCSC = "INVALID_CSC"
    case lockFailure = "LOCK_FAILURE"
    case noBalance = "NO_BALANCE"
    case notEnrolled3DSecure = "NOT_ENROLLED_3D_SECURE"
    case notSupported = "NOT_SUPPORTED"
    case partiallyApproved = "PARTIALLY_APPROVED"
    case pending = "PENDING"
    case referred = "REFERRED"
    case submitted = "SUBMITTED"
    case systemError = "SYSTEM_ERROR"
    case timedOut = "TIMED_OUT"
    case unknown = "UNKNOWN"
    case unspecifiedFailure = "UNSPECIFIED_FAILURE"
}

extension GatewayCode {
    /// For what the acquirer declined. A reason that the list has no word for is `DECLINED`.
    init(_ reason: DeclineReason) {
        switch reason {
        case .doNotHonor, .invalidCard, .lostOrStolenCard, .suspectedFraud, .exceedsLimit, .notPermitted:
            self = .declined
        case .insufficientFunds: self = .insufficientFunds
        case .expiredCard: self = .expiredCard
        case .issuerUnavailable: self = .acquirerSystemError
        case .timedOut: self = .timedOut
        case .systemError: self = .systemError
        case .invalidOperation: self = .notSupported
        case .unspecified: self = .unspecifiedFailure
        }
    }
}

/// `result`: the outcome in one word.
enum TransactionResult: String, CaseIterable, Hashable, Sendable {
    case success = "SUCCESS"
    case pending = "PENDING"
    case failure = "FAILURE"
    case unknown = "UNKNOWN"
    case error = "ERROR"
}

/// `response.gatewayRecommendation`: what the merchant had best do.
enum GatewayRecommendation: String, Hashable, Sendable {
    case proceed = "PROCEED"
    case doNotProceed = "DO_NOT_PROCEED"
    case resubmitWithAlternative = "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS"
}
