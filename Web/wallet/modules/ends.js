//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The ends that a payment comes to. Apple's sheet knows success and failure, and for an outcome that nobody knows yet it has no
// word. A shop may give the simulator more: `completePayment({ status, errors, simulatedEnd })` and `abort(simulatedEnd)` with
// `{ kind: "declined" | "refused" | "unknown", say, more, code }`. Other wallets read none of it.

const kinds = ["declined", "refused", "unknown"];
const textMax = 300;

/// The end as the sheet shows it, or undefined if the shop said none that can be shown.
export function simulatedEnd(end) {
    if (end === null || typeof end !== "object" || !kinds.includes(end.kind) || !end.say) { return undefined; }
    const [say, more, code] = [end.say, end.more, end.code].map((text) => String(text ?? "").slice(0, textMax));
    return { kind: end.kind, say, more, code };
}
