//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What every payment store does. A store's tests check each of `allCases`, so that none is forgotten.
public enum StoreLaw: String, CaseIterable, Sendable {
    // Records come back as they were written.
    case merchantsRoundTrip
    case merchantsAreUpdated
    case accountsRoundTrip
    case accountsOfAMerchantAreListed
    case accountsAreReplacedWhole
    case accountsAreFoundByTheirAliases
    case appleCredentialsRoundTrip
    case dataKeysRoundTrip
    case paymentsRoundTrip
    case longPaymentsRoundTrip
    case everyTransitionRoundTrips
    case verificationsRoundTrip
    case ordersRoundTrip
    case ordersAreFoundByReference
    case claimsRoundTrip
    case referencesRoundTrip
    case eventsRoundTrip
    case eventsKeepTheirOrder
    case eventsAreListedNewestFirst
    case eventQueriesFilterAndPage
    case openWorkIsCounted
    case keptItemsRoundTrip
    case keptItemsAreReplacedWhole
    case keptItemsExpire
    case adminClaimsAreMadeOnceAndCompleted
    case memosAreReplacedAndListed
    case partsOfMemosAreDeleted
    case nothingIsFoundInAnEmptyStore

    // Merchants' acquirers.
    case acquirerAccountsRoundTrip
    case acquirerAccountsAreUpdatedWhole
    case acquirerAccountNamesAreUnique
    case acquirerAccountsAreInTheirMerchantsMode
    case paymentsAreUnderTheirMerchantsAccounts
    case reroutedPaymentsAreUnderTheirNewAccounts
    case routesRoundTrip
    case routesAreReplacedWhole
    case routesLeadToTheirMerchantsAccounts
    case routesAreSound
    case changesOfMerchantsLoseNothing

    // Transactions.
    case throwingBodyLeavesNothing
    case refusedWriteLeavesTheBodyUsable
    case staleVersionConflicts
    case writesMayComeInAnyOrder
    case danglingReferencesAreRefused
    case missingRowsAreNotUpdated
    case readsSeeOnlyCommittedState
    case readsSeeOneState

    // Uniqueness.
    case uniqueThingsAreUnique
    case claimsNeverChange
    case settledClaimsAreDeleted
    case tokensAreRememberedOncePerMode
    case tokensAreRememberedOnceUnderConcurrency
    case tokensOfWhatWasNotProcessedAreTakenOverOnce
    case claimsAreWonOnceUnderConcurrency

    // Jobs.
    case jobsComeInDueOrder
    case jobsAreFoundByPayment
    case schedulingKeepsTheEarlierTime
    case jobsAreUpdatedAndDeleted
    case leasesCountAndPostpone
    case leasesAreExclusiveUnderConcurrency
    case makeDueMakesEveryJobDue
    case makeDueLeavesWhatIsDueLaterThanGivenAlone
    case makeDueLeavesWhatIsDueEarlierThanGivenAlone

    // Queries.
    case paymentQueriesFilter
    case paymentQueriesPage
    case paymentQueriesAreOrderedAndBounded
    case paymentQueriesPageByCursor
    case paymentTalliesCountPageByPage
    case paymentQueriesSearch
    case paymentWalksAreBounded
    case paymentQueriesFindNames
    case paymentQueriesFindReferences
    case paymentQueriesFindReferencesOfAnyKind
    case paymentQueriesFindStates
    case paymentQueriesForgetEarlierStates
    case paymentIDsPage
    case movementsAreThoseOfTheWindow
    case movementsAreOfWhatIsResolved
    case movementsAreWrittenOnceWithTheirPayment
    case movementQueriesFilter
    case movementsPage
    case pagesAreReadAtOnce
    case paymentsAreFoundByTheirNames
    case movementsAreListedByTheirNames

    // Money.
    case journalKeepsItsOrder
    case ledgerSumsAgreeWithTheJournal
    case ledgerSumsBeyond64BitsAreReported
    case refundsNeverExceedTheCapturedSum

    // Reports.
    case closedDaysRoundTrip
    case closedDaysAreClosedOnce
    case settlementsRoundTrip
    case settlementsAreBookedOnce
    case settlementDifferencesAreResolvedOnce
    case resolvedDifferencesAreTakenBack
    case settlementQueriesFilterAndPage
    case settlementFilesAreFoundByTheirDays
    case settlementsAreFoundByWhatIsBooked

    // Secrets, and what operators have done.
    case dataKeysAreResealedAndDeleted
    case dataKeysInUseStay
    case sealedValuesAreListedByKey
    case resealingReplacesOnlyWhatWasRead
    case nothingIsSealedUnderADeletedKey
    case storeSecretsRoundTrip
    case auditEntriesRoundTrip
    case auditEntriesFollowTheLast
    case auditEntriesAreOfTheirTransaction
    case auditEntriesFormOneChain

    // What is watched.
    case refusedCallsRoundTrip
    case refusedCallQueriesFilterAndPage
    case refusedCallsExpire
    case deliveredEventsAreDeleted
    case alarmsRoundTrip
    case alarmsStandOnceASubject
    case alarmMessagesAreLeased
    case alarmsAreDeletedOnceEnded
    case observationsAreReplacedAndListed
    case storeTimeIsNotTheCallers

    // People.
    case peopleRoundTrip
    case peopleAreUpdatedFromTheirVersion
    case peopleAreUnique
    case peopleAreDeletedWhole
    case peopleAreChangedOneAfterTheOther
    case oneOfTwoOwnersRemains
    case secondFactorsRoundTrip
    case personSessionsRoundTrip
    case personSessionsEnd
    case personSessionsAreReplacedOnce
    case accessTokensRoundTrip
    case peopleOfAThrowingBodyAreGone

    // What waits for a second person, and domains.
    case approvalsRoundTrip
    case approvalQueriesFilterAndPage
    case approvalContentsRoundTrip
    case approvalPoliciesRoundTrip
    case approvalsAreDecidedOnce
    case approvalsAreAskedForOnce
    case domainsRoundTrip
    case domainsAreRegisteredOneAfterTheOther
}
