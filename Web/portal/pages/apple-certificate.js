//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The way of a certificate: signing request, Apple's page, import, activation, the first token seen, retirement of the old one.
//
// Where it stands follows from the certificates that there are, so that it can be left at any step and gone on with by anybody.

import * as api from "../core/api.js";
import { make, refill, saveFile } from "../core/dom.js";
import { moment, relative } from "../core/format.js";
import { listen } from "../core/listening.js";
import { href, navigate, refresh, setQuery } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { button, code, disclosure, eventually, note, page, section, toast } from "../widgets/basics.js";
import { confirm } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { modeTag } from "../widgets/marks.js";
import { byKey, isWithdrawn, keyRow, standing } from "./apple-pay.js";
import { pathOf, stepList, waitsForSecond, whoseIsIt } from "./shared/parts.js";

export async function show({ parameters, query, signal }) {
    const { purpose } = parameters;
    const title = say(`apple.way_${purpose}`);
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(title, say("apple.lead")); }
    const data = await api.getAll(pathOf(merchant, "/certificates"), {}, { signal });
    const sets = byKey(data).filter((set) => set.purpose === purpose);
    const identifier = query.get("identifier") ?? (sets.length === 1 ? sets[0].merchantIdentifier : null);
    const set = sets.find((one) => one.merchantIdentifier === identifier) ?? { purpose, merchantIdentifier: identifier, all: [] };
    const way = { merchant, purpose, set, known: [...new Set(data.filter((one) => !isWithdrawn(one)).map(({ merchantIdentifier }) => merchantIdentifier))], ...standing(set), wantsNew: query.has("new") };
    // A token that comes while one waits for it is seen without a reload, also by somebody who has paid in another tab.
    const isAwaited = () => Boolean(way.newest && !way.isSeen);
    listen(signal, ({ event }) => { if (event === "payment" && isAwaited()) { refresh(); } }, () => { if (isAwaited()) { refresh(); } });
    return page({
        title, back: { href: href("/apple-pay"), text: say("apple.title") },
        lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode), identifier && make("code", { class: "wrap" }, identifier)),
    }, make("div", { class: "side-by-side" },
        section(say("apple.steps"), {}, stepList(stepsOf(way), say("apple.steps"))), workingPart(way)));
}

/** The keys that work now: the promise of the whole way. */
function workingPart({ working, requested, imported, set, merchant, purpose }) {
    const soon = [requested, imported].filter(Boolean);
    const more = set.all.filter(({ state }) => state === "expired");
    return section(say("apple.workingNow"), {},
        make("p", { class: "working-count" }, make("strong", {}, working.length), " ", say("apple.working", { count: working.length })),
        make("p", { class: "muted" }, say(working.length === 0 ? "apple.noneWorking" : `apple.never_${purpose}`)),
        make("ul", { class: "key-list" }, [...working, ...soon, ...more].map((one) => keyRow(one, merchant, { acts: false }))));
}

function stepsOf(way) {
    const { purpose, requested, imported, newest, older, isSeen, retirable, wantsNew } = way;
    const isUnderWay = Boolean(requested || imported) || older.length > 0;
    // One that works and has no successor: renewal has not begun.
    const isRest = newest && !isUnderWay;
    const begins = !requested && !imported && older.length === 0 && (!newest || wantsNew || (newest.daysLeft ?? 0) <= 60);
    const has = { request: !begins && !isRest, hand: Boolean(imported) || (!requested && older.length > 0) || (!requested && newest && !isRest) };
    const steps = [
        step("request", { state: isRest && !begins ? "done" : begins ? "next" : "done", body: begins ? requestForm(way) : null }),
        step("apple", {
            state: requested ? "waits" : begins ? "open" : "done", who: requested ? say("merchants.who_apple") : null,
            body: requested ? handIn(way) : null,
        }),
        step("import", { state: requested ? "next" : begins ? "open" : has.hand || newest ? "done" : "open", body: requested ? importForm(way) : null }),
        step("activate", {
            state: imported ? "next" : requested || begins ? "open" : "done",
            body: imported ? make("div", {}, make("p", {}, say(newest ? `apple.step_activateBeside_${purpose}` : "apple.step_activateFirst")),
                can("apple-pay:write") && button(say("apple.activate"), () => activate(way), { kind: "primary" })) : null,
        }),
    ];
    if (purpose === "payment-processing") {
        steps.push(step("observe", {
            state: isSeen && !requested && !imported && !begins ? "done" : newest && !requested && !imported && !begins ? "waits" : "open",
            who: newest && !isSeen && !requested && !imported && !begins ? say("merchants.who_customer") : null,
            body: newest && !requested && !imported && !begins ? observed(newest) : null,
        }));
    }
    if (older.length > 0 || requested || imported || begins) {
        steps.push(step("retire", { state: retirable && !requested && !imported ? "next" : "open", body: older.length > 0 && !requested && !imported ? retirement(way) : null }));
    }
    if (isRest && !begins) {
        steps.push({
            state: "open", title: say("apple.step_renew"), text: say("apple.step_renewText", { count: newest.daysLeft ?? 0 }),
            action: can("apple-pay:write") ? button(say("apple.renewNow"), () => setQuery({ identifier: newest.merchantIdentifier, new: "1" }), { small: true }) : null,
        });
    }
    return steps;
}

const step = (name, { state, who = null, body = null }) => ({ state, title: say(`apple.step_${name}`), text: say(`apple.step_${name}Text`), who, body });

function requestForm({ merchant, purpose, set, known }) {
    if (!can("apple-pay:write")) { return null; }
    return form({
        fields: [
            {
                name: "merchantIdentifier", label: say("apple.identifier"), hint: say("apple.identifierHelp"), required: true, maxlength: 255,
                value: set.merchantIdentifier ?? (known.length === 1 ? known[0] : ""), placeholder: "merchant.com.example.shop",
            },
            purpose === "payment-processing" && {
                name: "algorithm", label: say("apple.algorithm"), kind: "radio", value: "P-256", required: true,
                options: [["P-256", "P-256", say("apple.algorithm_P256")], ["RSA-2048", "RSA-2048", say("apple.algorithm_RSA")]],
            },
        ],
        submit: say("apple.makeRequest"),
        onSubmit: async (values, { key }) => {
            await api.post(pathOf(merchant, "/certificates/requests"), { purpose, ...values }, { key });
            toast(say("apple.requestMade"));
            navigate(`/apple-pay/certificate/${purpose}`, { query: { merchant: merchant.name, identifier: values.merchantIdentifier }, keepsFocus: true });
        },
    });
}

/** What to do with a signing request, whoever made it: it is no secret, and is written again whenever it is asked for. */
function handIn(way) {
    const { merchant, purpose, requested } = way;
    const request = () => api.get(pathOf(merchant, `/certificates/${encodeURIComponent(requested.id)}/request`));
    const text = async () => (await request()).signingRequest;
    const download = async () => saveFile(new Blob([await text()], { type: "application/pkcs10" }), `${requested.merchantIdentifier}-${purpose}.certSigningRequest`);
    // Of the same kind: a key for China mainland is an RSA key again.
    const another = async () => {
        const { algorithm } = await request();
        await api.post(pathOf(merchant, "/certificates/requests"), { purpose, merchantIdentifier: requested.merchantIdentifier, algorithm });
        toast(say("apple.requestMade"));
        refresh();
    };
    const place = make("div", {});
    const look = () => refill(place, eventually(async () => code(await text(), { label: say("apple.request") }), { rows: 2, tried: say("apple.triedRequest") }));
    return make("div", {},
        make("ol", { class: "instructions" }, ["one", "two", "three", "four"].map((number) => make("li", {}, say(`apple.hand_${number}`, {
            identifier: requested.merchantIdentifier, section: say(`apple.section_${purpose}`),
        })))),
        make("div", { class: "card-actions" },
            button(say("apple.downloadRequest"), download, { kind: "primary", icon: "download" }),
            make("a", { class: "button", href: "https://developer.apple.com/account/resources/identifiers/list/merchant", target: "_blank", rel: "noopener noreferrer" }, make("span", {}, say("apple.openApple")))),
        make("p", { class: "muted" }, say("apple.handedOut", { when: relative(requested.createdAt) })),
        can("apple-pay:write") && make("div", { class: "card-actions" },
            button(say("apple.makeAnother"), another, { small: true }), button(say("apple.withdraw"), () => withdraw(way), { small: true })),
        disclosure(say("apple.seeRequest"), { toggle: ({ target }) => { if (target.open && !place.firstChild) { look(); } } }, place));
}

/** A certificate as Apple gives it (DER) or as text (PEM), as PEM. */
export function certificatePEM(bytes) {
    // Not with a decoder: its "latin1" is windows-1252 (Encoding Standard, section 4.2), in which bytes are no code points.
    const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
    if (text.includes("-----BEGIN")) { return text.trim(); }
    return `-----BEGIN CERTIFICATE-----\n${btoa(text).replace(/(.{64})/g, "$1\n").trimEnd()}\n-----END CERTIFICATE-----`;
}

function importForm({ merchant }) {
    if (!can("apple-pay:write")) { return null; }
    const own = form({
        fields: [{
            name: "certificate", label: say("apple.certificate"), hint: say("apple.certificateHelp"), kind: "textarea", mono: true, rows: 5, required: true,
            maxlength: 16_384, placeholder: "-----BEGIN CERTIFICATE-----",
        }],
        submit: say("apple.import"),
        onSubmit: async ({ certificate }, { key }) => {
            const answer = await api.post(pathOf(merchant, "/certificates"), { certificate: certificate.trim() }, { key });
            if (!waitsForSecond(answer)) { toast(say("apple.imported")); }
            refresh();
        },
    });
    const picker = make("input", { type: "file", class: "file", id: "certificate-file", accept: ".cer,.crt,.pem,.der", change: async () => {
        const file = picker.files[0];
        if (file && file.size <= 16_384) { own.field("certificate").value = certificatePEM(await file.arrayBuffer()); own.setError("certificate", null); }
        else if (file) { own.setError("certificate", say("apple.fileTooLarge")); }
    } });
    own.querySelector(".field").before(make("div", { class: "field" }, make("label", { for: "certificate-file" }, say("apple.chooseFile")), picker));
    return own;
}

const act = ({ merchant }, certificate, verb, key) => api.post(pathOf(merchant, `/certificates/${encodeURIComponent(certificate.id)}/${verb}`), undefined, { key });

async function activate(way) {
    const { imported, working, purpose } = way;
    const done = await confirm({
        mode: way.merchant.mode, title: say("apple.activateTitle"), act: say("apple.activate"),
        sentence: working.length > 0 ? say(`apple.activateText_${purpose}`, { count: working.length + 1 }) : say("apple.activateFirstText", { identifier: imported.merchantIdentifier }),
        run: (key) => act(way, imported, "activate", key),
    });
    if (done && !waitsForSecond(done)) { toast(say("apple.activated")); refresh(); }
}

async function withdraw(way) {
    const { requested } = way;
    const done = await confirm({
        mode: way.merchant.mode, title: say("apple.withdrawTitle"), act: say("apple.withdrawDo"),
        sentence: say("apple.withdrawText", { identifier: requested.merchantIdentifier }),
        run: (key) => act(way, requested, "retire", key),
    });
    if (done && !waitsForSecond(done)) { toast(say("apple.withdrawn")); refresh(); }
}

const observed = (newest) => make("p", {}, newest.firstUsedAt
    ? [say("apple.seen"), " ", moment(newest.firstUsedAt, "smart"), make("span", { class: "muted" }, ` · ${relative(newest.firstUsedAt)}`)]
    : say("apple.notSeen"));

function retirement(way) {
    const { older, newest, working, isSeen, purpose, retirable } = way;
    const old = retirable ?? older[0];
    const place = make("div", {});
    const isLast = old.state === "active" && working.length < 2;
    refill(place, isLast ? note("info", say("apple.lastKey")) : [
        make("p", {}, old.lastUsedAt ? say("apple.oldUsed", { when: relative(old.lastUsedAt) }) : say("apple.oldUnused")),
        !isSeen && purpose === "payment-processing" && note("unknown", say("apple.retireEarly")),
        isSeen && !old.mayRetire && purpose === "payment-processing" && note("unknown", say("apple.retireWait")),
        can("apple-pay:write") && button(say("apple.retire"), () => retire(way, old), { kind: old.mayRetire ? "primary" : "", small: !old.mayRetire }),
    ]);
    return newest ? place : null;
}

async function retire(way, old) {
    const { working, isSeen, purpose } = way;
    const left = working.filter((one) => one !== old).length;
    const done = await confirm({
        mode: way.merchant.mode, title: say("apple.retireTitle"), act: say("apple.retireDo"), danger: true, typed: old.mayRetire ? undefined : old.merchantIdentifier,
        sentence: say(isSeen ? `apple.retireText_${purpose}` : "apple.retireEarlyText", { count: left, identifier: old.merchantIdentifier }),
        run: (key) => act(way, old, "retire", key),
    });
    if (done && !waitsForSecond(done)) { toast(say("apple.retired")); refresh(); }
}

