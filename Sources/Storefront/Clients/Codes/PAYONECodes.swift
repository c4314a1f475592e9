//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// What PAYONE's `status`, `errorcode` and `txaction` say.
enum PAYONECodes {
    /// Of an answer, or of a notification.
    static func notes(_ body: ReplyBody) -> [CodeNote] {
        [
            CodeNote("status", in: body, Self.statuses), CodeNote("errorcode", in: body, Self.errors),
            CodeNote("txaction", in: body, Self.actions), CodeNote("transaction_status", in: body, Self.transactions),
        ].compactMap { $0 }
    }

    static let statuses: [String: String] = [
        "APPROVED": "PAYONE did what it was asked.",
        "PENDING": "The outcome is not known yet. A TransactionStatus will say it.",
        "ERROR": "Refused or declined: errorcode says why.",
        "OK": "The action was carried out.",
    ]

    static let actions: [String: String] = [
        "appointed": "The payment process was opened: the amount is reserved, or the debit was ordered.",
        "capture": "The amount was captured.",
        "paid": "The money has arrived.",
        "debit": "A debit or a refund was booked.",
        "refund": "A refund was booked.",
        "cancelation": "The debit was returned: a chargeback.",
        "failed": "The payment failed or was taken back.",
    ]

    static let transactions: [String: String] = [
        "pending": "Not known yet: another TransactionStatus follows.",
        "completed": "This is final.",
    ]

    static let errors: [String: String] = [
        "1": "The card's issuer cannot be reached for the moment. Nothing was charged.",
        "2": "The bank declined without a reason.",
        "4": "The card does not permit this, or the bank does not approve it.",
        "5": "The bank declined: do not honor.",
        "7": "The card's security code is missing or wrong.",
        "12": "The bank does not take this kind of transaction.",
        "13": "The amount exceeds a limit.",
        "14": "The bank does not know the card.",
        "21": "Nothing was done: it was taken back, or the time for the capture is over.",
        "31": "The card's network is not taken by this account.",
        "33": "The card has expired.",
        "34": "The bank suspects fraud.",
        "43": "The card is reported stolen or lost.",
        "51": "There is not enough money in the account.",
        "56": "The card is not known.",
        "60": "The cardholder must ask the bank.",
        "61": "The card is blocked.",
        "62": "The card was canceled.",
        "64": "The amount is not the reserved one.",
        "80": "The reservation is no longer there.",
        "91": "The card's issuer cannot be reached for the moment.",
        "102": "The bank declined.",
        "103": "The bank's system failed. Nothing was charged.",
        "104": "The customer could not pay.",
        "906": "The refund is more than what was taken.",
        "907": "The sequencenumber is not the next one.",
        "908": "The capture is more than what is reserved.",
        "911": "The reference was used before.",
        "1016": "The amount is missing or malformed.",
        "2700": "The amount is not the one in the token.",
        "2701": "The currency is not the one in the token.",
        "2702": "The token could not be decrypted.",
        "2703": "The token's signature or certificates are not right.",
        "2704": "A part of the token is missing.",
    ]
}
