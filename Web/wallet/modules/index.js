//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A wallet for browsers that have none: defines `window.ApplePaySession` where it is missing, and with it a `PaymentRequest`
// that has Apple Pay's method, and shows a payment sheet of its own design, whose tokens the sandbox mints. No card is charged.
// One `script` line with the sandbox's address is all that a shop in development needs; see docs/wallet.md.
//
// The interfaces follow Apple's public documentation of "Apple Pay on the Web" (Apple Pay JS API, Payment Request API) and the
// W3C Payment Request API; what is thrown and when a call is allowed follows the order in which WebKit, the published engine of
// Safari, does it.
//
// script/bundle makes one classic script of these modules, without dependencies. It sets no style attributes, makes no markup
// from text and injects its rules through a constructed style sheet, so that it runs under a strict Content-Security-Policy and
// with Trusted Types.

import { ApplePaySession, leavePage } from "./session.js";
import {
    ApplePayCancelEvent, ApplePayCouponCodeChangedEvent, ApplePayError, ApplePayPaymentAuthorizedEvent,
    ApplePayPaymentMethodSelectedEvent, ApplePayShippingContactSelectedEvent, ApplePayShippingMethodSelectedEvent,
    ApplePayValidateMerchantEvent,
} from "./events.js";
import { watchGestures } from "./gesture.js";
import { MerchantValidationEvent, PaymentMethodChangeEvent, PaymentRequestUpdateEvent } from "./payment-events.js";
import { PaymentRequest } from "./payment-request.js";
import { PaymentResponse } from "./payment-response.js";
import { origin, script } from "./script.js";

function define(global) {
    Object.defineProperty(globalThis, global.name, { value: global, writable: true, configurable: true });
}

/// Defines the interfaces in the page.
function install() {
    addEventListener("pagehide", leavePage);
    watchGestures();
    for (const global of [
        ApplePaySession, ApplePayError, ApplePayValidateMerchantEvent, ApplePayPaymentMethodSelectedEvent,
        ApplePayShippingMethodSelectedEvent, ApplePayShippingContactSelectedEvent, ApplePayCouponCodeChangedEvent,
        ApplePayPaymentAuthorizedEvent, ApplePayCancelEvent, PaymentRequest,
    ]) {
        define(global);
    }
    // Those that the browser has are those of its own requests, which are for other methods.
    for (const global of [PaymentResponse, PaymentRequestUpdateEvent, PaymentMethodChangeEvent, MerchantValidationEvent]) {
        if (globalThis[global.name] === undefined) { define(global); }
    }
    console.info("[Pomona wallet simulator] This browser has no ApplePaySession: a simulated one is in its place. It pays with "
        + `made-up cards of the sandbox at ${origin}; no money moves.`);
}

if (globalThis.ApplePaySession && !script?.hasAttribute("data-replace")) {
    console.info("[Pomona wallet simulator] This browser has ApplePaySession already: the simulator steps aside.");
} else {
    install();
}
