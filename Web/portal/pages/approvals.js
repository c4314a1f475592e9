//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What waits for a second person, and what became of it.

import { get, post } from "../core/api.js";
import { make } from "../core/dom.js";
import { amountText, moment, relative } from "../core/format.js";
import { renewHome } from "../core/home.js";
import { listen } from "../core/listening.js";
import { href, refresh } from "../core/router.js";
import { modeOf, state } from "../core/state.js";
import { say, sayOr, sayParts } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { button, empty, english, identifier, note, page, tabs, toast } from "../widgets/basics.js";
import { confirm, dialog, secretOnce } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag, tag } from "../widgets/marks.js";
import { pagedList } from "../widgets/table.js";
import { cardText } from "./payments.js";

export const title = () => say("approvals.title");

export function render({ query, signal }) {
    const shown = query.get("state") === "all" ? "all" : "waiting";
    const own = { state: shown === "waiting" ? "waiting" : null, merchant: state.merchant };
    const list = pagedList({
        tried: say("approvals.tried"),
        load: (after) => get("/approvals", { ...own, after }, { signal }),
        show: (rows) => (rows.length === 0
            ? empty(say(shown === "waiting" ? "approvals.none" : "approvals.noneEver"), say("approvals.noneText"))
            : make("ul", { class: "approvals" }, rows.map(card))),
    });
    listen(signal, ({ event }) => { if (event === "approval") { list.news(); } });
    return page({ title: say("approvals.title"), lead: say("approvals.lead"), zone: true, actions: [exportButton("approvals", () => ({ ...own }))] },
        tabs([
            { text: say("approvals.waiting"), href: href("/approvals"), current: shown === "waiting" },
            { text: say("approvals.all"), href: href("/approvals", { state: "all" }), current: shown === "all" },
        ], say("approvals.which")), list);
}

/** A void gives money back as a refund does, and waits by the same policy; it is shown as what it is. */
const kindOf = ({ kind, operation }) => (operation === "voidPayment" ? "void" : kind);

function card(approval) {
    const isWaiting = approval.state === "waiting";
    return make("li", { class: "card approval" },
        make("div", { class: "approval-head" }, mark(approval.state), tag(sayOr(`approvals.kind_${kindOf(approval)}`, approval.kind)),
            approval.amount && make("b", {}, amountText(approval.amount, approval.currency)), approval.merchant && make("span", { class: "muted" }, approval.merchant), approval.merchant && modeTag(modeOf(approval.merchant))),
        english(approval.summary, "p", { class: "approval-summary" }),
        subject(approval, isWaiting),
        approval.reason && make("p", { class: "quoted" }, approval.reason),
        make("p", { class: "muted approval-facts" },
            make("span", {}, say("approvals.askedBy", { who: approval.askedBy })), make("span", {}, moment(approval.askedAt, "smart")),
            isWaiting ? make("span", {}, say("approvals.ends", { when: relative(approval.endsAt) }))
                : approval.decidedBy && make("span", {}, say("approvals.decidedBy", { who: approval.decidedBy })),
            approval.decisionReason && make("span", {}, `“${approval.decisionReason}”`),
            outcomeText(approval.outcome),
            approval.payment && make("span", {}, identifier(approval.payment, { link: href(`/payments/${approval.payment}`) }))),
        make("div", { class: "approval-acts" },
            isWaiting && !approval.mine && [
                button(say("approvals.approve"), () => { approve(approval); }, { kind: "primary" }), button(say("approvals.reject"), () => { reject(approval); })],
            isWaiting && approval.mine && [
                make("span", { class: "muted" }, say("approvals.yours")), button(say("approvals.withdraw"), () => withdraw(approval))],
            approval.collectable && button(say("approvals.collect"), () => collect(approval), { kind: "primary" })));
}

/** The payment that it is about, for whoever decides, and whether more is asked for than this. */
function subject({ subject: payment }, isWaiting) {
    if (!payment) { return null; }
    const { currency, waiting } = payment;
    return [
        make("p", { class: "muted approval-facts" },
            payment.orderReference && make("span", {}, say("payments.orderIs", { order: payment.orderReference })), make("span", {}, cardText(payment)),
            make("span", {}, say("approvals.captured", { amount: amountText(payment.captured, currency) })),
            make("span", {}, say("approvals.refunded", { amount: amountText(payment.refunded, currency) }))),
        isWaiting && waiting.map((one) => note("unknown", make("p", {}, say(`approvals.alsoWaits_${one.act}`, {
            amount: amountText(one.amount, one.currency), who: one.askedBy,
        })))),
    ];
}

/** How the operation stands that an approval has begun, or why there is none; nothing of what is simply done. */
function outcomeText(outcome) {
    const failure = outcome?.failure && sayOr(`states.reason_${outcome.failure}`, outcome.failure);
    switch (outcome?.state) {
        case "failed": return make("span", { class: "outcome" }, say("approvals.outcomeFailed", { reason: failure }));
        case "unknown": case "pending": case "accepted": return make("span", { class: "outcome" }, say("approvals.outcomeOpen"));
        case "succeeded": return null;
        default: return outcome?.detail && english(outcome.detail);
    }
}

/** What became of an act that was approved, or of one that was not to be done: the words and their tone. */
function end({ state, outcome }, word) {
    const failure = outcome?.failure && sayOr(`states.reason_${outcome.failure}`, outcome.failure);
    if (outcome?.state === "failed") { return [say("approvals.wasDeclined", { reason: failure }), "refused"]; }
    if (state === "failed") { return [make("span", {}, sayParts("approvals.wasRefused", { detail: english(outcome?.detail ?? outcome?.code ?? "") })), "refused"]; }
    if (outcome && ["unknown", "pending", "accepted"].includes(outcome.state)) { return [say("approvals.isOpen"), "unknown"]; }
    return [say(word), "done"];
}

/** What became of it, said; the lists and numbers come anew. */
function decided(answer, word) {
    if (!answer) { return; }
    const [words, tone] = end(answer, word);
    toast(words, { tone });
    renewHome({ atOnce: true });
    refresh();
}

async function approve(approval) {
    decided(await confirm({
        mode: modeOf(approval.merchant), title: say("approvals.approveTitle"), act: say("approvals.approve"),
        sentence: sayParts("approvals.approveSentence", { summary: english(approval.summary), who: approval.askedBy }),
        run: (key) => post(`/approvals/${approval.id}/approve`, {}, { key }),
    }), "approvals.approved");
}

async function reject(approval) {
    let opened;
    const fields = form({
        compact: true, submit: say("approvals.reject"), kind: "danger", cancel: () => opened.close(undefined),
        fields: [{ name: "reason", label: say("approvals.why"), hint: say("approvals.whyHint"), required: true, maxlength: 255 }],
        onSubmit: async (values, { key }) => { opened.close(await post(`/approvals/${approval.id}/reject`, values, { key })); },
    });
    opened = dialog({
        mode: modeOf(approval.merchant), title: say("approvals.rejectTitle"),
        body: [make("p", { class: "sentence" }, sayParts("approvals.rejectSentence", { summary: english(approval.summary) })), fields],
    });
    decided(await opened.closed, "approvals.rejected");
}

async function withdraw(approval) {
    decided(await post(`/approvals/${approval.id}/withdraw`, {}), "approvals.withdrawn");
}

async function collect(approval) {
    const answer = await post(`/approvals/${approval.id}/collect`, {});
    await secretOnce({ mode: modeOf(approval.merchant), title: say("approvals.collect"), secrets: Object.entries(answer.credentials ?? {}) });
    refresh();
}
