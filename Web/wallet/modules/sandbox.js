//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The sandbox that this script came from: cards, merchant sessions, payments.

import { WalletError } from "./errors.js";
import { phone, slowMilliseconds } from "./phone.js";
import { origin } from "./script.js";

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

    session: (merchantSession) =>
        sandbox.fetch("/wallet/api/sessions", { merchantSession, host: location.hostname }),

    payment: (merchantSession, cardId, network, request) =>
        sandbox.fetch("/wallet/api/payments", { merchantSession, host: location.hostname, cardId, network, request }),

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
