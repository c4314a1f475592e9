//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// `SettlementType` of a settlement and of its event.
enum SettlementType: String, CaseIterable, Hashable, Sendable {
    /// Captures.
    case debit = "Debit"
    /// Refunds.
    case credit = "Credit"
}

/// `SettlementStatus` of a PaymentSettlementStatus.
enum SettlementStatus: String, CaseIterable, Hashable, Sendable {
    case settled = "S"
    case refused = "R"
}

/// `DeclineReason` of a PaymentSettlementStatus, and `ExtendedResponseCode` of a PaymentAuthCancelReply. Public sources
/// name NoAuthFoundException only; the others are this gateway's choice.
enum RefusalReason: String, CaseIterable, Hashable, Sendable {
    case doNotHonor = "DoNotHonor"
    case insufficientFunds = "InsufficientFunds"
    case expiredCard = "ExpiredCard"
    case invalidCard = "InvalidCard"
    case lostOrStolenCard = "LostOrStolenCard"
    case suspectedFraud = "SuspectedFraud"
    case exceedsLimit = "ExceedsLimit"
    case notPermitted = "NotPermitted"
    case issuerUnavailable = "IssuerUnavailable"
    case timedOut = "TimedOut"
    case systemError = "SystemError"
    case noAuthorization = "NoAuthFoundException"
    case unspecified = "Unspecified"
    /// The outcome could not be known, and it has been taken back.
    case reversed = "Reversed"
    /// The acquirer has done nothing.
    case notProcessed = "NotProcessed"
    /// The cardholder's bank has taken back what was settled.
    case chargeback = "Chargeback"

    init(_ failure: OperationFailure) {
        switch failure {
        case .reversed: self = .reversed
        case .notProcessed: self = .notProcessed
        case .declined(let reason): self.init(reason)
        }
    }

    private init(_ reason: DeclineReason) {
        switch reason {
        case .doNotHonor: self = .doNotHonor
        case .insufficientFunds: self = .insufficientFunds
        case .expiredCard: self = .expiredCard
        case .invalidCard: self = .invalidCard
        case .lostOrStolenCard: self = .lostOrStolenCard
        case .suspectedFraud: self = .suspectedFraud
        case .exceedsLimit: self = .exceedsLimit
        case .notPermitted: self = .notPermitted
        case .issuerUnavailable: self = .issuerUnavailable
        case .timedOut: self = .timedOut
        case .systemError: self = .systemError
        case .invalidOperation: self = .noAuthorization
        case .unspecified: self = .unspecified
        }
    }
}
