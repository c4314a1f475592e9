//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Filters as chips that stand in the address: what is filtered can be linked to, and goes by the back button.

import { freshID, icon, make, refill } from "../core/dom.js";
import { setQuery } from "../core/router.js";
import { say } from "../core/words.js";
import { dayText, isDay } from "../core/format.js";
import { button } from "./basics.js";

/** What a filter takes a value for, or null where it cannot be read: an address may have been mistyped, or cut. */
function read({ kind, options = [], clean }, value) {
    if (kind === "day") { return isDay(value) ? value : null; }
    if (kind === "choice") { return options.length === 0 || options.some(([one]) => one === value) ? value : null; }
    return clean ? clean(value) : value;
}

/** The address's query without filters that cannot be read: the bar shows those as what they are, and nothing is filtered by them. */
export function readable(filters, query) {
    const kept = new URLSearchParams(query);
    for (const filter of filters.filter(({ name }) => query.get(name))) {
        const value = read(filter, query.get(filter.name));
        if (value === null) { kept.delete(filter.name); } else { kept.set(filter.name, value); }
    }
    return kept;
}

/**
 * A row of chips and a button that adds one.
 *
 * @param {Array} filters `{ name, title, kind: "choice" | "text" | "day", options: [[value, text], …], clean(text), placeholder }`;
 *     `name` is the query's; `clean` gives what a text means, or null where it means nothing
 * @param {URLSearchParams} query
 */
export function filterBar(filters, query, { extra } = {}) {
    const bar = make("div", { class: "filters", role: "group", "aria-label": say("frame.filters") });
    const change = (name, value) => setQuery({ [name]: value, after: null });
    const shown = (filter, value) => {
        if (read(filter, value) === null) { return say("frame.unreadable", { value }); }
        if (filter.show) { return filter.show(value); }
        if (filter.kind === "choice") { return filter.options.find(([one]) => one === value)?.[1] ?? value; }
        if (filter.kind === "day") { return dayText(value); }
        return value;
    };
    const draw = () => {
        const active = filters.filter(({ name }) => query.get(name));
        refill(bar, active.map((filter) => chip(filter, shown(filter, query.get(filter.name)))), adder(), extra);
    };
    const chip = (filter, text) => make("span", { class: read(filter, query.get(filter.name)) === null ? "chip unread" : "chip" },
        make("button", { type: "button", class: "chip-edit", click: () => edit(filter) },
            make("span", { class: "chip-name" }, `${filter.title}: `), make("span", { class: "chip-value" }, text)),
        make("button", {
            type: "button", class: "chip-close", "aria-label": say("frame.removeFilter", { name: filter.title }),
            click: () => change(filter.name, null),
        }, icon("close")));
    const adder = () => {
        const left = filters.filter(({ name }) => !query.get(name));
        if (left.length === 0) { return null; }
        const id = freshID("filter");
        const select = make("select", {
            id, class: "chip-add", "aria-label": say("frame.addFilter"),
            change: () => {
                const filter = filters.find(({ name }) => name === select.value);
                if (filter) { edit(filter); }
            },
        }, make("option", { value: "" }, say("frame.addFilterShort")), left.map(({ name, title }) => make("option", { value: name }, title)));
        return select;
    };
    const edit = (filter) => {
        const before = query.get(filter.name) ?? "";
        const id = freshID("filter");
        const field = filter.kind === "choice"
            ? make("select", { id, class: "input small" }, make("option", { value: "" }, "–"),
                filter.options.map(([value, text]) => make("option", { value, selected: value === before }, text)))
            : make("input", {
                id, class: "input small", type: filter.kind === "day" ? "date" : "text", value: before, placeholder: filter.placeholder,
                inputmode: filter.inputmode, maxlength: filter.maxlength ?? 255, autocomplete: "off", spellcheck: "false",
            });
        const apply = () => {
            const value = field.value.trim();
            const cleaned = filter.clean ? filter.clean(value) : value;
            if (cleaned === null) { field.setAttribute("aria-invalid", "true"); return; }
            if (cleaned === before) { draw(); return; }
            change(filter.name, cleaned || null);
        };
        const editor = make("form", {
            class: "chip editing", submit: (event) => { event.preventDefault(); apply(); },
            keydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); draw(); } },
        }, make("label", { for: id, class: "chip-name" }, `${filter.title}: `), field,
        button(say("frame.apply"), undefined, { small: true, type: "submit", kind: "primary" }));
        if (filter.kind === "choice") { field.addEventListener("change", apply); }
        const others = filters.filter(({ name }) => query.get(name) && name !== filter.name);
        refill(bar, others.map((one) => chip(one, shown(one, query.get(one.name)))), editor, extra);
        field.focus();
    };
    draw();
    return bar;
}
