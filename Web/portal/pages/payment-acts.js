//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Capture, void, refund, and deciding what nobody knows: each says in a sentence what will happen to whom, and shows its end.

import { post, waitsFor } from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { amountText, compare, decimal, digitsOf, minus, plus, shortID } from "../core/format.js";
import { refresh } from "../core/router.js";
import { can, state } from "../core/state.js";
import { say } from "../core/words.js";
import { button, note, toast } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { cardText } from "./payments.js";

/** Buttons of what is possible to this payment, for this person. What is not possible has none. */
export function actButtons(payment) {
    const { capture = {}, void: undo = {}, refund = {} } = payment.possible ?? {};
    const isPossible = (act) => act.refused === undefined && Object.keys(act).length > 0;
    return [
        isPossible(undo) && can("payments:capture") && button(say("payments.void"), () => { voidPayment(payment, undo); }),
        isPossible(capture) && can("payments:capture") && button(say("payments.capture"), () => { capturePayment(payment, capture); }),
        isPossible(refund) && can("payments:refund") && button(say("payments.refund"), () => { refundPayment(payment, refund); }, { kind: "primary" }),
    ].filter(Boolean);
}

/** What became of it, said: done, not known yet, failed, or waiting for a second person. */
function reportEnd(answer, kind) {
    if (waitsFor(answer)) {
        toast(say("frame.waitsForSecond"), { tone: "unknown" });
        refresh();
        return;
    }
    const { operation, payment } = answer;
    const amount = amountText(operation.approvedAmount ?? operation.amount, payment.currency);
    const key = { succeeded: "end", failed: "endFailed" }[operation.state] ?? "endOpen";
    toast(say(`payments.${key}_${kind}`, { amount }), { tone: { succeeded: "done", failed: "refused" }[operation.state] ?? "unknown" });
    refresh();
}

/** What of a payment waits for a second person already: whoever asks for the same again sees that it was asked for. */
function waitsAlready({ approvals, currency }) {
    if (approvals.length === 0) { return null; }
    const amount = approvals.reduce((sum, one) => plus(sum, one.amount), "0");
    return note("unknown", make("p", {}, say("payments.waitsAlready", { amount: amountText(amount, currency) })));
}

/**
 * A form for an amount up to a bound in a dialog, whose sentence and button say what the amount would do.
 *
 * @param {object} options `bound`: at first. `extra(bind)`: further fields, one of which may set another bound.
 */
function amountDialog({ title, payment, bound: first, inParts, extra = () => [], sentence, act, run, limitHint, warning }) {
    const digits = digitsOf(payment.amount);
    const said = make("p", { class: "sentence" });
    const hint = make("span");
    let bound = first;
    let opened;
    const text = () => decimal(bound).replace(/[\u00a0\u202f]/g, "");
    const upTo = () => say("payments.upTo", { bound: amountText(bound, payment.currency) });
    const show = () => {
        const typed = shape.read("amount");
        const value = typed && compare(typed, bound) <= 0 && compare(typed, "0") > 0 ? typed : null;
        refill(said, value ? sentence(value) : say("payments.howMuch", { bound: amountText(bound, payment.currency) }));
        refill(hint, inParts ? upTo() : say("payments.onlyWhole"));
        shape.setSubmit(value ? say(act, { amount: amountText(value, payment.currency) }) : title);
    };
    // What was proposed goes with its bound; what somebody has typed stays, as far as it is possible.
    const bind = (next) => {
        const typed = shape.read("amount");
        const isProposed = typed && compare(typed, bound) === 0;
        bound = next;
        if (isProposed || (typed && compare(typed, bound) > 0)) { shape.field("amount").value = text(); }
        shape.setError("amount", null);
        show();
    };
    const shape = form({
        fields: [
            {
                name: "amount", kind: "amount", label: say("payments.amount"), required: true, digits, currency: payment.currency,
                value: text(), readonly: !inParts, hint,
                check: (value) => (compare(value, "0") <= 0 ? say("payments.moreThanNothing") : compare(value, bound) > 0 ? upTo() : null),
                onInput: () => show(),
            },
            ...extra(bind),
            { name: "reason", label: say("payments.reason"), hint: limitHint ?? say("payments.reasonHint"), maxlength: 255 },
        ],
        submit: title, note: [warning, said], compact: true,
        cancel: () => opened.close(undefined),
        onSubmit: async (values, { key }) => { opened.close(await run(values, key)); },
    });
    opened = dialog({ mode: payment.mode, title, body: shape });
    const field = shape.field("amount");
    field.focus();
    field.select();
    show();
    return opened.closed;
}

async function refundPayment(payment, refund) {
    const captures = refund.captures ?? [];
    let chosen = null;
    const limit = state.session.person.refundLimits?.[payment.currency];
    const answer = await amountDialog({
        title: say("payments.refundTitle"), payment, bound: refund.upTo, inParts: refund.inParts, act: "payments.refundAct",
        warning: waitsAlready(payment),
        limitHint: limit && say("payments.ownLimit", { limit: amountText(limit, payment.currency) }),
        // Unless one is chosen, the gateway takes one that has enough left, where the bank needs one at all.
        extra: (bind) => (captures.length > 1 ? [{
            name: "capture", kind: "choice", label: say("payments.ofCapture"), none: say("payments.anyCapture"), plain: true,
            options: captures.map(({ capture, left }) => [capture, `${shortID(capture)} · ${amountText(left, payment.currency)}`]),
            onInput: (id) => {
                chosen = captures.find(({ capture }) => capture === id) ?? null;
                bind(chosen?.left ?? refund.upTo);
            },
        }] : []),
        sentence: (amount) => {
            if (chosen) {
                const left = minus(chosen.left, amount);
                return say(compare(left, "0") > 0 ? "payments.refundSentenceOfCapture" : "payments.refundSentenceAllOfCapture", {
                    card: cardText(payment), amount: amountText(amount, payment.currency), left: amountText(left, payment.currency),
                });
            }
            const left = minus(minus(minus(payment.captured, payment.refunded), payment.chargedBack), amount);
            return say(compare(left, "0") > 0 ? "payments.refundSentence" : "payments.refundSentenceAll", {
                card: cardText(payment), amount: amountText(amount, payment.currency), left: amountText(left, payment.currency),
            });
        },
        run: (values, key) => post(`/payments/${payment.id}/refund`, values, { key }),
    });
    if (answer) { reportEnd(answer, "refund"); }
}

async function capturePayment(payment, capture) {
    const answer = await amountDialog({
        title: say("payments.captureTitle"), payment, bound: capture.upTo, inParts: capture.inParts, act: "payments.captureAct",
        extra: () => (capture.mayBeFinal && capture.inParts ? [{ name: "final", kind: "flag", label: say("payments.final") }] : []),
        sentence: (amount) => {
            const left = minus(capture.upTo, amount);
            return say(compare(left, "0") > 0 ? "payments.captureSentence" : "payments.captureSentenceAll", {
                card: cardText(payment), amount: amountText(amount, payment.currency), left: amountText(left, payment.currency),
            });
        },
        run: (values, key) => post(`/payments/${payment.id}/capture`, values.final ? values : { ...values, final: undefined }, { key }),
    });
    if (answer) { reportEnd(answer, "capture"); }
}

async function voidPayment(payment, undo) {
    const amount = amountText(undo.amount ?? payment.amount, payment.currency);
    const answer = await confirm({
        mode: payment.mode, title: say("payments.voidTitle"), danger: true, act: say("payments.voidAct", { amount }),
        sentence: say(undo.sale ? "payments.voidSaleSentence" : "payments.voidSentence", { card: cardText(payment), amount }),
        extra: undo.sale && waitsAlready(payment),
        run: (key) => post(`/payments/${payment.id}/void`, {}, { key }),
    });
    if (answer) { reportEnd(answer, "void"); }
}

/** A button that decides how an operation ended whose bank does not say. */
export function decide(operation, payment) {
    return button(say("payments.decide"), () => {
        let opened;
        const fields = form({
            submit: say("payments.decideAct"), kind: "danger", compact: true, cancel: () => opened.close(undefined),
            fields: [
                {
                    name: "outcome", kind: "radio", label: say("payments.decideHow"), required: true,
                    options: [["approved", say("payments.decideApproved"), say("payments.decideApprovedHint")], ["failed", say("payments.decideFailed"), say("payments.decideFailedHint")]],
                },
                { name: "reference", label: say("payments.acquirerReference"), hint: say("payments.decideReference"), maxlength: 255 },
                { name: "amount", kind: "amount", label: say("payments.decideAmount"), hint: say("payments.decideAmountHint"), digits: digitsOf(payment.amount), currency: payment.currency },
                { name: "reason", label: say("payments.decideReason"), hint: say("payments.decideReasonHint"), required: true, maxlength: 255 },
            ],
            onSubmit: async (values, { key }) => {
                opened.close(await post(`/payments/${payment.id}/operations/${operation.id}/resolve`, values, { key }));
            },
        });
        opened = dialog({
            mode: payment.mode, title: say("payments.decideTitle"),
            body: [make("p", { class: "sentence" }, say("payments.decideSentence", {
                kind: say(`states.kind_${operation.kind}`), amount: amountText(operation.amount, payment.currency),
            })), fields],
        });
        opened.closed.then((answer) => { if (answer) { toast(say("payments.decided")); refresh(); } });
    }, { small: true });
}
