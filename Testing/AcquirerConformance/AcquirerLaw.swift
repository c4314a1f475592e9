//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The laws of the port `Acquirer`: what every adapter must do, whatever is behind it.
public enum AcquirerLaw: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case approvesAndGivesReference
    case declinesWithReason
    case answersRepeatedAuthorizationAlike
    case booksRepeatedCaptureOnce
    case booksRepeatedRefundOnce
    case booksConcurrentRepeatsOnce
    case capturesInParts
    case declinesCaptureBeyondAuthorization
    case declinesCaptureAfterFinalOne
    case declinesCaptureOfDeclinedAuthorization
    case declinesFollowUpOfUnknownAuthorization
    case refundsInParts
    case declinesRefundBeforeCapture
    case declinesRefundBeyondCapture
    case saleCapturesAtOnce
    case voidEndsAuthorization
    case declinesVoidAfterCapture
    case repeatedReversalIsAcknowledgedAgain
    case reversedCaptureLeavesRoomForAnother
    case reversedRefundLeavesRoomForAnother
    case reversedSaleCannotBeRefunded
    case acknowledgesReversalOfUnknownOperation
    case refusesArrivalAfterReversal
    case voidOfSaleEndsIt
    case declinesVoidOfRefundedSale
    case voidOfCaptureLeavesRoomForAnother
    case declinesVoidOfRefundedCapture
    case voidOfRefundLeavesRoomForAnother
    case adjustmentSetsTheTotal
    case booksRepeatedAdjustmentOnce
    case declinesAdjustmentBelowCapture
    case declinesAdjustmentAfterFinalCapture
    case declinesAdjustmentOfUnknownAuthorization
    case reversedAdjustmentLeavesTheTotalBeforeIt
    case verificationMovesNothing
    case answersRepeatedVerificationAlike
    case reversedVerificationIsOver
    case queryFindsNothingBeforeArrival
    case queryReportsApprovalAsItWasAnswered
    case queryReportsDeclineAsItWasAnswered
    case queryReportsReversal
    case preparationMovesNothing
    case memosHoldNoAuthenticationData
    case booksRefusedRepeatOnce
    case sealedTokenArrivesAsItCame
    case repeatedSealedTokenIsOnePayment
    case reportsTheCardThatTheAcquirerReports

    public var description: String { self.rawValue }

    /// Whether an acquirer that can do no more than this has to keep the law.
    func concerns(_ capabilities: AcquirerCapabilities) -> Bool {
        switch self {
        case .adjustmentSetsTheTotal, .booksRepeatedAdjustmentOnce, .declinesAdjustmentBelowCapture,
            .declinesAdjustmentAfterFinalCapture, .declinesAdjustmentOfUnknownAuthorization,
            .reversedAdjustmentLeavesTheTotalBeforeIt:
            capabilities.adjustments == Set(AcquirerCapabilities.Adjustment.allCases)
                && (self != .booksRepeatedAdjustmentOnce || capabilities.keyLifeSeconds != 0)
        case .answersRepeatedVerificationAlike: capabilities.verifiesCards && capabilities.keyLifeSeconds != 0
        case .verificationMovesNothing, .reversedVerificationIsOver: capabilities.verifiesCards
        case .acknowledgesReversalOfUnknownOperation, .refusesArrivalAfterReversal:
            capabilities.recovery.remembersReversals
        case .booksRefusedRepeatOnce: capabilities.keyLifeSeconds == 0 && capabilities.capturesInParts
        case .answersRepeatedAuthorizationAlike, .booksRepeatedCaptureOnce, .booksRepeatedRefundOnce,
            .booksConcurrentRepeatsOnce:
            capabilities.keyLifeSeconds != 0
        case .declinesCaptureAfterFinalOne: capabilities.finalCaptures != .lapses
        case .preparationMovesNothing: capabilities.memos == .prepared && capabilities.recovery.answersQueries
        case .memosHoldNoAuthenticationData: capabilities.memos != .none
        case .capturesInParts: capabilities.capturesInParts
        case .refundsInParts: capabilities.refundsInParts
        case .saleCapturesAtOnce, .reversedSaleCannotBeRefunded: capabilities.sells
        case .voidOfSaleEndsIt, .declinesVoidOfRefundedSale:
            capabilities.sells && capabilities.voids.contains(.sale)
        case .voidEndsAuthorization, .declinesVoidAfterCapture: capabilities.voids.contains(.authorization)
        case .voidOfCaptureLeavesRoomForAnother, .declinesVoidOfRefundedCapture:
            capabilities.voids.contains(.capture)
        case .voidOfRefundLeavesRoomForAnother: capabilities.voids.contains(.refund)
        case .sealedTokenArrivesAsItCame, .repeatedSealedTokenIsOnePayment, .reportsTheCardThatTheAcquirerReports:
            capabilities.forms.contains(.sealedApplePayToken)
        default: capabilities.recovery.answersQueries || !self.isAboutQueries
        }
    }

    private var isAboutQueries: Bool {
        switch self {
        case .queryFindsNothingBeforeArrival, .queryReportsApprovalAsItWasAnswered, .queryReportsDeclineAsItWasAnswered,
            .queryReportsReversal:
            true
        default: false
        }
    }
}

/// An acquirer breaks a law.
public struct AcquirerLawBroken: Error, Hashable, Sendable, CustomStringConvertible {
    public let law: AcquirerLaw
    /// What the law wants.
    public let wanted: String
    /// What the acquirer answered, in a word: test data has no secrets, and yet no answer's fields are shown.
    public let found: String

    public var description: String { "\(self.law.rawValue): wanted \(self.wanted), found \(self.found)" }
}
