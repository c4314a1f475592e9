//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// States: one shape, one colour, one word each. Never colour alone.

import { make, svg } from "../core/dom.js";
import { sayOr } from "../core/words.js";

const shapes = {
    // ○ nothing has happened yet
    pending: () => [svg("circle", { cx: 6, cy: 6, r: 4.25, fill: "none", stroke: "currentColor", "stroke-width": 1.5 })],
    // ● done
    done: () => [svg("circle", { cx: 6, cy: 6, r: 5, fill: "currentColor" })],
    // ◐ not known yet
    unknown: () => [
        svg("circle", { cx: 6, cy: 6, r: 4.25, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
        svg("path", { d: "M6 1.750a4.250 4.250 0 0 0 0 8.500z", fill: "currentColor" }),
    ],
    // ✕ declined: a normal end
    declined: () => [svg("path", { d: "M2.500 2.500l7 7M9.500 2.500l-7 7", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" })],
    // ▲ refused by us, or broken: needs somebody
    refused: () => [svg("path", { d: "M6 1.250L11.250 10.500H.750z", fill: "currentColor" })],
    // ↺ reversed, given back
    reversed: () => [svg("path", {
        d: "M2.600 3.800A4.300 4.300 0 1 1 1.750 6.600M2.300 1.200v2.900h2.900", fill: "none", stroke: "currentColor", "stroke-width": 1.5,
        "stroke-linecap": "round", "stroke-linejoin": "round",
    })],
};

/** The tone of a state's name, as the API has them. What is not here is pending. */
const tones = {
    // payments
    authorizing: "pending", authorizationUnknown: "unknown", declined: "declined", notProcessed: "refused", reversed: "reversed",
    authorized: "done", verified: "done", voided: "reversed", partiallyCaptured: "done", captured: "done",
    partiallyRefunded: "reversed", refunded: "reversed",
    // operations
    pending: "pending", unknown: "unknown", accepted: "unknown", succeeded: "done", failed: "declined",
    // webhooks
    delivered: "done", dead: "refused", waiting: "pending", retrying: "unknown", held: "pending", sending: "pending",
    // certificates, merchants, accounts, people
    requested: "pending", imported: "pending", active: "done", expired: "refused", retired: "declined", suspended: "refused",
    closed: "declined", locked: "refused", invited: "pending",
    // approvals
    approved: "done", rejected: "declined", withdrawn: "declined",
    // alarms, findings
    begun: "refused", ended: "done", refused: "refused", error: "refused", warning: "unknown", info: "pending", good: "done",
    bad: "refused", current: "done", matched: "done", open: "unknown", resolved: "done",
};

/** The drawing of a tone: pending, done, unknown, declined, refused, reversed. */
export const shape = (tone) =>
    svg("svg", { viewBox: "0 0 12 12", class: `shape tone-${tone}`, "aria-hidden": "true", focusable: "false" }, shapes[tone]());

export const toneOf = (state) => tones[state] ?? "pending";

/**
 * A state with its shape, colour and word.
 *
 * @param {string} state As the API names it.
 * @param {object} options `word`: another word than the state's own; `tone`: another tone; `set`: where words are, "states".
 */
export function mark(state, { word, tone = toneOf(state), set = "states" } = {}) {
    return make("span", { class: `mark tone-${tone}` }, shape(tone), make("span", {}, word ?? sayOr(`${set}.${state}`, state)));
}

/** Beside the state of what is being taken back, as long as nobody has acknowledged it. */
export const backTag = (isBeingReversed) => isBeingReversed && tag(sayOr("states.beingReversed", ""), "unknown");

/** A small label: `tone` may be "", "done", "unknown", "refused", "info". */
export const tag = (text, tone = "") => make("span", { class: `tag ${tone ? `tag-${tone}` : ""}` }, text);

/** "LIVE" or "sandbox", with its colour. */
export const modeTag = (mode) => make("span", { class: `mode-tag mode-${mode}` }, sayOr(`frame.${mode}`, mode));
