//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts and days as people type them, as the server reads them. Amounts never become floating point. Loaded when somebody types.

import { decimalSign, isDay } from "./format.js";

/**
 * What a person typed as an amount, as the server reads it, or null: "1.234,5" in German with two digits is "1234.50".
 */
export function readAmount(typed, digits) {
    const sign = decimalSign();
    let text = typed.trim().replace(/[\s\u00a0\u202f'’]/g, "");
    const other = sign === "," ? "." : ",";
    // One separator with as many digits behind it as the currency has is the decimal one, whichever it is.
    const single = new RegExp(`^(\\d+)[.,](\\d{1,${Math.max(digits, 1)}})$`).exec(text);
    if (single && digits > 0 && single[2].length !== 3) {
        text = `${single[1]}.${single[2]}`;
    } else {
        if (!new RegExp(`^\\d{1,3}(\\${other}?\\d{3})*(\\${sign}\\d+)?$|^\\d+(\\${sign}\\d+)?$`).test(text)) { return null; }
        text = text.replaceAll(other, "").replace(sign, ".");
    }
    const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text);
    if (!match || (match[2]?.length ?? 0) > digits) { return null; }
    const whole = match[1].replace(/^0+(?=\d)/, "");
    return digits === 0 ? whole : `${whole}.${(match[2] ?? "").padEnd(digits, "0")}`;
}

const currencies = new Set(Intl.supportedValuesOf("currency"));

/**
 * What a person typed as an amount of a currency, "42.50 USD" or "USD 42,50": `{ value, currency }`, the currency null where none is
 * typed; else null.
 */
export function readMoney(typed) {
    const match = /^([A-Za-z]{3})?\s*(\d[\d.,'’\s]*)([A-Za-z]{3})?$/.exec(typed.trim());
    if (!match || (match[1] && match[3])) { return null; }
    const currency = (match[1] ?? match[3])?.toUpperCase() ?? null;
    if (currency && !currencies.has(currency)) { return null; }
    const digits = currency ? new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits : 2;
    const value = readAmount(match[2], digits);
    // Digits alone are rather a name than an amount.
    return value === null || (!currency && !/[.,]/.test(match[2])) ? null : { value, currency };
}

/** What a person typed as a day, "2026-11-23" or "23.11.2026", as addresses have it; else null. */
export function readDay(typed) {
    const day = typed.trim().replace(/^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})$/, (_, own, month, year) => `${year}-${month.padStart(2, "0")}-${own.padStart(2, "0")}`);
    return isDay(day) ? day : null;
}
