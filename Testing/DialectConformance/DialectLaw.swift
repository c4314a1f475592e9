//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The laws of a dialect: what every one must do, whatever its wire language.
public enum DialectLaw: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    // MARK: Payments
    case paysAtOnce
    case authorizesWithoutCapturing
    case capturesInParts
    case finalCaptureGivesBackTheRest
    case refusesCaptureBeyondAuthorization
    case refusesCaptureAfterVoid
    case voidEndsAuthorization
    case refusesVoidAfterCapture
    case refundsInParts
    case refusesRefundBeyondCapture
    case refusesRefundBeforeCapture

    // MARK: Tokens
    case refusesReplayedToken
    case refusesForgedTokens
    case refusesExpiredToken
    case refusesTokenOfOtherMode
    case refusesTokenOfOtherMerchant
    case refusesAmountUnlikeToken
    case refusesCurrencyUnlikeToken
    case notesWhatTheGatewayRefuses

    // MARK: Callers
    case refusesWrongCredentials
    case refusesOtherMerchantsPayment
    case makesGuessersWait
    case servesWhoWasRightBefore
    case limitsRequestsOfAMerchant
    case showsWhichCredentialIsUsed

    // MARK: Repeats
    case answersRepeatedPaymentAlike
    case refusesConflictingPayment
    case booksConcurrentPaymentsOnce
    case answersRepeatedFollowUpAlike
    case refusesConflictingFollowUp
    case booksConcurrentRefundsOnce
    case knowsPaymentsWhoseClaimsAreGone

    // MARK: Wire
    case refusesMalformedBodies
    case refusesOversizedBodies
    case refusesDeeplyNestedBodies
    case refusesUnknownPathsAndMethods
    case answersWireFailuresInItsShape
    case refusesNUL

    // MARK: Outcomes
    case reportsEveryDecline
    case takesAnotherTokenAfterDecline
    case reportsWhatWasNotProcessed
    case waitsForPaymentThatWasAccepted
    case recoversPaymentWhoseAnswerWasLost
    case recoversPaymentWhoseAnswerTookTooLong
    case takesBackPaymentThatNeverArrived
    case takesBackPaymentThatArrivesLate
    case takesBackPaymentThatStaysUnclear
    case recoversRefundWhoseAnswerWasLost
    case takesBackRefundThatNeverArrived
    case recoversCaptureWhoseAnswerWasLost
    case takesBackCaptureThatNeverArrived
    case recoversVoidWhoseAnswerWasLost

    // MARK: Late results
    case showsSaleThatFailsLate
    case showsAuthorizationThatFailsLate
    case showsCaptureThatFailsLate
    case showsRefundThatFailsLate
    case showsChargeback
    case showsPartialChargeback
    case showsChargebackThatIsGivenUp

    // MARK: Notifications
    case notifiesInOrder
    case notifiesUntilAcknowledged
    case givesUpAtTheEndOfItsSchedule

    public var description: String { self.rawValue }

    /// What a dialect must be able to do for the law to mean anything.
    public var needs: Set<DialectCapability> {
        switch self {
        case .paysAtOnce: [.sale]
        case .authorizesWithoutCapturing, .recoversCaptureWhoseAnswerWasLost, .takesBackCaptureThatNeverArrived:
            [.authorization]
        case .finalCaptureGivesBackTheRest, .refusesCaptureBeyondAuthorization: [.authorization, .captureAmount]
        case .capturesInParts: [.authorization, .partialCapture]
        case .refusesCaptureAfterVoid, .voidEndsAuthorization, .recoversVoidWhoseAnswerWasLost: [.authorization, .void]
        case .refusesVoidAfterCapture: [.authorization, .void, .voidOfItsOwn]
        case .showsSaleThatFailsLate: [.sale]
        case .showsAuthorizationThatFailsLate, .showsCaptureThatFailsLate: [.authorization]
        case .refundsInParts, .refusesRefundBeyondCapture, .refusesOtherMerchantsPayment, .showsRefundThatFailsLate,
            .recoversRefundWhoseAnswerWasLost, .takesBackRefundThatNeverArrived:
            [.refund]
        case .refusesRefundBeforeCapture: [.authorization, .refund]
        case .refusesAmountUnlikeToken: [.statedAmount]
        case .refusesCurrencyUnlikeToken: [.statedCurrency]
        case .answersRepeatedPaymentAlike, .booksConcurrentPaymentsOnce: [.paymentRepeats]
        case .refusesConflictingPayment: [.paymentConflicts]
        case .answersRepeatedFollowUpAlike, .booksConcurrentRefundsOnce: [.refund, .followUpRepeats]
        case .refusesConflictingFollowUp: [.refund, .followUpConflicts]
        case .takesAnotherTokenAfterDecline: [.retryAfterDecline]
        case .notifiesInOrder, .notifiesUntilAcknowledged, .givesUpAtTheEndOfItsSchedule: [.notifications]
        case .notesWhatTheGatewayRefuses, .refusesReplayedToken, .refusesForgedTokens, .refusesExpiredToken,
            .refusesTokenOfOtherMode, .refusesTokenOfOtherMerchant, .refusesWrongCredentials, .refusesMalformedBodies,
            .refusesOversizedBodies,
            .refusesDeeplyNestedBodies, .refusesUnknownPathsAndMethods, .answersWireFailuresInItsShape, .refusesNUL,
            .makesGuessersWait, .servesWhoWasRightBefore, .limitsRequestsOfAMerchant, .showsWhichCredentialIsUsed,
            .reportsEveryDecline, .reportsWhatWasNotProcessed, .waitsForPaymentThatWasAccepted,
            .recoversPaymentWhoseAnswerWasLost, .recoversPaymentWhoseAnswerTookTooLong,
            .takesBackPaymentThatNeverArrived, .takesBackPaymentThatArrivesLate, .takesBackPaymentThatStaysUnclear,
            .showsChargeback, .showsPartialChargeback, .showsChargebackThatIsGivenUp,
            .knowsPaymentsWhoseClaimsAreGone:
            []
        }
    }
}

extension DialectLaw {
    /// What the acquirer reports by itself, where the law is about that.
    var lateResult: LateResult? {
        switch self {
        case .showsSaleThatFailsLate: .saleFails
        case .showsAuthorizationThatFailsLate: .authorizationFails
        case .showsCaptureThatFailsLate: .captureFails
        case .showsRefundThatFailsLate: .refundFails
        case .showsChargeback: .wholeChargeback
        case .showsPartialChargeback: .partialChargeback
        case .showsChargebackThatIsGivenUp: .chargebackReversed
        default: nil
        }
    }
}

extension DialectLaw: Comparable {
    public static func < (lhs: DialectLaw, rhs: DialectLaw) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A dialect breaks a law.
public struct DialectLawBroken: Error, Hashable, Sendable, CustomStringConvertible {
    public let law: DialectLaw
    /// What the law wants.
    public let wanted: String
    /// What was found, without what the answer says.
    public let found: String

    public var description: String { "\(self.law.rawValue): wanted \(self.wanted), found \(self.found)" }
}
