//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a PaymentRequest says of amounts and options (W3C Payment Request API, "PaymentDetailsBase dictionary"), checked,
// and as Apple's sheet takes it. How one becomes the other is WebKit's, ApplePayPaymentHandler.cpp.

import { validatedAgreements } from "./agreements.js";
import { wrong } from "./errors.js";
import { ApplePayError, validatedErrors } from "./events.js";
import { amountText, choiceOf, dictionaryOf, isNegative, requiredText, sequenceOf } from "./idl.js";

/// By W3C's name.
const appleShippingTypes = { shipping: "shipping", delivery: "delivery", pickup: "storePickup" };
const cardTypes = ["debit", "credit", "prepaid", "store"];
const addressFields = {
    addressLine: "addressLines", city: "locality", country: "country", dependentLocality: "subLocality",
    phone: "phoneNumber", postalCode: "postalCode", recipient: "name", region: "administrativeArea",
};
const payerFields = { name: "name", email: "emailAddress", phone: "phoneNumber" };
const payerOptions = { name: "requestPayerName", email: "requestPayerEmail", phone: "requestPayerPhone" };

/// Host and path alone are asked for, as WebKit does it.
export function isApplePay(identifier) {
    try {
        const { protocol, host, pathname } = new URL(identifier);
        return protocol === "https:" && host === "apple.com" && pathname === "/apple-pay";
    } catch {
        return false;
    }
}

// MARK: Checking

function checkedAmount(given, what) {
    const amount = dictionaryOf(given, what);
    const [currency, value] = ["currency", "value"].map((name) => requiredText(amount, name, what));
    if (!/^[A-Za-z]{3}$/.test(currency)) { throw new RangeError(`"${currency}" is not a valid currency code.`); }
    return { currency: currency.toUpperCase(), value: amountText(value, what) };
}

function checkedItem(given, what) {
    const item = dictionaryOf(given, what);
    if (item.amount === undefined) { throw wrong(`${what} has no amount.`); }
    return {
        label: requiredText(item, "label", what), amount: checkedAmount(item.amount, `The amount of ${what}`),
        pending: Boolean(item.pending),
    };
}

function checkedTotal(given) {
    const total = checkedItem(given, "The total");
    if (isNegative(total.amount.value)) { throw wrong("Total currency values cannot be negative."); }
    return total;
}

const checkedItems = (list, what) => sequenceOf(list, what, (item) => checkedItem(item, `An item of ${what}`));

function checkedOptions(list) {
    const options = sequenceOf(list, "shippingOptions", (given) => {
        const { label, amount } = checkedItem(given, "A shipping option");
        return { id: requiredText(given, "id", "A shipping option"), label, amount, selected: Boolean(given.selected) };
    });
    if (new Set(options.map(({ id }) => id)).size < options.length) { throw wrong("Shipping option IDs must be unique."); }
    return options;
}

function checkedModifier(given) {
    const modifier = dictionaryOf(given, "A modifier");
    const { total, additionalDisplayItems = [], data } = modifier;
    return {
        supportedMethods: requiredText(modifier, "supportedMethods", "A modifier"),
        total: total === undefined ? undefined : checkedTotal(total),
        additionalDisplayItems: checkedItems(additionalDisplayItems, "additionalDisplayItems"),
        data: data === undefined ? undefined : dictionaryOf(data, "A modifier's data"),
    };
}

/// What a request is made with, or updated with: only what there is in it.
///
/// - Throws: a TypeError or a RangeError.
export function checkedDetails(given, { requestShipping }) {
    const details = dictionaryOf(given, "The details");
    const { total, displayItems, shippingOptions, modifiers } = details;
    return {
        ...(total !== undefined && { total: checkedTotal(total) }),
        ...(displayItems !== undefined && { displayItems: checkedItems(displayItems, "displayItems") }),
        ...(shippingOptions !== undefined && requestShipping && { shippingOptions: checkedOptions(shippingOptions) }),
        ...(modifiers !== undefined && { modifiers: sequenceOf(modifiers, "modifiers", checkedModifier) }),
    };
}

/// The last of those that are selected.
export const selectedOption = (options) => options.findLast((option) => option.selected)?.id ?? null;

export function checkedPaymentOptions(given) {
    const options = dictionaryOf(given, "The options");
    const names = [
        "requestPayerName", "requestPayerEmail", "requestPayerPhone", "requestShipping", "requestBillingAddress",
    ];
    return {
        ...Object.fromEntries(names.map((name) => [name, Boolean(options[name])])),
        shippingType: choiceOf(options.shippingType, Object.keys(appleShippingTypes), "the shipping types"),
    };
}

// MARK: As Apple's sheet takes it

/// A payment has one currency, its first total's: in that the token is made, whatever an update says.
///
/// - Parameter details: the whole of a request's, or what it is updated with.
/// - Throws: a TypeError.
export function requireCurrency({ total, displayItems = [], shippingOptions = [], modifiers = [] }, currency) {
    const own = modifiers.filter(({ supportedMethods }) => isApplePay(supportedMethods));
    const priced = [
        total, ...displayItems, ...shippingOptions,
        ...own.flatMap((modifier) => [modifier.total, ...modifier.additionalDisplayItems]),
    ];
    const other = priced.find((item) => item !== undefined && item.amount.currency !== currency);
    if (other !== undefined) {
        throw wrong(`"${other.amount.currency}" does not match the expected currency of "${currency}". `
            + "Apple Pay requires all PaymentCurrencyAmounts to use the same currency code.");
    }
}

const lineItem = ({ label, amount, pending }) => ({ label, amount: amount.value, type: pending ? "pending" : "final" });

/// What is to be paid under a modifier, or without one.
const dueOf = (modifier, total) => modifier?.data?.total ?? lineItem(modifier?.total ?? total);

/// The first of Apple Pay's modifiers that is for every card, or for the one that is chosen.
function modifierFor({ modifiers, total }, cardType) {
    return modifiers.find((modifier) => {
        const { supportedMethods, data } = modifier;
        if (data === undefined || !isApplePay(supportedMethods)) { return false; }
        validatedAgreements(data, amountText(dueOf(modifier, total).amount, "total"));
        return data.paymentMethodType === undefined
            || choiceOf(data.paymentMethodType, cardTypes, "the types of payment methods") === cardType;
    });
}

/// Total, lines and shipping methods, under the names of ApplePaySession's requests.
///
/// - Parameters:
///   - shippingOption: the id of the one that is chosen, or null.
///   - cardType: of the chosen card: "credit"; undefined while there is none.
export function sheetDetails(details, shippingOption, cardType) {
    const { total, displayItems, shippingOptions } = details;
    const modifier = modifierFor(details, cardType);
    const { additionalLineItems = [], additionalShippingMethods = [] } = modifier?.data ?? {};
    const items = [...displayItems, ...(modifier?.additionalDisplayItems ?? [])];
    return {
        total: dueOf(modifier, total),
        lineItems: [...items.map(lineItem), ...additionalLineItems],
        shippingMethods: [...shippingOptions.map(({ id, label, amount }) => ({
            ...lineItem({ label, amount }), detail: "", identifier: id, selected: id === shippingOption,
        })), ...additionalShippingMethods],
    };
}

/// The whole as a request of ApplePaySession.
///
/// - Parameter data: the ApplePayRequest of Apple Pay's method.
export function sessionRequest(data, options, details, shippingOption) {
    requireCurrency(details, details.total.amount.currency);
    const asked = {
        email: options.requestPayerEmail, name: options.requestPayerName, phone: options.requestPayerPhone,
        postalAddress: options.requestShipping,
    };
    const union = (names, fields = []) => [...new Set([...fields, ...names])];
    return {
        ...data, currencyCode: details.total.amount.currency, ...sheetDetails(details, shippingOption),
        shippingType: options.requestShipping ? appleShippingTypes[options.shippingType] : undefined,
        requiredShippingContactFields: union(
            Object.keys(asked).filter((name) => asked[name]), data.requiredShippingContactFields),
        requiredBillingContactFields: union(
            options.requestBillingAddress ? ["postalAddress"] : [], data.requiredBillingContactFields),
    };
}

// MARK: Errors

function contactErrors(given, fields) {
    const messages = dictionaryOf(given, "The errors");
    return Object.keys(fields).filter((name) => messages[name] !== undefined)
        .map((name) => new ApplePayError("shippingContactInvalid", fields[name], messages[name]));
}

/// What the shop says is wrong, as the sheet shows it.
///
/// - Parameter given: `error`, `shippingAddress`, `payer`, `paymentMethod`: as in the errors of `retry()`.
export function sheetErrors({ error, shippingAddress, payer, paymentMethod }, options) {
    const asked = Object.fromEntries(Object.entries(payerFields).filter(([name]) => options[payerOptions[name]]));
    return [
        ...(options.requestShipping && error ? [new ApplePayError("shippingContactInvalid", undefined, error)] : []),
        ...(options.requestShipping ? contactErrors(shippingAddress, addressFields) : []),
        ...contactErrors(payer, asked),
        ...validatedErrors(paymentMethod),
    ];
}
