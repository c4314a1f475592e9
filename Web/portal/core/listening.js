//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What happens while a page is shown.

import { refresh } from "./router.js";
import { on } from "./state.js";

/**
 * Calls for each event until the page is left. A tab that is hidden hears nothing: who comes back to it gets the page anew, unless
 * something is unfolded in it, or what the page itself does then.
 */
export function listen(signal, onEvent, onBack = () => renew(signal)) {
    signal.addEventListener("abort", on("stream", (heard) => {
        if (heard.event === "back") { onBack(); } else { onEvent(heard); }
    }));
}

/**
 * Shows the page from the server again: now, or under an open dialog, where what is typed would be lost, when that has closed. A dialog
 * that is answered leads to a page of its own, which takes this one's place.
 */
export function refreshWhenFree(signal) {
    if (signal.aborted || waiting.has(signal)) { return; }
    if (!isDialogOpen()) {
        refresh();
        return;
    }
    waiting.add(signal);
    const stop = on("dialog", () => { if (!isDialogOpen()) { stop(); refresh(); } });
    signal.addEventListener("abort", stop, { once: true });
}

/**
 * For a page of one thing that is acted on in dialogs: an act that is refused because the thing is no longer what it was, and one of
 * which nobody knows what became of it, say that the page is old.
 */
export function renewAfterActs(signal) {
    signal.addEventListener("abort", on("undone", ({ status }) => { if (status === 409 || !(status >= 400 && status < 500)) { refreshWhenFree(signal); } }), { once: true });
}

/** The pages, by their signals, that wait for a dialog. */
const waiting = new WeakSet();

const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

function renew(signal) {
    if (isDialogOpen() || !document.querySelector("main details[open]")) { refreshWhenFree(signal); }
}
