//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One merchant: what is done until it takes payments, what waits for whom, and what ends it.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { href, leadsSomewhere, refresh } from "../core/router.js";
import { can, learnMerchants } from "../core/state.js";
import { language, say, sayOr } from "../core/words.js";
import { button, buttonLink, facts, identifier, note, page, section } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form, optionsWith } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { countries, countryName } from "./merchants.js";
import { follows, pathOf, stepList } from "./shared/parts.js";
import { zones } from "./shared/zones.js";

/** Where each step is done, and who may. */
const places = {
    account: ["/accounts/dialects/new", "accounts:write", "/accounts"],
    acquirer: ["/accounts/acquirers/new", "acquirers:write", "/accounts"],
    route: ["/routes", "routes:write", "/routes"],
    processingCertificate: ["/apple-pay/certificate/payment-processing", "apple-pay:write", "/apple-pay"],
    identityCertificate: ["/apple-pay/certificate/merchant-identity", "apple-pay:write", "/apple-pay"],
    domain: ["/apple-pay/domains", "apple-pay:write", "/apple-pay/domains"],
};

export async function show({ parameters, signal }) {
    const name = parameters.merchant;
    if (follows(name, signal, (other) => (other ? `/merchants/${other}` : "/merchants"))) { return make("div"); }
    const [{ body: merchant, etag }, setup, payments] = await Promise.all([
        api.read(pathOf(name), {}, { signal }), api.get(pathOf(name, "/setup"), {}, { signal }),
        can("payments:read") ? api.get("/payments", { merchant: name, limit: 1 }, { signal }) : null,
    ]);
    const isClosed = merchant.state === "closed";
    return page({
        title: merchant.displayName, back: { href: href("/merchants"), text: say("merchants.title") },
        lead: make("span", { class: "marks" }, modeTag(merchant.mode), mark(merchant.state), make("code", { class: "muted" }, merchant.name)),
        actions: can("merchants:write") && !isClosed ? actions(merchant, etag) : [],
    },
    merchant.state === "suspended" && note("unknown", say("merchants.suspendedNote")),
    isClosed ? note("", say("merchants.closedNote")) : way(merchant, setup, payments?.data[0]),
    section(say("merchants.facts"), {}, facts([
        [say("merchants.mode"), say(`merchants.mode_${merchant.mode}`)],
        [say("merchants.country"), countryName(merchant.countryCode)],
        [say("merchants.zone"), merchant.timeZone.replaceAll("_", " ")],
        [say("merchants.name"), make("code", {}, merchant.name)],
        [say("merchants.id"), identifier(merchant.id)],
    ])));
}

function way(merchant, setup, first) {
    const ordered = [...setup.steps].sort((one, other) => Number(one.forWeb) - Number(other.forWeb));
    const open = ordered.filter(({ done, forWeb }) => !done && !forWeb);
    const steps = ordered.map((step) => shown(step, merchant, open[0]?.step));
    steps.push({
        state: first ? "done" : open.length === 0 ? "next" : "open", title: say("merchants.step_payment"),
        text: first ? say("merchants.step_paymentDone") : say(`merchants.step_payment_${merchant.mode}`),
        who: first ? null : say("merchants.who_customer"),
        action: first ? buttonLink(say("merchants.seePayment"), href(`/payments/${first.id}`), { small: true }) : null,
    });
    const done = steps.filter(({ state: own }) => own === "done").length;
    return section(say("merchants.stepsTitle"), { note: say("merchants.stepsDone", { done, all: steps.length }) },
        make("p", { class: "muted" }, open.length > 0 ? say("merchants.stepsOpen", { count: open.length })
            : say(setup.readyForWeb ? "merchants.stepsReady" : "merchants.stepsReadyForApps")),
        stepList(steps, say("merchants.stepsTitle")));
}

function shown(step, merchant, next) {
    const [place, scope, seen] = places[step.step] ?? [];
    const waits = !step.done && ["apple", "bank"].includes(step.waitsFor);
    const lacking = (step.parts ?? []).map(({ part, text }) => (language() === "en" ? text : sayOr(`merchants.part_${part}`, text)));
    const own = { merchant: merchant.name };
    return {
        state: step.done ? "done" : step.step === next ? (waits ? "waits" : "next") : waits ? "waits" : "open",
        title: [say(`merchants.step_${step.step}`), step.forWeb ? make("span", { class: "tag" }, say("merchants.forWeb")) : null],
        text: step.done ? sayOr(`merchants.step_${step.step}Done`, step.text)
            : lacking.length > 0 ? lacking : sayOr(`merchants.step_${step.step}Text`, step.text),
        who: step.done || step.waitsFor === "nobody" ? null : say(`merchants.who_${step.waitsFor}`),
        action: step.done ? (seen && leadsSomewhere(seen) ? buttonLink(say("merchants.look"), href(seen, own), { small: true }) : null)
            : place && can(scope) ? buttonLink(say(`merchants.step_${step.step}Do`), href(place, own), { small: true, kind: step.step === next ? "primary" : "" }) : null,
    };
}

function actions(merchant, etag) {
    const path = pathOf(merchant);
    const done = (changed) => {
        learnMerchants([changed]);
        refresh();
    };
    const act = (verb, options) => async () => {
        const changed = await confirm({
            mode: merchant.mode, title: say(`merchants.${verb}Title`, { name: merchant.displayName }), act: say(`merchants.${verb}Do`),
            run: (key) => api.post(`${path}/${verb}`, undefined, { key }), ...options,
        });
        if (changed) { done(changed); }
    };
    const stop = merchant.state === "suspended"
        ? button(say("merchants.resume"), act("resume", { sentence: say("merchants.resumeText") }), { kind: "primary" })
        : button(say("merchants.suspend"), act("suspend", { danger: true, sentence: say(`merchants.suspendText_${merchant.mode}`, { name: merchant.displayName }) }));
    return [
        button(say("merchants.change"), async () => changeDialog(merchant, etag, (await api.get("/catalog")).countries, done)), stop,
        button(say("merchants.close"), act("close", { danger: true, typed: merchant.name, sentence: say("merchants.closeText", { name: merchant.displayName }) })),
    ];
}

function changeDialog(merchant, etag, codes, done) {
    let opened;
    const body = form({
        changesOnly: true,
        fields: [
            { name: "displayName", label: say("merchants.displayName"), hint: say("merchants.displayNameHelp"), value: merchant.displayName, required: true, maxlength: 64 },
            { name: "countryCode", label: say("merchants.country"), kind: "choice", options: optionsWith(countries(codes), merchant.countryCode), value: merchant.countryCode, required: true },
            { name: "timeZone", label: say("merchants.zone"), hint: say("merchants.zoneChangeHelp"), kind: "choice", options: zones(merchant.timeZone), value: merchant.timeZone, required: true },
        ],
        submit: say("merchants.changeDo"), cancel: () => opened.close(),
        onSubmit: async (changes) => {
            const changed = Object.keys(changes).length === 0 ? merchant : await api.patch(pathOf(merchant), changes, etag);
            opened.close();
            done(changed);
        },
    });
    opened = dialog({ mode: merchant.mode, title: say("merchants.changeTitle", { name: merchant.displayName }), body });
}
