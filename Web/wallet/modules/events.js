//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// ApplePayError and the events.

import { wrong } from "./errors.js";
import { sequenceOf } from "./idl.js";
import { codeWords, fieldWords } from "./words.js";

export class ApplePayError {
    constructor(code, contactField, message = "") {
        if (!Object.hasOwn(codeWords, code)) { throw wrong(`"${code}" is not a code of ApplePayError.`); }
        if (contactField !== undefined && !Object.hasOwn(fieldWords, contactField)) {
            throw wrong(`"${contactField}" is not a contact field of ApplePayError.`);
        }
        this.code = code;
        this.contactField = contactField;
        this.message = String(message);
    }
}

/// The errors of an update or of a result. One of another kind is refused before anything changes, as WebKit's bindings
/// do it (`sequence<ApplePayError>`).
export function validatedErrors(errors) {
    if (errors === undefined) { return []; }
    return sequenceOf(errors, "errors", (error) => {
        if (!(error instanceof ApplePayError)) { throw wrong("Each of the errors must be an ApplePayError."); }
        return error;
    });
}

export class ApplePayValidateMerchantEvent extends Event {
    constructor(type, validationURL) { super(type); this.validationURL = validationURL; }
}
export class ApplePayPaymentMethodSelectedEvent extends Event {
    constructor(type, paymentMethod) { super(type); this.paymentMethod = paymentMethod; }
}
export class ApplePayShippingMethodSelectedEvent extends Event {
    constructor(type, shippingMethod) { super(type); this.shippingMethod = shippingMethod; }
}
export class ApplePayShippingContactSelectedEvent extends Event {
    constructor(type, shippingContact) { super(type); this.shippingContact = shippingContact; }
}
export class ApplePayCouponCodeChangedEvent extends Event {
    constructor(type, couponCode) { super(type); this.couponCode = couponCode; }
}
export class ApplePayPaymentAuthorizedEvent extends Event {
    constructor(type, payment) { super(type); this.payment = payment; }
}
export class ApplePayCancelEvent extends Event {
    constructor(type, sessionError) { super(type); this.sessionError = sessionError; }
}
