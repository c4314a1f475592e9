//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Paying through ApplePaySession itself: what a shop does whose payment service has no SDK for browsers.

import { shopServer } from "./api.js";
import { networksOf, decisiveCode } from "./dialects.js";
import { decimalText } from "./money.js";

const apiVersion = 6;

/** Why the shopper cannot pay this way, or undefined. */
export function directObstacle() {
    if (globalThis.ApplePaySession === undefined) {
        return "This browser has no ApplePaySession, and the wallet simulator's script was not loaded.";
    }
    try {
        return ApplePaySession.canMakePayments() ? undefined : "The wallet of this device cannot pay.";
    } catch (error) {
        return error.message;
    }
}

/** What the sheet shows for the cart with that shipping. */
function sheetContents(dialect, cart, shippingId) {
    const amount = (minor) => decimalText(minor, dialect.decimals);
    return {
        total: { label: "Pomona demo shop", amount: amount(cart.total(dialect.currency, shippingId)) },
        lineItems: [
            ...cart.lines.map(({ product, quantity }) => ({
                label: quantity === 1 ? product.name : `${product.name} × ${quantity}`,
                amount: amount(product.priceMinor[dialect.currency] * quantity),
            })),
            { label: "Shipping", amount: amount(cart.shippingPrice(dialect.currency, shippingId)) },
        ],
    };
}

function paymentRequest(dialect, cart) {
    return {
        countryCode: dialect.countryCode, currencyCode: dialect.currency, supportedNetworks: networksOf(dialect.name),
        merchantCapabilities: ["supports3DS"], ...sheetContents(dialect, cart, cart.shippingId),
        requiredShippingContactFields: ["postalAddress", "name", "email", "phone"],
        shippingMethods: cart.shipping.map((option) => ({
            identifier: option.id, label: option.label, detail: option.detail,
            amount: decimalText(option.priceMinor[dialect.currency], dialect.decimals), selected: option.id === cart.shippingId,
        })).sort((one, other) => Number(other.selected) - Number(one.selected)),
    };
}

const ends = {
    declined: ["declined", "Declined by the bank", "Nothing was taken. Another card may do."],
    error: ["refused", "Refused by the gateway", "Nothing was taken."],
    unknown: ["unknown", "Not known yet", "The money may have moved, so do not pay again. The gateway asks the bank until it knows."],
};

/** What the sheet says of a payment that was not approved: what happened, what is still true, and the code that says so. */
function endOf({ status, order, message }) {
    if (ends[status] === undefined) { return undefined; }
    const [kind, say, more] = ends[status];
    const code = order && decisiveCode(order.dialect, order.last?.codes ?? []);
    // "INVALID_REQUEST: The merchant's acquirer does not take cards of this scheme."
    const sentence = status === "error" ? /^(?:[\w.-]+: )?([A-Z].* .*\.)$/.exec(message)?.[1] : undefined;
    const reason = status === "unknown" ? "" : `${sentence ?? code?.meaning ?? message} `;
    return { kind, say, more: reason + more, code: code && `${code.field} ${code.value}` };
}

/**
 * Opens the sheet, at once: a browser allows it only in the click's own handler.
 *
 * @param {object} view `onOrder(order)` when there is one, and the exchange's `note(title, text, ok)`.
 * @returns {Promise<{order?: object, isCancelled?: boolean, reason?: string}>} What became of it.
 */
export function payDirectly(dialect, cart, view) {
    const session = new ApplePaySession(apiVersion, paymentRequest(dialect, cart));
    return new Promise((resolve) => {
        const checkout = new DirectCheckout(session, dialect, cart, view, resolve);
        checkout.listen();
        session.begin();
        view.note("new ApplePaySession, begin()",
            `version ${apiVersion}, ${dialect.currency}, networks ${networksOf(dialect.name).join(", ")}`);
    });
}

/** One sheet, from its opening to its end. */
class DirectCheckout {
    constructor(session, dialect, cart, view, resolve) {
        Object.assign(this, { session, dialect, cart, view, resolve });
        this.shippingId = cart.shippingId;
        // The last attempt: a declined one stays, should the sheet be closed after it.
        this.attempt = undefined;
        this.isPaying = false;
        this.isOver = false;
    }

    listen() {
        const { session } = this;
        session.onvalidatemerchant = (event) => this.validateMerchant(event);
        session.onpaymentmethodselected = () => session.completePaymentMethodSelection(this.update());
        session.onshippingcontactselected = (event) => {
            this.view.note("onshippingcontactselected",
                `${event.shippingContact.locality}, ${event.shippingContact.countryCode}`);
            session.completeShippingContactSelection(this.update());
        };
        session.onshippingmethodselected = (event) => {
            this.shippingId = event.shippingMethod.identifier;
            this.view.note("onshippingmethodselected", event.shippingMethod.label);
            session.completeShippingMethodSelection(this.update());
        };
        session.onpaymentauthorized = (event) => this.pay(event.payment);
        session.oncancel = (event) => this.cancelled(event);
    }

    update() {
        const { total, lineItems } = sheetContents(this.dialect, this.cart, this.shippingId);
        return { newTotal: total, newLineItems: lineItems };
    }

    async validateMerchant(event) {
        this.view.note("onvalidatemerchant", event.validationURL);
        try {
            const merchantSession = await shopServer.merchantSession(this.dialect.name, event.validationURL);
            if (this.isOver) { return; }
            this.session.completeMerchantValidation(merchantSession);
            this.view.note("completeMerchantValidation", "the merchant session is handed on unread");
        } catch (error) {
            this.view.note("The merchant session was refused", error.message, false);
            if (!this.isOver) { this.session.abort(); }
            this.finish({ reason: `The shop could not be validated. ${error.message}` });
        }
    }

    async pay(payment) {
        if (this.isOver) {
            // Confirmed once more on a sheet that has not gone. The page has its result; a second order would be paid again.
            this.session.completePayment({ status: ApplePaySession.STATUS_FAILURE });
            return;
        }
        this.isPaying = true;
        this.view.note("onpaymentauthorized", `token of ${payment.token.paymentMethod.displayName}`);
        try {
            const order = await shopServer.createOrder(this.cart.order(this.dialect.name, this.shippingId));
            this.view.onOrder(order);
            if (order.amount !== this.update().newTotal.amount) {
                throw new Error(`The server's amount is ${order.amount}, the sheet's was ${this.update().newTotal.amount}.`);
            }
            const attempt = await shopServer.payOrder(order, { token: payment.token, contact: payment.shippingContact });
            this.attempt = { ...attempt, shippingId: this.shippingId };
        } catch (error) {
            this.attempt = { reason: error.message };
        }
        this.isPaying = false;
        this.complete();
    }

    /** The sheet learns the result, unless it gave up waiting; the page learns it in any case. */
    complete() {
        const { result, reason } = this.attempt;
        const end = result && endOf(result);
        if (!this.isCancelled && result?.status === "unknown") {
            // Neither is true: it did not fail, for the money may have moved, and it did not succeed. The sheet goes, and the
            // page says what is known; the simulator's sheet says so while it goes.
            this.session.abort(end);
            this.view.note("abort", "the outcome is not known: the sheet says neither success nor failure");
        } else if (!this.isCancelled) {
            const isPaid = result?.status === "approved";
            // A failure without an ApplePayError is the end of the sheet: with one it would stay for another try.
            this.session.completePayment(isPaid ? ApplePaySession.STATUS_SUCCESS : {
                status: ApplePaySession.STATUS_FAILURE,
                // For the simulator alone: Apple's sheet has one word for all of it.
                simulatedEnd: end ?? { kind: "failed", say: "Payment not completed", more: reason },
            });
            this.view.note("completePayment", isPaid ? "STATUS_SUCCESS" : "STATUS_FAILURE");
        }
        this.finish(this.attempt);
    }

    cancelled(event) {
        const { reason } = event.sessionError?.info ?? {};
        this.view.note("oncancel", reason ?? "the shopper closed the sheet", reason === undefined);
        this.isCancelled = true;
        // While the server is paying its answer is waited for: closing the sheet does not call it back.
        if (!this.isPaying) { this.finish(this.attempt ?? { isCancelled: true, reason }); }
    }

    finish(outcome) {
        this.isOver = true;
        this.resolve(outcome);
    }
}
