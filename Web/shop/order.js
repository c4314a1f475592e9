//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The order's view: what became of the payment, and what can be done with it next.

import { shopServer } from "./api.js";
import { byId, make, sign } from "./dom.js";
import { shownMoney } from "./money.js";

const moods = { approved: "good", declined: "bad", error: "bad", unknown: "warn" };
const headlines = {
    approved: "Payment authorized", declined: "Payment declined", error: "Payment failed", unknown: "Outcome not known yet",
};
const operations = {
    capture: { words: "Capture", done: "Payment captured", next: "captured" },
    void: { words: "Void", done: "Authorization voided", next: "voided", isDanger: true },
    refund: { words: "Refund", done: "Payment refunded", next: "refunded", isDanger: true },
};
// The server's own words for where an order stands.
const learned = {
    authorized: ["good", "Payment authorized"], captured: ["good", "Payment captured"], voided: ["good", "Authorization voided"],
    refunded: ["good", "Payment refunded"], declined: ["bad", "Payment declined"], unknown: ["warn", "Outcome not known yet"],
};
// What may follow: money is taken once, and given back only when it was taken.
const allowed = { authorized: ["capture", "void"], captured: ["refund"] };

export class OrderView {
    #order;
    #state;
    #dialect;
    #exchange;
    #isBusy = false;
    #buttons = {};

    constructor(exchange) {
        this.#exchange = exchange;
        const actions = byId("order-actions");
        for (const [name, operation] of Object.entries(operations)) {
            this.#buttons[name] = make("button", {
                type: "button", class: operation.isDanger ? "button danger" : "button", click: () => this.#follow(name),
            }, operation.words);
            actions.append(this.#buttons[name]);
        }
    }

    /** The result of a payment: `{order, result}`. */
    show(dialect, order, result) {
        this.#order = order;
        this.#dialect = dialect;
        this.#state = result.status === "approved" ? "authorized" : result.status;
        this.#show(moods[result.status] ?? "warn", headlines[result.status] ?? result.status, result.message);
        this.#list([
            ["Payment service", dialect.title], ["Order", order.orderId],
            ["Amount", shownMoney(order.amountMinor, order.currency, dialect.decimals)], ["Reference", result.reference],
        ]);
        this.#refresh();
    }

    /**
     * What the server knows of the order by now: it found out about an outcome that was not known, or the service captured the
     * payment by itself.
     */
    learn(status) {
        if (this.#order === undefined || this.#isBusy || status === this.#state || !(status in learned)) { return; }
        const [mood, headline] = learned[status];
        this.#show(mood, headline, this.#state === "unknown" ? "The gateway asked again and knows now."
            : "The payment service says so.");
        this.#state = status;
        this.#refresh();
    }

    /** No order: nothing that is heard belongs to it. */
    clear() { this.#order = undefined; }

    #list(facts) {
        byId("order-facts").replaceChildren(...facts.filter(([, value]) => value).map(([name, value]) =>
            make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    }

    #show(mood, headline, detail) {
        const state = byId("order-state");
        state.className = `order-state ${mood}`;
        state.replaceChildren(sign(mood), make("span", {}, headline, detail ? make("small", {}, detail) : undefined));
    }

    #refresh() {
        byId("order-view").dataset.state = this.#state;
        byId("order-actions").hidden = ["declined", "error"].includes(this.#state);
        for (const [name, button] of Object.entries(this.#buttons)) {
            button.disabled = !(allowed[this.#state] ?? []).includes(name);
        }
    }

    async #follow(name) {
        const operation = operations[name];
        for (const button of Object.values(this.#buttons)) { button.disabled = true; }
        this.#show("warn", `${operation.words} is under way…`, "");
        this.#isBusy = true;
        this.#exchange.setBusy(true);
        try {
            const result = await shopServer.follow(this.#order.orderId, name);
            const isDone = result.status === "approved";
            if (isDone || result.status === "unknown") { this.#state = isDone ? operation.next : "unknown"; }
            this.#show(moods[result.status] ?? "warn", isDone ? operation.done : `${operation.words}: ${result.status}`,
                result.message);
        } catch (error) {
            this.#show("bad", `${operation.words} failed`, error.message);
        }
        this.#isBusy = false;
        this.#exchange.setBusy(false);
        this.#refresh();
        // The button that was pressed may be disabled now and so have lost the focus.
        byId("order-title").focus();
    }
}
