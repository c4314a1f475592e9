//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Colors for what goes over the wire: header lines, then a body of JSON, XML or "name=value" lines. A text becomes spans whose
// texts put together are the text again, whatever it holds.

import { make } from "./dom.js";

const span = (kind, text) => make("span", { class: `hl-${kind}` }, text);

/** A value, with what was taken out of it marked. */
function value(kind, text) {
    return text.split(/(…)/).filter((part) => part !== "").map((part) => span(part === "…" ? "hidden" : kind, part));
}

function jsonParts(text) {
    const parts = [];
    const token = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
    let end = 0;
    for (const match of text.matchAll(token)) {
        parts.push(text.slice(end, match.index));
        if (match[2] !== undefined) {
            parts.push(span("name", match[1]), match[2]);
        } else if (match[1] !== undefined) {
            parts.push(...value("text", match[1]));
        } else {
            parts.push(span("number", match[0]));
        }
        end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)];
}

function tagParts(tag) {
    const [, open, name, rest, close] = /^(<[/?!]?)([^\s/>?]*)([\s\S]*?)([/?]?>)$/.exec(tag) ?? [undefined, tag, "", "", ""];
    const attributes = rest.split(/([\w:.-]+=)("[^"]*")/).map((part) =>
        part.endsWith("=") ? span("attribute", part) : part.startsWith('"') ? span("text", part) : part);
    return [open, span("name", name), ...attributes, close];
}

function xmlParts(text) {
    return text.split(/(<[^>]*>)/).flatMap((part) => part.startsWith("<") ? tagParts(part)
        : part.trim() === "" ? [part] : value("text", part));
}

/** Lines of a name, a separator and a value. */
function lineParts(text, separator) {
    return text.split(/(\n)/).flatMap((line) => {
        const index = line.indexOf(separator);
        return index < 1 ? [line] : [span("name", line.slice(0, index)), separator,
            ...value("text", line.slice(index + separator.length))];
    });
}

const bodies = { json: jsonParts, xml: xmlParts, fields: (text) => lineParts(text, "=") };

/**
 * @param {string} text
 * @param {string|undefined} format "json", "xml", "fields"; anything else stays as it is.
 * @returns {(Node|string)[]}
 */
export function highlighted(text, format) {
    const body = bodies[format];
    if (body === undefined) { return [text]; }
    // The headers come first; a message without any begins with the empty line.
    const index = text.indexOf("\n\n");
    if (index < 0) { return lineParts(text, ": "); }
    return [...lineParts(text.slice(0, index), ": "), "\n\n", ...body(text.slice(index + 2))];
}
