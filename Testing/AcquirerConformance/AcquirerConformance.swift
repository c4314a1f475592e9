//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Time

/// What an acquirer's test environment approves and declines.
public struct AcquirerTestValues: Sendable {
    /// An amount that is approved, of at least 1000 minor units. Its fifths and their sums must be approved too, also
    /// as captures and refunds.
    public let approvedAmount: Money
    /// An amount that is declined.
    public let declinedAmount: Money
    /// A card in the form that the acquirer takes.
    public let instrument: PaymentInstrument
    public let network: CardNetwork
    public let at: Timestamp
    /// What an acquirer that takes sealed tokens is judged by; one that takes none needs nothing.
    public let custody: AcquirerCustodyValues?
    /// Makes the ids of one run unlike those of another, for an acquirer that remembers earlier runs.
    public let salt: UInt32

    public init(
        approvedAmount: Money, declinedAmount: Money, instrument: PaymentInstrument, network: CardNetwork = .visa,
        at: Timestamp, custody: AcquirerCustodyValues? = nil, salt: UInt32 = 0
    ) {
        self.approvedAmount = approvedAmount
        self.declinedAmount = declinedAmount
        self.instrument = instrument
        self.network = network
        self.at = at
        self.custody = custody
        self.salt = salt
    }
}

/// The suite that every acquirer passes. In an acquirer's tests:
///
/// ```swift
/// @Test(arguments: AcquirerLaw.allCases)
/// func keeps(_ law: AcquirerLaw) async throws {
///     try await AcquirerConformance(values: values) { try makeAcquirer() }.check(law)
/// }
/// ```
///
/// It sees an acquirer through its port alone, and so judges a book by what may still be captured and refunded.
public struct AcquirerConformance: Sendable {
    private let values: AcquirerTestValues
    private let make: @Sendable () async throws -> any Acquirer

    /// - Parameter make: an acquirer to judge; called once a check.
    public init(values: AcquirerTestValues, make: @escaping @Sendable () async throws -> any Acquirer) {
        self.values = values
        self.make = make
    }

    /// Judges an acquirer by a law; one that answers no queries, adjusts nothing or verifies nothing keeps the laws about
    /// that.
    /// - Throws: ``AcquirerLawBroken``, or what `make` throws.
    public func check(_ law: AcquirerLaw) async throws {
        let acquirer = try await self.make()
        guard law.concerns(acquirer.capabilities) else { return }
        var probe = AcquirerProbe(law: law, acquirer: acquirer, values: self.values)
        switch law {
        case .approvesAndGivesReference: try await probe.approvesAndGivesReference()
        case .declinesWithReason: try await probe.declinesWithReason()
        case .answersRepeatedAuthorizationAlike: try await probe.answersRepeatedAuthorizationAlike()
        case .booksRepeatedCaptureOnce: try await probe.booksRepeatedCaptureOnce()
        case .booksRepeatedRefundOnce: try await probe.booksRepeatedRefundOnce()
        case .booksConcurrentRepeatsOnce: try await probe.booksConcurrentRepeatsOnce()
        case .capturesInParts: try await probe.capturesInParts()
        case .declinesCaptureBeyondAuthorization: try await probe.declinesCaptureBeyondAuthorization()
        case .declinesCaptureAfterFinalOne: try await probe.declinesCaptureAfterFinalOne()
        case .declinesCaptureOfDeclinedAuthorization: try await probe.declinesCaptureOfDeclinedAuthorization()
        case .declinesFollowUpOfUnknownAuthorization: try await probe.declinesFollowUpOfUnknownAuthorization()
        case .refundsInParts: try await probe.refundsInParts()
        case .declinesRefundBeforeCapture: try await probe.declinesRefundBeforeCapture()
        case .declinesRefundBeyondCapture: try await probe.declinesRefundBeyondCapture()
        case .saleCapturesAtOnce: try await probe.saleCapturesAtOnce()
        case .voidEndsAuthorization: try await probe.voidEndsAuthorization()
        case .declinesVoidAfterCapture: try await probe.declinesVoidAfterCapture()
        case .repeatedReversalIsAcknowledgedAgain: try await probe.repeatedReversalIsAcknowledgedAgain()
        case .reversedCaptureLeavesRoomForAnother: try await probe.reversedCaptureLeavesRoomForAnother()
        case .reversedRefundLeavesRoomForAnother: try await probe.reversedRefundLeavesRoomForAnother()
        case .reversedSaleCannotBeRefunded: try await probe.reversedSaleCannotBeRefunded()
        case .acknowledgesReversalOfUnknownOperation: try await probe.acknowledgesReversalOfUnknownOperation()
        case .refusesArrivalAfterReversal: try await probe.refusesArrivalAfterReversal()
        case .queryFindsNothingBeforeArrival: try await probe.queryFindsNothingBeforeArrival()
        case .queryReportsApprovalAsItWasAnswered: try await probe.queryReportsApprovalAsItWasAnswered()
        case .queryReportsDeclineAsItWasAnswered: try await probe.queryReportsDeclineAsItWasAnswered()
        case .queryReportsReversal: try await probe.queryReportsReversal()
        case .booksRefusedRepeatOnce: try await probe.booksRefusedRepeatOnce()
        case .preparationMovesNothing: try await probe.preparationMovesNothing()
        case .memosHoldNoAuthenticationData: try await probe.memosHoldNoAuthenticationData()
        case .voidOfSaleEndsIt: try await probe.voidOfSaleEndsIt()
        case .declinesVoidOfRefundedSale: try await probe.declinesVoidOfRefundedSale()
        case .voidOfCaptureLeavesRoomForAnother: try await probe.voidOfCaptureLeavesRoomForAnother()
        case .declinesVoidOfRefundedCapture: try await probe.declinesVoidOfRefundedCapture()
        case .voidOfRefundLeavesRoomForAnother: try await probe.voidOfRefundLeavesRoomForAnother()
        case .adjustmentSetsTheTotal: try await probe.adjustmentSetsTheTotal()
        case .booksRepeatedAdjustmentOnce: try await probe.booksRepeatedAdjustmentOnce()
        case .declinesAdjustmentBelowCapture: try await probe.declinesAdjustmentBelowCapture()
        case .declinesAdjustmentAfterFinalCapture: try await probe.declinesAdjustmentAfterFinalCapture()
        case .declinesAdjustmentOfUnknownAuthorization: try await probe.declinesAdjustmentOfUnknownAuthorization()
        case .reversedAdjustmentLeavesTheTotalBeforeIt: try await probe.reversedAdjustmentLeavesTheTotalBeforeIt()
        case .verificationMovesNothing: try await probe.verificationMovesNothing()
        case .answersRepeatedVerificationAlike: try await probe.answersRepeatedVerificationAlike()
        case .reversedVerificationIsOver: try await probe.reversedVerificationIsOver()
        case .sealedTokenArrivesAsItCame: try await probe.sealedTokenArrivesAsItCame()
        case .repeatedSealedTokenIsOnePayment: try await probe.repeatedSealedTokenIsOnePayment()
        case .reportsTheCardThatTheAcquirerReports: try await probe.reportsTheCardThatTheAcquirerReports()
        }
    }
}
