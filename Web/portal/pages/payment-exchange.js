//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What went to and fro for a payment: what the acquirer answered of each operation, and what each webhook says to the shop. The bytes
// of the wire are not kept: they would be the card holder's data, and of every payment (docs/portal.md).

import { make, refill } from "../core/dom.js";
import { moment, money } from "../core/format.js";
import { can } from "../core/state.js";
import { loadWords, say, sayOr } from "../core/words.js";
import { disclosure, eventually, facts, identifier } from "../widgets/basics.js";
import { backTag, mark } from "../widgets/marks.js";

/** What few acquirers say of an operation, by its names in the answer. */
const furtherFacts = [
    "vendorCode", "vendorText", "merchantAdviceCode", "eci", "stan", "addressCheck", "securityCodeCheck", "networkReference", "paymentAccountReference", "reconciliationId",
    "acquirerReferenceNumber", "processor",
];

export function exchange(payment, zone, signal) {
    const place = make("div", { class: "operation-list" });
    const events = can("webhooks:read") ? payment.notifications ?? [] : [];
    const whole = disclosure(say("payments.exchange", { count: payment.operations.length }), {},
        make("p", { class: "muted" }, say("payments.exchangeNote")),
        make("div", { class: "operation-list" }, payment.operations.map((operation) => answered(operation, payment, zone))), place);
    // What a webhook says is written anew when it is asked for: by whoever looks.
    whole.addEventListener("toggle", () => { refill(place, events.map((event) => sent(event, zone, signal))); }, { once: true });
    return whole;
}

const answered = (operation, payment, zone) => make("div", { class: "operation" },
    make("div", { class: "operation-head" }, make("h3", {}, say(`states.kind_${operation.kind}`)), money(operation.amount, payment.currency), mark(operation.state), backTag(operation.beingReversedBy)),
    facts([
        [say("payments.operationID"), identifier(operation.id)], [say("payments.begun"), moment(operation.begunAt, "full", zone)],
        [say("payments.resolved"), operation.resolvedAt && moment(operation.resolvedAt, "full", zone)],
        [say("payments.acquirerReference"), operation.acquirerReference && identifier(operation.acquirerReference)],
        [say("payments.approvalCode"), operation.authorizationCode], [say("payments.responseCode"), operation.responseCode],
        ...furtherFacts.map((name) => [say(`payments.${name}`), operation[name] && make("span", { "data-fact": name }, identifier(operation[name]))]),
        [say("payments.authorizationExpiresAt"), operation.authorizationExpiresAt && moment(operation.authorizationExpiresAt, "full", zone)],
        [say("payments.reference"), operation.reference],
        operation.queries > 0 && [say("payments.queries"), say("payments.asked", { count: operation.queries })],
    ]));

function sent(event, zone, signal) {
    return make("div", { class: "operation" },
        make("div", { class: "operation-head" }, make("h3", {}, say("payments.webhook")), sayOr(`payments.event_${event.kind}`, event.kind), mark(event.state),
            make("span", { class: "muted" }, event.host ?? "", " ", moment(event.createdAt, "full", zone))),
        eventually(async () => {
            const [{ said }] = await Promise.all([import("./webhooks.js"), loadWords("webhooks")]);
            return said(`/events/${encodeURIComponent(event.id)}`, signal);
        }, { rows: 1, tried: say("payments.saidTried") }));
}
