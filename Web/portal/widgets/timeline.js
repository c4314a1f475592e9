//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What happened, in its order: a mark, a moment, a sentence, and what belongs to it.

import { make } from "../core/dom.js";
import { duration, moment } from "../core/format.js";
import { shape } from "./marks.js";

/**
 * @param {Array} items `{ at, tone, title, amount, word, facts: [children], body, milliseconds }`, oldest first; without `at`: not yet
 */
export function timeline(items, { label, zone } = {}) {
    return make("ol", { class: "timeline", "aria-label": label }, items.map((item) => make("li", { class: `step step-${item.tone}` },
        make("span", { class: "step-shape" }, shape(item.tone)),
        make("span", { class: "step-at" }, item.at ? moment(item.at, "millis", zone) : "\u00a0"),
        make("div", { class: "step-what" },
            make("div", { class: "step-line" },
                make("strong", {}, item.title), item.amount && make("span", { class: "step-amount" }, item.amount),
                item.word && make("span", { class: `step-word tone-${item.tone}` }, item.word),
                item.milliseconds !== undefined && item.milliseconds !== null && make("span", { class: "muted" }, duration(item.milliseconds))),
            (item.facts ?? []).filter(Boolean).length > 0 && make("p", { class: "step-facts" }, item.facts.filter(Boolean)), item.body))));
}
