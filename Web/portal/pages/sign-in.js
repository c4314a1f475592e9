//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Signing in, step by step: the name and the password, the code, enrolling an app, a password of one's own; and invitations.

import { post, remove } from "../core/api.js";
import { make, refill, saveFile } from "../core/dom.js";
import { languages, language, say } from "../core/words.js";
import { mode, prefer, state } from "../core/state.js";
import { button, copyButton, note, problem } from "../widgets/basics.js";
import { form } from "../widgets/forms.js";
import { modeTag } from "../widgets/marks.js";

let onOpen = () => {};

export function signInPage(options) {
    onOpen = options.onOpen;
    const place = make("div", { class: "sign-in-card" });
    const isSandbox = (state.signIn?.mode ?? mode()) === "sandbox";
    const choice = make("select", {
        class: "language-choice", "aria-label": say("signIn.language"), change: async () => {
            prefer("language", choice.value);
        },
    }, Object.entries(languages).map(([tag, name]) => make("option", { value: tag, selected: tag === language() }, name)));
    const whole = make("div", { class: `sign-in ${isSandbox ? "sandbox" : "live"}` },
        make("div", { class: "edge", "aria-hidden": "true" }),
        make("main", { class: "sign-in-main" },
            make("div", { class: "sign-in-brand" }, make("img", { src: "/portal/icon.svg", alt: "", width: 32, height: 32 }), make("span", {}, "Pomona"), modeTag(isSandbox ? "sandbox" : "live")),
            place, make("footer", { class: "sign-in-foot" }, choice, make("span", {}, state.signIn?.version ? `Pomona ${state.signIn.version}` : ""))));
    const refused = new URLSearchParams(location.search).get("refused");
    if (location.pathname.replace(/\/$/, "") === "/portal/invitation" && location.hash.length > 1) {
        invitation(place, location.hash.slice(1));
    } else {
        step(place, state.session ?? { stage: null }, { refused });
    }
    return whole;
}

const head = (title, text) => [make("h1", { tabindex: -1 }, title), text && make("p", { class: "muted" }, text)];

function step(place, { stage, person }, extra = {}) {
    const steps = { secondFactor: code, enrollment: enroll, newPassword: ownPassword };
    if (stage === "open") {
        onOpen();
        return;
    }
    (steps[stage] ?? start)(place, person, extra);
    (place.querySelector("[autofocus]") ?? place.querySelector("h1"))?.focus();
}

function startOver(place) {
    return button(say("signIn.startOver"), async () => {
        await remove("/session").catch(() => {});
        step(place, { stage: null });
    });
}

function start(place, _, { refused, note: said } = {}) {
    const ways = state.signIn?.openIDConnect ?? [];
    const isEnded = state.wasEnded;
    state.wasEnded = false;
    refill(place, head(say("signIn.title")),
        isEnded && note("info", say("signIn.wasEnded")),
        said && note("done", said),
        refused && note("refused", say("signIn.providerRefused"), " ", make("code", {}, refused)),
        ways.length > 0 && make("div", { class: "ways-in" }, ways.map(({ name, label }) =>
            make("a", { class: "button wide", href: `/admin/v1/sign-in/openid/${encodeURIComponent(name)}` }, say("signIn.with", { label: label ?? name })))),
        ways.length > 0 && state.signIn.password && make("p", { class: "or" }, make("span", {}, say("signIn.or"))),
        state.signIn?.password !== false && guarded(form({
            fields: [
                { name: "userName", label: say("signIn.userName"), required: true, autocomplete: "username", autofocus: true, maxlength: 200 },
                { name: "password", label: say("signIn.password"), kind: "password", required: true, autocomplete: "current-password", maxlength: 1024 },
            ],
            submit: say("signIn.signIn"),
            onSubmit: async (values) => step(place, await post("/session", values, { key: null })),
        })));
}

/** A form that waits as long as the server says, and counts that down on its button. */
function guarded(shape) {
    const text = shape.submitButton.textContent;
    let timer;
    const watcher = new MutationObserver(() => {
        const wait = shape.waits;
        if (!wait || timer) { return; }
        shape.waits = undefined;
        const until = Date.now() + wait * 1000;
        const tick = () => {
            const left = Math.ceil((until - Date.now()) / 1000);
            if (left <= 0) {
                clearInterval(timer);
                timer = undefined;
                shape.submitButton.disabled = false;
                shape.setSubmit(text);
                refill(shape.trouble);
                return;
            }
            shape.submitButton.disabled = true;
            shape.setSubmit(say("signIn.waiting", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` }));
        };
        timer = setInterval(tick, 1000);
        tick();
    });
    watcher.observe(shape.trouble, { childList: true });
    return shape;
}

function code(place, person) {
    let isRecovery = false;
    const draw = () => {
        refill(place, head(say("signIn.codeTitle"), say(isRecovery ? "signIn.recoveryText" : "signIn.codeText", { name: person?.displayName ?? "" })), guarded(form({
            fields: [{
                name: "code", kind: "code", label: say(isRecovery ? "signIn.recoveryCode" : "signIn.code"), required: true, autofocus: true,
                autocomplete: isRecovery ? "off" : "one-time-code", inputmode: isRecovery ? "text" : "numeric", maxlength: 64,
            }],
            submit: say("signIn.continue"),
            onSubmit: async (values) => step(place, await post("/session/code", { code: values.code.replace(/\s/g, "") }, { key: null })),
        })), make("div", { class: "sign-in-other" },
            button(say(isRecovery ? "signIn.useCode" : "signIn.useRecovery"), () => { isRecovery = !isRecovery; draw(); place.querySelector("[autofocus]").focus(); }, { small: true }), startOver(place)));
    };
    draw();
}

/**
 * Begins a second factor: its key, as text and as a URI. Where there is one already, it takes a code of that, which counts until the new
 * one is confirmed with the ticket that comes along.
 */
export const beginFactor = (code) => code
    ? post("/session/second-factor/replacement", { code }, { key: null })
    : post("/session/second-factor", undefined, { key: null });

/** Key and code of an app. `done(answer)` gets the recovery codes. */
export function enrollSteps(place, { key, uri, ticket }, done, submit = say("signIn.confirmFactor")) {
    const picture = make("div", {});
    // Only who enrolls needs it; without it the key can still be typed.
    import("../widgets/qr.js").then(({ qrCode }) => refill(picture, qrCode(uri, say("signIn.qr")))).catch(() => {});
    refill(place,
        make("ol", { class: "enroll" },
            make("li", {}, make("p", {}, say("signIn.enrollScan")), picture,
                make("details", { class: "by-hand" }, make("summary", {}, say("signIn.byHand")),
                    make("p", { class: "secret-line" }, make("code", { class: "secret-value" }, key.replace(/(.{4})(?=.)/g, "$1 ")), copyButton(key, { label: say("signIn.copyKey") })))),
            make("li", {}, make("p", {}, say("signIn.enrollCode")), form({
                fields: [{ name: "code", kind: "code", label: say("signIn.code"), required: true, autocomplete: "one-time-code", maxlength: 12 }],
                submit,
                onSubmit: async (values) => done(await post("/session/second-factor/confirm", { code: values.code.replace(/\s/g, ""), ...(ticket && { ticket }) }, { key: null })),
            }))));
}

/** Adds a first second factor; also on one's own account. */
export async function enrollment(place, done) {
    try {
        enrollSteps(place, await beginFactor(), done);
    } catch (error) {
        refill(place, problem(error, { tried: say("signIn.triedEnroll"), again: () => enrollment(place, done) }));
    }
}

/** Ten codes, shown once, to be kept. */
export function recoveryCodes(codes) {
    return [
        make("ul", { class: "recovery" }, codes.map((one) => make("li", {}, make("code", {}, one)))),
        make("div", { class: "recovery-acts" }, copyButton(codes.join("\n"), { words: say("signIn.copyCodes") }), button(say("signIn.saveCodes"), () => {
            saveFile(new Blob([`Pomona\n\n${codes.join("\n")}\n`], { type: "text/plain" }), "pomona-recovery-codes.txt");
        }, { small: true, icon: "download" })),
    ];
}

function enroll(place) {
    const body = make("div", {});
    refill(place, head(say("signIn.enrollTitle"), say("signIn.enrollText")), body, make("div", { class: "sign-in-other" }, startOver(place)));
    enrollment(body, (answer) => {
        refill(place, head(say("signIn.recoveryTitle"), say("signIn.recoveryKeep")), recoveryCodes(answer.recoveryCodes),
            button(say("signIn.codesKept"), () => step(place, answer), { kind: "primary" }));
        place.querySelector("h1").focus();
    });
}

const passwordFields = (name) => [
    { name: "userName", label: say("signIn.userName"), autocomplete: "username", value: name, readonly: true, plain: true },
].filter(({ value }) => value).concat([
    { name: "newPassword", label: say("signIn.newPassword"), kind: "password", hint: say("signIn.passwordHint"), required: true, autocomplete: "new-password", maxlength: 256, autofocus: true,
        check: (value) => ([...value].length < 12 ? say("signIn.tooShort") : null) },
    { name: "again", label: say("signIn.newPasswordAgain"), kind: "password", required: true, autocomplete: "new-password", maxlength: 256,
        check: (value, read) => (read.newPassword !== undefined && value !== read.newPassword ? say("signIn.notTheSame") : null) },
]);

function ownPassword(place, person) {
    refill(place, head(say("signIn.passwordTitle"), say("signIn.passwordText")), form({
        fields: passwordFields(person?.userName), submit: say("signIn.setPassword"),
        onSubmit: async ({ newPassword }) => step(place, await post("/session/password", { newPassword }, { key: null })),
    }), make("div", { class: "sign-in-other" }, startOver(place)));
}

function invitation(place, secret) {
    refill(place, head(say("signIn.welcome"), say("signIn.welcomeText")), form({
        fields: passwordFields(null), submit: say("signIn.setPassword"),
        onSubmit: async ({ newPassword }) => {
            const { userName } = await post("/session/invitation", { invitation: decodeURIComponent(secret), newPassword }, { key: null });
            // The invitation is used, and has no more business in the address.
            history.replaceState({}, "", "/portal/");
            start(place, null, { note: say("signIn.passwordIsSet", { userName }) });
            const field = place.querySelector("input[name=userName]");
            field.value = userName;
            place.querySelector("input[type=password]").focus();
        },
    }));
}
