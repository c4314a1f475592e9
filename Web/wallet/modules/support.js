//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a page may ask of the wallet before it makes a session.

import { requireUsableDocument } from "./document.js";
import { invalidAccess, wrong } from "./errors.js";
import { requireUserGesture } from "./gesture.js";
import { highestVersion } from "./phone.js";
import { sandbox } from "./sandbox.js";

export function isVersionSupported(version) {
    const number = Number(version);
    if (!Number.isInteger(number) || number < 1) {
        throw invalidAccess("The version must be a whole number of at least 1.");
    }
    requireUsableDocument();
    return number <= highestVersion;
}

export async function hasActiveCard(merchantIdentifier) {
    requireUsableDocument();
    if (merchantIdentifier === undefined) { throw wrong("The merchant identifier is missing."); }
    const { cards } = await sandbox.cards().catch(() => ({ cards: [] }));
    return cards.length > 0;
}

export async function paymentCapabilities(merchantIdentifier) {
    const hasCard = await hasActiveCard(merchantIdentifier);
    return { paymentCredentialStatus: hasCard ? "paymentCredentialsAvailable" : "paymentCredentialsUnavailable" };
}

/// There is nothing to set up: the simulator's cards are there.
export async function showPaymentSetup(merchantIdentifier) {
    requireUsableDocument();
    requireUserGesture("Must call ApplePaySession.openPaymentSetup from a user gesture handler.");
    return hasActiveCard(merchantIdentifier);
}
