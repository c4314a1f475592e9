//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Lists: a table with rows that open by j, k and enter, which becomes cards of two lines on phones; pages by key; new rows that
// wait until they are asked for.

import { icon, make, refill } from "../core/dom.js";
import { preference, prefer } from "../core/state.js";
import { count as countText } from "../core/format.js";
import { say } from "../core/words.js";
import { button, loading, problem } from "./basics.js";
import { setQuery } from "../core/router.js";

/**
 * A table.
 *
 * @param {object} options
 * `columns`: `{ name, title, cell(row), align: "end", phone: "first" | "first-end" | "second" | "second-end" | "none", quiet, wide }` (wide: only where there is room);
 * `rows`; `caption`: what it is a list of, for screen readers; `href(row)`: where a row leads; `open(row)`: what a row does instead;
 * `empty`: a node for no rows; `rowClass(row)`; `rowLabel(row)`: what a row's link is called; `key(row)`: what finds it again
 */
export function table({ columns, rows, caption, href, open, empty, rowClass, rowLabel, key }) {
    if (rows.length === 0 && empty) { return empty; }
    const cells = (row) => columns.map((column, index) => {
        const content = column.cell(row);
        const leads = index === 0 && (href || open);
        return make("td", { role: "cell", class: cellClass(column), "data-title": column.title },
            leads ? lead(row, content) : content);
    });
    const lead = (row, content) => {
        const target = href?.(row);
        return target
            ? make("a", { class: "row-link", href: target, "aria-label": rowLabel?.(row) }, content)
            : open ? make("button", { type: "button", class: "row-link", click: () => open(row) }, content) : content;
    };
    const body = make("tbody", { role: "rowgroup" }, rows.map((row) =>
        make("tr", { role: "row", "data-key": key?.(row), class: [(href || open) && "leads", rowClass?.(row)].filter(Boolean).join(" ") || undefined }, cells(row))));
    body.addEventListener("click", (event) => {
        // The whole row is the link, but for what can be pressed in it, and what is being selected.
        if (event.target.closest("a, button, input, select, label, summary") || String(getSelection())) { return; }
        event.target.closest("tr")?.querySelector(".row-link")?.click();
    });
    return make("div", { class: "table-frame" },
        make("table", { class: "table", role: "table" },
            caption && make("caption", { class: "unseen" }, caption),
            make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, columns.map((column) =>
                make("th", { role: "columnheader", scope: "col", class: cellClass(column) }, column.title)))),
            body));
}

const cellClass = (column) => [
    `column-${column.name}`, column.align === "end" && "end", column.quiet && "quiet", column.wide && "only-wide", `phone-${column.phone ?? "second"}`,
].filter(Boolean).join(" ");

/** The switch between comfortable and dense rows, which is kept. */
export function densitySwitch() {
    const element = button(say("frame.dense"), () => {
        prefer("density", preference("density") === "dense" ? null : "dense");
        element.setAttribute("aria-pressed", String(preference("density") === "dense"));
    }, { icon: "rows", small: true });
    element.classList.add("density-switch");
    element.setAttribute("aria-pressed", String(preference("density") === "dense"));
    return element;
}

/**
 * A list from the server, page by page. The page that is shown stands in the address (`after`), and does not grow.
 *
 * @param {object} options
 * `load(after)`: a promise of `{ data, next }`; `show(rows)`: a node, mostly a table(); `after`: of this page (default: the address's);
 * `tried`: what was tried, when it does not come; `isByTime` (default): whether the next page is what is older
 * @returns an element; its `news(number)` says that there is something new (the rows wait behind "3 new"),
 *     its `reload()` loads the same page again in place
 */
export function pagedList({ load, show, after = new URLSearchParams(location.search).get("after"), tried, onNews, isByTime = true }) {
    const place = make("div", { class: "paged" });
    const waiting = make("div", { class: "news-place" });
    let news = 0;
    const whole = make("div", { class: "paged-list" }, waiting, place);
    const clearNews = () => { news = 0; refill(waiting); };
    const fill = async ({ isQuiet = false } = {}) => {
        if (!isQuiet) { refill(place, loading(6)); }
        try {
            const { data, next } = await load(after);
            clearNews();
            refill(place, show(data), (after || next) && make("nav", { class: "pager", "aria-label": say("frame.pages") },
                after ? button(say(isByTime ? "frame.newest" : "frame.firstPage"), () => setQuery({ after: null }), { small: true }) : make("span"),
                next ? button(say(isByTime ? "frame.older" : "frame.nextPage"), () => setQuery({ after: next }), { small: true, icon: "next" }) : make("span", { class: "muted" }, say("frame.noMore"))));
        } catch (error) {
            if (error.name !== "AbortError") { refill(place, problem(error, { tried, again: () => fill() })); }
        }
    };
    whole.reload = () => fill({ isQuiet: true });
    whole.news = (number = 1) => {
        if (after) { return; } // An older page stays what it is.
        news += number;
        refill(waiting, make("button", {
            type: "button", class: "news", click: async () => { await fill({ isQuiet: true }); onNews?.(); },
        }, icon("plus"), say("frame.news", { count: news, number: countText(news) })));
    };
    whole.ready = fill();
    return whole;
}
