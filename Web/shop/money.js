//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts are whole numbers of the currency's smallest unit, and become text by their digits. No fraction is ever computed with.

/**
 * The amount as payment sheets take it.
 *
 * @param {number} minor Whole, of the smallest unit.
 * @param {number} decimals
 * @returns {string} "12.50"; "1280" without decimals.
 */
export function decimalText(minor, decimals) {
    const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
    return minor < 0 ? `-${text}` : text;
}

/**
 * The smallest units of a decimal text, as sheets answer it: "12.50", also "1280.00" for a currency without decimals.
 *
 * @returns {number}
 */
export function minorUnits(text, decimals) {
    const [whole, fraction = ""] = String(text).split(".");
    return Number(whole + fraction.padEnd(decimals, "0").slice(0, decimals));
}

/** The amount as people read it, formatted from its digits. */
export function shownMoney(minor, currency, decimals) {
    return new Intl.NumberFormat("en", {
        style: "currency", currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals,
    }).format(decimalText(minor, decimals));
}
