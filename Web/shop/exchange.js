//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The live exchange: what the server noted of an order, asked for again and again, and what happened in this browser.

import { shopServer } from "./api.js";
import { byId, make } from "./dom.js";

const kindWords = {
    browser: "In the browser", note: "Note", request: "Request", response: "Answer", token: "Token", ledger: "Ledger",
    notification: "Notification",
};
// While something is under way, and afterwards: notifications may come later.
const busyMillis = 300;
const idleMillis = 1500;
const watchMillis = 120_000;

export class Exchange {
    #list = byId("exchange-list");
    #status = byId("exchange-status");
    #orderId;
    #after = 0;
    #count = 0;
    #startMillis;
    #timer;
    #watchUntil = 0;
    #isBusy = false;
    /** Which of several overlapping polls may go on: the newest. */
    #generation = 0;

    #onStatus;

    /** `onStatus(status)` hears what the server knows of the order, with every poll. */
    constructor(onStatus) {
        this.#onStatus = onStatus;
        const fold = byId("exchange-fold");
        fold.addEventListener("click", () => {
            const isFolded = this.#list.classList.toggle("only-titles");
            fold.setAttribute("aria-pressed", String(isFolded));
        });
        document.addEventListener("visibilitychange", () => document.hidden || this.#poll());
    }

    /** A new payment: an empty panel. */
    clear() {
        this.#stop();
        this.#orderId = undefined;
        this.#after = 0;
        this.#count = 0;
        this.#startMillis = undefined;
        this.#list.replaceChildren();
        byId("exchange-empty").hidden = false;
        this.#status.textContent = "Nothing yet";
    }

    /** Something that only this browser knows of. */
    note(title, text = "", ok = true) {
        this.#add({ kind: "browser", atMillis: Date.now(), title, text, ok });
    }

    /** From now on the order's messages are asked for. */
    watch(orderId) {
        this.#orderId = orderId;
        this.#after = 0;
        this.setBusy(true);
    }

    setBusy(isBusy) {
        this.#isBusy = isBusy;
        this.#watchUntil = Date.now() + watchMillis;
        this.#poll();
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#generation += 1;
    }

    async #poll() {
        this.#stop();
        if (this.#orderId === undefined || document.hidden) { return; }
        const generation = this.#generation;
        try {
            const { entries, status } = await shopServer.exchange(this.#orderId, this.#after);
            if (generation !== this.#generation) { return; }
            for (const entry of entries) {
                this.#after = Math.max(this.#after, entry.seq);
                this.#add(entry);
            }
            this.#onStatus(status);
        } catch {
            // A poll that fails is made up for by the next.
        }
        if (generation !== this.#generation) { return; }
        const isWatching = this.#isBusy || Date.now() < this.#watchUntil;
        this.#status.classList.toggle("running", isWatching);
        if (isWatching) { this.#timer = setTimeout(() => this.#poll(), this.#isBusy ? busyMillis : idleMillis); }
    }

    #add(entry) {
        this.#startMillis ??= entry.atMillis;
        this.#count += 1;
        byId("exchange-empty").hidden = true;
        this.#status.textContent = this.#count === 1 ? "1 message" : `${this.#count} messages`;
        const isAtEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 80;
        const item = this.#item(entry);
        item.millis = entry.atMillis;
        // The browser's own notes and the server's come by two ways; the times of both put them in order.
        const later = [...this.#list.children].find((other) => other.millis > entry.atMillis);
        this.#list.insertBefore(item, later ?? null);
        if (isAtEnd) { this.#list.scrollTop = this.#list.scrollHeight; }
    }

    #item(entry) {
        const seconds = (Math.max(0, entry.atMillis - this.#startMillis) / 1000).toFixed(2);
        const failed = entry.ok === false;
        const name = entry.kind in kindWords ? entry.kind : "note";
        const head = [
            make("span", { class: "kind" }, failed ? `${kindWords[name]} (failed)` : kindWords[name]),
            make("span", { class: "at" }, `+${seconds} s`),
            make("span", { class: "title" }, entry.title),
        ];
        const text = entry.text ? make("pre", { tabindex: 0, "aria-label": `${entry.title}, text` }, entry.text) : undefined;
        return make("li", { class: `entry ${name}${failed ? " failed" : ""}` }, ...head, text);
    }
}
