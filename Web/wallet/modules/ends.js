//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The ends that a payment comes to. Apple's sheet knows success and failure, and for an outcome that nobody knows yet it has no
// word. A shop may give the simulator more: `completePayment({ status, simulatedEnd })` and `abort(simulatedEnd)` with
// `{ kind: "declined" | "refused" | "unknown" | "failed", say, more, code }`. Other wallets read none of it.

import { validatedErrors } from "./events.js";
import { statusErrors, statuses } from "./statuses.js";

const kinds = ["declined", "refused", "unknown", "failed"];
const textMax = 300;

/// The end as the sheet shows it, or undefined if the shop said none that can be shown.
export function simulatedEnd(end) {
    if (end === null || typeof end !== "object" || !kinds.includes(end.kind) || !end.say) { return undefined; }
    const [say, more, code] = [end.say, end.more, end.code].map((text) => String(text ?? "").slice(0, textMax));
    return { kind: end.kind, say, more, code };
}

const taken = {
    kind: "taken", say: "Done", more: "The shop has taken the token. Its page says what became of the payment.",
};
const failed = { kind: "failed", say: "Payment not completed", more: "The shop did not accept the simulated payment." };
const pinWords = {
    [statuses.PIN_REQUIRED]: " The shop asks for the card's PIN.",
    [statuses.PIN_INCORRECT]: " The card's PIN was wrong.",
    [statuses.PIN_LOCKOUT]: " The card's PIN is locked.",
};

/// What the shop's completePayment means for the sheet: `({status, errors})`, or before version 3 `(status)`.
///
/// Final are a success and a failure without errors alone (WebKit, ApplePayPaymentAuthorizationResult::isFinalState):
/// the sheet says the outcome and goes, and the shop hears no oncancel. Else it stays, for the shopper corrects
/// something or tries again: also an error "unknown" is non-fatal (PassKit, PKPaymentError.unknownError).
export function paymentAnswer(result) {
    const status = typeof result === "number" ? result : result?.status;
    const given = validatedErrors(result?.errors);
    const errors = [...statusErrors(status), ...given];
    if (errors.length === 0 && status === statuses.SUCCESS) { return { isFinal: true, outcome: taken }; }
    if (errors.length === 0 && status === statuses.FAILURE) {
        return { isFinal: true, outcome: simulatedEnd(result?.simulatedEnd) ?? failed };
    }
    return { isFinal: false, say: `Payment not completed.${pinWords[status] ?? ""}`, errors };
}
