//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The vendor's other ways to pay on the web, by the names that it publishes (TapPay/tappay-web-example and the pages of
// its documents). This gateway has none of them: they do nothing and say so, and a page that sets them up, often in one
// `try` with Apple Pay, keeps its Apple Pay.

import { warn } from './warnings.js';

const appleAlone = 'does nothing: this gateway takes Apple Pay alone';

function deafMethods(namespace, names) {
    return Object.fromEntries(names.map((name) => [name, () => warn(`${namespace}.${name}`, appleAlone)]));
}

/** Ways whose page leads to another page or app: all that they have is a prime. */
function redirecting(namespace) {
    return Object.freeze(deafMethods(namespace, ['getPrime']));
}

/** The card form. Its fields stay empty: pages ask for that before they call getPrime. */
export const cardForm = Object.freeze({
    ...deafMethods('card', ['setup', 'onUpdate', 'getPrime']),
    getTappayFieldsStatus: () => ({
        cardType: 'unknown', canGetPrime: false, hasError: false, status: { number: 1, expiry: 1, ccv: 1 },
    }),
});

/** Google Pay, as it is set up beside the Payment Request API. */
export const googlePay = Object.freeze(deafMethods('googlePay', [
    'setupGooglePay', 'setupPaymentRequest', 'setupTransactionPrice', 'setupGooglePayButton', 'getPrime',
]));

/** Samsung Pay. */
export const samsungPay = Object.freeze(deafMethods('samsungPay', [
    'setup', 'setupPaymentRequest', 'setupSamsungPayButton', 'getPrime',
]));

/** LINE Pay. */
export const linePay = redirecting('linePay');

/** JKO Pay. */
export const jkoPay = redirecting('jkoPay');

/** Easy Wallet. */
export const easyWallet = redirecting('easyWallet');

/** Pi Wallet. */
export const piWallet = redirecting('piWallet');

/** Atome. */
export const atome = redirecting('atome');

const nothingCollected = 'is empty: nothing about the device is collected';

/**
 * What the vendor's detection of fraud calls the device.
 *
 * @returns {string} Always empty.
 */
export function getFraudId() {
    warn('getFraudId', nothingCollected);
    return '';
}

/**
 * What the vendor calls the device.
 *
 * @returns {string} Always empty.
 */
export function getDeviceId() {
    warn('getDeviceId', nothingCollected);
    return '';
}
