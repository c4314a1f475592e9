//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Drives the browser's ApplePaySession. The sheet is open from begin() until exactly one of these: the buyer closes
// it (oncancel), completePayment, or our abort. After that the session is dead and is not touched again. The shop is
// notified once and for all; a sheet that stays open after a failure (Apple's shows it and closes by itself) is
// answered on, so that it does not hang.

import { Status } from './codes.js';
import { addressOfContact, payerOfContact } from './contacts.js';
import {
    cancelledResult, cardOf, failureResult, newRequestId, refusedResult, successResult,
} from './result.js';
import {
    appleContactUpdate, appleLines, applePayRequest, firstShippingOption, newestVersion, totalAmountText,
} from './sheet.js';

class ApplePayFlow {
    constructor(Session, order, done) {
        this.order = order;
        this.done = done;
        this.version = newestVersion(Session);
        this.statuses = { success: Session.STATUS_SUCCESS, failure: Session.STATUS_FAILURE };
        this.shipping = firstShippingOption(order.cart);
        this.requestId = newRequestId();
        this.isAlive = true;
        this.isReported = false;
        this.isAuthorized = false;
        this.edge = new AbortController();
        this.session = new Session(this.version, applePayRequest(order.cart, order.merchant, this.version));
    }

    /** Wires the session and opens the sheet, within the buyer's gesture. */
    begin() {
        const { session } = this;
        session.onvalidatemerchant = this.guarded((event) => this.validateMerchant(event));
        session.onpaymentmethodselected = this.guarded(() => this.answerPaymentMethod());
        if (this.order.cart.options.requestShipping) {
            session.onshippingmethodselected = this.guarded((event) => this.answerShippingMethod(event));
        }
        session.onshippingcontactselected = this.guarded(() => this.answerShippingContact());
        session.onpaymentauthorized = this.guarded((event) => this.authorize(event));
        session.oncancel = () => {
            this.isAlive = false;
            this.report(cancelledResult());
        };
        session.begin();
    }

    /**
     * A handler that is deaf once the session is dead, and turns an error of ours into -5 instead of a sheet that
     * hangs.
     */
    guarded(handler) {
        return async (event) => {
            if (!this.isAlive) {
                return;
            }
            try {
                await handler(event);
            } catch (error) {
                this.abort(failureResult(Status.unknownError, '', error));
            }
        };
    }

    report(result) {
        if (!this.isReported) {
            this.isReported = true;
            this.edge.abort();
            this.done(result);
        }
    }

    abort(result) {
        if (this.isAlive) {
            this.isAlive = false;
            this.report(result);
            try {
                this.session.abort();
            } catch (error) {
                // The browser had closed the sheet and not notified us yet: there is nothing left to close.
            }
        }
    }

    async validateMerchant(event) {
        const { gateway, merchant } = this.order;
        const answer = await gateway.getSession(event.validationURL, merchant, this.edge.signal);
        if (!this.isAlive) {
            return;
        }
        if (!answer.merchantSession) {
            this.abort(failureResult(Status.sessionRefused, answer.detail));
            return;
        }
        try {
            this.session.completeMerchantValidation(answer.merchantSession);
        } catch (error) {
            this.abort(failureResult(Status.sessionRefused, 'the browser did not accept the merchant session', error));
        }
    }

    answerPaymentMethod() {
        const update = appleLines(this.order.cart, this.shipping);
        if (this.version >= 3) {
            this.session.completePaymentMethodSelection(update);
        } else {
            this.session.completePaymentMethodSelection(update.newTotal, update.newLineItems);
        }
    }

    answerShippingMethod(event) {
        const { cart } = this.order;
        const { identifier } = event.shippingMethod;
        this.shipping = cart.shippingOptions.find((option) => option.id === identifier) || this.shipping;
        const update = appleLines(cart, this.shipping);
        if (this.version >= 3) {
            this.session.completeShippingMethodSelection(update);
        } else {
            this.session.completeShippingMethodSelection(this.statuses.success, update.newTotal, update.newLineItems);
        }
    }

    answerShippingContact() {
        const update = appleContactUpdate(this.order.cart, this.shipping);
        if (this.version >= 3) {
            this.session.completeShippingContactSelection(update);
        } else {
            this.session.completeShippingContactSelection(
                this.statuses.success, update.newShippingMethods, update.newTotal, update.newLineItems);
        }
    }

    async authorize(event) {
        // Confirmed once more on a sheet that the failure has not closed. The shop has had its result.
        if (this.isReported) {
            this.complete(false);
            return;
        }
        if (this.isAuthorized) {
            return;
        }
        this.isAuthorized = true;
        const { gateway, merchant, cart } = this.order;
        const { payment } = event;
        const answer = await gateway.getPrime(
            payment.token && payment.token.paymentData, merchant, cart.isAmountPending, Status.applePayFailedToGetPrime,
            this.edge.signal);
        // Closed while we waited: the result said that nothing was paid, so the prime is let lapse.
        if (!this.isAlive) {
            return;
        }
        const isPrime = answer.status === Status.success;
        this.report(isPrime ? successResult(answer, this.sheetOf(payment)) : refusedResult(answer));
        this.complete(isPrime);
    }

    complete(isSuccess) {
        const status = isSuccess ? this.statuses.success : this.statuses.failure;
        this.isAlive = !isSuccess;
        try {
            this.session.completePayment(this.version >= 3 ? { status } : status);
        } catch (error) {
            // The same as in abort: the sheet is gone, and the shop has the true result.
            this.isAlive = false;
        }
    }

    sheetOf(payment) {
        return {
            total_amount: totalAmountText(this.order.cart, this.shipping),
            payer: payerOfContact(payment.shippingContact),
            shippingAddress: addressOfContact(payment.shippingContact),
            billingAddress: addressOfContact(payment.billingContact),
            shippingOption: this.shipping === null ? '' : this.shipping.id,
            card: cardOf(payment.token && payment.token.paymentMethod),
            requestId: this.requestId,
        };
    }
}

/**
 * Opens Apple's sheet. To be called in the buyer's gesture; throws what the browser throws.
 *
 * @param {Function} Session The browser's ApplePaySession.
 * @param {{gateway: object, merchant: object, cart: object}} order
 * @param {function(object): void} done Called once with the result.
 */
export function payWithApplePaySession(Session, order, done) {
    new ApplePayFlow(Session, order, done).begin();
}
