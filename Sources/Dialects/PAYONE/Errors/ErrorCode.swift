//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Every `errorcode` of this dialect.
///
/// 1 to 104 and 2700 to 2704 are the vendor's published tables; 911, 1095 and 1202 are seen in answers of the real
/// service. Numbers from 900001 on are this gateway's own, where the vendor's number is not public.
/// docs/dialects/payone.md publishes the list; a test keeps both alike.
enum ErrorCode: Int, CaseIterable, Hashable, Sendable {
    // MARK: The card (vendor)

    case issuerTemporarilyUnavailable = 1
    case authorizationDeclined = 2
    case cardNotApproved = 4
    case doNotHonor = 5
    case cardNotAllowed = 7
    case transactionInvalid = 12
    case limitExceeded = 13
    case cardInvalid = 14
    case activityNotProcessed = 21
    case formatError = 30
    case cardTypeInvalid = 31
    case expiryDateInvalid = 33
    case manipulationSuspected = 34
    case cardStolen = 43
    case limitOrBalanceExceeded = 51
    case secretCodeIncorrect = 55
    case cardUnknown = 56
    case wrongCardForCancelation = 57
    case terminalUnknown = 58
    case contactAcquirer = 60
    case cardBlocked = 61
    case cardCancelled = 62
    case securityCodeRequired = 63
    case amountDiffersFromReserved = 64
    case cardUsedTooOften = 65
    case amountNoLongerAvailable = 80
    case issuerTemporaryProblem = 91
    case authorizationExpired = 101
    case authorizationDenied = 102
    case notCompletedSuccessfully = 103
    case customerCouldNotPay = 104

    // MARK: The request (vendor)

    case referenceExists = 911
    case walletTypeFaulty = 1095
    case requestFaulty = 1202

    // MARK: The Apple Pay token (vendor)

    case tokenAmountDiffers = 2700
    case tokenCurrencyDiffers = 2701
    case tokenNotDecrypted = 2702
    case tokenNotVerified = 2703
    case tokenParameterMissing = 2704

    // MARK: The request did not get as far as an endpoint

    case pathUnknown = 900001
    case methodNotAllowed = 900002
    case requestTooLarge = 900003
    case requestIncomplete = 900004
    case outcomeUnknown = 900005
    case overloaded = 900006
    case formMalformed = 900007
    case storeUnavailable = 900008
    case tooManyRequests = 900009

    // MARK: What is asked

    case parameterFaulty = 900100
    case amountSignWrong = 900101
    case requestInconsistent = 900102

    // MARK: Who calls

    case portalUnknown = 900200
    case keyWrong = 900201
    case merchantIDWrong = 900202
    case subAccountWrong = 900203
    case modeWrong = 900204

    // MARK: The payment process

    case sequenceNumberWrong = 900300
    case sequenceNumberUsed = 900301
    case transactionUnknown = 900302
    case transactionInProcess = 900303
    case notAuthorized = 900304
    case captureCompleted = 900305
    case alreadyCaptured = 900306
    case notCaptured = 900307
    case refundExceedsCaptured = 900308
    case alreadyRefunded = 900309
    case currencyDiffers = 900310
    case requestsTooMany = 900311
    case notBalanced = 900312
    case nothingOutstanding = 900313
    case debitNotPossible = 900314
    case settlementRequired = 900315

    // MARK: The Apple Pay token and the merchant

    case tokenUsed = 900400
    case tokenModeDiffers = 900401
    case merchantNotReady = 900402
    case acquirerNotConnected = 900403
    case operationNotOffered = 900404
    case merchantIdentityMissing = 900405
    case merchantSessionFailed = 900406
}
