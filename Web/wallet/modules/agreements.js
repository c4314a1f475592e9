//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Payments to come, and tokens for several merchants. The sheet shows none of it; what is wrong with it is refused as
// WebKit does it (ApplePaySession.cpp, convertAndValidate; the members that must be there are those of its .idl files).

import { wrong } from "./errors.js";
import { amountText, dictionaryOf, requireURL, requiredText, sequenceOf } from "./idl.js";
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
    amountText(requiredText(context, "amount", "A token context"), "multiTokenContexts");
}

const agreements = {
    recurringPaymentRequest: checkRecurring, automaticReloadPaymentRequest: checkAutomaticReload,
    deferredPaymentRequest: checkDeferred,
};

/// - Throws: a TypeError that says what is wrong.
export function checkAgreements(request) {
    for (const [name, check] of Object.entries(agreements)) {
        if (request[name] !== undefined) { check(dictionaryOf(request[name], name)); }
    }
    if (request.multiTokenContexts !== undefined) {
        sequenceOf(request.multiTokenContexts, "multiTokenContexts", checkContext);
    }
}
