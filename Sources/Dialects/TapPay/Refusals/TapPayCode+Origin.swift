//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension TapPayCode {
    /// Where a number is raised.
    enum Origin: Hashable, Sendable {
        /// By the front end: getprime, getsession.
        case frontEnd
        /// By the back end: pay-by-prime and what follows it.
        case backEnd
        /// By both.
        case server
        /// By nothing here: it is another payment method's, or of a service that this gateway does not offer.
        case elsewhere(Reason)
    }

    enum Reason: String, CaseIterable, Hashable, Sendable {
        case cardEntry = "a card number that is typed in (Direct Pay)"
        case cardVault = "a card that is kept (pay-by-token)"
        case googlePay = "Google Pay"
        case samsungPay = "Samsung Pay"
        case otherWallet = "wallets that redirect to an app or show a barcode (LINE Pay and its kin)"
        case android = "the SDK for Android, which has no Apple Pay"
        case notOffered = "a service that this gateway does not offer"
        case acquirerLimit = "a limit that no acquirer of this gateway has"
    }

    var origin: Origin {
        switch self {
        case .success, .wrongJSONFormat, .paymentMethodNotSupported, .invalidKey, .gatewayTimeout, .systemError,
            .currencyNotSupported, .invalidAmount, .invalidCurrency, .amountOutOfRange:
            .server
        case .appIDNotFound, .appNameMismatch, .unknownAppError, .appKeyMismatch, .iosSDKVersionTooOld,
            .sdkVersionNotSent, .wrongCardFormat, .cardEncryptError, .amountPendingNotSupported, .getSessionError,
            .invalidAppID, .missingAppKey, .missingAppName, .appKeyOutOfRange, .appNameOutOfRange, .invalidDeviceType,
            .invalidSDKVersion, .deviceIdentifierOutOfRange, .deviceModelOutOfRange, .deviceOSVersionOutOfRange,
            .geolocationOutOfRange, .invalidPlatformType, .missingPayTokenData, .missingAppleMerchantID,
            .appleMerchantIDOutOfRange, .missingTokenData, .missingTokenVersion, .missingTokenSignature,
            .missingTokenEphemeralPublicKey, .missingTokenPublicKeyHash, .missingTokenTransactionID,
            .tokenDataOutOfRange, .tokenVersionOutOfRange, .tokenEphemeralPublicKeyOutOfRange,
            .tokenPublicKeyHashOutOfRange, .tokenTransactionIDOutOfRange, .missingTokenHeader, .fraudIDOutOfRange,
            .tokenSignatureOutOfRange, .unsupportedPlatformType, .signatureVerificationNotProceeded,
            .signatureVerificationError, .expiredCard, .appleMerchantIDDisabled:
            .frontEnd
        case .endOfList, .ipMismatch, .merchantNotFound, .refundCancelNotSupported, .cardholderVerifyNotSupported,
            .instalmentNotSupported, .partnerNotFound, .partnerUnauthorized, .expiredPrime,
            .invalidPrime, .merchantGroupNotFound, .merchantGroupSettingError, .authorizationTimeout,
            .missingCardholder, .missingMerchantID, .missingPrime, .missingCurrency, .missingDetails,
            .missingPartnerKey, .missingCardholderPhoneNumber, .missingCardholderName, .missingCardholderEmail,
            .invalidInstalment, .invalidDelayCaptureInDays, .instalmentOutOfRange,
            .delayCaptureInDaysOutOfRange, .detailsOutOfRange, .currencyOutOfRange, .cardholderPhoneNumberOutOfRange,
            .cardholderNameOutOfRange, .cardholderEmailOutOfRange, .cardholderAddressOutOfRange,
            .cardholderZipCodeOutOfRange, .cardholderNationalIDOutOfRange, .invalidRecordsPerPage, .invalidPage,
            .invalidFilterStartTime, .invalidFilterEndTime, .invalidFilterRecTradeID, .invalidFilterUpperLimit,
            .invalidFilterLowerLimit, .invalidFilterAppID, .invalidFilterMerchantID, .invalidFilterRecordStatus,
            .invalidOrderByAttribute, .invalidOrderByIsDescending, .recordsPerPageOutOfRange, .pageOutOfRange,
            .filterStartTimeOutOfRange, .filterEndTimeOutOfRange, .filterTimesReversed, .filterUpperLimitOutOfRange,
            .filterLowerLimitOutOfRange, .filterLimitsReversed, .orderNumberOutOfRange, .bankTransactionIDOutOfRange,
            .partnerKeyOutOfRange, .merchantIDOutOfRange, .missingRecTradeID, .recTradeIDOutOfRange, .invalidRemember,
            .invalidBackendNotifyURL, .invalidFrontendRedirectURL, .missingBackendNotifyURL,
            .missingFrontendRedirectURL, .missingResultURL, .threeDSecureNotSupportedByAcquirer,
            .redeemNotSupportedByAcquirer, .invalidAdditionalData, .invalidRefundID,
            .inconsistentAmount, .inconsistentCurrency, .captureCancelCaptured, .captureCancelNotArranged,
            .captureCancelCapturing, .invalidRecTradeID, .repeatedRefund, .duplicateBankTransactionID,
            .transactionPending, .cardError, .bankSystemError, .duplicateTransaction, .bankMerchantAccountDataError,
            .amountError, .pendingCapture, .refundError, .orderNumberDuplicate, .bankError,
            .partialRefundOfAuthorization, .refundAmountOutOfRange, .refundedTradeNotFound:
            .backEnd
        case .googlePayGetPrimeFailed, .missingAndroidMerchantID, .androidMerchantIDOutOfRange,
            .missingGoogleEphemeralPublicKey, .missingGoogleEncryptedMessage, .missingGoogleTag,
            .googleEphemeralPublicKeyOutOfRange, .googleEncryptedMessageOutOfRange, .googleTagOutOfRange,
            .googleProtocolVersionOutOfRange, .missingGoogleProtocolVersion, .googlePayUnexpectedError:
            .elsewhere(.googlePay)
        case .androidUnknownError, .androidSDKVersionTooOld, .androidParameterFormatError, .androidInputFormNotSet:
            .elsewhere(.android)
        case .cardUnauthorizedAccess: .elsewhere(.cardVault)
        case .notLinePayMerchant, .barcodeNotFound, .barcodeExpired, .barcodeUsed, .memberNotFound,
            .missingAppLaunchURI, .appLaunchURIOutOfRange, .missingAppAndUniversalLink,
            .appAndUniversalLinkConcurrently, .universalLinkOutOfRange:
            .elsewhere(.otherWallet)
        case .instalmentOnly, .threeDSecure2NotSupported, .nonThreeDSecureNotSupported, .onUsMerchantNotFound,
            .redeemFailed:
            .elsewhere(.notOffered)
        case .voidDateDiffers: .elsewhere(.acquirerLimit)
        case .missingCardNumber, .missingCardExpiryDate, .cardNumberOutOfRange, .cardExpiryDateOutOfRange,
            .cardSecurityCodeOutOfRange, .emptyCardNumber, .emptyCardExpiry, .cardSecurityCodeWrongFormat:
            .elsewhere(.cardEntry)
        case .missingReferenceID, .missingSamsungType, .samsungTypeOutOfRange, .referenceIDOutOfRange:
            .elsewhere(.samsungPay)
        }
    }
}
