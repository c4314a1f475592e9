//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The token's way to trust: four stages, one after the other, each with its checks.

import { byId, make, sign } from "./dom.js";

const stages = [
    ["Signature", "Signed over exactly these bytes."],
    ["Certificate chain", "The signer is vouched for, up to a trusted root."],
    ["Signing time", "Fresh, and signed while the certificates were valid."],
    ["Decryption", "Only the merchant's key opens it."],
];
const signs = { passed: "good", failed: "bad", skipped: "none" };
const resultWords = { passed: "Passed", failed: "Failed", skipped: "Not checked" };

const resultOf = (checks) => checks.some((check) => check.result === "failed") ? "failed"
    : checks.every((check) => check.result === "passed") ? "passed" : "skipped";

export class Verification {
    #entries = new Map();

    constructor() { this.clear(); }

    /** The stages that a token will go through. */
    clear() {
        this.#entries.clear();
        this.#show();
    }

    /** A stage of the token, as the server reports it. */
    add(entry) {
        this.#entries.set(entry.title, entry);
        this.#show();
    }

    #show() {
        byId("verification-stages").replaceChildren(...stages.map(([title, words], index) => {
            const entry = this.#entries.get(title);
            return entry === undefined ? this.#waiting(title, words, index) : this.#stage(entry, words);
        }));
        byId("verification").dataset.state = this.#state;
        byId("verification-verdict").textContent = {
            waiting: "What the gateway checks before it trusts a token:", running: "The gateway checks the token…",
            passed: "Genuine, fresh, and opened with the merchant's key.", failed: "Not to be trusted: a check failed.",
        }[this.#state];
    }

    get #state() {
        const results = [...this.#entries.values()].map((entry) => resultOf(entry.checks ?? []));
        if (results.includes("failed")) { return "failed"; }
        if (results.length === 0) { return "waiting"; }
        return results.length === stages.length && results.every((result) => result === "passed") ? "passed" : "running";
    }

    #waiting(title, words, index) {
        return make("li", { class: "stage waiting" }, make("span", { class: "disc", "aria-hidden": "true" }, String(index + 1)),
            make("div", {}, make("h4", {}, title), make("p", {}, words)));
    }

    #stage(entry, words) {
        const checks = entry.checks ?? [];
        const result = resultOf(checks);
        const passed = checks.filter((check) => check.result === "passed").length;
        const list = make("ul", { class: "checks" }, ...checks.map((check) => make("li", { class: check.result },
            sign(signs[check.result]), make("span", { class: "unseen" }, `${resultWords[check.result]}: `),
            make("span", {}, check.sentence))));
        const count = checks.length === 1 ? resultWords[result] : `${passed} of ${checks.length} checks passed`;
        return make("li", { class: `stage ${result}` }, make("span", { class: "disc" }, sign(signs[result])),
            make("div", {}, make("h4", {}, entry.title), make("p", {}, entry.remark ?? words),
                make("details", { open: result !== "passed" || entry.title === "Decryption" },
                    make("summary", {}, count), list,
                    entry.text ? make("pre", { tabindex: 0, "aria-label": `${entry.title}, details` }, entry.text)
                        : undefined)));
    }
}
