//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The keys: "/" searches, "g" and a letter goes somewhere, j and k go through rows, "?" says all of them.

import { make } from "../core/dom.js";
import { navigate } from "../core/router.js";
import { mayOpen } from "../core/state.js";
import { say } from "../core/words.js";
import { dialog } from "./dialog.js";

let places = [];
let isGoing = false;
let timer;
const goingMillis = 1_500;

const isTyping = (element) => element.closest?.("input, textarea, select, [contenteditable], [role=slider]");

/** Listens. `pages`: those with a `key` in their menu. */
export function listenToKeys(pages) {
    places = pages.filter(({ menu }) => menu?.key);
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) { return; }
        if (isTyping(event.target)) {
            if (event.key === "Escape") { event.target.blur(); }
            return;
        }
        const done = act(event.key);
        if (done) { event.preventDefault(); }
    });
}

function act(key) {
    if (isGoing) {
        isGoing = false;
        const place = places.find((page) => page.menu.key === key && mayOpen(page));
        if (place) { navigate(place.path); }
        return Boolean(place);
    }
    switch (key) {
    case "/":
        document.querySelector(".search input")?.focus();
        return true;
    case "?":
        showKeys();
        return true;
    case "g":
        isGoing = true;
        clearTimeout(timer);
        timer = setTimeout(() => { isGoing = false; }, goingMillis);
        return true;
    case "j": return moveRow(1);
    case "k": return moveRow(-1);
    case "Escape": {
        const back = document.querySelector("main .back");
        back?.click();
        return Boolean(back);
    }
    default: return false;
    }
}

/** Moves the focus among the rows of the page's first table; whether there are any. */
function moveRow(step) {
    const links = [...document.querySelectorAll("main .row-link")].filter((link) => link.offsetParent !== null);
    if (links.length === 0) { return false; }
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next].focus();
    links[next].closest("tr")?.scrollIntoView({ block: "nearest" });
    return true;
}

/** The list of keys. */
export function showKeys() {
    const row = (keys, text) => make("div", {}, make("dt", {}, keys.map((key) => make("kbd", {}, key))), make("dd", {}, text));
    dialog({
        title: say("frame.keys"), mode: null,
        body: make("dl", { class: "keys" },
            row(["/"], say("frame.keySearch")), row(["j", "k"], say("frame.keyRows")), row(["enter"], say("frame.keyOpen")),
            row(["esc"], say("frame.keyBack")), row(["?"], say("frame.keyKeys")),
            places.filter(mayOpen).map(({ menu }) => row(["g", menu.key], say(menu.word)))),
    });
}
