//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// TPDirect for the web: the public face. As a classic script it is the global TPDirect; as a module it is this file's
// exports.

import { payWithApplePaySession } from './apple-pay.js';
import { hasActiveCard, usableApplePaySession, usablePaymentRequest } from './availability.js';
import { placeButton } from './button.js';
import { Status } from './codes.js';
import { SetupError } from './errors.js';
import { Gateway } from './gateway.js';
import { scriptURL } from './origin.js';
import {
    atome, cardForm, easyWallet, getDeviceId, getFraudId, googlePay, jkoPay, linePay, piWallet, samsungPay,
} from './other-methods.js';
import { payWithPaymentRequest } from './payment-request.js';
import { readMerchant, readPaymentRequest, readSetup } from './request.js';
import { failureResult } from './result.js';
import { warn } from './warnings.js';

/** Each setup takes back the one before it, then reads: one that is refused must not leave an old cart to be paid. */
const state = { gateway: null, merchant: null, cart: null, isPaying: false };

/** Calls back later, so that a page sees one order of events, and its own exceptions stay its own. */
function callLater(callback, result) {
    queueMicrotask(() => callback(result));
}

function requireCallback(callback, field) {
    if (typeof callback !== 'function') {
        throw new SetupError(callback === undefined ? 'field_missing' : 'field_malformed', field, 'must be a function');
    }
}

/**
 * Sets up the app. Throws SetupError.
 *
 * @param {number|string} appID
 * @param {string} appKey
 * @param {string|{type: string, host?: string}} serverType 'sandbox' or 'production'; as an object it may name the
 *     gateway's origin, when that is not where this script came from.
 */
export function setupSDK(appID, appKey, serverType) {
    state.gateway = null;
    state.gateway = new Gateway(readSetup(appID, appKey, serverType, scriptURL));
}

/**
 * Whether this browser has ApplePaySession on a device that can pay, or the Payment Request API.
 *
 * @returns {boolean}
 */
function checkAvailability() {
    return usableApplePaySession() !== null || usablePaymentRequest() !== null;
}

/**
 * Sets up Apple Pay. Throws SetupError.
 *
 * @param {{merchantIdentifier: string, countryCode?: string}} settings countryCode is TW when left out.
 */
function setupApplePay(settings) {
    state.merchant = null;
    state.merchant = readMerchant(settings);
}

/**
 * Sets up what is paid, and says whether this browser and buyer can pay. Throws SetupError.
 *
 * @param {object} paymentRequest
 * @param {function({browserSupportPaymentRequest: boolean, canMakePaymentWithActiveCard: boolean}): void} [callback]
 */
function setupPaymentRequest(paymentRequest, callback = () => {}) {
    state.cart = null;
    requireCallback(callback, 'setupPaymentRequest.callback');
    if (!state.merchant) {
        throw new SetupError('not_set_up', 'setupPaymentRequest', 'must come after setupApplePay');
    }
    const cart = readPaymentRequest(paymentRequest);
    state.cart = cart;
    const browserSupportPaymentRequest = checkAvailability();
    hasActiveCard(cart, state.merchant).then((canMakePaymentWithActiveCard) => {
        callLater(callback, { browserSupportPaymentRequest, canMakePaymentWithActiveCard });
    });
}

/** What stands in the way of opening a sheet, as a result; null when nothing does. */
function obstacle() {
    if (!state.gateway) {
        return failureResult(Status.notLoaded, 'call TPDirect.setupSDK first');
    }
    const failed = (code, sentence) => failureResult(Status.unexpected, '', new SetupError(code, 'getPrime', sentence));
    if (!state.merchant || !state.cart) {
        return failed('not_set_up', 'must come after setupApplePay and setupPaymentRequest');
    }
    if (state.isPaying) {
        return failed('payment_in_progress', 'was called while a payment sheet is open');
    }
    return checkAvailability() ? null : failed('not_supported', 'cannot work: this browser has no Apple Pay');
}

/**
 * Opens the payment sheet and gets a prime. Call it in the handler of the buyer's click, without awaiting anything
 * before.
 *
 * @param {function(object): void} callback Called once, whatever happens.
 */
function getPrime(callback) {
    requireCallback(callback, 'getPrime.callback');
    const problem = obstacle();
    if (problem) {
        callLater(callback, problem);
        return;
    }
    const { gateway, merchant, cart } = state;
    state.isPaying = true;
    const done = (result) => {
        state.isPaying = false;
        callLater(callback, result);
    };
    try {
        const Session = usableApplePaySession();
        if (Session) {
            payWithApplePaySession(Session, { gateway, merchant, cart }, done);
        } else {
            payWithPaymentRequest(usablePaymentRequest(), { gateway, merchant, cart }, done);
        }
    } catch (error) {
        done(failureResult(Status.unexpected, '', error));
    }
}

/** Does nothing and says so: pages that also set up Google Pay keep their Apple Pay. */
function setupPayWithGoogle() {
    warn('setupPayWithGoogle', 'does nothing: this gateway takes Apple Pay alone');
}

/**
 * Shows an Apple Pay button in an element of the page. Its click is getPrime. Throws SetupError.
 *
 * @param {string} selector Of the element.
 * @param {function(object): void} callback Called once for each click, as getPrime's.
 */
function setupTappayPaymentButton(selector, callback) {
    requireCallback(callback, 'setupTappayPaymentButton.callback');
    placeButton(selector, 'setupTappayPaymentButton.selector', () => getPrime(callback));
}

/** What is about paying with a payment sheet. */
export const paymentRequestApi = Object.freeze({
    checkAvailability, setupApplePay, setupPayWithGoogle, setupPaymentRequest, setupTappayPaymentButton, getPrime,
});

/** The SDK, as the classic script's global has it. */
export const TPDirect = Object.freeze({
    setupSDK, paymentRequestApi, card: cardForm, googlePay, samsungPay, linePay, jkoPay, easyWallet, piWallet, atome,
    getFraudId, getDeviceId,
});

export { SetupError };

export default TPDirect;
