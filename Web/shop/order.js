//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// An order's view: what became of the payment, and what can be done with it next, in the payment service's own words. It shows
// what the server says of the order, and what came of the last operation.

import { shopServer } from "./api.js";
import { dialectWords } from "./dialects.js";
import { breakable, byId, codeRows, copyButton, make, shownMoment, sign } from "./dom.js";
import { shownMoney } from "./money.js";

/** Tone and words of an order's status. */
const states = {
    open: ["pending", "Not paid"], authorized: ["done", "Payment authorized"], captured: ["done", "Payment captured"],
    voided: ["reversed", "Authorization voided"], refunded: ["reversed", "Payment refunded"],
    declined: ["declined", "Payment declined"], unknown: ["unknown", "Outcome not known yet"],
    gone: ["pending", "No longer kept"],
};
const steps = {
    declined: ["declined", "declined"], error: ["refused", "refused"], unknown: ["unknown", "outcome not known yet"],
};
const payWords = { declined: "Payment declined", error: "Payment refused", unknown: "Outcome not known yet" };
const details = {
    open: "Nothing was taken. The cart has what you chose.",
    authorized: "The amount is reserved on the card. Capture it, or give it back.",
    captured: "The money is the shop's. It can be given back.",
    voided: "The reserved amount is free again.", refunded: "The card gets its money back.",
    declined: "Nothing was taken. Your cart is as it was: try another card.",
    unknown: "The money may have moved, so do not pay again. The gateway asks the bank until it knows.",
    gone: "The sandbox was started anew, or the order is more than an hour old.",
};
// What may follow: money is taken once, and given back only when it was taken.
const takesMoney = ["authorized", "captured", "unknown"];
const allowed = { authorized: ["capture", "void"], captured: ["refund"] };

/** Tone and words for where an order stands. */
export function stateOf({ status, dialect }) {
    const [tone, words] = states[status] ?? ["unknown", status];
    return [tone, dialectWords(dialect).states[status] ?? words];
}

/** "2 × Teapot, 1 × Notebook". */
export const goods = ({ summary }) => (summary ?? "").replace(/(^|, )(\d+) /g, "$1$2 × ");

/** What to say first of an order: its state, or what the last operation came to where it did not do what it should. */
export function headline(order) {
    const { last, status } = order;
    const [tone, words] = stateOf(order);
    const isPlain = last === undefined || last.status === "approved" || status === "gone"
        || (last.status === "unknown" && status !== "unknown");
    if (isPlain) {
        const isFound = last?.status === "unknown" && status !== "gone";
        return [tone, words, isFound ? "The gateway asked again and knows now." : details[status] ?? ""];
    }
    if (last.operation === "pay") {
        return [steps[last.status][0], payWords[last.status], details[status === "open" ? "open" : last.status]
            ?? details.declined];
    }
    const [stepTone, step] = steps[last.status];
    const [label] = dialectWords(order.dialect).operations[last.operation] ?? [last.operation];
    return [stepTone, `${label}: ${step}`, last.status === "unknown" ? details.unknown : `${words}, as before.`];
}

/** The codes that the headline rests on. They are no news once the gateway has found out more. */
const codesOf = ({ last, status }) => status === "gone" || (last?.status === "unknown" && status !== "unknown") ? []
    : last?.codes ?? [];

// Numbers and codes are typed; what is longer is copied.
const isIdentifier = (value) => value.length > 8;

/** An identifier with its middle left out. */
const shortened = (value) => value.length > 17 ? `${value.slice(0, 8)}…${value.slice(-5)}` : value;

/** When the order was made. */
const shownTime = ({ createdAtMillis }) => Number.isSafeInteger(createdAtMillis) ? [make("div", {}, make("dt", { class: "plain" }, "Ordered"),
    make("dd", {}, shownMoment(new Date(createdAtMillis).toISOString())))] : [];

export class OrderView {
    #order;
    #exchange;
    #isBusy = false;
    #onChange;

    /** `onChange(order)` hears of everything that the server says of the order. */
    constructor(exchange, onChange) {
        this.#exchange = exchange;
        this.#onChange = onChange;
    }

    get orderId() { return this.#order?.orderId; }

    show(order) {
        const isOther = order.orderId !== this.#order?.orderId;
        this.#order = order;
        if (isOther) { this.#isBusy = false; }
        byId("order-view").hidden = false;
        byId("order-view").dataset.order = order.orderId;
        byId("order-summary").textContent = goods(order);
        byId("order-amount").textContent = shownMoney(order.amountMinor, order.currency, order.decimals);
        byId("order-facts").replaceChildren(make("div", {}, make("dt", { class: "plain" }, "Payment service"),
            make("dd", {}, order.title)), ...shownTime(order), ...(order.facts ?? []).map(({ name, value }) =>
            make("div", {}, make("dt", {}, name), make("dd", {},
                make("span", { title: value }, shortened(value)),
                isIdentifier(value) ? copyButton("Copy", `Copy ${name}`, value) : undefined))));
        this.#refresh(isOther);
    }

    hide() {
        this.#order = undefined;
        byId("order-view").hidden = true;
    }

    /**
     * What the server knows of an order by now: it found out about an outcome that was not known, or the service captured the
     * payment by itself.
     */
    learn(order) {
        if (this.#order?.orderId !== order.orderId || this.#isBusy) { return; }
        // The same again is not announced again.
        if (JSON.stringify(order) !== JSON.stringify(this.#order)) { this.show(order); }
    }

    #report(tone, words, detail) {
        const state = byId("order-state");
        state.className = `order-state tone-${tone}`;
        state.replaceChildren(sign(tone), make("strong", {}, words), ...(detail ? [make("small", {}, detail)] : []));
    }

    #refresh(isOther) {
        const order = this.#order;
        const isUnderWay = order.isBusy && !this.#isBusy;
        byId("order-view").dataset.state = order.last?.status === "error" && order.status === "open" ? "error" : order.status;
        if (isUnderWay) {
            this.#report("unknown", "Under way…", "The shop's server waits for the payment service.");
        } else {
            this.#report(...headline(order));
        }
        const codes = codesOf(order);
        byId("order-codes").hidden = codes.length === 0;
        byId("order-codes").replaceChildren(...codeRows(codes));
        this.#showActions(isOther);
    }

    #showActions(isOther) {
        const box = byId("order-actions");
        const order = this.#order;
        if (isOther || box.dataset.dialect !== order.dialect) {
            const { operations } = dialectWords(order.dialect);
            box.dataset.dialect = order.dialect;
            box.replaceChildren(...Object.entries(operations).map(([name, [label, wire]]) => make("button", {
                type: "button", class: name === "capture" ? "button" : "button quiet", "data-operation": name,
                click: () => this.#follow(name),
            }, make("span", {}, name === "void" ? label : `${label} ${shownMoney(order.amountMinor, order.currency, order.decimals)}`),
            make("small", { "aria-hidden": "true" }, ...breakable(wire)))));
            // They stay where they are for as long as the order is looked at: nothing moves under the pointer.
            box.hidden = !takesMoney.includes(order.status);
        } else if (takesMoney.includes(order.status)) {
            box.hidden = false;
        }
        for (const button of box.children) {
            button.disabled = this.#isBusy || order.isBusy || !(allowed[order.status] ?? []).includes(button.dataset.operation);
        }
    }

    async #follow(name) {
        const { orderId, dialect } = this.#order;
        const [label] = dialectWords(dialect).operations[name];
        this.#isBusy = true;
        this.#report("unknown", `${label} is under way…`, "The shop's server waits for the payment service.");
        this.#showActions(false);
        this.#exchange.follow();
        let failure;
        let order;
        try {
            ({ order } = await shopServer.follow(orderId, name));
        } catch (error) {
            failure = error;
        }
        this.#isBusy = false;
        this.#exchange.setBusy(false);
        if (order) { this.#onChange(order); }
        // Another order may be looked at by now.
        if (this.#order?.orderId !== orderId) { return; }
        this.show(order ?? this.#order);
        if (failure !== undefined) {
            this.#report("refused", `${label} failed`, failure.message);
            // Those are of the operation before.
            byId("order-codes").hidden = true;
        }
        // The button that was pressed may be disabled now and so have lost the focus.
        byId("order-title").focus();
    }
}
