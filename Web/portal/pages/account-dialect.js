//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// An account in a dialect: made, with credentials that are shown once; its settings; its credentials, rotated with both in use.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { moment, relative } from "../core/format.js";
import { href, navigate, refresh } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { button, empty, english, facts, identifier, note, page, section, toast } from "../widgets/basics.js";
import { confirm } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { titleOf } from "./accounts.js";
import { changesOf, follows, pathOf, settingFields, showCredentials, valuesOf, waitsForSecond, whoseIsIt } from "./shared/parts.js";

const back = () => ({ href: href("/accounts"), text: say("accounts.title") });

/** A new account. */
export async function create({ query, signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("accounts.newDialect"), say("accounts.newDialectLead")); }
    const [catalog, { data: present }] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.get(pathOf(merchant, "/accounts"), {}, { signal }),
    ]);
    const left = catalog.dialects.filter(({ dialect }) => !present.some((one) => one.dialect === dialect));
    const head = { title: say("accounts.newDialect"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)), back: back() };
    if (left.length === 0) { return page(head, empty(say("accounts.allDialects"), say("accounts.allDialectsText"))); }
    const place = make("div", {});
    const choose = (dialect) => refill(place, dialect && createForm(merchant, left.find((one) => one.dialect === dialect)));
    const wanted = query.get("dialect") ?? (left.length === 1 ? left[0].dialect : null);
    const choices = make("fieldset", { class: "field" }, make("legend", {}, say("accounts.whichDialect")),
        make("div", { class: "choices grid" }, left.map(({ dialect, title }) => make("label", { class: "choice" },
            make("input", { type: "radio", name: "dialect", value: dialect, checked: dialect === wanted, change: () => choose(dialect) }),
            make("span", {}, title, make("small", {}, say("accounts.dialectHint", { name: dialect })))))));
    choose(wanted);
    return page(head, make("p", {}, say("accounts.newDialectLead")), choices, place);
}

function createForm(merchant, plan) {
    const required = plan.settings.filter((setting) => setting.required);
    return form({
        fields: [
            { name: "notifyURL", label: say("accounts.notifyURL"), hint: say("accounts.notifyURLHelp"), maxlength: 2048, inputmode: "url", placeholder: "https://" },
            ...settingFields(required),
        ],
        note: note("info", say("accounts.credentialsOnce", { list: plan.credentials.map(({ name }) => name).join(", ") })),
        submit: say("accounts.createDialect", { title: plan.title }), cancel: () => navigate("/accounts"),
        onSubmit: async (values, { key }) => {
            const settings = valuesOf(values, "settings");
            const answer = await api.post(pathOf(merchant, "/accounts"), {
                dialect: plan.dialect, ...(values.notifyURL ? { notifyURL: values.notifyURL } : {}),
                ...(Object.keys(settings).length > 0 ? { settings } : {}),
            }, { key });
            if (waitsForSecond(answer)) { navigate("/accounts"); return; }
            await showCredentials(say("accounts.credentialsOf", { title: plan.title }), answer.credentials, say("accounts.credentialsSentence", { merchant: merchant.displayName }), merchant.mode);
            navigate(`/accounts/dialects/${merchant.name}/${plan.dialect}`);
        },
    });
}

/** One account. */
export async function show({ parameters, signal }) {
    if (follows(parameters.merchant, signal, () => "/accounts")) { return make("div"); }
    const path = pathOf(parameters.merchant, `/accounts/${encodeURIComponent(parameters.dialect)}`);
    const [catalog, { body: account, etag }, merchant] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.read(path, {}, { signal }), api.get(pathOf(parameters.merchant), {}, { signal }),
    ]);
    const plan = catalog.dialects.find(({ dialect }) => dialect === account.dialect);
    const title = titleOf(catalog.dialects, "dialect", account.dialect);
    return page({
        title: say("accounts.dialectTitle", { title }), back: back(),
        lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)),
    },
    section(say("accounts.credentials"), { note: say("accounts.credentialsNote") }, make("ul", { class: "cards" },
        (plan?.credentials ?? []).map((credential) => credentialCard({ merchant, account, path, title, credential })))),
    section(say("accounts.settings"), { note: say("accounts.settingsNote") }, plan && can("accounts:write")
        ? settingsForm(path, plan, account, etag) : facts(Object.entries(account.settings).map(([name, value]) => [name, make("code", { class: "wrap" }, value)]))),
    section(say("accounts.facts"), {}, facts([[say("accounts.calledAs"), identifier(account.account, { whole: true })]])));
}

function credentialCard({ merchant, account, path, title, credential }) {
    const use = account.credentials?.find(({ name }) => name === credential.name);
    const isDouble = use?.replacedStillAccepted ?? account.overlapping.includes(credential.name);
    const own = `${path}/credentials/${encodeURIComponent(credential.name)}`;
    const names = { name: credential.name, title, merchant: merchant.displayName };
    const rotate = async () => {
        const answer = await confirm({
            mode: merchant.mode, title: say("accounts.rotateTitle", names), act: say("accounts.rotateDo", names),
            sentence: say(credential.overlap ? "accounts.rotateOverlap" : "accounts.rotateAtOnce", names),
            danger: !credential.overlap, run: (key) => api.post(`${own}/rotate`, undefined, { key }),
        });
        if (!answer || waitsForSecond(answer)) { return; }
        await showCredentials(say("accounts.newCredential", names), answer.credentials, say(credential.overlap ? "accounts.newCredentialOverlap" : "accounts.newCredentialAtOnce", names), merchant.mode);
        refresh();
    };
    const revoke = async () => {
        // As it is now: what the page shows may be of an hour ago.
        const { credentials } = await api.get(path);
        const last = credentials.find(({ name }) => name === credential.name)?.previousLastUsed;
        const answer = await confirm({
            mode: merchant.mode, title: say("accounts.revokeTitle", names), act: say("accounts.revokeDo", names), danger: true,
            sentence: revokeSentence(last, names), run: (key) => api.post(`${own}/revoke`, undefined, { key }),
        });
        if (!answer || waitsForSecond(answer)) { return; }
        toast(say("accounts.revoked", names));
        refresh();
    };
    // Of those by which requests are proved, the account lists what it has.
    const isThere = !credential.proof || use;
    const mayChange = can("accounts:write") && credential.replaceable && isThere;
    const state = isDouble ? mark("open", { word: say("accounts.bothAccepted") })
        : isThere ? mark("current", { word: say("accounts.inUse") }) : mark("pending", { word: say("accounts.isNotSet") });
    return make("li", { class: "card" },
        make("div", { class: "card-head" }, make("h3", {}, make("code", {}, credential.name)), state),
        english(credential.meaning, "p", { class: "muted" }),
        facts([
            use && [say(isDouble ? "accounts.newOne" : "accounts.use"), lastUse(use.lastUsed)],
            isDouble && [say("accounts.oldOne"), lastUse(use?.previousLastUsed)],
        ].filter(Boolean), { wide: true }),
        mayChange && make("div", { class: "card-actions" },
            isDouble ? button(say("accounts.revoke"), revoke, { small: true }) : button(say("accounts.rotate"), rotate, { small: true })),
        !credential.replaceable && make("p", { class: "muted" }, say("accounts.fixed")));
}

/** "3 minutes ago by 192.0.2.7 (curl/8)"; who it was is not known of customers' devices, whose address is not kept. */
function whenAndWho({ at, from, client }) {
    const who = [from, client && (from ? `(${client})` : client)].filter(Boolean).join(" ");
    return who ? say("accounts.usedBy", { when: relative(at), who }) : relative(at);
}

const lastUse = (use) => (use
    ? make("span", {}, say("accounts.lastUsed", { use: whenAndWho(use) }), make("span", { class: "muted" }, " · ", moment(use.at, "smart"))) : say("accounts.notUsed"));

const dayMillis = 86_400_000;

/** What the revocation of the old one would do, by whether somebody seems to need it still. */
function revokeSentence(last, names) {
    if (!last) { return say("accounts.revokeUnused", names); }
    const isRecent = Date.now() - Date.parse(last.at) < dayMillis;
    return say(isRecent ? "accounts.revokeRecent" : "accounts.revokeUsed", { ...names, use: whenAndWho(last) });
}

function settingsForm(path, plan, account, etag) {
    return form({
        fields: settingFields(plan.settings, account.settings), submit: say("accounts.saveSettings"), changesOnly: true,
        onSubmit: async (values) => {
            const settings = changesOf(values, "settings");
            if (Object.keys(settings).length === 0) { toast(say("accounts.nothingChanged"), { tone: "info" }); return; }
            // Some of them are credentials.
            if (!waitsForSecond(await api.patch(`${path}/settings`, { settings }, etag))) { toast(say("accounts.settingsSaved")); }
            refresh();
        },
    });
}
