//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The ends that a payment comes to. Apple's sheet knows success and failure, and for an outcome that nobody knows yet it has no
// word. A shop may give the simulator more: `completePayment({ status, errors, simulatedEnd })` and `abort(simulatedEnd)` with
// `{ kind: "declined" | "refused" | "unknown", say, more, code }`. Other wallets read none of it.

import { statusErrors, statuses } from "./statuses.js";

const kinds = ["declined", "refused", "unknown"];
const textMax = 300;

/// The end as the sheet shows it, or undefined if the shop said none that can be shown.
export function simulatedEnd(end) {
    if (end === null || typeof end !== "object" || !kinds.includes(end.kind) || !end.say) { return undefined; }
    const [say, more, code] = [end.say, end.more, end.code].map((text) => String(text ?? "").slice(0, textMax));
    return { kind: end.kind, say, more, code };
}

/// What the shop's completePayment means for the sheet: `({status, errors})`, or before version 3 `(status)`.
///
/// Final with an outcome, the sheet says it and goes; final without, it stays until it is closed; else the shopper
/// corrects something.
export function paymentAnswer(result) {
    const status = typeof result === "number" ? result : result?.status;
    const errors = [...statusErrors(status), ...Array.from(result?.errors ?? [])];
    if (status === statuses.SUCCESS) {
        return { isFinal: true, outcome: { kind: "taken", say: "Done",
            more: "The shop has taken the token. Its page says what became of the payment." } };
    }
    if (status === statuses.FAILURE && (errors.length === 0 || errors.some((error) => error?.code === "unknown"))) {
        // Nothing that the shopper could correct: the sheet goes, and the shop hears no oncancel.
        const reasons = errors.map((error) => error?.message).filter((text) => text);
        return { isFinal: true, outcome: simulatedEnd(result?.simulatedEnd) ?? { kind: "failed", say: "Payment not completed",
            more: reasons.length > 0 ? reasons.join(" ") : "The shop did not accept the simulated payment." } };
    }
    if (status === statuses.PIN_LOCKOUT) {
        return { isFinal: true, say: "Payment not completed", more: "The card's PIN is locked." };
    }
    const pin = { [statuses.PIN_REQUIRED]: " The shop asks for the card's PIN.",
        [statuses.PIN_INCORRECT]: " The card's PIN was wrong." }[status] ?? "";
    return { isFinal: false, say: `Payment not completed.${pin}`, errors };
}
