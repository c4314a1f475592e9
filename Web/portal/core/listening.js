//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What happens while a page is shown.

import { refresh } from "./router.js";
import { on } from "./state.js";

/**
 * Calls for each event until the page is left. A tab that is hidden hears nothing: who comes back to it gets the page anew, unless
 * something is open in it, or what the page itself does then.
 */
export function listen(signal, onEvent, onBack = renew) {
    signal.addEventListener("abort", on("stream", (heard) => {
        if (heard.event === "back") { onBack(); } else { onEvent(heard); }
    }));
}

function renew() {
    if (!document.querySelector("dialog[open], main details[open]")) { refresh(); }
}
