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

/// Who listens to what, which an EventTarget does not say. One that it lets go by itself, after an event ({ once: true }) or
/// when a signal aborts ({ signal }), is counted no longer (DOM, "event listeners").
export class Listeners {
    #known = [];

    /// To be called before the target adds it.
    add(target, type, listener, options) {
        if (typeof listener !== "function" && (typeof listener !== "object" || listener === null)) { return; }
        const { once = false, signal } = Object(options);
        const own = { type: String(type), listener, isCapture: isCapture(options) };
        // The target takes none a second time, and none whose signal has aborted.
        if (this.#found(own) !== undefined || signal?.aborted) { return; }
        this.#known.push(own);
        signal?.addEventListener("abort", () => this.#forget(own), { once: true });
        // Comes just before it, and just as it does: not where an earlier one stops the event.
        if (once) { EventTarget.prototype.addEventListener.call(target, type, () => this.#forget(own), options); }
    }

    remove(type, listener, options) {
        this.#forget(this.#found({ type: String(type), listener, isCapture: isCapture(options) }));
    }

    hears(type) { return this.#known.some((own) => own.type === type); }

    #found({ type, listener, isCapture }) {
        return this.#known.find((own) =>
            own.type === type && own.listener === listener && own.isCapture === isCapture);
    }

    #forget(own) { this.#known = this.#known.filter((other) => other !== own); }
}

const isCapture = (options) => Boolean(typeof options === "object" ? options?.capture : options);
