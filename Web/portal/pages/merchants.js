//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The merchants of this installation, and a new one.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { href, leadsSomewhere, navigate } from "../core/router.js";
import { chooseMerchant, learnMerchants, state } from "../core/state.js";
import { language, say } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { buttonLink, empty, note, page } from "../widgets/basics.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { pagedList, table } from "../widgets/table.js";
import { pathOf } from "./shared/parts.js";
import { zones } from "./shared/zones.js";

/** The list. */
export function list({ signal }) {
    const mayAdd = leadsSomewhere("/merchants/new");
    const add = () => buttonLink(say("merchants.add"), href("/merchants/new"), { kind: "primary", icon: "plus" });
    const load = async (after) => {
        const answer = await api.get("/merchants", { after }, { signal });
        learnMerchants(answer.data);
        return answer;
    };
    return page({ title: say("merchants.title"), lead: say("merchants.lead"), actions: [exportButton("merchants", () => ({})), mayAdd && state.merchants.length > 0 && add()] },
        pagedList({ load, tried: say("merchants.tried"), isByTime: false, show: (rows) => table({
            caption: say("merchants.title"), rows, href: ({ name }) => href(`/merchants/${encodeURIComponent(name)}`),
            empty: empty(say("merchants.none"), say("merchants.noneText"), mayAdd && add()),
            columns: [
                {
                    name: "merchant", title: say("merchants.merchant"), phone: "first",
                    cell: ({ displayName, name }) => make("span", { class: "two-lines" }, make("strong", {}, displayName),
                        make("code", { class: "muted" }, name)),
                },
                { name: "mode", title: say("merchants.mode"), cell: ({ mode }) => modeTag(mode), phone: "first-end" },
                { name: "state", title: say("merchants.state"), cell: ({ state: own }) => mark(own), phone: "second" },
                { name: "setup", title: say("merchants.setup"), cell: (merchant) => standing(merchant, signal), phone: "second-end" },
                { name: "country", title: say("merchants.country"), cell: ({ countryCode }) => countryName(countryCode), quiet: true, phone: "none" },
                { name: "zone", title: say("merchants.zone"), cell: ({ timeZone }) => timeZone.replaceAll("_", " "), quiet: true, phone: "none" },
            ],
        }) }));
}

/** What a merchant lacks, asked for one by one: the list does not wait for it. */
function standing(merchant, signal) {
    const place = make("span", { class: "muted" }, merchant.state === "closed" ? "–" : "…");
    if (merchant.state !== "closed") {
        api.get(pathOf(merchant, "/setup"), {}, { signal }).then(({ steps }) => {
            const open = steps.filter(({ done, forWeb }) => !done && !forWeb).length;
            refill(place, open === 0 ? mark("done", { tone: "done", word: say("merchants.ready") })
                : mark("open", { word: say("merchants.open", { count: open }) }));
        }, () => { place.textContent = "–"; });
    }
    return place;
}

/** A country's name in the language of the page. */
export const countryName = (code) => new Intl.DisplayNames(language(), { type: "region" }).of(code) ?? code;

/** Countries to choose from, by their names. */
export const countries = (codes) => codes.map((code) => [code, countryName(code)]).sort((one, other) => one[1].localeCompare(other[1], language()));

/** A short name that is proposed for a title: "Müller & Söhne" is "muller-sohne". */
export const proposedName = (title) => title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);

/** A new merchant. */
export async function create({ signal }) {
    const { countries: codes } = await api.get("/catalog", {}, { signal });
    let isNamed = false;
    const about = make("div", {});
    const describe = () => {
        const chosen = made.querySelector("input[type=radio]:checked")?.value;
        refill(about, chosen && note(chosen === "live" ? "unknown" : "info", say(`merchants.mode_${chosen}Note`)));
    };
    const made = form({
        fields: [
            {
                name: "displayName", label: say("merchants.displayName"), hint: say("merchants.displayNameHelp"), required: true, maxlength: 64, autofocus: true,
                onInput: (title) => { if (!isNamed) { made.field("name").value = proposedName(title); } },
            },
            {
                name: "name", label: say("merchants.name"), hint: say("merchants.nameHelp"), required: true, maxlength: 64,
                onInput: (name) => { isNamed = name !== ""; },
            },
            {
                name: "mode", label: say("merchants.mode"), kind: "radio", required: true, value: "sandbox",
                options: ["sandbox", "live"].map((value) => [value, say(`merchants.mode_${value}`), say(`merchants.mode_${value}Help`)]),
            },
            { name: "countryCode", label: say("merchants.country"), kind: "choice", options: countries(codes), required: true, none: say("merchants.choose") },
            { name: "timeZone", label: say("merchants.zone"), hint: say("merchants.zoneHelp"), kind: "choice", options: zones(), value: Intl.DateTimeFormat().resolvedOptions().timeZone, required: true },
        ],
        note: about, submit: say("merchants.create"), cancel: () => navigate("/merchants"),
        onSubmit: async (values, { key }) => {
            const merchant = await api.post("/merchants", values, { key });
            learnMerchants([merchant]);
            chooseMerchant(merchant.name);
            navigate(`/merchants/${merchant.name}`);
        },
    });
    made.addEventListener("change", describe);
    describe();
    return page({ title: say("merchants.newTitle"), lead: say("merchants.newLead"), back: { href: href("/merchants"), text: say("merchants.title") } }, made);
}
