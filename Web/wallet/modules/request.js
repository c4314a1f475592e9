//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a payment request may hold (Apple Pay JS API: ApplePayPaymentRequest).

import { wrong } from "./errors.js";

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
const notCountries = ["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"];

function isCountry(code) {
    if (!/^[A-Z]{2}$/.test(code) || notCountries.includes(code)) { return false; }
    return new Intl.DisplayNames(["en"], { type: "region", fallback: "none" }).of(code) !== undefined;
}

const isCurrency = (code) => /^[A-Z]{3}$/.test(code)
    && (Intl.supportedValuesOf === undefined || Intl.supportedValuesOf("currency").includes(code));

/// A decimal number with a point, as text. Numbers are taken as JavaScript writes them, as any DOMString is.
function amountText(amount, what) {
    const text = String(amount);
    if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) { throw wrong(`"${text}" is not an amount (${what}).`); }
    return text;
}

function validatedItem(item, what) {
    if (item === null || typeof item !== "object") { throw wrong(`${what} must be an object with a label and an amount.`); }
    const type = item.type ?? "final";
    if (!["final", "pending"].includes(type)) { throw wrong(`"${type}" is not a type of line item: final or pending.`); }
    if (item.label === undefined) { throw wrong(`${what} has no label.`); }
    // A pending line item needs no amount.
    return {
        label: String(item.label), type,
        amount: type === "pending" ? undefined : amountText(item.amount, what),
    };
}

function validatedTotal(total) {
    if (total === undefined || total === null) { throw wrong("The request has no total."); }
    if (total.label === undefined) { throw wrong("The total has no label."); }
    if (total.amount === undefined || total.amount === null) { throw wrong("The total has no amount."); }
    const amount = amountText(total.amount, "total");
    if (amount.startsWith("-") && /[1-9]/.test(amount)) { throw wrong("The total must not be negative."); }
    return { label: String(total.label), amount, type: total.type === "pending" ? "pending" : "final" };
}

function validatedItems(items, what) {
    if (items === undefined) { return []; }
    if (typeof items?.[Symbol.iterator] !== "function") { throw wrong(`${what} must be a list.`); }
    return Array.from(items, (item, index) => validatedItem(item, `${what}[${index}]`));
}

function validatedShippingMethods(methods) {
    if (typeof methods?.[Symbol.iterator] !== "function") { throw wrong("shippingMethods must be a list."); }
    return Array.from(methods, (method) => {
        const amount = amountText(method?.amount, "shippingMethods");
        if (amount.startsWith("-") && /[1-9]/.test(amount)) {
            throw wrong("A shipping method must not cost less than zero.");
        }
        return {
            label: String(method.label ?? ""), detail: String(method.detail ?? ""), amount,
            identifier: String(method.identifier ?? ""), selected: method.selected === true,
        };
    });
}

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

/// What the shop answers a change with, or a TypeError that says what is wrong with it.
export function validatedUpdate(update) {
    if (update === null || typeof update !== "object") { throw wrong("The update must be an object with a newTotal."); }
    const { newTotal, newLineItems, newShippingMethods, errors } = update;
    return {
        total: validatedTotal(newTotal),
        items: newLineItems === undefined ? undefined : validatedItems(newLineItems, "newLineItems"),
        methods: newShippingMethods === undefined ? undefined : validatedShippingMethods(newShippingMethods),
        errors: Array.from(errors ?? []),
    };
}

/// The request as the session keeps it, or a TypeError that says what is wrong with it.
export function validatedRequest(request, version) {
    if (request === null || typeof request !== "object") { throw wrong("The payment request must be an object."); }
    const merchantCapabilities = validatedNames(request.merchantCapabilities, capabilities, "the merchant capabilities");
    const result = {
        supportedNetworks: validatedNetworks(request.supportedNetworks, version),
        total: validatedTotal(request.total),
        lineItems: validatedItems(request.lineItems, "lineItems"),
        shippingMethods: validatedShippingMethods(request.shippingMethods ?? []),
        shippingType: request.shippingType ?? "shipping",
        requiredShipping: validatedNames(request.requiredShippingContactFields, contactFields, "the contact fields"),
        requiredBilling: validatedNames(request.requiredBillingContactFields, contactFields, "the contact fields"),
        shippingContact: request.shippingContact, billingContact: request.billingContact,
        editingMode: request.shippingContactEditingMode ?? "available",
        supportsCouponCode: request.supportsCouponCode === true, couponCode: String(request.couponCode ?? ""),
        countryCode: request.countryCode, currencyCode: request.currencyCode, merchantCapabilities,
        applicationData: request.applicationData,
    };
    if (!shippingTypes.includes(result.shippingType)) { throw wrong(`"${result.shippingType}" is not a shipping type.`); }
    if (request.countryCode === undefined) { throw wrong("The request has no countryCode."); }
    if (!isCountry(request.countryCode)) {
        throw wrong(`"${request.countryCode}" is not a country code (ISO 3166, two letters).`);
    }
    if (request.currencyCode === undefined) { throw wrong("The request has no currencyCode."); }
    if (!isCurrency(request.currencyCode)) {
        throw wrong(`"${request.currencyCode}" is not a currency code (ISO 4217, three letters).`);
    }
    if (merchantCapabilities.length === 0) {
        throw wrong("The request has no merchantCapabilities; they must hold supports3DS.");
    }
    for (const country of request.supportedCountries ?? []) {
        if (!isCountry(country)) { throw wrong(`"${country}" in supportedCountries is not a country code.`); }
    }
    return result;
}
