//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Home shows of the last day, kept for the menu's numbers as well.

import { get } from "./api.js";
import { can, state, report } from "./state.js";

const restMillis = 20_000;

/** `now`: the last answer of `GET /home` for what is looked at, or null. */
export const home = { now: null, merchant: undefined, at: 0 };
let timer = null;

/** Whether more calls were refused than the server has read. */
export const isCutOfRefusals = ({ buckets }) => buckets.some(({ refused }) => refused === null);

/** Asks for it. `background`: nobody has clicked. */
export async function loadHome({ query = {}, signal, background = false } = {}) {
    const merchant = state.merchant;
    const answer = await get("/home", { merchant, ...query }, { signal, background });
    if (!query.from && merchant === state.merchant) {
        Object.assign(home, { now: answer, merchant, at: Date.now() });
        report("home", answer);
    }
    return answer;
}

/** The menu's numbers, not more often than they are worth. */
export function renewHome({ atOnce = false } = {}) {
    if (!can("payments:read") || timer) { return; }
    const wait = atOnce ? 0 : Math.max(restMillis - (Date.now() - home.at), 0);
    timer = setTimeout(async () => {
        timer = null;
        if (!state.session) { return; }
        try {
            await loadHome({ background: true });
        } catch {
            // Home itself says what is wrong when it is looked at.
        }
    }, wait);
}
