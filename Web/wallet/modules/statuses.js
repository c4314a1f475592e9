//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The numbers by which shops answered before version 3 of the API.

import { invalidAccess } from "./errors.js";
import { ApplePayError } from "./events.js";

export const statuses = {
    SUCCESS: 0, FAILURE: 1, INVALID_BILLING_POSTAL_ADDRESS: 2, INVALID_SHIPPING_POSTAL_ADDRESS: 3,
    INVALID_SHIPPING_CONTACT: 4, PIN_REQUIRED: 5, PIN_INCORRECT: 6, PIN_LOCKOUT: 7,
};

/// Gives it the STATUS_ constants.
export function defineStatuses(target) {
    for (const [name, value] of Object.entries(statuses)) {
        Object.defineProperty(target, `STATUS_${name}`, { value, enumerable: true });
    }
}

/// The old status codes as errors; an unknown status is an error of the caller.
export function statusErrors(status, otherCode) {
    switch (status) {
    case 0: return [];
    case 2: return [new ApplePayError("billingContactInvalid", "postalAddress")];
    case 3: return [new ApplePayError("shippingContactInvalid", "postalAddress")];
    case 4: return [new ApplePayError("shippingContactInvalid")];
    case 1: case 5: case 6: case 7: return otherCode === undefined ? [] : [new ApplePayError(otherCode)];
    default: throw invalidAccess(`${status} is not one of the STATUS_ constants.`);
    }
}
