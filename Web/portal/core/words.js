//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The texts of the pages, in sets: "payments.title" is the member "title" of the set "payments", the file
// words/LANGUAGE/payments.js. A page names the sets that it needs, and they come with it.

export const languages = { en: "English", de: "Deutsch", "zh-Hant": "繁體中文" };

let spoken = "en";
let plurals = new Intl.PluralRules(spoken);
const texts = new Map();

/** The language that is spoken: a tag of BCP 47. */
export const language = () => spoken;

/** The language of `languages` that fits what the browser asks for. */
export function fitting(wanted = navigator.languages ?? [navigator.language]) {
    for (const tag of wanted) {
        const lower = tag.toLowerCase();
        if (lower.startsWith("de")) { return "de"; }
        if (/^zh-(hant|tw|hk|mo)/.test(lower)) { return "zh-Hant"; }
        if (lower.startsWith("en")) { return "en"; }
    }
    return "en";
}

/** Speaks another language from now on; the sets that are there come again in it. */
export async function speak(wanted) {
    spoken = wanted in languages ? wanted : "en";
    plurals = new Intl.PluralRules(spoken);
    document.documentElement.lang = spoken;
    const sets = [...texts.keys()];
    texts.clear();
    await loadWords(...sets);
}

/** Sees to it that the sets are there. */
export async function loadWords(...sets) {
    await Promise.all(sets.filter((set) => !texts.has(set)).map(async (set) => {
        const module = await import(`../words/${spoken}/${set}.js`);
        texts.set(set, module.default);
    }));
}

function find(key, values) {
    const dot = key.indexOf(".");
    const found = texts.get(key.slice(0, dot))?.[key.slice(dot + 1)];
    if (found === undefined || typeof found === "string") { return found; }
    return found[plurals.select(Number(values.count))] ?? found.other;
}

/** Whether there is such a text: for codes that a server may have newer ones of. */
export const isSaid = (key) => find(key, { count: 1 }) !== undefined;

/**
 * A text with its `{names}` filled in. One that depends on a number is an object `{ one, other }`, chosen by `values.count`.
 */
export function say(key, values = {}) {
    const text = find(key, values);
    if (text === undefined) {
        console.error(`No text ${key} in ${spoken}.`);
        return key;
    }
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The same as a list of children, where values may be elements. */
export function sayParts(key, values = {}) {
    const text = find(key, values);
    if (text === undefined) { return [say(key)]; }
    return text.split(/(\{\w+\})/).filter((part) => part !== "").map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        return name !== undefined && name in values ? values[name] : part;
    });
}

/** A text that may not be there: `key`'s, else the fallback. For codes. */
export const sayOr = (key, fallback, values = {}) => (isSaid(key) ? say(key, values) : fallback);
