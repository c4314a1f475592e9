//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// An order's view: what became of the payment, and what can be done with it next, in the payment service's own words. It shows
// what the server says of the order, and what came of the last operation.

import { shopServer } from "./api.js";
import { dialectWords } from "./dialects.js";
import { breakable, byId, codeRows, make, sign } from "./dom.js";
import { shownMoney } from "./money.js";

/** Sign and words of an order's status. */
const states = {
    open: ["none", "Not paid"], authorized: ["good", "Payment authorized"], captured: ["good", "Payment captured"],
    voided: ["undone", "Authorization voided"], refunded: ["undone", "Payment refunded"],
    declined: ["bad", "Payment declined"], unknown: ["warn", "Outcome not known yet"], gone: ["none", "No longer kept"],
};
const steps = {
    declined: ["bad", "declined"], error: ["bad", "refused"], unknown: ["warn", "outcome not known yet"],
};
const payWords = { declined: "Payment declined", error: "Payment refused", unknown: "Outcome not known yet" };
const details = {
    open: "Nothing was taken. The cart has what you chose.",
    unknown: "The money may have moved, so do not pay again. The gateway asks the bank until it knows.",
    gone: "The sandbox was started anew, or the order is more than an hour old.",
};
// What may follow: money is taken once, and given back only when it was taken.
const allowed = { authorized: ["capture", "void"], captured: ["refund"] };

/** Sign and words for where an order stands. */
export function stateOf({ status, dialect }) {
    const [mood, words] = states[status] ?? ["warn", status];
    return [mood, dialectWords(dialect).states[status] ?? words];
}

/** "2 × Teapot, 1 × Notebook". */
export const goods = ({ summary }) => (summary ?? "").replace(/(^|, )(\d+) /g, "$1$2 × ");

/** What to say first of an order: its state, or what the last operation came to where it did not do what it should. */
export function headline(order) {
    const { last, status } = order;
    const [mood, words] = stateOf(order);
    const isPlain = last === undefined || last.status === "approved" || status === "gone"
        || (last.status === "unknown" && status !== "unknown");
    if (isPlain) {
        const isFound = last?.status === "unknown" && status !== "gone";
        return [mood, words, isFound ? "The gateway asked again and knows now." : details[status] ?? ""];
    }
    if (last.operation === "pay") {
        return [last.status === "unknown" ? "warn" : "bad", payWords[last.status], details[status === "open" ? "open" : last.status]
            ?? "Nothing was taken. Your cart is as it was: try another card."];
    }
    const [stepMood, step] = steps[last.status];
    const [label] = dialectWords(order.dialect).operations[last.operation] ?? [last.operation];
    return [stepMood, `${label}: ${step}`, last.status === "unknown" ? details.unknown : `${words}, as before.`];
}

/** The codes that the headline rests on. They are no news once the gateway has found out more. */
const codesOf = ({ last, status }) => status === "gone" || (last?.status === "unknown" && status !== "unknown") ? []
    : last?.codes ?? [];

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
            make("dd", {}, order.title)), ...(order.facts ?? []).map(({ name, value }) =>
            make("div", {}, make("dt", {}, name), make("dd", {}, value))));
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

    #report(mood, words, detail) {
        const state = byId("order-state");
        state.className = `order-state ${mood}`;
        state.replaceChildren(sign(mood), make("span", {}, words, detail ? make("small", {}, detail) : undefined));
    }

    #refresh(isOther) {
        const order = this.#order;
        const isUnderWay = order.isBusy && !this.#isBusy;
        byId("order-view").dataset.state = order.last?.status === "error" && order.status === "open" ? "error" : order.status;
        if (isUnderWay) {
            this.#report("warn", "Under way…", "The shop's server waits for the payment service.");
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
            }, label, make("small", { "aria-hidden": "true" }, ...breakable(wire)))));
        }
        box.hidden = !["authorized", "captured", "unknown"].includes(order.status);
        for (const button of box.children) {
            button.disabled = this.#isBusy || order.isBusy || !(allowed[order.status] ?? []).includes(button.dataset.operation);
        }
    }

    async #follow(name) {
        const { orderId, dialect } = this.#order;
        const [label] = dialectWords(dialect).operations[name];
        this.#isBusy = true;
        this.#report("warn", `${label} is under way…`, "");
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
            this.#report("bad", `${label} failed`, failure.message);
            // Those are of the operation before.
            byId("order-codes").hidden = true;
        }
        // The button that was pressed may be disabled now and so have lost the focus.
        byId("order-title").focus();
    }
}
