//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A merchant's accounts: in dialects (how its shop calls) and with acquirers (under which contract its money moves).

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { href } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { buttonLink, empty, page, section } from "../widgets/basics.js";
import { mark } from "../widgets/marks.js";
import { table } from "../widgets/table.js";
import { pathOf, whoseIsIt } from "./shared/parts.js";

export async function show({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("accounts.title"), say("accounts.lead")); }
    const [catalog, dialects, acquirers, routes] = await Promise.all([
        api.get("/catalog", {}, { signal }),
        can("accounts:read") ? api.get(pathOf(merchant, "/accounts"), {}, { signal }) : null,
        can("acquirers:read") ? api.get(pathOf(merchant, "/acquirers"), {}, { signal }) : null,
        can("routes:read") ? api.get(pathOf(merchant, "/routes"), {}, { signal }) : null,
    ]);
    return page({ title: say("accounts.title"), lead: say("accounts.lead") },
        dialects && section(say("accounts.dialects"), {
            note: say("accounts.dialectsNote"),
            actions: can("accounts:write") && dialects.data.length > 0 && dialects.data.length < catalog.dialects.length
                ? buttonLink(say("accounts.addDialect"), href("/accounts/dialects/new"), { small: true, icon: "plus" }) : null,
        }, dialectTable(merchant, catalog, dialects.data)),
        acquirers && section(say("accounts.acquirers"), {
            note: say("accounts.acquirersNote"),
            actions: can("acquirers:write") && acquirers.data.length > 0
                ? buttonLink(say("accounts.addAcquirer"), href("/accounts/acquirers/new"), { small: true, icon: "plus" }) : null,
        }, acquirerTable(merchant, acquirers.data, routes?.data)));
}

/** What people call a dialect or a connector. */
export const titleOf = (list, member, name) => list.find((one) => one[member] === name)?.title ?? name;

function dialectTable(merchant, catalog, rows) {
    const add = () => can("accounts:write") && buttonLink(say("accounts.addDialect"), href("/accounts/dialects/new"), { kind: "primary" });
    return table({
        caption: say("accounts.dialects"), rows, href: ({ dialect }) => href(`/accounts/dialects/${merchant.name}/${dialect}`),
        empty: empty(say("accounts.noDialects"), say("accounts.noDialectsText"), add()),
        columns: [
            { name: "dialect", title: say("accounts.dialect"), cell: ({ dialect }) => make("strong", {}, titleOf(catalog.dialects, "dialect", dialect)), phone: "first" },
            { name: "account", title: say("accounts.calledAs"), cell: ({ account }) => make("code", { class: "wrap" }, account), phone: "second" },
            {
                name: "overlapping", title: say("accounts.rotation"), phone: "first-end",
                cell: ({ overlapping }) => (overlapping.length > 0
                    ? mark("open", { word: say("accounts.twoAccepted", { count: overlapping.length }) }) : make("span", { class: "muted" }, say("accounts.oneAccepted"))),
            },
        ],
    });
}

function acquirerTable(merchant, rows, routes) {
    const add = () => can("acquirers:write") && buttonLink(say("accounts.addAcquirer"), href("/accounts/acquirers/new"), { kind: "primary" });
    return table({
        caption: say("accounts.acquirers"), rows, href: ({ name }) => href(`/accounts/acquirers/${merchant.name}/${name}`),
        empty: empty(say("accounts.noAcquirers"), say("accounts.noAcquirersText"), add()),
        columns: [
            { name: "name", title: say("accounts.account"), cell: ({ name }) => make("strong", {}, name), phone: "first" },
            { name: "state", title: say("accounts.state"), cell: ({ state }) => mark(state), phone: "first-end" },
            { name: "connector", title: say("accounts.connector"), cell: ({ connector }) => connector, phone: "second" },
            {
                name: "routes", title: say("accounts.routes"), phone: "second-end",
                cell: ({ name }) => {
                    const count = routes?.filter(({ acquirer }) => acquirer === name).length;
                    return count === undefined ? "–" : count === 0 ? mark("open", { word: say("accounts.noRoute") }) : say("accounts.routeCount", { count });
                },
            },
        ],
    });
}
