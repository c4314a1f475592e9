//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Payments: found by whatever is known of one, newest first.

import { get } from "../core/api.js";
import { make } from "../core/dom.js";
import { amountText, cardEnd, dayAfter, moment, money, startOfDay } from "../core/format.js";
import { listen } from "../core/listening.js";
import { dialectName, dialects, networkName, networks } from "../core/names.js";
import { href } from "../core/router.js";
import { can, state } from "../core/state.js";
import { say } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { buttonLink, empty, page } from "../widgets/basics.js";
import { filterBar, readable } from "../widgets/filters.js";
import { backTag, mark } from "../widgets/marks.js";
import { densitySwitch, pagedList, table } from "../widgets/table.js";

const states = ["authorizing", "authorizationUnknown", "authorized", "partiallyCaptured", "captured", "partiallyRefunded", "refunded", "voided",
    "verified", "declined", "notProcessed", "reversed"];

export const title = () => say("payments.title");

/** What the address says as what the server is asked: days are of the merchant's zone. */
function asked(query) {
    const plain = Object.fromEntries(["state", "outcome", "order", "last4", "dialect", "network", "currency", "amountFrom", "amountTo", "reference", "connector"]
        .map((name) => [name, query.get(name)]));
    const [from, to] = [query.get("from"), query.get("to")];
    // An acquirer account has its name among those of one merchant.
    return { ...plain, merchant: state.merchant, acquirer: state.merchant && query.get("acquirer"), from: from && startOfDay(from), to: to && startOfDay(dayAfter(to)) };
}

const amount = (text) => (/^\d+(\.\d+)?$/.test(text) || text === "" ? text : null);

export const cardText = ({ card }) => `${networkName(card.network)} ${cardEnd(card.accountNumber)}`;

/** Under whose contract: the accounts of the chosen merchant, else the kinds that there are. */
async function acquirerFilter(query, signal) {
    if (state.merchant && can("acquirers:read") && !query.get("connector")) {
        const { data } = await get(`/merchants/${encodeURIComponent(state.merchant)}/acquirers`, {}, { signal });
        return { name: "acquirer", title: say("payments.acquirer"), kind: "choice", options: data.map(({ name }) => [name, name]) };
    }
    const { connectors } = can("merchants:read") ? await get("/catalog", {}, { signal }) : { connectors: [] };
    return { name: "connector", title: say("payments.connector"), kind: "choice", options: connectors.map(({ connector, title }) => [connector, title ?? connector]) };
}

export async function render({ query, signal }) {
    const currency = (text) => (/^([A-Za-z]{3})?$/.test(text) ? text.toUpperCase() : null);
    // Amounts are compared in a currency alone: without one they mean nothing.
    const isOfCurrency = Boolean(currency(query.get("currency") ?? ""));
    const bound = isOfCurrency ? amount : () => null;
    const filters = [
        { name: "state", title: say("payments.state"), kind: "choice", options: states.map((name) => [name, say(`states.${name}`)]) },
        { name: "outcome", title: say("payments.outcome"), kind: "choice", options: [["unknown", say("payments.outcomeUnknown")]] },
        { name: "order", title: say("payments.order"), kind: "text" },
        { name: "last4", title: say("payments.last4"), kind: "text", inputmode: "numeric", maxlength: 4, clean: (text) => (/^(\d{4})?$/.test(text) ? text : null) },
        { name: "from", title: say("payments.from"), kind: "day" },
        { name: "to", title: say("payments.to"), kind: "day" },
        { name: "currency", title: say("payments.currency"), kind: "text", maxlength: 3, clean: currency },
        ...["amountFrom", "amountTo"].filter((name) => isOfCurrency || query.get(name))
            .map((name) => ({ name, title: say(`payments.${name}`), kind: "text", inputmode: "decimal", clean: bound })),
        { name: "network", title: say("payments.network"), kind: "choice", options: networks.map((name) => [name, networkName(name)]) },
        { name: "dialect", title: say("payments.dialect"), kind: "choice", options: Object.entries(dialects) },
        await acquirerFilter(query, signal),
        { name: "reference", title: say("payments.reference"), kind: "text" },
    ];
    const wanted = asked(readable(filters, query));
    const isFiltered = filters.some(({ name }) => query.get(name));
    const columns = [
        { name: "time", title: say("payments.time"), cell: ({ createdAt }) => moment(createdAt, "smart"), phone: "second-end", quiet: true },
        { name: "amount", title: say("payments.amount"), align: "end", cell: (row) => make("b", {}, money(row.amount, row.currency)), phone: "first" },
        { name: "state", title: say("payments.state"), cell: (row) => [mark(row.state), backTag(row.beingReversed)], phone: "first-end" },
        { name: "order", title: say("payments.order"), cell: (row) => [row.orderReference ?? make("span", { class: "muted" }, "–"), make("span", { class: "only-phone muted" }, ` · ${cardText(row)}`)], phone: "second" },
        { name: "card", title: say("payments.card"), cell: cardText, phone: "none" },
        { name: "way", title: say("payments.way"), cell: (row) => `${dialectName(row.dialect)} → ${row.account ?? row.acquirer}`, quiet: true, wide: true, phone: "none" },
    ];
    if (!state.merchant && state.merchants.length > 1) {
        columns.push({ name: "merchant", title: say("frame.merchant"), cell: ({ merchant }) => merchant, quiet: true, wide: true, phone: "none" });
    }
    const shown = new Map();
    const drawn = (rows, none) => table({
        caption: say("payments.title"), rows, columns, href: ({ id }) => href(`/payments/${id}`), empty: none,
        rowLabel: (row) => [amountText(row.amount, row.currency), say(`states.${row.state}`), row.orderReference].filter(Boolean).join(", "),
        key: ({ id }) => id,
    });
    const list = pagedList({
        tried: say("payments.tried"),
        load: async (after) => {
            let page = await get("/payments", { ...wanted, after }, { signal });
            // So many were looked at, and none of them fits: there may be some further on.
            while (page.data.length === 0 && page.next) {
                page = await get("/payments", { ...wanted, after: page.next }, { signal });
            }
            return page;
        },
        show: (rows) => {
            shown.clear();
            rows.forEach((row) => shown.set(row.id, row));
            return drawn(rows, isFiltered
                ? empty(say("payments.noneFound"), say("payments.noneFoundText"), buttonLink(say("payments.clear"), href("/payments")))
                : empty(say("payments.none"), say("payments.noneText"), buttonLink(say("payments.toSetup"), href("/merchants"))));
        },
    });
    listen(signal, async ({ event, data }) => {
        if (event !== "payment") { return; }
        if (!shown.has(data.id)) {
            shown.set(data.id, data);
            if (!isFiltered) { list.news(); }
            return;
        }
        // A row that is seen changes where it stands; nothing moves.
        const place = list.querySelector(`tr[data-key="${CSS.escape(data.id)}"]`);
        if (!place) { return; }
        try {
            const row = await get(`/payments/${data.id}`, {}, { signal, background: true });
            if (!place.contains(document.activeElement)) { place.replaceWith(drawn([row]).querySelector("tbody tr")); }
        } catch {
            // The list says what is wrong when it is asked for.
        }
    });
    return page({
        title: say("payments.title"), zone: true, actions: [exportButton("payments", () => wanted)],
    }, filterBar(filters, query, { extra: densitySwitch() }), list);
}
