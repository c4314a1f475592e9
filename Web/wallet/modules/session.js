//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// ApplePaySession.

import { cardFace } from "./card-face.js";
import { redactedContact, requestedContacts, startingContact } from "./contacts.js";
import { requireUsableDocument, requireUserGesture } from "./document.js";
import { paymentAnswer, simulatedEnd } from "./ends.js";
import { invalidAccess, wrong } from "./errors.js";
import {
    ApplePayCancelEvent, ApplePayCouponCodeChangedEvent, ApplePayPaymentAuthorizedEvent,
    ApplePayPaymentMethodSelectedEvent, ApplePayShippingContactSelectedEvent, ApplePayShippingMethodSelectedEvent,
    ApplePayValidateMerchantEvent,
} from "./events.js";
import { Listeners, defineHandlers } from "./handlers.js";
import { answerSeconds, highestVersion, phone } from "./phone.js";
import { validatedRequest, validatedUpdate } from "./request.js";
import { sandbox } from "./sandbox.js";
import { Sheet } from "./sheet.js";
import { defineStatuses, statusErrors } from "./statuses.js";

/// The one session whose sheet is up.
let activeSession;

export class ApplePaySession extends EventTarget {
    #version;
    #request;
    #contacts;
    #sheet;
    #state = "idle";
    #isMerchantAsked = false;
    #merchantSession;
    #waiting;
    #timer;
    #changes = Promise.resolve();
    #changeCount = 0;
    #contactErrors = false;
    #cards = [];
    #card;
    /// The networks that the customer chose, by the card's id.
    #networks = new Map();
    #method;
    #listeners = new Listeners();

    static {
        for (const target of [this, this.prototype]) { defineStatuses(target); }
        defineHandlers(this.prototype);
    }

    constructor(version, request) {
        requireUsableDocument();
        requireUserGesture("new ApplePaySession");
        if (!ApplePaySession.supportsVersion(version)) {
            throw invalidAccess(`Version ${version} of the Apple Pay JS API is not supported; 1 to ${highestVersion} are.`);
        }
        super();
        this.#version = version;
        this.#request = validatedRequest(request, version);
        this.#contacts = {
            shipping: startingContact("shipping", this.#request), billing: startingContact("billing", this.#request),
        };
        this.#method = this.#preferredMethod();
    }

    // MARK: Asking for support

    static supportsVersion(version) {
        const number = Number(version);
        if (!Number.isInteger(number) || number < 1) {
            throw invalidAccess("The version must be a whole number of at least 1.");
        }
        requireUsableDocument();
        return number <= highestVersion;
    }

    static canMakePayments() {
        requireUsableDocument();
        return true;
    }

    static async canMakePaymentsWithActiveCard(merchantIdentifier) {
        requireUsableDocument();
        if (merchantIdentifier === undefined) { throw wrong("The merchant identifier is missing."); }
        const { cards } = await sandbox.cards().catch(() => ({ cards: [] }));
        return cards.length > 0;
    }

    static async applePayCapabilities(merchantIdentifier) {
        const hasCard = await ApplePaySession.canMakePaymentsWithActiveCard(merchantIdentifier);
        return { paymentCredentialStatus: hasCard ? "paymentCredentialsAvailable" : "paymentCredentialsUnavailable" };
    }

    /// There is nothing to set up: the simulator's cards are there.
    static async openPaymentSetup(merchantIdentifier) {
        requireUsableDocument();
        requireUserGesture("openPaymentSetup");
        return ApplePaySession.canMakePaymentsWithActiveCard(merchantIdentifier);
    }

    addEventListener(type, listener, options) {
        this.#listeners.add(type, listener);
        super.addEventListener(type, listener, options);
    }

    removeEventListener(type, listener, options) {
        this.#listeners.remove(type, listener);
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
            this.#cards = wallet.cards;
            this.#card = wallet.cards.find((card) => this.#face(card) !== undefined);
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
            const merchant = await sandbox.session(merchantSession);
            if (!this.#isAlive) { return; }
            this.#sheet.setMerchant(merchant.displayName);
            this.#show();
        } catch (error) {
            this.#fail("The shop could not be validated", error.message, error.code);
        }
    }

    #show() {
        const sheet = this.#sheet;
        sheet.cards.showAll(this.#cards, this.#card, (card) => this.#face(card));
        sheet.setMethods(this.#request.shippingMethods, this.#method);
        sheet.contacts.shipping?.show(this.#contacts.shipping);
        sheet.contacts.billing?.show(this.#contacts.billing);
        sheet.setSummary(this.#request.lineItems, this.#request.total);
        sheet.showReview();
        sheet.setBusy(this.#card === undefined, "No accepted card");
        if (this.#card !== undefined) { this.#selectCard(this.#card); }
        if (this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
    }

    #face(card) { return cardFace(card, this.#request, this.#networks.get(card.id)); }

    #preferredMethod() {
        const methods = this.#request.shippingMethods;
        return methods.find((method) => method.selected) ?? methods[0];
    }

    // MARK: Choices

    /// Notifies the shop of a change and waits for its answer; changes wait for each other. Nobody listening is an answer.
    #change(kind, makeEvent) {
        if (!this.#listeners.hears(kind)) { return; }
        this.#changeCount += 1;
        this.#sheet.setBusy(true, "Updating…");
        this.#changes = this.#changes.then(async () => {
            if (this.#state === "active") {
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
        const reason = this.#card === undefined ? "No accepted card" : this.#contactErrors ? "Correct the address first"
            : undefined;
        this.#sheet.setBusy(reason !== undefined, reason);
    }

    #answer(kind, update) {
        if (this.#state !== "waiting" || this.#waiting.kind !== kind) {
            throw invalidAccess(`No ${kind} event is waiting for an answer.`);
        }
        const { total, items, methods, errors } = validatedUpdate(update);
        clearTimeout(this.#timer);
        this.#request.total = total;
        if (items !== undefined) { this.#request.lineItems = items; }
        if (methods !== undefined) {
            this.#request.shippingMethods = methods;
            this.#method = methods.find((method) => method.selected)
                ?? methods.find((method) => method.identifier === this.#method?.identifier) ?? methods[0];
            this.#sheet.setMethods(methods, this.#method);
        }
        this.#sheet.setSummary(this.#request.lineItems, total);
        if (kind === "shippingcontactselected") { this.#contactErrors = errors.length > 0; }
        this.#sheet.setErrors(errors.length > 0 ? "The shop asks for a correction:" : undefined, errors);
        this.#state = "active";
        this.#waiting.resolve();
    }

    #selectCard(card) {
        this.#card = card;
        this.#sheet.cards.show(card, this.#face(card));
        // Before the payment is authorized the shop learns the kind of card, nothing more.
        this.#change("paymentmethodselected",
            () => new ApplePayPaymentMethodSelectedEvent("paymentmethodselected", { type: card.type }));
    }

    #selectNetwork(card, network) {
        this.#networks.set(card.id, network);
        this.#sheet.cards.showAll(this.#cards, card, (other) => this.#face(other));
        this.#selectCard(card);
    }

    #selectMethod(method) {
        this.#method = method;
        const { label, detail, amount, identifier } = method;
        this.#change("shippingmethodselected",
            () => new ApplePayShippingMethodSelectedEvent("shippingmethodselected", { label, detail, amount, identifier }));
    }

    #saveContact(kind, full) {
        this.#contacts[kind] = full;
        phone.contacts[`${kind}-${this.#request.countryCode}`] = full;
        this.#sheet.contacts[kind].show(full);
        if (kind === "shipping" && this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
    }

    #offerContact() {
        this.#change("shippingcontactselected", () =>
            new ApplePayShippingContactSelectedEvent("shippingcontactselected", redactedContact(this.#contacts.shipping)));
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
        if (this.#state !== "active" || this.#changeCount > 0 || this.#card === undefined || this.#contactErrors) { return; }
        const { countryCode, currencyCode, total, supportedNetworks, merchantCapabilities, applicationData } = this.#request;
        this.#state = "authorizing";
        this.#sheet.setErrors(undefined, []);
        this.#sheet.setCanCancel(false);
        this.#sheet.showWaiting("Paying…", "The simulated phone makes and signs the payment token.");
        let token;
        try {
            ({ token } = await sandbox.payment(this.#merchantSession, this.#card.id, this.#face(this.#card).network, {
                countryCode, currencyCode, total: { label: total.label, amount: total.amount }, supportedNetworks,
                merchantCapabilities, applicationData,
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
            token, ...requestedContacts(this.#contacts, this.#request),
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
            if (answer.outcome !== undefined) {
                this.#sheet.showOutcome(answer.outcome);
            } else {
                this.#sheet.showEnd(answer.say, answer.more);
            }
            return;
        }
        // The sheet stays: a corrected contact may do, or the card's PIN.
        this.#state = "active";
        this.#sheet.setCanCancel(true);
        this.#sheet.showReview();
        this.#sheet.setErrors(answer.say, answer.errors);
    }

    get version() { return this.#version; }
}

/// A page that is left takes its sheet along.
export const leavePage = () => activeSession?.abort();
