//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// PaymentRequest with Apple Pay's method: the W3C Payment Request API with what Apple adds to it ("Apple Pay on the Web",
// "Setting up the payment request API to accept Apple Pay"), over the one session and its sheet. Other methods stay the
// browser's own.

import { requireUsableDocument } from "./document.js";
import { aborted, invalidAccess, invalidState, wrong } from "./errors.js";
import { ApplePayError } from "./events.js";
import { requireUserGesture } from "./gesture.js";
import { Listeners, defineHandlers } from "./handlers.js";
import { dictionaryOf, requiredText, sequenceOf } from "./idl.js";
import {
    checkedDetails, checkedPaymentOptions, isApplePay, requireCurrency, selectedOption, sessionRequest, sheetDetails,
    sheetErrors,
} from "./payment-details.js";
import { MerchantValidationEvent, PaymentMethodChangeEvent, PaymentRequestUpdateEvent } from "./payment-events.js";
import { PaymentResponse, addressOf, nameOf } from "./payment-response.js";
import { validatedBase } from "./request.js";
import { ApplePaySession, hasActiveSession } from "./session.js";
import { isVersionSupported } from "./support.js";

/// The browser's own, for what is not Apple's.
const BrowsersRequest = globalThis.PaymentRequest;
const requestEvents = ["merchantvalidation", "paymentmethodchange", "shippingaddresschange", "shippingoptionchange"];

const because = (sentence, error) => aborted(`${sentence} ${error?.message ?? ""}`.trim());

/// The first of Apple Pay's methods; undefined where there is none.
function appleMethod(given) {
    const methods = sequenceOf(given, "The payment methods", (method) => dictionaryOf(method, "A payment method"));
    if (methods.length === 0) { throw wrong("At least one payment method is required."); }
    return methods.find((method) => isApplePay(requiredText(method, "supportedMethods", "A payment method")));
}

/// Apple's ApplePayRequest, or what is wrong with it.
function validatedData(given) {
    const data = { ...dictionaryOf(given, "The data of Apple Pay's method") };
    requiredText(data, "merchantIdentifier", "The ApplePayRequest");
    const version = Number(requiredText(data, "version", "The ApplePayRequest"));
    if (!isVersionSupported(version)) { throw invalidAccess(`Version ${version} of Apple Pay is not supported.`); }
    validatedBase(data, version);
    return { ...data, version };
}

export class PaymentRequest extends EventTarget {
    #id;
    #method;
    #data;
    #details;
    #options;
    #address = null;
    #option;
    #state = "created";
    #session;
    #cardType;
    #shown;
    #response;
    #retried;
    #firstDetails;
    #listeners = new Listeners();
    #left = () => this.#close(aborted("The page was left."));

    static { defineHandlers(this.prototype, requestEvents); }

    /// One that the browser has made is one, too.
    static [Symbol.hasInstance](value) {
        return super[Symbol.hasInstance](value) || (BrowsersRequest !== undefined && value instanceof BrowsersRequest);
    }

    constructor(methods, details, options) {
        const list = sequenceOf(methods, "The payment methods", (method) => method);
        const method = appleMethod(list);
        if (method === undefined && BrowsersRequest !== undefined) { return new BrowsersRequest(list, details, options); }
        requireUsableDocument();
        super();
        this.#method = method?.supportedMethods;
        this.#data = method === undefined ? undefined : validatedData(method.data);
        this.#options = checkedPaymentOptions(options);
        const checked = checkedDetails(details, this.#options);
        if (checked.total === undefined) { throw wrong("The details have no total."); }
        this.#details = { displayItems: [], shippingOptions: [], modifiers: [], ...checked };
        this.#id = String(details.id ?? newRequestId());
        this.#option = selectedOption(this.#details.shippingOptions);
    }

    get id() { return this.#id; }

    get shippingAddress() { return this.#address; }

    get shippingOption() { return this.#option; }

    get shippingType() { return this.#options.requestShipping ? this.#options.shippingType : null; }

    addEventListener(type, listener, options) {
        this.#listeners.add(this, type, listener, options);
        super.addEventListener(type, listener, options);
    }

    removeEventListener(type, listener, options) {
        this.#listeners.remove(type, listener, options);
        super.removeEventListener(type, listener, options);
    }

    async canMakePayment() {
        if (this.#state !== "created") { throw invalidState("This request was shown already."); }
        return this.#data !== undefined;
    }

    // MARK: Beginning and ending

    /// - Parameter details: what is not known yet, or the promise of it.
    async show(details) {
        try {
            requireUserGesture("show() must be triggered by user activation.");
        } catch (error) {
            throw new DOMException(error.message, "SecurityError");
        }
        if (this.#state !== "created") {
            throw invalidState("This request was shown already; make a new one for each payment.");
        }
        this.#state = "closed";
        if (hasActiveSession()) { throw aborted("Another payment session of this page is active."); }
        if (this.#data === undefined) {
            throw new DOMException("No method of this request is supported.", "NotSupportedError");
        }
        this.#session = this.#newSession();
        this.#session.begin();
        this.#state = "interactive";
        this.#firstDetails = details === undefined ? undefined : Promise.resolve(details);
        this.#firstDetails?.catch(() => { /* It is waited for when the sheet is open. */ });
        addEventListener("pagehide", this.#left);
        return new Promise((resolve, reject) => { this.#shown = { resolve, reject }; });
    }

    #newSession() {
        const session = new ApplePaySession(
            this.#data.version, sessionRequest(this.#data, this.#options, this.#details, this.#option));
        session.onvalidatemerchant = ({ validationURL }) => this.#validate(validationURL);
        session.onpaymentmethodselected = ({ paymentMethod }) => this.#selectMethod(paymentMethod);
        session.onshippingmethodselected = ({ shippingMethod }) => this.#selectOption(shippingMethod.identifier);
        session.onshippingcontactselected = ({ shippingContact }) => this.#selectAddress(shippingContact);
        session.oncouponcodechanged = ({ couponCode }) => this.#changeCoupon(couponCode);
        session.onpaymentauthorized = ({ payment }) => this.#accept(payment);
        session.oncancel = ({ sessionError }) =>
            this.#close(aborted(sessionError.info?.reason ?? "The shopper has closed the payment sheet."));
        return session;
    }

    async abort() {
        if (this.#state !== "interactive" || this.#retried !== undefined) {
            throw invalidState("There is no sheet that could be dismissed now.");
        }
        this.#session.abort();
        this.#close(aborted("The page has dismissed the payment sheet."));
    }

    /// What the shop did wrong ends the payment; the sheet says what it was.
    #fail(error) {
        if (this.#state !== "interactive") { return; }
        this.#session.abort({ kind: "failed", say: "Payment not completed", more: error?.message });
        this.#close(error);
    }

    #close(error) {
        removeEventListener("pagehide", this.#left);
        this.#state = "closed";
        this.#session = undefined;
        const waiting = this.#retried ?? this.#shown;
        this.#retried = undefined;
        waiting.reject(error);
    }

    // MARK: Merchant validation

    async #validate(validationURL) {
        if (this.#firstDetails !== undefined) { await this.#takeFirstDetails(); }
        if (this.#state !== "interactive") { return; }
        if (!this.#listeners.hears("merchantvalidation")) {
            console.warn("[Pomona wallet simulator] The request has no onmerchantvalidation handler: nobody validates it.");
        }
        this.dispatchEvent(new MerchantValidationEvent(
            "merchantvalidation", { methodName: this.#method, validationURL },
            (merchantSession) => this.#completeValidation(merchantSession)));
    }

    /// The sheet shows them as soon as it asks for the card.
    async #takeFirstDetails() {
        await this.#firstDetails.then((given) => this.#attempt(() => this.#take(given)),
            (error) => this.#fail(because("The promise of show() was rejected.", error)));
    }

    #completeValidation(merchantSession) {
        if (this.#state !== "interactive") { throw invalidState("The payment sheet is closed."); }
        Promise.resolve(merchantSession).then(
            (value) => this.#attempt(() => this.#session.completeMerchantValidation(value)),
            (error) => this.#fail(because("The merchant validation was rejected.", error)));
    }

    /// Calls the session for a shop whose own call is over: what it refuses ends the payment.
    #attempt(call) {
        if (this.#state !== "interactive") { return; }
        try {
            call();
        } catch (error) {
            this.#fail(error);
        }
    }

    // MARK: Choices

    #selectMethod(paymentMethod) {
        this.#cardType = paymentMethod.type;
        this.#change((update) => this.#methodEvent(paymentMethod, update), "completePaymentMethodSelection");
    }

    /// A coupon is a change of the method whose details have the code (Apple: ApplePayCouponCodeDetails).
    #changeCoupon(couponCode) {
        this.#change((update) => this.#methodEvent({ couponCode }, update), "completeCouponCodeChange");
    }

    #methodEvent(methodDetails, update) {
        return new PaymentMethodChangeEvent("paymentmethodchange", { methodName: this.#method, methodDetails }, update);
    }

    #selectOption(id) {
        this.#option = id;
        this.#change((update) => new PaymentRequestUpdateEvent("shippingoptionchange", {}, update),
            "completeShippingMethodSelection");
    }

    #selectAddress(contact) {
        this.#address = addressOf(contact);
        this.#change((update) => new PaymentRequestUpdateEvent("shippingaddresschange", {}, update),
            "completeShippingContactSelection");
    }

    /// Notifies the shop. Where it does not answer with updateWith(), all stays as it was.
    #change(makeEvent, answer) {
        let update;
        this.dispatchEvent(makeEvent((given) => { update = Promise.resolve(given); }));
        if (update === undefined) {
            this.#attempt(() => this.#answer(answer, {}));
            return;
        }
        update.then((given) => this.#attempt(() => {
            this.#take(given);
            this.#answer(answer, dictionaryOf(given, "The details"));
        }), (error) => this.#fail(because("The update was rejected.", error)));
    }

    #take(given) {
        const details = checkedDetails(given, this.#options);
        requireCurrency(details, this.#details.total.amount.currency);
        Object.assign(this.#details, details);
        if (details.shippingOptions !== undefined) { this.#option = selectedOption(details.shippingOptions); }
    }

    #answer(method, { error, shippingAddressErrors, payerErrors, paymentMethodErrors }) {
        const { total, lineItems, shippingMethods } = sheetDetails(this.#details, this.#option, this.#cardType);
        // Where there are ways to ship, the address is one to which they lead.
        const hasWays = this.#details.shippingOptions.length > 0;
        const errors = sheetErrors({
            ...(!hasWays && { error, shippingAddress: shippingAddressErrors }), payer: payerErrors,
            paymentMethod: paymentMethodErrors,
        }, this.#options);
        const takesErrors = method !== "completeShippingMethodSelection";
        this.#session[method]({
            newTotal: total, newLineItems: lineItems, newShippingMethods: shippingMethods, ...(takesErrors && { errors }),
        });
    }

    // MARK: Paying

    #accept(payment) {
        const { requestShipping, requestPayerName, requestPayerEmail, requestPayerPhone } = this.#options;
        const contact = payment.shippingContact ?? {};
        const contents = {
            requestId: this.#id, methodName: this.#method, details: payment,
            shippingAddress: requestShipping ? addressOf(contact) : null,
            shippingOption: requestShipping ? this.#option : null,
            payerName: requestPayerName ? nameOf(contact) : null,
            payerEmail: requestPayerEmail ? contact.emailAddress : null,
            payerPhone: requestPayerPhone ? contact.phoneNumber : null,
        };
        this.#state = "closed";
        if (this.#response !== undefined) {
            this.#response.accept(contents);
            const retried = this.#retried;
            this.#retried = undefined;
            retried.resolve();
            return;
        }
        this.#response = new PaymentResponse({
            complete: (isPaid, simulatedEnd) => this.#complete(isPaid, simulatedEnd),
            retry: (errors) => this.#retry(errors), isOver: () => this.#session === undefined,
        }, contents);
        this.#shown.resolve(this.#response);
    }

    #complete(isPaid, simulatedEnd) {
        const session = this.#session;
        this.#session = undefined;
        removeEventListener("pagehide", this.#left);
        session.completePayment({
            status: isPaid ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE, simulatedEnd,
        });
    }

    /// The sheet stays, with one error at least: without any it would be the end.
    #retry({ error, shippingAddress, payer, paymentMethod }) {
        const errors = sheetErrors({ error, shippingAddress, payer, paymentMethod }, this.#options);
        if (errors.length === 0) { errors.push(new ApplePayError("unknown")); }
        this.#session.completePayment({ status: ApplePaySession.STATUS_FAILURE, errors });
        this.#state = "interactive";
        return new Promise((resolve, reject) => { this.#retried = { resolve, reject }; });
    }
}

// What the browser's own has beside, as Chromium's securePaymentConfirmationAvailability().
for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(BrowsersRequest ?? {}))) {
    if (!Object.hasOwn(PaymentRequest, name)) { Object.defineProperty(PaymentRequest, name, descriptor); }
}

/// A UUID. (randomUUID() is missing in documents that are not secure.)
function newRequestId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
