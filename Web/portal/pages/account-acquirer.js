//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// An account with an acquirer: made from what its connector says it needs; checked; its secrets replaced; suspended and resumed.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { href, navigate, refresh } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { button, disclosure, english, facts, identifier, note, page, problem, section, toast } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { changesOf, follows, pathOf, settingFields, valuesOf, waitsForSecond, whoseIsIt } from "./shared/parts.js";

const back = () => ({ href: href("/accounts"), text: say("accounts.title") });

/** A new account. */
export async function create({ query, signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("accounts.newAcquirer"), say("accounts.newAcquirerLead")); }
    const { connectors: all } = await api.get("/catalog", {}, { signal });
    // Which kinds may never take the other mode's payments the server says; what is known not to fit is not offered.
    const connectors = all.filter(({ connector }) => merchant.mode === "sandbox" || connector !== "simulator");
    const place = make("div", {});
    const choose = (name) => refill(place, name && createForm(merchant, connectors.find(({ connector }) => connector === name)));
    const wanted = query.get("connector");
    const choices = make("fieldset", { class: "field" }, make("legend", {}, say("accounts.whichConnector")),
        make("div", { class: "choices grid" }, connectors.map(({ connector, title }) => make("label", { class: "choice" },
            make("input", { type: "radio", name: "connector", value: connector, checked: connector === wanted, change: () => choose(connector) }),
            make("span", {}, title ?? connector)))));
    choose(wanted);
    return page({ title: say("accounts.newAcquirer"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)), back: back() },
        make("p", {}, say("accounts.newAcquirerLead")), choices, place);
}

const secretField = (secret, isSet) => ({
    name: `secrets/${secret.name}`, pointer: `/secrets/${secret.name}`, label: secret.name, required: secret.required && !isSet,
    hint: [secret.meaning && english(secret.meaning), secret.alternative && ` ${say("accounts.alternative", { name: secret.alternative })}`, isSet && ` ${say("accounts.secretSet")}`],
    ...(secret.document ? { kind: "textarea", mono: true, rows: 5 } : { kind: "password", autocomplete: "new-password" }),
});

function createForm(merchant, connector) {
    const needed = connector.settings.filter(({ required }) => required);
    const rest = connector.settings.filter(({ required }) => !required);
    const group = (fields) => form({ fields, submit: "" });
    const [more, acceptor] = [group(settingFields(rest)), group(settingFields(connector.acceptor, {}, "acceptor"))];
    // They are read with the form that has the button.
    for (const part of [more, acceptor]) { part.querySelector(".form-foot").remove(); }
    const own = make("div", { class: "form-parts" },
        rest.length > 0 && disclosure(say("accounts.moreSettings", { count: rest.length }), {}, [...more.children]),
        connector.acceptor.length > 0 && disclosure(say("accounts.acceptor"), {}, make("p", { class: "muted" }, say("accounts.acceptorText")), [...acceptor.children]));
    return form({
        fields: [
            { name: "name", label: say("accounts.acquirerName"), hint: say("accounts.acquirerNameHelp"), required: true, maxlength: 64, placeholder: "bank" },
            ...settingFields(needed), ...connector.secrets.map((secret) => secretField(secret, false)),
        ],
        note: own, submit: say("accounts.addAcquirerDo"), cancel: () => navigate("/accounts"),
        onSubmit: async (values, { key }) => {
            const settings = { ...valuesOf(values, "settings"), ...valuesOf(more.values() ?? {}, "settings") };
            const answer = await api.post(pathOf(merchant, "/acquirers"), {
                name: values.name, connector: connector.connector, settings, secrets: valuesOf(values, "secrets"),
                acceptor: valuesOf(acceptor.values() ?? {}, "acceptor"),
            }, { key });
            if (waitsForSecond(answer)) { navigate("/accounts"); return; }
            navigate(`/accounts/acquirers/${merchant.name}/${answer.name}`, { query: { made: "1" } });
        },
    });
}

/** One account. */
export async function show({ parameters, query, signal }) {
    if (follows(parameters.merchant, signal, () => "/accounts")) { return make("div"); }
    const path = pathOf(parameters.merchant, `/acquirers/${encodeURIComponent(parameters.acquirer)}`);
    const [catalog, { body: account, etag }, merchant, routes] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.read(path, {}, { signal }), api.get(pathOf(parameters.merchant), {}, { signal }),
        can("routes:read") ? api.get(pathOf(parameters.merchant, "/routes"), {}, { signal }) : null,
    ]);
    const connector = catalog.connectors.find((one) => one.connector === account.connector);
    const leading = routes?.data.filter(({ acquirer }) => acquirer === account.name);
    const mayChange = can("acquirers:write");
    return page({
        title: account.name, back: back(), actions: mayChange ? [stateButton(path, account, leading)] : [],
        lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode), mark(account.state), say("accounts.by", { connector: connector?.title ?? account.connector })),
    },
    leading?.length === 0 && note("info", say("accounts.noRouteNote"), " ", make("a", { href: href("/routes", { merchant: merchant.name }) }, say("accounts.setRoute"))),
    mayChange && section(say("accounts.check"), { note: say("accounts.checkNote") }, checkPart(path, query.has("made"))),
    section(say("accounts.secrets"), { note: say("accounts.secretsNote") }, secretsPart({ path, connector, account, etag, mayChange })),
    section(say("accounts.settings"), {}, mayChange && connector
        ? settingsForm(path, connector, account, etag) : readOnly(account.settings)),
    section(say("accounts.acceptor"), { note: say("accounts.acceptorNote") }, mayChange && connector
        ? acceptorForm(path, connector, account, etag) : readOnly(account.acceptor)),
    section(say("accounts.facts"), {}, facts([
        [say("accounts.id"), identifier(account.id)], [say("accounts.connector"), account.connector],
        leading && [say("accounts.routes"), leading.length === 0 ? "–" : leading.map(({ number }) => number).join(", ")],
    ])));
}

const readOnly = (values) => (Object.keys(values).length === 0 ? make("p", { class: "muted" }, say("accounts.nothingSet"))
    : facts(Object.entries(values).map(([name, value]) => [name, make("code", { class: "wrap" }, value)])));

function stateButton(path, account, leading) {
    const verb = account.state === "active" ? "suspend" : "resume";
    return button(say(`accounts.${verb}`), async () => {
        const changed = await confirm({
            mode: account.mode, title: say(`accounts.${verb}Title`, { name: account.name }), act: say(`accounts.${verb}Do`, { name: account.name }), danger: verb === "suspend",
            sentence: say(`accounts.${verb}Text`, { name: account.name, count: leading?.length ?? 0 }), run: (key) => api.post(`${path}/${verb}`, undefined, { key }),
        });
        if (changed && !waitsForSecond(changed)) { refresh(); }
    }, { kind: verb === "suspend" ? "" : "primary" });
}

function checkPart(path, isNew) {
    const place = make("div", { class: "findings", "aria-live": "polite" });
    const check = async () => {
        refill(place, make("p", { class: "muted" }, say("accounts.checking")));
        try {
            const { data } = await api.post(`${path}/check`);
            refill(place, make("ul", { class: "plain-list" }, data.map(({ subject, good, text }) => make("li", {},
                mark(good ? "good" : "bad", { word: say(good ? "accounts.good" : "accounts.bad") }), " ", make("code", {}, subject), " ", english(text)))));
        } catch (error) {
            refill(place, problem(error, { tried: say("accounts.checkTried"), stillTrue: say("accounts.checkStill"), again: check }));
        }
    };
    if (isNew) { check(); }
    return make("div", { class: "check" }, button(say("accounts.checkNow"), check, { kind: isNew ? "" : "primary" }), place);
}

function secretsPart({ path, connector, account, etag, mayChange }) {
    const described = connector?.secrets ?? account.secrets.map((name) => ({ name, meaning: "" }));
    if (described.length === 0) { return make("p", { class: "muted" }, say("accounts.noSecrets")); }
    return make("ul", { class: "cards" }, described.map((secret) => {
        const isSet = account.secrets.includes(secret.name);
        const change = () => secretDialog({ path, secret, isSet, etag, account });
        return make("li", { class: "card" },
            make("div", { class: "card-head" }, make("h3", {}, make("code", {}, secret.name)),
                isSet ? mark("current", { word: say("accounts.isSet") }) : mark("pending", { word: say("accounts.isNotSet") })),
            secret.meaning && english(secret.meaning, "p", { class: "muted" }),
            mayChange && make("div", { class: "card-actions" }, button(say(isSet ? "accounts.replace" : "accounts.set"), change, { small: true, label: say(isSet ? "accounts.replaceThat" : "accounts.setThat", { name: secret.name }) })));
    }));
}

function secretDialog({ path, secret, isSet, etag, account }) {
    let opened;
    const send = async (value) => {
        const answer = await api.patch(path, { secrets: { [secret.name]: value } }, etag);
        opened.close();
        if (!waitsForSecond(answer)) { toast(say("accounts.secretSaved", { name: secret.name })); }
        refresh();
    };
    const body = [
        make("p", { class: "sentence" }, say(isSet ? "accounts.replaceText" : "accounts.setText", { name: secret.name, account: account.name })),
        form({
            fields: [{ ...secretField(secret, false), name: "value", pointer: `/secrets/${secret.name}`, required: true }],
            submit: say(isSet ? "accounts.replaceDo" : "accounts.setDo", { name: secret.name }), cancel: () => opened.close(),
            onSubmit: ({ value }) => send(value),
            note: isSet && !secret.required ? button(say("accounts.takeAway"), () => send(null), { small: true }) : null,
        }),
    ];
    opened = dialog({ mode: account.mode, title: say(isSet ? "accounts.replaceThat" : "accounts.setThat", { name: secret.name }), body });
}

/** A form of one member of the account, which is sent as a whole or only what changed of it. */
function memberForm(path, described, before, etag, { member, submit, whole }) {
    return form({
        fields: settingFields(described, before, member), submit, changesOnly: true,
        onSubmit: async (values) => {
            const changes = changesOf(values, member);
            if (Object.keys(changes).length === 0) { toast(say("accounts.nothingChanged"), { tone: "info" }); return; }
            // As a whole it has no null: what is taken away is left out.
            const now = () => Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));
            const answer = await api.patch(path, { [member]: whole ? now() : changes }, etag);
            if (!waitsForSecond(answer)) { toast(say("accounts.settingsSaved")); }
            refresh();
        },
    });
}

const settingsForm = (path, connector, account, etag) =>
    memberForm(path, connector.settings, account.settings, etag, { member: "settings", submit: say("accounts.saveSettings") });

const acceptorForm = (path, connector, account, etag) =>
    memberForm(path, connector.acceptor, account.acceptor, etag, { member: "acceptor", submit: say("accounts.saveAcceptor"), whole: true });
