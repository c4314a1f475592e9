//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What members of dictionaries are: the conversions of Web IDL, as far as a payment request needs them.

import { wrong } from "./errors.js";

/// Nothing is an empty dictionary; what is no object is none.
export function dictionaryOf(value, what) {
    if (value === undefined || value === null) { return {}; }
    if (typeof value !== "object" && typeof value !== "function") { throw wrong(`${what} must be an object.`); }
    return value;
}

export function sequenceOf(list, what, convert) {
    if (list === null || typeof list !== "object" || typeof list[Symbol.iterator] !== "function") {
        throw wrong(`${what} must be a list.`);
    }
    return Array.from(list, convert);
}

/// A text that must be there. Anything else is written as JavaScript writes it, also `null`.
export function requiredText(dictionary, name, what) {
    if (dictionary[name] === undefined) { throw wrong(`${what} has no ${name}.`); }
    return String(dictionary[name]);
}

/// One of some names; the first where none is given.
export function choiceOf(name, names, what) {
    if (name === undefined) { return names[0]; }
    if (!names.includes(String(name))) { throw wrong(`"${name}" is not one of ${what}: ${names.join(", ")}.`); }
    return String(name);
}

/// A decimal number with a point, as text. Numbers are taken as JavaScript writes them, as any DOMString is.
export function amountText(amount, what) {
    const text = String(amount);
    if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) { throw wrong(`"${text}" is not an amount (${what}).`); }
    return text;
}

export const isNegative = (amount) => amount.startsWith("-") && /[1-9]/.test(amount);

export function requireURL(text, what) {
    try {
        new URL(text);
    } catch {
        throw wrong(`"${text}" is not a URL (${what}).`);
    }
}
