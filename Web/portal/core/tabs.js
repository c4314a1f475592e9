//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Other tabs of the same browser: they share the session's cookie, and with it the session's end (WHATWG HTML, 9.5: broadcasting).

const channel = globalThis.BroadcastChannel ? new BroadcastChannel("pomona.portal") : null;
const ended = "session ended";

/** Says to the other tabs that the session has ended. */
export const reportSessionEnd = () => channel?.postMessage(ended);

/** Calls when another tab says so; whether it is true for this one, the server knows. */
export function onSessionEnd(listener) {
    channel?.addEventListener("message", ({ data }) => { if (data === ended) { listener(); } });
}
