//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Paying through TapPay's web SDK: TPDirect opens the sheet, validates the shop and swaps the token for a prime, with which the
// shop's server pays.

import { shopServer } from "./api.js";
import { networksOf } from "./dialects.js";
import { decimalText } from "./money.js";

let isSetUp = false;

/** Why the shopper cannot pay this way, or undefined. */
export function tapPayObstacle() {
    if (globalThis.TPDirect === undefined) {
        return "The web SDK TPDirect was not loaded. The other payment services work without it.";
    }
    return TPDirect.paymentRequestApi.checkAvailability() ? undefined
        : "TPDirect finds neither Apple Pay nor the Payment Request API in this browser.";
}

const hundredths = (dialect, minor) => {
    // TapPay's samples write amounts of every currency with two decimals: "1.00".
    const text = decimalText(minor, dialect.decimals);
    return { currency: dialect.currency, value: dialect.decimals === 0 ? `${text}.00` : text };
};

function paymentRequest(dialect, cart, isPending) {
    const chosen = cart.shippingPrice(dialect.currency);
    return {
        supportedNetworks: networksOf(dialect.name).map((name) => name.toUpperCase()),
        supportedMethods: ["apple_pay"],
        displayItems: cart.lines.map(({ product, quantity }) => ({
            label: quantity === 1 ? product.name : `${product.name} × ${quantity}`,
            amount: hundredths(dialect, product.priceMinor[dialect.currency] * quantity),
        })),
        total: {
            label: "Pomona demo shop", amount: hundredths(dialect, cart.goods(dialect.currency)),
            isAmountPending: isPending, isShowTotalAmount: !isPending,
        },
        // The sheet begins with the cheapest option, so that the page's choice must be the cheapest of those that are offered.
        shippingOptions: cart.shipping.filter((option) => option.priceMinor[dialect.currency] >= chosen).map((option) => ({
            id: option.id, label: option.label, detail: option.detail,
            amount: hundredths(dialect, option.priceMinor[dialect.currency]),
        })),
        options: {
            requestPayerEmail: true, requestPayerName: true, requestPayerPhone: true, requestShipping: true,
                shippingType: "shipping",
        },
    };
}

/**
 * Hands the cart to TPDirect. This happens whenever the cart changes, before the click: getPrime must find everything ready,
 * because a browser opens the sheet only in the click's own handler.
 *
 * @returns {Promise<string|undefined>} Why it is not possible, or undefined.
 */
export function prepareTapPay(dialect, cart, isPending) {
    if (!isSetUp) {
        TPDirect.setupSDK(dialect.sdk.appId, dialect.sdk.appKey, "sandbox");
        TPDirect.paymentRequestApi.setupApplePay({
            merchantIdentifier: dialect.merchantIdentifier, countryCode: dialect.countryCode,
        });
        isSetUp = true;
    }
    return new Promise((resolve) => {
        TPDirect.paymentRequestApi.setupPaymentRequest(paymentRequest(dialect, cart, isPending), (result) => {
            if (!result.browserSupportPaymentRequest) {
                resolve("TPDirect says that this browser cannot open a payment sheet.");
            } else {
                resolve(result.canMakePaymentWithActiveCard ? undefined : "TPDirect says that there is no card to pay with.");
            }
        });
    });
}

/**
 * Asks for a prime, in the click's handler, and pays with it.
 *
 * @param {object} view `onOrder(order)` when there is one, and the exchange's `note(title, text, ok)`.
 * @returns {Promise<{order?: object, isCancelled?: boolean, reason?: string}>}
 */
export function payWithPrime(dialect, cart, isPending, view) {
    view.note("TPDirect.paymentRequestApi.getPrime", isPending ? "isAmountPending: true, isShowTotalAmount: false" : "");
    return new Promise((resolve) => {
        TPDirect.paymentRequestApi.getPrime((prime) => resolve(payBy(prime, dialect, cart, view)));
    });
}

/** The buyer as the shop's server takes one: the shape of Apple's ApplePayPaymentContact. */
function contactOf({ payer, shippingAddress }) {
    const names = (payer?.name ?? "").split(" ");
    return {
        givenName: names.slice(0, -1).join(" "), familyName: names.at(-1), emailAddress: payer?.email, phoneNumber: payer?.phone,
        addressLines: shippingAddress?.addressLine, locality: shippingAddress?.city, administrativeArea: shippingAddress?.region,
        postalCode: shippingAddress?.postalCode, countryCode: shippingAddress?.country,
    };
}

async function payBy(answer, dialect, cart, view) {
    if (answer.status !== 0) {
        view.note("getPrime failed", `status ${answer.status}: ${answer.msg}`, false);
        return { isCancelled: answer.status === 401, reason: answer.status === 401 ? undefined : answer.msg };
    }
    const until = answer.prime_expiry_millis === undefined ? ""
        : `\nexpires ${new Date(answer.prime_expiry_millis).toISOString()}`;
    view.note("TPDirect gave a prime", `prime ${answer.prime.slice(0, 8)}…\ntotal_amount ${answer.total_amount}${until}`);
    const shippingId = answer.shippingOption || cart.shippingId;
    try {
        const order = await shopServer.createOrder(cart.order(dialect.name, shippingId));
        view.onOrder(order);
        const paid = await shopServer.payOrder(order, { prime: answer.prime, contact: contactOf(answer) });
        return { order: paid.order, shippingId };
    } catch (error) {
        return { reason: error.message };
    }
}
