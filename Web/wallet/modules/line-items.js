//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Totals, line items and shipping methods: of a request, and of what the shop answers a change with.

import { wrong } from "./errors.js";
import { amountText, choiceOf, dictionaryOf, isNegative, requiredText, sequenceOf } from "./idl.js";
import { decimalsOf } from "./money.js";

const itemTypes = ["final", "pending"];
const timings = ["immediate", "recurring", "deferred", "automaticReload"];
const intervals = ["month", "year", "day", "hour", "minute"];
const totalMax = 100_000_000n;

/// The members of every ApplePayLineItem that have a few values only.
function itemNames(item, what) {
    choiceOf(item.recurringPaymentIntervalUnit, intervals, `the interval units (${what})`);
    return {
        type: choiceOf(item.type, itemTypes, `the types of line items (${what})`),
        timing: choiceOf(item.paymentTiming, timings, `the payment timings (${what})`),
    };
}

export function validatedItem(item, what) {
    if (item === null || typeof item !== "object") { throw wrong(`${what} must have a label and an amount.`); }
    const { type, timing } = itemNames(item, what);
    return {
        label: requiredText(item, "label", what), type, timing,
        // A pending line item needs no amount.
        amount: type === "pending" ? undefined : amountText(item.amount, what),
    };
}

export function validatedItems(items, what) {
    if (items === undefined) { return []; }
    return sequenceOf(items, what, (item, index) => validatedItem(item, `${what}[${index}]`));
}

/// WebKit takes any number of decimals. The token has the amount in the currency's smallest unit, and what is less than
/// that has no place in it: better refused here than at the pay button, of which the page hears nothing.
function requireDecimals(amount, currencyCode) {
    const decimals = decimalsOf(currencyCode);
    if (/[1-9]/.test((amount.split(".")[1] ?? "").slice(decimals))) {
        throw wrong(`"${amount}" is less than the smallest unit of ${currencyCode}, which has ${decimals} decimals.`);
    }
}

/// Apple's PaymentRequestValidator: validateTotal.
export function validatedTotal(given, currencyCode) {
    if (given === undefined || given === null) { throw wrong("The request has no total."); }
    const total = dictionaryOf(given, "The total");
    const label = requiredText(total, "label", "The total");
    if (total.amount === undefined || total.amount === null) { throw wrong("The total has no amount."); }
    const amount = amountText(total.amount, "total");
    const { type } = itemNames(total, "total");
    if (isNegative(amount)) { throw wrong("Total amount must not be negative."); }
    const [whole, fraction = ""] = amount.split(".");
    const isTooBig = BigInt(whole + fraction) > totalMax * 10n ** BigInt(fraction.length);
    if (isTooBig) { throw wrong("Total amount is too big."); }
    requireDecimals(amount, currencyCode);
    return { label, amount, type };
}

export function validatedShippingMethods(methods) {
    return sequenceOf(methods, "shippingMethods", (given) => {
        const method = dictionaryOf(given, "A shipping method");
        const text = (name) => requiredText(method, name, "A shipping method");
        const [label, detail, identifier] = [text("label"), text("detail"), text("identifier")];
        const amount = amountText(text("amount"), "shippingMethods");
        if (isNegative(amount)) { throw wrong("A shipping method must not cost less than zero."); }
        return { label, detail, amount, identifier, selected: method.selected === true };
    });
}
