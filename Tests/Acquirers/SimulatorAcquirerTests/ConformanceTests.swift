//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import SimulatorAcquirer
import Testing

@Suite("The simulator passes the suite of every acquirer")
struct ConformanceTests {
    static func values() throws -> AcquirerTestValues {
        let currency = try #require(Currency.alphabetic("CAD"))
        return AcquirerTestValues(
            approvedAmount: Money(minorUnits: 5000, currency: currency),
            declinedAmount: Money(minorUnits: 5757, currency: currency), instrument: Desk.card, at: Desk.now)
    }

    @Test(arguments: AcquirerLaw.allCases)
    func keepsWithBookInMemory(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { SimulatorAcquirer(book: try .inMemory()) }
        try await suite.check(law)
    }

    @Test(arguments: AcquirerLaw.allCases)
    func keepsWithBookInFile(_ law: AcquirerLaw) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let suite = AcquirerConformance(values: try Self.values()) {
            SimulatorAcquirer(book: try .open(path: folder.path("book.sqlite")))
        }
        try await suite.check(law)
    }

    /// A network that delivers every request twice breaks no law of a book that is right.
    @Test(arguments: AcquirerLaw.allCases)
    func keepsWhenEveryRequestArrivesTwice(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) {
            SimulatorAcquirer(
                book: try .inMemory(), script: SimulatorScript([SimulatorScript.Rule(nil, fault: .duplicate)]))
        }
        try await suite.check(law)
    }

    /// What an acquirer does not offer, it is not judged by: this one would decline every adjustment and verification.
    @Test(arguments: AcquirerLaw.allCases)
    func asksNoMoreThanTheCapabilitiesSay(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Modest(try .inMemory()) }
        try await suite.check(law)
    }

    // MARK: - The suite itself finds what is wrong

    @Test(arguments: [
        AcquirerLaw.declinesWithReason, .declinesCaptureBeyondAuthorization, .declinesCaptureAfterFinalOne,
        .declinesCaptureOfDeclinedAuthorization, .declinesFollowUpOfUnknownAuthorization, .declinesRefundBeforeCapture,
        .declinesRefundBeyondCapture, .saleCapturesAtOnce, .voidEndsAuthorization, .declinesVoidAfterCapture,
        .reversedSaleCannotBeRefunded, .refusesArrivalAfterReversal, .answersRepeatedAuthorizationAlike,
        .capturesInParts, .refundsInParts, .booksConcurrentRepeatsOnce, .queryFindsNothingBeforeArrival,
        .queryReportsReversal, .voidOfSaleEndsIt, .declinesVoidOfRefundedSale, .voidOfCaptureLeavesRoomForAnother,
        .declinesVoidOfRefundedCapture, .voidOfRefundLeavesRoomForAnother, .adjustmentSetsTheTotal,
        .booksRepeatedAdjustmentOnce, .declinesAdjustmentBelowCapture, .declinesAdjustmentAfterFinalCapture,
        .declinesAdjustmentOfUnknownAuthorization, .reversedAdjustmentLeavesTheTotalBeforeIt,
        .verificationMovesNothing, .reversedVerificationIsOver,
    ])
    func findsAcquirerThatApprovesEverything(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Yes() }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }

    @Test(arguments: [
        AcquirerLaw.answersRepeatedAuthorizationAlike, .booksRepeatedCaptureOnce, .booksRepeatedRefundOnce,
        .booksConcurrentRepeatsOnce, .repeatedReversalIsAcknowledgedAgain, .refusesArrivalAfterReversal,
        .queryReportsApprovalAsItWasAnswered, .voidOfSaleEndsIt, .voidOfRefundLeavesRoomForAnother,
        .booksRepeatedAdjustmentOnce, .reversedAdjustmentLeavesTheTotalBeforeIt, .answersRepeatedVerificationAlike,
        .reversedVerificationIsOver,
    ])
    func findsAcquirerThatForgetsIDs(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Forgetful(try .inMemory()) }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }
}

/// An acquirer that is not one.
private struct Yes: Acquirer {
    let name = AcquirerName("yes")
    let capabilities = AcquirerCapabilities(
        instrument: .networkToken, answersQueries: true, networks: [.visa], adjustsAuthorizations: true,
        verifiesCards: true)

    private func approved(_ amount: Money) -> AcquirerOutcome {
        .approved(
            AcquirerApproval(amount: amount, answer: AcquirerAnswer(reference: "000000000000", responseCode: "00")))
    }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome { self.approved(request.amount) }
    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome { self.approved(request.amount) }
    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome { self.approved(request.amount) }
    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome { self.approved(request.amount) }
    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome { self.approved(request.amount) }
    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome { self.approved(request.amount) }
    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown("yes") }
}

/// The simulator behind a link that gives every capture, refund and reversal a new id, and authorizations a new answer.
/// Answers no queries, adjusts nothing and verifies nothing.
private struct Modest: Acquirer {
    let name = AcquirerName("modest")
    let capabilities = AcquirerCapabilities(instrument: .networkToken, answersQueries: false, networks: [.visa])
    private let simulator: SimulatorAcquirer

    init(_ book: SimulatorBook) {
        self.simulator = SimulatorAcquirer(book: book)
    }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.simulator.authorize(request)
    }
    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome { await self.simulator.capture(request) }
    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome { await self.simulator.refund(request) }
    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome { .unknown("not_offered") }
    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome { .unknown("not_offered") }
    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome { await self.simulator.reverse(request) }
    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown("not_offered") }
}

private actor Forgetful: Acquirer {
    nonisolated let name = AcquirerName("forgetful")
    nonisolated let capabilities = AcquirerCapabilities(
        instrument: .networkToken, answersQueries: true, networks: [.visa], adjustsAuthorizations: true,
        verifiesCards: true)
    private let simulator: SimulatorAcquirer
    private var callsCount: UInt8 = 0

    init(_ book: SimulatorBook) {
        self.simulator = SimulatorAcquirer(book: book)
    }

    private func newID() -> OperationID {
        self.callsCount &+= 1
        return OperationID(at: Desk.now, random: [0xFF, self.callsCount])
    }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.simulator.authorize(
            AcquirerAuthorization(
                operationID: self.newID(), paymentID: request.paymentID, merchantID: request.merchantID,
                amount: request.amount, captures: request.captures, instrument: request.instrument, at: request.at))
    }

    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.simulator.capture(self.renamed(request))
    }

    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.simulator.refund(self.renamed(request))
    }

    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.simulator.adjust(self.renamed(request))
    }

    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.simulator.verify(
            AcquirerAuthorization(
                operationID: self.newID(), paymentID: request.paymentID, merchantID: request.merchantID,
                amount: request.amount, captures: false, instrument: request.instrument, at: request.at))
    }

    private func renamed(_ request: AcquirerFollowUp) -> AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: self.newID(), paymentID: request.paymentID, merchantID: request.merchantID,
            authorizationID: request.authorizationID, authorizationReference: nil, amount: request.amount,
            isFinal: request.isFinal, at: request.at)
    }

    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome {
        await self.simulator.reverse(
            AcquirerReversal(
                operationID: self.newID(), paymentID: request.paymentID, merchantID: request.merchantID,
                targetID: request.targetID, targetReference: nil, amount: request.amount, reason: request.reason,
                at: request.at))
    }

    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome { await self.simulator.query(request) }
}
