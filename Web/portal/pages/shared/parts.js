//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the operator's pages share beside the widgets of all pages: of which merchant a page is, the steps of a way, bars of days,
// forms that are made of what a dialect or a connector says of its settings, and what an act that waits for a second person says.

import * as api from "../../core/api.js";
import { make, svg } from "../../core/dom.js";
import { href, leadsSomewhere, navigate } from "../../core/router.js";
import { can, chooseMerchant, learnMerchants, state } from "../../core/state.js";
import { language, say, sayOr } from "../../core/words.js";
import { buttonLink, empty, english, page, tabs as basicTabs, toast } from "../../widgets/basics.js";
import { secretOnce } from "../../widgets/dialog.js";
import { modeTag, shape } from "../../widgets/marks.js";

let followed = null;

/**
 * Has the frame show the merchant that a page's path names. When another one is chosen there, goes on to what `elsewhere` says.
 *
 * @param {boolean} keepsAll For a page of one thing out of a list of all merchants': where none is chosen it stays so, and the way back
 *     leads to the whole list. The frame's mode is the thing's all the same, by the page's `ofMode`.
 * @returns {boolean} Whether the page is left or drawn anew, so that there is nothing more to do.
 */
export function follows(name, signal, elsewhere, { keepsAll = false } = {}) {
    const path = location.pathname;
    signal.addEventListener("abort", () => { if (location.pathname !== path) { followed = null; } }, { once: true });
    if (signal.aborted) { return true; }
    if (state.merchant === name || (keepsAll && state.merchant === null) || !state.merchants.some((merchant) => merchant.name === name)) {
        followed = path;
        return false;
    }
    if (followed === path) {
        followed = null;
        navigate(elsewhere(state.merchant), { replace: true });
    } else {
        followed = path;
        chooseMerchant(name);
    }
    return true;
}

/** The merchants as they are now, those that were added since the sign-in too; the frame's choice learns of them. */
export async function merchantsNow(signal) {
    const rows = can("merchants:read") ? await api.getAll("/merchants", {}, { signal }) : state.merchants;
    learnMerchants(rows);
    return rows;
}

/** A page that is of one merchant, where none is chosen: the merchants to choose from. */
export function whoseIsIt(title, lead) {
    if (state.merchants.length === 0) {
        return page({ title, lead }, empty(say("operator.noMerchant"), say("operator.noMerchantText"),
            leadsSomewhere("/merchants/new") && buttonLink(say("operator.addMerchant"), href("/merchants/new"), { kind: "primary" })));
    }
    return page({ title, lead },
        make("p", { class: "muted" }, say("operator.whose")),
        make("ul", { class: "choose-merchant" }, state.merchants.map((merchant) => make("li", {},
            make("button", { type: "button", class: "merchant-choice", click: () => chooseMerchant(merchant.name) },
                make("span", {}, make("strong", {}, merchant.displayName), make("code", { class: "muted" }, merchant.name)),
                modeTag(merchant.mode))))));
}

/** The path of a merchant's things in the API. */
export const pathOf = (merchant, rest = "") => `/merchants/${encodeURIComponent(merchant.name ?? merchant)}${rest}`;

/**
 * The steps of a way: which are done, which is next, which wait for whom.
 *
 * @param {Array} steps `{ state: "done" | "next" | "waits" | "open" | "refused", title, text (or texts), who, action, body }`
 */
export function stepList(steps, label) {
    const tones = { done: "done", next: "pending", waits: "unknown", open: "pending", refused: "refused" };
    return make("ol", { class: "ways", "aria-label": label }, steps.map((step) =>
        make("li", { class: `way way-${step.state}`, "aria-current": step.state === "next" ? "step" : undefined },
            make("span", { class: "way-shape" }, shape(tones[step.state])),
            make("div", { class: "way-what" },
                make("h3", {}, step.title, make("span", { class: "unseen" }, `: ${say(`operator.step_${step.state}`)}`)),
                [step.text ?? []].flat().map((text) => make("p", {}, text)),
                step.who && make("p", { class: "way-who" }, step.who),
                step.body),
            step.action && make("div", { class: "way-action" }, step.action))));
}

const barDays = 760;

/** Days that are left of Apple's 25 months, as a bar with its number beside it. */
export function daysBar(days, { label } = {}) {
    const tone = days <= 14 ? "refused" : days <= 30 ? "unknown" : "done";
    const width = Math.round(Math.max(0, Math.min(1, days / barDays)) * 100);
    return make("div", { class: `days tone-${tone}` },
        make("span", { class: "days-text" }, days < 0 ? say("operator.over") : say("operator.daysLeft", { count: days })),
        svg("svg", { class: "days-bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", role: "img", "aria-label": label ?? say("operator.daysLeft", { count: days }) },
            svg("rect", { x: 0, y: 0, width: 100, height: 4, class: "days-ground" }),
            svg("rect", { x: 0, y: 0, width, height: 4, class: "days-left" })));
}

/** Small links between the parts of a page that the person may open, where there are several; `current` is the path of this one. */
export function tabs(label, all, current) {
    const open = all.filter(([path]) => leadsSomewhere(path));
    return open.length > 1 && basicTabs(open.map(([path, text]) => ({ text, href: href(path), current: path === current })), label);
}

/**
 * Fields of a form, from what a dialect or a connector says of its settings.
 *
 * @param {Array} described `{ name, meaning, required, document }`
 * @param {object} values What they are now.
 * @param {string} prefix Before each name, where settings and secrets stand in one form; also the JSON pointer's member.
 */
export const settingFields = (described, values = {}, prefix = "settings") => described.map((setting) => ({
    name: `${prefix}/${setting.name}`, pointer: `/${prefix}/${setting.name}`, label: setting.name, hint: setting.meaning && english(setting.meaning),
    required: setting.required, value: values[setting.name] ?? "", maxlength: 16_384,
    ...(setting.document ? { kind: "textarea", mono: true, rows: 5 } : {}),
}));

/** Of a form's values those of a prefix: "settings/host" is "host". */
export const valuesOf = (values, prefix) => Object.fromEntries(Object.entries(values)
    .filter(([name, value]) => name.startsWith(`${prefix}/`) && value !== "")
    .map(([name, value]) => [name.slice(prefix.length + 1), value]));

/** Of the values of a form of changes those of a prefix, as the API takes them: those that are empty now are taken away (null). */
export const changesOf = (values, prefix) => Object.fromEntries(Object.entries(values)
    .filter(([name]) => name.startsWith(`${prefix}/`))
    .map(([name, value]) => [name.slice(prefix.length + 1), value === "" ? null : value]));

/** When an act waits for a second person, says so and gives true: nothing was done yet. */
export function waitsForSecond(answer) {
    const approval = api.waitsFor(answer);
    if (!approval) { return false; }
    toast(say("operator.waitsForSecond"), { tone: "unknown", action: make("a", { href: href("/approvals") }, say("operator.seeApproval")) });
    return true;
}

/** Shows credentials that an answer has, this once. */
export const showCredentials = (title, credentials, sentence, mode) =>
    secretOnce({ mode, title, sentence, secrets: Object.entries(credentials) });

export function sizeText(bytes) {
    const number = (value) => new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(value);
    return bytes < 1024 ** 2 ? `${number(bytes / 1024)} KB` : `${number(bytes / 1024 ** 2)} MB`;
}

/** "person alice from 192.0.2.7" as who, and from where. */
export function actorParts(actor) {
    const match = /^(?:(person|token|command) )?(.+?)(?: from ([0-9a-f.:]+))?$/i.exec(actor) ?? [actor, undefined, actor, undefined];
    return { kind: match[1] ?? null, name: match[2], from: match[3] ?? null };
}

export const actorText = (actor) => {
    const { kind, name, from } = actorParts(actor);
    return make("span", { class: "actor" }, kind && kind !== "person" ? [make("span", { class: "muted" }, sayOr(`operator.actor_${kind}`, kind), " ")] : null,
        name, from ? make("span", { class: "muted" }, ` · ${from}`) : null);
};
