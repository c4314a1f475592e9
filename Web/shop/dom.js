//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Small helpers for the page. Everything is made of elements and texts, never of markup in strings, so that nothing that a server
// or a shopper wrote can become a part of the page.

/** The element with that id. */
export const byId = (id) => document.getElementById(id);

/**
 * An element with attributes, listeners (functions) and children.
 *
 * @param {string} tag
 * @param {object} attributes A value of `true` is an empty attribute, `false` and undefined none.
 */
export function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name, value);
        } else if (value === true) {
            element.setAttribute(name, "");
        } else if (value !== false && value !== undefined) {
            element.setAttribute(name, value);
        }
    }
    element.append(...children.filter((child) => child !== undefined && child !== null));
    return element;
}

// Filled shapes have no second entry, drawn ones their width. The portal has the same.
const shapes = {
    pending: ["M6 1.750a4.250 4.250 0 1 1-.010 0z", 1.5],
    done: ["M6 1a5 5 0 1 1-.010 0z"],
    unknown: ["M6 1.750a4.250 4.250 0 1 1-.010 0z", 1.5, "M6 1.750a4.250 4.250 0 0 0 0 8.500z"],
    declined: ["M2.500 2.500l7 7M9.500 2.500l-7 7", 1.8],
    refused: ["M6 1.250L11.250 10.500H.750z"],
    reversed: ["M2.600 3.800A4.300 4.300 0 1 1 1.750 6.600M2.300 1.200v2.900h2.900", 1.5],
};

/**
 * A sign for a state: "pending" (nothing yet), "done", "unknown" (nobody knows), "declined" (a normal end), "refused" (by us),
 * "reversed" (given back).
 */
export function sign(tone) {
    const space = "http://www.w3.org/2000/svg";
    const drawing = document.createElementNS(space, "svg");
    drawing.setAttribute("viewBox", "0 0 12 12");
    drawing.setAttribute("class", `shape tone-${tone}`);
    drawing.setAttribute("aria-hidden", "true");
    const [outline, width, filling] = shapes[tone];
    const add = (d, attributes) => {
        const path = document.createElementNS(space, "path");
        for (const [name, value] of Object.entries({ d, ...attributes })) { path.setAttribute(name, value); }
        drawing.append(path);
    };
    add(outline, width === undefined ? { fill: "currentColor" } : {
        fill: "none", stroke: "currentColor", "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round",
    });
    if (filling !== undefined) { add(filling, { fill: "currentColor" }); }
    return drawing;
}

const moments = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** A moment in the reader's zone, with UTC on hover; any text that is none stays as it is. */
export function shownMoment(text) {
    if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) { return text; }
    return make("time", { datetime: text, title: text.replace("T", " ").replace("Z", " UTC") }, moments.format(new Date(text)));
}

/** A text of the wire that may break after "=" and "/", rather than within a word. */
export const breakable = (text) => text.split(/(?<=[=/])/).flatMap((part) => [part, make("wbr")]);

/** Has screen readers say something that everybody else sees. */
export function announce(words) {
    byId("announcer").textContent = words;
}

/** Codes of a message with what they mean, as children of a `dl`. */
export function codeRows(codes) {
    return codes.map(({ field, value, meaning }) => make("div", {},
        make("dt", {}, make("span", { class: "field" }, field), make("code", {}, value)), make("dd", {}, meaning)));
}

/** @returns {Promise<boolean>} Whether the text is on the clipboard. */
async function copied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Without https (another machine's sandbox) there is no clipboard interface: a selection can be copied.
        const field = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true", tabindex: -1 });
        field.value = text;
        document.body.append(field);
        field.select();
        const isDone = document.execCommand("copy");
        field.remove();
        return isDone;
    }
}

const wordMillis = 1600;

/** A button that copies a text and says so. */
export function copyButton(words, name, text) {
    let timer;
    const button = make("button", {
        type: "button", class: "tool", "aria-label": name, click: async () => {
            const isDone = await copied(text);
            button.textContent = isDone ? "Copied" : "Not copied";
            button.focus();
            announce(isDone ? "Copied to the clipboard." : "The browser does not allow to copy.");
            clearTimeout(timer);
            timer = setTimeout(() => { button.textContent = words; }, wordMillis);
        },
    }, words);
    return button;
}
