//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What all pages share: who is signed in, which merchant is looked at, and how this person likes it.

const listeners = new Map();

/**
 * @property session what `GET /session` answers, or null
 * @property signIn what `GET /sign-in` answers
 * @property merchants the merchants that this person sees
 * @property merchant the name of the chosen one, or null for all
 * @property shownMode the mode of the one thing that the page is of, whatever is chosen; null for other pages
 */
export const state = { session: null, signIn: null, merchants: [], merchant: null, shownMode: null };

/** Listens to "session", "merchant", "merchants", "stream", "dialog" (one has closed), "undone" (a form's error) or "preferences"; returns what ends that. */
export function on(subject, listener) {
    const all = listeners.get(subject) ?? listeners.set(subject, new Set()).get(subject);
    all.add(listener);
    return () => all.delete(listener);
}

export function report(subject, value) {
    for (const listener of [...(listeners.get(subject) ?? [])]) { listener(value); }
}

/** Whether the person's role has a scope: "payments:refund". */
export const can = (scope) => scope === undefined || scope === null || (state.session?.person.scopes ?? []).includes(scope);

/** Whether the person is for all merchants, and not kept to some. */
export const seesAll = () => (state.session?.person.merchants ?? null) === null;

/** Who is kept to merchants of which there are none yet. */
export const seesNone = () => state.session?.person.merchants?.length === 0;

/** Whether a page is for the person: the role has its `scope`, and what is of the whole `house` is for those who see all merchants. */
export const mayOpen = ({ scope, house = false }) => can(scope) && (!house || seesAll());

/** The chosen merchant's record, or null. */
export const chosenMerchant = () => state.merchants.find(({ name }) => name === state.merchant) ?? null;

/** Merchants as they are now, whoever has changed or added them meanwhile: the frame's choice has them, too. */
export function learnMerchants(rows) {
    const now = new Map(rows.map((merchant) => [merchant.name, merchant]));
    const known = new Set(state.merchants.map(({ name }) => name));
    state.merchants = [...state.merchants.map((merchant) => now.get(merchant.name) ?? merchant), ...rows.filter(({ name }) => !known.has(name))];
    report("merchants", state.merchants);
}

/** The merchant of that name, or null. */
export const merchantNamed = (name) => state.merchants.find((merchant) => merchant.name === name) ?? null;

/** "live" or "sandbox": of the thing that is looked at, else of the chosen merchant, else of the installation. */
export const mode = () => state.shownMode ?? chosenMerchant()?.mode ?? houseMode();

/** The mode of what is of no merchant: people, tokens, what counts for all. */
export const houseMode = () => state.signIn?.mode ?? "sandbox";

/** The mode of what is of the merchant of that name; the house's for what is of none. */
export const modeOf = (name) => merchantNamed(name)?.mode ?? houseMode();

/** The zone in which moments are shown: the merchant's, else that of all merchants if they have one, else the browser's. */
export function zone() {
    const chosen = chosenMerchant();
    if (chosen) { return chosen.timeZone; }
    const zones = new Set(state.merchants.map(({ timeZone }) => timeZone));
    return zones.size === 1 ? [...zones][0] : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const prefix = "pomona.portal.";

function kept(storage, name) {
    try {
        return globalThis[storage].getItem(prefix + name);
    } catch {
        return null; // A browser may forbid it; then nothing is kept.
    }
}

function keep(storage, name, value) {
    try {
        if (value === null) {
            globalThis[storage].removeItem(prefix + name);
        } else {
            globalThis[storage].setItem(prefix + name, value);
        }
    } catch {
        // As above.
    }
}

/**
 * The merchant of that name; without one all together, for those who see all. Whoever is kept to some looks at one at a time: of
 * several that are not all, the API has neither lists nor sums.
 */
function choosable(name) {
    if (state.merchants.some((merchant) => merchant.name === name)) { return name; }
    return seesAll() ? null : state.merchants[0]?.name ?? null;
}

/** Chooses a merchant by name, or all by null. Kept for this tab. `byAddress`: the address says so already, and its page is on its way. */
export function chooseMerchant(name, { byAddress = false } = {}) {
    const chosen = choosable(name);
    if (chosen === state.merchant) { return; }
    state.merchant = chosen;
    keep("sessionStorage", "merchant", chosen);
    report("merchant", { byAddress });
}

/**
 * After the merchants came: the one that the address names, else the one that was chosen before, else the only one, else the first of
 * those that somebody is kept to.
 */
export function restoreMerchant(named) {
    const before = merchantNamed(named) ? named : kept("sessionStorage", "merchant");
    const only = state.merchants.length === 1 ? state.merchants[0].name : null;
    state.merchant = choosable(before) ?? only;
    if (state.merchant === named) { keep("sessionStorage", "merchant", named); }
}

/** How a person likes it: `theme` (light, dark or null for the system's), `density` (dense or null), `language`. */
export const preference = (name) => kept("localStorage", name);

export function prefer(name, value) {
    keep("localStorage", name, value);
    applyPreferences();
    report("preferences", name);
}

export function applyPreferences() {
    const root = document.documentElement;
    for (const name of ["theme", "density"]) {
        const value = kept("localStorage", name);
        if (value) { root.dataset[name] = value; } else { delete root.dataset[name]; }
    }
}
