//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway

/// The suite that every dialect passes: its laws, its recorded exchanges, and that nothing secret is ever shown. See
/// ``DialectDriver`` for how a dialect joins.
public struct DialectConformance: Sendable {
    let driver: any DialectDriver
    let testFile: String

    /// - Parameter testFile: `#filePath` of the dialect's test suite, beside which the folder `Transcripts` stands.
    public init(_ driver: any DialectDriver, testFile: String = #filePath) {
        self.driver = driver
        self.testFile = testFile
    }

    /// The laws that the dialect cannot have, each with the driver's reason.
    public var notApplicable: [DialectLaw: String] {
        Dictionary(
            uniqueKeysWithValues: DialectLaw.allCases.compactMap { law in
                let missing = law.needs.filter { !self.driver.has($0) }
                let reasons = missing.compactMap { self.driver.lacks[$0] }.sorted()
                return reasons.isEmpty ? nil : (law, reasons.joined(separator: "; "))
            })
    }
}

extension DialectConformance {
    /// Judges the dialect by a law, at a new gateway; one that the dialect cannot have is kept.
    /// - Throws: ``DialectLawBroken``, ``ShapeBroken``, or what the driver throws.
    public func check(_ law: DialectLaw) async throws {
        guard law.needs.allSatisfy(self.driver.has) else { return }
        // One law is about how often a merchant may ask; the others ask as often as they like.
        let rates = law == .limitsRequestsOfAMerchant ? MerchantRates.Settings(requestsPerSecond: 1, burst: 5) : .init()
        let shop = try await DialectShop.open(self.driver, rates: rates) {
            $0.settings.claimsKeptSeconds = 365 * 86_400
        }
        let probe = DialectProbe(law: law, driver: self.driver, shop: shop)
        if let late = law.lateResult {
            try await probe.shows(late)
            return try await probe.expectSoundLedger()
        }
        try await self.run(law, probe)
        try await probe.expectSoundBooks()
    }

    private func run(_ law: DialectLaw, _ probe: DialectProbe) async throws {
        switch law {
        case .paysAtOnce: try await probe.paysAtOnce()
        case .authorizesWithoutCapturing: try await probe.authorizesWithoutCapturing()
        case .capturesInParts: try await probe.capturesInParts()
        case .finalCaptureGivesBackTheRest: try await probe.finalCaptureGivesBackTheRest()
        case .refusesCaptureBeyondAuthorization: try await probe.refusesCaptureBeyondAuthorization()
        case .refusesCaptureAfterVoid: try await probe.refusesCaptureAfterVoid()
        case .voidEndsAuthorization: try await probe.voidEndsAuthorization()
        case .refusesVoidAfterCapture: try await probe.refusesVoidAfterCapture()
        case .refundsInParts: try await probe.refundsInParts()
        case .refusesRefundBeyondCapture: try await probe.refusesRefundBeyondCapture()
        case .refusesRefundBeforeCapture: try await probe.refusesRefundBeforeCapture()
        case .refusesReplayedToken: try await probe.refusesReplayedToken()
        case .notesWhatTheGatewayRefuses: try await probe.notesWhatTheGatewayRefuses()
        case .refusesForgedTokens: try await probe.refusesForgedTokens()
        case .refusesExpiredToken: try await probe.refusesExpiredToken()
        case .refusesTokenOfOtherMode: try await probe.refusesTokenOfOtherMode()
        case .refusesTokenOfOtherMerchant: try await probe.refusesTokenOfOtherMerchant()
        case .refusesAmountUnlikeToken: try await probe.refusesAmountUnlikeToken()
        case .refusesCurrencyUnlikeToken: try await probe.refusesCurrencyUnlikeToken()
        case .refusesWrongCredentials: try await probe.refusesWrongCredentials()
        case .refusesOtherMerchantsPayment: try await probe.refusesOtherMerchantsPayment()
        case .answersRepeatedPaymentAlike: try await probe.answersRepeatedPaymentAlike()
        case .refusesConflictingPayment: try await probe.refusesConflictingPayment()
        case .booksConcurrentPaymentsOnce: try await probe.booksConcurrentPaymentsOnce()
        case .answersRepeatedFollowUpAlike: try await probe.answersRepeatedFollowUpAlike()
        case .refusesConflictingFollowUp: try await probe.refusesConflictingFollowUp()
        case .booksConcurrentRefundsOnce: try await probe.booksConcurrentRefundsOnce()
        case .knowsPaymentsWhoseClaimsAreGone: try await probe.knowsPaymentsWhoseClaimsAreGone()
        case .refusesMalformedBodies: try await probe.refusesMalformedBodies()
        case .refusesOversizedBodies: try await probe.refusesOversizedBodies()
        case .refusesDeeplyNestedBodies: try await probe.refusesDeeplyNestedBodies()
        case .refusesUnknownPathsAndMethods: try await probe.refusesUnknownPathsAndMethods()
        case .answersWireFailuresInItsShape: try await probe.answersWireFailuresInItsShape()
        case .refusesNUL: try await probe.refusesNUL()
        case .makesGuessersWait: try await probe.makesGuessersWait()
        case .servesWhoWasRightBefore: try await probe.servesWhoWasRightBefore()
        case .limitsRequestsOfAMerchant: try await probe.limitsRequestsOfAMerchant()
        case .showsWhichCredentialIsUsed: try await probe.showsWhichCredentialIsUsed()
        case .reportsEveryDecline: try await probe.reportsEveryDecline()
        case .reportsWhatWasNotProcessed: try await probe.reportsWhatWasNotProcessed()
        case .waitsForPaymentThatWasAccepted: try await probe.waitsForPaymentThatWasAccepted()
        case .takesAnotherTokenAfterDecline: try await probe.takesAnotherTokenAfterDecline()
        case .recoversPaymentWhoseAnswerWasLost: try await probe.recoversPaymentWhoseAnswerWasLost()
        case .recoversPaymentWhoseAnswerTookTooLong: try await probe.recoversPaymentWhoseAnswerTookTooLong()
        case .takesBackPaymentThatNeverArrived: try await probe.takesBackPaymentThatNeverArrived()
        case .takesBackPaymentThatArrivesLate: try await probe.takesBackPaymentThatArrivesLate()
        case .takesBackPaymentThatStaysUnclear: try await probe.takesBackPaymentThatStaysUnclear()
        case .recoversRefundWhoseAnswerWasLost: try await probe.recoversRefundWhoseAnswerWasLost()
        case .takesBackRefundThatNeverArrived: try await probe.takesBackRefundThatNeverArrived()
        case .recoversCaptureWhoseAnswerWasLost: try await probe.recoversCaptureWhoseAnswerWasLost()
        case .takesBackCaptureThatNeverArrived: try await probe.takesBackCaptureThatNeverArrived()
        case .recoversVoidWhoseAnswerWasLost: try await probe.recoversVoidWhoseAnswerWasLost()
        // By what they are about.
        case .showsSaleThatFailsLate, .showsAuthorizationThatFailsLate, .showsCaptureThatFailsLate,
            .showsRefundThatFailsLate, .showsChargeback, .showsPartialChargeback, .showsChargebackThatIsGivenUp:
            break
        case .notifiesInOrder: try await probe.notifiesInOrder()
        case .notifiesUntilAcknowledged: try await probe.notifiesUntilAcknowledged()
        case .givesUpAtTheEndOfItsSchedule: try await probe.givesUpAtTheEndOfItsSchedule()
        }
    }
}
