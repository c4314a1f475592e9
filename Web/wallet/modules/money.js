//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts as people read them, and how small they may be.

/// The currencies of ISO 4217 whose minor unit is no hundredth, by their decimals. (Not what Intl says, for browsers
/// differ in it.)
const otherDecimals = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
};

export function decimalsOf(currency) {
    const own = Object.entries(otherDecimals).find(([, codes]) => codes.split(" ").includes(currency));
    return own === undefined ? 2 : Number(own[0]);
}

export function money(amount, currency) {
    try {
        // Browsers know cents of the new Taiwan dollar, which nobody charges: what is written whole is shown whole.
        const isWhole = currency === "TWD" && !String(amount).includes(".");
        // A decimal text is formatted exactly; a number would be rounded to a binary fraction first.
        return new Intl.NumberFormat("en", {
            style: "currency", currency, minimumFractionDigits: isWhole ? 0 : undefined,
        }).format(amount);
    } catch {
        return `${currency} ${amount}`;
    }
}
