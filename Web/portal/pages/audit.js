//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Who did what, when, from where; and the proof that nothing of it was taken away or changed.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { count, dayAfter, moment, shortID, startOfDay } from "../core/format.js";
import { say, sayOr } from "../core/words.js";
import { button, copyButton, empty, facts, identifier, note, page, problem, section } from "../widgets/basics.js";
import { exportButton } from "../widgets/acts.js";
import { dialog } from "../widgets/dialog.js";
import { filterBar, readable } from "../widgets/filters.js";
import { densitySwitch, pagedList, table } from "../widgets/table.js";
import { actorText } from "./shared/parts.js";

/** An act as words: "route.change". */
export const actText = (act) => sayOr(`audit.act_${act}`, act);

/** All that there are: a test holds them against the server. */
const acts = ["access.create", "access.revoke", "account.bind", "account.secrets", "account.settings", "account.write", "acquirer.add", "acquirer.change", "acquirer.command",
    "acquirer.state", "alarm.end", "approval.approve", "approval.ask", "approval.collect", "approval.expire", "approval.fail", "approval.finish", "approval.policy",
    "approval.reject", "approval.withdraw", "certificate.activate", "certificate.import", "certificate.request", "certificate.retire", "day.close", "domain.add",
    "domain.remove", "keys.master", "keys.retire", "keys.rotate", "merchant.change", "merchant.create", "merchant.state", "operation.decide", "payment.capture",
    "payment.refund", "payment.void", "person.change", "person.create", "person.lockOut", "person.password", "person.remove", "person.reset", "person.secondFactor",
    "person.sessions", "person.signIn", "person.state", "person.unlock", "registration.end", "registration.make", "route.change", "settlement.import",
    "settlement.resolve", "store.copy", "store.migrate", "webhook.resend", "webhook.secret"];

export async function show({ query, signal }) {
    const filters = [
        { name: "actor", title: say("audit.actor"), kind: "text", maxlength: 128 },
        { name: "act", title: say("audit.act"), kind: "choice", options: acts.map((act) => [act, actText(act)]) },
        { name: "subject", title: say("audit.subject"), kind: "text", maxlength: 128 },
        { name: "since", title: say("audit.since"), kind: "day" }, { name: "until", title: say("audit.until"), kind: "day" },
    ];
    const wanted = readable(filters, query);
    const own = {
        actor: wanted.get("actor"), act: wanted.get("act"), subject: wanted.get("subject"), from: wanted.get("since") ? startOfDay(wanted.get("since")) : null,
        to: wanted.get("until") ? startOfDay(dayAfter(wanted.get("until"))) : null,
    };
    const isFiltered = filters.some(({ name }) => query.get(name));
    const load = (after) => api.get("/audit", { ...own, order: "newest", after, limit: 50 }, { signal });
    const rows = (entries) => table({
        caption: say("audit.title"), rows: entries, open: entryDialog,
        empty: empty(say(isFiltered ? "audit.noneFound" : "audit.none"), say(isFiltered ? "audit.noneFoundText" : "audit.noneText")),
        columns: [
            { name: "at", title: say("audit.at"), cell: ({ at }) => moment(at, "full"), phone: "second" },
            { name: "act", title: say("audit.act"), cell: ({ act }) => make("span", { class: "two-lines" }, make("strong", {}, actText(act)), make("code", { class: "muted" }, act)), phone: "first" },
            { name: "subject", title: say("audit.subject"), cell: ({ subject }) => make("span", { class: "wrap", title: subject }, subject ? shortSubject(subject) : "–"), phone: "first-end" },
            { name: "actor", title: say("audit.actor"), cell: ({ actor }) => actorText(actor), phone: "second-end" },
            { name: "details", title: say("audit.details"), cell: ({ details }) => make("span", { class: "muted wrap" }, brief(details)), phone: "none" },
            { name: "number", title: say("audit.number"), cell: ({ number }) => count(number), align: "end", quiet: true, phone: "none" },
        ],
    });
    return page({ title: say("audit.title"), lead: say("audit.lead"), zone: true, actions: [exportButton("audit", () => ({ ...own }), { text: say("audit.export") })] },
        proofPart(), filterBar(filters, query, { extra: densitySwitch() }), pagedList({ load, show: rows, tried: say("audit.tried") }));
}

/** An id is shortened as everywhere; a name is not. */
const shortSubject = (subject) => subject.replace(/\b[a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, shortID);

const briefCharacters = 80;

function brief(details) {
    const text = Object.entries(details).map(([name, value]) => `${name}: ${value}`).join(", ");
    return text.length > briefCharacters ? `${text.slice(0, briefCharacters)}…` : text;
}

function entryDialog(entry) {
    dialog({
        title: actText(entry.act), wide: true, mode: null,
        body: [
            facts([[say("audit.at"), moment(entry.at, "full")], [say("audit.actor"), actorText(entry.actor)], [say("audit.subject"), entry.subject || "–"], [say("audit.number"), count(entry.number)]]),
            Object.keys(entry.details).length > 0 && [make("h3", {}, say("audit.details")), facts(Object.entries(entry.details).map(([name, value]) => [name, make("code", { class: "wrap" }, value)]), { wide: true })],
            make("h3", {}, say("audit.digest")), make("p", { class: "muted" }, say("audit.digestText")),
            make("p", { class: "identifier" }, make("code", { class: "wrap" }, entry.digest), copyButton(entry.digest, { label: say("audit.copyDigest") })),
        ],
    });
}

/** Whether the log is whole, proved now from its entries. */
function proofPart() {
    const place = make("div", { class: "proof", "aria-live": "polite" });
    const prove = async () => {
        refill(place, make("p", { class: "muted" }, say("audit.proving")));
        try {
            const { sound, entries, head, firstBreak } = await api.get("/audit/check");
            refill(place, sound
                ? note("done", make("p", {}, make("strong", {}, say("audit.sound", { count: entries, number: count(entries) }))), make("p", {}, say("audit.soundText"), " ", identifier(head, { label: say("audit.copyDigest") })))
                : note("refused", make("p", {}, make("strong", {}, say("audit.broken", { number: firstBreak?.number ?? 0 }))), make("p", {}, say("audit.brokenText"), " ", make("code", {}, firstBreak?.reason ?? ""))));
        } catch (error) {
            refill(place, problem(error, { tried: say("audit.proofTried"), again: prove }));
        }
    };
    return section(say("audit.proof"), { note: say("audit.proofNote"), actions: button(say("audit.prove"), prove, { small: true }) }, place);
}
