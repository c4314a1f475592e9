//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One's own account: how it looks, the password, the second factor, where one is signed in.

import { get, post, remove } from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { amountText, moment } from "../core/format.js";
import { refresh } from "../core/router.js";
import { preference, prefer, state } from "../core/state.js";
import { language, languages, say } from "../core/words.js";
import { button, eventually, facts, page, section, toast } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, tag } from "../widgets/marks.js";
import { beginFactor, enrollment, enrollSteps, recoveryCodes } from "./sign-in.js";

export const title = () => say("account.title");

/** A choice of a few that is made by pressing it. */
function segments(label, options, chosen, choose) {
    const buttons = options.map(([value, text]) => make("button", {
        type: "button", class: "segment", "aria-pressed": String(value === chosen),
        click: () => {
            buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(options[index][0] === value)));
            choose(value);
        },
    }, text));
    return make("div", { class: "setting" }, make("span", { class: "setting-name" }, label), make("div", { class: "segments", role: "group", "aria-label": label }, buttons));
}

export function render({ signal }) {
    const { person } = state.session;
    const amounts = Object.entries(person.refundLimits ?? {}).map(([currency, limit]) => amountText(limit, currency)).join(", ");
    // Limits that name nothing are no lack of them.
    const limits = person.refundLimits && amounts === "" ? say("account.noRefunds") : amounts;
    return page({ title: say("account.title"), zone: true },
        make("div", { class: "two" },
            make("div", { class: "stack" },
                section(say("account.you"), {}, facts([
                    [say("account.name"), person.displayName], [say("account.userName"), make("code", {}, person.userName)], [say("account.email"), person.email],
                    [say("account.role"), say(`states.role_${person.role}`)],
                    [say("account.merchants"), person.merchants ? person.merchants.join(", ") || say("account.noMerchants") : say("frame.allMerchants")], [say("account.limits"), limits],
                ], { wide: true })),
                section(say("account.looks"), {},
                    segments(say("account.language"), Object.entries(languages), language(), (value) => prefer("language", value)),
                    segments(say("account.theme"), [["", say("account.system")], ["light", say("account.light")], ["dark", say("account.dark")]], preference("theme") ?? "", (value) => prefer("theme", value || null)),
                    segments(say("account.rows"), [["", say("account.comfortable")], ["dense", say("account.denseRows")]], preference("density") ?? "", (value) => prefer("density", value || null)))),
            make("div", { class: "stack" }, person.hasPassword !== false && password(), secondFactor(person))),
        section(say("account.sessions"), { note: say("account.sessionsText") }, eventually(() => sessions(signal), { tried: say("account.triedSessions") })));
}

function password() {
    const shape = form({
        compact: true, submit: say("account.changePassword"),
        fields: [
            { name: "password", kind: "password", label: say("account.present"), required: true, autocomplete: "current-password", maxlength: 256 },
            { name: "newPassword", kind: "password", label: say("signIn.newPassword"), hint: say("signIn.passwordHint"), required: true, autocomplete: "new-password", maxlength: 256,
                check: (value) => ([...value].length < 12 ? say("signIn.tooShort") : null) },
        ],
        onSubmit: async (values) => {
            await post("/me/password", values, { key: null });
            shape.reset();
            toast(say("account.passwordChanged"));
            refresh();
        },
    });
    return section(say("account.password"), {}, shape);
}

function secondFactor(person) {
    const renewed = async () => {
        state.session = await get("/session");
        refresh();
    };
    const showCodes = (opened, { recoveryCodes: codes }) => refill(opened.content, make("p", { class: "sentence" }, say("signIn.recoveryKeep")), recoveryCodes(codes),
        button(say("signIn.codesKept"), () => opened.close(true), { kind: "primary" }));
    const enroll = () => {
        const body = make("div", {});
        const opened = dialog({ title: say("account.enroll"), body, mode: null });
        enrollment(body, (answer) => showCodes(opened, answer));
        opened.closed.then(renewed);
    };
    const withCode = (heading, sentence, act, kind, run) => {
        let opened;
        const shape = form({
            compact: true, submit: act, kind, cancel: () => opened.close(undefined),
            fields: [{ name: "code", kind: "code", label: say("signIn.code"), required: true, autocomplete: "one-time-code", maxlength: 64, inputmode: "text" }],
            onSubmit: async ({ code }) => run(code.replace(/\s/g, ""), opened),
        });
        opened = dialog({ title: heading, body: [make("p", { class: "sentence" }, sentence), shape], mode: null });
        return opened.closed;
    };
    const codes = () => withCode(say("account.newCodes"), say("account.newCodesText"), say("account.makeCodes"), "primary", async (code, opened) => {
        showCodes(opened, await post("/me/recovery-codes", { code }, { key: null }));
    });
    const replace = () => withCode(say("account.replaceFactor"), say("account.replaceFactorText"), say("signIn.continue"), "primary", async (code, opened) => {
        enrollSteps(opened.content, await beginFactor(code), (answer) => showCodes(opened, answer), say("account.replaceFactorDo"));
        opened.content.querySelector("input").focus();
    }).then(renewed);
    const takeAway = () => withCode(say("account.removeFactor"), say("account.removeFactorText"), say("account.removeFactor"), "danger", async (code, opened) => {
        await post("/me/second-factor/remove", { code }, { key: null });
        opened.close(true);
        toast(say("account.factorRemoved"));
        renewed();
    });
    return section(say("account.factor"), {},
        person.hasSecondFactor
            ? [make("p", {}, mark("good", { word: say("account.factorOn") })), make("div", { class: "button-row" },
                button(say("account.replaceFactor"), replace), button(say("account.newCodes"), codes), !person.mustHaveSecondFactor && button(say("account.removeFactor"), takeAway))]
            : [make("p", { class: "muted" }, say("account.factorOff")), make("div", { class: "button-row" }, button(say("account.enroll"), enroll, { kind: "primary" }))]);
}

/** A browser's name out of what it says of itself; the whole of it is the hint. */
function browser(text) {
    const name = /Edg\//.test(text) ? "Edge" : /Firefox\//.test(text) ? "Firefox" : /Chrom(e|ium)\//.test(text) ? "Chrome" : /Safari\//.test(text) ? "Safari" : null;
    const system = /iPhone|iPad/.test(text) ? "iOS" : /Android/.test(text) ? "Android" : /Mac OS X/.test(text) ? "macOS" : /Windows/.test(text) ? "Windows" : /Linux/.test(text) ? "Linux" : null;
    return [name, system].filter(Boolean).join(" · ") || text || "–";
}

async function sessions(signal) {
    const { data } = await get("/me/sessions", {}, { signal });
    const place = make("div", {});
    const draw = (rows) => refill(place, make("ul", { class: "sessions" }, rows.map((one) => make("li", {},
        make("div", {}, make("b", { title: one.userAgent ?? undefined }, browser(one.userAgent ?? "")), " ", one.current && tag(say("account.here"), "done"),
            make("span", { class: "muted block" }, [one.address, " · ", say("account.since"), " ", moment(one.createdAt, "short"), " · ", say("account.seen"), " ", moment(one.lastSeenAt, "smart")])),
        !one.current && button(say("account.end"), async () => { draw((await remove(`/me/sessions/${encodeURIComponent(one.id)}`)).data); toast(say("account.ended")); }, { small: true })))),
    rows.length > 1 && make("div", { class: "button-row" }, button(say("account.endOthers"), async () => {
        const answer = await confirm({
            mode: null, title: say("account.endOthers"), sentence: say("account.endOthersText", { count: rows.length - 1 }), act: say("account.endOthers"), danger: true,
            run: () => remove("/me/sessions"),
        });
        if (answer) { draw(answer.data); toast(say("account.ended")); }
    })));
    draw(data);
    return place;
}
