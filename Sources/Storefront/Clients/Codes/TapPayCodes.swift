//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// What TapPay's `status` says (TapPay, "Error code").
enum TapPayCodes {
    static func notes(_ body: ReplyBody) -> [CodeNote] {
        [
            CodeNote("status", in: body, Self.meanings),
            CodeNote("bank_result_code", in: body, ISOResponseCodes.meanings),
        ].compactMap { $0 }
    }

    static let meanings: [String: String] = [
        "0": "Success: TapPay did what it was asked.",
        "5": "The body is no JSON that TapPay can read.",
        "41": "The card's data has the wrong form.",
        "43": "The card may not be used with this account.",
        "61": "There is no merchant with this merchant_id.",
        "67": "The merchant does not take this way of paying.",
        "68": "The merchant may not refund this payment any more.",
        "80": "The x-api-key or app key is wrong.",
        "81": "There is no partner with this partner_key.",
        "84": "The partner may not do this.",
        "89": "The merchant does not take this currency.",
        "91": "The prime has expired. A prime lives for 90 seconds, or 30 days with a pending amount.",
        "92": "The bank takes an authorization back only on the day of the authorization.",
        "121": "The prime is not one of TapPay's, or it was used before.",
        "141": "The partner may not use pending amounts.",
        "403": "Apple gave no merchant session.",
        "421": "TapPay got no answer in time. Whether it is paid must be asked with the record query.",
        "422": "The bank gave no answer in time. Whether it is paid must be asked with the record query.",
        "510": "The amount is wrong. It is a whole number; TWD has no decimals.",
        "915": "A system error at TapPay.",
        "2013": "The card's expiry date has passed.",
        "10001": "The payment is pending: the bank has not decided yet.",
        "10003": "The card was declined. Another card may work.",
        "10005": "The bank's system failed. Nothing was charged.",
        "10006": "The bank takes it for a repeat of an earlier transaction.",
        "10008": "The bank does not accept the merchant's account.",
        "10009": "The bank does not accept the amount.",
        "10013": "The order_number was used before.",
        "10023": "The bank failed without saying why.",
        "11000": "There is no such transaction, or it is in no state for this.",
    ]
}

/// Response codes of banks (ISO 8583, data element 39), as services hand them on.
enum ISOResponseCodes {
    static let meanings: [String: String] = [
        "00": "The bank approved.",
        "01": "The bank wants to be called before it decides.",
        "03": "The bank does not know the merchant.",
        "05": "The bank declined and gives no reason: do not honor.",
        "06": "The bank failed without a reason.",
        "12": "The bank does not take this kind of transaction.",
        "13": "The bank does not accept the amount.",
        "14": "The bank does not know the card.",
        "21": "Nothing was done.",
        "30": "The bank could not read the message.",
        "34": "The bank suspects fraud.",
        "41": "The card is reported lost.",
        "43": "The card is reported stolen.",
        "51": "There is not enough money in the account.",
        "54": "The card has expired.",
        "57": "The card does not permit this.",
        "61": "The amount exceeds a limit of the card.",
        "65": "The card was used too often.",
        "68": "The answer came too late.",
        "91": "The card's issuer cannot be reached.",
        "94": "The bank takes it for a repeat.",
        "96": "The bank's system failed.",
    ]
}
