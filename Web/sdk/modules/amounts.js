//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Amounts of money as whole hundredths in a BigInt. A decimal string is taken apart as text: at no point is an amount a
// floating-point number.

import { SetupError } from './errors.js';

/** Currencies that the gateway counts in whole units (TWD: NT$1 is 1; JPY). All others have two decimals. */
const wholeCurrencies = new Set(['TWD', 'JPY']);

/**
 * "12", "12.5", "12.50", "-3.00": no sign but minus, no leading zeros, no exponent, no blanks, at most nine whole
 * digits.
 */
const decimalPattern = /^(-?)(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,2}))?$/;

/** One unit of any currency, in hundredths. */
export const ONE = 100n;

/**
 * Reads an amount.
 *
 * @param {string|number} value A decimal string; a whole JavaScript number is taken too, one with a fraction is not.
 * @param {string} currency ISO 4217 letters.
 * @param {string} field Where the amount stands, for the error.
 * @returns {bigint} Hundredths.
 */
export function readAmount(value, currency, field) {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    const parts = typeof text === 'string' ? decimalPattern.exec(text) : null;
    if (!parts) {
        throw new SetupError(
            'amount_malformed', field, 'must be a decimal string such as "12.50", with at most two decimals');
    }
    const hundredths = BigInt(parts[2]) * ONE + BigInt((parts[3] || '').padEnd(2, '0'));
    if (wholeCurrencies.has(currency) && hundredths % ONE !== 0n) {
        throw new SetupError(
            'amount_malformed', field, `must be a whole amount, because ${currency} has no decimals here`);
    }
    return parts[1] ? -hundredths : hundredths;
}

/**
 * Writes an amount in the decimals of its currency: "1" TWD, "1.01" USD.
 *
 * @param {bigint} hundredths
 * @param {string} currency
 * @returns {string}
 */
export function writeAmount(hundredths, currency) {
    const size = hundredths < 0n ? -hundredths : hundredths;
    const sign = hundredths < 0n ? '-' : '';
    const whole = `${sign}${size / ONE}`;
    return wholeCurrencies.has(currency) ? whole : `${whole}.${String(size % ONE).padStart(2, '0')}`;
}
