//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Apple Pay of a merchant: what is to be done next, the identifiers with their keys, and how many days each has left.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { dayText, moment, relative, shortID } from "../core/format.js";
import { href, refresh } from "../core/router.js";
import { can, chosenMerchant, state } from "../core/state.js";
import { say } from "../core/words.js";
import { button, buttonLink, empty, identifier, note, page, section, toast } from "../widgets/basics.js";
import { confirm } from "../widgets/dialog.js";
import { mark, modeTag, shape } from "../widgets/marks.js";
import { daysBar, pathOf, tabs, waitsForSecond, whoseIsIt } from "./shared/parts.js";

export const purposes = ["payment-processing", "merchant-identity"];

export const parts = (current) => tabs(say("apple.title"), [
    ["/apple-pay", say("apple.certificates")], ["/apple-pay/domains", say("apple.domains")], ["/apple-pay/registration", say("apple.registration")],
], current);

/** Where a certificate's way is gone on with. */
export const wayHref = ({ purpose, merchantIdentifier }, merchant) =>
    href(`/apple-pay/certificate/${purpose}`, { merchant: merchant.name, identifier: merchantIdentifier });

export const purposeText = (purpose) => say(`apple.purpose_${purpose}`);

/** Whether it is a signing request for whose certificate nobody waits any more. */
export const isWithdrawn = ({ state: own, notAfter }) => own === "retired" && !notAfter;

/** Certificates by merchant identifier and purpose: `[{ purpose, merchantIdentifier, all }]`, what is retired last. Requests that were
    withdrawn are none. */
export function byKey(certificates) {
    const sets = new Map();
    for (const certificate of certificates) {
        if (isWithdrawn(certificate)) { continue; }
        const key = `${certificate.merchantIdentifier} ${certificate.purpose}`;
        const set = sets.get(key) ?? sets.set(key, { purpose: certificate.purpose, merchantIdentifier: certificate.merchantIdentifier, all: [] }).get(key);
        set.all.push(certificate);
    }
    for (const set of sets.values()) { set.all.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)); }
    return [...sets.values()];
}

/** How far the renewal of one key is: who works now, what is on its way. */
export function standing({ all, purpose }) {
    const working = all.filter(({ state: own }) => own === "active");
    const requested = all.findLast(({ state: own }) => own === "requested") ?? null;
    const imported = all.findLast(({ state: own }) => own === "imported") ?? null;
    // As the server has it: the one that runs longest, whichever was imported last.
    const newest = working.reduce((best, one) => (best && Date.parse(best.notAfter) > Date.parse(one.notAfter) ? best : one), null);
    const older = newest ? all.filter((one) => one !== newest && ["active", "expired"].includes(one.state)) : [];
    // Tokens show which key they are for; who asks Apple for sessions does not.
    const isSeen = newest !== null && (purpose !== "payment-processing" || Boolean(newest.firstUsedAt));
    // The server says for which one no token comes any more.
    const retirable = older.find(({ mayRetire }) => mayRetire) ?? null;
    return { working, requested, imported, newest, older, isSeen, retirable };
}

const renewDays = 60;

/** What is to be done, soonest first: `{ days, tone, title, text, href, act }`. */
export function agenda(sets, domains, merchant) {
    const items = [];
    for (const set of sets) {
        const { working, requested, imported, newest, older, isSeen, retirable } = standing(set);
        const names = { identifier: set.merchantIdentifier, purpose: purposeText(set.purpose) };
        const item = (days, tone, what, values = {}) => items.push({
            days, tone, title: say(`apple.do_${what}`, { ...names, ...values }), text: say(`apple.do_${what}Text`, { ...names, ...values }), href: wayHref(set, merchant),
        });
        if (requested) { item(0, working.length === 0 ? "refused" : "unknown", "handIn"); } else if (imported) { item(0, "unknown", "activate"); }
        const left = newest?.daysLeft ?? null;
        if (!requested && !imported && newest && left !== null && left <= renewDays) {
            item(Math.max(0, left - 14), left <= 14 ? "refused" : left <= 30 ? "unknown" : "pending", "renew", { count: left, day: dayText(newest.notAfter.slice(0, 10)) });
        }
        if (!newest && !requested && !imported && set.all.some(({ state: own }) => own === "expired")) { item(0, "refused", "expired"); }
        if (retirable) { item(1, "unknown", "retire", { day: dayText(retirable.notAfter.slice(0, 10)) }); }
        if (older.length > 0 && !isSeen) { item(3, "pending", "observe"); }
    }
    for (const domain of domains ?? []) {
        if (domain.check && !domain.check.good) {
            items.push({ days: 0, tone: "refused", title: say("apple.do_domain", { host: domain.host }), text: domain.check.action ?? domain.check.text, href: href("/apple-pay/domains", { merchant: merchant.name }) });
        }
    }
    return items.sort((one, other) => one.days - other.days);
}

export async function show({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return everybody(signal); }
    const [certificates, domains] = await Promise.all([
        api.getAll(pathOf(merchant, "/certificates"), {}, { signal }), api.getAll(pathOf(merchant, "/domains"), {}, { signal }),
    ]);
    const sets = byKey(certificates);
    const head = { title: say("apple.title"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)) };
    const begin = (purpose, kind = "") => buttonLink(say(`apple.begin_${purpose}`), href(`/apple-pay/certificate/${purpose}`), { kind, small: kind === "" });
    if (sets.length === 0) {
        return page(head, parts("/apple-pay"), empty(say("apple.none"), say("apple.noneText"), can("apple-pay:write") && begin("payment-processing", "primary")));
    }
    const lacking = purposes.filter((purpose) => !sets.some((set) => set.purpose === purpose));
    return page(head, parts("/apple-pay"), nextPart(agenda(sets, domains, merchant)),
        section(say("apple.keys"), { note: say("apple.keysNote"), actions: can("apple-pay:write") ? lacking.map((purpose) => begin(purpose)) : null },
            make("div", { class: "cards" }, sets.map((set) => keyCard(set, merchant)))));
}

function nextPart(items) {
    return section(say("apple.next"), { note: say("apple.nextNote") }, items.length === 0
        ? note("done", say("apple.nothingNext"))
        : make("ol", { class: "agenda" }, items.map(({ days, tone, title, text, href: to }) => make("li", { class: `agenda-item tone-${tone}` },
            shape(tone), make("div", {}, make("a", { href: to }, make("strong", {}, title)), make("p", {}, text)),
            make("span", { class: "agenda-when" }, days === 0 ? say("apple.now") : say("apple.within", { count: days }))))));
}

function keyCard(set, merchant) {
    const { working } = standing(set);
    const shown = set.all.filter(({ state: own }) => own !== "retired");
    const retired = set.all.filter(({ state: own }) => own === "retired");
    return make("article", { class: "card key-card" },
        make("div", { class: "card-head" },
            make("div", {}, make("h3", {}, purposeText(set.purpose)), make("code", { class: "wrap" }, set.merchantIdentifier)),
            working.length === 0 ? mark("refused", { word: say("apple.noneWorks") }) : mark("done", { tone: "done", word: say("apple.works", { count: working.length }) })),
        make("ul", { class: "key-list" }, [...shown, ...retired].map((certificate) => keyRow(certificate, merchant))),
        can("apple-pay:write") && make("div", { class: "card-actions" },
            buttonLink(say(wayWord(set)), wayHref(set, merchant), { small: true, kind: wayWord(set) === "apple.goOn" ? "primary" : "" })));
}

function wayWord(set) {
    const { requested, imported, older, newest } = standing(set);
    if (requested || imported || older.length > 0) { return "apple.goOn"; }
    return newest ? "apple.renew" : "apple.goOn";
}

/** One key with its bar, and what is known of its use. */
export function keyRow(certificate, merchant, { acts = true } = {}) {
    const { state: own, daysLeft, publicKeyHash, lastUsedAt, notAfter } = certificate;
    return make("li", { class: `key key-${own}` },
        make("div", { class: "key-line" }, mark(own), publicKeyHash ? identifier(publicKeyHash, { label: say("apple.copyHash") }) : make("span", { class: "muted" }, shortID(certificate.id)),
            own === "retired" && acts && can("apple-pay:write") && button(say("apple.useAgain"), () => useAgain(certificate, merchant), { small: true })),
        ["active", "imported", "expired"].includes(own) && daysLeft !== null && daysLeft !== undefined && daysBar(daysLeft),
        make("p", { class: "muted" }, [
            notAfter && [own === "expired" ? say("apple.endedOn") : say("apple.endsOn"), " ", moment(notAfter, "day")],
            own === "active" && certificate.purpose === "payment-processing" && [" · ", lastUsedAt ? say("apple.lastToken", { when: relative(lastUsedAt) }) : say("apple.noToken")],
            own === "expired" && certificate.purpose === "payment-processing" && [" · ", say("apple.endedOpens")],
            own === "requested" && say("apple.requestedOn", { when: relative(certificate.createdAt) }),
        ]));
}

async function useAgain(certificate, merchant) {
    const done = await confirm({
        mode: merchant.mode, title: say("apple.useAgainTitle"), sentence: say("apple.useAgainText", { identifier: certificate.merchantIdentifier }), act: say("apple.useAgain"),
        run: (key) => api.post(pathOf(merchant, `/certificates/${encodeURIComponent(certificate.id)}/activate`), undefined, { key }),
    });
    if (done && !waitsForSecond(done)) { toast(say("apple.usedAgain")); refresh(); }
}

/** All merchants' certificates, the ones that end first before the others. */
async function everybody(signal) {
    const merchants = state.merchants.filter(({ state: own }) => own !== "closed");
    const found = (await Promise.all(merchants.map(async (merchant) => {
        const all = await api.getAll(pathOf(merchant, "/certificates"), {}, { signal });
        return all.filter(({ state: own }) => own !== "retired").map((certificate) => ({ merchant, certificate }));
    }))).flat();
    if (found.length === 0) { return whoseIsIt(say("apple.title"), say("apple.lead")); }
    found.sort((one, other) => (one.certificate.daysLeft ?? -1) - (other.certificate.daysLeft ?? -1));
    return page({ title: say("apple.title"), lead: say("apple.lead") },
        section(say("apple.allKeys"), { note: say("apple.allKeysNote") }, make("ul", { class: "key-list all" }, found.map(({ merchant, certificate }) =>
            make("li", { class: "key" },
                make("div", { class: "key-line" }, mark(certificate.state), make("a", { href: href("/apple-pay", { merchant: merchant.name }) }, make("strong", {}, merchant.displayName)), modeTag(merchant.mode)),
                make("p", { class: "muted" }, `${purposeText(certificate.purpose)} · `, make("code", { class: "wrap" }, certificate.merchantIdentifier)),
                certificate.daysLeft !== null && certificate.daysLeft !== undefined && daysBar(certificate.daysLeft))))));
}

