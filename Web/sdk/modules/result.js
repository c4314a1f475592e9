//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What getPrime's callback gets.

import { messageOf, Status } from './codes.js';

const cardInfoTexts = Object.freeze([
    'bincode', 'lastfour', 'issuer', 'issuer_zh_tw', 'bank_id', 'level', 'country', 'countrycode',
]);

const UNKNOWN = -1;

/** ApplePayPaymentMethod.type and .network, in small letters, as the gateway numbers them. */
const fundings = new Map([['credit', 0], ['debit', 1], ['prepaid', 2]]);
const cardTypes = new Map([['visa', 1], ['mastercard', 2], ['jcb', 3], ['chinaunionpay', 4], ['amex', 5]]);

function wholeOr(value, fallback) {
    return Number.isSafeInteger(value) ? value : fallback;
}

function readCardInfo(raw) {
    const info = raw || {};
    const result = {};
    for (const name of cardInfoTexts) {
        result[name] = typeof info[name] === 'string' ? info[name] : '';
    }
    result.funding = wholeOr(info.funding, UNKNOWN);
    result.type = wholeOr(info.type, UNKNOWN);
    return result;
}

/**
 * The result's `card`: the buyer's own card as the sheet shows it, and not the device's account, whose digits are
 * those of `card_info`.
 *
 * @param {{displayName: string, network: string, type: string}|undefined} paymentMethod Of Apple's token.
 * @returns {{lastfour: string, funding: number, type: number}}
 */
export function cardOf(paymentMethod) {
    const { displayName, network, type } = paymentMethod || {};
    const digits = typeof displayName === 'string' ? /([0-9]{4})\s*$/.exec(displayName) : null;
    const numberOf = (numbers, name) => numbers.get(typeof name === 'string' ? name.toLowerCase() : '') ?? UNKNOWN;
    return {
        lastfour: digits ? digits[1] : '',
        funding: numberOf(fundings, type),
        type: numberOf(cardTypes, network),
    };
}

/**
 * The result of a payment that got its prime.
 *
 * @param {{status: number, msg: string, reply: object}} answer The gateway's.
 * @param {object} sheet What the sheet gave: total_amount, payer, shippingAddress, billingAddress, shippingOption,
 *     card, requestId.
 * @returns {object}
 */
export function successResult(answer, sheet) {
    const { reply } = answer;
    const cardInfo = readCardInfo(reply.card_info);
    const result = {
        status: answer.status,
        msg: answer.msg,
        prime: reply.prime,
        prime_expiry_millis: wholeOr(reply.prime_expiry_millis, 0),
        client_ip: typeof reply.client_ip === 'string' ? reply.client_ip : '',
        methodName: 'apple_pay',
        ...sheet,
        card_info: cardInfo,
    };
    const codes = reply.merchant_reference_info && reply.merchant_reference_info.affiliate_codes;
    if (Array.isArray(codes)) {
        result.merchant_reference_info = { affiliate_codes: codes.map(String) };
    }
    return result;
}

/**
 * The result of a payment that got none.
 *
 * @param {number} status
 * @param {string} [detail] Added to the status's message.
 * @param {Error} [originalError] For 404 and -5: what the browser or the page did.
 * @returns {{status: number, msg: string, originalError: (Error|undefined)}}
 */
export function failureResult(status, detail, originalError) {
    const result = { status, msg: messageOf(status, detail) };
    if (originalError !== undefined) {
        result.originalError = originalError;
    }
    return result;
}

/**
 * The result of a payment that the gateway refused, with its sentence about what to do where it gave one.
 *
 * @param {{status: number, msg: string, reply: object}} answer
 * @returns {{status: number, msg: string, detail: (string|undefined)}}
 */
export function refusedResult(answer) {
    const { status, msg, reply } = answer;
    const hasDetail = typeof reply.detail === 'string' && reply.detail !== '';
    return hasDetail ? { status, msg, detail: reply.detail } : { status, msg };
}

/**
 * The result of a sheet that the buyer closed.
 *
 * @returns {{status: number, msg: string}}
 */
export function cancelledResult() {
    return failureResult(Status.cancelled, 'the payment sheet was closed before the payment was done');
}

/**
 * A name for one payment request: 128 random bits in hex.
 *
 * @returns {string}
 */
export function newRequestId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
