//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The live exchange: what the server noted of an order, asked for again and again, and what happened in this browser.

import { shopServer } from "./api.js";
import { breakable, byId, codeRows, copyButton, make } from "./dom.js";
import { highlighted } from "./highlight.js";
import { Tabs } from "./tabs.js";
import { Verification } from "./verification.js";
import { Way } from "./way.js";

const kindWords = {
    browser: "In the browser", note: "Note", request: "Request", response: "Answer", outcome: "Outcome", ledger: "Ledger",
    notification: "Notification",
};
// Colors of outcomes; the transport's HTTP status has none: a declined payment, too, is a 200, and a normal end.
const moods = { approved: "good", error: "bad", unknown: "warn" };
const endMargin = 40;
const shownSeconds = new Intl.NumberFormat("en", {
    style: "unit", unit: "second", unitDisplay: "narrow", minimumFractionDigits: 2, maximumFractionDigits: 2,
});
// While something is under way, and afterwards: notifications may come later.
const busyMillis = 300;
const idleMillis = 1500;
const watchMillis = 120_000;

export class Exchange {
    #body = byId("exchange-body");
    #list = byId("exchange-list");
    #status = byId("exchange-status");
    #verification = new Verification();
    #way;
    #tabs;
    #released = true;
    /** How many messages came below what is in view. */
    #newer = 0;
    #orderId;
    #after = 0;
    #count = 0;
    #startMillis;
    #timer;
    #watchUntil = 0;
    #isBusy = false;
    /** Which of several overlapping polls may go on: the newest. */
    #generation = 0;
    /** What happened in this browser, by order; the server does not know it. */
    #notes = new Map();
    #ownNotes = [];
    #onStanding;

    /** `onStanding(order)` hears how the order stands, with every poll. `upstream`: a second gateway, or undefined. */
    constructor(upstream, onStanding) {
        this.#onStanding = onStanding;
        this.#way = new Way(upstream);
        this.#tabs = new Tabs(() => this.#release());
        byId("to-exchange").addEventListener("click", () => {
            this.#tabs.show("exchange");
            byId("exchange-title").focus();
        });
        byId("newer").addEventListener("click", () => {
            this.#list.lastElementChild?.scrollIntoView({ block: "end" });
            this.#setNewer(0);
            byId("exchange-body").focus({ preventScroll: true });
        });
        for (const scroller of [this.#body, document]) {
            scroller.addEventListener("scroll", () => this.#isAtEnd && this.#setNewer(0), { passive: true });
        }
        const fold = byId("exchange-fold");
        fold.addEventListener("click", () => {
            const isFolded = this.#list.classList.toggle("only-titles");
            fold.setAttribute("aria-pressed", String(isFolded));
        });
        document.addEventListener("visibilitychange", () => document.hidden || this.#poll());
    }

    /** A new payment, or none: an empty panel. */
    clear() {
        this.#stop();
        this.#orderId = undefined;
        this.#after = 0;
        this.#count = 0;
        this.#startMillis = undefined;
        this.#ownNotes = [];
        this.#isBusy = false;
        this.#released = true;
        this.#list.replaceChildren();
        this.#verification.clear();
        this.#way?.clear();
        this.#tabs.setCount(0);
        this.#setNewer(0);
        this.#body.scrollTop = 0;
        byId("exchange-empty").hidden = false;
        this.#status.classList.remove("running");
        this.#status.textContent = "Nothing yet";
    }

    /** Something that only this browser knows of. */
    note(title, text = "", ok = true) {
        const entry = { kind: "browser", atMillis: Date.now(), title, text, ok };
        this.#ownNotes.push(entry);
        this.#add(entry);
    }

    /** The payment service of what is looked at. */
    setDialect({ name, title }) { this.#way.setDialect(name, title); }

    /** A payment begins: its token is opened as the sheet closes. */
    hold() {
        this.#released = false;
        this.#verification.hold();
    }

    /** The sheet closes. Where the exchange is not in view the token waits for it. */
    release() {
        this.#released = true;
        this.#release();
    }

    #release() {
        if (this.#released && this.#tabs?.isExchangeInView) { this.#verification.release(); }
    }

    /** From now on the messages of an order that is being made are asked for. */
    watch(orderId) {
        this.#orderId = orderId;
        this.#after = 0;
        this.#notes.set(orderId, this.#ownNotes);
        this.setBusy(true);
    }

    /** Shows the messages of an order from before. */
    open(orderId) {
        if (orderId === this.#orderId) { return; }
        this.clear();
        this.#orderId = orderId;
        this.#ownNotes = this.#notes.get(orderId) ?? [];
        for (const entry of this.#ownNotes) { this.#add(entry); }
        this.setBusy(false);
    }

    /** A follow-up: its way is what is looked at, unless somebody reads something else there. */
    follow() {
        this.setBusy(true);
        if (!this.#body.matches(":hover") && !this.#body.contains(document.activeElement)) {
            this.#body.scrollTop = byId("way").closest(".way-box").offsetTop - endMargin / 2;
        }
    }

    get #isAtEnd() {
        const last = this.#list.lastElementChild?.getBoundingClientRect();
        const bottom = Math.min(innerHeight, this.#body.getBoundingClientRect().bottom);
        return last === undefined || last.height === 0 || last.bottom <= bottom + endMargin;
    }

    #setNewer(count) {
        this.#newer = count;
        byId("newer").hidden = count === 0;
        byId("newer").textContent = `${count} new`;
        byId("newer").setAttribute("aria-label", `Show ${count} new messages`);
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
            const { entries, order } = await shopServer.exchange(this.#orderId, this.#after);
            if (generation !== this.#generation) { return; }
            for (const entry of entries) {
                this.#after = Math.max(this.#after, entry.seq);
                this.#add(entry);
            }
            this.#onStanding(order);
        } catch (error) {
            // A poll that fails is made up for by the next, unless the server has no such order.
            if (generation === this.#generation && error.code === "order_unknown") { return; }
        }
        if (generation !== this.#generation) { return; }
        const isWatching = this.#isBusy || Date.now() < this.#watchUntil;
        this.#status.classList.toggle("running", isWatching);
        if (isWatching) { this.#timer = setTimeout(() => this.#poll(), this.#isBusy ? busyMillis : idleMillis); }
    }

    #add(entry) {
        byId("exchange-empty").hidden = true;
        if (entry.kind === "token") {
            this.#verification.add(entry);
            this.#way.setToken(this.#verification.outcome);
            return;
        }
        this.#way.add(entry);
        this.#startMillis ??= entry.atMillis;
        this.#count += 1;
        this.#status.textContent = this.#count === 1 ? "1 message" : `${this.#count} messages`;
        const item = this.#item(entry);
        item.millis = entry.atMillis;
        // The browser's own notes and the server's come by two ways; the times of both put them in order.
        const later = [...this.#list.children].find((other) => other.millis > entry.atMillis);
        this.#list.insertBefore(item, later ?? null);
        this.#tabs.setCount(this.#count);
        this.#setNewer(this.#isAtEnd ? 0 : this.#newer + 1);
    }

    #item(entry) {
        const seconds = shownSeconds.format(Math.max(0, entry.atMillis - this.#startMillis) / 1000);
        const failed = entry.ok === false && entry.outcome === undefined;
        const name = entry.kind in kindWords ? entry.kind : "note";
        const mood = moods[entry.outcome];
        const tools = [
            entry.command ? copyButton("Copy as curl", `Copy as a curl command: ${entry.title}`, entry.command) : undefined,
            entry.text ? copyButton("Copy", `Copy: ${entry.title}`, entry.text) : undefined,
        ];
        const text = entry.text && name !== "outcome"
            ? make("pre", { tabindex: 0, role: "group", "aria-label": `${entry.title}, text` },
                ...(name === "ledger" ? breakable(entry.text) : highlighted(entry.text, entry.format)))
            : undefined;
        return make("li", { class: ["entry", name, failed ? "failed" : "", mood ?? ""].filter(Boolean).join(" ") },
            make("div", { class: "entry-head" },
                make("span", { class: "kind" }, failed ? `${kindWords[name]} (failed)` : kindWords[name]),
                make("span", { class: "at", title: new Date(entry.atMillis).toISOString().replace("T", " ").replace("Z", " UTC") },
                    `+${seconds}`), make("span", { class: "tools" }, ...tools)),
            make("span", { class: "title" }, ...breakable(entry.title)),
            entry.remark ? make("p", { class: "remark" }, entry.remark) : undefined,
            name === "outcome" && entry.text ? make("p", { class: "remark" }, entry.text) : undefined,
            entry.codes ? make("dl", { class: "codes" }, ...codeRows(entry.codes)) : undefined, text);
    }
}
