//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts as people read them.

export function money(amount, currency) {
    try {
        // A decimal text is formatted exactly; a number would be rounded to a binary fraction first.
        return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
    } catch {
        return `${currency} ${amount}`;
    }
}
