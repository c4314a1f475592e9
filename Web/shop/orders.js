//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The orders of this browser, newest first. Which there are is kept here; how they stand the server says.

import { shopServer } from "./api.js";
import { byId, make, sign } from "./dom.js";
import { shownMoney } from "./money.js";
import { goods, headline } from "./order.js";
import { ordersMax, storage } from "./storage.js";

const times = new Intl.DateTimeFormat("en", { timeStyle: "short" });

/** The moment of an order, as far as it is known. */
function shownTime({ createdAtMillis }) {
    if (!Number.isSafeInteger(createdAtMillis)) { return []; }
    const moment = new Date(createdAtMillis).toISOString();
    return [make("time", { datetime: moment, title: moment.replace("T", " ").replace("Z", " UTC") },
        times.format(createdAtMillis)), " · "];
}

export class Orders {
    #orders = storage.loadOrders();
    #chosenId;
    #onChoice;

    /** `onChoice(order)` hears which one the shopper wants to see. */
    constructor(onChoice) {
        this.#onChoice = onChoice;
        byId("orders-forget").addEventListener("click", () => {
            this.#orders = this.#orders.filter((order) => order.orderId === this.#chosenId);
            this.#save();
            byId("checkout").focus();
        });
        this.#show();
    }

    /** Takes what the server says of an order. */
    remember(order) {
        const index = this.#orders.findIndex((other) => other.orderId === order.orderId);
        if (index < 0) {
            this.#orders = [order, ...this.#orders].slice(0, ordersMax);
        } else if (JSON.stringify(this.#orders[index]) === JSON.stringify(order)) {
            return;
        } else {
            this.#orders[index] = order;
        }
        this.#save();
    }

    choose(orderId) {
        this.#chosenId = orderId;
        this.#show();
    }

    find(orderId) { return this.#orders.find((order) => order.orderId === orderId); }

    /** Asks how all of them stand: much may have happened since they were written down. */
    async refresh() {
        await Promise.all(this.#orders.filter((order) => order.status !== "gone").map(async ({ orderId }) => {
            try {
                this.remember(await shopServer.standing(orderId));
            } catch (error) {
                const known = this.find(orderId);
                if (error.code === "order_unknown" && known) { this.remember({ ...known, status: "gone", isBusy: false }); }
            }
        }));
    }

    #save() {
        storage.saveOrders(this.#orders);
        this.#show();
    }

    #show() {
        const list = byId("orders-list");
        const focused = list.contains(document.activeElement) ? document.activeElement.dataset.order : undefined;
        byId("orders").hidden = this.#orders.length === 0;
        list.replaceChildren(...this.#orders.map((order) => {
            const [tone, words] = order.isBusy ? ["unknown", "Under way…"] : headline(order);
            return make("li", {}, make("button", {
                type: "button", class: "order-row", "data-order": order.orderId,
                "aria-current": order.orderId === this.#chosenId ? "true" : undefined,
                click: () => this.#onChoice(this.find(order.orderId) ?? order),
            }, sign(tone),
            make("span", { class: "order-words" }, make("strong", {}, words),
                make("small", {}, ...shownTime(order), `${order.title ?? order.dialect} · ${goods(order)}`)),
            make("span", { class: "price" }, shownMoney(order.amountMinor, order.currency, order.decimals))));
        }));
        if (focused !== undefined) { list.querySelector(`[data-order="${CSS.escape(focused)}"]`)?.focus(); }
    }
}
