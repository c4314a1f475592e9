//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The payment services in their own words: what they are, which networks the shop asks the wallet for, how they write an
// amount, and what their operations and states are called.

import { decimalText } from "./money.js";

const known = {
    tappay: {
        words: "TapPay, Taiwan: the web SDK TPDirect opens the sheet and swaps the token for a prime; the server pays by prime.",
        pays: "pay-by-prime",
        decisive: ["bank_result_code", "status"],
        networks: ["visa", "masterCard", "jcb", "amex"],
        hint: "TPDirect opens the sheet. pay-by-prime reserves the amount (delay_capture_in_days); you capture it afterwards.",
        amount: (minor, currency) => `"amount": ${minor}, "currency": "${currency}"`,
        operations: {
            capture: ["Capture", "transaction/cap"], void: ["Take back", "transaction/refund"],
            refund: ["Refund", "transaction/refund"],
        },
        states: { voided: "Authorization taken back by a refund" },
    },
    alphapay: {
        words: "AlphaPay: JSON in signed requests; a preOrder is made first, the token pays it, and both sides sign every message.",
        pays: "apple-pay/pay",
        decisive: ["result.resultCode"],
        networks: ["visa", "masterCard", "amex"],
        hint: "Opens the sheet. apple-pay/pay takes the money at once; there is no capture, but it can be refunded.",
        amount: (minor, currency) => `"value": "${minor}", "currency": "${currency}"`,
        operations: { refund: ["Refund", "payments/refund"] },
        states: { captured: "Payment taken" },
    },
    commweb: {
        words: "CommWeb: the Mastercard gateway's REST interface; the shop numbers orders and transactions, and PUT is repeatable.",
        pays: "PUT AUTHORIZE",
        decisive: ["response.acquirerCode", "response.gatewayCode", "error.cause"],
        networks: ["visa", "masterCard", "amex", "jcb", "discover"],
        hint: "Opens the sheet. AUTHORIZE reserves the amount; you CAPTURE it afterwards.",
        amount: (minor, currency, decimals) => `"amount": "${decimalText(minor, decimals)}", "currency": "${currency}"`,
        operations: {
            capture: ["Capture", "PUT CAPTURE"], void: ["Void", "PUT VOID"], refund: ["Refund", "PUT REFUND"],
        },
        states: {},
    },
    payone: {
        words: "PAYONE, Germany: form fields over POST, key=value lines back; it starts the merchant session for the shop, too.",
        pays: "pre\u00adautho\u00adrization",
        decisive: ["errorcode", "status"],
        networks: ["visa", "masterCard", "girocard"],
        hint: "Opens the sheet. A preauthorization reserves the amount; you capture it afterwards.",
        amount: (minor, currency) => `amount=${minor}&currency=${currency}`,
        operations: {
            capture: ["Capture", "request=capture"], void: ["Void", "capture, amount=0"],
            refund: ["Refund", "request=debit"],
        },
        states: { authorized: "Payment preauthorized", voided: "Reservation given back" },
    },
    radial: {
        words: "Radial: XML messages; a settlement is only acknowledged at first, and an event says later what became of it.",
        pays: "CreditCardAuth",
        decisive: ["ResponseCode", "AuthorizationResponseCode"],
        networks: ["visa", "masterCard", "amex", "discover"],
        hint: "Opens the sheet. CreditCardAuthRequest reserves the amount; a settlement takes it afterwards.",
        amount: (minor, currency, decimals) => `<Amount currencyCode="${currency}">${decimalText(minor, decimals)}</Amount>`,
        operations: {
            capture: ["Settle", "settlement Debit"], void: ["Cancel", "auth/cancel"],
            refund: ["Refund", "settlement Credit"],
        },
        states: { captured: "Settlement requested", voided: "Authorization canceled", refunded: "Refund requested" },
    },
};

const operationNames = { capture: ["Capture", ""], void: ["Void", ""], refund: ["Refund", ""] };

const usual = { words: "", pays: "", networks: ["visa", "masterCard"], hint: "", amount: () => "", operations: operationNames, states: {} };

export const dialectWords = (name) => known[name] ?? usual;

export const networksOf = (name) => dialectWords(name).networks;

/** The code of an answer that says most of why: the bank's own before the service's, and what is no success before what is. */
export const decisiveCode = (name, codes) => (dialectWords(name).decisive ?? []).map((field) =>
    codes.find((code) => code.field === field)).find((code) => code !== undefined) ?? codes.at(-1);
