//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a payment request may hold (Apple Pay JS API: ApplePayPaymentRequest).

import { checkAgreements } from "./agreements.js";
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
const notCountries = ["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"];

function isCountry(code) {
    if (!/^[A-Z]{2}$/.test(code) || notCountries.includes(code)) { return false; }
    return new Intl.DisplayNames(["en"], { type: "region", fallback: "none" }).of(code) !== undefined;
}

const isCurrency = (code) => /^[A-Z]{3}$/.test(code)
    && (Intl.supportedValuesOf === undefined || Intl.supportedValuesOf("currency").includes(code));

function validatedNames(list, allowed, what) {
    const names = Array.from(list ?? [], String);
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
    return names;
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
    if (!isCountry(countryCode)) { throw wrong(`"${countryCode}" is not a country code (ISO 3166, two letters).`); }
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
export function validatedUpdate(update, currencyCode) {
    if (update === null || typeof update !== "object") { throw wrong("The update must be an object with a newTotal."); }
    const { newTotal, newLineItems, newShippingMethods, errors } = update;
    return {
        errors: validatedErrors(errors),
        total: validatedTotal(newTotal, currencyCode),
        items: newLineItems === undefined ? undefined : validatedItems(newLineItems, "newLineItems"),
        methods: newShippingMethods === undefined ? undefined : validatedShippingMethods(newShippingMethods),
    };
}

/// What a request holds in both interfaces, without the amounts (WebKit: ApplePayRequestBase), or a TypeError.
export function validatedBase(request, version) {
    if (request === null || typeof request !== "object") { throw wrong("The payment request must be an object."); }
    checkCountries(request);
    const { requiredShippingContactFields, requiredBillingContactFields, shippingContactEditingMode } = request;
    const merchantCapabilities = validatedNames(
        request.merchantCapabilities, capabilities, "the merchant capabilities");
    if (merchantCapabilities.length === 0) {
        throw wrong("The request has no merchantCapabilities; they must hold supports3DS.");
    }
    return {
        supportedNetworks: validatedNetworks(request.supportedNetworks, version),
        requiredShipping: validatedFields(requiredShippingContactFields, version, "requiredShippingContactFields"),
        requiredBilling: validatedFields(requiredBillingContactFields, version, "requiredBillingContactFields"),
        shippingContact: request.shippingContact, billingContact: request.billingContact,
        editingMode: choiceOf(shippingContactEditingMode, editingModes, "the editing modes of the shipping contact"),
        supportsCouponCode: request.supportsCouponCode === true, couponCode: String(request.couponCode ?? ""),
        countryCode: request.countryCode, merchantCapabilities, applicationData: request.applicationData,
    };
}

/// The request as the session keeps it, or a TypeError that says what is wrong with it.
export function validatedRequest(request, version) {
    const base = validatedBase(request, version);
    checkCurrency(request);
    checkAgreements(request);
    return {
        ...base, currencyCode: request.currencyCode,
        total: validatedTotal(request.total, request.currencyCode),
        lineItems: validatedItems(request.lineItems, "lineItems"),
        shippingMethods: validatedShippingMethods(request.shippingMethods ?? []),
        shippingType: choiceOf(request.shippingType, shippingTypes, "the shipping types"),
    };
}
