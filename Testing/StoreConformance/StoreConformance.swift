//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// The laws of ``StoreLaw``, written once for every store.
///
///     @Test(arguments: StoreLaw.allCases) func obeys(_ law: StoreLaw) async throws {
///         try await StoreConformance { try await $0(MemoryStore()) }.check(law)
///     }
public struct StoreConformance: Sendable {
    public typealias Check = @Sendable (any PaymentStore) async throws -> Void

    private let withStore: @Sendable (Check) async throws -> Void

    /// - Parameter withStore: makes an empty store, runs the check on it, and does away with the store, also when the
    ///   check throws.
    public init(withStore: @escaping @Sendable (Check) async throws -> Void) {
        self.withStore = withStore
    }

    /// - Throws: ``ConformanceFailure`` when the store breaks the law; or what the store throws.
    public func check(_ law: StoreLaw) async throws {
        try await self.withStore { store in
            let trial = Trial(law: law, store: store)
            try await Self.body(of: law)(trial)
        }
    }

    private typealias Body = @Sendable (Trial) async throws -> Void

    private static func body(of law: StoreLaw) -> Body {
        switch law {
        case .merchantsRoundTrip: { try await $0.merchantsRoundTrip() }
        case .merchantsAreUpdated: { try await $0.merchantsAreUpdated() }
        case .accountsRoundTrip: { try await $0.accountsRoundTrip() }
        case .accountsOfAMerchantAreListed: { try await $0.accountsOfAMerchantAreListed() }
        case .accountsAreReplacedWhole: { try await $0.accountsAreReplacedWhole() }
        case .accountsAreFoundByTheirAliases: { try await $0.accountsAreFoundByTheirAliases() }
        case .appleCredentialsRoundTrip: { try await $0.appleCredentialsRoundTrip() }
        case .dataKeysRoundTrip: { try await $0.dataKeysRoundTrip() }
        case .paymentsRoundTrip: { try await $0.paymentsRoundTrip() }
        case .longPaymentsRoundTrip: { try await $0.longPaymentsRoundTrip() }
        case .everyTransitionRoundTrips: { try await $0.everyTransitionRoundTrips() }
        case .verificationsRoundTrip: { try await $0.verificationsRoundTrip() }
        case .ordersRoundTrip: { try await $0.ordersRoundTrip() }
        case .ordersAreFoundByReference: { try await $0.ordersAreFoundByReference() }
        case .claimsRoundTrip: { try await $0.claimsRoundTrip() }
        case .referencesRoundTrip: { try await $0.referencesRoundTrip() }
        case .eventsRoundTrip: { try await $0.eventsRoundTrip() }
        case .eventsKeepTheirOrder: { try await $0.eventsKeepTheirOrder() }
        case .eventsAreListedNewestFirst: { try await $0.eventsAreListedNewestFirst() }
        case .eventQueriesFilterAndPage: { try await $0.eventQueriesFilterAndPage() }
        case .openWorkIsCounted: { try await $0.openWorkIsCounted() }
        case .keptItemsRoundTrip: { try await $0.keptItemsRoundTrip() }
        case .keptItemsAreReplacedWhole: { try await $0.keptItemsAreReplacedWhole() }
        case .keptItemsExpire: { try await $0.keptItemsExpire() }
        case .adminClaimsAreMadeOnceAndCompleted: { try await $0.adminClaimsAreMadeOnceAndCompleted() }
        case .memosAreReplacedAndListed: { try await $0.memosAreReplacedAndListed() }
        case .partsOfMemosAreDeleted: { try await $0.partsOfMemosAreDeleted() }
        case .nothingIsFoundInAnEmptyStore: { try await $0.nothingIsFoundInAnEmptyStore() }
        case .acquirerAccountsRoundTrip: { try await $0.acquirerAccountsRoundTrip() }
        case .acquirerAccountsAreUpdatedWhole: { try await $0.acquirerAccountsAreUpdatedWhole() }
        case .acquirerAccountNamesAreUnique: { try await $0.acquirerAccountNamesAreUnique() }
        case .acquirerAccountsAreInTheirMerchantsMode: { try await $0.acquirerAccountsAreInTheirMerchantsMode() }
        case .paymentsAreUnderTheirMerchantsAccounts: { try await $0.paymentsAreUnderTheirMerchantsAccounts() }
        case .reroutedPaymentsAreUnderTheirNewAccounts:
            { try await $0.reroutedPaymentsAreUnderTheirNewAccounts() }
        case .routesRoundTrip: { try await $0.routesRoundTrip() }
        case .routesAreReplacedWhole: { try await $0.routesAreReplacedWhole() }
        case .routesLeadToTheirMerchantsAccounts: { try await $0.routesLeadToTheirMerchantsAccounts() }
        case .routesAreSound: { try await $0.routesAreSound() }
        case .changesOfMerchantsLoseNothing: { try await $0.changesOfMerchantsLoseNothing() }
        case .throwingBodyLeavesNothing: { try await $0.throwingBodyLeavesNothing() }
        case .refusedWriteLeavesTheBodyUsable: { try await $0.refusedWriteLeavesTheBodyUsable() }
        case .staleVersionConflicts: { try await $0.staleVersionConflicts() }
        case .writesMayComeInAnyOrder: { try await $0.writesMayComeInAnyOrder() }
        case .danglingReferencesAreRefused: { try await $0.danglingReferencesAreRefused() }
        case .missingRowsAreNotUpdated: { try await $0.missingRowsAreNotUpdated() }
        case .readsSeeOnlyCommittedState: { try await $0.readsSeeOnlyCommittedState() }
        case .readsSeeOneState: { try await $0.readsSeeOneState() }
        case .uniqueThingsAreUnique: { try await $0.uniqueThingsAreUnique() }
        case .claimsNeverChange: { try await $0.claimsNeverChange() }
        case .tokensAreRememberedOncePerMode: { try await $0.tokensAreRememberedOncePerMode() }
        case .tokensAreRememberedOnceUnderConcurrency: { try await $0.tokensAreRememberedOnceUnderConcurrency() }
        case .tokensOfWhatWasNotProcessedAreTakenOverOnce:
            { try await $0.tokensOfWhatWasNotProcessedAreTakenOverOnce() }
        case .claimsAreWonOnceUnderConcurrency: { try await $0.claimsAreWonOnceUnderConcurrency() }
        case .jobsComeInDueOrder: { try await $0.jobsComeInDueOrder() }
        case .jobsAreFoundByPayment: { try await $0.jobsAreFoundByPayment() }
        case .schedulingKeepsTheEarlierTime: { try await $0.schedulingKeepsTheEarlierTime() }
        case .jobsAreUpdatedAndDeleted: { try await $0.jobsAreUpdatedAndDeleted() }
        case .leasesCountAndPostpone: { try await $0.leasesCountAndPostpone() }
        case .leasesAreExclusiveUnderConcurrency: { try await $0.leasesAreExclusiveUnderConcurrency() }
        case .makeDueMakesEveryJobDue: { try await $0.makeDueMakesEveryJobDue() }
        case .makeDueLeavesWhatIsDueLaterThanGivenAlone:
            { try await $0.makeDueLeavesWhatIsDueLaterThanGivenAlone() }
        case .makeDueLeavesWhatIsDueEarlierThanGivenAlone:
            { try await $0.makeDueLeavesWhatIsDueEarlierThanGivenAlone() }
        case .paymentQueriesFilter: { try await $0.paymentQueriesFilter() }
        case .paymentQueriesPage: { try await $0.paymentQueriesPage() }
        case .paymentQueriesAreOrderedAndBounded: { try await $0.paymentQueriesAreOrderedAndBounded() }
        case .paymentQueriesPageByCursor: { try await $0.paymentQueriesPageByCursor() }
        case .paymentTalliesCountPageByPage: { try await $0.paymentTalliesCountPageByPage() }
        case .paymentQueriesSearch: { try await $0.paymentQueriesSearch() }
        case .paymentWalksAreBounded: { try await $0.paymentWalksAreBounded() }
        case .paymentQueriesFindNames: { try await $0.paymentQueriesFindNames() }
        case .paymentQueriesFindReferences: { try await $0.paymentQueriesFindReferences() }
        case .paymentQueriesFindReferencesOfAnyKind: { try await $0.paymentQueriesFindReferencesOfAnyKind() }
        case .paymentQueriesFindStates: { try await $0.paymentQueriesFindStates() }
        case .paymentQueriesForgetEarlierStates: { try await $0.paymentQueriesForgetEarlierStates() }
        case .movementsAreThoseOfTheWindow: { try await $0.movementsAreThoseOfTheWindow() }
        case .movementsAreOfWhatIsResolved: { try await $0.movementsAreOfWhatIsResolved() }
        case .movementsAreWrittenOnceWithTheirPayment: { try await $0.movementsAreWrittenOnceWithTheirPayment() }
        case .movementQueriesFilter: { try await $0.movementQueriesFilter() }
        case .movementsPage: { try await $0.movementsPage() }
        case .pagesAreReadAtOnce: { try await $0.pagesAreReadAtOnce() }
        case .paymentsAreFoundByTheirNames: { try await $0.paymentsAreFoundByTheirNames() }
        case .movementsAreListedByTheirNames: { try await $0.movementsAreListedByTheirNames() }
        case .paymentIDsPage: { try await $0.paymentIDsPage() }
        case .journalKeepsItsOrder: { try await $0.journalKeepsItsOrder() }
        case .ledgerSumsAgreeWithTheJournal: { try await $0.ledgerSumsAgreeWithTheJournal() }
        case .ledgerSumsBeyond64BitsAreReported: { try await $0.ledgerSumsBeyond64BitsAreReported() }
        case .refundsNeverExceedTheCapturedSum: { try await $0.refundsNeverExceedTheCapturedSum() }
        case .closedDaysRoundTrip: { try await $0.closedDaysRoundTrip() }
        case .closedDaysAreClosedOnce: { try await $0.closedDaysAreClosedOnce() }
        case .settlementsRoundTrip: { try await $0.settlementsRoundTrip() }
        case .settlementsAreBookedOnce: { try await $0.settlementsAreBookedOnce() }
        case .settlementDifferencesAreResolvedOnce: { try await $0.settlementDifferencesAreResolvedOnce() }
        case .resolvedDifferencesAreTakenBack: { try await $0.resolvedDifferencesAreTakenBack() }
        case .settlementQueriesFilterAndPage: { try await $0.settlementQueriesFilterAndPage() }
        case .settlementFilesAreFoundByTheirDays: { try await $0.settlementFilesAreFoundByTheirDays() }
        case .settlementsAreFoundByWhatIsBooked: { try await $0.settlementsAreFoundByWhatIsBooked() }
        case .dataKeysAreResealedAndDeleted: { try await $0.dataKeysAreResealedAndDeleted() }
        case .dataKeysInUseStay: { try await $0.dataKeysInUseStay() }
        case .sealedValuesAreListedByKey: { try await $0.sealedValuesAreListedByKey() }
        case .resealingReplacesOnlyWhatWasRead: { try await $0.resealingReplacesOnlyWhatWasRead() }
        case .nothingIsSealedUnderADeletedKey: { try await $0.nothingIsSealedUnderADeletedKey() }
        case .storeSecretsRoundTrip: { try await $0.storeSecretsRoundTrip() }
        case .auditEntriesRoundTrip: { try await $0.auditEntriesRoundTrip() }
        case .auditEntriesFollowTheLast: { try await $0.auditEntriesFollowTheLast() }
        case .auditEntriesAreOfTheirTransaction: { try await $0.auditEntriesAreOfTheirTransaction() }
        case .auditEntriesFormOneChain: { try await $0.auditEntriesFormOneChain() }
        case .refusedCallsRoundTrip: { try await $0.refusedCallsRoundTrip() }
        case .refusedCallQueriesFilterAndPage: { try await $0.refusedCallQueriesFilterAndPage() }
        case .refusedCallsExpire: { try await $0.refusedCallsExpire() }
        case .settledClaimsAreDeleted: { try await $0.settledClaimsAreDeleted() }
        case .deliveredEventsAreDeleted: { try await $0.deliveredEventsAreDeleted() }
        case .alarmsRoundTrip: { try await $0.alarmsRoundTrip() }
        case .alarmsStandOnceASubject: { try await $0.alarmsStandOnceASubject() }
        case .alarmMessagesAreLeased: { try await $0.alarmMessagesAreLeased() }
        case .alarmsAreDeletedOnceEnded: { try await $0.alarmsAreDeletedOnceEnded() }
        case .observationsAreReplacedAndListed: { try await $0.observationsAreReplacedAndListed() }
        case .storeTimeIsNotTheCallers: { try await $0.storeTimeIsNotTheCallers() }
        case .peopleRoundTrip: { try await $0.peopleRoundTrip() }
        case .peopleAreUpdatedFromTheirVersion: { try await $0.peopleAreUpdatedFromTheirVersion() }
        case .peopleAreUnique: { try await $0.peopleAreUnique() }
        case .peopleAreDeletedWhole: { try await $0.peopleAreDeletedWhole() }
        case .peopleAreChangedOneAfterTheOther: { try await $0.peopleAreChangedOneAfterTheOther() }
        case .oneOfTwoOwnersRemains: { try await $0.oneOfTwoOwnersRemains() }
        case .secondFactorsRoundTrip: { try await $0.secondFactorsRoundTrip() }
        case .personSessionsRoundTrip: { try await $0.personSessionsRoundTrip() }
        case .personSessionsEnd: { try await $0.personSessionsEnd() }
        case .personSessionsAreReplacedOnce: { try await $0.personSessionsAreReplacedOnce() }
        case .accessTokensRoundTrip: { try await $0.accessTokensRoundTrip() }
        case .peopleOfAThrowingBodyAreGone: { try await $0.peopleOfAThrowingBodyAreGone() }
        case .approvalsRoundTrip: { try await $0.approvalsRoundTrip() }
        case .approvalQueriesFilterAndPage: { try await $0.approvalQueriesFilterAndPage() }
        case .approvalContentsRoundTrip: { try await $0.approvalContentsRoundTrip() }
        case .approvalPoliciesRoundTrip: { try await $0.approvalPoliciesRoundTrip() }
        case .approvalsAreDecidedOnce: { try await $0.approvalsAreDecidedOnce() }
        case .approvalsAreAskedForOnce: { try await $0.approvalsAreAskedForOnce() }
        case .domainsRoundTrip: { try await $0.domainsRoundTrip() }
        case .domainsAreRegisteredOneAfterTheOther: { try await $0.domainsAreRegisteredOneAfterTheOther() }
        }
    }
}
