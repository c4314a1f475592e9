//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a PaymentRequest resolves with.

import { aborted, invalidState, wrong } from "./errors.js";
import { defineHandlers } from "./handlers.js";

const results = ["fail", "success", "unknown"];

/// W3C's PaymentAddress of one of Apple's contacts, as WebKit makes it.
export function addressOf(contact) {
    return {
        country: contact.countryCode ?? "", addressLine: contact.addressLines ?? [],
        region: contact.administrativeArea ?? "", city: contact.locality ?? "",
        dependentLocality: contact.subLocality ?? "", postalCode: contact.postalCode ?? "", sortingCode: "",
        organization: "", recipient: nameOf(contact), phone: contact.phoneNumber ?? "",
        toJSON() {
            const { toJSON, ...members } = this;
            return members;
        },
    };
}

export const nameOf = ({ givenName, familyName }) => [givenName, familyName].filter(Boolean).join(" ");

export class PaymentResponse extends EventTarget {
    #request;
    #isComplete = false;
    #isRetrying = false;

    static { defineHandlers(this.prototype, ["payerdetailchange"]); }

    /// - Parameter request: the request's own: `complete(isPaid, end)`, `retry(errors)`, `isOver()`.
    constructor(request, contents) {
        super();
        this.#request = request;
        this.accept(contents);
    }

    /// The simulator's own: what the shopper has authorized, the first time and after each retry.
    accept(contents) {
        for (const [name, value] of Object.entries(contents)) {
            Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
        }
    }

    /// Without a result it is a success, as with WebKit.
    ///
    /// - Parameter details: of its `data` the `simulatedEnd` is the simulator's own (see ends.js).
    async complete(result, details) {
        const said = String(result ?? "success");
        if (!results.includes(said)) { throw wrong(`"${said}" is not one of ${results.join(", ")}.`); }
        this.#requireOpen();
        this.#isComplete = true;
        this.#request.complete(said === "success", details?.data?.simulatedEnd);
    }

    /// Resolves when the shopper has authorized again.
    async retry(errors) {
        this.#requireOpen();
        this.#isRetrying = true;
        try {
            await this.#request.retry(errors ?? {});
        } finally {
            this.#isRetrying = false;
        }
    }

    #requireOpen() {
        if (this.#isComplete) { throw invalidState("This response was completed already."); }
        if (this.#isRetrying) { throw invalidState("The shopper is trying again."); }
        if (this.#request.isOver()) { throw aborted("The payment sheet is closed."); }
    }

    toJSON() { return { ...this }; }
}
