//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What this browser can do. Apple's script or the sandbox's wallet may define ApplePaySession after this SDK is loaded,
// so it is looked up each time.

import { paymentDetails, firstShippingOption, newestVersion, paymentMethod, paymentOptions } from './sheet.js';

/**
 * The browser's ApplePaySession, if it speaks a version that we do and the device can pay.
 *
 * @returns {Function|null}
 */
export function usableApplePaySession() {
    const Session = globalThis.ApplePaySession;
    if (typeof Session !== 'function') {
        return null;
    }
    try {
        return newestVersion(Session) > 0 && Session.canMakePayments() ? Session : null;
    } catch (error) {
        return null; // Apple's throws in documents that are not secure.
    }
}

/**
 * The browser's PaymentRequest, if Apple Pay is one of its methods: it then has the event with which a merchant is
 * validated. Others must not be asked, for they would fetch the method from Apple's site. Where there is an
 * ApplePaySession that cannot pay, this cannot either.
 *
 * @returns {Function|null}
 */
export function usablePaymentRequest() {
    const Request = globalThis.PaymentRequest;
    const hasApplePay = typeof Request === 'function' && 'onmerchantvalidation' in Request.prototype;
    return hasApplePay && typeof globalThis.ApplePaySession !== 'function' ? Request : null;
}

/**
 * Whether the buyer has a card in Apple Pay.
 *
 * @param {object} cart
 * @param {{merchantIdentifier: string}} merchant
 * @returns {Promise<boolean>} Never rejects.
 */
export async function hasActiveCard(cart, merchant) {
    const Session = usableApplePaySession();
    const Request = usablePaymentRequest();
    try {
        if (Session) {
            return Boolean(await Session.canMakePaymentsWithActiveCard(merchant.merchantIdentifier));
        }
        if (Request) {
            const request = new Request(
                [paymentMethod(cart, merchant)], paymentDetails(cart, firstShippingOption(cart)), paymentOptions(cart));
            return Boolean(await request.canMakePayment());
        }
    } catch (error) {
        // Not asked too often, not in this document, not with this method: in each case there is no card to pay with.
    }
    return false;
}
