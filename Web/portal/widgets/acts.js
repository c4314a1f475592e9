//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What several pages do alike: exports, and acts that wait for a second person.

import { icon, make } from "../core/dom.js";
import { amountText, count, moment } from "../core/format.js";
import { href } from "../core/router.js";
import { mode, state } from "../core/state.js";
import { say } from "../core/words.js";
import { button, note, sentence, toast } from "./basics.js";

const kibi = 1024;

/** "1.2 MB", roughly. */
const size = (bytes) => (bytes < kibi * kibi ? `${count(Math.ceil(bytes / kibi))} KB` : `${count(Math.round(bytes / kibi / kibi))} MB`);

/**
 * A button that exports a list as it is filtered. The file's name says whether its money is real.
 *
 * @param {string} kind What the API calls the export: payments, transactions, people …
 * @param {() => object} query The list's own filters.
 */
export function exportButton(kind, query, { format = "csv", text = say("frame.export") } = {}) {
    const element = button(text, async () => {
        const words = element.lastElementChild;
        try {
            const { download } = await import("../core/download.js");
            const file = await download(`/exports/${kind}`, { ...query(), format }, {
                name: `pomona-${mode()}-${state.merchant ?? "all"}-${kind}.${format === "json" ? "ndjson" : format}`,
                onProgress: (bytes) => { words.textContent = size(bytes); },
            });
            if (file) { toast(say(file.isPlaced ? "frame.exportedTo" : "frame.exported", { name: file.name })); }
        } catch (error) {
            toast(sentence(error), { tone: "refused" });
        } finally {
            words.textContent = text;
        }
    }, { icon: "download" });
    return element;
}

/** What is said of a payment's acts that wait for a second person; nothing where none does. */
export const approvalsNote = (waiting) => waiting.length > 0 && note("unknown",
    make("p", {}, make("strong", {}, say("frame.waitsForSecond"))),
    waiting.map(({ act, amount, currency, askedBy, askedAt, endsAt }) => make("p", {},
        say(`frame.waits_${act}`, { amount: amountText(amount, currency), who: askedBy }), " · ", moment(askedAt, "smart"), " · ",
        say("frame.until"), " ", moment(endsAt, "short"))),
    make("p", {}, make("a", { href: href("/approvals") }, say("frame.toApprovals"))));

/** A link with an arrow, to more of the same. */
export const more = (text, target) => make("a", { class: "more", href: target }, text, icon("next"));
