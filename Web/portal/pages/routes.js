//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Which acquirer account takes which payments; and which one this payment would take.

import * as api from "../core/api.js";
import { announce, make, refill } from "../core/dom.js";
import { amountText, decimal } from "../core/format.js";
import { networkName } from "../core/names.js";
import { href, refresh } from "../core/router.js";
import { can, chosenMerchant, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { button, buttonLink, empty, note, page, section, toast } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form, optionsWith } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { pathOf, waitsForSecond, whoseIsIt } from "./shared/parts.js";

export async function show({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("routes.title"), say("routes.lead")); }
    const [catalog, { body: { data }, etag }, { data: accounts }] = await Promise.all([
        api.get("/catalog", {}, { signal }), api.read(pathOf(merchant, "/routes"), {}, { signal }),
        can("acquirers:read") ? api.get(pathOf(merchant, "/acquirers"), {}, { signal }) : { data: [] },
    ]);
    const head = { title: say("routes.title"), lead: say("routes.lead") };
    if (accounts.length === 0) {
        return page(head, empty(say("routes.noAccounts"), say("routes.noAccountsText"), can("acquirers:write")
            && buttonLink(say("routes.addAccount"), href("/accounts/acquirers/new"), { kind: "primary" })));
    }
    const place = make("div", {});
    const editor = { merchant, catalog, accounts, etag, before: data, routes: data.map((route) => ({ ...route })), verdicts: null, place, mayChange: can("routes:write") };
    draw(editor);
    return page({ ...head, lead: make("span", { class: "marks" }, say("routes.lead"), modeTag(merchant.mode)) },
        make("div", { class: "side-by-side" }, place, tester(editor)));
}

/** The routes, as they are or as they would be. */
function draw(editor) {
    const { place, routes, mayChange } = editor;
    const isChanged = JSON.stringify(routes) !== JSON.stringify(editor.before);
    const add = () => routeDialog(editor, null);
    refill(place, section(say("routes.order"), {
        note: say("routes.orderNote"), actions: mayChange ? button(say("routes.add"), add, { small: true, icon: "plus" }) : null,
    },
    routes.length === 0 ? empty(say("routes.none"), say("routes.noneText"), mayChange && button(say("routes.addFirst"), add, { kind: "primary" }))
        : make("ol", { class: "routes" }, routes.map((route, index) => routeRow(editor, route, index))),
    isChanged && make("div", { class: "unsaved", role: "region", "aria-label": say("routes.unsaved") },
        make("p", {}, make("strong", {}, say("routes.unsaved")), " ", say("routes.unsavedText")),
        make("div", { class: "form-foot" }, button(say("routes.save"), () => save(editor), { kind: "primary" }),
            button(say("routes.discard"), () => { editor.routes = editor.before.map((route) => ({ ...route })); draw(editor); })))));
}

function routeRow(editor, route, index) {
    const { routes, accounts, verdicts, mayChange } = editor;
    const account = accounts.find(({ name }) => name === route.acquirer);
    const verdict = verdicts?.[index];
    const move = (step) => () => {
        routes.splice(index + step, 0, ...routes.splice(index, 1));
        renumber(routes);
        draw(editor);
        announce(say("routes.moved", { number: index + step + 1 }));
        editor.place.querySelectorAll(".route")[index + step]?.querySelector(".route-tools button:not([disabled])")?.focus();
    };
    const tool = (words, act, disabled = false) => {
        const element = button(words, act, { small: true, label: say("routes.toolOf", { act: words, number: route.number }) });
        element.disabled = disabled;
        return element;
    };
    return make("li", { class: `route ${verdict ? `verdict-${verdict === "taken" ? "taken" : verdict === "later" ? "later" : "other"}` : ""}` },
        make("span", { class: "route-number" }, route.number),
        make("div", { class: "route-what" },
            make("p", { class: "route-line" }, make("span", { class: "route-condition" }, conditionText(editor, route)),
                make("span", { class: "route-arrow", "aria-hidden": "true" }, "→"), make("span", { class: "unseen" }, say("routes.goesTo")),
                make("a", { href: href(`/accounts/acquirers/${editor.merchant.name}/${route.acquirer}`) }, make("strong", {}, route.acquirer))),
            account?.state === "suspended" && mark("suspended", { word: say("routes.accountSuspended") }),
            verdict && make("p", { class: "route-verdict" }, mark(verdict, { tone: { taken: "done", later: "pending" }[verdict] ?? "declined", word: sayOr(`routes.verdict_${verdict}`, verdict) }))),
        mayChange && make("div", { class: "route-tools" },
            tool(say("routes.up"), move(-1), index === 0), tool(say("routes.down"), move(1), index === routes.length - 1),
            tool(say("routes.change"), () => routeDialog(editor, index)),
            tool(say("routes.remove"), () => { routes.splice(index, 1); renumber(routes); draw(editor); })));
}

const renumber = (routes) => routes.forEach((route, index) => { route.number = index + 1; });

/** Which payments a route takes, as a sentence. */
function conditionText({ catalog }, route) {
    const parts = [];
    if (route.dialect) { parts.push(say("routes.fromDialect", { title: catalog.dialects.find(({ dialect }) => dialect === route.dialect)?.title ?? route.dialect })); }
    if (route.network) { parts.push(networkName(route.network)); }
    if (route.currency) { parts.push(route.currency); }
    if (route.from && route.to) { parts.push(say("routes.fromTo", { from: decimal(route.from), to: decimal(route.to) })); }
    else if (route.from) { parts.push(say("routes.from", { from: decimal(route.from) })); }
    else if (route.to) { parts.push(say("routes.to", { to: decimal(route.to) })); }
    return parts.length === 0 ? say("routes.everything") : parts.join(" · ");
}

const digitsOf = (catalog, code) => catalog.currencies.find((one) => one.code === code)?.digits ?? 2;

const networkChoices = (catalog) => catalog.networks.map((network) => [network, networkName(network)]);

function routeDialog(editor, index) {
    const { catalog, accounts, routes } = editor;
    const route = index === null ? { acquirer: accounts.length === 1 ? accounts[0].name : undefined } : routes[index];
    let opened;
    const body = form({
        fields: [
            { name: "acquirer", label: say("routes.account"), kind: "choice", options: optionsWith(accounts.map(({ name, connector }) => [name, `${name} (${connector})`]), route.acquirer), value: route.acquirer, required: true },
            // A condition that could not be shown would be taken away, and the route take more than it did.
            { name: "dialect", label: say("routes.dialect"), kind: "choice", options: optionsWith(catalog.dialects.map(({ dialect, title }) => [dialect, title]), route.dialect), value: route.dialect, none: say("routes.any") },
            { name: "network", label: say("routes.network"), kind: "choice", options: optionsWith(networkChoices(catalog), route.network), value: route.network, none: say("routes.any") },
            { name: "currency", label: say("routes.currency"), kind: "choice", options: optionsWith(catalog.currencies.map(({ code }) => [code, code]), route.currency), value: route.currency, none: say("routes.any") },
            { name: "from", label: say("routes.least"), hint: say("routes.amountHint"), inputmode: "decimal", value: route.from },
            { name: "to", label: say("routes.most"), inputmode: "decimal", value: route.to },
        ],
        submit: say(index === null ? "routes.addDo" : "routes.changeDo"), cancel: () => opened.close(),
        onSubmit: async (values) => {
            const digits = values.currency ? digitsOf(catalog, values.currency) : null;
            for (const name of ["from", "to"]) {
                if (!values[name]) { continue; }
                if (digits === null) { body.setError(name, say("routes.currencyFirst")); return; }
                const read = plainAmount(values[name], digits);
                if (read === null) { body.setError(name, say("errors.amount")); return; }
                values[name] = read;
            }
            if (index === null) { routes.push(values); } else { routes[index] = values; }
            renumber(routes);
            opened.close();
            editor.verdicts = null;
            draw(editor);
        },
    });
    opened = dialog({ mode: editor.merchant.mode, title: say(index === null ? "routes.addTitle" : "routes.changeTitle", { number: index + 1 }), body });
}

/** "100" as "100.00"; null for what is none. */
function plainAmount(text, digits) {
    const match = /^(\d{1,15})(?:[.,](\d+))?$/.exec(text.trim());
    if (!match || (match[2]?.length ?? 0) > digits) { return null; }
    return digits === 0 ? match[1] : `${match[1]}.${(match[2] ?? "").padEnd(digits, "0")}`;
}

async function save(editor) {
    const lost = editor.before.filter((route) => !editor.routes.some(({ acquirer }) => acquirer === route.acquirer)).map(({ acquirer }) => acquirer);
    const sentence = editor.routes.length === 0 ? say("routes.saveNone", { merchant: editor.merchant.displayName })
        : [say("routes.saveText", { merchant: editor.merchant.displayName }), lost.length > 0 ? ` ${say("routes.saveLost", { accounts: [...new Set(lost)].join(", ") })}` : ""].join("");
    const answer = await confirm({
        mode: editor.merchant.mode, title: say("routes.saveTitle"), sentence, act: say("routes.saveDo"), danger: editor.routes.length === 0,
        typed: editor.routes.length === 0 && state.merchants.length > 0 ? editor.merchant.name : undefined,
        run: () => api.put(pathOf(editor.merchant, "/routes"), { data: editor.routes }, editor.etag),
    });
    if (!answer) { return; }
    if (!waitsForSecond(answer)) { toast(say("routes.saved")); }
    refresh();
}

/** "Which account would this payment take?" */
function tester(editor) {
    const { merchant, catalog, before } = editor;
    const result = make("div", { class: "route-result", role: "status", "aria-live": "polite" });
    const currency = before.find((route) => route.currency)?.currency ?? "EUR";
    const own = form({
        compact: true,
        fields: [
            { name: "dialect", label: say("routes.dialect"), kind: "choice", options: catalog.dialects.map(({ dialect, title }) => [dialect, title]), value: catalog.dialects[0]?.dialect, required: true },
            { name: "network", label: say("routes.network"), kind: "choice", options: networkChoices(catalog), value: "visa", required: true },
            { name: "amount", label: say("routes.amount"), inputmode: "decimal", required: true, value: "10" },
            { name: "currency", label: say("routes.currency"), kind: "choice", options: catalog.currencies.map(({ code }) => [code, code]), value: currency, required: true },
            { name: "purpose", label: say("routes.purpose"), kind: "choice", required: true, value: "authorization", options: ["authorization", "sale", "verification"].map((name) => [name, say(`routes.purpose_${name}`)]) },
        ],
        submit: say("routes.test"),
        onSubmit: async (values) => {
            const amount = plainAmount(values.amount, digitsOf(catalog, values.currency));
            if (amount === null) { own.setError("amount", say("errors.amount")); return; }
            const answer = await api.post(pathOf(merchant, "/routes/test"), { ...values, amount });
            editor.verdicts = editor.routes.map((route, index) => answer.steps.find((step) => step.route === route.number && step.acquirer === route.acquirer)?.verdict ?? answer.steps[index]?.verdict ?? null);
            draw(editor);
            refill(result, decision(answer, amountText(amount, values.currency)));
        },
    });
    return section(say("routes.testTitle"), {}, make("p", { class: "muted" }, say("routes.testText")), own, result);
}

function decision(answer, amount) {
    if (answer.obstacle) { return note("refused", sayOr(`routes.obstacle_${answer.obstacle}`, answer.obstacle)); }
    if (!answer.acquirer) { return note("refused", say("routes.nobody", { amount })); }
    const later = answer.steps.filter(({ verdict }) => verdict === "later").map(({ acquirer }) => acquirer);
    return note("done", make("p", {}, make("strong", {}, say("routes.takes", { amount, account: answer.acquirer }))),
        later.length > 0 && make("p", {}, say("routes.then", { accounts: later.join(", ") })));
}
