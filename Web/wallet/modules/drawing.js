//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Elements and drawings.

const svgSpace = "http://www.w3.org/2000/svg";

/// An element with attributes, listeners (functions) and children.
export function make(tag, attributes = {}, ...children) {
    const isDrawing = ["svg", "rect", "path", "circle", "text", "g"].includes(tag);
    const element = isDrawing ? document.createElementNS(svgSpace, tag) : document.createElement(tag);
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

export const mark = () => make("svg", { viewBox: "0 0 36 36", class: "mark", "aria-hidden": "true" },
    make("rect", { width: 36, height: 36, rx: 9, fill: "#7b1fa2" }),
    make("rect", { x: 7, y: 11, width: 22, height: 15, rx: 3, fill: "none", stroke: "#fff", "stroke-width": 2.4 }),
    make("path", { d: "M7 16h22", stroke: "#fff", "stroke-width": 2.4 }),
    make("path", { d: "M11 21.5h3M16.5 21.5h3M22 21.5h3", stroke: "#f2b90c", "stroke-width": 2.4 }));

const signs = {
    taken: ["M15 27l8 8 14-17", true], declined: ["M18 18l16 16M34 18L18 34", true], failed: ["M18 18l16 16M34 18L18 34", true],
    unknown: ["M26 3a23 23 0 0 0 0 46z", false], refused: ["M26 5L50 46H2z", false],
};

/// How it ended. A success is the shop's word that it has taken the token, and not yet the bank's: it is not green. A declined
/// payment is a normal end: it is not red.
export function sign(kind) {
    const [outline, isDrawn] = signs[kind];
    return make("svg", { viewBox: "0 0 52 52", class: `sign ${kind}`, "aria-hidden": "true" },
        kind === "refused" ? undefined
            : make("circle", { cx: 26, cy: 26, r: 23, fill: "none", stroke: "currentColor", "stroke-width": 4 }),
        make("path", isDrawn ? {
            d: outline, fill: "none", stroke: "currentColor", "stroke-width": 4, "stroke-linecap": "round",
            "stroke-linejoin": "round",
        } : { d: outline, fill: "currentColor" }));
}

const artColors = {
    visa: ["#1d3a7a", "#4d6fc4"], mastercard: ["#7a2a0f", "#d0662b"], amex: ["#0b5d70", "#2f98ad"], jcb: ["#1d5c38",
        "#47965f"],
    discover: ["#8a4a06", "#cf8423"], chinaunionpay: ["#7d1230", "#c03a5e"], girocard: ["#26314d", "#5c6b94"],
    cartesbancaires: ["#143b52", "#3d7d6d"], eftpos: ["#3b1d5c", "#7a55b0"], mada: ["#16423c", "#4f8f3e"],
};

export function cardArt(card) {
    const [dark, light] = artColors[card.network.toLowerCase()] ?? ["#3a3a46", "#72728a"];
    return make("svg", { viewBox: "0 0 58 37", class: "art", "aria-hidden": "true" },
        make("rect", { width: 58, height: 37, rx: 6, fill: dark }),
        make("path", { d: "M22 37C30 20 44 12 58 10v21a6 6 0 0 1-6 6z", fill: light }),
        make("rect", { x: 6, y: 9, width: 10, height: 8, rx: 2, fill: "#f3dd9b" }),
        make("path", { d: "M6 27h16", stroke: "#fff", "stroke-width": 3, "stroke-dasharray": "3 2" }));
}
