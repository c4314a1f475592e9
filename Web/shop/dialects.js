//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A word on each payment service, and which networks the shop asks the wallet for.

const known = {
    tappay: {
        words: "TapPay, Taiwan: the web SDK TPDirect opens the sheet and swaps the token for a prime; the server pays by prime.",
        networks: ["visa", "masterCard", "jcb", "amex"],
    },
    alphapay: {
        words: "AlphaPay: JSON in signed requests; an order is made first, the token pays it, and both sides sign every answer.",
        networks: ["visa", "masterCard", "amex"],
    },
    commweb: {
        words: "CommWeb: the Mastercard gateway's REST interface; the shop numbers orders and transactions, and PUT is repeatable.",
        networks: ["visa", "masterCard", "amex", "jcb", "discover"],
    },
    payone: {
        words: "PAYONE, Germany: form fields over POST, key=value lines back; it starts the merchant session for the shop, too.",
        networks: ["visa", "masterCard", "girocard"],
    },
    radial: {
        words: "Radial: XML messages; a settlement is only heard at first, and an event says later what became of it.",
        networks: ["visa", "masterCard", "amex", "discover"],
    },
};

export const wordsOn = (name) => known[name]?.words ?? "";

export const networksOf = (name) => known[name]?.networks ?? ["visa", "masterCard"];
