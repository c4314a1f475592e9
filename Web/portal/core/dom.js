//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Small helpers for the pages. Everything is made of elements and texts, never of markup in strings, so that nothing that a server,
// a merchant or a shopper wrote can become a part of a page. Nor is anything styled by an attribute: the policy forbids it.

const space = "http://www.w3.org/2000/svg";

/** The element with that id. */
export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name, value);
        } else if (value === true) {
            element.setAttribute(name, "");
        } else if (value !== false && value !== undefined && value !== null) {
            element.setAttribute(name, value);
        }
    }
    element.append(...nodes(children));
    return element;
}

/** Children as what `append` takes: lists are opened, and what is nothing is left out. */
export const nodes = (children) => children.flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/**
 * An element with attributes, listeners (functions) and children.
 *
 * @param {string} tag
 * @param {object} attributes A value of `true` is an empty attribute; `false`, `null` and undefined are none.
 */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for drawings. */
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(space, tag), attributes, children);

/** Puts other children in the place of an element's own. */
export function refill(element, ...children) {
    element.replaceChildren(...nodes(children));
    return element;
}

const politeMillis = 50;

/** Has screen readers say something that everybody else sees. */
export function announce(words) {
    const announcer = byId("announcer");
    announcer.textContent = "";
    // The same words twice are said twice.
    setTimeout(() => { announcer.textContent = words; }, politeMillis);
}

const savedMillis = 60_000;

/** Gives the person a file of that name to keep. */
export function saveFile(blob, name) {
    const url = URL.createObjectURL(blob);
    const link = make("a", { href: url, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    // Once the browser has read it: there is no event that says so.
    setTimeout(() => URL.revokeObjectURL(url), savedMillis);
}

let made = 0;

/** An id that no other element has. */
export const freshID = (prefix) => `${prefix}-${made += 1}`;

const outlines = {
    menu: ["M4 7h16M4 12h16M4 17h16"],
    search: ["M10.500 4a6.500 6.500 0 1 0 .01 0", "M15.500 15.500L20 20"],
    close: ["M6 6l12 12M18 6L6 18"],
    down: ["M6 9l6 6 6-6"],
    next: ["M9 6l6 6-6 6"],
    back: ["M15 6l-6 6 6 6"],
    plus: ["M12 5v14M5 12h14"],
    copy: ["M9 9h10v10H9z", "M5 15V5h10"],
    check: ["M5 12.500l4.500 4.500L19 7.500"],
    download: ["M12 4v11M7 10.500l5 5 5-5", "M5 20h14"],
    person: ["M12 4a4 4 0 1 0 .01 0", "M4 20c1-4 4-6 8-6s7 2 8 6"],
    rows: ["M4 6h16M4 10h16M4 14h16M4 18h16"],
    out: ["M14 4h6v6M20 4l-9 9", "M18 14v5H5V6h5"],
    warn: ["M12 4L2.500 20h19z", "M12 10v4.500M12 17v.5"],
    info: ["M12 3a9 9 0 1 0 .01 0", "M12 11v5M12 7.500v.5"],
    lock: ["M6 11h12v9H6z", "M8.500 11V8a3.500 3.500 0 0 1 7 0v3"],
};

/** A sign that only decorates: what it means stands beside it, or is its button's name. */
export function icon(name) {
    return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon", focusable: "false" },
        outlines[name].map((d) => svg("path", {
            d, fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round",
        })));
}
