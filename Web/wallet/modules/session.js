//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// ApplePaySession.

import { Choices } from "./choices.js";
import { redactedContact, requestedContacts, selectedMethod } from "./contacts.js";
import { requireUsableDocument } from "./document.js";
import { paymentAnswer, simulatedEnd } from "./ends.js";
import { invalidAccess, wrong } from "./errors.js";
import {
    ApplePayCancelEvent, ApplePayCouponCodeChangedEvent, ApplePayPaymentAuthorizedEvent,
    ApplePayPaymentMethodSelectedEvent, ApplePayShippingContactSelectedEvent, ApplePayShippingMethodSelectedEvent,
    ApplePayValidateMerchantEvent,
} from "./events.js";
import { requireUserGesture } from "./gesture.js";
import { Listeners, defineHandlers } from "./handlers.js";
import { answerSeconds, highestVersion } from "./phone.js";
import { validatedRequest, validatedUpdate } from "./request.js";
import { newSheetId, sandbox } from "./sandbox.js";
import { Sheet } from "./sheet.js";
import { defineStatuses, statusErrors } from "./statuses.js";
import { hasActiveCard, isVersionSupported, paymentCapabilities, showPaymentSetup } from "./support.js";

/// The one session whose sheet is up.
let activeSession;

export class ApplePaySession extends EventTarget {
    #version;
    #request;
    #choices;
    #sheet;
    #sheetId = newSheetId();
    #state = "idle";
    #isMerchantAsked = false;
    #merchantSession;
    #waiting;
    #timer;
    #changes = Promise.resolve();
    #changeCount = 0;
    #contactErrors = false;
    #listeners = new Listeners();

    static {
        for (const target of [this, this.prototype]) { defineStatuses(target); }
        defineHandlers(this.prototype);
    }

    constructor(version, request) {
        requireUsableDocument();
        requireUserGesture("Must create a new ApplePaySession from a user gesture handler.");
        if (!ApplePaySession.supportsVersion(version)) {
            throw invalidAccess(`Version ${version} of the Apple Pay JS API is not supported; 1 to ${highestVersion} are.`);
        }
        super();
        this.#version = version;
        this.#request = validatedRequest(request, version);
        this.#choices = new Choices(this.#request);
    }

    // MARK: Asking for support

    static supportsVersion(version) { return isVersionSupported(version); }

    static canMakePayments() {
        requireUsableDocument();
        return true;
    }

    static async canMakePaymentsWithActiveCard(merchantIdentifier) { return hasActiveCard(merchantIdentifier); }

    static async applePayCapabilities(merchantIdentifier) { return paymentCapabilities(merchantIdentifier); }

    static async openPaymentSetup(merchantIdentifier) { return showPaymentSetup(merchantIdentifier); }

    addEventListener(type, listener, options) {
        this.#listeners.add(this, type, listener, options);
        super.addEventListener(type, listener, options);
    }

    removeEventListener(type, listener, options) {
        this.#listeners.remove(type, listener, options);
        super.removeEventListener(type, listener, options);
    }

    // MARK: Beginning and ending

    begin() {
        if (this.#state !== "idle") {
            throw invalidAccess("This session was begun already; make a new one for each payment.");
        }
        if (activeSession !== undefined) { throw invalidAccess("Another payment session of this page is active."); }
        activeSession = this;
        this.#state = "active";
        this.#sheet = new Sheet(this.#request, {
            cancel: () => this.#cancelled(),
            selectCard: (card) => this.#selectCard(card),
            selectNetwork: (card, network) => this.#selectNetwork(card, network),
            selectMethod: (method) => this.#selectMethod(method),
            saveContact: (kind, full) => this.#saveContact(kind, full),
            changeCoupon: (code) => this.#changeCoupon(code),
            authorize: () => this.#authorize(),
        });
        this.#sheet.showWaiting("Opening the wallet…");
        this.#sheet.present();
        this.#open();
    }

    /// - Parameter end: the simulator's own: what the sheet says while it goes (see ends.js). Other wallets take no argument.
    abort(end) {
        if (!this.#isAlive) { throw invalidAccess("There is no sheet to dismiss: the session is not active."); }
        this.#end("aborted");
        const said = simulatedEnd(end);
        if (said === undefined) { this.#sheet.remove(); } else { this.#sheet.showOutcome(said); }
    }

    get #isAlive() { return ["active", "waiting", "authorizing", "authorized"].includes(this.#state); }

    #end(state) {
        clearTimeout(this.#timer);
        this.#state = state;
        if (activeSession === this) { activeSession = undefined; }
    }

    /// The shopper closes the sheet, or closes what an ended session left in view.
    #cancelled() {
        const wasAlive = this.#isAlive;
        if (wasAlive) { this.#end("canceled"); }
        this.#sheet.remove();
        if (wasAlive) { this.dispatchEvent(new ApplePayCancelEvent("cancel", { code: "unknown", info: {} })); }
    }

    /// The session ends without the shopper's doing. The sheet says why; the shop hears that it is over.
    #fail(say, more, code = "unknown") {
        if (!this.#isAlive) { return; }
        this.#end("canceled");
        console.error(`[Pomona wallet simulator] ${say} ${more ?? ""}`.trim());
        this.#sheet.showEnd(say, more);
        this.dispatchEvent(new ApplePayCancelEvent("cancel", { code, info: { reason: more ?? say } }));
    }

    #startTimer(what) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#fail("Payment not completed",
            `The shop did not answer within ${answerSeconds} seconds (${what}).`), answerSeconds * 1000);
    }

    // MARK: Merchant validation

    async #open() {
        try {
            const wallet = await sandbox.cards();
            if (!this.#isAlive) { return; }
            this.#choices.offerCards(wallet.cards);
            this.#isMerchantAsked = true;
            this.#sheet.showWaiting("Checking the shop…", "Waiting for the shop's merchant session.");
            if (!this.#listeners.hears("validatemerchant")) {
                console.warn("[Pomona wallet simulator] The session has no onvalidatemerchant handler: nobody validates it.");
            }
            this.#startTimer("completeMerchantValidation");
            this.dispatchEvent(new ApplePayValidateMerchantEvent("validatemerchant", wallet.validationURL));
        } catch (error) {
            this.#fail("The wallet cannot be opened", error.message, error.code);
        }
    }

    completeMerchantValidation(merchantSession) {
        if (this.#state !== "active" || !this.#isMerchantAsked) {
            throw invalidAccess("No merchant validation is waiting for an answer.");
        }
        if (merchantSession === null || typeof merchantSession !== "object") {
            throw wrong("The merchant session must be the object that Apple's endpoint answered, not a text or nothing.");
        }
        this.#isMerchantAsked = false;
        clearTimeout(this.#timer);
        this.#merchantSession = merchantSession;
        this.#checkMerchant(merchantSession);
    }

    async #checkMerchant(merchantSession) {
        try {
            const merchant = await sandbox.session(this.#sheetId, merchantSession);
            if (!this.#isAlive) { return; }
            this.#sheet.setMerchant(merchant.displayName);
            this.#show();
        } catch (error) {
            this.#fail("The shop could not be validated", error.message, error.code);
        }
    }

    #show() {
        const sheet = this.#sheet;
        const { card, contacts, method } = this.#choices;
        this.#showCards();
        sheet.setMethods(this.#request.shippingMethods, method);
        sheet.contacts.shipping?.show(contacts.shipping);
        sheet.contacts.billing?.show(contacts.billing);
        sheet.setSummary(this.#request.lineItems, this.#request.total);
        sheet.showReview();
        sheet.setBusy(card === undefined, "No accepted card");
        if (card !== undefined) { this.#selectCard(card); }
        if (this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
    }

    #showCards() {
        const { cards, card } = this.#choices;
        this.#sheet.cards.showAll(cards, card, (other) => this.#choices.face(other));
    }

    // MARK: Choices

    /// Notifies the shop of a change and waits for its answer; changes wait for each other. Nobody listening is an answer.
    #change(kind, makeEvent) {
        if (!this.#listeners.hears(kind)) { return; }
        this.#changeCount += 1;
        this.#sheet.setBusy(true, "Updating…");
        this.#changes = this.#changes.then(async () => {
            // One that listens a single time may have heard an earlier change.
            if (this.#state === "active" && this.#listeners.hears(kind)) {
                await new Promise((resolve) => {
                    this.#state = "waiting";
                    this.#waiting = { kind, resolve };
                    this.#startTimer(kind);
                    this.dispatchEvent(makeEvent());
                });
            }
            this.#changeCount -= 1;
            if (this.#changeCount === 0 && this.#isAlive) { this.#updateReadiness(); }
        });
    }

    #updateReadiness() {
        const reason = this.#choices.card === undefined ? "No accepted card" : this.#contactErrors ? "Correct the address first"
            : undefined;
        this.#sheet.setBusy(reason !== undefined, reason);
    }

    #answer(kind, update) {
        if (this.#state !== "waiting" || this.#waiting.kind !== kind) {
            throw invalidAccess(`No ${kind} event is waiting for an answer.`);
        }
        const { total, items, methods, errors, agreements } = validatedUpdate(update, this.#request);
        clearTimeout(this.#timer);
        Object.assign(this.#request, { total, agreements });
        if (items !== undefined) { this.#request.lineItems = items; }
        if (methods !== undefined) {
            this.#request.shippingMethods = methods;
            this.#choices.offerMethods(methods);
            this.#sheet.setMethods(methods, this.#choices.method);
        }
        this.#sheet.setSummary(this.#request.lineItems, total);
        if (kind === "shippingcontactselected") { this.#contactErrors = errors.length > 0; }
        this.#sheet.setErrors(errors.length > 0 ? "The shop asks for a correction:" : undefined, errors);
        this.#state = "active";
        this.#waiting.resolve();
    }

    #selectCard(card) {
        this.#choices.card = card;
        this.#sheet.cards.show(card, this.#choices.face(card));
        this.#change("paymentmethodselected", () => new ApplePayPaymentMethodSelectedEvent(
            "paymentmethodselected", selectedMethod(card, this.#choices.contacts, this.#request)));
    }

    #selectNetwork(card, network) {
        this.#choices.chooseNetwork(card, network);
        this.#choices.card = card;
        this.#showCards();
        this.#selectCard(card);
    }

    #selectMethod(method) {
        this.#choices.method = method;
        const { label, detail, amount, identifier } = method;
        this.#change("shippingmethodselected",
            () => new ApplePayShippingMethodSelectedEvent("shippingmethodselected", { label, detail, amount, identifier }));
    }

    #saveContact(kind, full) {
        this.#choices.saveContact(kind, full);
        this.#sheet.contacts[kind].show(full);
        if (kind === "shipping" && this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
    }

    #offerContact() {
        this.#change("shippingcontactselected", () =>
            new ApplePayShippingContactSelectedEvent("shippingcontactselected", redactedContact(this.#choices.contacts.shipping)));
    }

    #changeCoupon(code) {
        this.#change("couponcodechanged", () => new ApplePayCouponCodeChangedEvent("couponcodechanged", code));
    }

    /// `(update)`, or before version 3 `(newTotal, newLineItems)`.
    completePaymentMethodSelection(update, newLineItems) {
        const isOld = update !== null && typeof update === "object" && update.newTotal === undefined
            && update.label !== undefined;
        this.#answer("paymentmethodselected", isOld ? { newTotal: update, newLineItems } : update);
    }

    /// `(update)`, or before version 3 `(status, newTotal, newLineItems)`.
    completeShippingMethodSelection(update, newTotal, newLineItems) {
        if (typeof update !== "number") { return this.#answer("shippingmethodselected", update); }
        if (update === ApplePaySession.STATUS_SUCCESS) {
            return this.#answer("shippingmethodselected", { newTotal, newLineItems });
        }
        if (this.#waiting?.kind !== "shippingmethodselected" || this.#state !== "waiting") {
            throw invalidAccess("No shippingmethodselected event is waiting for an answer.");
        }
        this.#fail("Payment not completed", "The shop refused the shipping method.");
    }

    /// `(update)`, or before version 3 `(status, newShippingMethods, newTotal, newLineItems)`.
    completeShippingContactSelection(update, newShippingMethods, newTotal, newLineItems) {
        if (typeof update !== "number") { return this.#answer("shippingcontactselected", update); }
        this.#answer("shippingcontactselected", {
            newShippingMethods, newTotal, newLineItems, errors: statusErrors(update, "unknown"),
        });
    }

    completeCouponCodeChange(update) { this.#answer("couponcodechanged", update); }

    // MARK: Paying

    async #authorize() {
        const { card } = this.#choices;
        if (this.#state !== "active" || this.#changeCount > 0 || card === undefined || this.#contactErrors) { return; }
        const { countryCode, currencyCode, total, supportedNetworks, merchantCapabilities, applicationData } = this.#request;
        this.#state = "authorizing";
        this.#sheet.setErrors(undefined, []);
        this.#sheet.setCanCancel(false);
        this.#sheet.showWaiting("Paying…", "The simulated phone makes and signs the payment token.");
        let token;
        try {
            ({ token } = await sandbox.payment(this.#sheetId, this.#merchantSession, {
                cardId: card.id, network: this.#choices.face(card).network, request: {
                    countryCode, currencyCode, total: { label: total.label, amount: total.amount }, supportedNetworks,
                    merchantCapabilities, applicationData,
                },
            }));
        } catch (error) {
            this.#notAuthorized(error);
            return;
        }
        if (this.#state !== "authorizing") { return; }
        this.#state = "authorized";
        this.#sheet.showWaiting("Paying…", "The token is with the shop. Waiting for its answer.");
        this.#startTimer("completePayment");
        this.dispatchEvent(new ApplePayPaymentAuthorizedEvent("paymentauthorized", {
            token, ...requestedContacts(this.#choices.contacts, this.#request),
        }));
    }

    #notAuthorized(error) {
        if (this.#state !== "authorizing") { return; }
        if (error.code?.startsWith("session_")) {
            this.#fail("Payment not completed", error.message, error.code);
            return;
        }
        // Without a network the shopper may try again.
        this.#state = "active";
        this.#sheet.setCanCancel(true);
        this.#sheet.showReview();
        this.#sheet.setErrors(`Payment not completed. ${error.message}`, []);
    }

    /// `({status, errors})`, or before version 3 `(status)`.
    completePayment(result) {
        if (this.#state !== "authorized") { throw invalidAccess("No authorized payment is waiting for an answer."); }
        const answer = paymentAnswer(result);
        clearTimeout(this.#timer);
        if (answer.isFinal) {
            this.#end("completed");
            this.#sheet.showOutcome(answer.outcome);
            return;
        }
        // The sheet stays: a corrected contact may do, the card's PIN, another card, or another try.
        this.#state = "active";
        this.#sheet.setCanCancel(true);
        this.#sheet.showReview();
        this.#sheet.setErrors(answer.say, answer.errors);
    }

    get version() { return this.#version; }
}

export const hasActiveSession = () => activeSession !== undefined;

/// A page that is left takes its sheet along.
export const leavePage = () => activeSession?.abort();
