//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts as people read them.

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
