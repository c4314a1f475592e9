//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Events of a session or a request: by addEventListener, or by a property such as onvalidatemerchant.

const sessionEvents = [
    "validatemerchant", "paymentmethodselected", "shippingmethodselected", "shippingcontactselected", "couponcodechanged",
    "paymentauthorized", "cancel",
];
/// What was set to these properties, by the event's name.
const handlers = new WeakMap();

/// Gives a prototype of event targets the properties.
export function defineHandlers(prototype, names = sessionEvents) {
    for (const name of names) {
        Object.defineProperty(prototype, `on${name}`, {
            configurable: true, enumerable: true,
            get() { return handlers.get(this)?.[name]?.handler ?? null; },
            set(handler) { setHandler(this, name, handler); },
        });
    }
}

function setHandler(target, name, handler) {
    const own = handlers.get(target) ?? {};
    handlers.set(target, own);
    if (own[name] !== undefined) { target.removeEventListener(name, own[name].listener); }
    delete own[name];
    if (typeof handler !== "function") { return; }
    const listener = (event) => handler.call(target, event);
    own[name] = { handler, listener };
    target.addEventListener(name, listener);
}

/// Who listens to what, which an EventTarget does not say.
export class Listeners {
    #known = new Map();

    add(type, listener) {
        if (listener) { this.#known.set(type, (this.#known.get(type) ?? new Set()).add(listener)); }
    }

    remove(type, listener) { this.#known.get(type)?.delete(listener); }

    hears(type) { return (this.#known.get(type)?.size ?? 0) > 0; }
}
