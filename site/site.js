// This source file is part of the Pomona open source project. SPDX-License-Identifier: Apache-2.0

// The search, the contents on a narrow screen, and boxes that scroll by keyboard. Without scripts all pages are read as well.

"use strict";

const base = new URL(".", document.currentScript.src);
document.documentElement.classList.add("js");

const RESULTS = 12;
// By the mark of a word's place in the index (search.py): in the text; as what a row of a table is about; in a heading; in a page's title.
const WEIGHTS = { "": 1, "*": 3, "'": 5, '"': 9 };

/** The index, once it is loaded: as a script, since a page that is read from a folder may not fetch. */
let loading;
function index() {
    loading ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL("search-index.js", base);
        script.addEventListener("load", () => {
            const { pages, sections, common, words } = globalThis.siteIndex;
            resolve({ pages, sections, common: new Set(common), lines: words.split("\n") });
        });
        script.addEventListener("error", reject);
        document.head.append(script);
    });
    return loading;
}

/** The sections in which a word that begins so stands, with what that is worth. The whole word is worth twice its beginning. */
function sectionsOf(lines, start) {
    const found = new Map();
    for (const line of lines) {
        if (!line.startsWith(start)) { continue; }
        const [word, ...steps] = line.split(" ");
        let section = 0;
        for (const step of steps) {
            const mark = /[*'"]$/.exec(step)?.[0] ?? "";
            section += parseInt(step, 36);
            found.set(section, Math.max(found.get(section) ?? 0, WEIGHTS[mark] * (word === start ? 2 : 1)));
        }
    }
    return found;
}

/** Sections with all words of the query, the best first. */
function search({ pages, sections, common, lines }, query) {
    const asked = query.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.\-/][\p{L}\p{N}_]+)*/gu) ?? [];
    const words = asked.filter((word) => !common.has(word));
    if (words.length === 0) { return []; }
    const found = words.map((word) => sectionsOf(lines, word));
    const hits = [...found[0].keys()].filter((section) => found.every((one) => one.has(section))).map((section) => {
        const [page] = sections[section];
        const isExchange = pages[page][0].startsWith("exchanges/");
        const worth = found.reduce((sum, one) => sum + one.get(section), 0);
        return { section, worth: isExchange ? worth / 3 : worth };
    });
    return hits.sort((one, other) => other.worth - one.worth || one.section - other.section);
}

/** A text with the query's words marked. */
function marked(text, words) {
    const parts = document.createDocumentFragment();
    const starts = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    let last = 0;
    for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${starts})`, "giu"))) {
        const mark = document.createElement("mark");
        mark.textContent = match[0];
        parts.append(text.slice(last, match.index), mark);
        last = match.index + match[0].length;
    }
    parts.append(text.slice(last));
    return parts;
}

function entry({ pages, sections }, { section }, words) {
    const [page, anchor, heading, text] = sections[section];
    const [output, title, place] = pages[page];
    const link = document.createElement("a");
    link.href = new URL(output + (anchor ? `#${anchor}` : ""), base);
    const name = document.createElement("strong");
    name.append(marked(heading ? `${title}: ${heading}` : title, words));
    const where = document.createElement("span");
    where.textContent = place;
    const snippet = document.createElement("span");
    snippet.append(marked(text, words));
    link.append(name, where, snippet);
    const item = document.createElement("li");
    item.append(link);
    return item;
}

function setUpSearch() {
    const box = document.querySelector(".search");
    const input = box.querySelector("input");
    const panel = box.querySelector(".found");
    const list = panel.querySelector("ol");
    const count = panel.querySelector("p");
    let asked = 0;

    const show = async () => {
        const query = input.value.trim();
        const number = ++asked;
        panel.hidden = query === "";
        if (query === "") { return; }
        try {
            const loaded = await index();
            if (number !== asked) { return; }
            const hits = search(loaded, query);
            const words = query.toLowerCase().split(/\s+/).filter((word) => !loaded.common.has(word));
            list.replaceChildren(...hits.slice(0, RESULTS).map((hit) => entry(loaded, hit, words)));
            const more = hits.length > RESULTS ? `, the first ${RESULTS} of them here` : "";
            const places = `${hits.length} ${hits.length === 1 ? "place" : "places"}${more}`;
            count.textContent = hits.length === 0 ? "Nothing has all these words." : places;
        } catch {
            list.replaceChildren();
            count.textContent = "The index could not be loaded.";
        }
    };

    input.addEventListener("focus", () => index().catch(() => {}), { once: true });
    input.addEventListener("input", show);
    input.addEventListener("focus", () => { if (input.value.trim() !== "") { panel.hidden = false; } });
    box.addEventListener("keydown", (event) => {
        const links = [...list.querySelectorAll("a")];
        const at = links.indexOf(document.activeElement);
        if (event.key === "Escape") {
            panel.hidden = true;
            input.focus();
        } else if (event.key === "Enter" && at < 0) {
            links[0]?.click();
        } else if (event.key === "ArrowDown" && at + 1 < links.length) {
            links[at + 1].focus();
        } else if (event.key === "ArrowUp") {
            (links[at - 1] ?? input).focus();
        } else {
            return;
        }
        event.preventDefault();
    });
    document.addEventListener("click", (event) => { if (!box.contains(event.target)) { panel.hidden = true; } });
    box.addEventListener("focusout", (event) => { if (event.relatedTarget && !box.contains(event.relatedTarget)) { panel.hidden = true; } });
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !event.ctrlKey && !event.metaKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
            event.preventDefault();
            input.focus();
        }
    });
}

function setUpContents() {
    const button = document.querySelector(".menu");
    const contents = document.querySelector("#navigation");
    const open = (isOpen) => {
        contents.classList.toggle("open", isOpen);
        button.setAttribute("aria-expanded", String(isOpen));
    };
    button.addEventListener("click", () => open(!contents.classList.contains("open")));
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && contents.classList.contains("open")) {
            open(false);
            button.focus();
        }
    });
    contents.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    const list = document.querySelector(".toc details");
    if (list) { list.open = matchMedia("(min-width: 1200px)").matches; }
}

/** What is wider than its box is scrolled by keyboard, too; what is not is no stop on the way. */
function setUpBoxes() {
    const boxes = document.querySelectorAll("pre, .scroll");
    const look = () => {
        for (const box of boxes) {
            if (box.scrollWidth > box.clientWidth) { box.tabIndex = 0; } else { box.removeAttribute("tabindex"); }
        }
    };
    look();
    addEventListener("resize", look);
}

document.addEventListener("DOMContentLoaded", () => {
    setUpSearch();
    setUpContents();
    setUpBoxes();
});
