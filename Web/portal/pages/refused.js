//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Calls that we refused, newest first, each with what to do.

import { get } from "../core/api.js";
import { make } from "../core/dom.js";
import { countFrom, dayAfter, amountText, moment, shortID, startOfDay } from "../core/format.js";
import { home, isCutOfRefusals, loadHome } from "../core/home.js";
import { listen } from "../core/listening.js";
import { dialectName } from "../core/names.js";
import { href, leadsSomewhere } from "../core/router.js";
import { state } from "../core/state.js";
import { isSaid, say, sayOr } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { buttonLink, empty, english, identifier, note, page } from "../widgets/basics.js";
import { filterBar, readable } from "../widgets/filters.js";
import { densitySwitch, pagedList, table } from "../widgets/table.js";

export const title = () => say("refused.title");

export const stages = ["http", "credentials", "fields", "parse", "signature", "chain", "window", "expectation", "key_selection", "decryption", "payload",
    "binding", "merchant", "lookup", "state", "idempotency", "session", "store"];

/** What was wrong, as a sentence: ours by the code, else the server's. */
export const wrong = ({ code, text }) => sayOr(`refused.code_${code}`, text || code);

/** What to do about a code, or about all of its stage. */
export const advice = ({ code, stage, advice: given }) => (isSaid(`refused.do_${code}`) ? say(`refused.do_${code}`) : given ?? sayOr(`refused.stage_do_${stage}`, ""));

/** An amount as a refusal has it. */
export const refusedAmount = (amount) => (amount ? amountText(amount.amount, amount.currency) : null);

function asked(query) {
    const plain = Object.fromEntries(["code", "stage", "dialect", "key", "request"].map((name) => [name, query.get(name)]));
    const [from, to] = [query.get("from"), query.get("to")];
    return { ...plain, merchant: state.merchant, from: from && startOfDay(from), to: to && startOfDay(dayAfter(to)) };
}

export async function render({ query, signal }) {
    const [{ dialects }, counts] = await Promise.all([get("/catalog", {}, { signal }), dayCounts(signal)]);
    const filters = [
        { name: "code", title: say("refused.code"), kind: "text", maxlength: 64, show: (code) => sayOr(`refused.code_${code}`, code) },
        { name: "stage", title: say("refused.stage"), kind: "choice", options: stages.map((name) => [name, say(`refused.stage_${name}`)]) },
        { name: "dialect", title: say("refused.dialect"), kind: "choice", options: dialects.map(({ dialect, title }) => [dialect, title]) },
        { name: "request", title: say("refused.request"), kind: "text", maxlength: 64 },
        { name: "key", title: say("refused.key"), kind: "text", maxlength: 64 },
        { name: "from", title: say("refused.from"), kind: "day" },
        { name: "to", title: say("refused.to"), kind: "day" },
    ];
    const wanted = asked(readable(filters, query));
    const isFiltered = filters.some(({ name }) => query.get(name));
    const code = query.get("code");
    const of = counts.find((one) => one.code === code);
    const columns = [
        { name: "time", title: say("refused.time"), cell: ({ at }) => moment(at, "smart"), phone: "first-end", quiet: true },
        {
            name: "wrong", title: say("refused.wrong"), phone: "wide",
            cell: (row) => make("span", { class: "two-lines" }, make("span", {}, make("b", {}, wrong(row)), " ", make("code", { class: "muted" }, row.code)),
                make("span", { class: "muted" }, code ? english(row.text) : advice(row))),
        },
        { name: "way", title: say("refused.call"), phone: "first", cell: (row) => make("span", { class: "two-lines" },
            make("span", { class: "line" }, `${dialectName(row.dialect)} · ${row.operation}`), make("span", { class: "muted line" }, sayOr(`refused.stage_${row.stage}`, row.stage))) },
        { name: "amount", title: say("refused.amount"), align: "end", wide: true, cell: (row) => refusedAmount(row.amount) ?? "", phone: "none" },
        { name: "request", title: say("refused.request"), cell: ({ requestId }) => make("span", { class: "id", title: requestId }, shortID(requestId)), phone: "none", quiet: true, wide: true },
        { name: "key", title: say("refused.key"), cell: ({ publicKeyHash }) => (publicKeyHash ? identifier(publicKeyHash) : ""), phone: "none", quiet: true, wide: true },
    ];
    if (!state.merchant && state.merchants.length > 1) {
        columns.push({ name: "merchant", title: say("frame.merchant"), cell: ({ merchant }) => merchant ?? "–", quiet: true, wide: true, phone: "none" });
    }
    const seen = new Set();
    const list = pagedList({
        tried: say("refused.tried"),
        load: (after) => get("/refusals", { ...wanted, after }, { signal }),
        show: (rows) => {
            rows.forEach(({ id }) => seen.add(id));
            return table({
                caption: say("refused.title"), rows, columns, href: ({ id }) => href(`/refused/${id}`), rowLabel: (row) => wrong(row),
                empty: isFiltered ? empty(say("refused.noneFound"), say("refused.noneFoundText"), buttonLink(say("refused.all"), href("/refused")))
                    : empty(say("refused.none"), say("refused.noneText")),
            });
        },
    });
    listen(signal, ({ event, data }) => {
        if (event !== "refusal" || seen.has(data.id) || (code && data.code !== code) || (isFiltered && !code)) { return; }
        seen.add(data.id);
        list.news();
    });
    return page({
        title: say("refused.title"), zone: true, lead: say("refused.lead"),
        actions: [exportButton("refusals", () => wanted)],
    },
    counts.length > 0 && make("nav", { class: "code-counts", "aria-label": say("refused.byCode") }, counts.map((one) =>
        make("a", { class: "code-count", href: one.code === code ? href("/refused") : href("/refused", { code: one.code }), "aria-current": one.code === code ? "true" : undefined },
            make("b", {}, countFrom(one.count, one.isCut)), make("span", {}, sayOr(`refused.code_${one.code}`, one.code))))),
    code && make("div", { class: "advice" }, note("info",
        make("p", {}, make("strong", {}, sayOr(`refused.code_${code}`, code)), " ", make("code", { class: "muted" }, code)),
        make("p", {}, advice({ code, stage: of?.stage ?? "" })), link({ code, stage: of?.stage ?? "" }))),
    filterBar(filters, query, { extra: densitySwitch() }), list);
}

/** Where what to do is done, for the codes that have such a place, and those who may go there. */
export function link({ code, stage }) {
    const places = {
        key_unknown: ["/apple-pay", "refused.toApplePay"], merchant_not_ready: ["/apple-pay", "refused.toApplePay"],
        merchant_identifier_unknown: ["/apple-pay", "refused.toApplePay"], merchant_identity_missing: ["/apple-pay", "refused.toApplePay"],
        network_not_supported: ["/routes", "refused.toRoutes"], currency_not_supported: ["/routes", "refused.toRoutes"],
        amount_not_supported: ["/routes", "refused.toRoutes"], acquirer_not_connected: ["/routes", "refused.toRoutes"],
        merchant_suspended: ["/merchants", "refused.toMerchants"],
    };
    const place = places[code] ?? (stage === "credentials" ? ["/accounts", "refused.toAccounts"] : null);
    return place && leadsSomewhere(place[0]) && make("p", {}, make("a", { href: href(place[0]) }, say(place[1])));
}

async function dayCounts(signal) {
    try {
        const answer = home.now && home.merchant === state.merchant ? home.now : await loadHome({ signal });
        return answer.refusals.slice(0, 8).map((one) => ({ ...one, isCut: isCutOfRefusals(answer) }));
    } catch (error) {
        if (error.name === "AbortError") { throw error; }
        return []; // The list is worth showing without its numbers.
    }
}
