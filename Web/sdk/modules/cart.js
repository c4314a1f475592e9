//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The rules of deferred payment as pure functions: what the sheet's total shows, how long the prime lives, and the
// total of 1 with which old systems are asked to show AMOUNT PENDING.

import { ONE } from './amounts.js';
import { SetupError } from './errors.js';

const amountFor30Days = Object.freeze({ total: 'amount', primeLifetime: '30 days' });
const pendingFor30Days = Object.freeze({ total: 'pending', primeLifetime: '30 days' });
const amountFor90Seconds = Object.freeze({ total: 'amount', primeLifetime: '90 seconds' });
const notSupported = null;

/**
 * The three tables of the specification, by what the displayItems are. A row is total.isAmountPending, a column is
 * total.isShowTotalAmount; null is "Not Support".
 */
export const deferredPayment = Object.freeze({
    /** All of the displayItems isAmountPending is false (or there are no items). */
    none: Object.freeze({
        true: Object.freeze({ true: amountFor30Days, false: pendingFor30Days }),
        false: Object.freeze({ true: amountFor90Seconds, false: notSupported }),
    }),
    /** All of the displayItems isAmountPending is true. */
    all: Object.freeze({
        true: Object.freeze({ true: notSupported, false: pendingFor30Days }),
        false: Object.freeze({ true: notSupported, false: notSupported }),
    }),
    /** The displayItems have both. */
    mixed: Object.freeze({
        true: Object.freeze({ true: amountFor30Days, false: pendingFor30Days }),
        false: Object.freeze({ true: notSupported, false: notSupported }),
    }),
});

/**
 * Which of the three tables holds.
 *
 * @param {Array<{isPending: boolean}>} items
 * @returns {'none'|'all'|'mixed'}
 */
export function kindOfItems(items) {
    const pending = items.filter((item) => item.isPending).length;
    if (pending === 0) {
        return 'none';
    }
    return pending === items.length ? 'all' : 'mixed';
}

/**
 * The cell of the tables for a cart.
 *
 * @param {Array<{isPending: boolean}>} items
 * @param {boolean} isAmountPending
 * @param {boolean} isShowTotalAmount
 * @returns {{total: 'amount'|'pending', primeLifetime: string}}
 */
export function deferredRule(items, isAmountPending, isShowTotalAmount) {
    const kind = kindOfItems(items);
    const rule = deferredPayment[kind][isAmountPending][isShowTotalAmount];
    if (!rule) {
        throw new SetupError(
            'deferred_unsupported', 'paymentRequest.total',
            `cannot have isAmountPending: ${isAmountPending} and isShowTotalAmount: ${isShowTotalAmount} `
                + `when ${kind === 'mixed' ? 'some' : kind} of the displayItems are pending (see deferred payment)`);
    }
    return rule;
}

/**
 * The sum of the items whose amount is known.
 *
 * @param {Array<{isPending: boolean, amount: bigint}>} items
 * @returns {bigint} Hundredths.
 */
export function sumOfItems(items) {
    return items.reduce((sum, item) => (item.isPending ? sum : sum + item.amount), 0n);
}

/**
 * The amount that the sheet gets as its total before shipping. A total that is shown is the sum of the items, if there
 * are any, as the vendor's SDK wants it; one that is pending is settled later. Systems up to macOS 10.14.1 and iOS 12.1
 * want it above zero, so an AMOUNT PENDING total is 1 when all items are pending, when they come to nothing, and when
 * there are none.
 *
 * @param {Array<{isPending: boolean, amount: bigint}>} items
 * @param {bigint|null} given The page's own total.amount.value, if it gave one.
 * @param {{total: 'amount'|'pending'}} rule
 * @returns {bigint} Hundredths, above zero.
 */
export function sheetTotal(items, given, rule) {
    const sum = sumOfItems(items);
    const total = given === null ? sum : given;
    if (rule.total === 'amount') {
        if (items.length > 0 && total !== sum) {
            throw new SetupError(
                'total_differs', 'paymentRequest.total.amount.value',
                'must be the sum of the displayItems; the price of shipping is added to it on the sheet');
        }
        if (total <= 0n) {
            throw new SetupError(
                'total_out_of_range', 'paymentRequest.total.amount.value', 'must be above zero when it is shown');
        }
        return total;
    }
    return kindOfItems(items) === 'all' || sum <= 0n || total <= 0n ? ONE : total;
}
