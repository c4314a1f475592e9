//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Reads what the page hands over (paymentRequest, setupApplePay's object, setupSDK's arguments) into frozen values of
// our own, so that nothing the page changes later reaches the payment sheet.

import { readAmount } from './amounts.js';
import { deferredRule, sheetTotal } from './cart.js';
import { SetupError } from './errors.js';
import { warn } from './warnings.js';

/** The page's names of networks and Apple's. */
const networks = Object.freeze({ AMEX: 'amex', JCB: 'jcb', MASTERCARD: 'masterCard', VISA: 'visa' });

const shippingTypes = Object.freeze(['shipping', 'delivery', 'pickup']);

/** The code for a value that is not what it must be. */
function absentOr(value) {
    return value === undefined ? 'field_missing' : 'field_malformed';
}

function requireObject(value, field) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        throw new SetupError(absentOr(value), field, 'must be an object');
    }
    return value;
}

function requireArray(value, field) {
    if (!Array.isArray(value)) {
        throw new SetupError(absentOr(value), field, 'must be an array');
    }
    return value;
}

function requireText(value, field) {
    if (typeof value !== 'string' || value.trim() === '') {
        throw new SetupError(absentOr(value), field, 'must be a string that is not empty');
    }
    return value;
}

function readFlag(value, fallback, field) {
    if (value === undefined) {
        return fallback;
    }
    if (typeof value !== 'boolean') {
        throw new SetupError('field_malformed', field, 'must be true or false');
    }
    return value;
}

/** Knows the request's one currency: the first that it meets. */
class CurrencyReader {
    constructor() {
        this.currency = null;
    }

    read(amount, field) {
        const { currency } = requireObject(amount, field);
        if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
            throw new SetupError(
                absentOr(currency), `${field}.currency`, 'must be three capital letters of ISO 4217');
        }
        if (this.currency !== null && this.currency !== currency) {
            throw new SetupError(
                'currency_differs', `${field}.currency`, 'must be the same in all amounts of the request');
        }
        this.currency = currency;
        return currency;
    }
}

function readItem(raw, index, currencies) {
    const field = `paymentRequest.displayItems[${index}]`;
    requireObject(raw, field);
    const label = requireText(raw.label, `${field}.label`);
    const isPending = readFlag(raw.isAmountPending, false, `${field}.isAmountPending`);
    if (isPending) {
        if (raw.amount !== undefined) {
            currencies.read(raw.amount, `${field}.amount`);
            if (raw.amount.value !== undefined) {
                throw new SetupError(
                    'amount_and_pending', field, 'has both isAmountPending and amount.value; choose one of them');
            }
        }
        return Object.freeze({ label, isPending, amount: 0n });
    }
    const currency = currencies.read(raw.amount, `${field}.amount`);
    return Object.freeze({ label, isPending, amount: readAmount(raw.amount.value, currency, `${field}.amount.value`) });
}

function readTotal(raw, currencies) {
    const field = 'paymentRequest.total';
    requireObject(raw, field);
    const label = requireText(raw.label, `${field}.label`);
    const isAmountPending = readFlag(raw.isAmountPending, false, `${field}.isAmountPending`);
    const isShowTotalAmount = readFlag(raw.isShowTotalAmount, true, `${field}.isShowTotalAmount`);
    let given = null;
    if (raw.amount !== undefined || !isAmountPending || currencies.currency === null) {
        const currency = currencies.read(raw.amount, `${field}.amount`);
        if (raw.amount.value !== undefined || !isAmountPending) {
            given = readAmount(raw.amount.value, currency, `${field}.amount.value`);
        }
    }
    return { label, isAmountPending, isShowTotalAmount, given };
}

function readDetail(value, field) {
    if (value !== undefined && typeof value !== 'string') {
        throw new SetupError('field_malformed', field, 'must be a string');
    }
    return value || '';
}

function readShippingOption(raw, index, currencies) {
    const field = `paymentRequest.shippingOptions[${index}]`;
    requireObject(raw, field);
    const currency = currencies.read(raw.amount, `${field}.amount`);
    const amount = readAmount(raw.amount.value, currency, `${field}.amount.value`);
    if (amount < 0n) {
        throw new SetupError('amount_malformed', `${field}.amount.value`, 'must not be negative');
    }
    return Object.freeze({
        id: requireText(raw.id, `${field}.id`),
        label: requireText(raw.label, `${field}.label`),
        detail: readDetail(raw.detail, `${field}.detail`),
        amount,
    });
}

/** Cheapest first, and in the page's order where prices are equal: the first is the one that the sheet begins with. */
function readShippingOptions(raw, currencies) {
    const options = requireArray(raw === undefined ? [] : raw, 'paymentRequest.shippingOptions')
        .map((option, index) => readShippingOption(option, index, currencies));
    if (new Set(options.map((option) => option.id)).size !== options.length) {
        throw new SetupError(
            'id_repeated', 'paymentRequest.shippingOptions', 'must have a different id for each option');
    }
    return options.sort((one, other) => (one.amount < other.amount ? -1 : Number(one.amount > other.amount)));
}

function readOptions(raw) {
    const field = 'paymentRequest.options';
    const options = requireObject(raw === undefined ? {} : raw, field);
    const shippingType = options.shippingType === undefined ? 'shipping' : options.shippingType;
    if (!shippingTypes.includes(shippingType)) {
        throw new SetupError(
            'value_unsupported', `${field}.shippingType`, "must be 'shipping', 'delivery' or 'pickup'");
    }
    return Object.freeze({
        requestPayerEmail: readFlag(options.requestPayerEmail, false, `${field}.requestPayerEmail`),
        requestPayerName: readFlag(options.requestPayerName, false, `${field}.requestPayerName`),
        requestPayerPhone: readFlag(options.requestPayerPhone, false, `${field}.requestPayerPhone`),
        requestShipping: readFlag(options.requestShipping, false, `${field}.requestShipping`),
        shippingType,
    });
}

/** Pages that also take other wallets name those wallets' networks too (DISCOVER): these are passed over. */
function readNetworks(raw) {
    const field = 'paymentRequest.supportedNetworks';
    const names = requireArray(raw, field);
    const known = names.filter((name) => typeof name === 'string' && Object.hasOwn(networks, name));
    if (known.length === 0) {
        throw new SetupError(
            'value_unsupported', field, "must hold one or more of 'VISA', 'MASTERCARD', 'JCB' and 'AMEX'");
    }
    names.forEach((name, index) => {
        if (!known.includes(name)) {
            warn(`${field}[${index}]`, "is passed over: it is none of 'VISA', 'MASTERCARD', 'JCB' and 'AMEX'");
        }
    });
    return Object.freeze([...new Set(known)].map((name) => networks[name]));
}

/**
 * Reads a paymentRequest.
 *
 * @param {object} raw The page's object.
 * @returns {object} The cart: networks, currency, items, label, amount (hundredths, before shipping), isAmountPending,
 *     isTotalPending, primeLifetime, shippingOptions and options, all frozen.
 */
export function readPaymentRequest(raw) {
    requireObject(raw, 'paymentRequest');
    const supportedNetworks = readNetworks(raw.supportedNetworks);
    if (!requireArray(raw.supportedMethods, 'paymentRequest.supportedMethods').includes('apple_pay')) {
        throw new SetupError('value_unsupported', 'paymentRequest.supportedMethods', "must hold 'apple_pay'");
    }
    const currencies = new CurrencyReader();
    const items = requireArray(raw.displayItems === undefined ? [] : raw.displayItems, 'paymentRequest.displayItems')
        .map((item, index) => readItem(item, index, currencies));
    const { label, isAmountPending, isShowTotalAmount, given } = readTotal(raw.total, currencies);
    const shippingOptions = readShippingOptions(raw.shippingOptions, currencies);
    const rule = deferredRule(items, isAmountPending, isShowTotalAmount);
    return Object.freeze({
        networks: supportedNetworks,
        currency: currencies.currency,
        items: Object.freeze(items),
        label,
        amount: sheetTotal(items, given, rule),
        isAmountPending,
        isTotalPending: rule.total === 'pending',
        primeLifetime: rule.primeLifetime,
        shippingOptions: Object.freeze(shippingOptions),
        options: readOptions(raw.options),
    });
}

/**
 * Reads the object of setupApplePay.
 *
 * @param {object} raw
 * @returns {{merchantIdentifier: string, countryCode: string}}
 */
export function readMerchant(raw) {
    requireObject(raw, 'setupApplePay');
    const countryCode = raw.countryCode === undefined ? 'TW' : raw.countryCode;
    if (typeof countryCode !== 'string' || !/^[A-Z]{2}$/.test(countryCode)) {
        throw new SetupError(
            'field_malformed', 'setupApplePay.countryCode', 'must be two capital letters of ISO 3166-1');
    }
    if (countryCode === 'UK') {
        // Reserved in ISO 3166-1, and no country's: browsers would refuse it at the sheet, in front of the buyer.
        throw new SetupError(
            'field_malformed', 'setupApplePay.countryCode',
            'is not a country code (ISO 3166-1, two letters): the United Kingdom is GB');
    }
    return Object.freeze({
        merchantIdentifier: requireText(raw.merchantIdentifier, 'setupApplePay.merchantIdentifier'),
        countryCode,
    });
}

function readHost(raw, fallback) {
    const field = 'setupSDK.serverType.host';
    let url;
    try {
        url = new URL(raw === undefined ? fallback : raw);
    } catch (error) {
        throw new SetupError(
            'field_malformed', field, 'must be the origin of the gateway, such as "https://pay.example"');
    }
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
        throw new SetupError('value_unsupported', field, 'must be https; http is for this machine only');
    }
    return url.origin;
}

/** Also in capitals, as the vendor's SDK takes it. */
function readServerType(raw) {
    const field = 'setupSDK.serverType';
    const type = typeof raw === 'string' ? raw.toLowerCase() : raw;
    if (type !== 'sandbox' && type !== 'production') {
        throw new SetupError('value_unsupported', field, "must be 'sandbox' or 'production'");
    }
    if (type !== raw) {
        warn(field, 'is read in small letters; write it so');
    }
    return type;
}

/**
 * Reads the arguments of setupSDK.
 *
 * @param {number|string} appID A whole number, or its digits.
 * @param {string} appKey
 * @param {string|{type: string, host?: string}} serverType 'sandbox' or 'production'; as an object it may name the
 *     gateway's origin too.
 * @param {string} scriptOrigin Where the SDK came from: the gateway, unless the page says otherwise.
 * @returns {{appID: number, appKey: string, serverType: string, host: string}}
 */
export function readSetup(appID, appKey, serverType, scriptOrigin) {
    const id = typeof appID === 'string' && /^[1-9][0-9]{0,14}$/.test(appID) ? Number(appID) : appID;
    if (!Number.isSafeInteger(id) || id <= 0) {
        throw new SetupError('field_malformed', 'setupSDK.appID', 'must be the whole number of the app');
    }
    const { type, host } = typeof serverType === 'object' && serverType !== null ? serverType : { type: serverType };
    return Object.freeze({
        appID: id,
        appKey: requireText(appKey, 'setupSDK.appKey'),
        serverType: readServerType(type),
        host: readHost(host, scriptOrigin),
    });
}
