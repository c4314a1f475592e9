//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What stands around every page: whose shop and which mode, the menu, search, who is signed in.

import { byId, icon, make, refill } from "./dom.js";
import { countFrom } from "./format.js";
import { href, here } from "./router.js";
import { chooseMerchant, mayOpen, mode, on, preference, prefer, seesAll, state } from "./state.js";
import { say } from "./words.js";
import { modeTag } from "../widgets/marks.js";
import { searchField } from "../widgets/search.js";
import { showKeys } from "../widgets/keys.js";
import { home } from "./home.js";

let pages = [];
let drawn = null;

/** Draws the frame; the page goes into its `main`. Returns that. */
export function drawFrame(list, { signOut }) {
    pages = list;
    const navigation = make("nav", { class: "menu", "aria-label": say("frame.menu") });
    const brand = make("div", { class: "brand" });
    const strip = make("div", { class: "strip" });
    const side = make("aside", { class: "side", id: "side" }, brand, navigation,
        make("div", { class: "side-foot" }, make("span", { class: "muted" }, `Pomona ${state.signIn.version ?? ""}`)));
    const opener = make("button", {
        type: "button", class: "copy menu-button", "aria-label": say("frame.menu"), "aria-expanded": "false", "aria-controls": "side",
        click: () => openSide(!side.classList.contains("open")),
    }, icon("menu"));
    const shade = make("div", { class: "shade", click: () => openSide(false) });
    const openSide = (isOpen) => {
        side.classList.toggle("open", isOpen);
        shade.classList.toggle("open", isOpen);
        opener.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) { navigation.querySelector("a")?.focus(); }
    };
    // On phones the menu is out of the way once something is chosen.
    navigation.addEventListener("click", (event) => { if (event.target.closest("a")) { openSide(false); } });
    side.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && side.classList.contains("open")) { event.stopPropagation(); openSide(false); opener.focus(); }
    });
    const main = make("main", { id: "main", tabindex: -1 });
    const frame = make("div", { class: "frame" },
        make("a", { class: "skip", href: "#main", click: (event) => { event.preventDefault(); main.focus(); } }, say("frame.skip")),
        make("div", { class: "edge", "aria-hidden": "true" }), side, shade,
        make("div", { class: "body" },
            make("header", { class: "head" }, make("div", { class: "top" }, opener, searchField(), person(signOut)), strip), main));
    byId("toasts").setAttribute("aria-label", say("frame.notes"));
    refill(byId("portal"), frame);
    drawn = { frame, navigation, brand, strip, main, openSide };
    redraw();
    return main;
}

/** Menu, merchant and mode as they are now. */
export function redraw() {
    if (!drawn) { return; }
    const { frame, brand, strip, navigation } = drawn;
    frame.classList.toggle("sandbox", mode() === "sandbox");
    frame.classList.toggle("live", mode() === "live");
    refill(brand, make("a", { class: "brand-name", href: href("/") }, make("img", { src: "/portal/icon.svg", alt: "", width: 22, height: 22 }), "Pomona"), modeTag(mode()), merchantChoice());
    refill(strip, modeTag(mode()), make("span", {}, state.merchants.find(({ name }) => name === state.merchant)?.displayName ?? say(seesAll() ? "frame.allMerchants" : "frame.noMerchant")));
    drawMenu(navigation);
}

function merchantChoice() {
    if (state.merchants.length < 2) {
        const only = state.merchants[0];
        return make("p", { class: "merchant-only" }, only ? only.displayName : say("frame.noMerchant"));
    }
    const modes = new Set(state.merchants.map((merchant) => merchant.mode));
    const titles = state.merchants.map(({ displayName }) => displayName);
    // What customers see may be one name for several: then what the house calls each comes first.
    const called = ({ name, displayName }) => (titles.indexOf(displayName) === titles.lastIndexOf(displayName) ? displayName : `${name} · ${displayName}`);
    const select = make("select", {
        class: "merchant-select", "aria-label": say("frame.merchant"), change: () => chooseMerchant(select.value || null),
    }, seesAll() && make("option", { value: "" }, say("frame.allMerchants")), state.merchants.map((merchant) =>
        make("option", { value: merchant.name }, modes.size > 1 ? `${called(merchant)} · ${say(`frame.${merchant.mode}`)}` : called(merchant))));
    select.value = state.merchant ?? "";
    return select;
}

function drawMenu(navigation) {
    const now = here().page;
    const current = now?.menu ? now : pages.find(({ menu, path }) => menu && now && now.path.startsWith(`${path}/`));
    const shown = pages.filter((page) => page.menu && mayOpen(page));
    const groups = [1, 2, 3].map((group) => shown.filter(({ menu }) => menu.group === group)).filter((group) => group.length > 0);
    refill(navigation, groups.map((group) => make("ul", {}, group.map((entry) => make("li", {}, menuLink(entry, entry === current))))));
}

function menuLink(entry, isCurrent) {
    const values = home.now;
    const number = values ? entry.menu.count?.(values) : undefined;
    const isMarked = Boolean(values && entry.menu.mark?.(values));
    return make("a", { href: href(entry.path), "aria-current": isCurrent ? "page" : undefined }, make("span", {}, say(entry.menu.word)),
        number > 0 && make("span", { class: "count" }, countFrom(number, entry.menu.isCut?.(values))),
        isMarked && make("span", { class: "count attention" }, "!", make("span", { class: "unseen" }, ` ${say("frame.needsSomebody")}`)));
}

function person(signOut) {
    const { displayName, userName, role } = state.session.person;
    const details = make("details", { class: "person" },
        make("summary", { "aria-label": say("frame.account", { name: displayName }) }, icon("person"), make("span", { class: "person-name" }, displayName), icon("down")),
        make("div", { class: "person-menu" },
            make("p", {}, make("strong", {}, displayName), make("span", { class: "muted" }, ` ${userName} · ${say(`states.role_${role}`)}`)),
            make("a", { href: href("/account"), click: () => { details.open = false; } }, say("frame.yourAccount")),
            make("button", { type: "button", click: () => prefer("theme", isDark() ? "light" : "dark") }, say("frame.switchTheme")),
            make("button", { type: "button", click: () => { details.open = false; showKeys(); } }, say("frame.keys"), make("kbd", {}, "?")),
            make("button", { type: "button", click: signOut }, say("frame.signOut"))));
    document.addEventListener("click", (event) => { if (!details.contains(event.target)) { details.open = false; } });
    details.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && details.open) { event.stopPropagation(); details.open = false; details.querySelector("summary").focus(); }
    });
    return details;
}

const isDark = () => (preference("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

/** After a page was shown: the menu says where we are. */
export function arrived() {
    if (!drawn) { return; }
    drawMenu(drawn.navigation);
}

on("home", () => drawn && drawMenu(drawn.navigation));
on("merchants", () => redraw());
