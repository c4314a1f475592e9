//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Reports: days and their closing, transactions, balances, fees. Settlement files stand in settlements.js.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { amountText, compare, count, dayAfter, dayOf, dayText, decimal, minus, moment, money, plus, startOfDay, zoneName } from "../core/format.js";
import { networkName } from "../core/names.js";
import { href, navigate, refresh, setQuery } from "../core/router.js";
import { can, chosenMerchant, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { button, buttonLink, empty, facts, identifier, note, page, section, toast } from "../widgets/basics.js";
import { exportButton } from "../widgets/acts.js";
import { confirm } from "../widgets/dialog.js";
import { filterBar, readable } from "../widgets/filters.js";
import { mark, modeTag, tag } from "../widgets/marks.js";
import { densitySwitch, pagedList, table } from "../widgets/table.js";
import { actorText, follows, pathOf, tabs, whoseIsIt } from "./shared/parts.js";
import { daysOf, differenceTable } from "./settlements.js";

export const parts = (current) => tabs(say("reports.title"), [
    ["/reports", say("reports.days")], ["/reports/transactions", say("reports.transactions")], ["/reports/balances", say("reports.balances")],
    ["/reports/fees", say("reports.fees")], ["/reports/settlements", say("reports.settlements")],
], current);

export const headOf = (merchant, more = {}) => ({
    title: say("reports.title"), lead: merchant ? make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)) : say("reports.lead"), ...more,
});

/** The days: the next to close first, then those that are closed, newest first. */
export async function days({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("reports.title"), say("reports.lead")); }
    // The newest of them stand on the last page.
    const [{ nextDay }, data] = await Promise.all([
        api.get(pathOf(merchant, "/days"), { limit: 1 }, { signal }), api.getAll(pathOf(merchant, "/days"), { limit: 200 }, { signal }),
    ]);
    const today = dayOf(Date.now(), merchant.timeZone);
    const yesterday = dayAfter(today, -1);
    const at = (day) => href(`/reports/days/${merchant.name}/${day}`);
    const rows = [...data].reverse();
    const picker = make("input", { type: "date", class: "input small", "aria-label": say("reports.goToDay"), max: today, change: () => picker.value && navigate(`/reports/days/${merchant.name}/${picker.value}`) });
    return page(headOf(merchant, { zone: true, actions: [exportButton("days", () => ({ merchant: merchant.name }))] }), parts("/reports"),
        section(say("reports.toClose"), {}, nextDay
            ? make("div", { class: "next-day" }, make("p", {}, make("strong", {}, dayText(nextDay.day)), " ", say(nextDay.over ? "reports.canBeClosed" : "reports.notOver")),
                nextDay.over && buttonLink(say("reports.lookAndClose"), at(nextDay.day), { kind: "primary" }))
            : make("p", { class: "muted" }, say("reports.nothingToClose")),
        make("p", { class: "day-links" }, make("a", { href: at(today) }, say("reports.today")), make("a", { href: at(yesterday) }, say("reports.yesterday")), picker)),
        section(say("reports.closedDays"), { note: say("reports.zoneNote", { zone: zoneName(merchant.timeZone) }) }, table({
            caption: say("reports.closedDays"), rows, href: ({ day }) => at(day), empty: empty(say("reports.noClosed"), say("reports.noClosedText")),
            columns: [
                { name: "day", title: say("reports.day"), cell: ({ day }) => make("strong", {}, dayText(day)), phone: "first" },
                { name: "state", title: say("reports.state"), cell: ({ state: own }) => mark(own, { tone: own === "closed" ? "done" : "refused", word: say(`reports.state_${own}`) }), phone: "first-end" },
                { name: "movements", title: say("reports.movements"), cell: ({ movements }) => count(movements), align: "end", phone: "second" },
                { name: "by", title: say("reports.closedBy"), cell: ({ closedBy }) => actorText(closedBy), phone: "none" },
                { name: "at", title: say("reports.closedAt"), cell: ({ closedAt }) => moment(closedAt, "dayTime"), phone: "second-end" },
            ],
        })));
}

/** One day: the ledger's number and the bank's side by side, and what differs before everything else. */
export async function day({ parameters, signal }) {
    const { merchant: name, day: date } = parameters;
    if (follows(name, signal, (other) => (other ? `/reports/days/${other}/${date}` : "/reports"))) { return make("div"); }
    const path = pathOf(name);
    const [merchant, { state: own, report, settled }, list] = await Promise.all([
        api.get(path, {}, { signal }), api.get(`${path}/days/${date}`, {}, { signal }), api.get(`${path}/days`, { limit: 1 }, { signal }),
    ]);
    const files = await api.getAll("/settlements", { merchant: name, limit: 200 }, { signal });
    const covering = files.filter((file) => daysOf(file).first <= date && date <= daysOf(file).last);
    const differences = await differencesOf(name, date, signal);
    const pairs = pairsOf(report, settled);
    const today = dayOf(Date.now(), merchant.timeZone);
    const move = (step, words) => make("a", { class: "button small", href: href(`/reports/days/${name}/${dayAfter(date, step)}`) }, make("span", {}, words));
    const isNext = list.nextDay?.day === date && list.nextDay.over;
    return page({
        title: dayText(date, { weekday: "long", year: "numeric", month: "long", day: "numeric" }), back: { href: href("/reports"), text: say("reports.title") },
        lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode),
            mark(own, { tone: { closed: "done", differs: "refused" }[own] ?? "pending", word: say(`reports.state_${own}`) }), make("span", { class: "muted" }, zoneName(report.timeZone))),
        actions: [move(-1, say("reports.dayBefore")), date < today && move(1, say("reports.dayNext")),
            exportButton("transactions", () => ({ merchant: name, from: report.from, to: report.to })),
            isNext && can("reports:write") && button(say("reports.close"), () => closeDay(merchant, date, report, differences), { kind: "primary" })],
    },
    own === "differs" && note("refused", say("reports.differsText")),
    differences.length > 0 && section(say("reports.differencesFirst"), { note: say("reports.differencesNote", { count: differences.length }) }, differenceTable(differences, { isOpen: true })),
    section(say("reports.sideBySide"), { note: covering.length === 0 ? say("reports.noFile") : say("reports.files", { list: covering.map(({ name: file }) => file).join(", ") }) },
        pairs.length === 0 ? empty(say("reports.nothingThatDay"), say("reports.nothingThatDayText")) : make("div", { class: "pairs" }, pairs.map((one) => pair(one, covering)))),
    report.totals.length > 0 && section(say("reports.sums"), {}, sumTable(report.totals)),
    section(say("reports.facts"), {}, facts([
        [say("reports.from"), moment(report.from, "full", merchant.timeZone)], [say("reports.to"), moment(report.to, "full", merchant.timeZone)],
        [say("reports.movements"), count(report.movements)], own !== "open" && [say("reports.digest"), identifier(report.digest)],
    ])));
}

/** Open differences of a day: of its lines, and of what the ledger has on that day and no file. */
async function differencesOf(merchant, date, signal) {
    const found = [];
    let after;
    do {
        const { data, next } = await api.get("/settlement-differences", { merchant, after, limit: 200 }, { signal });
        found.push(...data.filter((item) => item.date === date));
        after = next;
    } while (after && found.length < 200);
    return found;
}

/** What the ledger has and what the bank's lines have, for each account and currency of either. */
function pairsOf(report, settled) {
    const key = ({ accountId, currency }) => `${accountId} ${currency}`;
    const pairs = new Map(report.totals.map((total) => [key(total), { account: total.account, currency: total.currency, total }]));
    for (const own of settled) {
        pairs.set(key(own), { account: own.account, currency: own.currency, ...pairs.get(key(own)), settled: own });
    }
    return [...pairs.values()];
}

/**
 * The ledger's number and the bank's under one account, and what lies between. Both are before fees, which are booked on the day of the file's
 * import; and both are what they are, whatever has been said of the difference since.
 */
function pair({ account, currency, total, settled }, covering) {
    const zero = settled ? minus(settled.paid, settled.paid) : minus(total.net, total.net);
    const ledger = total ? plus(total.net, total.fees) : zero;
    const isCovered = settled || covering.some(({ acquirer }) => acquirer === account);
    const bank = isCovered ? settled?.paid ?? zero : null;
    const between = bank === null ? null : minus(bank, ledger);
    const isSame = between === null || compare(between, "0") === 0;
    const explained = settled && compare(settled.explained, "0") !== 0 && say("reports.ofWhichExplained", { amount: amountText(settled.explained, currency) });
    return make("article", { class: `pair ${isSame && !settled?.openDifferences ? "" : "pair-differs"}` },
        make("h3", {}, account, " · ", currency),
        make("dl", { class: "pair-numbers" },
            make("div", {}, make("dt", {}, say("reports.ledgerOfDay")), make("dd", {}, money(ledger, currency))),
            make("div", {}, make("dt", {}, say("reports.bankOfDay")), make("dd", {}, bank === null ? make("span", { class: "muted" }, say("reports.notYet")) : money(bank, currency))),
            make("div", { class: "pair-difference" }, make("dt", {}, say("reports.difference")),
                make("dd", {}, bank === null ? "–" : isSame ? mark("done", { tone: "done", word: say("reports.same") }) : money(between, currency)))),
        !isSame && explained && make("p", { class: "muted" }, explained));
}

const sumTable = (totals) => scrolls(say("reports.sums"), table({
    caption: say("reports.sums"), rows: totals,
    columns: [
        { name: "account", title: say("reports.account"), cell: ({ account }) => account, phone: "first" },
        { name: "currency", title: say("reports.currency"), cell: ({ currency }) => currency, phone: "none" },
        ...[["captured", "captures"], ["refunded", "refunds"], ["chargedBack", "chargebacks"], ["corrected", "corrections"]].map(([name, number]) => ({
            name, title: say(`reports.${name}`), align: "end", phone: "none",
            cell: (total) => [decimal(total[name]), make("span", { class: "muted times" }, ` ×${count(total[number])}`)],
        })),
        { name: "fees", title: say("reports.fees"), align: "end", cell: ({ fees: kept }) => decimal(kept), phone: "none" },
        { name: "net", title: say("reports.net"), align: "end", cell: ({ net, currency }) => make("strong", {}, money(net, currency)), phone: "first-end" },
    ],
}));

/** A table without links, which may be wider than its place: the keyboard scrolls it. */
function scrolls(label, frame) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", label);
    return frame;
}

async function closeDay(merchant, date, report, differences) {
    const closed = await confirm({
        mode: merchant.mode, title: say("reports.closeTitle", { day: dayText(date) }), act: say("reports.closeDo", { day: dayText(date) }),
        sentence: say("reports.closeText", { day: dayText(date), merchant: merchant.displayName, count: report.movements }),
        extra: differences.length > 0 ? note("unknown", say("reports.closeOpen", { count: differences.length })) : null,
        run: (key) => api.post(pathOf(merchant, "/closed-days"), { day: date }, { key }),
    });
    if (closed) { toast(say("reports.closedNow", { day: dayText(date) })); refresh(); }
}

/** Operations whose end is known. */
export async function transactions({ query, signal }) {
    const filters = [
        { name: "day", title: say("reports.day"), kind: "day" },
        { name: "failed", title: say("reports.withFailed"), kind: "choice", options: [["true", say("reports.yes")]] },
    ];
    const wanted = readable(filters, query);
    const day = wanted.get("day");
    const window = day ? { from: startOfDay(day), to: startOfDay(dayAfter(day)) } : {};
    const own = { merchant: state.merchant, failed: wanted.get("failed"), ...window };
    const load = (after) => api.get("/transactions", { ...own, after, limit: 50 }, { signal });
    const show = (rows) => table({
        caption: say("reports.transactions"), rows, href: ({ payment }) => href(`/payments/${payment}`),
        empty: empty(say("reports.noTransactions"), say("reports.noTransactionsText")),
        columns: [
            { name: "moment", title: say("reports.moment"), cell: ({ momentUTC }) => moment(momentUTC, "smart"), phone: "second" },
            { name: "kind", title: say("reports.kind"), cell: ({ kind }) => sayOr(`reports.kind_${kind}`, kind), phone: "first" },
            { name: "state", title: say("reports.state"), cell: ({ state: ended }) => mark(ended), phone: "none" },
            { name: "amount", title: say("reports.amount"), align: "end", cell: ({ amount, currency }) => money(amount, currency), phone: "first-end" },
            { name: "change", title: say("reports.change"), align: "end", cell: ({ change }) => (Number(change) === 0 ? make("span", { class: "muted" }, "–") : decimal(change)), phone: "none" },
            { name: "card", title: say("reports.card"), cell: ({ network, card }) => `${networkName(network)} ••${card}`, wide: true, phone: "none" },
            { name: "order", title: say("reports.order"), cell: ({ order }) => order || "–", phone: "second-end" },
            { name: "account", title: say("reports.account"), cell: ({ account }) => account, quiet: true, wide: true, phone: "none" },
        ],
    });
    return page(headOf(null, { zone: true, actions: [exportButton("transactions", () => ({ ...own }))] }), parts("/reports/transactions"),
        filterBar(filters, query, { extra: densitySwitch() }), pagedList({ load, show, tried: say("reports.tried") }));
}

/** What the ledger's accounts hold. */
export function balances({ query, signal }) {
    const own = { merchant: state.merchant };
    const isZero = ({ balance }) => /^-?0*\.?0*$/.test(balance);
    const sheet = (rows) => table({
        caption: say("reports.balances"), rows, empty: empty(say("reports.noBalances"), say("reports.noBalancesText")),
        columns: [
            { name: "account", title: say("reports.account"), cell: (row) => make("span", { class: "two-lines" }, make("strong", {}, sayOr(`reports.ledger_${row.account}`, row.account)), make("span", { class: "muted" }, [row.merchant, row.acquirer].filter(Boolean).join(" · "))), phone: "first" },
            { name: "layer", title: say("reports.layer"), cell: ({ layer }) => tag(say(`reports.layer_${layer}`)), phone: "second" },
            { name: "debits", title: say("reports.debits"), align: "end", cell: ({ debits }) => decimal(debits), quiet: true, phone: "none" },
            { name: "credits", title: say("reports.credits"), align: "end", cell: ({ credits }) => decimal(credits), quiet: true, phone: "none" },
            { name: "balance", title: say("reports.balance"), align: "end", cell: ({ balance, currency }) => make("strong", {}, money(balance, currency)), phone: "first-end" },
        ],
    });
    const show = (rows) => {
        const shown = rows.filter((row) => query.has("all") || !isZero(row));
        return make("div", { class: "listed" }, sheet(shown), rows.length > shown.length
            && make("p", {}, button(say("reports.showZero", { count: rows.length - shown.length }), () => setQuery({ all: "1" }), { small: true })));
    };
    // Of many payments the sums are some minutes old.
    const asOf = make("p", { class: "muted" });
    const load = async (after) => {
        const found = await api.get("/balances", { ...own, after }, { signal });
        refill(asOf, say("reports.asOf"), " ", moment(found.asOf, "smart"));
        return found;
    };
    return page(headOf(null, { actions: [exportButton("balances", () => ({ ...own }))] }), parts("/reports/balances"), make("p", {}, say("reports.balancesText")), asOf,
        pagedList({ load, show, tried: say("reports.tried"), isByTime: false }));
}

/** What acquirers have kept. */
export function fees({ query, signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("reports.fees"), say("reports.lead")); }
    const filters = [{ name: "day", title: say("reports.day"), kind: "day" }];
    const day = readable(filters, query).get("day");
    const window = day ? { from: startOfDay(day, merchant.timeZone), to: startOfDay(dayAfter(day), merchant.timeZone) } : {};
    const load = (after) => api.get(pathOf(merchant, "/fees"), { ...window, after }, { signal });
    return page(headOf(merchant, { zone: true, actions: [exportButton("fees", () => ({ merchant: merchant.name, ...window }))] }), parts("/reports/fees"),
        filterBar(filters, query),
        pagedList({ load, tried: say("reports.tried"), isByTime: false, show: (rows) => table({
            caption: say("reports.fees"), rows, empty: empty(say("reports.noFees"), say("reports.noFeesText")),
            columns: [
                { name: "moment", title: say("reports.moment"), cell: ({ momentUTC }) => moment(momentUTC, "smart"), phone: "second" },
                { name: "account", title: say("reports.account"), cell: ({ account }) => account, phone: "first" },
                { name: "source", title: say("reports.source"), cell: ({ source }) => sayOr(`reports.source_${source}`, source), phone: "second-end" },
                { name: "payment", title: say("reports.payment"), cell: ({ payment }) => (payment ? identifier(payment, { link: href(`/payments/${payment}`) }) : "–"), phone: "none" },
                { name: "amount", title: say("reports.amount"), align: "end", cell: ({ amount, currency }) => money(amount, currency), phone: "first-end" },
            ],
        }) }));
}

