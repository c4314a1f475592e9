//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Pages by their paths, over the history. A path below /portal is deep: the server answers each with the same document.

import { mayOpen } from "./state.js";

const base = "/portal";
const routes = [];
let show = () => {};
let leaving = null;
/** With which query each path was shown last, in this tab. */
const places = new Map();

/** "/payments/:id" as what finds it. */
function pattern(path) {
    const names = [];
    const text = path.replace(/:(\w+)/g, (_, name) => {
        names.push(name);
        return "([^/]+)";
    });
    return { matcher: new RegExp(`^${text}$`), names };
}

/** Registers pages: `{ path, load, … }`. The first that fits is shown. */
export function register(pages) {
    for (const page of pages) { routes.push({ page, ...pattern(page.path) }); }
}

/** The address of a page for a link: `/portal/payments?state=captured`. */
export function href(path, query = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one !== undefined && one !== null && one !== "") { parameters.append(name, one); }
        }
    }
    const text = parameters.toString();
    return base + path + (text ? `?${text}` : "");
}

/** The page at a path below /portal, with the path's parameters; `page` is undefined where there is none. */
function pageAt(path) {
    for (const { page, matcher, names } of routes) {
        const found = matcher.exec(path);
        if (found) {
            try {
                return { page, parameters: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1])])) };
            } catch {
                break; // A malformed percent sign names nothing.
            }
        }
    }
    return { page: undefined, parameters: {} };
}

/** Where we are: `{ page, path, parameters, query }`; `page` is undefined for an address that has none. */
export function here() {
    const path = location.pathname.slice(base.length).replace(/\/+$/, "") || "/";
    return { ...pageAt(path), path, query: new URLSearchParams(location.search) };
}

/** The address of a list for the way back to it: with its filters and its page, as it was left. */
export const backTo = (path) => base + path + (places.get(path) ?? "");

/** Another merchant is looked at: the filters and pages of lists whose address names none were not of it. */
export function forgetPlaces() {
    for (const [path, query] of places) {
        if (!new URLSearchParams(query).has("merchant")) { places.delete(path); }
    }
}

/** Whether a link to that path leads this person to a page, and not to a refusal. */
export function leadsSomewhere(path) {
    const { page } = pageAt(path);
    return page !== undefined && mayOpen(page);
}

/** Goes to a page: a path below /portal, with a query. */
export function navigate(path, { query = {}, replace = false, keepsFocus = false } = {}) {
    const address = path.startsWith(base) ? path : href(path, query);
    history[replace ? "replaceState" : "pushState"]({}, "", address);
    arrive({ keepsFocus });
}

/** Changes members of the query, null takes one away; the page is shown anew, with the focus where it is. */
export function setQuery(changes, { replace = false } = {}) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === "") { query.delete(name); } else { query.set(name, value); }
    }
    const text = query.toString();
    history[replace ? "replaceState" : "pushState"]({}, "", location.pathname + (text ? `?${text}` : ""));
    arrive({ keepsFocus: true });
}

/** Shows the page that is shown, from the server again. */
export const refresh = () => arrive({ keepsFocus: true });

function arrive(options) {
    leaving?.abort();
    leaving = new AbortController();
    const place = here();
    places.set(place.path, location.search);
    show({ ...place, ...options, signal: leaving.signal });
}

/** Begins: `shower` is called with what to show, each time. */
export function begin(shower) {
    show = shower;
    addEventListener("popstate", () => arrive({ keepsFocus: false }));
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href]");
        if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
            || event.altKey || link.target || link.hasAttribute("download")) {
            return;
        }
        const url = new URL(link.href);
        if (url.origin !== location.origin || !(url.pathname === base || url.pathname.startsWith(`${base}/`))) { return; }
        if (url.hash && url.pathname === location.pathname && url.search === location.search) { return; }
        event.preventDefault();
        navigate(url.pathname + url.search);
    });
    arrive({ keepsFocus: false });
}
