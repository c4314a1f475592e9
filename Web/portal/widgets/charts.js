//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Charts, drawn here: zero-based, gaps shown as gaps, one stop for the keyboard whose arrows go through the values, and the table
// behind. A value is said in one place above the drawing, so that nothing moves under the pointer.
// Amounts come as texts to be shown; the numbers beside them only place what is drawn.

import { make, refill, svg } from "../core/dom.js";
import { count } from "../core/format.js";
import { say } from "../core/words.js";

const axis = { left: 50, right: 12, top: 8, bottom: 20 };

/** Places are written to a hundredth: nobody sees more. */
const round = (value) => Math.round(value * 100) / 100;
const share = (value) => `${round(value * 100)}%`;

/** The top of an axis: 1, 2 or 5 times a power of ten, and the steps to it. */
export function scaleOf(values) {
    const most = Math.max(...values.filter((value) => value !== null && Number.isFinite(value)), 0);
    if (most === 0) { return { top: 1, ticks: [0] }; }
    const power = 10 ** Math.floor(Math.log10(most));
    const top = [1, 2, 4, 5, 10].map((step) => step * power).find((step) => step >= most);
    return { top, ticks: [0, top / 2, top].filter((tick) => Number.isInteger(tick) || top < 1) };
}

/**
 * The frame of all charts over time: the readout, the drawing that is made anew for each width, the keyboard's cursor, the table.
 *
 * @param {object} options `label`: what it is a chart of; `labels`: of the points; `readout(index | null)`: children; `draw(width)`: children;
 *     `xOf(index, width)`; `table`: `[[heading, …], [cell, …], …]`; `height`
 */
function overTime({ label, labels, readout, draw, xOf, table, height = 140, hasTable = true }) {
    const said = make("p", { class: "readout" });
    const drawing = svg("svg", { class: "drawing", height, "aria-hidden": "true", focusable: "false" });
    const cursor = svg("line", { class: "cursor", y1: axis.top, y2: height - axis.bottom, visibility: "hidden" });
    let width = 0;
    let chosen = null;
    const handle = make("div", {
        class: "chart-handle", tabindex: 0, role: "slider", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": Math.max(labels.length - 1, 0),
        "aria-valuenow": Math.max(labels.length - 1, 0), "aria-valuetext": "",
    }, drawing);
    const text = (index) => make("span", {}, readout(index)).textContent;
    const choose = (index) => {
        chosen = index;
        refill(said, readout(index));
        handle.setAttribute("aria-valuenow", index ?? Math.max(labels.length - 1, 0));
        handle.setAttribute("aria-valuetext", text(index));
        if (index === null) { cursor.setAttribute("visibility", "hidden"); return; }
        cursor.setAttribute("visibility", "visible");
        for (const end of ["x1", "x2"]) { cursor.setAttribute(end, round(xOf(index, width))); }
    };
    const nearest = (event) => {
        const x = event.clientX - drawing.getBoundingClientRect().left;
        let best = 0;
        for (let index = 1; index < labels.length; index += 1) {
            if (Math.abs(xOf(index, width) - x) < Math.abs(xOf(best, width) - x)) { best = index; }
        }
        return best;
    };
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    handle.addEventListener("pointermove", (event) => labels.length > 0 && choose(nearest(event)));
    handle.addEventListener("pointerleave", () => { if (document.activeElement !== handle) { choose(null); } });
    handle.addEventListener("focus", () => labels.length > 0 && choose(chosen ?? labels.length - 1));
    handle.addEventListener("blur", () => choose(null));
    handle.addEventListener("keydown", (event) => {
        const last = labels.length - 1;
        const next = event.key === "Home" ? 0 : event.key === "End" ? last
            : event.key in steps ? Math.min(Math.max((chosen ?? last) + steps[event.key], 0), last) : null;
        if (next !== null && last >= 0) { event.preventDefault(); choose(next); }
    });
    const redraw = () => {
        const now = Math.round(handle.clientWidth);
        if (now === 0 || now === width) { return; }
        width = now;
        drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
        drawing.setAttribute("width", width);
        refill(drawing, draw(width), cursor);
    };
    new ResizeObserver(redraw).observe(handle);
    choose(null);
    return make("figure", { class: "chart" }, said, handle, hasTable && tableBehind(label, table));
}

/** The same as a table, for who reads rather than looks. */
export function tableBehind(label, table) {
    const [headings, ...rows] = table;
    return make("details", { class: "behind" }, make("summary", {}, say("frame.asTable")),
        make("div", { class: "behind-frame", tabindex: 0, role: "region", "aria-label": label }, make("table", {}, make("caption", { class: "unseen" }, label),
            make("thead", {}, make("tr", {}, headings.map((heading) => make("th", { scope: "col" }, heading)))),
            make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell, index) =>
                (index === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell)))))))));
}

/** Lines of the grid with their numbers, and the first, the middle and the last point's label. */
function grid({ width, height, scale, format, labels, xOf, left = axis.left }) {
    const yOf = (value) => round(height - axis.bottom - (value / scale.top) * (height - axis.top - axis.bottom));
    const shown = labels.length > 2 && width > 300 ? [0, Math.floor((labels.length - 1) / 2), labels.length - 1] : labels.length > 1 ? [0, labels.length - 1] : [0];
    return {
        yOf,
        nodes: [
            scale.ticks.map((tick) => [
                svg("line", { class: tick === 0 ? "base" : "grid", x1: left, x2: width - axis.right, y1: yOf(tick), y2: yOf(tick) }),
                svg("text", { class: "tick", x: left - 6, y: yOf(tick) + 4, "text-anchor": "end" }, format(tick)),
            ]),
            shown.filter((index) => labels[index] !== undefined).map((index) => svg("text", {
                class: "tick", x: index === 0 ? left : index === labels.length - 1 ? width - axis.right : round(xOf(index, width)), y: height - 5,
                "text-anchor": index === 0 ? "start" : index === labels.length - 1 ? "end" : "middle",
            }, labels[index])),
        ],
    };
}

/** Runs of points that are there: gaps stay gaps. */
function runs(values) {
    const found = [];
    values.forEach((value, index) => {
        if (value === null || value === undefined) { return; }
        if (index > 0 && found.length > 0 && found.at(-1).at(-1) === index - 1) { found.at(-1).push(index); } else { found.push([index]); }
    });
    return found;
}

const between = (index, total, width, left) => (total < 2 ? (left + width - axis.right) / 2
    : left + (index / (total - 1)) * (width - left - axis.right));

const readings = (name, series, textOf) => [make("span", { class: "readout-name" }, name), series.map((one) =>
    make("span", { class: "reading" }, make("span", { class: `swatch fill-${one.tone}` }), `${one.name} `, make("b", {}, textOf(one))))];

/** Where nothing was counted: a band, for a gap between columns looks like nothing. `rest`: the points that were not. */
const gaps = (rest, { slot, left, top, height }) => runs(rest).map((run) => svg("rect", {
    class: "gap", x: round(left + slot * run[0]), width: round(slot * run.length), y: top, height: round(height),
}));

/** Of each point whether it is a gap, as `runs` takes it. */
const missing = (values) => values.map((value) => (value === null ? true : null));

/**
 * Columns over time, of parts that stand on each other.
 *
 * @param {object} options `label`; `labels`: of the points, short; `names`: of the points, whole (default: labels);
 *     `series`: `{ name, tone, values: [number | null], texts }`, null for what was not counted; `summary`: children while no point
 *     is chosen; `format(number)` of the axis
 */
export function columnChart({ label, labels, names = labels, series, summary = "", format = count, height = 140, left = axis.left, hasTable = true }) {
    const slot = (width) => (width - left - axis.right) / Math.max(labels.length, 1);
    const xOf = (index, width) => left + slot(width) * (index + 0.5);
    const textOf = (one, index) => (one.values[index] === null ? say("frame.notCounted") : one.texts?.[index] ?? format(one.values[index]));
    const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
    return overTime({
        label, labels, height, xOf, hasTable,
        readout: (index) => (index === null ? summary : readings(names[index], series, (one) => textOf(one, index))),
        table: [[say("frame.when"), ...series.map(({ name }) => name)], ...names.map((name, index) => [name, ...series.map((one) => textOf(one, index))])],
        draw: (width) => {
            const scale = scaleOf(sums);
            const lines = grid({ width, height, scale, format, labels, xOf, left });
            const wide = Math.max(Math.min(slot(width) * 0.7, 28), 1);
            const rest = gaps(missing(series[0].values), { slot: slot(width), left, top: axis.top, height: height - axis.top - axis.bottom });
            return [rest, lines.nodes, labels.map((_, index) => {
                let below = 0;
                return series.map(({ values, tone }) => {
                    const value = values[index] ?? 0;
                    if (value === 0) { return null; }
                    const [from, to] = [lines.yOf(below), lines.yOf(below + value)];
                    below += value;
                    return svg("rect", { class: `fill-${tone}`, x: round(xOf(index, width) - wide / 2), width: round(wide), y: round(to), height: round(Math.max(from - to, 1)) });
                });
            })];
        },
    });
}

/** A latency's p50 as a line, p95 and p99 as bands above it. `p50`, `p95`, `p99`: lists of numbers or null. */
export function bandChart({ label, labels, names = labels, p50, p95, p99, summary = "", format, height = 140 }) {
    const xOf = (index, width) => between(index, labels.length, width, axis.left);
    const series = [{ name: "p50", tone: "green", values: p50 }, { name: "p95", tone: "band95", values: p95 }, { name: "p99", tone: "band99", values: p99 }];
    const textOf = (one, index) => (one.values[index] === null || one.values[index] === undefined ? "–" : format(one.values[index]));
    return overTime({
        label, labels, height, xOf,
        readout: (index) => (index === null ? summary : readings(names[index], series, (one) => textOf(one, index))),
        table: [[say("frame.when"), "p50", "p95", "p99"], ...names.map((name, index) => [name, ...series.map((one) => textOf(one, index))])],
        draw: (width) => {
            const scale = scaleOf([...p99, ...p95, ...p50]);
            const lines = grid({ width, height, scale, format, labels, xOf });
            const band = (upper, lower, tone) => runs(upper).map((run) => (run.length === 1
                ? svg("line", { class: `bar-${tone}`, x1: round(xOf(run[0], width)), x2: round(xOf(run[0], width)), y1: lines.yOf(lower[run[0]] ?? 0), y2: lines.yOf(upper[run[0]]) })
                : svg("polygon", {
                    class: `fill-${tone}`,
                    points: [...run.map((index) => `${round(xOf(index, width))},${round(lines.yOf(upper[index]))}`),
                        ...run.toReversed().map((index) => `${round(xOf(index, width))},${round(lines.yOf(lower[index] ?? 0))}`)].join(" "),
                })));
            return [lines.nodes, band(p99, p95, "band99"), band(p95, p50, "band95"), runs(p50).map((run) => (run.length === 1
                ? svg("circle", { class: "dot ink-green", cx: round(xOf(run[0], width)), cy: lines.yOf(p50[run[0]]), r: 2.5 })
                : svg("polyline", { class: "line ink-green", points: run.map((index) => `${round(xOf(index, width))},${round(lines.yOf(p50[index]))}`).join(" ") })))];
        },
    });
}

/**
 * Bars that lie, one a row: `{ label (children), value, text, href, parts: [{ value, tone, name }], tone }`, the longest as long as the place.
 */
export function barList({ rows, label, most, wide = false }) {
    const longest = most ?? Math.max(...rows.map(({ value }) => value), 1);
    return make("ol", { class: wide ? "bar-list wide" : "bar-list", "aria-label": label }, rows.map((row) => {
        let from = 0;
        const parts = row.parts ?? [{ value: row.value, tone: row.tone ?? "green" }];
        return make("li", {}, make(row.href ? "a" : "div", { class: "bar-row", href: row.href },
            make("span", { class: "bar-label" }, row.label),
            svg("svg", { class: "bar", height: 8, width: "100%", "aria-hidden": "true", focusable: "false" }, parts.map(({ value, tone }) => {
                const x = from;
                from += value;
                return value > 0 && svg("rect", { class: `fill-${tone}`, x: share(x / longest), width: share(Math.max(value / longest, 0.006)), height: 8, rx: 1 });
            })),
            make("span", { class: "bar-value" }, row.text ?? count(row.value))));
    }));
}

/** The same small chart several times, on one scale: `{ title (text), total, values: [number | null], href }`; one table behind all. */
export function smallMultiples({ items, labels, names = labels, tone = "red", label }) {
    const top = scaleOf(items.flatMap(({ values }) => values)).top;
    const drawn = make("ul", { class: "multiples", "aria-label": label }, items.map((item) => make("li", {},
        make(item.href ? "a" : "div", { class: "multiple", href: item.href },
            make("span", { class: "multiple-head" }, make("span", { class: "multiple-title" }, item.title), make("b", {}, item.total ?? count(item.values.reduce((sum, value) => sum + value, 0)))),
            miniature(item.values, { top, tone, height: 36 }),
            make("span", { class: "multiple-foot" }, make("span", {}, labels[0] ?? ""), make("span", {}, labels.at(-1) ?? "")), item.foot))));
    return [drawn, tableBehind(label, [[say("frame.when"), ...items.map(({ title }) => title)],
        ...names.map((name, index) => [name, ...items.map(({ values }) => (values[index] === null ? say("frame.notCounted") : count(values[index])))])])];
}

/** Columns without axes, as wide as their place. */
function miniature(values, { top, tone, height }) {
    const step = 1 / Math.max(values.length, 1);
    return svg("svg", { class: "miniature", height, width: "100%", "aria-hidden": "true", focusable: "false" },
        svg("line", { class: "base", x1: 0, x2: "100%", y1: height - 0.5, y2: height - 0.5 }),
        runs(missing(values)).map((run) => svg("rect", { class: "gap", x: share(run[0] * step), width: share(run.length * step), y: 0, height: height - 1 })),
        values.map((value, index) => {
            if (!value) { return null; }
            const tall = Math.max((value / top) * (height - 2), 1.5);
            return svg("rect", { class: `fill-${tone}`, x: share((index + 0.15) * step), width: share(step * 0.7), y: round(height - 1 - tall), height: round(tall) });
        }));
}

/** Days that are left, as bars: `{ label, days, text, href }`; amber from 30 days on, red from 7. */
export const dayBars = ({ rows, label, most = 365 }) => barList({
    label, wide: true, most: Math.max(most, ...rows.map(({ days }) => days)),
    rows: rows.map((row) => ({ ...row, value: Math.max(row.days, 0), tone: row.days <= 7 ? "red" : row.days <= 30 ? "amber" : "green" })),
});
