//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is reported to merchants' servers: what came of it, what it said, and the secrets that it is signed with.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { moment, startOfDay, dayAfter } from "../core/format.js";
import { backTo, href, refresh } from "../core/router.js";
import { can, chosenMerchant, modeOf, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { button, code, disclosure, empty, eventually, facts, identifier, note, page, section, sentence, toast } from "../widgets/basics.js";
import { exportButton } from "../widgets/acts.js";
import { confirm } from "../widgets/dialog.js";
import { filterBar, readable } from "../widgets/filters.js";
import { mark, modeTag } from "../widgets/marks.js";
import { densitySwitch, pagedList, table } from "../widgets/table.js";
import { timeline } from "../widgets/timeline.js";
import { follows, pathOf, showCredentials, tabs, waitsForSecond, whoseIsIt } from "./shared/parts.js";
import { titleOf } from "./accounts.js";

const parts = (current) => tabs(say("webhooks.title"), [
    ["/webhooks", say("webhooks.events")], ["/webhooks/endpoints", say("webhooks.endpoints")],
], current);

/** What `lastResult` says: "http_503" is an answer of 503. */
export const resultText = (result) => {
    if (!result) { return "–"; }
    const status = /^http_(\d{3})$/.exec(result)?.[1];
    return status ? say("webhooks.answered", { status }) : sayOr(`webhooks.result_${result}`, result);
};

/** The events. */
export async function list({ query, signal }) {
    const { dialects } = await api.get("/catalog", {}, { signal });
    const filters = [
        { name: "state", title: say("webhooks.state"), kind: "choice", options: ["pending", "delivered", "dead"].map((name) => [name, say(`webhooks.state_${name}`)]) },
        { name: "dialect", title: say("webhooks.dialect"), kind: "choice", options: dialects.map(({ dialect, title }) => [dialect, title]) },
        { name: "payment", title: say("webhooks.payment"), kind: "text", placeholder: "pay_…", maxlength: 40 },
        { name: "day", title: say("webhooks.day"), kind: "day" },
    ];
    const wanted = readable(filters, query);
    const own = {
        merchant: state.merchant, state: wanted.get("state"), dialect: wanted.get("dialect"), payment: wanted.get("payment"),
        ...(wanted.get("day") ? { from: startOfDay(wanted.get("day")), to: startOfDay(dayAfter(wanted.get("day"))) } : {}),
    };
    const load = (after) => api.get("/events", { ...own, after, limit: 50 }, { signal });
    const isFiltered = filters.some(({ name }) => query.get(name));
    const show = (rows) => table({
        caption: say("webhooks.events"), rows, href: ({ id }) => href(`/webhooks/${id}`),
        empty: isFiltered ? empty(say("webhooks.noneFound"), say("webhooks.noneFoundText")) : empty(say("webhooks.none"), say("webhooks.noneText")),
        columns: [
            { name: "at", title: say("webhooks.made"), cell: ({ createdAt }) => moment(createdAt, "smart"), phone: "first" },
            { name: "state", title: say("webhooks.state"), cell: (event) => mark(event.state, { word: say(`webhooks.state_${event.state}`) }), phone: "first-end" },
            { name: "kind", title: say("webhooks.kind"), cell: ({ kind }) => sayOr(`webhooks.kind_${kind}`, kind), phone: "second" },
            { name: "dialect", title: say("webhooks.dialect"), cell: ({ dialect }) => titleOf(dialects, "dialect", dialect), quiet: true, phone: "none" },
            { name: "host", title: say("webhooks.host"), cell: ({ host }) => host ?? say("webhooks.noHost"), phone: "none" },
            { name: "attempts", title: say("webhooks.attempts"), cell: ({ attempts }) => attempts, align: "end", phone: "none" },
            { name: "result", title: say("webhooks.last"), cell: ({ lastResult }) => resultText(lastResult), phone: "second-end" },
            { name: "next", title: say("webhooks.next"), cell: ({ nextAttemptAt, waitsFor }) => waitsFor ? say("webhooks.afterEarlier") : moment(nextAttemptAt, "smart"), quiet: true, phone: "none" },
        ],
    });
    // Of one merchant at a time: each has a server of its own, and only that is well again.
    const sendsAll = can("webhooks:write") && state.merchant && query.get("state") === "dead";
    const resendAll = async () => {
        const answer = await confirm({
            mode: modeOf(state.merchant), title: say("webhooks.resendAllTitle"), act: say("webhooks.resendAll"), sentence: say("webhooks.resendAllText"),
            run: (key) => api.post(`/merchants/${encodeURIComponent(state.merchant)}/events/resend`, undefined, { key }),
        });
        if (answer) { toast(say(answer.leavesSome ? "webhooks.resentSome" : "webhooks.resentAll", { count: answer.resent })); refresh(); }
    };
    return page({
        title: say("webhooks.title"), lead: say("webhooks.lead"), zone: true,
        actions: [sendsAll && button(say("webhooks.resendAll"), resendAll), exportButton("events", () => ({ ...own }))],
    }, parts("/webhooks"),
        filterBar(filters, query, { extra: densitySwitch() }), pagedList({ load, show, tried: say("webhooks.tried") }));
}

/** One event. */
export async function event({ parameters, signal }) {
    const path = `/events/${encodeURIComponent(parameters.event)}`;
    const event = await api.get(path, {}, { signal });
    if (follows(event.merchant, signal, () => "/webhooks", { keepsAll: true })) { return make("div"); }
    const resend = async () => {
        const done = await confirm({
            mode: modeOf(event.merchant), title: say("webhooks.resendTitle"), act: say("webhooks.resend"), run: (key) => api.post(`${path}/resend`, undefined, { key }),
            sentence: say(event.state === "delivered" ? "webhooks.resendTwice" : "webhooks.resendText", { host: event.host ?? "–" }),
        });
        if (done) { toast(say("webhooks.resent")); refresh(); }
    };
    const deliveries = event.deliveries ?? [];
    const content = page({
        title: sayOr(`webhooks.kind_${event.kind}`, event.kind), zone: true, back: { href: backTo("/webhooks"), text: say("webhooks.title") },
        lead: make("span", { class: "marks" }, modeTag(modeOf(event.merchant)), mark(event.state, { word: say(`webhooks.state_${event.state}`) }), event.host ?? say("webhooks.noHost")),
        actions: can("webhooks:write") && event.lastResult !== "not_told" ? [button(say("webhooks.resend"), resend, { kind: event.state === "dead" ? "primary" : "" })] : [],
    },
    event.state === "dead" && note("refused", say("webhooks.deadText")),
    section(say("webhooks.attempts"), {}, deliveries.length === 0 ? make("p", { class: "muted" }, event.attempts > 0 ? say("webhooks.attemptsOld", { count: event.attempts }) : say("webhooks.notYet"))
        : timeline(deliveries.map(({ attempt, message, at, milliseconds, result }) => ({
            at, milliseconds, tone: isTaken(result) ? "done" : "refused",
            title: message > 0 ? say("webhooks.attemptOf", { number: attempt, message: message + 1 }) : say("webhooks.attempt", { number: attempt }), word: resultText(result),
        })), { label: say("webhooks.attempts") }), nextOf(event)),
    section(say("webhooks.said"), { note: say("webhooks.saidNote") }, eventually(() => said(path, signal), { rows: 2, tried: say("webhooks.saidTried") })),
    section(say("webhooks.facts"), {}, facts([
        [say("webhooks.payment"), identifier(event.payment, { link: href(`/payments/${event.payment}`) })],
        [say("webhooks.operation"), identifier(event.operation)], [say("webhooks.id"), identifier(event.id)],
        [say("webhooks.merchant"), event.merchant], [say("webhooks.dialect"), event.dialect], [say("webhooks.made"), moment(event.createdAt, "full")],
    ])));
    content.ofMode = modeOf(event.merchant);
    return content;
}

/** Of a pending event: when it is tried next, or the event that goes first. */
function nextOf({ nextAttemptAt, waitsFor }) {
    if (waitsFor) { return make("p", {}, say("webhooks.waitsFor"), " ", identifier(waitsFor, { link: href(`/webhooks/${waitsFor}`) })); }
    return nextAttemptAt ? facts([[say("webhooks.next"), moment(nextAttemptAt, "full")]]) : null;
}

/** Also of what there was nothing to say of: the event is delivered. */
const isTaken = (result) => result === "not_told" || /^http_2\d\d$/.test(result ?? "");

/** Every message of the event, as it would be sent now. Where there is none, the server says why. */
export async function said(path, signal) {
    const load = (message) => api.get(`${path}/message`, { message }, { signal });
    let first;
    try {
        first = await load(0);
    } catch (error) {
        if (error.status !== 409) { throw error; }
        return make("p", { class: "muted" }, sentence(error));
    }
    const others = await Promise.all(Array.from({ length: first.messages - 1 }, (_, index) => load(index + 1)));
    return make("div", {}, [first, ...others].map(messageOf));
}

/** One message: text, whatever is in it. */
function messageOf({ message, messages, method, url, headers, body }) {
    const title = messages > 1 ? say("webhooks.messageOf", { number: message + 1, count: messages }) : say("webhooks.message");
    const lines = [`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`)];
    return disclosure(title, {},
        code(lines.join("\n"), { label: say("webhooks.headers") }),
        body ? code(body, { label: say("webhooks.body") }) : make("p", { class: "muted" }, say("webhooks.noBody")));
}

/** Where each account's events go, and their secrets. */
export async function endpoints({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("webhooks.endpoints"), say("webhooks.endpointsLead")); }
    const [{ dialects }, { data }] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.get(pathOf(merchant, "/accounts"), {}, { signal }),
    ]);
    const rows = await Promise.all(data.map(({ dialect }) => api.get(pathOf(merchant, `/accounts/${dialect}`), {}, { signal })));
    return page({ title: say("webhooks.title"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)) },
        parts("/webhooks/endpoints"), make("p", {}, say("webhooks.endpointsLead")),
        rows.length === 0 ? empty(say("webhooks.noEndpoints"), say("webhooks.noEndpointsText"))
            : make("ul", { class: "cards" }, rows.map((account) => endpointCard(merchant, account, titleOf(dialects, "dialect", account.dialect)))));
}

/** A setting that says where events go; dialects call it by names of their own. */
const addressOf = (settings) => Object.entries(settings).find(([name]) => /^(notifyURL|notificationURL|webhookURL)$/i.test(name))?.[1] ?? null;

function endpointCard(merchant, account, title) {
    const address = addressOf(account.settings);
    const rotate = async () => {
        const answer = await confirm({
            mode: merchant.mode, title: say("webhooks.rotateTitle", { title }), sentence: say("webhooks.rotateText", { title }), act: say("webhooks.rotateDo"),
            run: (key) => api.post(pathOf(merchant, `/accounts/${account.dialect}/webhook-secret/rotate`), undefined, { key }),
        });
        if (!answer || waitsForSecond(answer)) { return; }
        await showCredentials(say("webhooks.newSecret", { title }), { webhookSecret: answer.secret }, say("webhooks.newSecretText"), merchant.mode);
    };
    return make("li", { class: "card" },
        make("div", { class: "card-head" }, make("h2", {}, title)),
        facts([[say("webhooks.address"), address ? make("code", { class: "wrap" }, hostOf(address)) : say("webhooks.perRequest")]]),
        make("div", { class: "card-actions" },
            can("webhooks:write") && button(say("webhooks.rotate"), rotate, { small: true, label: say("webhooks.rotateOf", { title }) }),
            can("accounts:read") && make("a", { class: "button small", href: href(`/accounts/dialects/${merchant.name}/${account.dialect}`) }, make("span", {}, say("webhooks.changeAddress")))));
}

/** Scheme, host and path: the rest may hold a secret. */
function hostOf(address) {
    try {
        const url = new URL(address);
        return `${url.protocol}//${url.host}${url.pathname}`;
    } catch {
        return "–";
    }
}
