//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Dialogs: the browser's own <dialog>, which keeps the focus within itself and gives it back.

import { freshID, icon, make, refill } from "../core/dom.js";
import { newKey } from "../core/api.js";
import { mode, report } from "../core/state.js";
import { say } from "../core/words.js";
import { button, busy, code, copyButton, note, problem } from "./basics.js";
import { modeTag } from "./marks.js";

/** What each open dialog is ended by. */
const open = new Map();

/**
 * Ends all open dialogs, because the session has ended: nothing of them stays in the page, neither a secret that was shown once nor a
 * form that lies above the sign-in. Whoever waits for what they answer waits for ever, and does nothing in nobody's name.
 */
export function endDialogs(person) {
    const ended = [...open.keys()];
    for (const end of open.values()) { end(); }
    if (ended.some((element) => element.querySelector("form"))) {
        // Loaded now alone: most people never need it.
        import("./typed.js").then((module) => { typed = module; typed.keep(ended, person); }).catch(() => {});
    }
}

/** What keeps what was typed, once something was. */
let typed = null;

/**
 * Opens a dialog.
 *
 * @param {object} options `title`; `body` (children); `actions` (buttons, the last is the act); `wide`; `closable` (default true);
 *     `mode`: that of what is acted on, which need not be the frame's; the frame's when left out, null for what has none
 * @returns {{ element: HTMLDialogElement, close: (value) => void, closed: Promise }}
 */
export function dialog({ title, body, actions = [], wide = false, closable = true, mode: own = mode() }) {
    const id = freshID("dialog");
    let settle;
    let value;
    const closed = new Promise((resolve) => { settle = resolve; });
    const content = make("div", { class: "dialog-body" }, body);
    const foot = make("div", { class: "dialog-foot" }, actions);
    const element = make("dialog", { class: wide ? "dialog wide" : "dialog", "aria-labelledby": id },
        make("div", { class: "dialog-frame" },
            make("header", { class: "dialog-head" },
                make("h2", { id, tabindex: -1 }, title), own && modeTag(own),
                closable && make("button", {
                    type: "button", class: "copy", "aria-label": say("frame.close"), click: () => close(undefined),
                }, icon("close"))),
            content, actions.length > 0 && foot),
        make("div", { class: "toasts" }));
    const before = document.activeElement;
    function close(result) {
        value = result;
        element.close();
    }
    open.set(element, () => {
        open.delete(element);
        element.close();
        element.remove();
    });
    element.addEventListener("cancel", (event) => { if (!closable) { event.preventDefault(); } });
    element.addEventListener("close", () => {
        if (!open.delete(element)) { return; }
        element.remove();
        if (before?.isConnected) { before.focus(); }
        settle(value);
        // Behind whoever waits for the answer.
        setTimeout(() => report("dialog", null));
    });
    element.addEventListener("mousedown", (event) => { if (closable && event.target === element) { close(undefined); } });
    document.body.append(element);
    element.showModal();
    if (typed?.restore(element)) { content.prepend(note("info", say("frame.typedBefore"))); }
    (element.querySelector("[autofocus], .dialog-body input, .dialog-body select, .dialog-body textarea") ?? element.querySelector("h2")).focus();
    return { element, close, closed, content, foot };
}

/**
 * Asks before an act, in a sentence of what will happen to whom.
 *
 * @param {object} options `title`; `sentence` (text or children); `act`: "Retire the key" (a verb with its object); `danger`;
 *     `typed`: a text that must be typed where it is dangerous; `extra`: children, such as fields;
 *     `mode`: as a dialog's; `run(key)`: does it. Its error is shown and the dialog stays; the key stays the same, so that a second press is no second act.
 * @returns {Promise} what `run` gave; undefined when it was not done.
 */
export function confirm({ title, sentence, act, danger = false, typed, extra, mode: own = mode(), run = () => true }) {
    const key = newKey();
    const trouble = make("div", { class: "dialog-trouble" });
    const field = typed && make("input", { type: "text", autocomplete: "off", spellcheck: "false", id: freshID("typed"), class: "input" });
    let opened;
    const doIt = button(act, undefined, { kind: danger ? "danger" : "primary", class: undefined });
    doIt.className = `button ${danger ? "danger" : "primary"}`;
    const check = () => doIt.toggleAttribute("disabled", Boolean(typed) && field.value.trim() !== typed);
    doIt.addEventListener("click", async () => {
        if (doIt.getAttribute("aria-disabled") === "true") { return; }
        busy(doIt, true);
        refill(trouble);
        try {
            opened.close(await run(key));
        } catch (error) {
            report("undone", error);
            refill(trouble, problem(error));
        } finally {
            busy(doIt, false);
        }
    });
    field?.addEventListener("input", check);
    field?.addEventListener("keydown", (event) => { if (event.key === "Enter" && !doIt.disabled) { doIt.click(); } });
    opened = dialog({
        title, mode: own,
        body: [
            make("p", { class: "sentence" }, sentence), extra,
            typed && make("div", { class: "field" }, make("label", { for: field.id }, say("frame.typeIt", { text: typed })), field), trouble,
        ],
        actions: [button(say("frame.cancel"), () => opened.close(undefined)), doIt],
    });
    check();
    return opened.closed;
}

/**
 * Shows secrets, this once. It cannot be closed by accident: only by the button that says they are kept.
 *
 * @param {Array<[string, string]>} secrets Names and values.
 */
export function secretOnce({ title, sentence, secrets, mode: own = mode() }) {
    let opened;
    opened = dialog({
        title, mode: own, closable: false, wide: secrets.some(([, value]) => value.includes("\n")),
        body: [
            make("p", { class: "sentence" }, sentence ?? say("frame.secretOnce")),
            secrets.map(([name, value]) => make("div", { class: "secret" },
                make("div", { class: "secret-head" }, make("span", { class: "secret-name" }, name),
                    copyButton(value, { words: say("frame.copy"), label: name })),
                value.includes("\n") ? code(value, { copy: false, label: name }) : make("code", { class: "secret-value" }, value))),
        ],
        actions: [button(say("frame.secretKept"), () => opened.close(true), { kind: "primary" })],
    });
    return opened.closed;
}
