//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The events of a PaymentRequest. What their methods do is the request's.

import { invalidState } from "./errors.js";

export class PaymentRequestUpdateEvent extends Event {
    #update;

    /// - Parameter update: the request's own: is given what updates it.
    constructor(type, init, update) {
        super(type, init);
        this.#update = update;
    }

    /// Only while the event is handled, and once.
    updateWith(details) {
        if (this.#update === undefined || this.eventPhase === Event.NONE) {
            throw invalidState("updateWith() must be called in the event's handler, before anything is awaited there.");
        }
        const update = this.#update;
        this.#update = undefined;
        this.stopImmediatePropagation();
        update(details);
    }
}

export class PaymentMethodChangeEvent extends PaymentRequestUpdateEvent {
    constructor(type, init = {}, update = undefined) {
        super(type, init, update);
        this.methodName = String(init.methodName ?? "");
        this.methodDetails = init.methodDetails ?? null;
    }
}

export class MerchantValidationEvent extends Event {
    #validate;

    constructor(type, init = {}, validate = undefined) {
        super(type, init);
        this.methodName = String(init.methodName ?? "");
        this.validationURL = String(init.validationURL ?? "");
        this.#validate = validate;
    }

    /// With a merchant session or the promise of one, at any time.
    complete(merchantSession) {
        if (this.#validate === undefined) { throw invalidState("This merchant validation was completed already."); }
        const validate = this.#validate;
        this.#validate = undefined;
        this.stopImmediatePropagation();
        validate(merchantSession);
    }
}
