//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The vendor's other ways to pay on the web, by the names that it publishes (TapPay/tappay-web-example, TapPay_Fields
// and Google_Pay). This gateway has none of them: they do nothing and say so, and a page that sets them up keeps its
// Apple Pay.

import { warn } from './warnings.js';

function deafMethods(namespace, names, sentence) {
    return Object.fromEntries(names.map((name) => [name, () => warn(`${namespace}.${name}`, sentence)]));
}

/** The card form. Its fields stay empty: pages ask for that before they call getPrime. */
export const cardForm = Object.freeze({
    ...deafMethods('card', ['setup', 'onUpdate', 'getPrime'], 'does nothing: this gateway takes Apple Pay alone'),
    getTappayFieldsStatus: () => ({
        cardType: 'unknown', canGetPrime: false, hasError: false, status: { number: 1, expiry: 1, ccv: 1 },
    }),
});

/** Google Pay, as it is set up beside the Payment Request API. */
export const googlePay = Object.freeze(deafMethods(
    'googlePay', ['setupGooglePay', 'setupPaymentRequest', 'setupTransactionPrice', 'setupGooglePayButton', 'getPrime'],
    'does nothing: this gateway takes Apple Pay alone'));
