//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Contacts: made-up people, and what the shop learns of them at which time.

import { phone } from "./phone.js";

const contact = (countryCode, givenName, familyName, lines, locality, area, postalCode, phoneNumber, rest = {}) => ({
    givenName, familyName, phoneticGivenName: "", phoneticFamilyName: "", emailAddress: "sample.shopper@example.com",
    phoneNumber, addressLines: lines, subLocality: "", locality, subAdministrativeArea: "", administrativeArea: area,
    postalCode, countryCode, ...rest,
});

/// Made-up people, one for each country that a demo may ask for.
export const sampleContacts = {
    CA: contact("CA", "Robin", "Tremblay", ["18 Sample Street"], "Ottawa", "ON", "K1A 0B1", "+1 613 555 0134"),
    DE: contact("DE", "Jana", "Muster", ["Musterstraße 12"], "Berlin", "", "10115", "+49 30 23125 014"),
    GB: contact("GB", "Alex", "Sample", ["4 Example Lane"], "London", "", "SW1A 1AA", "+44 20 7946 0018"),
    TW: contact("TW", "Mei-Ling", "Chen", ["12 Sample Road, Section 1"], "Taipei City", "", "100", "+886 2 5550 0123",
        { subLocality: "Zhongzheng District" }),
    US: contact("US", "Jamie", "Sample", ["12 Example Avenue"], "San Jose", "CA", "95113", "+1 408 555 0118"),
};

export const countryName = (code) => {
    try {
        return new Intl.DisplayNames(["en"], { type: "region" }).of(code);
    } catch {
        return code;
    }
};

const postalFields = [
    "addressLines", "subLocality", "locality", "subAdministrativeArea", "administrativeArea", "postalCode", "countryCode",
];
const nameFields = ["givenName", "familyName", "phoneticGivenName", "phoneticFamilyName"];

/// What the sheet begins with: the shop's contact, and for what it says nothing of a made-up person's. An address or a
/// name of which it gives a part is its own: nobody lives in half of one and half of another.
export function startingContact(kind, request) {
    const sample = sampleContacts[request.countryCode] ?? sampleContacts.US;
    const contact = Object(request[kind === "shipping" ? "shippingContact" : "billingContact"]);
    const given = Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== undefined));
    const blank = {};
    for (const fields of [[...postalFields, "country"], nameFields]) {
        if (!fields.some((field) => given[field] !== undefined)) { continue; }
        for (const field of fields) { blank[field] = field === "addressLines" ? [] : ""; }
    }
    return { ...sample, ...phone.contacts[`${kind}-${request.countryCode}`], ...blank, ...given };
}

/// By its code; a shop's contact may have the name alone.
const countryOf = ({ countryCode, country }) => countryCode ? countryName(countryCode) : country ?? "";

/// An address comes with the name (Apple Pay on the Web, requiredBillingContactFields: "You'll receive the postal
/// address as well as the user's name").
export const asksForName = (required) => required.includes("name") || required.includes("postalAddress");

/// Only the parts that the request asks for, as the authorized payment carries them.
export function requestedContact(full, required) {
    const parts = {};
    if (asksForName(required)) { Object.assign(parts, { givenName: full.givenName, familyName: full.familyName }); }
    if (required.includes("phoneticName")) {
        Object.assign(parts, { phoneticGivenName: full.phoneticGivenName, phoneticFamilyName: full.phoneticFamilyName });
    }
    if (required.includes("email")) { parts.emailAddress = full.emailAddress; }
    if (required.includes("phone")) { parts.phoneNumber = full.phoneNumber; }
    if (required.includes("postalAddress")) {
        for (const field of postalFields) { parts[field] = full[field]; }
        parts.country = countryOf(full);
    }
    return parts;
}

/// The contacts of an authorized payment: those that the shop has asked for.
export function requestedContacts({ shipping, billing }, { requiredShipping, requiredBilling }) {
    return {
        ...(requiredBilling.length > 0 && { billingContact: requestedContact(billing, requiredBilling) }),
        ...(requiredShipping.length > 0 && { shippingContact: requestedContact(shipping, requiredShipping) }),
    };
}

/// Where a whole postal code can be one house, its first part alone: all but the last three letters and digits, with a
/// blank before them or without. What is no longer than a first part is one.
function redactedPostalCode({ countryCode, postalCode }) {
    if (!["CA", "GB"].includes(String(countryCode).toUpperCase())) { return postalCode; }
    const code = String(postalCode ?? "").replace(/[^\p{L}\p{N}]/gu, "");
    return code.length > 4 ? code.slice(0, -3) : code;
}

/// What the shop sees before the payment is authorized: enough to ship and tax, not enough to know who it is.
export function redactedContact(full) {
    return {
        addressLines: [], familyName: "", givenName: "", phoneticFamilyName: "", phoneticGivenName: "",
        administrativeArea: full.administrativeArea, country: countryOf(full), countryCode: full.countryCode,
        locality: full.locality, postalCode: redactedPostalCode(full),
        subAdministrativeArea: full.subAdministrativeArea, subLocality: full.subLocality,
    };
}

/// What the shop learns of a card before the payment is authorized: its kind; and the billing contact where it asks for
/// the address of that and for no other ("PassKit populates this property only when the app doesn't request a shipping
/// address", PKPaymentMethod.billingAddress, of which ApplePayPaymentMethod.billingContact is made).
export function selectedMethod(card, { billing }, { requiredShipping, requiredBilling }) {
    const isAsked = requiredBilling.includes("postalAddress") && !requiredShipping.includes("postalAddress");
    return { type: card.type, ...(isAsked && { billingContact: redactedContact(billing) }) };
}
