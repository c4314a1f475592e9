//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The sandbox that this script came from: cards, merchant sessions, payments.

import { WalletError } from "./errors.js";
import { phone, slowMilliseconds } from "./phone.js";
import { origin } from "./script.js";

/// A name for a sheet: 128 random bits. (randomUUID() is missing in documents that are not secure.)
export function newSheetId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const sandbox = {
    cardsPromise: undefined,

    /// The wallet's cards and the simulated Apple's addresses, asked for once.
    cards() {
        this.cardsPromise ??= this.fetch("/wallet/api/cards").catch((error) => {
            this.cardsPromise = undefined;
            throw error;
        });
        return this.cardsPromise;
    },

    /// - Parameter sheetId: by which the sandbox knows a merchant session that is used for a second sheet.
    session: (sheetId, merchantSession) =>
        sandbox.fetch("/wallet/api/sessions", { sheetId, merchantSession, host: location.hostname }),

    payment: (sheetId, merchantSession, payment) =>
        sandbox.fetch("/wallet/api/payments", { sheetId, merchantSession, host: location.hostname, ...payment }),

    async fetch(path, body) {
        if (body !== undefined && phone.network === "slow") {
            await new Promise((resolve) => setTimeout(resolve, slowMilliseconds));
        }
        if (body !== undefined && phone.network === "lost") {
            throw new WalletError("network_lost", "The simulated phone has no network. Switch it on again below.");
        }
        let response;
        try {
            response = await fetch(origin + path, body === undefined ? { credentials: "omit" } : {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify(body),
                credentials: "omit",
            });
        } catch {
            throw new WalletError("unreachable",
                `The sandbox at ${origin} does not answer. Is it running, and does the page's `
                + "Content-Security-Policy allow to connect to it?");
        }
        const answer = await response.json().catch(() => ({}));
        if (!response.ok) {
            const error = answer.error ?? {};
            throw new WalletError(error.code ?? `http_${response.status}`,
                error.message ?? `The sandbox answered with status ${response.status}.`);
        }
        return answer;
    },
};
