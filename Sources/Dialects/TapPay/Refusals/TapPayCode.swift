//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Every number that stands in `status`, but for those that the client SDKs raise themselves: TPDirect for iOS and for
/// the web are the homes of theirs.
///
/// docs/dialects/tappay-codes.md lists all of them with what raises them; a test keeps the page, this list, the SDKs and
/// the vendor's tables (Vectors/TapPay) alike.
enum TapPayCode: Int, CaseIterable, Hashable, Sendable {
    // MARK: Other SDKs

    case googlePayGetPrimeFailed = -7
    case androidUnknownError = -4

    // MARK: The call as a whole, the app, the partner and the merchant

    case success = 0
    case endOfList = 2
    case ipMismatch = 4
    case wrongJSONFormat = 5
    case appIDNotFound = 11
    case appNameMismatch = 12
    case unknownAppError = 13
    case appKeyMismatch = 16
    case iosSDKVersionTooOld = 31
    case androidSDKVersionTooOld = 32
    case sdkVersionNotSent = 33
    case wrongCardFormat = 41
    case cardUnauthorizedAccess = 43
    case merchantNotFound = 61
    case notLinePayMerchant = 66
    case paymentMethodNotSupported = 67
    case refundCancelNotSupported = 68
    case cardholderVerifyNotSupported = 70
    case instalmentNotSupported = 71
    case instalmentOnly = 72
    case threeDSecure2NotSupported = 74
    case nonThreeDSecureNotSupported = 75
    case invalidKey = 80
    case partnerNotFound = 81
    case partnerUnauthorized = 84
    case currencyNotSupported = 89
    case expiredPrime = 91
    case voidDateDiffers = 92
    case invalidPrime = 121
    case cardEncryptError = 122
    case barcodeNotFound = 126
    case barcodeExpired = 127
    case barcodeUsed = 128
    case memberNotFound = 129
    case merchantGroupNotFound = 130
    case merchantGroupSettingError = 131
    case onUsMerchantNotFound = 132
    case amountPendingNotSupported = 141

    // MARK: What took too long

    case getSessionError = 403
    case gatewayTimeout = 421
    case authorizationTimeout = 422

    // MARK: What a request lacks or has wrong

    case missingCardholder = 501
    case missingMerchantID = 502
    case missingPrime = 503
    case missingCurrency = 504
    case missingDetails = 505
    case missingPartnerKey = 506
    case missingCardholderPhoneNumber = 507
    case missingCardholderName = 508
    case missingCardholderEmail = 509
    case invalidAmount = 510
    case invalidInstalment = 511
    case invalidDelayCaptureInDays = 512
    case instalmentOutOfRange = 513
    case delayCaptureInDaysOutOfRange = 514
    case detailsOutOfRange = 515
    case currencyOutOfRange = 516
    case cardholderPhoneNumberOutOfRange = 519
    case cardholderNameOutOfRange = 520
    case cardholderEmailOutOfRange = 521
    case cardholderAddressOutOfRange = 522
    case cardholderZipCodeOutOfRange = 523
    case cardholderNationalIDOutOfRange = 524
    case invalidAppID = 530
    case missingAppKey = 531
    case missingAppName = 532
    case missingCardNumber = 533
    case missingCardExpiryDate = 534
    case invalidRecordsPerPage = 535
    case invalidPage = 536
    case invalidFilterStartTime = 537
    case invalidFilterEndTime = 538
    case invalidFilterRecTradeID = 539
    case invalidFilterUpperLimit = 545
    case invalidFilterLowerLimit = 546
    case invalidFilterAppID = 547
    case invalidFilterMerchantID = 548
    case invalidFilterRecordStatus = 549
    case invalidOrderByAttribute = 550
    case invalidOrderByIsDescending = 551
    case recordsPerPageOutOfRange = 559
    case pageOutOfRange = 560
    case filterStartTimeOutOfRange = 561
    case filterEndTimeOutOfRange = 562
    case filterTimesReversed = 563
    case filterUpperLimitOutOfRange = 564
    case filterLowerLimitOutOfRange = 565
    case filterLimitsReversed = 566
    case orderNumberOutOfRange = 568
    case bankTransactionIDOutOfRange = 569
    case appKeyOutOfRange = 570
    case appNameOutOfRange = 571
    case cardNumberOutOfRange = 572
    case cardExpiryDateOutOfRange = 573
    case cardSecurityCodeOutOfRange = 574
    case invalidDeviceType = 581
    case invalidSDKVersion = 582
    case deviceIdentifierOutOfRange = 583
    case deviceModelOutOfRange = 584
    case deviceOSVersionOutOfRange = 585
    case geolocationOutOfRange = 586
    case partnerKeyOutOfRange = 587
    case invalidPlatformType = 589
    case missingAndroidMerchantID = 590
    case missingPayTokenData = 591
    case missingAppleMerchantID = 592
    case merchantIDOutOfRange = 593
    case appleMerchantIDOutOfRange = 594
    case missingRecTradeID = 596
    case recTradeIDOutOfRange = 597
    case androidMerchantIDOutOfRange = 598
    case missingGoogleEphemeralPublicKey = 599
    case missingGoogleEncryptedMessage = 600
    case missingGoogleTag = 601
    case googleEphemeralPublicKeyOutOfRange = 602
    case googleEncryptedMessageOutOfRange = 603
    case googleTagOutOfRange = 604
    case missingTokenData = 605
    case missingTokenVersion = 606
    case missingTokenSignature = 607
    case missingTokenEphemeralPublicKey = 608
    case missingTokenPublicKeyHash = 609
    case missingTokenTransactionID = 610
    case tokenDataOutOfRange = 611
    case tokenVersionOutOfRange = 612
    case tokenEphemeralPublicKeyOutOfRange = 613
    case tokenPublicKeyHashOutOfRange = 614
    case tokenTransactionIDOutOfRange = 615
    case missingTokenHeader = 616
    case fraudIDOutOfRange = 617
    case googleProtocolVersionOutOfRange = 618
    case tokenSignatureOutOfRange = 619
    case invalidRemember = 624
    case unsupportedPlatformType = 626
    case invalidBackendNotifyURL = 627
    case invalidFrontendRedirectURL = 628
    case missingBackendNotifyURL = 629
    case missingFrontendRedirectURL = 630
    case missingResultURL = 631
    case threeDSecureNotSupportedByAcquirer = 632
    case missingGoogleProtocolVersion = 634
    case redeemNotSupportedByAcquirer = 636
    case missingAppLaunchURI = 638
    case appLaunchURIOutOfRange = 639
    case invalidAdditionalData = 643
    case invalidCurrency = 652
    case missingReferenceID = 655
    case missingSamsungType = 658
    case samsungTypeOutOfRange = 659
    case referenceIDOutOfRange = 660
    case invalidRefundID = 670
    case missingAppAndUniversalLink = 801
    case appAndUniversalLinkConcurrently = 802
    case universalLinkOutOfRange = 803

    // MARK: The token, and the trade's state

    case inconsistentAmount = 909
    case inconsistentCurrency = 910
    case systemError = 915
    case signatureVerificationNotProceeded = 916
    case signatureVerificationError = 917
    case captureCancelCaptured = 934
    case captureCancelNotArranged = 935
    case captureCancelCapturing = 936

    // MARK: The card, and the trade

    case emptyCardNumber = 2000
    case emptyCardExpiry = 2001
    case cardSecurityCodeWrongFormat = 2012
    case expiredCard = 2013
    case googlePayUnexpectedError = 2200
    case invalidRecTradeID = 4002
    case repeatedRefund = 4014
    case duplicateBankTransactionID = 6001

    // MARK: What the bank says

    case transactionPending = 10001
    case cardError = 10003
    case bankSystemError = 10005
    case duplicateTransaction = 10006
    case bankMerchantAccountDataError = 10008
    case amountError = 10009
    case pendingCapture = 10010
    case refundError = 10011
    case orderNumberDuplicate = 10013
    case redeemFailed = 10015
    case bankError = 10023
    case partialRefundOfAuthorization = 10024
    case amountOutOfRange = 10050
    case refundAmountOutOfRange = 10051
    case refundedTradeNotFound = 11000

    // MARK: Apple's merchant identifier

    case appleMerchantIDDisabled = 13002

    // MARK: Android's SDK

    case androidParameterFormatError = 88004
    case androidInputFormNotSet = 88007
}
