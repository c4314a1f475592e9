//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ErrorCode {
    /// `errormessage`: what was wrong and what to do, for the merchant, where nothing more exact is known.
    var message: String {
        switch self {
        case .issuerTemporarilyUnavailable: "Card issuer temporarily not available"
        case .authorizationDeclined: "Authorization declined"
        case .cardNotApproved: "Card not approved"
        case .doNotHonor: "Authorization declined"
        case .cardNotAllowed: "Card is not allowed. Card is blocked."
        case .transactionInvalid: "Transaction invalid"
        case .limitExceeded: "Limit exceeded"
        case .cardInvalid: "Invalid card"
        case .activityNotProcessed: "Activity not processed"
        case .formatError: "Format Error in request message (e.g. CVC missing)."
        case .cardTypeInvalid: "Invalid card type"
        case .expiryDateInvalid: "Expiry date invalid incorrect or in the past"
        case .manipulationSuspected: "Manipulation suspected"
        case .cardStolen: "Card stolen"
        case .limitOrBalanceExceeded: "Limit exceeded or account balance insufficient"
        case .secretCodeIncorrect: "Incorrect secret code / Wrong PIN"
        case .cardUnknown: "Card unknown"
        case .wrongCardForCancelation: "Cancelation: Wrong card has been used as for original authorization"
        case .terminalUnknown: "Terminal ID unknown"
        case .contactAcquirer: "Card holder must contact the acquirer"
        case .cardBlocked: "Card blocked"
        case .cardCancelled: "Card cancelled"
        case .securityCodeRequired: "Required CVC code not specified or not valid"
        case .amountDiffersFromReserved: "Authorization amount differs from reserved amount."
        case .cardUsedTooOften: "Card has been used too often"
        case .amountNoLongerAvailable: "Amount no longer available"
        case .issuerTemporaryProblem: "Card issuer temporarily not available"
        case .authorizationExpired: "The authorisation has expired."
        case .authorizationDenied: "Authorisation denied."
        case .notCompletedSuccessfully: "Transaction could not be completed successfully."
        case .customerCouldNotPay: "Customer could not pay."
        case .referenceExists: "Reference number already exists"
        case .walletTypeFaulty: "Parameter {wallettype} faulty or missing"
        case .requestFaulty: "Parameter {request} faulty or missing"
        case .tokenAmountDiffers: "Request amount differs from apple pay token amount."
        case .tokenCurrencyDiffers: "Request currency differs from apple pay token amount."
        case .tokenNotDecrypted: "Failed to decrypt apple pay token"
        case .tokenNotVerified: "Certificate service declined request because of validation errors."
        case .tokenParameterMissing: "Required parameter in apple pay token is missing or empty"
        default: self.ownMessage
        }
    }

    /// Of the gateway's own numbers up to 900199: the request itself.
    private var ownMessage: String {
        switch self {
        case .pathUnknown: "There is nothing at this path. Send requests to /post-gateway/."
        case .methodNotAllowed: "Requests must be sent by POST."
        case .requestTooLarge: "The body is larger than this gateway takes."
        case .requestIncomplete: "The body did not arrive in full. Nothing was done. Send the request again."
        case .outcomeUnknown:
            "The request took too long. It may have been carried out: send the same request again to learn of it."
        case .overloaded: "The gateway cannot take the request now. Nothing was done. Send it again in a moment."
        case .tooManyRequests:
            "There are too many requests, or too many with wrong credentials from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says."
        case .formMalformed: "The body is no form."
        case .storeUnavailable:
            "The gateway cannot record payments now. This request has charged nothing. Send the same request again."
        case .parameterFaulty: "Parameter {name} faulty or missing"
        case .amountSignWrong: "The amount has the wrong sign, or is zero, for this request."
        case .requestInconsistent:
            "The reference and the Apple Pay token were sent before, with other parameters. Use a new reference."
        default: self.refusalMessage
        }
    }

    /// Of the gateway's own numbers from 900200 on: the caller, the payment process, the token and the merchant.
    private var refusalMessage: String {
        switch self {
        case .portalUnknown: "There is no portal with this portalid."
        case .keyWrong: "The key is not the portal's, as MD5 or SHA-384."
        case .merchantIDWrong: "The mid is not that of the portal's merchant."
        case .subAccountWrong: "The aid is none of the portal's sub-accounts."
        case .modeWrong: "The mode is not that of the account."
        case .sequenceNumberWrong: "The sequencenumber must be one more than that of the last request."
        case .sequenceNumberUsed:
            "The sequencenumber was used for another request. Use one more than that of the last request."
        case .transactionUnknown: "There is no payment process with this txid."
        case .transactionInProcess:
            "An earlier request of the payment process is still under way. Wait for its TransactionStatus."
        case .notAuthorized: "The payment process has not been authorized."
        case .captureCompleted: "The capture with capturemode completed has been made. No further capture is possible."
        case .alreadyCaptured: "The payment process has been captured, and cannot be canceled. Refund it with debit."
        case .notCaptured: "Nothing of the payment process has been captured. There is nothing to refund."
        case .refundExceedsCaptured: "The amount is more than is left to refund."
        case .alreadyRefunded: "All of the payment process has been refunded."
        case .currencyDiffers: "The currency is not that of the payment process."
        case .requestsTooMany: "The payment process has too many requests."
        case .notBalanced:
            "The account of the payment process is not balanced: a request is under way. Wait, or send debit."
        case .nothingOutstanding: "The balance is zero, and there is nothing to settle. A refund has a negative amount."
        case .debitNotPossible:
            "An Apple Pay token pays once, so that nothing more can be collected. A refund has a negative amount."
        case .settlementRequired:
            "Bookings without settlement are not offered here. Send settleaccount yes or auto, or leave it out."
        case .tokenUsed: "The Apple Pay token has been used before. Ask the customer to pay again."
        case .tokenModeDiffers: "The Apple Pay token and the account are not both for tests or both live."
        case .merchantNotReady:
            "The merchant has no Payment Processing Certificate. Import the one that Apple issued for it."
        case .acquirerNotConnected: "The merchant's acquirer is not connected to this gateway. Nothing was done."
        case .operationNotOffered: "The merchant's acquirer does not offer this. Nothing was done."
        case .merchantIdentityMissing:
            "The merchant has no Merchant Identity Certificate. Import the one that Apple issued for it."
        case .merchantSessionFailed: "Apple gave no merchant session. Check the certificate and the domain."
        default: ""
        }
    }
}
