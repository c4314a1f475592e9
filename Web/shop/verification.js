//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The token, opened layer by layer: signature, chain, markers, time, key, amount. While the sheet is up the layers that the server
// reports are held back; as it closes they open one after the other, each check ticking with its fact. Whoever chooses a layer
// meanwhile keeps it.

import { byId, make, shownMoment, sign } from "./dom.js";

const layers = [
    ["Signature", "Signed over exactly these bytes."],
    ["Certificate chain", "The signer is vouched for, up to a trusted root."],
    ["Apple's markers", "The certificates are for payment tokens, and for nothing else."],
    ["Signing time", "Fresh, and signed while the certificates were valid."],
    ["Merchant's key", "Only the merchant's key opens it."],
    ["Amount", "Inside stands what the sheet showed."],
];
const tones = { passed: "done", failed: "refused", skipped: "pending" };
const resultWords = { passed: "Passed", failed: "Failed", skipped: "Not checked" };
const verdicts = {
    waiting: "What is checked before it is trusted:", running: "The gateway opens the token…",
    passed: "Genuine, fresh, and opened.", failed: "Not to be trusted: a check failed.",
    closed: "Genuine and fresh. Another holds the key.",
};
const tickMillis = 120;

const resultOf = (checks) => checks.some((check) => check.result === "failed") ? "failed"
    : checks.every((check) => check.result === "passed") ? "passed" : "skipped";
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Verification {
    #entries = new Map();
    /** How many layers are open. */
    #opened = 0;
    #chosen = 0;
    #isHeld = false;
    #isChosenByHand = false;
    /** Whether layers are opened one after the other, as they are after a payment, or all at once. */
    #isPlayed = false;
    #isOpening = false;
    #run = 0;

    constructor() { this.clear(); }

    /** The layers that a token will go through. */
    clear() {
        this.#entries.clear();
        this.#opened = 0;
        this.#chosen = 0;
        this.#isHeld = false;
        this.#isChosenByHand = false;
        this.#isPlayed = false;
        this.#isOpening = false;
        this.#run += 1;
        this.#show();
    }

    /** From now on layers wait for `release`. */
    hold() { this.#isHeld = true; }

    /** The sheet closes: what has come is opened layer by layer, and what comes later as well. */
    release() {
        if (!this.#isHeld) { return; }
        this.#isHeld = false;
        this.#isPlayed = !isStill();
        this.#open();
    }

    /** A layer of the token, as the server reports it. */
    add(entry) {
        this.#entries.set(entry.title, entry);
        if (!this.#isHeld) { this.#open(); }
    }

    /** Whether the gateway could trust the token: "waiting", "passed", "closed" (another holds the key), "failed". */
    get outcome() {
        const results = [...this.#entries.values()].map((entry) => resultOf(entry.checks ?? []));
        if (results.length === 0) { return "waiting"; }
        if (results.includes("failed")) { return "failed"; }
        return results.every((result) => result === "passed") ? "passed" : "closed";
    }

    /** All layers of an order from before come at once: they are not played again. */
    #openAtOnce() {
        this.#opened = this.#known;
        if (!this.#isChosenByHand) { this.#chosen = this.#last(); }
        this.#show();
    }

    /** How many layers the server has reported, from the outside on. */
    get #known() { return layers.filter(([title]) => this.#entries.has(title)).length; }

    /** The layer to look at in the end: the first that failed, or that stayed closed, else the innermost. */
    #last() {
        const results = layers.map(([title]) => resultOf(this.#entries.get(title)?.checks ?? []));
        const stop = results.indexOf("failed") >= 0 ? results.indexOf("failed") : results.indexOf("skipped");
        return stop >= 0 ? stop : Math.max(0, this.#known - 1);
    }

    /** Opens what has come and is still closed. */
    async #open() {
        if (!this.#isPlayed) {
            this.#openAtOnce();
            return;
        }
        if (this.#isOpening) { return; }
        this.#isOpening = true;
        const run = this.#run;
        const isOver = () => run !== this.#run;
        const pause = () => new Promise((resolve) => { setTimeout(resolve, tickMillis); });
        while (this.#opened < this.#known) {
            const index = this.#opened;
            if (!this.#isChosenByHand && index <= this.#last()) { this.#chosen = index; }
            this.#show();
            const ticks = [...byId("verification-depths").children[index].querySelectorAll(".checks > li")];
            for (const tick of ticks) { tick.classList.add("ticking"); }
            for (const tick of ticks) {
                await pause();
                if (isOver()) { return; }
                tick.classList.replace("ticking", "ticked");
            }
            await pause();
            if (isOver()) { return; }
            this.#opened = index + 1;
        }
        this.#isOpening = false;
        this.#show();
    }

    get #state() {
        if (this.#entries.size === 0 || this.#isHeld) { return "waiting"; }
        return this.#opened < this.#known || this.#known < layers.length && this.outcome !== "failed" ? "running" : this.outcome;
    }

    #choose(index, hasFocus) {
        this.#chosen = index;
        this.#isChosenByHand = true;
        this.#show();
        if (hasFocus) { byId("verification-rail").children[index].focus(); }
    }

    #show() {
        const rail = byId("verification-rail");
        const focused = [...rail.children].indexOf(document.activeElement);
        const held = this.#isHeld;
        const entries = layers.map(([title], index) =>
            held || index > Math.max(this.#opened, this.#chosen) ? undefined : this.#entries.get(title));
        rail.replaceChildren(...layers.map(([title], index) => this.#tab(title, index, entries[index])));
        if (focused >= 0) { rail.children[focused].focus(); }
        byId("verification-depths").replaceChildren(...layers.map(([title, words], index) =>
            this.#depth(title, words, index, held ? undefined : this.#entries.get(title))));
        byId("verification").dataset.state = this.#state;
        byId("verification-verdict").textContent = verdicts[this.#state];
    }

    #tab(title, index, entry) {
        const isOpen = entry !== undefined && index < this.#opened;
        const result = isOpen ? resultOf(entry.checks ?? []) : "waiting";
        return make("button", {
            type: "button", role: "tab", id: `layer-${index}`, class: `layer ${result}`, "aria-controls": `depth-${index}`,
            "aria-selected": String(index === this.#chosen), tabindex: index === this.#chosen ? "0" : "-1",
            click: () => this.#choose(index, true),
            keydown: (event) => {
                const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: layers.length - 1 }[event.key];
                if (to === undefined) { return; }
                event.preventDefault();
                this.#choose((to + layers.length) % layers.length, true);
            },
        }, sign(isOpen ? tones[result] : "pending"), make("span", {}, title,
            isOpen ? make("span", { class: "unseen" }, `: ${resultWords[result]}`) : undefined));
    }

    #depth(title, words, index, entry) {
        const checks = entry?.checks ?? [];
        const isShown = index === this.#chosen;
        const amount = title === "Amount" ? checks.find((check) => check.result === "passed")?.fact : undefined;
        return make("div", { class: isShown ? "depth shown" : "depth", role: "tabpanel", id: `depth-${index}`,
            "aria-labelledby": `layer-${index}` },
            make("h4", {}, title), amount ? make("p", { class: "opened-amount" }, amount) : undefined,
            checks.length === 0 || entry.remark ? make("p", {}, entry?.remark ?? words) : undefined,
            make("ul", { class: "checks" }, ...checks.map((check) => make("li", { class: check.result }, sign(tones[check.result]),
                make("span", {}, make("span", { class: "unseen" }, `${resultWords[check.result]}: `), check.sentence,
                    ...(check.fact && check.fact !== amount
                        ? [" ", make("span", { class: "fact" }, shownMoment(check.fact))] : []))))));
    }
}
