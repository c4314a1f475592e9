//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Who administers: people with their roles, merchants and refund limits; how somebody comes in, and is kept out.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { amountText, list as listText, moment, relative } from "../core/format.js";
import { href, leadsSomewhere, navigate, refresh } from "../core/router.js";
import { can, houseMode, seesAll, state } from "../core/state.js";
import { say } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { button, buttonLink, empty, eventually, facts, identifier, note, page, section, toast } from "../widgets/basics.js";
import { confirm, secretOnce } from "../widgets/dialog.js";
import { form, optionsWith } from "../widgets/forms.js";
import { mark, tag } from "../widgets/marks.js";
import { pagedList, table } from "../widgets/table.js";
import { merchantsNow, tabs } from "./shared/parts.js";

export const roles = ["owner", "operator", "support", "developer", "viewer"];

export const parts = (current) => tabs(say("people.title"), [
    ["/people", say("people.people")], ["/people/tokens", say("people.tokens")], ["/people/policies", say("people.policies")],
], current);

const pathOf = (person, rest = "") => `/people/${encodeURIComponent(person.id ?? person)}${rest}`;

/** How somebody stands: one word. */
function standing(person) {
    if (person.state === "suspended") { return mark("suspended"); }
    if (person.lockedUntil && Date.parse(person.lockedUntil) > Date.now()) { return mark("locked", { word: say("people.locked") }); }
    if (person.invitedUntil && !person.hasPassword) {
        return Date.parse(person.invitedUntil) > Date.now() ? mark("invited", { word: say("people.invited") }) : mark("expired", { word: say("people.invitationOver") });
    }
    return mark("active");
}

export const merchantsText = (merchants) => (merchants === null ? say("people.allMerchants") : merchants.length === 0 ? say("people.noMerchants") : listText(merchants));

export function list({ signal }) {
    const add = buttonLink(say("people.add"), href("/people/new"), { kind: "primary", icon: "plus" });
    const load = (after) => api.get("/people", { after }, { signal });
    const show = (rows) => {
        const missing = rows.filter(({ hasSecondFactor, hasPassword, state: own }) => own === "active" && hasPassword && !hasSecondFactor).length;
        return make("div", { class: "listed" }, missing > 0 && note("unknown", say("people.withoutSecond", { count: missing })), table({
            caption: say("people.people"), rows, href: ({ id }) => href(`/people/${id}`), empty: empty(say("people.none"), say("people.noneText")),
            columns: [
                { name: "person", title: say("people.person"), cell: ({ displayName, userName }) => make("span", { class: "two-lines" }, make("strong", {}, displayName), make("code", { class: "muted" }, userName)), phone: "first" },
                { name: "state", title: say("people.state"), cell: standing, phone: "first-end" },
                { name: "role", title: say("people.role"), cell: ({ role }) => tag(say(`people.role_${role}`)), phone: "second" },
                { name: "merchants", title: say("people.merchants"), cell: ({ merchants }) => merchantsText(merchants), phone: "none" },
                { name: "second", title: say("people.second"), cell: ({ hasSecondFactor }) => (hasSecondFactor ? mark("done", { tone: "done", word: say("people.hasSecond") }) : mark("pending", { word: say("people.noSecond") })), phone: "none" },
                { name: "last", title: say("people.lastSignIn"), cell: ({ lastSignInAt }) => (lastSignInAt ? relative(lastSignInAt) : say("people.never")), phone: "second-end" },
            ],
        }));
    };
    return page({ title: say("people.title"), lead: say("people.lead"), actions: [exportButton("people", () => ({})), can("people:write") && add] }, parts("/people"),
        pagedList({ load, show, tried: say("people.tried"), isByTime: false }));
}

/** The field of which merchants somebody or something is for: all, which is null, or a list, which may be empty. */
export function merchantsField(merchants, value) {
    const own = {
        name: "merchants", label: say("people.merchants"), keepsEmpty: true, value,
        options: optionsWith(merchants.map(({ name, displayName }) => [name, displayName, name]), ...(value ?? [])),
    };
    // Nobody who is kept to some can give all.
    return seesAll()
        ? { ...own, kind: "bound", of: "flags", free: [say("people.merchantsAll"), say("people.merchantsAllText")], held: [say("people.merchantsSome"), say("people.merchantsSomeText")] }
        : { ...own, kind: "flags", hint: say("people.merchantsHelpSome"), required: true };
}

/** A field of amounts by currency, one a line: null is that there are none, an empty text that nothing is named. */
export const limitsField = (value, currencies, rest) => ({
    kind: "bound", of: "textarea", rows: 3, mono: true, placeholder: "EUR 100.00", keepsEmpty: true, ...rest,
    value: value && Object.entries(value).map(([code, amount]) => `${code} ${amount}`).join("\n"),
    check: (text) => (readLimits(text, currencies) === undefined ? say("people.limitsWrong") : null),
});

/** Fields of what somebody may do; `digits` by currency come from the catalog. */
const accessFields = (person, currencies, merchants) => [
    { name: "role", label: say("people.role"), kind: "radio", required: true, value: person?.role ?? "support", options: roles.map((role) => [role, say(`people.role_${role}`), say(`people.role_${role}Text`)]) },
    merchantsField(merchants, person?.merchants ?? null),
    limitsField(person?.refundLimits ?? null, currencies, {
        name: "refundLimits", label: say("people.limits"), hint: say("people.limitsHelp"), free: [say("people.limitsFree")], held: [say("people.limitsSome"), say("people.limitsSomeText")],
    }),
];

/** "EUR 100" a line as `{ EUR: "100.00" }`, which may have none; null for null; undefined for what is no limit, or a second of a currency. */
export function readLimits(text, currencies) {
    if (text === null) { return null; }
    const limits = {};
    for (const line of text.split(/\n+/).map((one) => one.trim()).filter(Boolean)) {
        const match = /^([A-Za-z]{3})\s+(\d{1,16})(?:[.,](\d{1,4}))?$/.exec(line);
        const currency = match && currencies.find(({ code }) => code === match[1].toUpperCase());
        if (!currency || currency.code in limits || (match[3]?.length ?? 0) > currency.digits) { return undefined; }
        limits[currency.code] = currency.digits === 0 ? match[2] : `${match[2]}.${(match[3] ?? "").padEnd(currency.digits, "0")}`;
    }
    return limits;
}

/** Of what was read of those fields what the API takes: of each that was read, and of no other. */
function readAccess({ role, merchants, refundLimits }, currencies) {
    const read = { role, merchants, refundLimits: refundLimits === undefined ? undefined : readLimits(refundLimits, currencies) };
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/**
 * Fields of who somebody is at a sign-in provider, where there is one; a link that is there can be taken away even where its provider
 * has gone. Only who sees all merchants gives them.
 */
function identityFields(person, providers) {
    const own = person?.externalIdentity ?? null;
    if (!seesAll() || (providers.length === 0 && !own)) { return []; }
    // Two sign-ins may stand before one provider: the identity is the provider's.
    const known = new Map(providers.map(({ issuer, label }) => [issuer, `${label} · ${issuer}`]));
    if (own && !known.has(own.issuer)) { known.set(own.issuer, own.issuer); }
    const several = known.size > 1 ? [{ name: "issuer", label: say("people.issuer"), kind: "choice", options: [...known], value: own?.issuer ?? providers[0].issuer, pointer: "/externalIdentity/issuer", required: true }] : [];
    return [...several, {
        name: "subject", label: say("people.subject"), hint: say(known.size > 1 ? "people.subjectHelp" : "people.subjectHelpOne", { provider: [...known.values()][0] }), maxlength: 255, mono: true,
        value: own?.subject ?? "", pointer: "/externalIdentity/subject",
    }];
}

/** What the fields say, or null for no link; where there are none, what there was. */
function readIdentity({ issuer, subject }, person, providers) {
    if (!seesAll()) { return person?.externalIdentity ?? null; }
    return subject ? { issuer: issuer ?? person?.externalIdentity?.issuer ?? providers[0].issuer, subject } : null;
}

/** A new person. */
export async function create({ signal }) {
    const [{ currencies, signInProviders: providers }, merchants] = await Promise.all([api.get("/catalog", {}, { signal }), merchantsNow(signal)]);
    const own = form({
        fields: [
            { name: "displayName", label: say("people.displayName"), required: true, maxlength: 64, autofocus: true },
            { name: "userName", label: say("people.userName"), hint: say("people.userNameHelp"), required: true, maxlength: 64 },
            { name: "email", label: say("people.email"), kind: "email", maxlength: 254 },
            ...accessFields(null, currencies, merchants),
            {
                name: "credential", label: say("people.credential"), kind: "radio", required: true, value: "invitation",
                options: ["invitation", "password", ...(providers.length > 0 ? ["none"] : [])].map((name) => [name, say(`people.credential_${name}`), say(`people.credential_${name}Text`)]),
            },
            ...identityFields(null, providers),
        ],
        submit: say("people.create"), cancel: () => navigate("/people"),
        onSubmit: async ({ displayName, userName, email, credential, ...access }, { key }) => {
            const externalIdentity = readIdentity(access, null, providers);
            const answer = await api.post("/people", {
                userName, displayName, credential, ...readAccess(access, currencies), ...(email ? { email } : {}), ...(externalIdentity ? { externalIdentity } : {}),
            }, { key });
            await handOver(answer);
            navigate(`/people/${answer.person.id}`);
        },
    });
    return page({ title: say("people.newTitle"), lead: say("people.newLead"), back: { href: href("/people"), text: say("people.title") } }, own);
}

/** Shows what somebody signs in with the first time, this once. */
async function handOver({ person, credential, secret }) {
    if (!secret) { return; }
    const value = credential === "invitation" ? `${location.origin}${href("/invitation")}#${secret}` : secret;
    await secretOnce({
        mode: houseMode(),
        title: say(`people.handOver_${credential}`, { name: person.displayName }), sentence: say(`people.handOver_${credential}Text`, { name: person.displayName }),
        secrets: [[say(`people.secret_${credential}`), value]],
    });
}

/** One person. */
export async function show({ parameters, signal }) {
    const mayChange = can("people:write");
    const [{ currencies, signInProviders: providers }, { body: person, etag }, merchants] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.read(pathOf(parameters.person), {}, { signal }), mayChange ? merchantsNow(signal) : [],
    ]);
    const isSelf = person.id === state.session.person.id;
    return page({
        title: person.displayName, back: { href: href("/people"), text: say("people.title") },
        lead: make("span", { class: "marks" }, standing(person), tag(say(`people.role_${person.role}`)), make("code", { class: "muted" }, person.userName), isSelf && tag(say("people.you"), "info")),
        actions: mayChange ? stateActions(person, etag) : [],
    },
    section(say("people.may"), {}, mayChange ? changeForm(person, etag, { currencies, providers, merchants }) : facts([
        [say("people.role"), say(`people.role_${person.role}Text`)], [say("people.merchants"), merchantsText(person.merchants)], [say("people.limits"), limitsText(person.refundLimits)],
    ])),
    section(say("people.signIn"), {}, facts([
        [say("people.password"), person.hasPassword ? say(person.mustChangePassword ? "people.passwordFirst" : "people.passwordSet") : say("people.passwordNone")],
        [say("people.second"), person.hasSecondFactor ? say("people.hasSecond") : say("people.noSecond")],
        person.externalIdentity && [say("people.external"), make("span", {}, make("code", { class: "wrap" }, person.externalIdentity.issuer), " ", make("code", { class: "wrap" }, person.externalIdentity.subject))],
        person.invitedUntil && [say("people.invitedUntil"), moment(person.invitedUntil)],
        person.failures > 0 && [say("people.failures"), person.failures], person.lockedUntil && [say("people.lockedUntil"), moment(person.lockedUntil)],
        [say("people.lastSignIn"), person.lastSignInAt ? moment(person.lastSignInAt) : say("people.never")],
    ].filter(Boolean)), mayChange && make("div", { class: "card-actions" }, signInActions(person))),
    section(say("people.sessions"), {}, eventually(() => sessionsPart(person, signal, mayChange), { rows: 2, tried: say("people.sessionsTried") })),
    section(say("people.facts"), {}, facts([
        [say("people.email"), person.email], [say("people.createdAt"), moment(person.createdAt, "day")], [say("people.id"), identifier(person.id)],
        leadsSomewhere("/audit") && [say("people.done"), make("a", { href: href("/audit", { actor: person.userName }) }, say("people.seeAudit"))],
    ].filter(Boolean))));
}

const limitsText = (limits) => (limits === null ? say("people.noLimit") : Object.keys(limits).length === 0 ? say("people.noRefunds") : Object.entries(limits).map(([code, amount]) => amountText(amount, code)).join(", "));

function changeForm(person, etag, { currencies, providers, merchants }) {
    const own = form({
        changesOnly: true,
        fields: [
            { name: "displayName", label: say("people.displayName"), required: true, maxlength: 64, value: person.displayName },
            { name: "email", label: say("people.email"), kind: "email", maxlength: 254, value: person.email ?? "" }, ...accessFields(person, currencies, merchants),
            ...identityFields(person, providers),
        ],
        submit: say("people.save"),
        onSubmit: async ({ displayName, email, issuer, subject, ...access }) => {
            const wanted = {
                ...(displayName === undefined ? {} : { displayName }), ...(email === undefined ? {} : { email: email || null }), ...readAccess(access, currencies),
                // An identity is both of them, whichever was changed.
                ...(issuer === undefined && subject === undefined ? {} : { externalIdentity: readIdentity({ issuer: own.read("issuer"), subject: own.read("subject") }, person, providers) }),
            };
            const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(person[name])));
            if (Object.keys(changes).length === 0) { toast(say("people.nothingChanged"), { tone: "info" }); return; }
            if (changes.role) {
                const sure = await confirm({
                    mode: houseMode(), title: say("people.roleTitle", { name: person.displayName }), act: say("people.roleDo", { role: say(`people.role_${changes.role}`) }),
                    sentence: say("people.roleText", { name: person.displayName, role: say(`people.role_${changes.role}`), may: say(`people.role_${changes.role}Text`) }),
                });
                if (!sure) { return; }
            }
            await api.patch(pathOf(person), changes, etag);
            toast(say("people.saved"));
            refresh();
        },
    });
    return own;
}

const simple = (person, verb, options = {}) => async () => {
    const done = await confirm({
        mode: houseMode(), title: say(`people.${verb}Title`, { name: person.displayName }), sentence: say(`people.${verb}Text`, { name: person.displayName }), act: say(`people.${verb}Do`, { name: person.displayName }),
        run: (key) => api.post(pathOf(person, `/${verb}`), undefined, { key }), ...options,
    });
    if (done) { refresh(); }
};

function stateActions(person, etag) {
    const remove = async () => {
        const done = await confirm({
            mode: houseMode(), title: say("people.removeTitle", { name: person.displayName }), sentence: say("people.removeText", { name: person.displayName }), act: say("people.removeDo", { name: person.displayName }),
            danger: true, typed: person.userName, run: () => api.remove(pathOf(person), { etag }),
        });
        if (done) { toast(say("people.removed", { name: person.displayName })); navigate("/people"); }
    };
    return [
        person.state === "suspended" ? button(say("people.resume"), simple(person, "resume"), { kind: "primary" }) : button(say("people.suspend"), simple(person, "suspend", { danger: true })),
        button(say("people.remove"), remove),
    ];
}

function signInActions(person) {
    const reset = async () => {
        const answer = await confirm({
            mode: houseMode(), title: say("people.resetTitle", { name: person.displayName }), sentence: say("people.resetText", { name: person.displayName }), act: say("people.resetDo"), danger: true,
            run: (key) => api.post(pathOf(person, "/reset-password"), { credential: "invitation" }, { key }),
        });
        if (answer) { await handOver(answer); refresh(); }
    };
    return [
        button(say(person.invitedUntil && !person.hasPassword ? "people.inviteAgain" : "people.reset"), reset, { small: true }),
        person.hasSecondFactor && button(say("people.resetSecond"), simple(person, "reset-second-factor", { danger: true }), { small: true }),
        (person.failures > 0 || person.lockedUntil) && button(say("people.unlock"), simple(person, "unlock"), { small: true }),
    ].filter(Boolean);
}

async function sessionsPart(person, signal, mayChange) {
    const { data } = await api.get(pathOf(person, "/sessions"), {}, { signal });
    const place = make("div", {});
    return refill(place, data.length === 0 ? make("p", { class: "muted" }, say("people.noSessions")) : [
        make("ul", { class: "plain-list" }, data.map(({ createdAt, lastSeenAt, address, userAgent, current }) => make("li", { class: "session-line" },
            make("span", {}, make("strong", {}, address ?? "–"), current && tag(say("people.thisSession"), "info")),
            make("span", { class: "muted wrap" }, userAgent ?? "–"), make("span", { class: "muted" }, say("people.sessionSeen", { since: relative(createdAt), seen: relative(lastSeenAt) }))))),
        mayChange && make("div", { class: "card-actions" }, button(say("people.endSessions"), simple(person, "end-sessions", { danger: true }), { small: true })),
    ]);
}

