//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Access tokens for machines, and what needs a second person.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { amountText, daysUntil, moment, relative } from "../core/format.js";
import { href, refresh, setQuery } from "../core/router.js";
import { can, houseMode, merchantNamed, seesAll, state } from "../core/state.js";
import { say } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { button, disclosure, empty, facts, note, page, toast } from "../widgets/basics.js";
import { confirm, dialog, secretOnce } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag, tag } from "../widgets/marks.js";
import { pagedList } from "../widgets/table.js";
import { limitsField, merchantsField, merchantsText, parts, readLimits, roles } from "./people.js";
import { actorText, merchantsNow, waitsForSecond } from "./shared/parts.js";

const soonDays = 14;

export function tokens({ query, signal }) {
    const wanted = query.get("state") === "all" ? "all" : null;
    const mayChange = can("people:write");
    const add = (options) => button(say("people.addToken"), () => tokenDialog(), { kind: "primary", icon: "plus", ...options });
    const head = mayChange && add({ hidden: true });
    const show = (rows) => {
        const now = Date.now();
        const isOver = ({ revokedAt, endsAt }) => revokedAt !== null || Date.parse(endsAt) <= now;
        const [open, over] = [rows.filter((one) => !isOver(one)), rows.filter(isOver)];
        if (head) { head.hidden = open.length === 0; }
        return make("div", { class: "listed" },
            open.length > 0 ? make("ul", { class: "cards" }, open.map((token) => tokenCard(token, mayChange)))
                : empty(say("people.noTokens"), say("people.noTokensText"), mayChange && add()),
            over.length > 0 && disclosure(say("people.overTokens", { count: over.length }), { open: wanted !== null }, make("ul", { class: "plain-list over-tokens" }, over.map(overToken))),
            !wanted && make("p", {}, button(say("people.tokensAll"), () => setQuery({ state: "all" }), { small: true })));
    };
    return page({ title: say("people.title"), lead: say("people.tokensLead"), actions: [exportButton("tokens", () => ({ state: wanted })), head] }, parts("/people/tokens"),
        pagedList({ load: (after) => api.get("/tokens", { state: wanted, after }, { signal }), show, tried: say("people.tokensTried"), isByTime: false }));
}

const overToken = ({ name, madeBy, revokedAt, endsAt }) => make("li", {},
    mark("retired", { word: say(revokedAt ? "people.tokenRevoked" : "people.tokenEnded") }), " ", make("strong", {}, name), " ",
    make("span", { class: "muted" }, actorText(madeBy), " · ", moment(revokedAt ?? endsAt, "day")));

function tokenCard(token, mayChange) {
    const left = daysUntil(token.endsAt);
    const names = token.merchants?.map((id) => state.merchants.find((merchant) => merchant.id === id)?.displayName ?? id) ?? null;
    const revoke = async () => {
        const done = await confirm({
            mode: houseMode(), title: say("people.revokeTitle", { name: token.name }), act: say("people.revokeDo"), danger: true,
            sentence: say(token.lastUsedAt ? "people.revokeUsed" : "people.revokeText", { name: token.name, when: token.lastUsedAt ? relative(token.lastUsedAt) : "" }),
            run: () => api.remove(`/tokens/${encodeURIComponent(token.id)}`),
        });
        if (done) { toast(say("people.tokenGone", { name: token.name })); refresh(); }
    };
    return make("li", { class: "card" },
        make("div", { class: "card-head" }, make("h2", {}, token.name),
            mark(left <= soonDays ? "open" : "active", { word: say("people.tokenEnds", { count: Math.max(0, left) }) })),
        make("p", { class: "tags" }, token.scopes.map((scope) => make("code", { class: "tag" }, scope))),
        facts([
            [say("people.merchants"), merchantsText(names)], token.sandboxOnly && [say("people.changes"), say("people.sandboxOnly")],
            [say("people.madeBy"), actorText(token.madeBy)], [say("people.lastUse"), token.lastUsedAt ? relative(token.lastUsedAt) : say("people.notUsed")],
        ].filter(Boolean), { wide: true }),
        mayChange && make("div", { class: "card-actions" }, button(say("people.revoke"), revoke, { small: true, label: say("people.revokeThat", { name: token.name }) })));
}

async function tokenDialog() {
    const merchants = await merchantsNow();
    let opened;
    const own = form({
        fields: [
            { name: "name", label: say("people.tokenName"), hint: say("people.tokenNameHelp"), required: true, maxlength: 64 },
            { name: "role", label: say("people.mayDo"), kind: "radio", required: true, value: "viewer", options: [...roles.map((role) => [role, say(`people.role_${role}`), say(`people.role_${role}Text`)]), ["scopes", say("people.someScopes"), say("people.someScopesText")]] },
            { name: "scopes", label: say("people.scopes"), kind: "flags", options: (state.session.person.scopes ?? []).map((scope) => [scope, scope]) },
            merchantsField(merchants, null),
            { name: "days", label: say("people.days"), hint: say("people.daysHelp"), kind: "number", value: "90", required: true, check: (days) => (days >= 1 && days <= 366 ? null : say("people.daysWrong")) },
        ],
        submit: say("people.makeToken"), cancel: () => opened.close(),
        onSubmit: async ({ role, scopes, merchants: some, ...rest }, { key }) => {
            const isSome = role === "scopes";
            if (isSome && !scopes) { own.setError("scopes", say("errors.required")); return; }
            const answer = await api.post("/tokens", { ...rest, ...(some === null ? {} : { merchants: some }), ...(isSome ? { scopes } : { role }) }, { key });
            opened.close();
            await secretOnce({ mode: houseMode(), title: say("people.newToken", { name: answer.token.name }), sentence: say("people.newTokenText"), secrets: [[answer.token.name, answer.secret]] });
            refresh();
        },
    });
    const scopesField = own.querySelector(".field-flags");
    const toggle = () => { scopesField.hidden = own.querySelector("input[type=radio]:checked")?.value !== "scopes"; };
    own.addEventListener("change", toggle);
    toggle();
    opened = dialog({ mode: houseMode(), title: say("people.addToken"), body: own, wide: true });
}

/** What a second person must agree to. */
export async function policies({ signal }) {
    const [{ data }, { currencies }, merchants] = await Promise.all([api.get("/approval-policies", {}, { signal }), api.get("/catalog", {}, { signal }), merchantsNow(signal)]);
    const names = ["house", ...merchants.map(({ name }) => name)];
    const known = new Map(data.map((policy) => [policy.policy, policy]));
    return page({ title: say("people.title"), lead: say("people.policiesLead") }, parts("/people/policies"),
        note("info", say("people.policiesStrictest"), " ", make("a", { href: href("/approvals") }, say("people.seeApprovals"))),
        make("ul", { class: "cards" }, names.map((name) => policyCard(name, known.get(name) ?? null, currencies))));
}

const none = { refundsAbove: null, aboveOwnLimit: false, liveCredentials: false, routes: false };

function policyCard(name, policy, currencies) {
    const own = policy ?? none;
    const merchant = name === "house" ? null : merchantNamed(name);
    const refunds = Object.entries(own.refundsAbove ?? {});
    const lines = [
        ...refunds.map(([code, amount]) => (/^0*\.?0*$/.test(amount) ? say("people.policy_everyRefund", { currency: code }) : say("people.policy_refundsAbove", { amount: amountText(amount, code) }))),
        own.refundsAbove && say(refunds.length > 0 ? "people.policy_otherRefunds" : "people.policy_allRefunds"), own.aboveOwnLimit && say("people.policy_aboveOwnLimit"), own.liveCredentials && say("people.policy_liveCredentials"), own.routes && say("people.policy_routes"),
    ].filter(Boolean);
    return make("li", { class: "card" },
        make("div", { class: "card-head" }, make("h2", {}, merchant?.displayName ?? say("people.house"), merchant && make("code", { class: "muted name-below" }, name)), merchant ? modeTag(merchant.mode) : tag(say("people.forAll"))),
        lines.length === 0 ? make("p", { class: "muted" }, say(merchant ? "people.policyNoneMerchant" : "people.policyNone"))
            : make("ul", { class: "ticks" }, lines.map((line) => make("li", {}, line))),
        can("people:write") && seesAll() && make("div", { class: "card-actions" },
            button(say("people.policyChange"), () => policyDialog(name, merchant, currencies), { small: true, label: say("people.policyChangeOf", { name: merchant?.displayName ?? say("people.house") }) })));
}

async function policyDialog(name, merchant, currencies) {
    const { body: { policy: _, ...before }, etag } = await api.read(`/approval-policies/${encodeURIComponent(name)}`);
    let opened;
    const own = form({
        changesOnly: true,
        fields: [
            limitsField(before.refundsAbove, currencies, {
                name: "refundsAbove", label: say("people.refunds"), heldLabel: say("people.refundsAbove"), hint: say("people.refundsHelp"),
                free: [say("people.refundsFree")], held: [say("people.refundsHeld"), say("people.refundsHeldText")],
            }),
            ...["aboveOwnLimit", "liveCredentials", "routes"].map((part) => ({ name: part, label: say(`people.policy_${part}`), kind: "flag", value: before[part] })),
        ],
        submit: say("people.policySave"), cancel: () => opened.close(),
        onSubmit: async ({ refundsAbove, ...rest }) => {
            // A policy is set as a whole: what nobody has changed goes back as it came.
            const limits = refundsAbove === undefined ? before.refundsAbove : readLimits(refundsAbove, currencies);
            const answer = await api.put(`/approval-policies/${encodeURIComponent(name)}`, { ...before, ...rest, refundsAbove: limits }, etag);
            opened.close();
            if (!waitsForSecond(answer)) { toast(say("people.policySaved")); }
            refresh();
        },
    });
    opened = dialog({ title: say("people.policyChangeOf", { name: merchant?.displayName ?? say("people.house") }), body: [make("p", { class: "sentence" }, say("people.policyText")), own], mode: merchant?.mode ?? null });
}

