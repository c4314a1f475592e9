//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Every status of the web SDK has its home here, with the message of the specification (its spelling kept) and who
// raises it. The vendor's table of the web SDK lacks some with which this gateway's getprime answers a page; they have
// the message of the server's.

/** This SDK raises it. */
const raisedHere = 'sdk';
/** The gateway answers it and the SDK passes it on, with the gateway's own words. */
const fromGateway = 'gateway';
/**
 * Belongs to card forms or Google Pay, which this SDK does not have: listed so that the table is whole, raised by
 * nothing.
 */
const neverHere = 'none';

/**
 * status -> { message, raisedBy }. `raisedBy` is 'sdk', 'gateway' or 'none'.
 *
 * @type {ReadonlyMap<number, {message: string, raisedBy: string}>}
 */
export const codes = new Map([
    [-7, { message: '[Google Pay] failed to get prime', raisedBy: neverHere }],
    [-6, { message: '[Apple Pay] failed to get prime', raisedBy: raisedHere }],
    [-5, { message: 'Unknown Error', raisedBy: raisedHere }],
    [-3, { message: 'failed to get prime', raisedBy: raisedHere }],
    [-1, { message: 'SDK Loading Error', raisedBy: raisedHere }],
    [0, { message: 'Success', raisedBy: raisedHere }],
    [5, { message: 'Wrong JSON format', raisedBy: fromGateway }],
    [11, { message: 'App ID not found', raisedBy: fromGateway }],
    [12, { message: 'App name mismatch', raisedBy: fromGateway }],
    [13, { message: 'Unknown app error', raisedBy: fromGateway }],
    [16, { message: 'App key mismatch', raisedBy: fromGateway }],
    [41, { message: 'Wrong Card Format', raisedBy: fromGateway }],
    [67, { message: 'This merchant does not support this payment method', raisedBy: fromGateway }],
    [80, { message: 'Invaild x-api-key or app key', raisedBy: fromGateway }],
    [81, { message: 'Partner not found', raisedBy: fromGateway }],
    [84, { message: 'Partner unauthorized', raisedBy: fromGateway }],
    [89, { message: 'This merchant does not support this currency', raisedBy: fromGateway }],
    [122, { message: 'Card encrypt error', raisedBy: fromGateway }],
    [141, { message: 'This partner does not support amount pending', raisedBy: fromGateway }],
    [401, { message: 'Request Cancel, please see the defail of msg', raisedBy: raisedHere }],
    [402, { message: 'Can not obtain payment data, please see the defail of msg', raisedBy: raisedHere }],
    [403, { message: '[Apple Pay] Get Session error: {Message from apple}', raisedBy: raisedHere }],
    [404, { message: '[Payment Request API] Unexcept Error, for detail please see originalError', raisedBy: raisedHere }],
    [421, { message: 'Gateway Timeout', raisedBy: raisedHere }],
    [422, { message: 'Authorization Timeout', raisedBy: fromGateway }],
    [510, { message: 'Invalid arguments : amount', raisedBy: fromGateway }],
    [530, { message: 'Invalid arguments : app_id', raisedBy: fromGateway }],
    [531, { message: 'Missing arguments : app_key', raisedBy: fromGateway }],
    [532, { message: 'Missing arguments : app_name', raisedBy: fromGateway }],
    [533, { message: 'Missing arguments : card_number', raisedBy: fromGateway }],
    [534, { message: 'Missing arguments : card_expiry_date', raisedBy: fromGateway }],
    [570, { message: 'Out of range : app_key', raisedBy: fromGateway }],
    [571, { message: 'Out of range : app_name', raisedBy: fromGateway }],
    [572, { message: 'Out of range : card_number', raisedBy: fromGateway }],
    [573, { message: 'Out of range : card_expiry_date', raisedBy: fromGateway }],
    [574, { message: 'Out of range : card_ccv', raisedBy: fromGateway }],
    [589, { message: 'Invalid arguments : platform_type', raisedBy: fromGateway }],
    [590, { message: 'Missing arguments : android_merchant_id', raisedBy: fromGateway }],
    [591, { message: 'Missing arguments : pay_token_data', raisedBy: fromGateway }],
    [592, { message: 'Missing arguments : apple_merchant_id', raisedBy: fromGateway }],
    [594, { message: 'Out of range : apple_merchant_id', raisedBy: fromGateway }],
    [598, { message: 'Out of range : android_merchant_id', raisedBy: fromGateway }],
    [599, { message: 'Missing arguments : pay_token_data > ephemeralPublicKey', raisedBy: fromGateway }],
    [600, { message: 'Missing arguments : pay_token_data > encryptedMessage', raisedBy: fromGateway }],
    [601, { message: 'Missing arguments : pay_token_data > tag', raisedBy: fromGateway }],
    [602, { message: 'Out of range : pay_token_data > ephemeralPublicKey', raisedBy: fromGateway }],
    [603, { message: 'Out of range : pay_token_data > encryptedMessage', raisedBy: fromGateway }],
    [604, { message: 'Out of range : pay_token_data > tag', raisedBy: fromGateway }],
    [605, { message: 'Missing arguments : pay_token_data > data', raisedBy: fromGateway }],
    [606, { message: 'Missing arguments : pay_token_data > version', raisedBy: fromGateway }],
    [607, { message: 'Missing arguments : pay_token_data > signature', raisedBy: fromGateway }],
    [608, { message: 'Missing arguments : pay_token_data > header > ephemeralPublicKey', raisedBy: fromGateway }],
    [609, { message: 'Missing arguments : pay_token_data > header > publicKeyHash', raisedBy: fromGateway }],
    [610, { message: 'Missing arguments : pay_token_data > header > transactionId', raisedBy: fromGateway }],
    [611, { message: 'Out of range : pay_token_data > data', raisedBy: fromGateway }],
    [612, { message: 'Out of range : pay_token_data > version', raisedBy: fromGateway }],
    [613, { message: 'Out of range : pay_token_data > header > ephemeralPublicKey', raisedBy: fromGateway }],
    [614, { message: 'Out of range : pay_token_data > header > publicKeyHash', raisedBy: fromGateway }],
    [615, { message: 'Out of range : pay_token_data > header > transactionId', raisedBy: fromGateway }],
    [616, { message: 'Missing arguments : pay_token_data > header', raisedBy: fromGateway }],
    [617, { message: 'Out of range : fraud_id', raisedBy: fromGateway }],
    [618, { message: 'Out of range : pay_token_data > protocolVersion', raisedBy: fromGateway }],
    [619, { message: 'Out of range : pay_token_data > signature', raisedBy: fromGateway }],
    [626, { message: 'Invalid arguments : platform_type', raisedBy: fromGateway }],
    [634, { message: 'Missing arguments : pay_token_data > protocolVersion', raisedBy: fromGateway }],
    [638, { message: 'Missing arguments : merchant_app_launch_uri', raisedBy: fromGateway }],
    [639, { message: 'Out of range : merchant_app_launch_uri', raisedBy: fromGateway }],
    [652, { message: 'Invalid arguments : currency', raisedBy: fromGateway }],
    [655, { message: 'Missing arguments : reference_id', raisedBy: fromGateway }],
    [660, { message: 'Out of range : reference_id', raisedBy: fromGateway }],
    [915, { message: 'System error, please contact TapPay customer service', raisedBy: fromGateway }],
    [916, { message: 'Signature verification is not proceed', raisedBy: fromGateway }],
    [917, { message: 'Signature verification error', raisedBy: fromGateway }],
    [2000, { message: '[Direct Pay] Card number is empty', raisedBy: neverHere }],
    [2001, { message: '[Direct Pay] Card month/year is empty', raisedBy: neverHere }],
    [2012, { message: '[Direct Pay] CCV is wrong format', raisedBy: neverHere }],
    [2013, { message: 'Expired Card', raisedBy: fromGateway }],
    [2200, { message: '[Google Pay] Unexcept Error, for detail please see originalError', raisedBy: neverHere }],
    [10050, { message: 'Amount out of range', raisedBy: fromGateway }],
    [13002, { message: 'This apple pay merchant identifier is disabled', raisedBy: fromGateway }],
].map(([status, entry]) => [status, Object.freeze(entry)]));

/** Statuses that the SDK raises itself, by name. */
export const Status = Object.freeze({
    success: 0,
    notLoaded: -1,
    failedToGetPrime: -3,
    unknownError: -5,
    applePayFailedToGetPrime: -6,
    cancelled: 401,
    noPaymentData: 402,
    sessionRefused: 403,
    unexpected: 404,
    gatewayTimeout: 421,
});

const seeDetail = ', please see the defail of msg';
const placeholder = '{Message from apple}';

/**
 * The `msg` of a status. "Please see the detail of msg" gives way to that detail, {Message from apple} to that message;
 * to other messages the detail is added.
 *
 * @param {number} status
 * @param {string} [detail] A sentence without its full stop.
 * @returns {string}
 */
export function messageOf(status, detail = '') {
    const entry = codes.get(status);
    const message = entry ? entry.message : '';
    if (detail === '') {
        return message;
    }
    if (message.endsWith(seeDetail)) {
        return `${message.slice(0, -seeDetail.length)}: ${detail}`;
    }
    if (message.includes(placeholder)) {
        return message.replace(placeholder, () => detail);
    }
    return message === '' ? detail : `${message}: ${detail}`;
}
