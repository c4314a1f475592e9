//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The payment sheet.

import { CardSection } from "./card-section.js";
import { ContactSection } from "./contact-section.js";
import { make, mark, sign } from "./drawing.js";
import { money } from "./money.js";
import { doneMilliseconds, failedMilliseconds, phone, slowMilliseconds } from "./phone.js";
import { styles } from "./style.js";
import { errorWords, methodWords } from "./words.js";

/// Everything that the shopper sees. It knows nothing of the session but the callbacks it is given.
export class Sheet {
    static current;

    constructor(request, actions) {
        this.request = request;
        this.actions = actions;
        this.canCancel = true;
        // Its words are English, whatever the page's language and direction (WCAG 2.2, 3.1.2).
        this.host = make("pomona-wallet-simulator", { lang: "en", dir: "ltr" });
        this.root = this.host.attachShadow({ mode: "open" });
        this.root.adoptedStyleSheets = [styles()];
        this.build();
    }

    present() {
        Sheet.current?.remove();
        Sheet.current = this;
        document.documentElement.append(this.host);
        this.dialog.showModal();
        this.title.focus();
    }

    remove() {
        if (Sheet.current === this) { Sheet.current = undefined; }
        this.isRemoved = true;
        if (this.dialog.open) { this.dialog.close(); }
        this.host.remove();
    }

    // MARK: Building

    build() {
        this.title = make("h2", { id: "title", tabindex: -1 }, "Wallet simulator");
        this.merchant = make("p", { class: "merchant" }, location.hostname);
        this.cancelButton = make("button", { type: "button", class: "cancel", click: () => this.cancel() }, "Cancel");
        this.banner = make("div", { class: "banner", role: "alert", hidden: true });
        this.status = make("p", { class: "unseen", role: "status" });
        this.cards = new CardSection(this.request, this.actions);
        this.contacts = Object.fromEntries(["shipping", "billing"].map((kind) =>
            [kind, ContactSection.of(kind, this.request, (full) => this.actions.saveContact(kind, full))]));
        this.review = make("div", { class: "review", hidden: true },
            this.banner, this.cards.element, this.buildMethods(), this.contacts.shipping?.element,
            this.contacts.billing?.element, this.buildCoupon(), this.buildItems());
        this.stage = make("div", { class: "stage" });
        this.scroll = make("div", { class: "scroll" }, this.stage, this.review, this.buildSettings());
        this.dialog = make("dialog", {
            class: "sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "notice",
            keydown: (event) => this.pressed(event),
            cancel: (event) => { event.preventDefault(); this.cancel(); },
            close: () => this.closed(),
        },
            make("div", { class: "stripes", "aria-hidden": "true" }),
            make("div", { class: "head" }, mark(), make("div", { class: "heading" }, this.title, this.merchant), this.cancelButton),
            make("p", { class: "notice", id: "notice" }, "Simulator: no card is charged, no money moves."),
            this.scroll, this.buildFooter(), this.status);
        this.root.append(this.dialog);
    }

    buildMethods() {
        this.methods = make("fieldset", { class: "block", hidden: true },
            make("legend", {}, methodWords[this.request.shippingType]), make("div", { class: "grow" }));
        return this.methods;
    }

    buildCoupon() {
        if (!this.request.supportsCouponCode) { return undefined; }
        const input = make("input", { name: "coupon", autocomplete: "off", value: this.request.couponCode });
        this.coupon = input;
        return make("form", {
            class: "block", "aria-label": "Coupon",
            submit: (event) => { event.preventDefault(); this.actions.changeCoupon(input.value); },
        }, make("div", { class: "row" }, make("label", { class: "field grow" }, "Coupon code", input),
            make("button", { type: "submit", class: "plain" }, "Apply")));
    }

    buildItems() {
        this.items = make("ul", { class: "items", "aria-label": "Summary" });
        this.itemsBlock = make("section", { class: "block", "aria-label": "Summary", hidden: true }, this.items);
        return this.itemsBlock;
    }

    buildSettings() {
        const choice = (value, words) => make("label", {}, make("input", {
            type: "radio", name: "network", value, checked: phone.network === value,
            change: () => { phone.network = value; },
        }), words);
        this.settings = make("details", { class: "block" }, make("summary", {}, "Simulated phone"),
            make("fieldset", { class: "segments" }, make("legend", {}, "Network"),
                choice("normal", "Normal"), choice("slow", "Slow"), choice("lost", "Lost")),
            make("p", { class: "hint" },
                `Slow adds ${slowMilliseconds / 1000} seconds to each request of the wallet; lost fails it.`));
        return this.settings;
    }

    buildFooter() {
        this.totalLabel = make("span", { class: "label" });
        this.totalAmount = make("span", { class: "amount" });
        this.payButton = make("button", { type: "button", class: "pay", click: () => this.pay() },
            "Confirm with side button");
        this.passcodeButton = make("button", { type: "button", class: "plain other", click: () => this.showPasscode(true) },
            "Use passcode");
        this.codeInput = make("input", {
            class: "code", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 6, id: "passcode",
            "aria-describedby": "passcode-hint",
        });
        this.codeHint = make("p", { class: "hint", id: "passcode-hint" });
        this.passcode = make("form", {
            class: "passcode", hidden: true, novalidate: true,
            submit: (event) => { event.preventDefault(); this.checkPasscode(); },
        }, make("label", { class: "field" }, "Passcode", this.codeInput), make("button", { type: "submit",
            class: "solid" }, "Pay"),
            this.codeHint, make("button", { type: "button", class: "plain other back",
                click: () => this.showPasscode(false, true) },
                "Use side button"));
        this.payBlock = make("div", {}, this.payButton, this.passcodeButton);
        this.footer = make("div", { class: "foot", hidden: true },
            make("p", { class: "total" }, this.totalLabel, this.totalAmount), this.payBlock, this.passcode);
        return this.footer;
    }

    // MARK: Phases

    /// Waiting: `say` is announced, `more` explains it.
    showWaiting(say, more) {
        this.stage.replaceChildren(make("div", { class: "spinner", "aria-hidden": "true" }),
            make("p", { class: "say" }, say), make("p", { class: "more" }, more ?? ""));
        this.setPhase("waiting", say);
    }

    showReview() {
        this.setPhase("review", "");
        this.showPasscode(false);
        this.cards.toggle(false);
        // On low screens the sheet itself scrolls (style.js).
        for (const element of [this.scroll, this.dialog]) { element.scrollTop = 0; }
        // The element that had the focus may be gone from view; the next step is the pay button.
        if (this.root.activeElement === null || this.root.activeElement === this.dialog) { this.title.focus(); }
    }

    /// The shop has answered for good and goes on at once: the sheet says how it went, lingers for the eyes, and goes by
    /// itself.
    ///
    /// - Parameter end: `kind` ("taken", "declined", "refused", "unknown", "failed"), `say`, `more`, `code`.
    showOutcome({ kind, say, more, code }) {
        this.stage.replaceChildren(sign(kind), make("p", { class: "say" }, say), make("p", { class: "more" }, more),
            ...(code ? [make("p", { class: "end-code" }, code)] : []));
        this.setPhase("done", `${say}. ${more}`);
        this.setCanCancel(false);
        this.cancelButton.hidden = true;
        // It lets go of the page and of the focus. (show() would take the focus; the attribute alone does not.)
        this.dialog.close();
        this.dialog.setAttribute("aria-modal", "false");
        this.dialog.setAttribute("open", "");
        setTimeout(() => this.remove(), kind === "taken" ? doneMilliseconds : failedMilliseconds);
    }

    /// The end without a payment. The sheet stays until it is closed, so that the reason can be read.
    showEnd(say, more) {
        this.stage.replaceChildren(sign("failed"), make("p", { class: "say", role: "alert" }, say),
            make("p", { class: "more" }, more ?? ""));
        this.setPhase("end", "");
        this.setCanCancel(true);
        this.isOver = true;
        this.cancelButton.replaceChildren("Close");
        this.cancelButton.focus();
    }

    setPhase(phase, announcement) {
        this.phase = phase;
        const isReview = phase === "review";
        const hadFocus = this.review.contains(this.root.activeElement) || this.footer.contains(this.root.activeElement);
        this.review.hidden = !isReview;
        this.footer.hidden = !isReview;
        this.stage.hidden = isReview;
        this.settings.hidden = ["done", "end"].includes(phase);
        if (hadFocus && !isReview) { this.title.focus(); }
        this.status.textContent = announcement;
    }

    setCanCancel(canCancel) {
        this.canCancel = canCancel;
        this.cancelButton.disabled = !canCancel;
    }

    /// While the shop answers a change, the pay button says so and does nothing; it keeps the focus.
    setBusy(isBusy, reason) {
        this.isBusy = isBusy;
        this.payButton.setAttribute("aria-disabled", String(isBusy));
        this.payButton.textContent = isBusy ? reason : "Confirm with side button";
        this.passcodeButton.hidden = isBusy;
        this.review.setAttribute("aria-busy", String(isBusy));
    }

    // MARK: Contents

    setMerchant(name) { this.merchant.textContent = `${name} · ${location.hostname}`; }

    setMethods(methods, selected) {
        this.methods.hidden = methods.length === 0;
        const list = this.methods.lastChild;
        const focused = this.methods.contains(this.root.activeElement);
        list.replaceChildren(...methods.map((method) => make("label", { class: "option" }, make("input", {
            type: "radio", name: "method", value: method.identifier, checked: method === selected,
            change: () => this.actions.selectMethod(method),
        }), make("span", { class: "grow" }, make("span", { class: "name" }, method.label),
            make("span", { class: "detail" }, method.detail)),
            make("span", { class: "amount" }, money(method.amount, this.request.currencyCode)))));
        if (focused) { list.querySelector("input:checked")?.focus(); }
    }

    setSummary(items, total) {
        const currency = this.request.currencyCode;
        this.itemsBlock.hidden = items.length === 0;
        this.items.replaceChildren(...items.map((item) => make("li", {}, make("span", { class: "label" }, item.label),
            make("span", { class: "amount" }, item.type === "pending" ? "Pending" : money(item.amount, currency)))));
        const isPending = total.type === "pending";
        this.totalLabel.textContent = `Pay ${total.label}`;
        this.totalAmount.textContent = isPending ? "AMOUNT PENDING" : money(total.amount, currency);
        this.totalAmount.classList.toggle("pending", isPending);
    }

    /// ApplePayError objects, shown where they belong and named in the banner.
    setErrors(headline, errors) {
        for (const contact of Object.values(this.contacts)) { contact?.markWrong(false); }
        this.banner.hidden = headline === undefined;
        this.banner.replaceChildren();
        if (headline === undefined) { return; }
        const list = errors.map((error) => make("li", {}, errorWords(error)));
        this.banner.replaceChildren(headline, ...(list.length > 0 ? [make("ul", {}, ...list)] : []));
        for (const error of errors) {
            const kind = error.code === "billingContactInvalid" ? "billing"
                : ["shippingContactInvalid", "addressUnserviceable"].includes(error.code) ? "shipping" : undefined;
            this.contacts[kind]?.markWrong(true);
        }
    }

    // MARK: Authorizing

    pay() {
        if (!this.isBusy && this.savesContacts()) { this.actions.authorize(); }
    }

    /// What stands in an open form is meant: it is saved before the payment, which waits when that asks for something.
    savesContacts() {
        const open = Object.values(this.contacts).filter((contact) => contact?.isOpen);
        for (const contact of open) { contact.saveForm(); }
        return !this.isBusy && !open.some((contact) => contact.isOpen);
    }

    showPasscode(isShown, hasFocus = false) {
        this.passcode.hidden = !isShown;
        this.payBlock.hidden = isShown;
        this.codeInput.value = "";
        this.codeInput.removeAttribute("aria-invalid");
        this.codeHint.textContent = "Any six digits stand for the right passcode; 000000 for a wrong one.";
        if (isShown) { this.codeInput.focus(); } else if (hasFocus) { this.payButton.focus(); }
    }

    checkPasscode() {
        if (this.isBusy) { return; }
        const code = this.codeInput.value;
        if (!/^[0-9]{6}$/.test(code) || code === "000000") {
            this.codeInput.value = "";
            this.codeInput.setAttribute("aria-invalid", "true");
            this.codeHint.textContent = code === "000000" ? "Wrong passcode. Try another." : "The passcode has six digits.";
            this.status.textContent = this.codeHint.textContent;
            this.codeInput.focus();
            return;
        }
        if (this.savesContacts()) { this.actions.authorize(); }
    }

    // MARK: Keys and closing

    cancel() {
        if (this.canCancel) { this.actions.cancel(); }
    }

    pressed(event) {
        if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            this.cancel();
        } else if (event.key === "Tab") {
            this.keepFocusInside(event);
        }
    }

    keepFocusInside(event) {
        const all = [...this.dialog.querySelectorAll("button, input, select, summary")].filter((element) =>
            !element.disabled && element.checkVisibility?.() !== false && element.getClientRects().length > 0
            && (element.type !== "radio" || element.checked));
        const [first, last] = [all[0], all[all.length - 1]];
        const focused = this.root.activeElement;
        if (first === undefined) {
            event.preventDefault();
        } else if (event.shiftKey && (focused === first || focused === this.title || focused === null)) {
            event.preventDefault();
            last.focus();
        } else if (!event.shiftKey && (focused === last || focused === null)) {
            event.preventDefault();
            first.focus();
        }
    }

    /// Browsers let a dialog be closed against its will; a payment that is under way stays in view.
    closed() {
        if (this.isRemoved || this.phase === "done") { return; }
        if (this.canCancel) { this.actions.cancel(); } else { this.dialog.showModal(); }
    }
}
