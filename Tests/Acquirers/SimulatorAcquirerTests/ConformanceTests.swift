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
    /// - Parameters:
    ///   - witness: at the far end of an acquirer that takes sealed tokens.
    ///   - book: where that keeps its answers.
    static func values(_ witness: SealedTokenWitness? = nil, _ book: SimulatorBook? = nil) throws -> AcquirerTestValues
    {
        let currency = try #require(Currency.alphabetic("CAD"))
        return AcquirerTestValues(
            approvedAmount: Money(minorUnits: 5000, currency: currency),
            declinedAmount: Money(minorUnits: 5757, currency: currency), instrument: Desk.card, at: Desk.now,
            custody: witness.map {
                AcquirerCustodyValues(seenBy: $0) { try await book?.entries().first?.answer.fundingPANSuffix }
            })
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

    private static let behaviors: [(String, SimulatorBehavior)] = [
        ("names operations", SimulatorBehavior(namesOperations: true)),
        ("takes sealed tokens", SimulatorBehavior(takesSealedTokens: true)),
        ("takes sealed tokens once", SimulatorBehavior(refusesRepeats: true, takesSealedTokens: true)),
        ("wants the number again", SimulatorBehavior(keepsCardForSeconds: 60)),
        ("decides later", SimulatorBehavior(acceptsForSeconds: 3600)),
        ("answers no queries", SimulatorBehavior(recovery: .reversal)),
        ("forgets reversals", SimulatorBehavior(recovery: .query(quietSeconds: 60))),
        (
            "finds nothing for seconds",
            SimulatorBehavior(recovery: .query(quietSeconds: 60), findsAfterSeconds: 30)
        ),
        ("refuses repeats", SimulatorBehavior(refusesRepeats: true)),
        ("reports, and takes no repeats", SimulatorBehavior(recovery: .reports(repeats: false), refusesRepeats: true)),
        ("reports, and takes repeats", SimulatorBehavior(recovery: .reports(repeats: true))),
        (
            "all of it",
            SimulatorBehavior(recovery: .query(quietSeconds: 60), acceptsForSeconds: 3600, namesOperations: true)
        ),
    ]

    /// Whichever kind of upstream it is like, it keeps the laws that are about such.
    @Test(arguments: AcquirerLaw.allCases, behaviors)
    func keepsWhateverItIsLike(_ law: AcquirerLaw, _ behavior: (name: String, SimulatorBehavior)) async throws {
        let book = try SimulatorBook.inMemory()
        let witness = SealedTokenWitness(SimulatorAcquirer(book: book, behavior: behavior.1))
        try await AcquirerConformance(values: try Self.values(witness, book)) { witness }.check(law)
    }

    // MARK: - No more than the capabilities say

    /// What an acquirer does not offer, it is not judged by: each of these refuses everything that it does not offer.
    @Test(arguments: AcquirerLaw.allCases, Limit.allCases)
    func asksNoMoreThanTheCapabilitiesSay(_ law: AcquirerLaw, _ limit: Limit) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Limited(limit, try .inMemory()) }
        try await suite.check(law)
    }

    /// The laws about what an acquirer leaves out that does the least.
    private static let notOfTheLeast: Set<AcquirerLaw> = [
        .adjustmentSetsTheTotal, .booksRepeatedAdjustmentOnce, .declinesAdjustmentBelowCapture,
        .declinesAdjustmentAfterFinalCapture, .declinesAdjustmentOfUnknownAuthorization,
        .reversedAdjustmentLeavesTheTotalBeforeIt, .verificationMovesNothing, .answersRepeatedVerificationAlike,
        .reversedVerificationIsOver, .acknowledgesReversalOfUnknownOperation, .refusesArrivalAfterReversal,
        .saleCapturesAtOnce, .reversedSaleCannotBeRefunded, .voidOfSaleEndsIt, .declinesVoidOfRefundedSale,
        .voidOfCaptureLeavesRoomForAnother, .declinesVoidOfRefundedCapture, .voidOfRefundLeavesRoomForAnother,
        .preparationMovesNothing, .booksRefusedRepeatOnce, .memosHoldNoAuthenticationData,
        .sealedTokenArrivesAsItCame, .repeatedSealedTokenIsOnePayment, .reportsTheCardThatTheAcquirerReports,
    ]

    /// And by every other law it is judged.
    @Test(arguments: AcquirerLaw.allCases)
    func asksWhateverTheCapabilitiesLeave(_ law: AcquirerLaw) async throws {
        let acquirer = Limited(.doesTheLeast, try .inMemory())
        // Whether it keeps the law is asked above.
        try? await AcquirerConformance(values: try Self.values()) { acquirer }.check(law)
        #expect((acquirer.callsCount == 0) == Self.notOfTheLeast.contains(law))
    }

    @Test(arguments: brokenByYes)
    func findsFaultsOfAnAcquirerThatDoesTheLeast(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Yes(Limit.doesTheLeast.capabilities) }
        guard !Self.notOfTheLeast.contains(law) else { return try await suite.check(law) }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }

    // MARK: - The suite itself finds what is wrong

    private static let brokenByYes: [AcquirerLaw] = [
        .declinesWithReason, .declinesCaptureBeyondAuthorization, .declinesCaptureAfterFinalOne,
        .declinesCaptureOfDeclinedAuthorization, .declinesFollowUpOfUnknownAuthorization, .declinesRefundBeforeCapture,
        .declinesRefundBeyondCapture, .saleCapturesAtOnce, .voidEndsAuthorization, .declinesVoidAfterCapture,
        .reversedSaleCannotBeRefunded, .refusesArrivalAfterReversal, .answersRepeatedAuthorizationAlike,
        .capturesInParts, .refundsInParts, .booksConcurrentRepeatsOnce, .queryFindsNothingBeforeArrival,
        .queryReportsReversal, .voidOfSaleEndsIt, .declinesVoidOfRefundedSale, .voidOfCaptureLeavesRoomForAnother,
        .declinesVoidOfRefundedCapture, .voidOfRefundLeavesRoomForAnother, .adjustmentSetsTheTotal,
        .booksRepeatedAdjustmentOnce, .declinesAdjustmentBelowCapture, .declinesAdjustmentAfterFinalCapture,
        .declinesAdjustmentOfUnknownAuthorization, .reversedAdjustmentLeavesTheTotalBeforeIt,
        .verificationMovesNothing, .reversedVerificationIsOver,
        .queryReportsDeclineAsItWasAnswered, .reversedCaptureLeavesRoomForAnother,
        .reversedRefundLeavesRoomForAnother,
    ]

    @Test(arguments: brokenByYes)
    func findsAcquirerThatApprovesEverything(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Yes() }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }

    private static let brokenByForgetful: [AcquirerLaw] = [
        .answersRepeatedAuthorizationAlike, .booksRepeatedCaptureOnce, .booksRepeatedRefundOnce,
        .booksConcurrentRepeatsOnce, .repeatedReversalIsAcknowledgedAgain, .refusesArrivalAfterReversal,
        .queryReportsApprovalAsItWasAnswered, .voidOfSaleEndsIt, .voidOfRefundLeavesRoomForAnother,
        .booksRepeatedAdjustmentOnce, .reversedAdjustmentLeavesTheTotalBeforeIt, .answersRepeatedVerificationAlike,
        .reversedVerificationIsOver,
    ]

    @Test(arguments: brokenByForgetful)
    func findsAcquirerThatForgetsIDs(_ law: AcquirerLaw) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Forgetful(try .inMemory()) }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }
    /// The simulator with one flaw, by the laws that find it.
    private static let brokenByFlaw: [(Flaw, [AcquirerLaw])] = [
        (
            .answersWithoutCodes,
            [.approvesAndGivesReference, .declinesWithReason, .verificationMovesNothing]
        ),
        (
            .declinesReversalOfTheUnheard,
            [.acknowledgesReversalOfUnknownOperation, .refusesArrivalAfterReversal, .queryReportsReversal]
        ),
        (
            .voidsInWordsAlone,
            [
                .voidEndsAuthorization, .declinesVoidAfterCapture, .voidOfSaleEndsIt, .declinesVoidOfRefundedSale,
                .voidOfCaptureLeavesRoomForAnother, .declinesVoidOfRefundedCapture, .voidOfRefundLeavesRoomForAnother,
            ]
        ),
        (
            .reversesInWordsAlone,
            [
                .reversedCaptureLeavesRoomForAnother, .reversedRefundLeavesRoomForAnother,
                .reversedSaleCannotBeRefunded, .reversedAdjustmentLeavesTheTotalBeforeIt, .reversedVerificationIsOver,
                .refusesArrivalAfterReversal, .queryReportsReversal,
            ]
        ),
        (.forgetsWhichCaptureIsFinal, [.declinesCaptureAfterFinalOne, .declinesAdjustmentAfterFinalCapture]),
        (.declinesWhatItRepeats, [.booksRefusedRepeatOnce]),
        (.adjustsInWordsAlone, [.adjustmentSetsTheTotal, .reversedAdjustmentLeavesTheTotalBeforeIt]),
        (
            .queriedWithoutItsAnswer,
            [.queryReportsApprovalAsItWasAnswered, .queryReportsDeclineAsItWasAnswered, .queryReportsReversal]
        ),
        (
            .leavesItAtAccepted,
            [.approvesAndGivesReference, .declinesWithReason, .booksRepeatedCaptureOnce, .capturesInParts]
        ),
        (
            .processesNothing,
            [.approvesAndGivesReference, .declinesWithReason, .declinesCaptureOfDeclinedAuthorization]
        ),
        (
            .hasNotDecidedWhenAsked,
            [.queryFindsNothingBeforeArrival, .queryReportsApprovalAsItWasAnswered, .queryReportsReversal]
        ),
        (.movesMoneyWhenItPrepares, [.preparationMovesNothing]),
        (.notesTheCryptogram, [.memosHoldNoAuthenticationData]),
        (.notesTheNumberForEver, [.memosHoldNoAuthenticationData]),
        (.notesCardDataWithoutAnEnd, [.memosHoldNoAuthenticationData]),
        (.writesTheTokenAnew, [.sealedTokenArrivesAsItCame]),
        (.sendsNoToken, [.sealedTokenArrivesAsItCame, .repeatedSealedTokenIsOnePayment]),
        (.sendsTheTokenUnderAnotherID, [.repeatedSealedTokenIsOnePayment]),
        (.readsTheCardFromTheSheet, [.reportsTheCardThatTheAcquirerReports]),
        (.keepsTheCardToItself, [.reportsTheCardThatTheAcquirerReports]),
    ]

    @Test(arguments: brokenByFlaw.flatMap { flaw, laws in laws.map { (flaw, $0) } })
    func findsFlaw(_ flaw: Flaw, _ law: AcquirerLaw) async throws {
        let book = try SimulatorBook.inMemory()
        let flawed = Flawed(flaw, book)
        let suite = AcquirerConformance(values: try Self.values(flawed.witness, book)) { flawed }
        let broken = await #expect(throws: AcquirerLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }

    /// An acquirer that takes sealed tokens cannot pass by saying nothing of custody.
    @Test func wantsValuesOfCustody() async throws {
        let suite = AcquirerConformance(values: try Self.values()) {
            SimulatorAcquirer(book: try .inMemory(), behavior: SimulatorBehavior(takesSealedTokens: true))
        }
        let broken = await #expect(throws: AcquirerLawBroken.self) {
            try await suite.check(.sealedTokenArrivesAsItCame)
        }
        #expect(broken?.found == "none")
    }

    @Test(
        arguments: [
            (.leavesItAtAccepted, "accepted"), (.processesNothing, "not processed (busy)"),
            (.answersWithoutCodes, "something else"),
        ] as [(Flaw, String)])
    func saysWhatItFound(_ flaw: Flaw, _ found: String) async throws {
        let suite = AcquirerConformance(values: try Self.values()) { Flawed(flaw, try .inMemory()) }
        let broken = await #expect(throws: AcquirerLawBroken.self) {
            try await suite.check(.approvesAndGivesReference)
        }
        #expect(broken?.found == found)
    }

    /// A law that nothing can break would be no law.
    @Test func everyLawIsBrokenBySomething() {
        let broken = Set(Self.brokenByYes + Self.brokenByForgetful + Self.brokenByFlaw.flatMap(\.1))
        #expect(Set(AcquirerLaw.allCases).subtracting(broken).isEmpty)
        #expect(Set(Self.brokenByFlaw.map(\.0)) == Set(Flaw.allCases))
    }
}
