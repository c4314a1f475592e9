//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The parts that every page is made of: head, sections, buttons, facts, ids, notes, empty and error states, toasts.

import { announce, byId, freshID, icon, make, refill } from "../core/dom.js";
import { shortID, zoneName } from "../core/format.js";
import { isSaid, language, say } from "../core/words.js";
import { shape } from "./marks.js";

/**
 * A page: its heading, what stands beside it, and its contents.
 *
 * @param {object} head `title` (text or element), `lead` (a sentence or element under it), `actions` (buttons), `zone` (whether moments
 *     stand on it, so that their zone is said, once), `back` `{ href, text }`, `wide`
 */
export function page({ title, lead, actions = [], zone = false, back }, ...children) {
    return make("div", { class: "page" },
        back && make("a", { class: "back", href: back.href }, icon("back"), back.text),
        make("header", { class: "page-head" },
            make("div", { class: "page-title" },
                make("h1", { tabindex: -1 }, title),
                lead && (typeof lead === "string" ? make("p", { class: "lead" }, lead) : make("div", { class: "lead" }, lead))),
            make("div", { class: "page-actions" },
                zone && make("span", { class: "zone" }, say("frame.zone", { zone: zoneName() })), actions)),
        children);
}

/** A part of a page under a heading. `actions` stand beside the heading. */
export function section(title, { actions, note, id, plain = false } = {}, ...children) {
    const heading = id ?? freshID("section");
    return make("section", { class: plain ? "section plain" : "section", "aria-labelledby": heading },
        make("div", { class: "section-head" }, make("h2", { id: heading }, title), note && make("p", { class: "muted" }, note),
            actions && make("div", { class: "section-actions" }, actions)),
        children);
}

/** What opens on demand. */
export const disclosure = (summary, { open = false, ...options } = {}, ...children) =>
    make("details", { class: "disclosure", open, ...options },
        make("summary", {}, icon("next"), make("span", {}, summary)), make("div", { class: "disclosed" }, children));

/** Facts as a list of names and values: `[[name, value], …]`; what has no value is left out. */
export const facts = (pairs, { wide = false } = {}) => make("dl", { class: wide ? "facts wide" : "facts" },
    pairs.filter((pair) => pair && pair[1] !== undefined && pair[1] !== null && pair[1] !== "")
        .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));

/**
 * A button. `kind`: "" (quiet), "primary" or "danger"; `act` may return a promise: meanwhile the button is busy.
 */
export function button(text, act, { kind = "", icon: sign, small = false, label, type = "button", ...attributes } = {}) {
    const element = make("button", {
        type, class: ["button", kind, small && "small"].filter(Boolean).join(" "), "aria-label": label, ...attributes,
    }, sign && icon(sign), make("span", {}, text));
    if (act) {
        element.addEventListener("click", async (event) => {
            if (element.getAttribute("aria-disabled") === "true") { return; }
            const doing = act(event);
            if (!(doing instanceof Promise)) { return; }
            busy(element, true);
            try {
                await doing;
            } catch (error) {
                toast(sentence(error), { tone: "refused" });
            } finally {
                busy(element, false);
            }
        });
    }
    return element;
}

/** Whether what a button did is still under way. */
export function busy(element, isBusy) {
    element.setAttribute("aria-disabled", String(isBusy));
    if (isBusy) { element.setAttribute("aria-busy", "true"); } else { element.removeAttribute("aria-busy"); }
    element.classList.toggle("busy", isBusy);
}

/** A link that looks like a button. */
export const buttonLink = (text, href, { kind = "", icon: sign, small = false } = {}) =>
    make("a", { class: ["button", kind, small && "small"].filter(Boolean).join(" "), href }, sign && icon(sign), make("span", {}, text));

async function copied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Without TLS on another machine's address there is no clipboard interface: a selection can be copied.
        const field = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true", tabindex: -1 });
        field.value = text;
        // Within an open dialog, where alone things can be selected.
        (document.querySelector("dialog[open]") ?? document.body).append(field);
        field.select();
        const isDone = document.execCommand("copy");
        field.remove();
        return isDone;
    }
}

const copiedMillis = 1600;

/** A button that copies a text and says so. */
export function copyButton(text, { label, small = true, words } = {}) {
    let timer;
    const sign = make("span", { class: "copy-sign" }, icon("copy"));
    const element = make("button", {
        type: "button", class: words ? "button small copy-words" : "copy", "aria-label": words ? undefined : (label ?? say("frame.copy")),
        title: words ? undefined : say("frame.copy"),
        click: async (event) => {
            event.stopPropagation();
            event.preventDefault();
            const isDone = await copied(text);
            element.focus();
            refill(sign, icon(isDone ? "check" : "close"));
            element.classList.toggle("copied", isDone);
            announce(say(isDone ? "frame.copied" : "frame.notCopied"));
            clearTimeout(timer);
            timer = setTimeout(() => { refill(sign, icon("copy")); element.classList.remove("copied"); }, copiedMillis);
        },
    }, sign, words && make("span", {}, words));
    element.classList.toggle("small", small && Boolean(words));
    return element;
}

/** An id, shortened in its middle, copied whole. `link` makes it go somewhere; `whole` shortens nothing. */
export function identifier(id, { link, whole = false, label } = {}) {
    const text = whole ? id : shortID(id);
    const shown = link ? make("a", { href: link, class: "id", title: id }, text) : make("span", { class: "id", title: id }, text);
    return make("span", { class: "identifier" }, shown, copyButton(id, { label: label ?? say("frame.copyThat", { what: id }) }));
}

/** A name of parts, such as an Apple merchant identifier, whose lines break after its dots. */
export const dotted = (name) => name.split(/(?<=\.)/).map((part, index) => [index > 0 && make("wbr"), part]);

/** Text as it is on a wire, in a box that scrolls within itself, with a button to copy it. */
export const code = (text, { copy = true, label } = {}) => make("div", { class: "code-box" },
    make("pre", { tabindex: 0, role: "region", "aria-label": label ?? say("frame.text") }, make("code", {}, text)),
    copy && copyButton(text, { words: say("frame.copy") }));

/** A sentence that stands out: `tone` is "", "info", "unknown" (amber), "refused" (red) or "done". */
export const note = (tone, ...children) => make("div", { class: `note ${tone ? `note-${tone}` : ""}`, role: tone === "refused" ? "alert" : undefined },
    icon(tone === "refused" || tone === "unknown" ? "warn" : tone === "done" ? "check" : "info"), make("div", {}, children));

/** Where nothing is yet: what will be here, and the one thing to do first. */
export const empty = (title, text, action) => make("div", { class: "empty" },
    make("p", { class: "empty-title" }, title), text && make("p", {}, text), action && make("div", { class: "empty-action" }, action));

/** What a server says in English: marked as such where the page is in another language. */
export const english = (text, tag = "span", attributes = {}) =>
    make(tag, { ...attributes, lang: language() === "en" ? undefined : "en" }, text);

/** An error as a sentence for people: ours, else the server's, which is English. A child for an element, or for a toast. */
export function sentence(error) {
    if (!error.code) { return say("errors.page"); }
    if (!isSaid(`errors.${error.code}`)) { return error.detail ? english(error.detail) : say("errors.other"); }
    return say(`errors.${error.code}`, { seconds: error.retryAfter ?? 0, minutes: Math.ceil((error.retryAfter ?? 0) / 60) });
}

/**
 * What was tried, what is still true, what to do, with the code and the request's id.
 *
 * @param {Error} error
 * @param {object} options `tried`: a sentence; `stillTrue`: a sentence; `again`: what a press of "Try again" does
 */
export function problem(error, { tried, stillTrue, again } = {}) {
    if (!error.code) { console.error(error); }
    return make("div", { class: "problem", role: "alert" },
        icon("warn"),
        make("div", {},
            tried && make("p", { class: "problem-tried" }, tried),
            make("p", {}, sentence(error)),
            stillTrue && make("p", {}, stillTrue),
            error.errors?.length > 0 && make("ul", {}, error.errors.map(({ pointer, detail }) =>
                make("li", {}, make("code", {}, pointer), " ", english(detail)))),
            make("p", { class: "problem-code" }, make("code", {}, error.code ?? error.name),
                error.requestID && [" · ", say("errors.request"), " ", identifier(error.requestID, { whole: true })]),
            again && button(say("frame.again"), again, { small: true })));
}

const toastMillis = 6_000;

/** A short note that goes by itself, and is said to screen readers. `text`: a text or an element; `tone`: "done", "unknown" (not known yet) or "refused". */
export function toast(text, { tone = "done", action } = {}) {
    const element = make("div", { class: `toast toast-${tone}` },
        tone === "unknown" ? shape("unknown") : icon(tone === "refused" ? "warn" : "check"), make("span", {}, text), action,
        make("button", { type: "button", class: "copy", "aria-label": say("frame.close"), click: () => element.remove() }, icon("close")));
    // Above an open dialog, which is above everything else.
    (document.querySelector("dialog[open] .toasts") ?? byId("toasts")).append(element);
    announce(text instanceof Node ? text.textContent : text);
    setTimeout(() => element.remove(), toastMillis);
    return element;
}

/** Stands where something is on its way. */
export const loading = (rows = 3) => make("div", { class: "loading", "aria-busy": "true" },
    make("span", { class: "unseen" }, say("frame.loading")), Array.from({ length: rows }, () => make("div", { class: "ghost" })));

/**
 * A place that fills itself: shows that it is loading, then what `load` gives, or why not with "Try again".
 *
 * @param {() => Promise<Node>} load
 */
export function eventually(load, { rows = 3, tried } = {}) {
    const place = make("div", { class: "eventually" });
    const run = async () => {
        refill(place, loading(rows));
        try {
            refill(place, await load());
        } catch (error) {
            if (error.name !== "AbortError") { refill(place, problem(error, { tried, again: run })); }
        }
    };
    run();
    return place;
}

/** Tabs as links: `[{ text, href, current, count }]`. Where there is no room for all, the current one is in view. */
export function tabs(items, label) {
    const links = items.map((item) => make("a", { href: item.href, "aria-current": item.current ? "page" : undefined }, item.text,
        item.count !== undefined && make("span", { class: "count" }, String(item.count))));
    const bar = make("nav", { class: "tabs", "aria-label": label }, links);
    const current = links.find((_, index) => items[index].current);
    if (current) { new ResizeObserver(() => { bar.scrollLeft = current.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2; }).observe(bar); }
    return bar;
}

/** A box on the surface. */
export const card = (...children) => make("div", { class: "card" }, children);

/** A button that asks for a file and hands over its text. */
export function filePick(text, onText, { accept, bytesMax = 1 << 20 } = {}) {
    const input = make("input", {
        type: "file", accept, class: "unseen", tabindex: -1, "aria-hidden": "true",
        change: async () => {
            const [file] = input.files;
            input.value = "";
            if (!file) { return; }
            if (file.size > bytesMax) { toast(say("errors.fileTooLarge"), { tone: "refused" }); return; }
            onText(await file.text(), file);
        },
    });
    return make("span", { class: "file-pick" }, button(text, () => input.click(), { small: true }), input);
}
