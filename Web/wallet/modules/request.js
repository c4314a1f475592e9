//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a payment request may hold (Apple Pay JS API: ApplePayPaymentRequest).

import { updatedAgreements, validatedAgreements } from "./agreements.js";
import { isCountry } from "./countries.js";
import { wrong } from "./errors.js";
import { validatedErrors } from "./events.js";
import { choiceOf } from "./idl.js";
import { validatedItems, validatedShippingMethods, validatedTotal } from "./line-items.js";

/// Network names and the version of the API that brought them.
const networks = new Map(Object.entries({
    amex: 1, chinaUnionPay: 1, discover: 1, interac: 1, masterCard: 1, privateLabel: 1, visa: 1,
    jcb: 2,
    cartesBancaires: 4, eftpos: 4, electron: 4, maestro: 4, vPay: 4,
    elo: 5, mada: 5,
    bancomat: 8, bancontact: 8, dankort: 8, girocard: 8, meeza: 8, mir: 8, nanaco: 8, nspk: 8, postFinance: 8, tmoney: 8,
    waon: 8, barcode: 8, himyan: 8, jaywan: 8, myDebit: 8, napas: 8, paypak: 8, pagoBancomat: 8,
}).map(([name, version]) => [name.toLowerCase(), version]));
const capabilities = ["supports3DS", "supportsEMV", "supportsCredit", "supportsDebit"];
const contactFields = ["email", "name", "phone", "phoneticName", "postalAddress"];
const shippingTypes = ["shipping", "delivery", "storePickup", "servicePickup"];
/// `enabled` is what `available` was called before.
const editingModes = ["available", "enabled", "storePickup"];

const applicationDataBytesMax = 4096;
/// The lists of capabilities of which the console has been notified: a PaymentRequest's are looked at a second time.
const warnedOf = new WeakSet();

const isCurrency = (code) => /^[A-Z]{3}$/.test(code)
    && (Intl.supportedValuesOf === undefined || Intl.supportedValuesOf("currency").includes(code));

function validatedNames(list, allowed, what) {
    const names = [...new Set(Array.from(list ?? [], String))];
    for (const name of names) {
        if (!allowed.includes(name)) { throw wrong(`"${name}" is not one of ${what}.`); }
    }
    return names;
}

function validatedNetworks(list, version) {
    if (list === undefined) { throw wrong("The request has no supportedNetworks."); }
    const names = Array.from(list, String);
    if (names.length === 0) { throw wrong("The request's supportedNetworks are empty."); }
    for (const name of names) {
        const since = networks.get(name.toLowerCase());
        if (since === undefined) { throw wrong(`"${name}" is not a payment network.`); }
        if (since > version && since <= 5) {
            throw wrong(`The network "${name}" needs version ${since} of the API; this session asks for ${version}.`);
        }
    }
    // In any case: what is named twice is one network.
    return names.filter((name, index) =>
        names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index);
}

/// Every request must have it ("You must include the supports3DS value", merchantCapabilities). WebKit makes a session
/// without it, too, and the payment fails in the sheet, of which the page hears nothing.
function validatedCapabilities(list) {
    const names = validatedNames(list, capabilities, "the merchant capabilities");
    if (names.length === 0) { throw wrong("The request has no merchantCapabilities; they must hold supports3DS."); }
    if (!names.includes("supports3DS") && !warnedOf.has(list)) {
        warnedOf.add(list);
        console.warn("[Pomona wallet simulator] merchantCapabilities lack supports3DS: the payment will be refused.");
    }
    return names;
}

/// "A Base64-encoded string" (Apple Pay on the Web, ApplePayRequest.applicationData), in its one way of writing.
function validatedApplicationData(given) {
    if (given === undefined || given === null) { return undefined; }
    const text = String(given);
    let bytes;
    try {
        bytes = atob(text);
    } catch {
        bytes = undefined;
    }
    if (bytes === undefined || bytes.length > applicationDataBytesMax || btoa(bytes) !== text) {
        throw wrong(`applicationData must be base64, with its padding, of at most ${applicationDataBytesMax} bytes.`);
    }
    return text;
}

/// Apple's ApplePayContactField: the phonetic name came with version 3.
function validatedFields(list, version, what) {
    const names = validatedNames(list, contactFields, what);
    if (version < 3 && names.includes("phoneticName")) {
        throw wrong(`"phoneticName" needs version 3 of the API (${what}); this session asks for ${version}.`);
    }
    return names;
}

function checkCountries({ countryCode, supportedCountries }) {
    if (countryCode === undefined) { throw wrong("The request has no countryCode."); }
    if (!isCountry(countryCode)) { throw wrong(`"${countryCode}" is not a country code (ISO 3166-1, two letters).`); }
    for (const country of supportedCountries ?? []) {
        if (!isCountry(country)) { throw wrong(`"${country}" in supportedCountries is not a country code.`); }
    }
}

function checkCurrency({ currencyCode }) {
    if (currencyCode === undefined) { throw wrong("The request has no currencyCode."); }
    if (!isCurrency(currencyCode)) {
        throw wrong(`"${currencyCode}" is not a currency code (ISO 4217, three letters).`);
    }
}

/// What the shop answers a change with, or a TypeError that says what is wrong with it.
///
/// - Parameter request: as the session keeps it.
export function validatedUpdate(update, { currencyCode, agreements }) {
    if (update === null || typeof update !== "object") { throw wrong("The update must be an object with a newTotal."); }
    const { newTotal, newLineItems, newShippingMethods, errors } = update;
    const total = validatedTotal(newTotal, currencyCode);
    return {
        errors: validatedErrors(errors), total,
        agreements: validatedAgreements(updatedAgreements(update), total.amount, agreements),
        items: newLineItems === undefined ? undefined : validatedItems(newLineItems, "newLineItems"),
        methods: newShippingMethods === undefined ? undefined : validatedShippingMethods(newShippingMethods),
    };
}

/// What a request holds in both interfaces, without the amounts (WebKit: ApplePayRequestBase), or a TypeError.
export function validatedBase(request, version) {
    if (request === null || typeof request !== "object") { throw wrong("The payment request must be an object."); }
    checkCountries(request);
    const { requiredShippingContactFields, requiredBillingContactFields, shippingContactEditingMode } = request;
    return {
        supportedNetworks: validatedNetworks(request.supportedNetworks, version),
        requiredShipping: validatedFields(requiredShippingContactFields, version, "requiredShippingContactFields"),
        requiredBilling: validatedFields(requiredBillingContactFields, version, "requiredBillingContactFields"),
        shippingContact: request.shippingContact, billingContact: request.billingContact,
        editingMode: choiceOf(shippingContactEditingMode, editingModes, "the editing modes of the shipping contact"),
        supportsCouponCode: request.supportsCouponCode === true, couponCode: String(request.couponCode ?? ""),
        countryCode: request.countryCode, merchantCapabilities: validatedCapabilities(request.merchantCapabilities),
        applicationData: validatedApplicationData(request.applicationData),
    };
}

/// The request as the session keeps it, or a TypeError that says what is wrong with it.
export function validatedRequest(request, version) {
    const base = validatedBase(request, version);
    checkCurrency(request);
    const total = validatedTotal(request.total, request.currencyCode);
    return {
        ...base, currencyCode: request.currencyCode, total, agreements: validatedAgreements(request, total.amount),
        lineItems: validatedItems(request.lineItems, "lineItems"),
        shippingMethods: validatedShippingMethods(request.shippingMethods ?? []),
        shippingType: choiceOf(request.shippingType, shippingTypes, "the shipping types"),
    };
}
