//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The way of the message: shop, dialect, gateway, where there is one a second gateway, bank, ledger. Each station fills as the
// exchange shows that the message has passed it. Of an order with several operations it shows the newest.

import { byId, make, sign } from "./dom.js";
import { dialectWords } from "./dialects.js";

const operations = { Payment: "pay", Capture: "capture", Refund: "refund", Void: "void" };
const toneWords = {
    pending: "not reached", done: "done", unknown: "not known yet", declined: "declined", refused: "refused",
};
const milliseconds = new Intl.NumberFormat("en", { style: "unit", unit: "millisecond", unitDisplay: "short" });

export class Way {
    #dialect;
    #title = "Dialect";
    #upstream;
    #step;
    #count;
    #token = "waiting";

    /** `upstream`: {title, opensTokens} of a second gateway, or undefined. */
    constructor(upstream) {
        this.#upstream = upstream;
        this.clear();
    }

    /** The payment service of the order that is looked at. */
    setDialect(name, title) {
        this.#dialect = name;
        this.#title = title;
        this.#show();
    }

    clear() {
        this.#count = 0;
        this.#token = "waiting";
        this.#begin();
        this.#show();
    }

    #begin() {
        this.#step = { requests: [], responses: [], ledger: [], notifications: [], outcome: undefined, isFound: false };
    }

    /** How far the token was trusted: see Verification. */
    setToken(outcome) {
        this.#token = outcome;
        this.#show();
    }

    /** An entry of the exchange. */
    add(entry) {
        if (entry.kind === "request" && this.#step.outcome !== undefined) {
            this.#count += 1;
            this.#begin();
        }
        const step = this.#step;
        const list = { request: step.requests, response: step.responses, ledger: step.ledger,
            notification: step.notifications }[entry.kind];
        list?.push(entry);
        if (entry.kind === "outcome") { step.outcome = entry; }
        if (entry.kind === "note" && entry.title.startsWith("The gateway has found out")) { step.found = entry; }
        this.#show();
    }

    /** Each station's tone and fact, in order. */
    get stations() {
        const { requests, responses, outcome, ledger, found } = this.#step;
        const ended = outcome?.outcome;
        const isSent = requests.length > 0;
        const isAnswered = responses.some((response) => response.title !== "No answer");
        const operation = operations[outcome?.title.split(":")[0]] ?? "pay";
        const isPay = this.#count === 0 && operation === "pay";
        const words = dialectWords(this.#dialect);
        const wire = isPay ? words.pays : words.operations[operation]?.[1] ?? "";
        const isRefused = ended === "error";
        const isLost = ended === "unknown" && !isAnswered;

        const dialect = !isSent ? ["pending", ""] : isLost ? ["unknown", "no answer"] : ["done", wire];
        const gateway = !isSent || isLost && this.#token !== "failed" ? ["pending", ""]
            : isPay && this.#token === "failed" ? ["refused", "token refused"] : isRefused ? ["refused", "refused"]
                : isPay ? this.#token === "passed" ? ["done", "token opened"] : this.#token === "closed" ? ["done", "token checked"]
                    : ended ? ["done", "prime paid"] : ["unknown", "opening"]
                    : ended ? ["done", "payment found"] : ["unknown", "asked"];
        const bank = gateway[0] !== "done" ? ["pending", isRefused ? "not asked" : ""]
            : { approved: ["done", "approved"], declined: ["declined", "declined"], unknown: ["unknown", "not known yet"] }[ended]
                ?? ["unknown", "asked"];
        if (found !== undefined && bank[0] === "unknown") {
            bank[0] = found.ok ? "done" : "declined";
            bank[1] = found.ok ? "found out" : "not paid";
        }
        const names = [...new Set(ledger.filter((entry) => entry.title.startsWith("Ledger: "))
            .map((entry) => entry.title.slice("Ledger: ".length).split(" in the books")[0]))];
        const books = names.length > 0 ? ["done", names.join(", ")]
            : ["declined", "error"].includes(ended) ? ["pending", "nothing booked"] : ["pending", ""];
        return [
            ["Shop", ...(isSent ? ["done", "asks"] : ["pending", ""])], [this.#title, ...dialect], ["Gateway", ...gateway],
            ...(this.#upstream === undefined ? [] : [[this.#upstream.title, bank[0], bank[0] === "pending" ? "" : "second gateway"]]),
            ["Bank", ...bank], ["Ledger", ...books],
        ].map(([name, tone, fact]) => ({ name, tone, fact }));
    }

    /** How long the shop waited, and when it was answered. */
    get #words() {
        const { requests, responses, notifications, outcome } = this.#step;
        if (requests.length === 0) { return "A payment fills it from the left."; }
        if (responses.length === 0) { return "Under way…"; }
        const answered = responses.at(-1).atMillis - requests[0].atMillis;
        const event = notifications[0]?.atMillis - (outcome ?? responses.at(-1)).atMillis;
        const waited = `The shop had its answer after ${milliseconds.format(Math.max(0, answered))}`;
        return notifications.length === 0 ? `${waited}.`
            : `${waited}, and was notified ${milliseconds.format(Math.max(0, event))} later.`;
    }

    #show() {
        byId("way").replaceChildren(...this.stations.map(({ name, tone, fact }) => make("li", {
            class: `station ${tone === "pending" ? "" : "reached"}`, "data-tone": tone,
        }, sign(tone), make("span", { class: "name" }, name),
        make("span", { class: "fact" }, fact, make("span", { class: "unseen" }, ` (${toneWords[tone]})`)))));
        byId("way-words").textContent = this.#words;
    }
}
