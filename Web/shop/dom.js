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

/** A sign for the order's state: "good", "bad" or "warn". */
export function sign(mood) {
    const space = "http://www.w3.org/2000/svg";
    const drawing = document.createElementNS(space, "svg");
    drawing.setAttribute("viewBox", "0 0 24 24");
    drawing.setAttribute("aria-hidden", "true");
    const paths = {
        good: ["M12 2a10 10 0 1 0 .01 0", "M7 12.5l3.5 3.5L17 9"], bad: ["M12 2a10 10 0 1 0 .01 0",
            "M8.500 8.500l7 7M15.500 8.500l-7 7"],
        warn: ["M12 2a10 10 0 1 0 .01 0", "M12 7v6M12 16.500v.5"],
    };
    for (const outline of paths[mood]) {
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
