//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// `Code` of a Fault. The vendor's list is not public as a whole; what stands here is what it and its clients name, and
/// what this gateway's own dialect says (docs/dialects/radial.md, "Fault"). Any other is read by its HTTP status alone.
enum RadialFault: String, Hashable, Sendable, CaseIterable {
    case panFailsLuhn = "PanDoesNotPassLuhnCheckException"
    case panFailsLuhnOtherName = "PanFailsLuhnCheckException"
    case binUnknown = "UnknownPanBinRangeException"
    case tenderTypeInvalid = "InvalidTenderTypeException"
    case tenderNotConfigured = "TenderGatewayConfigurationException"
    case authorizationNotFound = "NoAuthFoundException"
    case resourceUnknown = "UnknownResourceException"
    case methodNotAllowed = "MethodNotAllowedException"
    case requestTooLarge = "RequestTooLargeException"
    case requestIncomplete = "RequestIncompleteException"
    case requestTimedOut = "RequestTimedOutException"
    case overloaded = "ServiceOverloadedException"
    case tooManyRequests = "TooManyRequestsException"
    case unavailable = "ServiceUnavailableException"
    case apiKeyMissing = "ApiKeyMissingException"
    case apiKeyInvalid = "InvalidApiKeyException"
    case mediaTypeNotSupported = "UnsupportedMediaTypeException"
    case xmlMalformed = "MalformedXmlException"
    case messageUnexpected = "UnexpectedMessageException"
    case requestInvalid = "InvalidRequestException"
    case requestIDReused = "RequestIdConflictException"
    case accountTokenRequired = "AccountTokenRequiredException"
    case tokenMalformed = "ApplePayTokenMalformedException"
    case tokenNotTrusted = "ApplePayTokenNotTrustedException"
    case tokenNotDecryptable = "ApplePayTokenNotDecryptableException"
    case tokenReplayed = "ApplePayTokenReplayedException"
    case tokenModeDiffers = "ApplePayTokenModeException"
    case amountDiffersFromToken = "AmountMismatchException"
    case merchantNotReady = "MerchantConfigurationException"
    case currencyDiffers = "CurrencyMismatchException"
    case orderPaid = "OrderAlreadyAuthorizedException"
    case orderInProcess = "AuthorizationInProcessException"
    case orderClosed = "OrderClosedException"
    case authorizationFailed = "AuthorizationDeclinedException"
    case authorizationCanceled = "AuthorizationCanceledException"
    case cancelAmountDiffers = "CancelAmountMismatchException"
    case alreadySettled = "AlreadySettledException"
    case finalDebitMade = "FinalDebitMadeException"
    case debitExceedsAuthorization = "DebitExceedsAuthorizationException"
    case nothingSettled = "NothingSettledException"
    case alreadyCredited = "AlreadyCreditedException"
    case creditExceedsDebits = "CreditExceedsDebitsException"
    case operationPending = "OperationInProcessException"
    case tooManyOperations = "TooManyOperationsException"
    case operationNotAllowed = "OperationNotAllowedException"

    enum Meaning: Hashable, Sendable {
        /// The request was not taken, for the operator to see. The word is for the log.
        case refused(String)
        /// The key is not the store's.
        case caller
        /// Not now.
        case busy
        /// The card cannot be one.
        case card
        /// The order is in no state for it.
        case state
        /// Something is known under the same name, and may be this very request.
        case open(String)
    }

    var meaning: Meaning {
        switch self {
        case .panFailsLuhn, .panFailsLuhnOtherName, .binUnknown: .card
        case .tenderTypeInvalid: .refused("tender_type_invalid")
        case .tenderNotConfigured: .refused("tender_not_configured")
        case .merchantNotReady: .refused("store_not_configured")
        case .resourceUnknown, .methodNotAllowed: .refused("operation_unknown")
        case .requestTooLarge, .mediaTypeNotSupported, .xmlMalformed, .messageUnexpected, .requestInvalid,
            .accountTokenRequired:
            .refused("request_invalid")
        case .tokenMalformed, .tokenNotTrusted: .refused("token_not_taken")
        case .tokenNotDecryptable: .refused("token_not_decryptable")
        case .tokenModeDiffers: .refused("token_of_another_mode")
        case .amountDiffersFromToken: .refused("amount_differs_from_token")
        case .currencyDiffers: .refused("currency_differs")
        case .apiKeyMissing, .apiKeyInvalid: .caller
        case .overloaded, .tooManyRequests, .operationPending: .busy
        case .authorizationNotFound, .orderClosed, .authorizationFailed, .authorizationCanceled, .cancelAmountDiffers,
            .alreadySettled, .finalDebitMade, .debitExceedsAuthorization, .nothingSettled, .alreadyCredited,
            .creditExceedsDebits, .tooManyOperations, .operationNotAllowed:
            .state
        case .requestIDReused: .open("request_id_conflict")
        case .tokenReplayed: .open("token_replayed")
        case .orderPaid, .orderInProcess: .open("order_known")
        case .requestTimedOut, .requestIncomplete, .unavailable: .open("service_timed_out")
        }
    }

    /// What it says of an authorization. The order is the payment's own, so that what is known of it is this
    /// authorization.
    var outcomeOfCharge: AcquirerOutcome {
        switch self.meaning {
        case .card: .declined(AcquirerDecline(reason: .invalidCard, answer: AcquirerAnswer()))
        case .state: .unclear("order_known")
        case .refused, .caller, .busy, .open: self.outcome
        }
    }

    /// What it says of a settlement or a cancellation.
    var outcomeOfFollowUp: AcquirerOutcome {
        switch self.meaning {
        case .state: .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
        case .card: .notProcessed(NotProcessed(.requestRefused, "account_not_taken"))
        case .refused, .caller, .busy, .open: self.outcome
        }
    }

    private var outcome: AcquirerOutcome {
        switch self.meaning {
        case .refused(let word): .notProcessed(NotProcessed(.requestRefused, word))
        case .caller: .notProcessed(NotProcessed(.notAuthorized, "api_key_not_taken"))
        case .busy: .notProcessed(NotProcessed(.busy, "service_busy"))
        case .open(let word): .unclear(word)
        case .card, .state: .unclear("fault_not_understood")
        }
    }
}
