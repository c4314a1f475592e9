//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Search anything: an order, the last four, an approval code, a reference, a request's id, a page's name.

import { get } from "../core/api.js";
import { icon, make, refill } from "../core/dom.js";
import { amountText, dayText, moment } from "../core/format.js";
import { home } from "../core/home.js";
import { href, leadsSomewhere, navigate } from "../core/router.js";
import { mayOpen, merchantNamed, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { sentence } from "./basics.js";
import { modeTag } from "./marks.js";

const restMillis = 160;
const most = 12;
const currenciesMost = 3;

/** The places that search knows beside what the server finds: the pages of the menu. */
let places = [];
export const searchPlaces = (pages) => { places = pages.filter(({ menu }) => menu); };

/** Whether what is found may be of either mode. */
const hasBothModes = () => new Set(state.merchants.map(({ mode }) => mode)).size > 1;

/** A payment's title ends with its state, which has a word. */
const worded = ({ type, title }) => (type === "payment"
    ? title.replace(/(\S+) (\S+) (\w+)$/, (_, value, currency, own) => `${amountText(value, currency)} ${sayOr(`states.${own}`, own)}`) : title);

export function searchField() {
    const list = make("ul", { class: "found", id: "found", role: "listbox", "aria-label": say("frame.results"), hidden: true });
    const said = make("span", { class: "unseen", role: "status" });
    const input = make("input", {
        type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list", autocomplete: "off",
        spellcheck: "false", autocapitalize: "none", placeholder: say("frame.search"), "aria-label": say("frame.search"), enterkeyhint: "go", maxlength: 200,
    });
    let rows = [];
    let active = 0;
    let timer;
    let asked = 0;
    let answered = 0;
    let wantsFirst = false;

    /** Until what is asked for is there. */
    const wait = (isWaiting) => { if (isWaiting) { whole.setAttribute("aria-busy", "true"); } else { whole.removeAttribute("aria-busy"); } };
    const close = () => {
        wait(false);
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    };
    const go = (row) => {
        input.value = "";
        close();
        input.blur();
        navigate(row.link);
    };
    const choose = (index) => {
        active = index;
        [...list.querySelectorAll("[role=option]")].forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
        if (rows[index]) {
            input.setAttribute("aria-activedescendant", `found-${index}`);
            list.querySelector(`#found-${index}`)?.scrollIntoView({ block: "nearest" });
        }
    };
    const show = (text, found, { isCut = false, error = null } = {}) => {
        rows = found;
        refill(list,
            rows.map((row, index) => make("li", {
                role: "option", id: `found-${index}`, "aria-selected": "false", class: "hit", mousedown: (event) => event.preventDefault(),
                click: () => go(row), pointermove: () => active !== index && choose(index),
            },
            make("span", { class: "hit-type" }, sayOr(`frame.type_${row.type}`, row.type)),
            make("span", { class: "hit-title" }, row.title),
            make("span", { class: "hit-detail" }, [row.detail, row.merchant && state.merchants.length > 1 && row.merchant].filter(Boolean).join(" · "), hasBothModes() && merchantNamed(row.merchant) && [" ", modeTag(merchantNamed(row.merchant).mode)]),
            row.at && make("span", { class: "hit-at" }, moment(row.at, "smart")))),
            error && make("li", { class: "hit-note", role: "option", "aria-disabled": "true" }, sentence(error)),
            !error && rows.length === 0 && make("li", { class: "hit-note", role: "option", "aria-disabled": "true" }, text.includes("@") ? say("frame.noMail") : say("frame.nothingFound", { text })),
            isCut && make("li", { class: "hit-note", role: "option", "aria-disabled": "true" }, say("frame.moreFound")));
        list.hidden = false;
        input.setAttribute("aria-expanded", "true");
        said.textContent = say("frame.found", { count: rows.length });
        choose(0);
    };
    const own = (text) => places.filter((page) => mayOpen(page) && say(page.menu.word).toLowerCase().startsWith(text.toLowerCase()))
        .map(({ path, menu }) => ({ type: "page", title: say(menu.word), link: href(path) }));
    // An amount and a day name nothing, and many payments have them: they lead to the list with its filter.
    const filters = async (text) => {
        if (!/\d/.test(text) || !leadsSomewhere("/payments")) { return []; }
        const { readDay, readMoney } = await import("../core/reading.js");
        const row = (title, query) => ({ type: "filter", title, detail: say("frame.paymentsOf"), link: href("/payments", query) });
        const [day, amount] = [readDay(text), readMoney(text)];
        if (day) { return [row(dayText(day), { from: day, to: day })]; }
        // Without a currency: in those that the last day has seen.
        const currencies = !amount ? [] : amount.currency ? [amount.currency] : (home.now?.totals ?? []).map(({ currency }) => currency).slice(0, currenciesMost);
        return currencies.map((currency) => row(amountText(amount.value, currency), { currency, amountFrom: amount.value, amountTo: amount.value }));
    };
    const ask = async () => {
        const text = input.value.trim();
        const number = asked += 1;
        if (text === "") { close(); answered = number; return; }
        let found = [];
        let extra = {};
        try {
            const [answer, ofPayments] = await Promise.all([get("/search", { q: text, limit: most, merchant: undefined }), filters(text)]);
            found = [...answer.data.map((row) => ({ ...row, title: worded(row), link: href(`/${row.link.replace(/^\//, "")}`) })), ...ofPayments];
            extra = { isCut: answer.cut };
        } catch (error) {
            extra = { error };
        }
        if (number !== asked) { return; }
        answered = number;
        wait(false);
        show(text, [...found, ...own(text)], extra);
        if (wantsFirst) {
            wantsFirst = false;
            if (rows[0]) { go(rows[0]); }
        }
    };
    input.addEventListener("input", () => {
        wantsFirst = false;
        asked += 1; // What is on its way is not for this text.
        wait(input.value.trim() !== "");
        clearTimeout(timer);
        timer = setTimeout(ask, restMillis);
    });
    input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (rows.length > 0) { choose((active + (event.key === "ArrowDown" ? 1 : rows.length - 1)) % rows.length); }
        } else if (event.key === "Enter" && input.value.trim()) {
            event.preventDefault();
            if (answered === asked && rows[active] && !list.hidden) {
                go(rows[active]);
            } else {
                // Faster than the answer: the first that is found.
                wantsFirst = true;
                wait(true);
                clearTimeout(timer);
                ask();
            }
        } else if (event.key === "Escape") {
            if (!list.hidden || input.value) { event.stopPropagation(); }
            input.value = "";
            clearTimeout(timer);
            asked += 1;
            close();
        }
    });
    input.addEventListener("blur", () => setTimeout(close, 100));
    const whole = make("div", { class: "search", role: "search" }, icon("search"), input, make("kbd", { "aria-hidden": "true" }, "/"), list, said);
    return whole;
}
