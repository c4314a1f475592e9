//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The portal's beginning: the language, who is signed in, the frame, and a page for each address.

import { get, getAll, read, remove, stream } from "./core/api.js";
import { byId, make, refill } from "./core/dom.js";
import { arrived, drawFrame, redraw } from "./core/frame.js";
import { renewHome } from "./core/home.js";
import { begin, forgetPlaces, href, navigate, refresh, register } from "./core/router.js";
import {
    applyPreferences, can, chooseMerchant, learnMerchants, mayOpen, merchantNamed, mode, on, preference, restoreMerchant, seesNone, state, report,
} from "./core/state.js";
import { onSessionEnd, reportSessionEnd } from "./core/tabs.js";
import { fitting, loadWords, say, speak } from "./core/words.js";
import { buttonLink, empty, loading, page as pageOf, problem } from "./widgets/basics.js";
import { endDialogs } from "./widgets/dialog.js";
import { listenToKeys } from "./widgets/keys.js";
import { searchPlaces } from "./widgets/search.js";
import { pages } from "./pages/index.js";

const patienceMillis = 150;
const styles = new Map();
const scrolled = new Map();
let main = null;
let living = null;
let shownAddress = null;

/** A page's own style sheet, once. */
function style(name) {
    if (!styles.has(name)) {
        styles.set(name, new Promise((resolve) => {
            document.head.append(make("link", { rel: "stylesheet", href: `/portal/css/${name}.css`, load: resolve, error: resolve }));
        }));
    }
    return styles.get(name);
}

/** Who has the focus, so that a page that is drawn anew can give it back. */
function focused() {
    const element = document.activeElement;
    if (!element || !main?.contains(element) || element === main) { return null; }
    const sign = signOf(element);
    const at = alike(sign).indexOf(element);
    return () => {
        const again = alike(sign);
        return again[at] ?? again[0] ?? null;
    };
}

const signOf = (element) => `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent.slice(0, 60)}`;
const alike = (sign) => [...main.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((one) => signOf(one) === sign);

async function show({ page, path, parameters, query, signal, keepsFocus }) {
    if (!state.session || state.session.stage !== "open") {
        await showSignIn();
        return;
    }
    if (shownAddress && shownAddress !== location.href) { scrolled.set(shownAddress, scrollY); }
    const giveBack = keepsFocus ? focused() : null;
    // Until what comes is there: a page that is asked for again stands meanwhile as it was. Who is signed out while it comes
    // has no such place any more.
    const place = main;
    if (!place) { return; } // Whoever draws the frame asks for its page.
    place.setAttribute("aria-busy", "true");
    let content;
    let title = null;
    const slow = setTimeout(() => { if (!keepsFocus && !signal.aborted) { refill(place, pageOf({ title: title ?? say("frame.loading") }, loading(5))); } }, patienceMillis);
    try {
        if (!(await followAddress(query, signal)) || !page) {
            content = missing();
        } else if (!mayOpen(page)) {
            content = notForYou(page);
        } else if (page.scope && seesNone()) {
            content = noneYet();
        } else {
            const [module] = await Promise.all([page.load(), loadWords(...page.words), page.css && style(page.css)]);
            const context = { path, parameters, query, signal, scope: page.scope };
            title = (page.title ?? module.title)?.(context) ?? "Pomona";
            content = await (page.render ?? module.render)(context, module);
            title = content.pageTitle ?? title;
        }
    } catch (error) {
        if (error.name === "AbortError" || signal.aborted) {
            // Where it was left, another page is on its way, and says when it is there.
            if (!signal.aborted) { place.removeAttribute("aria-busy"); }
            return;
        }
        content = error.status === 404 ? missing() : pageOf({ title: title ?? say("frame.notHere") }, problem(error, { tried: say("errors.triedPage"), again: refresh }));
    } finally {
        clearTimeout(slow);
    }
    if (signal.aborted || place !== main || !place.isConnected) { return; }
    refill(place, content);
    place.removeAttribute("aria-busy");
    title ??= say("frame.notHere");
    // The frame is of what is shown: a live payment that was searched for stands in a live frame, whatever merchant is chosen.
    state.shownMode = content.ofMode ?? null;
    redraw();
    document.title = mode() === "live" ? `${title} · Pomona` : `${title} · ${say("frame.sandbox")} · Pomona`;
    arrived();
    if (keepsFocus) {
        // Who is in the frame's search or menus meanwhile stays there: only a focus that went with the page is given back.
        const holder = document.activeElement;
        if (!holder || holder === document.body || main.contains(holder)) {
            (giveBack?.() ?? main.querySelector("h1"))?.focus({ preventScroll: true });
        }
    } else {
        scrollTo(0, scrolled.get(location.href) ?? 0);
        main.querySelector("h1")?.focus({ preventScroll: true });
    }
    shownAddress = location.href;
}

/**
 * Has the frame show the merchant that the address names: a link shows what it says, or nothing. False where this person sees none of
 * that name.
 */
async function followAddress(query, signal) {
    const named = query.get("merchant");
    if (!named || !can("merchants:read")) { return true; }
    // It may have been added since the sign-in.
    if (!merchantNamed(named)) { learnMerchants(await getAll("/merchants", {}, { signal })); }
    if (!merchantNamed(named)) { return false; }
    if (!signal.aborted) { chooseMerchant(named, { byAddress: true }); }
    return true;
}

const missing = () => pageOf({ title: say("frame.notHere") }, empty(say("frame.notHereTitle"), say("frame.notHereText"), buttonLink(say("frame.toHome"), href("/"))));

/** A page that the role does not show, or that is of all merchants together for somebody who is kept to some. */
const notForYou = ({ scope }) => (can(scope)
    ? pageOf({ title: say("frame.houseOnly") }, empty(say("frame.houseOnlyTitle"), say("frame.houseOnlyText"), buttonLink(say("frame.toHome"), href("/"))))
    : pageOf({ title: say("frame.notForYou") }, empty(say("frame.notForYouTitle"), say("frame.notForYouText", { scope }), buttonLink(say("frame.toHome"), href("/")))));

/** The server would ask which merchant is meant. */
const noneYet = () => pageOf({ title: say("frame.noneYet") }, empty(say("frame.noneYetTitle"), say("frame.noneYetText")));

async function showSignIn() {
    living?.abort();
    main = null;
    const [module] = await Promise.all([import("./pages/sign-in.js"), loadWords("signIn"), style("sign-in")]);
    document.title = `${say("signIn.title")} · Pomona`;
    refill(byId("portal"), module.signInPage({ onOpen: open }));
    document.querySelector("#portal [autofocus], #portal h1")?.focus();
}

/** After the sign-in is complete. */
async function open(session) {
    state.session = session ?? await get("/session");
    if (state.session.stage !== "open") {
        await showSignIn();
        return;
    }
    await drawSignedIn();
    if (location.pathname.startsWith("/portal/invitation") || new URLSearchParams(location.search).has("refused")) {
        navigate("/", { replace: true });
    } else {
        refresh();
    }
}

/** Everything that stands around the pages of who is signed in. */
async function drawSignedIn() {
    state.merchants = can("merchants:read") ? await getAll("/merchants") : [];
    restoreMerchant(new URLSearchParams(location.search).get("merchant"));
    main = drawFrame(pages, { signOut });
    live();
    renewHome({ atOnce: true });
}

async function signOut() {
    try {
        await remove("/session");
    } finally {
        living?.abort();
        reportSessionEnd();
        location.assign("/portal/");
    }
}

/**
 * Listens to what happens, for pages that show it. Tabs that nobody looks at don't: browsers open six connections to a server, of
 * all tabs together, and with one for each of six tabs that listen nothing else would be answered in any of them.
 */
function live() {
    living?.abort();
    if (document.hidden) { return; }
    living = new AbortController();
    const { signal } = living;
    stream("/stream", {
        query: { merchant: state.merchant ?? undefined }, signal,
        onEvent: (event, data) => {
            if (event === "end" && data.reason === "session_ended") { report("session", null); return; }
            if (event === "heartbeat") { return; }
            report("stream", { event, data });
            renewHome();
        },
        onOpen: (isOpen) => report("connected", isOpen),
    });
}

async function start() {
    applyPreferences();
    await speak(preference("language") ?? fitting());
    await loadWords("frame", "states", "errors");
    register(pages);
    searchPlaces(pages);
    listenToKeys(pages);
    on("session", () => {
        if (!state.session) { return; }
        endDialogs(state.session.person?.userName);
        state.session = null;
        state.wasEnded = true;
        reportSessionEnd();
        showSignIn();
    });
    onSessionEnd(async () => { if (state.session && !(await isStillSignedIn())) { report("session", null); } });
    document.addEventListener("visibilitychange", () => {
        if (!main || state.session?.stage !== "open") { return; }
        live();
        if (document.hidden) { return; }
        renewHome({ atOnce: true });
        report("stream", { event: "back", data: {} });
    });
    on("merchant", ({ byAddress }) => {
        forgetPlaces();
        redraw();
        live();
        renewHome({ atOnce: true });
        if (!byAddress) { navigate(location.pathname + queryOfChosen(), { replace: true, keepsFocus: true }); }
    });
    on("preferences", async (name) => {
        if (name !== "language") { return; }
        await speak(preference("language") ?? fitting());
        if (state.session?.stage === "open") { await open(state.session); } else { await showSignIn(); }
    });
    try {
        state.signIn = await get("/sign-in");
        state.session = await session();
    } catch (error) {
        refill(byId("portal"), make("main", { class: "alone" }, make("h1", {}, "Pomona"), problem(error, { tried: say("errors.triedStart"), again: () => location.reload() })));
        return;
    }
    begin(show);
}

/** The query for the merchant that is chosen now, without what belongs to another one's list. */
function queryOfChosen() {
    const query = new URLSearchParams(location.search);
    query.delete("after");
    query.delete("acquirer");
    if (query.has("merchant")) {
        query.delete("merchant");
        if (state.merchant) { query.set("merchant", state.merchant); }
    }
    return query.size > 0 ? `?${query}` : "";
}

/** Whether the cookie is still of who works here; somebody else may have signed in in another tab. */
async function isStillSignedIn() {
    try {
        const { body } = await read("/session", {}, { background: true });
        return body.stage === state.session?.stage && body.person?.userName === state.session?.person?.userName;
    } catch (error) {
        return error.status !== 401;
    }
}

async function session() {
    try {
        const { body } = await read("/session");
        if (body.stage !== "open") { return body; }
        state.session = body;
        await drawSignedIn();
        return body;
    } catch (error) {
        if (error.status === 401) { return null; }
        throw error;
    }
}

start();
