//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Home: does anything need somebody, and how does it go.

import { make } from "../core/dom.js";
import { amountText, count, countFrom, dayOf, dayText, decimal, duration, momentText, percent, daysUntil } from "../core/format.js";
import { isCutOfRefusals, loadHome } from "../core/home.js";
import { networkName } from "../core/names.js";
import { href, refresh } from "../core/router.js";
import { can, on, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { more } from "../widgets/acts.js";
import { buttonLink, dotted, empty, english, note, page, section, tabs } from "../widgets/basics.js";
import { bandChart, barList, columnChart, dayBars, smallMultiples, tableBehind } from "../widgets/charts.js";
import { mark, shape } from "../widgets/marks.js";

export const title = () => say("home.title");

const windows = { day: 1, week: 7, month: 30 };
const renewMillis = 4_000;

function windowQuery(name) {
    if (name === "day") { return {}; }
    const now = new Date();
    const from = new Date(now.getTime() - windows[name] * 86_400_000);
    return { from: from.toISOString().replace(/\.\d+Z$/, "Z"), to: now.toISOString().replace(/\.\d+Z$/, "Z"), bucket: "day" };
}

export async function render({ query, signal }) {
    const chosen = query.get("window") in windows ? query.get("window") : "day";
    const shown = await loadHome({ query: windowQuery(chosen), signal });
    let timer;
    // Numbers change where they stand, and not under somebody who reads them by the keyboard.
    const stop = on("stream", () => {
        clearTimeout(timer);
        timer = setTimeout(() => { if (!signal.aborted && !document.querySelector("main :focus-visible, main details[open]")) { refresh(); } }, renewMillis);
    });
    signal.addEventListener("abort", () => { stop(); clearTimeout(timer); });
    const zone = shown.window.timeZone;
    const isHours = shown.window.bucket === "hour";
    const labels = shown.buckets.map(({ from }) => (isHours ? momentText(from, "minute", zone) : dayText(dayOf(from, zone), { month: "short", day: "numeric" })));
    const names = shown.buckets.map(({ from, to }) => (isHours ? `${momentText(from, "minute", zone)}–${momentText(to, "minute", zone)}` : dayText(dayOf(from, zone))));
    const counted = countedOf(shown, (moment) => (isHours ? momentText(moment, "short", zone) : dayText(dayOf(moment, zone))));
    const context = { shown, labels, names, chosen, counted };
    const isIdle = shown.window.movements === 0 && shown.window.refusals === 0;
    return page({
        title: say("home.title"), zone: true,
        actions: [make("div", { class: "window-tabs" }, tabs(Object.keys(windows).map((name) =>
            ({ text: say(`home.${name}`), href: href("/", { window: name === "day" ? null : name }), current: name === chosen })), say("home.window")))],
    },
    attention(shown),
    counted.sentence && note("unknown", make("p", {}, counted.sentence), can("reports:read") && make("p", {}, more(say("home.toReports"), href("/reports")))),
    isIdle && empty(say("home.idle"), say("home.idleText"), can("merchants:write") ? buttonLink(say("home.toSetup"), href("/merchants")) : null),
    !isIdle && volumes(context),
    isIdle ? shown.certificates.length > 0 && certificates(shown) : make("div", { class: "home-columns" },
        make("div", { class: "home-column" }, refused(context), declines(context), shown.certificates.length > 0 && certificates(shown)),
        make("div", { class: "home-column" }, approvals(context), latencies(context))));
}

/**
 * Of what the sums are, where more has happened than the server reads: it reads the newest first, and of what it did not read whole
 * it says nothing. Without that a part would look like all.
 *
 * @returns `{ from, sentence }`: what stands beside a sum, and what stands above all; both null where all is counted
 */
function countedOf({ buckets }, text) {
    const first = buckets.findIndex(({ read }) => read);
    if (first === 0 || buckets.length === 0) { return { from: null, sentence: null }; }
    if (first === -1) { return { from: null, sentence: say("home.cutWhole", { when: text(buckets.at(-1).from) }) }; }
    const when = text(buckets[first].from);
    return { from: say("home.countedFrom", { when }), sentence: say("home.cut", { when }) };
}

/** A number, or the most that was counted. */
const number = ({ count: value, atLeast }) => countFrom(value, atLeast);

/** What needs somebody, first; nothing is said in one line. */
function attention(shown) {
    const { work } = shown;
    const onTheirWay = work.pendingEvents.count > 0
        && ["pending", number(work.pendingEvents), say("home.onTheirWay", { count: work.pendingEvents.count }), href("/webhooks", { state: "pending" })];
    const ending = shown.certificates.filter(({ daysLeft, state: own }) => own === "expired" || daysLeft <= 30);
    const cards = [
        work.unknownOperations.count > 0 && ["unknown", number(work.unknownOperations), say("home.unknown", { count: work.unknownOperations.count }), href("/payments", { outcome: "unknown" })],
        work.deadEvents.count > 0 && ["refused", number(work.deadEvents), say("home.dead", { count: work.deadEvents.count }), href("/webhooks", { state: "dead" })],
        // By themselves they need nobody; beside what does they say how much is behind it.
        work.deadEvents.count > 0 && onTheirWay,
        shown.approvals?.waiting > 0 && ["pending", count(shown.approvals.waiting), say("home.waiting", { count: shown.approvals.waiting }), href("/approvals")],
        ending.length > 0 && [ending.some(({ daysLeft }) => daysLeft <= 7) ? "refused" : "unknown", count(ending.length), say("home.ending", { count: ending.length }), href("/apple-pay")],
    ].filter(Boolean);
    const alarms = shown.alarms ?? [];
    if (cards.length === 0 && alarms.length === 0) {
        return make("p", { class: "all-well" }, mark("good", { word: say("home.allWell") }), onTheirWay && backlog(onTheirWay));
    }
    return make("section", { class: "attention", "aria-label": say("home.attention") },
        cards.length > 0 && make("ul", { class: "attention-cards" }, cards.map(([tone, value, text, target]) => make("li", {},
            make("a", { class: `attention-card tone-${tone}`, href: target }, shape(tone), make("b", {}, value), make("span", {}, text))))),
        alarms.length > 0 && make("ul", { class: "alarms" }, alarms.map((alarm) => make("li", {},
            mark(alarm.severity === "notice" ? "info" : alarm.severity === "warning" ? "warning" : "error", { word: sayOr(`home.severity_${alarm.severity}`, alarm.severity ?? "") }),
            make("span", {}, alarm.text ? english(alarm.text) : alarm.kind, alarm.advice && [" ", english(alarm.advice, "span", { class: "muted" })]),
            alarm.merchant && state.merchants.length > 1 && make("span", { class: "muted" }, alarm.merchant)))),
        work.deadEvents.count === 0 && onTheirWay && make("p", { class: "muted" }, backlog(onTheirWay)));
}

const backlog = ([, value, text, target]) => make("a", { class: "backlog", href: target }, `${value} ${text}`);

/** A currency a column: what was authorized, captured and given back, and when. */
function volumes({ shown, labels, names, counted }) {
    const totals = [...shown.totals].sort((one, other) => other.authorized.count - one.authorized.count);
    const [first, rest] = [totals.slice(0, 3), totals.slice(3)];
    if (totals.length === 0) { return null; }
    return section(say("home.volume"), { note: counted.from, actions: more(say("home.toPayments"), href("/payments")) },
        make("div", { class: "volumes" }, first.map((total) => {
            const own = shown.buckets.map(({ read, currencies }) => read && (currencies.find(({ currency }) => currency === total.currency) ?? null));
            const texts = own.map((one) => amountText(one ? one.captured.amount : "0", total.currency));
            return make("div", { class: "volume" },
                make("h3", {}, make("span", { class: "volume-amount" }, decimal(total.captured.amount), " ", make("span", { class: "currency" }, total.currency)),
                    make("span", { class: "volume-word" }, say("home.captured"))),
                columnChart({
                    label: say("home.volumeOf", { currency: total.currency }), labels, names, height: 96, left: 0, format: () => "",
                    // Numbers for the drawing alone: what is said are the texts.
                    series: [{ name: say("home.captured"), tone: "green", values: own.map((one) => (one === false ? null : Number(one?.captured.amount ?? 0))), texts }],
                    summary: make("span", {}, say("home.capturedCount", { count: total.captured.count, number: count(total.captured.count) })),
                }),
                make("dl", { class: "volume-facts" },
                    make("div", {}, make("dt", {}, say("home.authorized")), make("dd", {}, decimal(total.authorized.amount))),
                    make("div", {}, make("dt", {}, say("home.refunded")), make("dd", {}, decimal(total.refunded.amount))),
                    total.chargedBack.count > 0 && make("div", {}, make("dt", {}, say("home.chargedBack")), make("dd", {}, decimal(total.chargedBack.amount)))));
        })),
        rest.length > 0 && make("p", { class: "muted volume-rest" }, rest.map((total, index) => [index > 0 && " · ", amountText(total.captured.amount, total.currency)])));
}

/** How an authorization ends, with its tone in charts. */
const outcomes = [["approved", "green"], ["declined", "muted"], ["failed", "amber"]];

function approvals({ shown, labels, names, counted }) {
    const sum = (name) => shown.buckets.reduce((all, bucket) => all + bucket[name], 0);
    const [approved, declined, failed] = ["approved", "declined", "failed"].map(sum);
    const all = approved + declined + failed;
    return section(say("home.approvals"), { note: counted.from },
        make("p", { class: "figure" }, make("b", {}, all === 0 ? "–" : percent(approved / all)), make("span", {}, say("home.approvalRate", { count: all, number: count(all) }))),
        columnChart({
            label: say("home.approvals"), labels, names, summary: "",
            series: outcomes.map(([name, tone]) =>
                ({ name: say(`home.${name}`), tone, values: shown.buckets.map((bucket) => (bucket.read ? bucket[name] : null)) })),
        }),
        make("h3", { class: "sub" }, say("home.byNetwork")),
        barList({
            label: say("home.byNetwork"), rows: shown.networks.map((one) => {
                const total = one.approved + one.declined + one.failed;
                return {
                    label: networkName(one.network), value: total, href: href("/payments", { network: one.network }),
                    parts: outcomes.map(([name, tone]) => ({ value: one[name], tone })),
                    text: `${total === 0 ? "–" : percent(one.approved / total, 0)} · ${count(total)}`,
                };
            }),
        }),
        // What the parts of a bar are is nowhere else said.
        shown.networks.length > 0 && tableBehind(say("home.byNetwork"), [
            [say("home.network"), ...outcomes.map(([name]) => say(`home.${name}`))],
            ...shown.networks.map((one) => [networkName(one.network), ...outcomes.map(([name]) => count(one[name]))]),
        ]));
}

function refused({ shown, labels, names }) {
    const total = shown.refusals.reduce((sum, one) => sum + one.count, 0);
    const isCut = isCutOfRefusals(shown);
    const known = (values) => values.map((value, index) => (shown.buckets[index].refused === null ? null : value));
    return section(say("home.refused"), { note: isCut ? say("home.newestRefusals", { number: count(total) }) : null, actions: more(say("home.toRefused"), href("/refused")) },
        make("p", { class: "figure" }, make("b", {}, countFrom(total, isCut)), make("span", {}, say("home.refusedCalls", { count: total }))),
        total === 0 ? make("p", { class: "muted" }, say("home.noneRefused"))
            : smallMultiples({
                label: say("home.refused"), labels, names, items: shown.refusals.slice(0, 6).map((one) => ({
                    title: sayOr(`home.code_${one.code}`, one.code.replaceAll("_", " ")), values: known(one.byBucket), total: countFrom(one.count, isCut), href: href("/refused", { code: one.code }),
                })),
            }));
}

function declines({ shown, counted }) {
    return section(say("home.declines"), { note: counted.from, actions: more(say("home.toDeclined"), href("/payments", { state: "declined" })) },
        shown.declines.length === 0 ? make("p", { class: "muted" }, say("home.noDeclines"))
            : barList({
                label: say("home.declines"),
                rows: shown.declines.slice(0, 8).map((one) => ({ label: sayOr(`states.reason_${one.reason}`, one.reason), value: one.count, tone: "muted" })),
            }));
}

function latencies({ shown, labels, names, counted }) {
    const whole = shown.latencies.find(({ operation }) => operation === "authorization") ?? shown.latencies[0];
    if (!whole) { return section(say("home.latency"), {}, make("p", { class: "muted" }, say("home.noLatency"))); }
    const of = (name) => shown.buckets.map((bucket) => bucket.latencies.find(({ operation }) => operation === whole.operation)?.[name] ?? null);
    return section(say("home.latency"), { note: [say(`states.kind_${whole.operation}`), counted.from].filter(Boolean).join(" · ") },
        make("p", { class: "figure" }, make("b", {}, duration(whole.p50)), make("span", {}, say("home.latencyRest", { p95: duration(whole.p95), p99: duration(whole.p99) }))),
        bandChart({ label: say("home.latency"), labels, names, p50: of("p50"), p95: of("p95"), p99: of("p99"), format: (value) => (value === 0 ? "0" : duration(value)) }));
}

function certificates(shown) {
    return section(say("home.certificates"), { actions: more(say("home.toApplePay"), href("/apple-pay")) }, dayBars({
        label: say("home.certificates"), rows: shown.certificates.slice(0, 6).map((one) => {
            const days = one.daysLeft ?? daysUntil(one.notAfter);
            return {
                label: [make("b", {}, dotted(one.merchantIdentifier)), make("span", { class: "muted block" }, say(`home.purpose_${one.purpose}`))], days,
                text: days < 0 ? say("home.ended") : say("home.days", { count: days, number: count(days) }), href: href(`/apple-pay`, { merchant: one.merchant }),
            };
        }),
    }));
}
