//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One payment: what happened to it in its order, what its token's verification showed, its journal, and what can be done with it.

import { get } from "../core/api.js";
import { make } from "../core/dom.js";
import { amountText, compare, count, dayText, dayOf, daysUntil, moment, money } from "../core/format.js";
import { listen, refreshWhenFree, renewAfterActs } from "../core/listening.js";
import { dialectName } from "../core/names.js";
import { backTo, href, leadsSomewhere, refresh } from "../core/router.js";
import { can, merchantNamed } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { approvalsNote, more } from "../widgets/acts.js";
import { disclosure, dotted, facts, identifier, note, page, section } from "../widgets/basics.js";
import { backTag, mark, modeTag } from "../widgets/marks.js";
import { timeline } from "../widgets/timeline.js";
import { follows } from "./shared/parts.js";
import { actButtons, decide } from "./payment-acts.js";
import { exchange } from "./payment-exchange.js";
import { cardText } from "./payments.js";

export const title = () => say("payments.one");

export async function render({ parameters, signal }) {
    const payment = await get(`/payments/${encodeURIComponent(parameters.id)}`, {}, { signal });
    // Search finds every merchant's: the frame goes along, or it would say sandbox around money that is real.
    if (follows(payment.merchant, signal, () => "/payments", { keepsAll: true })) { return make("div"); }
    const zone = merchantNamed(payment.merchant)?.timeZone;
    listen(signal, (heard) => { if (isNews(heard, payment)) { refreshWhenFree(signal); } });
    renewAfterActs(signal);
    const order = payment.orderReference;
    const open = payment.operations.filter(({ state }) => state === "unknown" || state === "pending" || state === "accepted");
    const content = page({
        back: { href: backTo("/payments"), text: say("payments.title") },
        title: make("span", { class: "payment-title" }, money(payment.amount, payment.currency), mark(payment.state), backTag(payment.beingReversed)),
        lead: make("p", { class: "payment-lead" },
            order && make("span", {}, say("payments.orderIs", { order })), make("span", {}, identifier(payment.id)),
            make("span", {}, `${dialectName(payment.dialect)} → ${payment.account ?? payment.acquirer}`), make("span", {}, card(payment))),
        actions: [modeTag(payment.mode), ...actButtons(payment)],
    },
    approvalsNote(payment.approvals),
    open.map((operation) => openNote(operation, payment)),
    section(say("payments.sums"), { plain: true }, sums(payment)),
    make("div", { class: "payment-columns" },
        make("div", { class: "payment-side" }, section(say("payments.timeline"), { note: say("frame.zone", { zone: (zone ?? "UTC").replaceAll("_", " ") }) },
            timeline(happened(payment), { label: say("payments.timeline"), zone })), behind(payment, zone, signal)),
        make("div", { class: "payment-side" }, section(say("payments.details"), {}, facts([
            [say("payments.card"), cardText(payment)],
            [say("payments.shownAs"), payment.card.displayName],
            [say("payments.expires"), payment.card.expires.replace(/^(\d\d)(\d\d)$/, "20$1-$2")],
            [say("payments.eci"), payment.card.eci],
            [say("frame.merchant"), merchantNamed(payment.merchant)?.displayName ?? payment.merchant],
            [say("payments.created"), moment(payment.createdAt, "full", zone)],
        ], { wide: true })), proof(payment.proof, zone))));
    content.ofMode = payment.mode;
    content.pageTitle = `${amountText(payment.amount, payment.currency)} ${say(`states.${payment.state}`)}`;
    return content;
}

/** Whether an event says of the payment, or of what waits for it, what the page does not show yet. */
function isNews({ event, data }, payment) {
    switch (event) {
        case "payment": return data.id === payment.id && data.version !== payment.version;
        case "approval": return data.payment === payment.id && (data.state === "waiting") !== payment.approvals.some(({ id }) => id === data.id);
        default: return false;
    }
}

const behind = (payment, zone, signal) =>
    section(say("payments.behind"), { actions: leadsSomewhere("/audit") && more(say("payments.audit"), href("/audit", { subject: payment.id })) },
        disclosure(say("payments.journal", { count: payment.journal.length }), {}, journal(payment, zone)),
        exchange(payment, zone, signal));

const card = (payment) => (payment.card.displayName
    ? say("payments.cardShownAs", { card: cardText(payment), shown: payment.card.displayName }) : cardText(payment));

function openNote(operation, payment) {
    const isUnknown = operation.state === "unknown";
    return note(isUnknown ? "unknown" : "info",
        make("p", {}, say(isUnknown ? "payments.unknownNote" : operation.state === "accepted" ? "payments.acceptedNote" : "payments.pendingNote", {
            kind: say(`states.kind_${operation.kind}`), amount: amountText(operation.amount, payment.currency),
        })),
        isUnknown && operation.queries > 0 && make("p", { class: "muted" }, say("payments.asked", { count: operation.queries })),
        isUnknown && can("payments:resolve") && make("p", {}, decide(operation, payment)));
}

function sums(payment) {
    const one = (name, value, isQuiet) => make("div", { class: isQuiet ? "sum quiet" : "sum" }, make("dt", {}, name), make("dd", {}, money(value, payment.currency)));
    const isZero = (value) => compare(value, "0") === 0;
    const refund = payment.possible?.refund ?? {};
    return make("dl", { class: "sums" },
        one(say("payments.authorized"), payment.authorized, isZero(payment.authorized)), one(say("payments.captured"), payment.captured, isZero(payment.captured)),
        one(say("payments.refunded"), payment.refunded, isZero(payment.refunded)),
        !isZero(payment.chargedBack) && one(say("payments.chargedBack"), payment.chargedBack, false),
        refund.total && one(say("payments.refundable"), refund.total, false));
}

/** What the server's time line has, as people read it. */
function happened(payment) {
    const items = (payment.timeline ?? []).filter(({ type }) => type !== "journal").map((item) => (tellers[item.type] ?? other)(item, payment));
    return items.length > 0 ? items : payment.operations.map((operation) => operationItem({ ...operation, at: operation.begunAt }, payment));
}

const tones = { pending: "pending", unknown: "unknown", accepted: "unknown", succeeded: "done", failed: "declined" };

function operationItem(item, payment) {
    const operation = payment.operations.find(({ id }) => id === item.id) ?? item;
    const isBack = ["refund", "void", "reversal", "chargeback", "lateFailure"].includes(operation.kind);
    const failure = operation.failure && sayOr(`states.reason_${operation.failure}`, operation.failure);
    return {
        at: item.at, tone: operation.state === "succeeded" && isBack ? "reversed" : tones[operation.state] ?? "pending",
        title: sayOr(`states.kind_${operation.kind}`, operation.kind),
        amount: amountText(operation.approvedAmount ?? operation.amount, payment.currency),
        word: operation.state === "failed" && failure ? failure : operation.beingReversedBy ? say("states.beingReversed") : say(`states.${operation.state}`), milliseconds: item.milliseconds,
        facts: [
            operation.authorizationCode && make("span", {}, say("payments.approval", { code: operation.authorizationCode })),
            operation.responseCode && make("span", {}, say("payments.response", { code: operation.responseCode })),
            operation.vendorCode && make("span", { title: operation.vendorText }, say("payments.vendorSays", { code: operation.vendorCode })),
            operation.merchantAdviceCode && make("span", {}, say("payments.advice", { code: operation.merchantAdviceCode })),
            operation.acquirerReference && make("span", {}, identifier(operation.acquirerReference)),
            operation.unknownReason && make("span", {}, sayOr(`states.reason_${operation.unknownReason}`, operation.unknownReason)),
            operation.queries > 0 && make("span", {}, say("payments.asked", { count: operation.queries })),
            operation.reference && make("span", {}, say("payments.called", { reference: operation.reference })),
        ],
    };
}

const tellers = {
    operation: operationItem,
    token: (item, payment) => ({
        at: item.at, tone: "done", title: say("payments.tokenVerified"),
        facts: payment.proof ? [
            make("span", {}, say("payments.checks", { count: payment.proof.checks.length })), make("span", {}, keyText(payment.proof)),
        ] : [],
    }),
    // The gateway asks until it knows.
    query: (item) => ({
        at: item.at, tone: item.state === "answered" ? "done" : "unknown", title: say(item.state === "answered" ? "payments.queried" : "payments.query"), facts: [make("span", {}, say("payments.asked", { count: Number(item.facts.attempts ?? 0) }))],
    }),
    webhook: (item) => ({
        at: item.at, tone: { delivered: "done", dead: "refused" }[item.state] ?? "pending", title: say("payments.webhook"), word: sayOr(`states.${item.state}`, item.state),
        facts: [
            make("span", {}, sayOr(`payments.event_${item.kind}`, item.kind)),
            Number(item.facts.attempts ?? 0) > 0 && make("span", {}, say("payments.attempts", { count: Number(item.facts.attempts) })), item.facts.lastResult && make("code", {}, item.facts.lastResult),
            can("webhooks:read") && item.id && make("a", { href: href(`/webhooks/${item.id}`) }, say("payments.open")),
        ],
    }),
};

const other = (item) => ({ at: item.at, tone: "pending", title: item.title ?? item.kind ?? item.type, facts: [item.detail && make("span", {}, item.detail)] });

function keyText(proof) {
    const days = proof.publicKeyHash && proof.keyNotAfter ? daysUntil(proof.keyNotAfter) : null;
    return days === null ? say("payments.key", { key: proof.publicKeyHash?.slice(0, 4) ?? "–" })
        : say("payments.keyDays", { key: `${proof.publicKeyHash.slice(0, 4)}…`, count: days, days: count(days) });
}

function proof(shown, zone) {
    if (!shown) { return null; }
    return section(say("payments.verification"), {},
        facts([
            [say("payments.format"), shown.version], [say("payments.identifier"), shown.merchantIdentifier && dotted(shown.merchantIdentifier)],
            [say("payments.keyHash"), shown.publicKeyHash && identifier(shown.publicKeyHash)],
            [say("payments.keyEnds"), shown.keyNotAfter && dayText(dayOf(shown.keyNotAfter, zone))],
            [say("payments.signedAt"), shown.signedAt && moment(shown.signedAt, "full", zone)],
            [say("payments.transaction"), shown.transactionId && identifier(shown.transactionId)],
            [say("payments.leaf"), shown.leafDigest && identifier(shown.leafDigest)], [say("payments.anchor"), shown.anchor && identifier(shown.anchor)],
        ], { wide: true }),
        disclosure(say("payments.checks", { count: shown.checks.length }), {}, make("ul", { class: "checks" }, shown.checks.map((check) =>
            make("li", {}, mark("good", { word: sayOr(`payments.check_${check}`, check) }))))));
}

function journal(payment, zone) {
    if (payment.journal.length === 0) { return make("p", { class: "muted" }, say("payments.noJournal")); }
    const rows = payment.journal.flatMap((entry) => entry.postings.map((posting, index) => ({ entry, posting, isFirst: index === 0 })));
    const heads = ["booked", "kind", "account", "layer", "debit", "credit"].map((name) =>
        make("th", { scope: "col", class: ["debit", "credit"].includes(name) ? "end" : undefined }, say(`payments.journal_${name}`)));
    return make("div", { class: "table-frame scrolls", tabindex: 0, role: "region", "aria-label": say("payments.journalName") },
        make("table", { class: "ledger" }, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows.map(({ entry, posting, isFirst }) =>
            make("tr", { class: isFirst ? "first" : undefined },
                make("td", {}, isFirst && moment(entry.bookedAt, "full", zone)), make("td", {}, isFirst && sayOr(`states.kind_${entry.kind}`, entry.kind)),
                make("td", {}, make("code", {}, posting.account)), make("td", {}, sayOr(`payments.layer_${posting.layer}`, posting.layer)),
                make("td", { class: "end" }, posting.side === "debit" && money(posting.amount, posting.currency)),
                make("td", { class: "end" }, posting.side === "credit" && money(posting.amount, posting.currency)))))));
}
