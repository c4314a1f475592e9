//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Payments to come, and tokens for several merchants. The sheet shows none of it; what is wrong with it is refused as
// WebKit does it (ApplePaySession.cpp, convertAndValidate; the members that must be there are those of its .idl files).

import { wrong } from "./errors.js";
import { amountText, dictionaryOf, isNegative, requireURL, requiredText, sequenceOf } from "./idl.js";
import { validatedItem } from "./line-items.js";

function requireBilling(request, name, timing) {
    if (request[name] === undefined) { throw wrong(`The request has no ${name}.`); }
    const item = validatedItem(request[name], name);
    if (item.timing !== timing) { throw wrong(`'${name}' must be a '${timing}' line item.`); }
}

/// What the three kinds have in common.
function requireAgreement(request, what) {
    const { tokenNotificationURL } = request;
    requiredText(request, "paymentDescription", what);
    requireURL(requiredText(request, "managementURL", what), "managementURL");
    if (tokenNotificationURL !== undefined) { requireURL(String(tokenNotificationURL), "tokenNotificationURL"); }
}

function checkRecurring(request) {
    requireAgreement(request, "The recurringPaymentRequest");
    requireBilling(request, "regularBilling", "recurring");
    if (request.trialBilling !== undefined) { requireBilling(request, "trialBilling", "recurring"); }
}

function checkAutomaticReload(request) {
    requireAgreement(request, "The automaticReloadPaymentRequest");
    requireBilling(request, "automaticReloadBilling", "automaticReload");
    const { automaticReloadPaymentThresholdAmount: threshold } = request.automaticReloadBilling;
    amountText(threshold, "automaticReloadPaymentThresholdAmount");
}

function isTimeZone(name) {
    try {
        return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
    } catch {
        return false;
    }
}

function checkDeferred(request) {
    const { freeCancellationDate: date, freeCancellationDateTimeZone: zone = "" } = request;
    requireAgreement(request, "The deferredPaymentRequest");
    if (String(request.paymentDescription) === "") { throw wrong("Missing 'paymentDescription'."); }
    requireBilling(request, "deferredBilling", "deferred");
    const hasDate = date !== undefined && !Number.isNaN(Number(date));
    if (hasDate !== (zone !== "")) {
        throw wrong("'freeCancellationDate' and 'freeCancellationDateTimeZone' go together: set both or neither.");
    }
    if (hasDate && !isTimeZone(zone)) { throw wrong(`"${zone}" is not a time zone.`); }
}

function checkContext(given) {
    const context = dictionaryOf(given, "A token context");
    for (const name of ["merchantIdentifier", "externalIdentifier", "merchantName"]) {
        requiredText(context, name, "A token context");
    }
    const amount = amountText(requiredText(context, "amount", "A token context"), "multiTokenContexts");
    if (isNegative(amount)) { throw wrong("The amount of a token context must not be less than zero."); }
    return amount;
}

/// What there can be, by its name in a request. Of token contexts the amounts are kept, of others that they are there.
const checks = {
    recurringPaymentRequest: (given, name) => checkRecurring(dictionaryOf(given, name)),
    automaticReloadPaymentRequest: (given, name) => checkAutomaticReload(dictionaryOf(given, name)),
    deferredPaymentRequest: (given, name) => checkDeferred(dictionaryOf(given, name)),
    multiTokenContexts: (given, name) => sequenceOf(given, name, checkContext),
};

/// "Simultaneous use of these properties results in an error and cancels the payment request" (Apple Pay on the Web,
/// ApplePayPaymentRequest.multiTokenContexts; PassKit says it of deferred payments, too).
function requireOne(agreements) {
    const names = Object.keys(agreements).filter((name) => agreements[name] === true || agreements[name].length > 0);
    if (names.length > 1) { throw wrong(`A payment request has one of these at most: ${names.join(", ")}.`); }
}

/// "The sum of the amount of all the payment token contexts must be less than or equal to the grand total amount".
function requireCovered(amounts, total) {
    const decimals = Math.max(...[total, ...amounts].map((amount) => amount.split(".")[1]?.length ?? 0));
    const units = (amount) => {
        const [whole, fraction = ""] = amount.split(".");
        return BigInt(whole + fraction.padEnd(decimals, "0"));
    };
    if (amounts.reduce((sum, amount) => sum + units(amount), 0n) > units(total)) {
        throw wrong(`The amounts of multiTokenContexts are more than the total of ${total}.`);
    }
}

/// The agreements of a request, a modifier or an update.
///
/// - Parameters:
///   - given: has them as its members: `recurringPaymentRequest`.
///   - total: the amount that is to be paid.
///   - before: what this was called with before, and gave, for what `given` updates.
/// - Throws: a TypeError that says what is wrong.
export function validatedAgreements(given, total, before = {}) {
    const agreements = { ...before };
    for (const [name, check] of Object.entries(checks)) {
        if (given[name] !== undefined) { agreements[name] = check(given[name], name) ?? true; }
    }
    requireOne(agreements);
    requireCovered(agreements.multiTokenContexts ?? [], total);
    return agreements;
}

/// The members of an update under the names of a request: `newRecurringPaymentRequest`.
export const updatedAgreements = (update) => Object.fromEntries(
    Object.keys(checks).map((name) => [name, update[`new${name[0].toUpperCase()}${name.slice(1)}`]]));
