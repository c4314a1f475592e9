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

const outlines = {
    good: ["M12 2a10 10 0 1 0 .01 0", "M7 12.500l3.500 3.500L17 9"],
    bad: ["M12 2a10 10 0 1 0 .01 0", "M8.500 8.500l7 7M15.500 8.500l-7 7"],
    warn: ["M12 2a10 10 0 1 0 .01 0", "M12 7v6M12 16.500v.5"],
    none: ["M12 2a10 10 0 1 0 .01 0", "M8 12h8"],
    undone: ["M4.500 9h10a5 5 0 0 1 0 10h-6", "M8.500 5l-4 4 4 4"],
};

/** A sign for a state: "good", "bad", "warn" (nobody knows), "none" (nothing was done), "undone" (given back). */
export function sign(mood) {
    const space = "http://www.w3.org/2000/svg";
    const drawing = document.createElementNS(space, "svg");
    drawing.setAttribute("viewBox", "0 0 24 24");
    drawing.setAttribute("aria-hidden", "true");
    for (const outline of outlines[mood]) {
        const path = document.createElementNS(space, "path");
        path.setAttribute("d", outline);
        path.setAttribute("fill", "none");
        path.setAttribute("stroke", "currentColor");
        path.setAttribute("stroke-width", "2");
        path.setAttribute("stroke-linecap", "round");
        path.setAttribute("stroke-linejoin", "round");
        drawing.append(path);
    }
    return drawing;
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
