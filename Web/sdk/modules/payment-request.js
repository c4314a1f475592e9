//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Drives the Payment Request API with Apple Pay's method, for browsers that have Apple Pay there and no
// ApplePaySession.

import { Status } from './codes.js';
import { addressOfContact, addressOfPaymentAddress, payerOfResponse } from './contacts.js';
import { cancelledResult, cardOf, failureResult, refusedResult, successResult } from './result.js';
import { firstShippingOption, paymentDetails, paymentMethod, paymentOptions, totalAmountText } from './sheet.js';

const CANCELLED = 'AbortError';

class PaymentRequestFlow {
    constructor(Request, order, done) {
        const { cart, merchant } = order;
        this.order = order;
        this.done = done;
        this.shipping = firstShippingOption(cart);
        this.refusal = null;
        this.edge = new AbortController();
        this.request = new Request(
            [paymentMethod(cart, merchant)], paymentDetails(cart, this.shipping), paymentOptions(cart));
    }

    begin() {
        const { request, order } = this;
        request.onmerchantvalidation = (event) => event.complete(this.merchantSession(event.validationURL));
        request.onshippingoptionchange = (event) => {
            const chosen = order.cart.shippingOptions.find((option) => option.id === request.shippingOption);
            this.shipping = chosen || this.shipping;
            event.updateWith(paymentDetails(order.cart, this.shipping));
        };
        request.onshippingaddresschange = (event) => event.updateWith(paymentDetails(order.cart, this.shipping));
        request.show().then((response) => this.accept(response)).then(
            (result) => this.end(result),
            (error) => this.end(this.resultOf(error)));
    }

    end(result) {
        this.edge.abort();
        this.done(result);
    }

    /** A refused session closes the sheet; what show() then says is less than what we know. */
    resultOf(error) {
        if (this.refusal) {
            return this.refusal;
        }
        return error && error.name === CANCELLED
            ? cancelledResult() : failureResult(Status.unexpected, '', error);
    }

    async merchantSession(validationURL) {
        const { gateway, merchant } = this.order;
        const answer = await gateway.getSession(validationURL, merchant, this.edge.signal);
        if (!answer.merchantSession) {
            this.refusal = failureResult(Status.sessionRefused, answer.detail);
            throw new Error(this.refusal.msg);
        }
        return answer.merchantSession;
    }

    async accept(response) {
        const { gateway, merchant, cart } = this.order;
        const details = response.details || {};
        const answer = await gateway.getPrime(
            details.token && details.token.paymentData, merchant, cart.isAmountPending, Status.failedToGetPrime,
            this.edge.signal);
        const isPrime = answer.status === Status.success;
        // Rejects when the buyer closed the sheet while we waited: then nothing is paid and the prime is let lapse.
        await response.complete(isPrime ? 'success' : 'fail');
        return isPrime ? successResult(answer, this.sheetOf(response, details)) : refusedResult(answer);
    }

    sheetOf(response, details) {
        return {
            total_amount: totalAmountText(this.order.cart, this.shipping),
            payer: payerOfResponse(response),
            shippingAddress: details.shippingContact
                ? addressOfContact(details.shippingContact) : addressOfPaymentAddress(response.shippingAddress),
            billingAddress: addressOfContact(details.billingContact),
            shippingOption: this.shipping === null ? '' : this.shipping.id,
            card: cardOf(details.token && details.token.paymentMethod),
            requestId: response.requestId,
        };
    }
}

/**
 * Opens the browser's payment sheet. To be called in the buyer's gesture; throws what the browser throws.
 *
 * @param {Function} Request The browser's PaymentRequest.
 * @param {{gateway: object, merchant: object, cart: object}} order
 * @param {function(object): void} done Called once with the result.
 */
export function payWithPaymentRequest(Request, order, done) {
    new PaymentRequestFlow(Request, order, done).begin();
}
