//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Buyers' contacts: Apple's words and those of the Payment Request API, turned into the one form of the result.

const eastAsianName = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;

function text(value) {
    return typeof value === 'string' ? value : '';
}

function texts(value) {
    return value === null || value === undefined ? [] : Array.from(value, text);
}

/** Family name first and unspaced where both names are written in an East Asian script. */
function fullName(contact) {
    const [given, family] = [text(contact.givenName), text(contact.familyName)];
    if (eastAsianName.test(given) && eastAsianName.test(family)) {
        return family + given;
    }
    return [given, family].filter((name) => name !== '').join(' ');
}

/**
 * An address of the result.
 *
 * @param {object} [contact] Apple's ApplePayPaymentContact.
 * @returns {object} All fields, empty where the wallet gave nothing.
 */
export function addressOfContact(contact = {}) {
    return {
        country: text(contact.countryCode) || text(contact.country),
        addressLine: texts(contact.addressLines),
        region: text(contact.administrativeArea),
        city: text(contact.locality),
        dependentLocality: text(contact.subLocality),
        postalCode: text(contact.postalCode),
        sortingCode: '',
        languageCode: '',
        organization: '',
        recipient: fullName(contact),
        phone: text(contact.phoneNumber),
    };
}

/**
 * The payer of the result, from the contact that the sheet asked for.
 *
 * @param {object} [contact] Apple's ApplePayPaymentContact.
 * @returns {{name: string, phone: string, email: string}}
 */
export function payerOfContact(contact = {}) {
    return { name: fullName(contact), phone: text(contact.phoneNumber), email: text(contact.emailAddress) };
}

/**
 * An address of the result, from the Payment Request API's.
 *
 * @param {object|null} [address] A PaymentAddress (ContactAddress).
 * @returns {object}
 */
export function addressOfPaymentAddress(address) {
    const source = address || {};
    return {
        country: text(source.country),
        addressLine: texts(source.addressLine),
        region: text(source.region),
        city: text(source.city),
        dependentLocality: text(source.dependentLocality),
        postalCode: text(source.postalCode),
        sortingCode: text(source.sortingCode),
        languageCode: text(source.languageCode),
        organization: text(source.organization),
        recipient: text(source.recipient),
        phone: text(source.phone),
    };
}

/**
 * The payer of the result, from a PaymentResponse.
 *
 * @param {object} response
 * @returns {{name: string, phone: string, email: string}}
 */
export function payerOfResponse(response) {
    return { name: text(response.payerName), phone: text(response.payerPhone), email: text(response.payerEmail) };
}
