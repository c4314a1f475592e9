//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Made by script/bundle from Web/wallet/modules. Change those and run it again.

(() => {
    'use strict';

    // card-face.js

    // How a card would pay at a shop.

    /// The card's networks that the shop takes, in the order of supportedNetworks: the first is preselected.
    function acceptedNetworks(card, request) {
        const kinds = request.merchantCapabilities.filter((name) => ["supportsCredit", "supportsDebit"].includes(name));
        const kind = card.type === "debit" ? "supportsDebit" : "supportsCredit";
        if (kinds.length > 0 && !kinds.includes(kind)) { return []; }
        const names = [...new Set(request.supportedNetworks.map((name) => name.toLowerCase()))];
        return names.flatMap((name) => card.networks.filter(({ network }) => network.toLowerCase() === name));
    }

    /// The card as it would pay: by the network that the customer chose, or by the preselected one; undefined if not at all.
    function cardFace(card, request, network) {
        const choices = acceptedNetworks(card, request);
        const chosen = choices.find((choice) => choice.network === network) ?? choices[0];
        return chosen && { ...card, ...chosen, choices };
    }

    // phone.js

    // The simulated phone, and how long things take.

    // What Apple gives the shop for each answer before the sheet gives up.
    const answerSeconds = 30;
    // What the "slow" network adds to each request of the simulated phone.
    const slowMilliseconds = 6000;
    // How long a sheet is still seen when all is over.
    const doneMilliseconds = 1400;
    const failedMilliseconds = 4000;
    const highestVersion = 14;

    /// The settings of the simulated phone. They outlive a sheet, not the page.
    const phone = { network: "normal", contacts: {} };

    // contacts.js

    // Contacts: made-up people, and what the shop learns of them at which time.


    const contact = (countryCode, givenName, familyName, lines, locality, area, postalCode, phoneNumber, rest = {}) => ({
        givenName, familyName, phoneticGivenName: "", phoneticFamilyName: "", emailAddress: "sample.shopper@example.com",
        phoneNumber, addressLines: lines, subLocality: "", locality, subAdministrativeArea: "", administrativeArea: area,
        postalCode, countryCode, ...rest,
    });

    /// Made-up people, one for each country that a demo may ask for.
    const sampleContacts = {
        CA: contact("CA", "Robin", "Tremblay", ["18 Sample Street"], "Ottawa", "ON", "K1A 0B1", "+1 613 555 0134"),
        DE: contact("DE", "Jana", "Muster", ["Musterstraße 12"], "Berlin", "", "10115", "+49 30 23125 014"),
        GB: contact("GB", "Alex", "Sample", ["4 Example Lane"], "London", "", "SW1A 1AA", "+44 20 7946 0018"),
        TW: contact("TW", "Mei-Ling", "Chen", ["12 Sample Road, Section 1"], "Taipei City", "", "100", "+886 2 5550 0123",
            { subLocality: "Zhongzheng District" }),
        US: contact("US", "Jamie", "Sample", ["12 Example Avenue"], "San Jose", "CA", "95113", "+1 408 555 0118"),
    };

    const countryName = (code) => {
        try {
            return new Intl.DisplayNames(["en"], { type: "region" }).of(code);
        } catch {
            return code;
        }
    };

    const postalFields = [
        "addressLines", "subLocality", "locality", "subAdministrativeArea", "administrativeArea", "postalCode", "countryCode",
    ];
    const nameFields = ["givenName", "familyName", "phoneticGivenName", "phoneticFamilyName"];

    /// What the sheet begins with: the shop's contact, and for what it says nothing of a made-up person's. An address or a
    /// name of which it gives a part is its own: nobody lives in half of one and half of another.
    function startingContact(kind, request) {
        const sample = sampleContacts[request.countryCode] ?? sampleContacts.US;
        const contact = Object(request[kind === "shipping" ? "shippingContact" : "billingContact"]);
        const given = Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== undefined));
        const blank = {};
        for (const fields of [[...postalFields, "country"], nameFields]) {
            if (!fields.some((field) => given[field] !== undefined)) { continue; }
            for (const field of fields) { blank[field] = field === "addressLines" ? [] : ""; }
        }
        return { ...sample, ...phone.contacts[`${kind}-${request.countryCode}`], ...blank, ...given };
    }

    /// By its code; a shop's contact may have the name alone.
    const countryOf = ({ countryCode, country }) => countryCode ? countryName(countryCode) : country ?? "";

    /// An address comes with the name (Apple Pay on the Web, requiredBillingContactFields: "You'll receive the postal
    /// address as well as the user's name").
    const asksForName = (required) => required.includes("name") || required.includes("postalAddress");

    /// Only the parts that the request asks for, as the authorized payment carries them.
    function requestedContact(full, required) {
        const parts = {};
        if (asksForName(required)) { Object.assign(parts, { givenName: full.givenName, familyName: full.familyName }); }
        if (required.includes("phoneticName")) {
            Object.assign(parts, { phoneticGivenName: full.phoneticGivenName, phoneticFamilyName: full.phoneticFamilyName });
        }
        if (required.includes("email")) { parts.emailAddress = full.emailAddress; }
        if (required.includes("phone")) { parts.phoneNumber = full.phoneNumber; }
        if (required.includes("postalAddress")) {
            for (const field of postalFields) { parts[field] = full[field]; }
            parts.country = countryOf(full);
        }
        return parts;
    }

    /// The contacts of an authorized payment: those that the shop has asked for.
    function requestedContacts({ shipping, billing }, { requiredShipping, requiredBilling }) {
        return {
            ...(requiredBilling.length > 0 && { billingContact: requestedContact(billing, requiredBilling) }),
            ...(requiredShipping.length > 0 && { shippingContact: requestedContact(shipping, requiredShipping) }),
        };
    }

    /// Where a whole postal code can be one house, its first part alone: all but the last three letters and digits, with a
    /// blank before them or without. What is no longer than a first part is one.
    function redactedPostalCode({ countryCode, postalCode }) {
        if (!["CA", "GB"].includes(String(countryCode).toUpperCase())) { return postalCode; }
        const code = String(postalCode ?? "").replace(/[^\p{L}\p{N}]/gu, "");
        return code.length > 4 ? code.slice(0, -3) : code;
    }

    /// What the shop sees before the payment is authorized: enough to ship and tax, not enough to know who it is.
    function redactedContact(full) {
        return {
            addressLines: [], familyName: "", givenName: "", phoneticFamilyName: "", phoneticGivenName: "",
            administrativeArea: full.administrativeArea, country: countryOf(full), countryCode: full.countryCode,
            locality: full.locality, postalCode: redactedPostalCode(full),
            subAdministrativeArea: full.subAdministrativeArea, subLocality: full.subLocality,
        };
    }

    /// What the shop learns of a card before the payment is authorized: its kind; and the billing contact where it asks for
    /// the address of that and for no other ("PassKit populates this property only when the app doesn't request a shipping
    /// address", PKPaymentMethod.billingAddress, of which ApplePayPaymentMethod.billingContact is made).
    function selectedMethod(card, { billing }, { requiredShipping, requiredBilling }) {
        const isAsked = requiredBilling.includes("postalAddress") && !requiredShipping.includes("postalAddress");
        return { type: card.type, ...(isAsked && { billingContact: redactedContact(billing) }) };
    }

    // choices.js

    // What the shopper has chosen on the sheet: the card and its network, a shipping method, contacts.


    const preferredMethod = (methods) => methods.find((method) => method.selected) ?? methods[0];

    class Choices {
        cards = [];
        /// The chosen card; undefined where the shop takes none of the wallet's.
        card;
        method;
        contacts;
        #request;
        /// The networks that the shopper chose, by the card's id.
        #networks = new Map();

        constructor(request) {
            this.#request = request;
            this.contacts = { shipping: startingContact("shipping", request), billing: startingContact("billing", request) };
            this.method = preferredMethod(request.shippingMethods);
        }

        /// The wallet's cards have come: the first that the shop takes is chosen.
        offerCards(cards) {
            this.cards = cards;
            this.card = cards.find((card) => this.face(card) !== undefined);
        }

        /// The shop has other shipping methods now. One that is preselected comes before the one that was chosen.
        offerMethods(methods) {
            const chosen = methods.find((method) => method.identifier === this.method?.identifier);
            this.method = methods.find((method) => method.selected) ?? chosen ?? methods[0];
        }

        /// The card as it would pay at this shop; undefined if not at all.
        face(card) { return cardFace(card, this.#request, this.#networks.get(card.id)); }

        chooseNetwork(card, network) { this.#networks.set(card.id, network); }

        /// The phone knows the contact the next time, too.
        saveContact(kind, full) {
            this.contacts[kind] = full;
            phone.contacts[`${kind}-${this.#request.countryCode}`] = full;
        }
    }

    // errors.js

    // What is thrown.

    const invalidAccess = (message) => new DOMException(message, "InvalidAccessError");
    const invalidState = (message) => new DOMException(message, "InvalidStateError");
    const aborted = (message) => new DOMException(message, "AbortError");
    const wrong = (message) => new TypeError(message);

    /// A refusal of the sandbox: a stable code and a sentence.
    class WalletError extends Error {
        constructor(code, message) {
            super(message);
            this.code = code;
        }
    }

    // document.js

    // Where and when Apple Pay may be used at all.


    /// Apple Pay needs a secure document; a frame needs the page's leave.
    function requireUsableDocument() {
        const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
        if (!isSecureContext && !isLocal) {
            throw invalidAccess("Apple Pay needs a document that came over https (or from localhost).");
        }
        if (window !== window.top && document.featurePolicy?.allowsFeature("payment") === false) {
            throw invalidAccess('A frame of another origin needs allow="payment" for Apple Pay.');
        }
    }

    // idl.js

    // What members of dictionaries are: the conversions of Web IDL, as far as a payment request needs them.


    /// Nothing is an empty dictionary; what is no object is none.
    function dictionaryOf(value, what) {
        if (value === undefined || value === null) { return {}; }
        if (typeof value !== "object" && typeof value !== "function") { throw wrong(`${what} must be an object.`); }
        return value;
    }

    function sequenceOf(list, what, convert) {
        if (list === null || typeof list !== "object" || typeof list[Symbol.iterator] !== "function") {
            throw wrong(`${what} must be a list.`);
        }
        return Array.from(list, convert);
    }

    /// A text that must be there. Anything else is written as JavaScript writes it, also `null`.
    function requiredText(dictionary, name, what) {
        if (dictionary[name] === undefined) { throw wrong(`${what} has no ${name}.`); }
        return String(dictionary[name]);
    }

    /// One of some names; the first where none is given.
    function choiceOf(name, names, what) {
        if (name === undefined) { return names[0]; }
        if (!names.includes(String(name))) { throw wrong(`"${name}" is not one of ${what}: ${names.join(", ")}.`); }
        return String(name);
    }

    /// A decimal number with a point, as text. Numbers are taken as JavaScript writes them, as any DOMString is.
    function amountText(amount, what) {
        const text = String(amount);
        if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) { throw wrong(`"${text}" is not an amount (${what}).`); }
        return text;
    }

    const isNegative = (amount) => amount.startsWith("-") && /[1-9]/.test(amount);

    function requireURL(text, what) {
        try {
            new URL(text);
        } catch {
            throw wrong(`"${text}" is not a URL (${what}).`);
        }
    }

    // words.js

    // Words for what the interface has names and codes for.

    const outcomeWords = { approves: "Approves", declines: "Declines", times_out: "Times out" };
    const shippingWords = { shipping: "Ship to", delivery: "Deliver to", storePickup: "Pick up at",
        servicePickup: "Pick up from" };
    const methodWords = { shipping: "Shipping", delivery: "Delivery", storePickup: "Store pickup",
        servicePickup: "Service pickup" };

    const fieldWords = {
        phoneNumber: "phone", emailAddress: "e-mail", name: "name", phoneticName: "phonetic name", postalAddress: "address",
        addressLines: "street", locality: "city", subLocality: "district", postalCode: "postal code", administrativeArea: "state",
        subAdministrativeArea: "county", country: "country", countryCode: "country",
    };
    const codeWords = {
        shippingContactInvalid: "The shipping contact is not valid", billingContactInvalid: "The billing contact is not valid",
        addressUnserviceable: "The shop does not deliver to this address", couponCodeInvalid: "The coupon code is not valid",
        couponCodeExpired: "The coupon code has expired", unknown: "The shop could not say why",
    };

    function errorWords(error) {
        if (error.message) { return error.message; }
        const field = fieldWords[error.contactField];
        return `${codeWords[error.code] ?? codeWords.unknown}${field === undefined ? "" : ` (${field})`}.`;
    }

    // events.js

    // ApplePayError and the events.


    class ApplePayError {
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
    function validatedErrors(errors) {
        if (errors === undefined) { return []; }
        return sequenceOf(errors, "errors", (error) => {
            if (!(error instanceof ApplePayError)) { throw wrong("Each of the errors must be an ApplePayError."); }
            return error;
        });
    }

    class ApplePayValidateMerchantEvent extends Event {
        constructor(type, validationURL) { super(type); this.validationURL = validationURL; }
    }
    class ApplePayPaymentMethodSelectedEvent extends Event {
        constructor(type, paymentMethod) { super(type); this.paymentMethod = paymentMethod; }
    }
    class ApplePayShippingMethodSelectedEvent extends Event {
        constructor(type, shippingMethod) { super(type); this.shippingMethod = shippingMethod; }
    }
    class ApplePayShippingContactSelectedEvent extends Event {
        constructor(type, shippingContact) { super(type); this.shippingContact = shippingContact; }
    }
    class ApplePayCouponCodeChangedEvent extends Event {
        constructor(type, couponCode) { super(type); this.couponCode = couponCode; }
    }
    class ApplePayPaymentAuthorizedEvent extends Event {
        constructor(type, payment) { super(type); this.payment = payment; }
    }
    class ApplePayCancelEvent extends Event {
        constructor(type, sessionError) { super(type); this.sessionError = sessionError; }
    }

    // statuses.js

    // The numbers by which shops answered before version 3 of the API.


    const statuses = {
        SUCCESS: 0, FAILURE: 1, INVALID_BILLING_POSTAL_ADDRESS: 2, INVALID_SHIPPING_POSTAL_ADDRESS: 3,
        INVALID_SHIPPING_CONTACT: 4, PIN_REQUIRED: 5, PIN_INCORRECT: 6, PIN_LOCKOUT: 7,
    };

    /// Gives it the STATUS_ constants.
    function defineStatuses(target) {
        for (const [name, value] of Object.entries(statuses)) {
            Object.defineProperty(target, `STATUS_${name}`, { value, enumerable: true });
        }
    }

    /// The old status codes as errors; an unknown status is an error of the caller.
    function statusErrors(status, otherCode) {
        switch (status) {
        case 0: return [];
        case 2: return [new ApplePayError("billingContactInvalid", "postalAddress")];
        case 3: return [new ApplePayError("shippingContactInvalid", "postalAddress")];
        case 4: return [new ApplePayError("shippingContactInvalid")];
        case 1: case 5: case 6: case 7: return otherCode === undefined ? [] : [new ApplePayError(otherCode)];
        default: throw invalidAccess(`${status} is not one of the STATUS_ constants.`);
        }
    }

    // ends.js

    // The ends that a payment comes to. Apple's sheet knows success and failure, and for an outcome that nobody knows yet it has no
    // word. A shop may give the simulator more: `completePayment({ status, simulatedEnd })` and `abort(simulatedEnd)` with
    // `{ kind: "declined" | "refused" | "unknown" | "failed", say, more, code }`. Other wallets read none of it.


    const kinds = ["declined", "refused", "unknown", "failed"];
    const textMax = 300;

    /// The end as the sheet shows it, or undefined if the shop said none that can be shown.
    function simulatedEnd(end) {
        if (end === null || typeof end !== "object" || !kinds.includes(end.kind) || !end.say) { return undefined; }
        const [say, more, code] = [end.say, end.more, end.code].map((text) => String(text ?? "").slice(0, textMax));
        return { kind: end.kind, say, more, code };
    }

    const taken = {
        kind: "taken", say: "Done", more: "The shop has taken the token. Its page says what became of the payment.",
    };
    const failed = { kind: "failed", say: "Payment not completed", more: "The shop did not accept the simulated payment." };
    const pinWords = {
        [statuses.PIN_REQUIRED]: " The shop asks for the card's PIN.",
        [statuses.PIN_INCORRECT]: " The card's PIN was wrong.",
        [statuses.PIN_LOCKOUT]: " The card's PIN is locked.",
    };

    /// What the shop's completePayment means for the sheet: `({status, errors})`, or before version 3 `(status)`.
    ///
    /// Final are a success and a failure without errors alone (WebKit, ApplePayPaymentAuthorizationResult::isFinalState):
    /// the sheet says the outcome and goes, and the shop hears no oncancel. Else it stays, for the shopper corrects
    /// something or tries again: also an error "unknown" is non-fatal (PassKit, PKPaymentError.unknownError).
    function paymentAnswer(result) {
        const status = typeof result === "number" ? result : result?.status;
        const given = validatedErrors(result?.errors);
        const errors = [...statusErrors(status), ...given];
        if (errors.length === 0 && status === statuses.SUCCESS) { return { isFinal: true, outcome: taken }; }
        if (errors.length === 0 && status === statuses.FAILURE) {
            return { isFinal: true, outcome: simulatedEnd(result?.simulatedEnd) ?? failed };
        }
        return { isFinal: false, say: `Payment not completed.${pinWords[status] ?? ""}`, errors };
    }

    // gesture.js

    // Whether a gesture of the user is being handled right now. `navigator.userActivation` does not say it: it is active
    // for some seconds, while WebKit's gesture (UserGestureIndicator) is over with the event. What waits only for promises
    // that are settled still belongs to it. What waits for the network does not: WebKit since November 2025 lets a fetch
    // pass it on, earlier ones do not, and what is taken here is taken by all of them.


    /// The events whose handlers WebKit takes for a gesture.
    const gestures = ["click", "dblclick", "mousedown", "mouseup", "pointerup", "touchend", "keydown", "keypress", "keyup"];
    /// What a browser dispatches of its own after one of them, in the same task: the form that was sent by it.
    const consequences = ["submit", "change", "input"];

    /// Events that were seen on their way. An event that has been handled is in no phase any more (DOM, "dispatch").
    let seen = [];
    /// Whether the task of a gesture goes on.
    let isFresh = false;
    /// Whether its promises' reactions come only after it: a script is below that made the event, such as a test driver's.
    let comesLate = false;

    const isBeingHandled = (event) => event.eventPhase !== Event.NONE;
    const isGesture = (event) => event?.isTrusted === true && gestures.includes(event.type);
    /// WebKit hands a gesture on with a message that is posted to a window in it: the button of a frame pays in the page.
    /// Whether one was posted so nobody says; that the user has done something just now is all that can be asked for.
    const mayCarryGesture = ({ isTrusted, type, target, source }) => isTrusted && type === "message" && target === window
        && Boolean(source) && navigator.userActivation?.isActive !== false;

    /// From now on gestures are seen.
    function watchGestures() {
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = () => { [isFresh, comesLate] = [false, false]; };
        const notice = (event) => {
            const isConsequence = event.isTrusted && isFresh && consequences.includes(event.type);
            if (!isGesture(event) && !isConsequence && !mayCarryGesture(event)) { return; }
            seen = [...seen.filter(isBeingHandled), event];
            isFresh = true;
            queueMicrotask(() => { comesLate ||= !isBeingHandled(event); });
            // The next task is another one.
            port1.postMessage(null);
        };
        for (const name of [...gestures, ...consequences, "message"]) {
            addEventListener(name, notice, { capture: true, passive: true });
        }
    }

    /// Whether a script of that window, or of a frame in it that this one may look into, handles one: WebKit asks for a
    /// gesture, and not where in the page it was made.
    function handlesGesture(frame) {
        let event;
        try {
            ({ event } = frame);
        } catch { /* A frame of another origin. Those in it may be ours. */ }
        return isGesture(event) || Array.from({ length: frame.length }, (_, index) => frame[index]).some(handlesGesture);
    }

    /// - Parameter sentence: WebKit's own, which pages know.
    function requireUserGesture(sentence) {
        if (!seen.some(isBeingHandled) && !comesLate && !handlesGesture(window.top ?? window)) {
            throw invalidAccess(`${sentence} Await nothing before it there.`);
        }
    }

    // handlers.js

    // Events of a session or a request: by addEventListener, or by a property such as onvalidatemerchant.

    const sessionEvents = [
        "validatemerchant", "paymentmethodselected", "shippingmethodselected", "shippingcontactselected", "couponcodechanged",
        "paymentauthorized", "cancel",
    ];
    /// What was set to these properties, by the event's name.
    const handlers = new WeakMap();

    /// Gives a prototype of event targets the properties.
    function defineHandlers(prototype, names = sessionEvents) {
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
    class Listeners {
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

    // money.js

    // Amounts as people read them, and how small they may be.

    /// The currencies of ISO 4217 whose minor unit is no hundredth, by their decimals. (Not what Intl says, for browsers
    /// differ in it.)
    const otherDecimals = {
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    };

    function decimalsOf(currency) {
        const own = Object.entries(otherDecimals).find(([, codes]) => codes.split(" ").includes(currency));
        return own === undefined ? 2 : Number(own[0]);
    }

    function money(amount, currency) {
        try {
            // Browsers know cents of the new Taiwan dollar, which nobody charges: what is written whole is shown whole.
            const isWhole = currency === "TWD" && !String(amount).includes(".");
            // A decimal text is formatted exactly; a number would be rounded to a binary fraction first.
            return new Intl.NumberFormat("en", {
                style: "currency", currency, minimumFractionDigits: isWhole ? 0 : undefined,
            }).format(amount);
        } catch {
            return `${currency} ${amount}`;
        }
    }

    // line-items.js

    // Totals, line items and shipping methods: of a request, and of what the shop answers a change with.


    const itemTypes = ["final", "pending"];
    const timings = ["immediate", "recurring", "deferred", "automaticReload"];
    const intervals = ["month", "year", "day", "hour", "minute"];
    const totalMax = 100_000_000n;

    /// The members of every ApplePayLineItem that have a few values only.
    function itemNames(item, what) {
        choiceOf(item.recurringPaymentIntervalUnit, intervals, `the interval units (${what})`);
        return {
            type: choiceOf(item.type, itemTypes, `the types of line items (${what})`),
            timing: choiceOf(item.paymentTiming, timings, `the payment timings (${what})`),
        };
    }

    function validatedItem(item, what) {
        if (item === null || typeof item !== "object") { throw wrong(`${what} must have a label and an amount.`); }
        const { type, timing } = itemNames(item, what);
        return {
            label: requiredText(item, "label", what), type, timing,
            // A pending line item needs no amount.
            amount: type === "pending" ? undefined : amountText(item.amount, what),
        };
    }

    function validatedItems(items, what) {
        if (items === undefined) { return []; }
        return sequenceOf(items, what, (item, index) => validatedItem(item, `${what}[${index}]`));
    }

    /// WebKit takes any number of decimals. The token has the amount in the currency's smallest unit, and what is less than
    /// that has no place in it: better refused here than at the pay button, of which the page hears nothing.
    function requireDecimals(amount, currencyCode) {
        const decimals = decimalsOf(currencyCode);
        if (/[1-9]/.test((amount.split(".")[1] ?? "").slice(decimals))) {
            throw wrong(`"${amount}" is less than the smallest unit of ${currencyCode}, which has ${decimals} decimals.`);
        }
    }

    /// Apple's PaymentRequestValidator: validateTotal.
    function validatedTotal(given, currencyCode) {
        if (given === undefined || given === null) { throw wrong("The request has no total."); }
        const total = dictionaryOf(given, "The total");
        const label = requiredText(total, "label", "The total");
        if (total.amount === undefined || total.amount === null) { throw wrong("The total has no amount."); }
        const amount = amountText(total.amount, "total");
        const { type } = itemNames(total, "total");
        if (isNegative(amount)) { throw wrong("Total amount must not be negative."); }
        const [whole, fraction = ""] = amount.split(".");
        const isTooBig = BigInt(whole + fraction) > totalMax * 10n ** BigInt(fraction.length);
        if (isTooBig) { throw wrong("Total amount is too big."); }
        requireDecimals(amount, currencyCode);
        return { label, amount, type };
    }

    function validatedShippingMethods(methods) {
        return sequenceOf(methods, "shippingMethods", (given) => {
            const method = dictionaryOf(given, "A shipping method");
            const text = (name) => requiredText(method, name, "A shipping method");
            const [label, detail, identifier] = [text("label"), text("detail"), text("identifier")];
            const amount = amountText(text("amount"), "shippingMethods");
            if (isNegative(amount)) { throw wrong("A shipping method must not cost less than zero."); }
            return { label, detail, amount, identifier, selected: method.selected === true };
        });
    }

    // agreements.js

    // Payments to come, and tokens for several merchants. The sheet shows none of it; what is wrong with it is refused as
    // WebKit does it (ApplePaySession.cpp, convertAndValidate; the members that must be there are those of its .idl files).


    function requireBilling(request, name, timing) {
        if (request[name] === undefined) { throw wrong(`The request has no ${name}.`); }
        const item = validatedItem(request[name], name);
        if (item.timing !== timing) { throw wrong(`'${name}' must be a '${timing}' line item.`); }
    }

    /// What the three kinds have in common.
    function requireAgreement(request, what) {
        const { tokenNotificationURL } = request;
        requiredText(request, "paymentDescription", what);
        requireURL(requiredText(request, "managementURL", what), "managementURL");
        if (tokenNotificationURL !== undefined) { requireURL(String(tokenNotificationURL), "tokenNotificationURL"); }
    }

    function checkRecurring(request) {
        requireAgreement(request, "The recurringPaymentRequest");
        requireBilling(request, "regularBilling", "recurring");
        if (request.trialBilling !== undefined) { requireBilling(request, "trialBilling", "recurring"); }
    }

    function checkAutomaticReload(request) {
        requireAgreement(request, "The automaticReloadPaymentRequest");
        requireBilling(request, "automaticReloadBilling", "automaticReload");
        const { automaticReloadPaymentThresholdAmount: threshold } = request.automaticReloadBilling;
        amountText(threshold, "automaticReloadPaymentThresholdAmount");
    }

    function isTimeZone(name) {
        try {
            return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
        } catch {
            return false;
        }
    }

    function checkDeferred(request) {
        const { freeCancellationDate: date, freeCancellationDateTimeZone: zone = "" } = request;
        requireAgreement(request, "The deferredPaymentRequest");
        if (String(request.paymentDescription) === "") { throw wrong("Missing 'paymentDescription'."); }
        requireBilling(request, "deferredBilling", "deferred");
        const hasDate = date !== undefined && !Number.isNaN(Number(date));
        if (hasDate !== (zone !== "")) {
            throw wrong("'freeCancellationDate' and 'freeCancellationDateTimeZone' go together: set both or neither.");
        }
        if (hasDate && !isTimeZone(zone)) { throw wrong(`"${zone}" is not a time zone.`); }
    }

    function checkContext(given) {
        const context = dictionaryOf(given, "A token context");
        for (const name of ["merchantIdentifier", "externalIdentifier", "merchantName"]) {
            requiredText(context, name, "A token context");
        }
        const amount = amountText(requiredText(context, "amount", "A token context"), "multiTokenContexts");
        if (isNegative(amount)) { throw wrong("The amount of a token context must not be less than zero."); }
        return amount;
    }

    /// What there can be, by its name in a request. Of token contexts the amounts are kept, of others that they are there.
    const checks = {
        recurringPaymentRequest: (given, name) => checkRecurring(dictionaryOf(given, name)),
        automaticReloadPaymentRequest: (given, name) => checkAutomaticReload(dictionaryOf(given, name)),
        deferredPaymentRequest: (given, name) => checkDeferred(dictionaryOf(given, name)),
        multiTokenContexts: (given, name) => sequenceOf(given, name, checkContext),
    };

    /// "Simultaneous use of these properties results in an error and cancels the payment request" (Apple Pay on the Web,
    /// ApplePayPaymentRequest.multiTokenContexts; PassKit says it of deferred payments, too).
    function requireOne(agreements) {
        const names = Object.keys(agreements).filter((name) => agreements[name] === true || agreements[name].length > 0);
        if (names.length > 1) { throw wrong(`A payment request has one of these at most: ${names.join(", ")}.`); }
    }

    /// "The sum of the amount of all the payment token contexts must be less than or equal to the grand total amount".
    function requireCovered(amounts, total) {
        const decimals = Math.max(...[total, ...amounts].map((amount) => amount.split(".")[1]?.length ?? 0));
        const units = (amount) => {
            const [whole, fraction = ""] = amount.split(".");
            return BigInt(whole + fraction.padEnd(decimals, "0"));
        };
        if (amounts.reduce((sum, amount) => sum + units(amount), 0n) > units(total)) {
            throw wrong(`The amounts of multiTokenContexts are more than the total of ${total}.`);
        }
    }

    /// The agreements of a request, a modifier or an update.
    ///
    /// - Parameters:
    ///   - given: has them as its members: `recurringPaymentRequest`.
    ///   - total: the amount that is to be paid.
    ///   - before: what this was called with before, and gave, for what `given` updates.
    /// - Throws: a TypeError that says what is wrong.
    function validatedAgreements(given, total, before = {}) {
        const agreements = { ...before };
        for (const [name, check] of Object.entries(checks)) {
            if (given[name] !== undefined) { agreements[name] = check(given[name], name) ?? true; }
        }
        requireOne(agreements);
        requireCovered(agreements.multiTokenContexts ?? [], total);
        return agreements;
    }

    /// The members of an update under the names of a request: `newRecurringPaymentRequest`.
    const updatedAgreements = (update) => Object.fromEntries(
        Object.keys(checks).map((name) => [name, update[`new${name[0].toUpperCase()}${name.slice(1)}`]]));

    // countries.js

    // Countries.

    /// The codes of ISO 3166-1 that are officially assigned, as Sources/Core/Countries has them. (Not what Intl has names
    /// for: it knows reserved and withdrawn codes, too, such as UK and SU.)
    const countryCodes = new Set((
        "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW "
        + "BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI "
        + "FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN "
        + "IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME "
        + "MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF "
        + "PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV "
        + "SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE "
        + "YT ZA ZM ZW"
    ).split(" "));

    const isCountry = (code) => countryCodes.has(String(code));

    // request.js

    // What a payment request may hold (Apple Pay JS API: ApplePayPaymentRequest).


    /// Network names and the version of the API that brought them.
    const networks = new Map(Object.entries({
        amex: 1, chinaUnionPay: 1, discover: 1, interac: 1, masterCard: 1, privateLabel: 1, visa: 1,
        jcb: 2,
        cartesBancaires: 4, eftpos: 4, electron: 4, maestro: 4, vPay: 4,
        elo: 5, mada: 5,
        bancomat: 8, bancontact: 8, dankort: 8, girocard: 8, meeza: 8, mir: 8, nanaco: 8, nspk: 8, postFinance: 8, tmoney: 8,
        waon: 8, barcode: 8, himyan: 8, jaywan: 8, myDebit: 8, napas: 8, paypak: 8, pagoBancomat: 8,
    }).map(([name, version]) => [name.toLowerCase(), version]));
    const capabilities = ["supports3DS", "supportsEMV", "supportsCredit", "supportsDebit"];
    const contactFields = ["email", "name", "phone", "phoneticName", "postalAddress"];
    const shippingTypes = ["shipping", "delivery", "storePickup", "servicePickup"];
    /// `enabled` is what `available` was called before.
    const editingModes = ["available", "enabled", "storePickup"];

    const applicationDataBytesMax = 4096;
    /// The lists of capabilities of which the console has been notified: a PaymentRequest's are looked at a second time.
    const warnedOf = new WeakSet();

    const isCurrency = (code) => /^[A-Z]{3}$/.test(code)
        && (Intl.supportedValuesOf === undefined || Intl.supportedValuesOf("currency").includes(code));

    function validatedNames(list, allowed, what) {
        const names = [...new Set(Array.from(list ?? [], String))];
        for (const name of names) {
            if (!allowed.includes(name)) { throw wrong(`"${name}" is not one of ${what}.`); }
        }
        return names;
    }

    function validatedNetworks(list, version) {
        if (list === undefined) { throw wrong("The request has no supportedNetworks."); }
        const names = Array.from(list, String);
        if (names.length === 0) { throw wrong("The request's supportedNetworks are empty."); }
        for (const name of names) {
            const since = networks.get(name.toLowerCase());
            if (since === undefined) { throw wrong(`"${name}" is not a payment network.`); }
            if (since > version && since <= 5) {
                throw wrong(`The network "${name}" needs version ${since} of the API; this session asks for ${version}.`);
            }
        }
        // In any case: what is named twice is one network.
        return names.filter((name, index) =>
            names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index);
    }

    /// Every request must have it ("You must include the supports3DS value", merchantCapabilities). WebKit makes a session
    /// without it, too, and the payment fails in the sheet, of which the page hears nothing.
    function validatedCapabilities(list) {
        const names = validatedNames(list, capabilities, "the merchant capabilities");
        if (names.length === 0) { throw wrong("The request has no merchantCapabilities; they must hold supports3DS."); }
        if (!names.includes("supports3DS") && !warnedOf.has(list)) {
            warnedOf.add(list);
            console.warn("[Pomona wallet simulator] merchantCapabilities lack supports3DS: the payment will be refused.");
        }
        return names;
    }

    /// "A Base64-encoded string" (Apple Pay on the Web, ApplePayRequest.applicationData), in its one way of writing.
    function validatedApplicationData(given) {
        if (given === undefined || given === null) { return undefined; }
        const text = String(given);
        let bytes;
        try {
            bytes = atob(text);
        } catch {
            bytes = undefined;
        }
        if (bytes === undefined || bytes.length > applicationDataBytesMax || btoa(bytes) !== text) {
            throw wrong(`applicationData must be base64, with its padding, of at most ${applicationDataBytesMax} bytes.`);
        }
        return text;
    }

    /// Apple's ApplePayContactField: the phonetic name came with version 3.
    function validatedFields(list, version, what) {
        const names = validatedNames(list, contactFields, what);
        if (version < 3 && names.includes("phoneticName")) {
            throw wrong(`"phoneticName" needs version 3 of the API (${what}); this session asks for ${version}.`);
        }
        return names;
    }

    function checkCountries({ countryCode, supportedCountries }) {
        if (countryCode === undefined) { throw wrong("The request has no countryCode."); }
        if (!isCountry(countryCode)) { throw wrong(`"${countryCode}" is not a country code (ISO 3166-1, two letters).`); }
        for (const country of supportedCountries ?? []) {
            if (!isCountry(country)) { throw wrong(`"${country}" in supportedCountries is not a country code.`); }
        }
    }

    function checkCurrency({ currencyCode }) {
        if (currencyCode === undefined) { throw wrong("The request has no currencyCode."); }
        if (!isCurrency(currencyCode)) {
            throw wrong(`"${currencyCode}" is not a currency code (ISO 4217, three letters).`);
        }
    }

    /// What the shop answers a change with, or a TypeError that says what is wrong with it.
    ///
    /// - Parameter request: as the session keeps it.
    function validatedUpdate(update, { currencyCode, agreements }) {
        if (update === null || typeof update !== "object") { throw wrong("The update must be an object with a newTotal."); }
        const { newTotal, newLineItems, newShippingMethods, errors } = update;
        const total = validatedTotal(newTotal, currencyCode);
        return {
            errors: validatedErrors(errors), total,
            agreements: validatedAgreements(updatedAgreements(update), total.amount, agreements),
            items: newLineItems === undefined ? undefined : validatedItems(newLineItems, "newLineItems"),
            methods: newShippingMethods === undefined ? undefined : validatedShippingMethods(newShippingMethods),
        };
    }

    /// What a request holds in both interfaces, without the amounts (WebKit: ApplePayRequestBase), or a TypeError.
    function validatedBase(request, version) {
        if (request === null || typeof request !== "object") { throw wrong("The payment request must be an object."); }
        checkCountries(request);
        const { requiredShippingContactFields, requiredBillingContactFields, shippingContactEditingMode } = request;
        return {
            supportedNetworks: validatedNetworks(request.supportedNetworks, version),
            requiredShipping: validatedFields(requiredShippingContactFields, version, "requiredShippingContactFields"),
            requiredBilling: validatedFields(requiredBillingContactFields, version, "requiredBillingContactFields"),
            shippingContact: request.shippingContact, billingContact: request.billingContact,
            editingMode: choiceOf(shippingContactEditingMode, editingModes, "the editing modes of the shipping contact"),
            supportsCouponCode: request.supportsCouponCode === true, couponCode: String(request.couponCode ?? ""),
            countryCode: request.countryCode, merchantCapabilities: validatedCapabilities(request.merchantCapabilities),
            applicationData: validatedApplicationData(request.applicationData),
        };
    }

    /// The request as the session keeps it, or a TypeError that says what is wrong with it.
    function validatedRequest(request, version) {
        const base = validatedBase(request, version);
        checkCurrency(request);
        const total = validatedTotal(request.total, request.currencyCode);
        return {
            ...base, currencyCode: request.currencyCode, total, agreements: validatedAgreements(request, total.amount),
            lineItems: validatedItems(request.lineItems, "lineItems"),
            shippingMethods: validatedShippingMethods(request.shippingMethods ?? []),
            shippingType: choiceOf(request.shippingType, shippingTypes, "the shipping types"),
        };
    }

    // script.js

    // Where this script came from: the sandbox that it talks to.

    const script = document.currentScript ?? document.querySelector('script[src*="apple-pay-simulator.js"]');
    const origin = new URL(script?.src || location.href, location.href).origin;

    // sandbox.js

    // The sandbox that this script came from: cards, merchant sessions, payments.


    /// A name for a sheet: 128 random bits. (randomUUID() is missing in documents that are not secure.)
    function newSheetId() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }

    const sandbox = {
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

    // drawing.js

    // Elements and drawings.

    const svgSpace = "http://www.w3.org/2000/svg";

    /// An element with attributes, listeners (functions) and children.
    function make(tag, attributes = {}, ...children) {
        const isDrawing = ["svg", "rect", "path", "circle", "text", "g"].includes(tag);
        const element = isDrawing ? document.createElementNS(svgSpace, tag) : document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (typeof value === "function") {
                element.addEventListener(name, value);
            } else if (value === true) {
                element.setAttribute(name, "");
            } else if (value !== false && value !== undefined) {
                element.setAttribute(name, value);
            }
        }
        element.append(...children.filter((child) => child !== undefined && child !== null));
        return element;
    }

    const mark = () => make("svg", { viewBox: "0 0 36 36", class: "mark", "aria-hidden": "true" },
        make("rect", { width: 36, height: 36, rx: 9, fill: "#7b1fa2" }),
        make("rect", { x: 7, y: 11, width: 22, height: 15, rx: 3, fill: "none", stroke: "#fff", "stroke-width": 2.4 }),
        make("path", { d: "M7 16h22", stroke: "#fff", "stroke-width": 2.4 }),
        make("path", { d: "M11 21.5h3M16.5 21.5h3M22 21.5h3", stroke: "#f2b90c", "stroke-width": 2.4 }));

    const signs = {
        taken: ["M15 27l8 8 14-17", true], declined: ["M18 18l16 16M34 18L18 34", true], failed: ["M18 18l16 16M34 18L18 34", true],
        unknown: ["M26 3a23 23 0 0 0 0 46z", false], refused: ["M26 5L50 46H2z", false],
    };

    /// How it ended. A success is the shop's word that it has taken the token, and not yet the bank's: it is not green. A declined
    /// payment is a normal end: it is not red.
    function sign(kind) {
        const [outline, isDrawn] = signs[kind];
        return make("svg", { viewBox: "0 0 52 52", class: `sign ${kind}`, "aria-hidden": "true" },
            kind === "refused" ? undefined
                : make("circle", { cx: 26, cy: 26, r: 23, fill: "none", stroke: "currentColor", "stroke-width": 4 }),
            make("path", isDrawn ? {
                d: outline, fill: "none", stroke: "currentColor", "stroke-width": 4, "stroke-linecap": "round",
                "stroke-linejoin": "round",
            } : { d: outline, fill: "currentColor" }));
    }

    const artColors = {
        visa: ["#1d3a7a", "#4d6fc4"], mastercard: ["#7a2a0f", "#d0662b"], amex: ["#0b5d70", "#2f98ad"], jcb: ["#1d5c38",
            "#47965f"],
        discover: ["#8a4a06", "#cf8423"], chinaunionpay: ["#7d1230", "#c03a5e"], girocard: ["#26314d", "#5c6b94"],
        cartesbancaires: ["#143b52", "#3d7d6d"], eftpos: ["#3b1d5c", "#7a55b0"], mada: ["#16423c", "#4f8f3e"],
    };

    function cardArt(card) {
        const [dark, light] = artColors[card.network.toLowerCase()] ?? ["#3a3a46", "#72728a"];
        return make("svg", { viewBox: "0 0 58 37", class: "art", "aria-hidden": "true" },
            make("rect", { width: 58, height: 37, rx: 6, fill: dark }),
            make("path", { d: "M22 37C30 20 44 12 58 10v21a6 6 0 0 1-6 6z", fill: light }),
            make("rect", { x: 6, y: 9, width: 10, height: 8, rx: 2, fill: "#f3dd9b" }),
            make("path", { d: "M6 27h16", stroke: "#fff", "stroke-width": 3, "stroke-dasharray": "3 2" }));
    }

    // card-section.js

    // The cards on the sheet: the one that pays, the others, and the networks of one that has several.


    class CardSection {
        #request;
        #actions;
        #list = make("div", { class: "list", id: "cards", role: "radiogroup", "aria-label": "Cards", hidden: true });
        #shown = make("div", { class: "grow" });
        #art = make("span");
        #choices = make("div", { class: "choices" });
        #networks = make("fieldset", { class: "segments card-networks", hidden: true },
            make("legend", {}, "Card network"), this.#choices);
        #button;

        constructor(request, actions) {
            this.#request = request;
            this.#actions = actions;
            this.#button = make("button", {
                type: "button", class: "plain", "aria-expanded": "false", "aria-controls": "cards",
                "aria-label": "Change card", click: () => this.toggle(),
            }, "Change");
            this.element = make("section", { class: "block", "aria-label": "Card" },
                make("span", { class: "caption" }, "Pay with"),
                make("div", { class: "row" }, this.#art, this.#shown, this.#button), this.#networks, this.#list);
        }

        /// - Parameter present: a card's face, with the network that it would pay by now; undefined if it is not accepted.
        showAll(cards, selected, present) {
            this.#list.replaceChildren(...cards.map((card) => {
                const face = present(card);
                const isAccepted = face !== undefined;
                return make("label", { class: "option" }, make("input", {
                    type: "radio", name: "card", value: card.id, checked: card === selected, disabled: !isAccepted,
                    change: () => this.#actions.selectCard(card),
                }), cardArt(face ?? card), make("span", { class: "grow" },
                    make("span", { class: "name" }, (face ?? card).displayName),
                    make("span", { class: "detail" }, isAccepted ? this.#detail(card) : "Not accepted by this shop")),
                    make("span", { class: `tag ${card.outcome}` }, outcomeWords[card.outcome] ?? card.outcome));
            }));
            this.show(selected, selected && present(selected));
        }

        show(card, face) {
            this.#showNetworks(card, face);
            if (card === undefined) {
                this.#shown.replaceChildren(make("span", { class: "name" }, "No card that this shop accepts"),
                    make("span", { class: "detail" }, `It takes ${this.#request.supportedNetworks.join(", ")}.`));
                return;
            }
            this.#art.replaceChildren(cardArt(face));
            this.#shown.replaceChildren(make("span", { class: "name" }, face.displayName),
                make("span", { class: "detail" }, this.#detail(card)));
        }

        /// The choice among the networks of a co-badged card that the shop takes, in the shop's order.
        #showNetworks(card, face) {
            const choices = face !== undefined && face.choices.length > 1 ? face.choices : [];
            this.#networks.hidden = choices.length === 0;
            const hadFocus = this.#choices.matches(":focus-within");
            this.#choices.replaceChildren(...choices.map((choice) => make("label", {}, make("input", {
                type: "radio", name: "card-network", value: choice.network, checked: choice.network === face.network,
                change: () => this.#actions.selectNetwork(card, choice.network),
            }), choice.displayName.replace(/ \d+$/, ""))));
            if (hadFocus) { this.#choices.querySelector("input:checked")?.focus(); }
        }

        /// What is not in the tag beside it.
        #detail(card) { return card.outcome === "approves" ? `${card.type} card` : `${card.type} card · ${card.title}`; }

        toggle(isOpen = this.#list.hidden) {
            this.#list.hidden = !isOpen;
            this.#button.setAttribute("aria-expanded", String(isOpen));
            this.#button.textContent = isOpen ? "Hide" : "Change";
            if (isOpen) { this.#list.querySelector("input:checked")?.focus(); }
        }
    }

    // contact-section.js

    // A contact on the sheet: what the shop asks for of it, and the form in which the shopper changes it.


    /// - Parameters of the constructor:
    ///   - kind: "shipping" or "billing".
    ///   - save: is given the whole contact that the shopper has saved.
    class ContactSection {
        #required;
        #save;
        #full;
        #shown = make("div", { class: "grow" });
        #form;
        #edit;

        /// The section, or nothing where the shop asks for nothing of it.
        static of(kind, request, save) {
            const required = request[kind === "shipping" ? "requiredShipping" : "requiredBilling"];
            return required.length === 0 ? undefined : new ContactSection(kind, request, required, save);
        }

        constructor(kind, request, required, save) {
            this.#required = required;
            this.#save = save;
            const hasAddress = required.includes("postalAddress");
            const words = kind === "billing" ? "Bill to" : hasAddress ? shippingWords[request.shippingType] : "Contact";
            this.#form = make("form", {
                class: "form", hidden: true, novalidate: true, "aria-label": words,
                submit: (event) => { event.preventDefault(); this.saveForm(); },
            });
            this.#edit = make("button", {
                type: "button", class: "plain", "aria-expanded": "false", "aria-label": `Edit: ${words}`,
                click: () => this.#toggle(this.#form.hidden),
            }, "Edit");
            // In store-pickup mode the shop's address is shown and stays as it is.
            if (kind === "shipping" && request.editingMode === "storePickup") { this.#edit.hidden = true; }
            this.element = make("section", { class: "block", "aria-label": words },
                make("span", { class: "caption" }, words), make("div", { class: "row" }, this.#shown, this.#edit), this.#form);
        }

        get isOpen() { return !this.#form.hidden; }

        show(full) {
            this.#full = full;
            const parts = requestedContact(full, this.#required);
            const name = [parts.givenName, parts.familyName].filter(Boolean).join(" ");
            const address = [...(parts.addressLines ?? []), parts.subLocality, parts.locality, parts.administrativeArea,
                parts.postalCode, parts.country].filter(Boolean).join(", ");
            const lines = [name, address, parts.emailAddress, parts.phoneNumber].filter(Boolean);
            this.#shown.replaceChildren(...lines.map((line, index) =>
                make("span", { class: index === 0 && name ? "name" : "detail" }, line)));
        }

        markWrong(isWrong) { this.element.classList.toggle("wrong", isWrong); }

        #toggle(isOpen) {
            this.#form.hidden = !isOpen;
            this.#shown.hidden = isOpen;
            this.#edit.setAttribute("aria-expanded", String(isOpen));
            this.#edit.textContent = isOpen ? "Discard" : "Edit";
            if (!isOpen) { return; }
            this.#form.replaceChildren(...this.#fields(), make("p", { class: "hint wide", role: "alert" }),
                make("div", { class: "buttons wide" }, make("button", { type: "submit", class: "solid" }, "Save")));
            this.#form.querySelector("input")?.focus();
        }

        #fields() {
            const [full, required] = [this.#full, this.#required];
            const field = (name, words, value, isWide, autocomplete, isOptional) => make("label",
                { class: `field ${isWide ? "wide" : ""}` },
                words, make("input", { name, value: value ?? "", autocomplete: "off", "data-optional": isOptional === true,
                    inputmode: autocomplete }));
            const fields = [];
            if (asksForName(required)) {
                fields.push(field("givenName", "First name", full.givenName), field("familyName", "Last name", full.familyName));
            }
            if (required.includes("phoneticName")) {
                fields.push(field("phoneticGivenName", "Phonetic first name", full.phoneticGivenName, false, "text", true),
                    field("phoneticFamilyName", "Phonetic last name", full.phoneticFamilyName, false, "text", true));
            }
            if (required.includes("postalAddress")) {
                const codes = [...new Set([full.countryCode, ...Object.keys(sampleContacts), "FR", "HK", "JP", "MY"])];
                fields.push(field("line1", "Street", full.addressLines?.[0], true),
                    field("line2", "Street, second line (optional)", full.addressLines?.[1], true, "text", true),
                    field("locality", "City", full.locality), field("administrativeArea", "State (optional)",
                        full.administrativeArea,
                        false, "text", true),
                    field("postalCode", "Postal code", full.postalCode),
                    make("label", { class: "field" }, "Country", make("select", { name: "countryCode" },
                        ...codes.map((code) => make("option", { value: code, selected: code === full.countryCode },
                            countryName(code))))));
            }
            if (required.includes("email")) { fields.push(field("emailAddress", "E-mail", full.emailAddress, true, "email")); }
            if (required.includes("phone")) { fields.push(field("phoneNumber", "Phone", full.phoneNumber, true, "tel")); }
            return fields;
        }

        /// Saves what stands in the form, unless something is missing: then the form stays open and says so.
        saveForm() {
            const form = this.#form;
            const inputs = [...form.querySelectorAll("input")];
            const missing = inputs.filter((input) => input.value.trim() === "" && !input.hasAttribute("data-optional"));
            for (const input of inputs) { input.setAttribute("aria-invalid", String(missing.includes(input))); }
            if (missing.length > 0) {
                form.querySelector("[role=alert]").textContent = "Fill in the marked fields.";
                missing[0].focus();
                return;
            }
            const values = Object.fromEntries(new FormData(form));
            const { line1, line2, ...rest } = values;
            const full = { ...this.#full, ...rest };
            if (line1 !== undefined) { full.addressLines = [line1, line2].filter((line) => line.trim() !== ""); }
            // The district belongs to the address that was replaced.
            if (line1 !== undefined && values.locality !== this.#full.locality) { full.subLocality = ""; }
            this.#toggle(false);
            this.#edit.focus();
            this.#save(full);
        }
    }

    // style.js

    // The sheet's rules.

    const css = `
:host { all: initial; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.sheet {
    --paper: #fffdfa; --raised: #ffffff; --ink: #20242c; --quiet: #5a6270; --line: #ddd7cd; --edge: #868d99;
    --accent: #7b1fa2; --accent-ink: #ffffff; --accent-soft: #f5e9fa; --bad: #a4161a; --bad-soft: #fdeceb;
    --good: #17663a; --good-soft: #e6f4ea; --warn: #7a4b00; --warn-soft: #fff1d6; --stripe: #f2b90c;
    color-scheme: light dark; color: var(--ink); background: var(--paper);
    font: 15px/22px ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
    width: min(29rem, 100vw); max-width: none; max-height: min(50rem, calc(100dvh - 2rem)); margin: auto; padding: 0; border: 0;
    border-radius: 1.1rem; box-shadow: 0 1.5rem 4rem rgb(0 0 0 / .35), 0 0 0 1px rgb(0 0 0 / .06); overflow: hidden;
    flex-direction: column; position: fixed; inset: 0; height: fit-content; z-index: 2147483647;
}
.sheet[open] { display: flex; animation: rise 120ms ease-out; }
.sheet::backdrop { background: rgb(18 16 24 / .55); animation: fade 120ms; }
@keyframes rise { from { transform: translateY(2rem); opacity: 0; } }
@keyframes fade { from { opacity: 0; } }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes pop { from { transform: scale(.6); opacity: 0; } }
.stripes { flex: none; height: .5rem;
    background: repeating-linear-gradient(-45deg, var(--stripe) 0 .7rem, #2a2a2e .7rem 1.4rem); }
.head { flex: none; display: flex; align-items: center; gap: .75rem; padding: .9rem 1.1rem .7rem; }
.mark { flex: none; width: 2.25rem; height: 2.25rem; }
.heading { flex: 1; min-width: 0; }
h2 { margin: 0; font-size: 15px; line-height: 22px; font-weight: 650; outline: none; }
.merchant { margin: 0; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.notice { flex: none; margin: 0 1.1rem .6rem; padding: .4rem .7rem; border-radius: .5rem; font-size: 13px; line-height: 18px; font-weight: 550;
    color: var(--warn); background: var(--warn-soft); }
.scroll { flex: 1 1 auto; overflow-y: auto; overscroll-behavior: contain; padding: 0 1.1rem .6rem; }
.block { border: 1px solid var(--line); border-radius: .8rem; background: var(--raised); margin: 0 0 .6rem; padding: 0;
    min-width: 0;
    overflow: hidden; }
.block.wrong { border-color: var(--bad); }
.caption, legend { display: block; padding: .6rem .85rem 0; color: var(--quiet); font-size: 13px; line-height: 18px; font-weight: 600;
    letter-spacing: .02em; width: 100%; }
/* A floating legend stands inside its fieldset's border instead of breaking it. */
legend { float: left; padding-bottom: .35rem; }
legend + * { clear: both; }
.row { display: flex; align-items: center; gap: .75rem; padding: .45rem .85rem .65rem; }
.grow { flex: 1; min-width: 0; }
.name { display: block; font-weight: 600; overflow-wrap: anywhere; }
.detail { display: block; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; border-radius: .6rem; border: 1px solid transparent; background: none; padding: .45rem .8rem;
    min-height: 2.5rem; }
button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible, .option:focus-within:has(:focus-visible) {
    outline: 3px solid var(--accent); outline-offset: 2px; }
.option:focus-within:has(:focus-visible) { outline-offset: -3px; }
.option input:focus-visible { outline: none; }
.plain { color: var(--accent); font-weight: 600; }
.row > .plain { margin-left: auto; }
.plain:hover { background: var(--accent-soft); }
.cancel { border-color: var(--edge); font-weight: 600; }
.cancel:hover { background: var(--accent-soft); }
.option { display: flex; align-items: center; gap: .75rem; padding: .55rem .85rem; cursor: pointer; min-height: 3rem; }
.option + .option { border-top: 1px solid var(--line); }
.option:has(:checked) { background: var(--accent-soft); }
.option:has(:disabled) { cursor: not-allowed; }
.option:has(:disabled) .name { color: var(--quiet); font-weight: 500; }
.option input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
.list { border-top: 1px solid var(--line); }
.art { flex: none; width: 2.9rem; height: 1.85rem; border-radius: .3rem; }
.tag { flex: none; border-radius: 1rem; padding: .08rem .55rem; font-size: 13px; line-height: 18px; font-weight: 650; white-space: nowrap; }
.tag.approves { color: var(--good); background: var(--good-soft); }
.tag.declines { color: var(--bad); background: var(--bad-soft); }
.tag.times_out { color: var(--warn); background: var(--warn-soft); }
.form { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; padding: .3rem .85rem .85rem; }
.form .wide { grid-column: 1 / -1; }
label.field { display: block; font-size: 13px; line-height: 18px; color: var(--quiet); font-weight: 550; min-width: 0; }
.field input, .field select, .code { display: block; width: 100%; margin-top: .15rem; padding: .45rem .6rem; min-height: 2.5rem;
    border: 1px solid var(--edge); border-radius: .5rem; background: var(--paper); color: var(--ink); font-size: 15px; line-height: 22px;
    font-weight: 400; text-overflow: ellipsis; }
.field input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.buttons { display: flex; gap: .5rem; justify-content: flex-end; }
.solid { background: var(--accent); color: var(--accent-ink); font-weight: 650; }
.items { margin: 0; padding: .6rem .85rem; list-style: none; }
.items li { display: flex; justify-content: space-between; gap: 1rem; padding: .14rem 0; font-size: 15px; line-height: 22px; }
.items .amount { color: var(--ink); }
.items .label { color: var(--quiet); overflow-wrap: anywhere; }
.banner { margin: 0 0 .6rem; padding: .65rem .85rem; border-radius: .7rem; color: var(--bad); background: var(--bad-soft);
    font-weight: 550; }
.banner ul { margin: .25rem 0 0; padding-left: 1.1rem; font-weight: 450; }
details.block > summary { cursor: pointer; padding: .6rem .85rem; font-size: 13px; line-height: 18px; color: var(--quiet); font-weight: 600; }
.card-networks { padding: 0 .85rem .7rem; border: 0; margin: 0; }
.card-networks .choices { display: flex; gap: .5rem; flex-wrap: wrap; }
details .segments { display: flex; gap: .5rem; padding: 0 .85rem .4rem; border: 0; margin: 0; flex-wrap: wrap; }
.segments legend { padding: 0 0 .3rem; }
.segments label { display: inline-flex; align-items: center; gap: .45rem; padding: .35rem .7rem; border: 1px solid var(--edge);
    border-radius: 2rem; font-size: 13px; line-height: 18px; cursor: pointer; min-height: 2.2rem; }
.segments label:has(:checked) { background: var(--accent-soft); border-color: var(--accent); }
.segments input { margin: 0; accent-color: var(--accent); }
.hint { margin: 0; padding: 0 .85rem .7rem; color: var(--quiet); font-size: 13px; line-height: 18px; }
.form .hint { padding: 0; }
.form .hint, .passcode:has([aria-invalid=true]) .hint { color: var(--bad); font-weight: 550; }
.foot { flex: none; border-top: 1px solid var(--line); background: var(--raised); padding: .8rem 1.1rem 1rem; }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0 0 .7rem; }
.total .label { color: var(--quiet); font-size: 15px; line-height: 22px; overflow-wrap: anywhere; }
.total .amount { font-size: 28px; line-height: 34px; font-weight: 700; letter-spacing: -.01em; }
.total .amount.pending { font-size: 15px; line-height: 22px; letter-spacing: .03em; }
.pay { width: 100%; min-height: 3.2rem; border-radius: .8rem; background: var(--accent); color: var(--accent-ink);
    font-weight: 650;
    font-size: 15px; line-height: 22px; }
.pay:hover { filter: brightness(1.08); }
.pay[aria-disabled=true] { background: var(--line); color: var(--quiet); cursor: not-allowed; filter: none; }
.other { display: block; width: 100%; margin-top: .3rem; }
.passcode { display: grid; grid-template-columns: 1fr auto; gap: .6rem; align-items: end; }
.passcode .hint, .passcode .back { grid-column: 1 / -1; padding: 0; }
.code { letter-spacing: .5em; font-size: 20px; line-height: 26px; }
.stage { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: .7rem; text-align: center;
    padding: 2rem 1.6rem; min-height: 11rem; }
.stage .say { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.stage .more { margin: 0; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.spinner { width: 2.4rem; height: 2.4rem; border-radius: 50%; border: .26rem solid var(--line); border-top-color: var(--accent);
    animation: turn .8s linear infinite; }
.sign { width: 3.4rem; height: 3.4rem; animation: pop 120ms ease-out; }
.sign.taken, .sign.declined, .sign.failed { color: var(--quiet); } .sign.refused { color: var(--bad); }
.sign.unknown { color: var(--warn); }
.end-code { margin: 0; color: var(--quiet); font: 13px/18px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 34rem) {
    .sheet { width: 100vw; margin: auto 0 0; max-height: calc(100dvh - 1.5rem); border-radius: 1.2rem 1.2rem 0 0; }
    .foot { padding-bottom: max(1rem, env(safe-area-inset-bottom)); }
    @keyframes rise { from { transform: translateY(60%); } }
}
/* Head and foot leave nothing between them on a low screen (a phone on its side, or a page enlarged to 400 percent:
   WCAG 2.2, 1.4.10): there the sheet scrolls as a whole. */
@media (max-height: 34rem) {
    .sheet { max-height: 100dvh; overflow-y: auto; overscroll-behavior: contain; }
    .sheet[open] { display: block; }
    .scroll { overflow-y: visible; }
}
@media (prefers-color-scheme: dark) {
    .sheet { --paper: #17171d; --raised: #202028; --ink: #f1eff5; --quiet: #b3b0bf; --line: #3a3944; --edge: #7d7a8c;
        --accent: #d7a6ee; --accent-ink: #2a0a3a; --accent-soft: #33263d; --bad: #ffb0aa; --bad-soft: #43201f;
        --good: #93dcae; --good-soft: #173524; --warn: #ffd58a; --warn-soft: #3c2d10;
        box-shadow: 0 1.5rem 4rem rgb(0 0 0 / .6), 0 0 0 1px rgb(255 255 255 / .1); }
    .sheet::backdrop { background: rgb(0 0 0 / .66); }
}
@media (prefers-reduced-motion: reduce) {
    .sheet[open], .sheet::backdrop, .sign, .spinner { animation: none; }
}
@media (forced-colors: active) {
    .sheet { border: 2px solid CanvasText; } .pay, .solid { border: 1px solid ButtonText; }
}`;

    let sheetStyles;
    function styles() {
        if (sheetStyles === undefined) {
            sheetStyles = new CSSStyleSheet();
            sheetStyles.replaceSync(css);
        }
        return sheetStyles;
    }

    // sheet.js

    // The payment sheet.


    /// Everything that the shopper sees. It knows nothing of the session but the callbacks it is given.
    class Sheet {
        static current;

        constructor(request, actions) {
            this.request = request;
            this.actions = actions;
            this.canCancel = true;
            // Its words are English, whatever the page's language and direction (WCAG 2.2, 3.1.2).
            this.host = make("pomona-wallet-simulator", { lang: "en", dir: "ltr" });
            this.root = this.host.attachShadow({ mode: "open" });
            this.root.adoptedStyleSheets = [styles()];
            this.build();
        }

        present() {
            Sheet.current?.remove();
            Sheet.current = this;
            document.documentElement.append(this.host);
            this.dialog.showModal();
            this.title.focus();
        }

        remove() {
            if (Sheet.current === this) { Sheet.current = undefined; }
            this.isRemoved = true;
            if (this.dialog.open) { this.dialog.close(); }
            this.host.remove();
        }

        // MARK: Building

        build() {
            this.title = make("h2", { id: "title", tabindex: -1 }, "Wallet simulator");
            this.merchant = make("p", { class: "merchant" }, location.hostname);
            this.cancelButton = make("button", { type: "button", class: "cancel", click: () => this.cancel() }, "Cancel");
            this.banner = make("div", { class: "banner", role: "alert", hidden: true });
            this.status = make("p", { class: "unseen", role: "status" });
            this.cards = new CardSection(this.request, this.actions);
            this.contacts = Object.fromEntries(["shipping", "billing"].map((kind) =>
                [kind, ContactSection.of(kind, this.request, (full) => this.actions.saveContact(kind, full))]));
            this.review = make("div", { class: "review", hidden: true },
                this.banner, this.cards.element, this.buildMethods(), this.contacts.shipping?.element,
                this.contacts.billing?.element, this.buildCoupon(), this.buildItems());
            this.stage = make("div", { class: "stage" });
            this.scroll = make("div", { class: "scroll" }, this.stage, this.review, this.buildSettings());
            this.dialog = make("dialog", {
                class: "sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "notice",
                keydown: (event) => this.pressed(event),
                cancel: (event) => { event.preventDefault(); this.cancel(); },
                close: () => this.closed(),
            },
                make("div", { class: "stripes", "aria-hidden": "true" }),
                make("div", { class: "head" }, mark(), make("div", { class: "heading" }, this.title, this.merchant), this.cancelButton),
                make("p", { class: "notice", id: "notice" }, "Simulator: no card is charged, no money moves."),
                this.scroll, this.buildFooter(), this.status);
            this.root.append(this.dialog);
        }

        buildMethods() {
            this.methods = make("fieldset", { class: "block", hidden: true },
                make("legend", {}, methodWords[this.request.shippingType]), make("div", { class: "grow" }));
            return this.methods;
        }

        buildCoupon() {
            if (!this.request.supportsCouponCode) { return undefined; }
            const input = make("input", { name: "coupon", autocomplete: "off", value: this.request.couponCode });
            this.coupon = input;
            return make("form", {
                class: "block", "aria-label": "Coupon",
                submit: (event) => { event.preventDefault(); this.actions.changeCoupon(input.value); },
            }, make("div", { class: "row" }, make("label", { class: "field grow" }, "Coupon code", input),
                make("button", { type: "submit", class: "plain" }, "Apply")));
        }

        buildItems() {
            this.items = make("ul", { class: "items", "aria-label": "Summary" });
            this.itemsBlock = make("section", { class: "block", "aria-label": "Summary", hidden: true }, this.items);
            return this.itemsBlock;
        }

        buildSettings() {
            const choice = (value, words) => make("label", {}, make("input", {
                type: "radio", name: "network", value, checked: phone.network === value,
                change: () => { phone.network = value; },
            }), words);
            this.settings = make("details", { class: "block" }, make("summary", {}, "Simulated phone"),
                make("fieldset", { class: "segments" }, make("legend", {}, "Network"),
                    choice("normal", "Normal"), choice("slow", "Slow"), choice("lost", "Lost")),
                make("p", { class: "hint" },
                    `Slow adds ${slowMilliseconds / 1000} seconds to each request of the wallet; lost fails it.`));
            return this.settings;
        }

        buildFooter() {
            this.totalLabel = make("span", { class: "label" });
            this.totalAmount = make("span", { class: "amount" });
            this.payButton = make("button", { type: "button", class: "pay", click: () => this.pay() },
                "Confirm with side button");
            this.passcodeButton = make("button", { type: "button", class: "plain other", click: () => this.showPasscode(true) },
                "Use passcode");
            this.codeInput = make("input", {
                class: "code", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 6, id: "passcode",
                "aria-describedby": "passcode-hint",
            });
            this.codeHint = make("p", { class: "hint", id: "passcode-hint" });
            this.passcode = make("form", {
                class: "passcode", hidden: true, novalidate: true,
                submit: (event) => { event.preventDefault(); this.checkPasscode(); },
            }, make("label", { class: "field" }, "Passcode", this.codeInput), make("button", { type: "submit",
                class: "solid" }, "Pay"),
                this.codeHint, make("button", { type: "button", class: "plain other back",
                    click: () => this.showPasscode(false, true) },
                    "Use side button"));
            this.payBlock = make("div", {}, this.payButton, this.passcodeButton);
            this.footer = make("div", { class: "foot", hidden: true },
                make("p", { class: "total" }, this.totalLabel, this.totalAmount), this.payBlock, this.passcode);
            return this.footer;
        }

        // MARK: Phases

        /// Waiting: `say` is announced, `more` explains it.
        showWaiting(say, more) {
            this.stage.replaceChildren(make("div", { class: "spinner", "aria-hidden": "true" }),
                make("p", { class: "say" }, say), make("p", { class: "more" }, more ?? ""));
            this.setPhase("waiting", say);
        }

        showReview() {
            this.setPhase("review", "");
            this.showPasscode(false);
            this.cards.toggle(false);
            // On low screens the sheet itself scrolls (style.js).
            for (const element of [this.scroll, this.dialog]) { element.scrollTop = 0; }
            // The element that had the focus may be gone from view; the next step is the pay button.
            if (this.root.activeElement === null || this.root.activeElement === this.dialog) { this.title.focus(); }
        }

        /// The shop has answered for good and goes on at once: the sheet says how it went, lingers for the eyes, and goes by
        /// itself.
        ///
        /// - Parameter end: `kind` ("taken", "declined", "refused", "unknown", "failed"), `say`, `more`, `code`.
        showOutcome({ kind, say, more, code }) {
            this.stage.replaceChildren(sign(kind), make("p", { class: "say" }, say), make("p", { class: "more" }, more),
                ...(code ? [make("p", { class: "end-code" }, code)] : []));
            this.setPhase("done", `${say}. ${more}`);
            this.setCanCancel(false);
            this.cancelButton.hidden = true;
            // It lets go of the page and of the focus. (show() would take the focus; the attribute alone does not.)
            this.dialog.close();
            this.dialog.setAttribute("aria-modal", "false");
            this.dialog.setAttribute("open", "");
            setTimeout(() => this.remove(), kind === "taken" ? doneMilliseconds : failedMilliseconds);
        }

        /// The end without a payment. The sheet stays until it is closed, so that the reason can be read.
        showEnd(say, more) {
            this.stage.replaceChildren(sign("failed"), make("p", { class: "say", role: "alert" }, say),
                make("p", { class: "more" }, more ?? ""));
            this.setPhase("end", "");
            this.setCanCancel(true);
            this.isOver = true;
            this.cancelButton.replaceChildren("Close");
            this.cancelButton.focus();
        }

        setPhase(phase, announcement) {
            this.phase = phase;
            const isReview = phase === "review";
            const hadFocus = this.review.contains(this.root.activeElement) || this.footer.contains(this.root.activeElement);
            this.review.hidden = !isReview;
            this.footer.hidden = !isReview;
            this.stage.hidden = isReview;
            this.settings.hidden = ["done", "end"].includes(phase);
            if (hadFocus && !isReview) { this.title.focus(); }
            this.status.textContent = announcement;
        }

        setCanCancel(canCancel) {
            this.canCancel = canCancel;
            this.cancelButton.disabled = !canCancel;
        }

        /// While the shop answers a change, the pay button says so and does nothing; it keeps the focus.
        setBusy(isBusy, reason) {
            this.isBusy = isBusy;
            this.payButton.setAttribute("aria-disabled", String(isBusy));
            this.payButton.textContent = isBusy ? reason : "Confirm with side button";
            this.passcodeButton.hidden = isBusy;
            this.review.setAttribute("aria-busy", String(isBusy));
        }

        // MARK: Contents

        setMerchant(name) { this.merchant.textContent = `${name} · ${location.hostname}`; }

        setMethods(methods, selected) {
            this.methods.hidden = methods.length === 0;
            const list = this.methods.lastChild;
            const focused = this.methods.contains(this.root.activeElement);
            list.replaceChildren(...methods.map((method) => make("label", { class: "option" }, make("input", {
                type: "radio", name: "method", value: method.identifier, checked: method === selected,
                change: () => this.actions.selectMethod(method),
            }), make("span", { class: "grow" }, make("span", { class: "name" }, method.label),
                make("span", { class: "detail" }, method.detail)),
                make("span", { class: "amount" }, money(method.amount, this.request.currencyCode)))));
            if (focused) { list.querySelector("input:checked")?.focus(); }
        }

        setSummary(items, total) {
            const currency = this.request.currencyCode;
            this.itemsBlock.hidden = items.length === 0;
            this.items.replaceChildren(...items.map((item) => make("li", {}, make("span", { class: "label" }, item.label),
                make("span", { class: "amount" }, item.type === "pending" ? "Pending" : money(item.amount, currency)))));
            const isPending = total.type === "pending";
            this.totalLabel.textContent = `Pay ${total.label}`;
            this.totalAmount.textContent = isPending ? "AMOUNT PENDING" : money(total.amount, currency);
            this.totalAmount.classList.toggle("pending", isPending);
        }

        /// ApplePayError objects, shown where they belong and named in the banner.
        setErrors(headline, errors) {
            for (const contact of Object.values(this.contacts)) { contact?.markWrong(false); }
            this.banner.hidden = headline === undefined;
            this.banner.replaceChildren();
            if (headline === undefined) { return; }
            const list = errors.map((error) => make("li", {}, errorWords(error)));
            this.banner.replaceChildren(headline, ...(list.length > 0 ? [make("ul", {}, ...list)] : []));
            for (const error of errors) {
                const kind = error.code === "billingContactInvalid" ? "billing"
                    : ["shippingContactInvalid", "addressUnserviceable"].includes(error.code) ? "shipping" : undefined;
                this.contacts[kind]?.markWrong(true);
            }
        }

        // MARK: Authorizing

        pay() {
            if (!this.isBusy && this.savesContacts()) { this.actions.authorize(); }
        }

        /// What stands in an open form is meant: it is saved before the payment, which waits when that asks for something.
        savesContacts() {
            const open = Object.values(this.contacts).filter((contact) => contact?.isOpen);
            for (const contact of open) { contact.saveForm(); }
            return !this.isBusy && !open.some((contact) => contact.isOpen);
        }

        showPasscode(isShown, hasFocus = false) {
            this.passcode.hidden = !isShown;
            this.payBlock.hidden = isShown;
            this.codeInput.value = "";
            this.codeInput.removeAttribute("aria-invalid");
            this.codeHint.textContent = "Any six digits stand for the right passcode; 000000 for a wrong one.";
            if (isShown) { this.codeInput.focus(); } else if (hasFocus) { this.payButton.focus(); }
        }

        checkPasscode() {
            if (this.isBusy) { return; }
            const code = this.codeInput.value;
            if (!/^[0-9]{6}$/.test(code) || code === "000000") {
                this.codeInput.value = "";
                this.codeInput.setAttribute("aria-invalid", "true");
                this.codeHint.textContent = code === "000000" ? "Wrong passcode. Try another." : "The passcode has six digits.";
                this.status.textContent = this.codeHint.textContent;
                this.codeInput.focus();
                return;
            }
            if (this.savesContacts()) { this.actions.authorize(); }
        }

        // MARK: Keys and closing

        cancel() {
            if (this.canCancel) { this.actions.cancel(); }
        }

        pressed(event) {
            if (event.key === "Escape") {
                event.preventDefault();
                event.stopPropagation();
                this.cancel();
            } else if (event.key === "Tab") {
                this.keepFocusInside(event);
            }
        }

        keepFocusInside(event) {
            const all = [...this.dialog.querySelectorAll("button, input, select, summary")].filter((element) =>
                !element.disabled && element.checkVisibility?.() !== false && element.getClientRects().length > 0
                && (element.type !== "radio" || element.checked));
            const [first, last] = [all[0], all[all.length - 1]];
            const focused = this.root.activeElement;
            if (first === undefined) {
                event.preventDefault();
            } else if (event.shiftKey && (focused === first || focused === this.title || focused === null)) {
                event.preventDefault();
                last.focus();
            } else if (!event.shiftKey && (focused === last || focused === null)) {
                event.preventDefault();
                first.focus();
            }
        }

        /// Browsers let a dialog be closed against its will; a payment that is under way stays in view.
        closed() {
            if (this.isRemoved || this.phase === "done") { return; }
            if (this.canCancel) { this.actions.cancel(); } else { this.dialog.showModal(); }
        }
    }

    // support.js

    // What a page may ask of the wallet before it makes a session.


    function isVersionSupported(version) {
        const number = Number(version);
        if (!Number.isInteger(number) || number < 1) {
            throw invalidAccess("The version must be a whole number of at least 1.");
        }
        requireUsableDocument();
        return number <= highestVersion;
    }

    async function hasActiveCard(merchantIdentifier) {
        requireUsableDocument();
        if (merchantIdentifier === undefined) { throw wrong("The merchant identifier is missing."); }
        const { cards } = await sandbox.cards().catch(() => ({ cards: [] }));
        return cards.length > 0;
    }

    async function paymentCapabilities(merchantIdentifier) {
        const hasCard = await hasActiveCard(merchantIdentifier);
        return { paymentCredentialStatus: hasCard ? "paymentCredentialsAvailable" : "paymentCredentialsUnavailable" };
    }

    /// There is nothing to set up: the simulator's cards are there.
    async function showPaymentSetup(merchantIdentifier) {
        requireUsableDocument();
        requireUserGesture("Must call ApplePaySession.openPaymentSetup from a user gesture handler.");
        return hasActiveCard(merchantIdentifier);
    }

    // session.js

    // ApplePaySession.


    /// The one session whose sheet is up.
    let activeSession;

    class ApplePaySession extends EventTarget {
        #version;
        #request;
        #choices;
        #sheet;
        #sheetId = newSheetId();
        #state = "idle";
        #isMerchantAsked = false;
        #merchantSession;
        #waiting;
        #timer;
        #changes = Promise.resolve();
        #changeCount = 0;
        #contactErrors = false;
        #listeners = new Listeners();

        static {
            for (const target of [this, this.prototype]) { defineStatuses(target); }
            defineHandlers(this.prototype);
        }

        constructor(version, request) {
            requireUsableDocument();
            requireUserGesture("Must create a new ApplePaySession from a user gesture handler.");
            if (!ApplePaySession.supportsVersion(version)) {
                throw invalidAccess(`Version ${version} of the Apple Pay JS API is not supported; 1 to ${highestVersion} are.`);
            }
            super();
            this.#version = version;
            this.#request = validatedRequest(request, version);
            this.#choices = new Choices(this.#request);
        }

        // MARK: Asking for support

        static supportsVersion(version) { return isVersionSupported(version); }

        static canMakePayments() {
            requireUsableDocument();
            return true;
        }

        static async canMakePaymentsWithActiveCard(merchantIdentifier) { return hasActiveCard(merchantIdentifier); }

        static async applePayCapabilities(merchantIdentifier) { return paymentCapabilities(merchantIdentifier); }

        static async openPaymentSetup(merchantIdentifier) { return showPaymentSetup(merchantIdentifier); }

        addEventListener(type, listener, options) {
            this.#listeners.add(this, type, listener, options);
            super.addEventListener(type, listener, options);
        }

        removeEventListener(type, listener, options) {
            this.#listeners.remove(type, listener, options);
            super.removeEventListener(type, listener, options);
        }

        // MARK: Beginning and ending

        begin() {
            if (this.#state !== "idle") {
                throw invalidAccess("This session was begun already; make a new one for each payment.");
            }
            if (activeSession !== undefined) { throw invalidAccess("Another payment session of this page is active."); }
            activeSession = this;
            this.#state = "active";
            this.#sheet = new Sheet(this.#request, {
                cancel: () => this.#cancelled(),
                selectCard: (card) => this.#selectCard(card),
                selectNetwork: (card, network) => this.#selectNetwork(card, network),
                selectMethod: (method) => this.#selectMethod(method),
                saveContact: (kind, full) => this.#saveContact(kind, full),
                changeCoupon: (code) => this.#changeCoupon(code),
                authorize: () => this.#authorize(),
            });
            this.#sheet.showWaiting("Opening the wallet…");
            this.#sheet.present();
            this.#open();
        }

        /// - Parameter end: the simulator's own: what the sheet says while it goes (see ends.js). Other wallets take no argument.
        abort(end) {
            if (!this.#isAlive) { throw invalidAccess("There is no sheet to dismiss: the session is not active."); }
            this.#end("aborted");
            const said = simulatedEnd(end);
            if (said === undefined) { this.#sheet.remove(); } else { this.#sheet.showOutcome(said); }
        }

        get #isAlive() { return ["active", "waiting", "authorizing", "authorized"].includes(this.#state); }

        #end(state) {
            clearTimeout(this.#timer);
            this.#state = state;
            if (activeSession === this) { activeSession = undefined; }
        }

        /// The shopper closes the sheet, or closes what an ended session left in view.
        #cancelled() {
            const wasAlive = this.#isAlive;
            if (wasAlive) { this.#end("canceled"); }
            this.#sheet.remove();
            if (wasAlive) { this.dispatchEvent(new ApplePayCancelEvent("cancel", { code: "unknown", info: {} })); }
        }

        /// The session ends without the shopper's doing. The sheet says why; the shop hears that it is over.
        #fail(say, more, code = "unknown") {
            if (!this.#isAlive) { return; }
            this.#end("canceled");
            console.error(`[Pomona wallet simulator] ${say} ${more ?? ""}`.trim());
            this.#sheet.showEnd(say, more);
            this.dispatchEvent(new ApplePayCancelEvent("cancel", { code, info: { reason: more ?? say } }));
        }

        #startTimer(what) {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#fail("Payment not completed",
                `The shop did not answer within ${answerSeconds} seconds (${what}).`), answerSeconds * 1000);
        }

        // MARK: Merchant validation

        async #open() {
            try {
                const wallet = await sandbox.cards();
                if (!this.#isAlive) { return; }
                this.#choices.offerCards(wallet.cards);
                this.#isMerchantAsked = true;
                this.#sheet.showWaiting("Checking the shop…", "Waiting for the shop's merchant session.");
                if (!this.#listeners.hears("validatemerchant")) {
                    console.warn("[Pomona wallet simulator] The session has no onvalidatemerchant handler: nobody validates it.");
                }
                this.#startTimer("completeMerchantValidation");
                this.dispatchEvent(new ApplePayValidateMerchantEvent("validatemerchant", wallet.validationURL));
            } catch (error) {
                this.#fail("The wallet cannot be opened", error.message, error.code);
            }
        }

        completeMerchantValidation(merchantSession) {
            if (this.#state !== "active" || !this.#isMerchantAsked) {
                throw invalidAccess("No merchant validation is waiting for an answer.");
            }
            if (merchantSession === null || typeof merchantSession !== "object") {
                throw wrong("The merchant session must be the object that Apple's endpoint answered, not a text or nothing.");
            }
            this.#isMerchantAsked = false;
            clearTimeout(this.#timer);
            this.#merchantSession = merchantSession;
            this.#checkMerchant(merchantSession);
        }

        async #checkMerchant(merchantSession) {
            try {
                const merchant = await sandbox.session(this.#sheetId, merchantSession);
                if (!this.#isAlive) { return; }
                this.#sheet.setMerchant(merchant.displayName);
                this.#show();
            } catch (error) {
                this.#fail("The shop could not be validated", error.message, error.code);
            }
        }

        #show() {
            const sheet = this.#sheet;
            const { card, contacts, method } = this.#choices;
            this.#showCards();
            sheet.setMethods(this.#request.shippingMethods, method);
            sheet.contacts.shipping?.show(contacts.shipping);
            sheet.contacts.billing?.show(contacts.billing);
            sheet.setSummary(this.#request.lineItems, this.#request.total);
            sheet.showReview();
            sheet.setBusy(card === undefined, "No accepted card");
            if (card !== undefined) { this.#selectCard(card); }
            if (this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
        }

        #showCards() {
            const { cards, card } = this.#choices;
            this.#sheet.cards.showAll(cards, card, (other) => this.#choices.face(other));
        }

        // MARK: Choices

        /// Notifies the shop of a change and waits for its answer; changes wait for each other. Nobody listening is an answer.
        #change(kind, makeEvent) {
            if (!this.#listeners.hears(kind)) { return; }
            this.#changeCount += 1;
            this.#sheet.setBusy(true, "Updating…");
            this.#changes = this.#changes.then(async () => {
                // One that listens a single time may have heard an earlier change.
                if (this.#state === "active" && this.#listeners.hears(kind)) {
                    await new Promise((resolve) => {
                        this.#state = "waiting";
                        this.#waiting = { kind, resolve };
                        this.#startTimer(kind);
                        this.dispatchEvent(makeEvent());
                    });
                }
                this.#changeCount -= 1;
                if (this.#changeCount === 0 && this.#isAlive) { this.#updateReadiness(); }
            });
        }

        #updateReadiness() {
            const reason = this.#choices.card === undefined ? "No accepted card" : this.#contactErrors ? "Correct the address first"
                : undefined;
            this.#sheet.setBusy(reason !== undefined, reason);
        }

        #answer(kind, update) {
            if (this.#state !== "waiting" || this.#waiting.kind !== kind) {
                throw invalidAccess(`No ${kind} event is waiting for an answer.`);
            }
            const { total, items, methods, errors, agreements } = validatedUpdate(update, this.#request);
            clearTimeout(this.#timer);
            Object.assign(this.#request, { total, agreements });
            if (items !== undefined) { this.#request.lineItems = items; }
            if (methods !== undefined) {
                this.#request.shippingMethods = methods;
                this.#choices.offerMethods(methods);
                this.#sheet.setMethods(methods, this.#choices.method);
            }
            this.#sheet.setSummary(this.#request.lineItems, total);
            if (kind === "shippingcontactselected") { this.#contactErrors = errors.length > 0; }
            this.#sheet.setErrors(errors.length > 0 ? "The shop asks for a correction:" : undefined, errors);
            this.#state = "active";
            this.#waiting.resolve();
        }

        #selectCard(card) {
            this.#choices.card = card;
            this.#sheet.cards.show(card, this.#choices.face(card));
            this.#change("paymentmethodselected", () => new ApplePayPaymentMethodSelectedEvent(
                "paymentmethodselected", selectedMethod(card, this.#choices.contacts, this.#request)));
        }

        #selectNetwork(card, network) {
            this.#choices.chooseNetwork(card, network);
            this.#choices.card = card;
            this.#showCards();
            this.#selectCard(card);
        }

        #selectMethod(method) {
            this.#choices.method = method;
            const { label, detail, amount, identifier } = method;
            this.#change("shippingmethodselected",
                () => new ApplePayShippingMethodSelectedEvent("shippingmethodselected", { label, detail, amount, identifier }));
        }

        #saveContact(kind, full) {
            this.#choices.saveContact(kind, full);
            this.#sheet.contacts[kind].show(full);
            if (kind === "shipping" && this.#request.requiredShipping.includes("postalAddress")) { this.#offerContact(); }
        }

        #offerContact() {
            this.#change("shippingcontactselected", () =>
                new ApplePayShippingContactSelectedEvent("shippingcontactselected", redactedContact(this.#choices.contacts.shipping)));
        }

        #changeCoupon(code) {
            this.#change("couponcodechanged", () => new ApplePayCouponCodeChangedEvent("couponcodechanged", code));
        }

        /// `(update)`, or before version 3 `(newTotal, newLineItems)`.
        completePaymentMethodSelection(update, newLineItems) {
            const isOld = update !== null && typeof update === "object" && update.newTotal === undefined
                && update.label !== undefined;
            this.#answer("paymentmethodselected", isOld ? { newTotal: update, newLineItems } : update);
        }

        /// `(update)`, or before version 3 `(status, newTotal, newLineItems)`.
        completeShippingMethodSelection(update, newTotal, newLineItems) {
            if (typeof update !== "number") { return this.#answer("shippingmethodselected", update); }
            if (update === ApplePaySession.STATUS_SUCCESS) {
                return this.#answer("shippingmethodselected", { newTotal, newLineItems });
            }
            if (this.#waiting?.kind !== "shippingmethodselected" || this.#state !== "waiting") {
                throw invalidAccess("No shippingmethodselected event is waiting for an answer.");
            }
            this.#fail("Payment not completed", "The shop refused the shipping method.");
        }

        /// `(update)`, or before version 3 `(status, newShippingMethods, newTotal, newLineItems)`.
        completeShippingContactSelection(update, newShippingMethods, newTotal, newLineItems) {
            if (typeof update !== "number") { return this.#answer("shippingcontactselected", update); }
            this.#answer("shippingcontactselected", {
                newShippingMethods, newTotal, newLineItems, errors: statusErrors(update, "unknown"),
            });
        }

        completeCouponCodeChange(update) { this.#answer("couponcodechanged", update); }

        // MARK: Paying

        async #authorize() {
            const { card } = this.#choices;
            if (this.#state !== "active" || this.#changeCount > 0 || card === undefined || this.#contactErrors) { return; }
            const { countryCode, currencyCode, total, supportedNetworks, merchantCapabilities, applicationData } = this.#request;
            this.#state = "authorizing";
            this.#sheet.setErrors(undefined, []);
            this.#sheet.setCanCancel(false);
            this.#sheet.showWaiting("Paying…", "The simulated phone makes and signs the payment token.");
            let token;
            try {
                ({ token } = await sandbox.payment(this.#sheetId, this.#merchantSession, {
                    cardId: card.id, network: this.#choices.face(card).network, request: {
                        countryCode, currencyCode, total: { label: total.label, amount: total.amount }, supportedNetworks,
                        merchantCapabilities, applicationData,
                    },
                }));
            } catch (error) {
                this.#notAuthorized(error);
                return;
            }
            if (this.#state !== "authorizing") { return; }
            this.#state = "authorized";
            this.#sheet.showWaiting("Paying…", "The token is with the shop. Waiting for its answer.");
            this.#startTimer("completePayment");
            this.dispatchEvent(new ApplePayPaymentAuthorizedEvent("paymentauthorized", {
                token, ...requestedContacts(this.#choices.contacts, this.#request),
            }));
        }

        #notAuthorized(error) {
            if (this.#state !== "authorizing") { return; }
            if (error.code?.startsWith("session_")) {
                this.#fail("Payment not completed", error.message, error.code);
                return;
            }
            // Without a network the shopper may try again.
            this.#state = "active";
            this.#sheet.setCanCancel(true);
            this.#sheet.showReview();
            this.#sheet.setErrors(`Payment not completed. ${error.message}`, []);
        }

        /// `({status, errors})`, or before version 3 `(status)`.
        completePayment(result) {
            if (this.#state !== "authorized") { throw invalidAccess("No authorized payment is waiting for an answer."); }
            const answer = paymentAnswer(result);
            clearTimeout(this.#timer);
            if (answer.isFinal) {
                this.#end("completed");
                this.#sheet.showOutcome(answer.outcome);
                return;
            }
            // The sheet stays: a corrected contact may do, the card's PIN, another card, or another try.
            this.#state = "active";
            this.#sheet.setCanCancel(true);
            this.#sheet.showReview();
            this.#sheet.setErrors(answer.say, answer.errors);
        }

        get version() { return this.#version; }
    }

    const hasActiveSession = () => activeSession !== undefined;

    /// A page that is left takes its sheet along.
    const leavePage = () => activeSession?.abort();

    // payment-events.js

    // The events of a PaymentRequest. What their methods do is the request's.


    class PaymentRequestUpdateEvent extends Event {
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

    class PaymentMethodChangeEvent extends PaymentRequestUpdateEvent {
        constructor(type, init = {}, update = undefined) {
            super(type, init, update);
            this.methodName = String(init.methodName ?? "");
            this.methodDetails = init.methodDetails ?? null;
        }
    }

    class MerchantValidationEvent extends Event {
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

    // payment-details.js

    // What a PaymentRequest says of amounts and options (W3C Payment Request API, "PaymentDetailsBase dictionary"), checked,
    // and as Apple's sheet takes it. How one becomes the other is WebKit's, ApplePayPaymentHandler.cpp.


    /// By W3C's name.
    const appleShippingTypes = { shipping: "shipping", delivery: "delivery", pickup: "storePickup" };
    const cardTypes = ["debit", "credit", "prepaid", "store"];
    const addressFields = {
        addressLine: "addressLines", city: "locality", country: "country", dependentLocality: "subLocality",
        phone: "phoneNumber", postalCode: "postalCode", recipient: "name", region: "administrativeArea",
    };
    const payerFields = { name: "name", email: "emailAddress", phone: "phoneNumber" };
    const payerOptions = { name: "requestPayerName", email: "requestPayerEmail", phone: "requestPayerPhone" };

    /// Host and path alone are asked for, as WebKit does it.
    function isApplePay(identifier) {
        try {
            const { protocol, host, pathname } = new URL(identifier);
            return protocol === "https:" && host === "apple.com" && pathname === "/apple-pay";
        } catch {
            return false;
        }
    }

    // MARK: Checking

    function checkedAmount(given, what) {
        const amount = dictionaryOf(given, what);
        const [currency, value] = ["currency", "value"].map((name) => requiredText(amount, name, what));
        if (!/^[A-Za-z]{3}$/.test(currency)) { throw new RangeError(`"${currency}" is not a valid currency code.`); }
        return { currency: currency.toUpperCase(), value: amountText(value, what) };
    }

    function checkedItem(given, what) {
        const item = dictionaryOf(given, what);
        if (item.amount === undefined) { throw wrong(`${what} has no amount.`); }
        return {
            label: requiredText(item, "label", what), amount: checkedAmount(item.amount, `The amount of ${what}`),
            pending: Boolean(item.pending),
        };
    }

    function checkedTotal(given) {
        const total = checkedItem(given, "The total");
        if (isNegative(total.amount.value)) { throw wrong("Total currency values cannot be negative."); }
        return total;
    }

    const checkedItems = (list, what) => sequenceOf(list, what, (item) => checkedItem(item, `An item of ${what}`));

    function checkedOptions(list) {
        const options = sequenceOf(list, "shippingOptions", (given) => {
            const { label, amount } = checkedItem(given, "A shipping option");
            return { id: requiredText(given, "id", "A shipping option"), label, amount, selected: Boolean(given.selected) };
        });
        if (new Set(options.map(({ id }) => id)).size < options.length) { throw wrong("Shipping option IDs must be unique."); }
        return options;
    }

    function checkedModifier(given) {
        const modifier = dictionaryOf(given, "A modifier");
        const { total, additionalDisplayItems = [], data } = modifier;
        return {
            supportedMethods: requiredText(modifier, "supportedMethods", "A modifier"),
            total: total === undefined ? undefined : checkedTotal(total),
            additionalDisplayItems: checkedItems(additionalDisplayItems, "additionalDisplayItems"),
            data: data === undefined ? undefined : dictionaryOf(data, "A modifier's data"),
        };
    }

    /// What a request is made with, or updated with: only what there is in it.
    ///
    /// - Throws: a TypeError or a RangeError.
    function checkedDetails(given, { requestShipping }) {
        const details = dictionaryOf(given, "The details");
        const { total, displayItems, shippingOptions, modifiers } = details;
        return {
            ...(total !== undefined && { total: checkedTotal(total) }),
            ...(displayItems !== undefined && { displayItems: checkedItems(displayItems, "displayItems") }),
            ...(shippingOptions !== undefined && requestShipping && { shippingOptions: checkedOptions(shippingOptions) }),
            ...(modifiers !== undefined && { modifiers: sequenceOf(modifiers, "modifiers", checkedModifier) }),
        };
    }

    /// The last of those that are selected.
    const selectedOption = (options) => options.findLast((option) => option.selected)?.id ?? null;

    function checkedPaymentOptions(given) {
        const options = dictionaryOf(given, "The options");
        const names = [
            "requestPayerName", "requestPayerEmail", "requestPayerPhone", "requestShipping", "requestBillingAddress",
        ];
        return {
            ...Object.fromEntries(names.map((name) => [name, Boolean(options[name])])),
            shippingType: choiceOf(options.shippingType, Object.keys(appleShippingTypes), "the shipping types"),
        };
    }

    // MARK: As Apple's sheet takes it

    /// A payment has one currency, its first total's: in that the token is made, whatever an update says.
    ///
    /// - Parameter details: the whole of a request's, or what it is updated with.
    /// - Throws: a TypeError.
    function requireCurrency({ total, displayItems = [], shippingOptions = [], modifiers = [] }, currency) {
        const own = modifiers.filter(({ supportedMethods }) => isApplePay(supportedMethods));
        const priced = [
            total, ...displayItems, ...shippingOptions,
            ...own.flatMap((modifier) => [modifier.total, ...modifier.additionalDisplayItems]),
        ];
        const other = priced.find((item) => item !== undefined && item.amount.currency !== currency);
        if (other !== undefined) {
            throw wrong(`"${other.amount.currency}" does not match the expected currency of "${currency}". `
                + "Apple Pay requires all PaymentCurrencyAmounts to use the same currency code.");
        }
    }

    const lineItem = ({ label, amount, pending }) => ({ label, amount: amount.value, type: pending ? "pending" : "final" });

    /// What is to be paid under a modifier, or without one.
    const dueOf = (modifier, total) => modifier?.data?.total ?? lineItem(modifier?.total ?? total);

    /// The first of Apple Pay's modifiers that is for every card, or for the one that is chosen.
    function modifierFor({ modifiers, total }, cardType) {
        return modifiers.find((modifier) => {
            const { supportedMethods, data } = modifier;
            if (data === undefined || !isApplePay(supportedMethods)) { return false; }
            validatedAgreements(data, amountText(dueOf(modifier, total).amount, "total"));
            return data.paymentMethodType === undefined
                || choiceOf(data.paymentMethodType, cardTypes, "the types of payment methods") === cardType;
        });
    }

    /// Total, lines and shipping methods, under the names of ApplePaySession's requests.
    ///
    /// - Parameters:
    ///   - shippingOption: the id of the one that is chosen, or null.
    ///   - cardType: of the chosen card: "credit"; undefined while there is none.
    function sheetDetails(details, shippingOption, cardType) {
        const { total, displayItems, shippingOptions } = details;
        const modifier = modifierFor(details, cardType);
        const { additionalLineItems = [], additionalShippingMethods = [] } = modifier?.data ?? {};
        const items = [...displayItems, ...(modifier?.additionalDisplayItems ?? [])];
        return {
            total: dueOf(modifier, total),
            lineItems: [...items.map(lineItem), ...additionalLineItems],
            shippingMethods: [...shippingOptions.map(({ id, label, amount }) => ({
                ...lineItem({ label, amount }), detail: "", identifier: id, selected: id === shippingOption,
            })), ...additionalShippingMethods],
        };
    }

    /// The whole as a request of ApplePaySession.
    ///
    /// - Parameter data: the ApplePayRequest of Apple Pay's method.
    function sessionRequest(data, options, details, shippingOption) {
        requireCurrency(details, details.total.amount.currency);
        const asked = {
            email: options.requestPayerEmail, name: options.requestPayerName, phone: options.requestPayerPhone,
            postalAddress: options.requestShipping,
        };
        const union = (names, fields = []) => [...new Set([...fields, ...names])];
        return {
            ...data, currencyCode: details.total.amount.currency, ...sheetDetails(details, shippingOption),
            shippingType: options.requestShipping ? appleShippingTypes[options.shippingType] : undefined,
            requiredShippingContactFields: union(
                Object.keys(asked).filter((name) => asked[name]), data.requiredShippingContactFields),
            requiredBillingContactFields: union(
                options.requestBillingAddress ? ["postalAddress"] : [], data.requiredBillingContactFields),
        };
    }

    // MARK: Errors

    function contactErrors(given, fields) {
        const messages = dictionaryOf(given, "The errors");
        return Object.keys(fields).filter((name) => messages[name] !== undefined)
            .map((name) => new ApplePayError("shippingContactInvalid", fields[name], messages[name]));
    }

    /// What the shop says is wrong, as the sheet shows it.
    ///
    /// - Parameter given: `error`, `shippingAddress`, `payer`, `paymentMethod`: as in the errors of `retry()`.
    function sheetErrors({ error, shippingAddress, payer, paymentMethod }, options) {
        const asked = Object.fromEntries(Object.entries(payerFields).filter(([name]) => options[payerOptions[name]]));
        return [
            ...(options.requestShipping && error ? [new ApplePayError("shippingContactInvalid", undefined, error)] : []),
            ...(options.requestShipping ? contactErrors(shippingAddress, addressFields) : []),
            ...contactErrors(payer, asked),
            ...validatedErrors(paymentMethod),
        ];
    }

    // payment-response.js

    // What a PaymentRequest resolves with.


    const results = ["fail", "success", "unknown"];

    /// W3C's PaymentAddress of one of Apple's contacts, as WebKit makes it.
    function addressOf(contact) {
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

    const nameOf = ({ givenName, familyName }) => [givenName, familyName].filter(Boolean).join(" ");

    class PaymentResponse extends EventTarget {
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

    // payment-request.js

    // PaymentRequest with Apple Pay's method: the W3C Payment Request API with what Apple adds to it ("Apple Pay on the Web",
    // "Setting up the payment request API to accept Apple Pay"), over the one session and its sheet. Other methods stay the
    // browser's own.


    /// The browser's own, for what is not Apple's.
    const BrowsersRequest = globalThis.PaymentRequest;
    const requestEvents = ["merchantvalidation", "paymentmethodchange", "shippingaddresschange", "shippingoptionchange"];

    const because = (sentence, error) => aborted(`${sentence} ${error?.message ?? ""}`.trim());

    /// The first of Apple Pay's methods; undefined where there is none.
    function appleMethod(given) {
        const methods = sequenceOf(given, "The payment methods", (method) => dictionaryOf(method, "A payment method"));
        if (methods.length === 0) { throw wrong("At least one payment method is required."); }
        return methods.find((method) => isApplePay(requiredText(method, "supportedMethods", "A payment method")));
    }

    /// Apple's ApplePayRequest, or what is wrong with it.
    function validatedData(given) {
        const data = { ...dictionaryOf(given, "The data of Apple Pay's method") };
        requiredText(data, "merchantIdentifier", "The ApplePayRequest");
        const version = Number(requiredText(data, "version", "The ApplePayRequest"));
        if (!isVersionSupported(version)) { throw invalidAccess(`Version ${version} of Apple Pay is not supported.`); }
        validatedBase(data, version);
        return { ...data, version };
    }

    class PaymentRequest extends EventTarget {
        #id;
        #method;
        #data;
        #details;
        #options;
        #address = null;
        #option;
        #state = "created";
        #session;
        #cardType;
        #shown;
        #response;
        #retried;
        #firstDetails;
        #listeners = new Listeners();
        #left = () => this.#close(aborted("The page was left."));

        static { defineHandlers(this.prototype, requestEvents); }

        /// One that the browser has made is one, too.
        static [Symbol.hasInstance](value) {
            return super[Symbol.hasInstance](value) || (BrowsersRequest !== undefined && value instanceof BrowsersRequest);
        }

        constructor(methods, details, options) {
            const list = sequenceOf(methods, "The payment methods", (method) => method);
            const method = appleMethod(list);
            if (method === undefined && BrowsersRequest !== undefined) { return new BrowsersRequest(list, details, options); }
            requireUsableDocument();
            super();
            this.#method = method?.supportedMethods;
            this.#data = method === undefined ? undefined : validatedData(method.data);
            this.#options = checkedPaymentOptions(options);
            const checked = checkedDetails(details, this.#options);
            if (checked.total === undefined) { throw wrong("The details have no total."); }
            this.#details = { displayItems: [], shippingOptions: [], modifiers: [], ...checked };
            this.#id = String(details.id ?? newRequestId());
            this.#option = selectedOption(this.#details.shippingOptions);
        }

        get id() { return this.#id; }

        get shippingAddress() { return this.#address; }

        get shippingOption() { return this.#option; }

        get shippingType() { return this.#options.requestShipping ? this.#options.shippingType : null; }

        addEventListener(type, listener, options) {
            this.#listeners.add(this, type, listener, options);
            super.addEventListener(type, listener, options);
        }

        removeEventListener(type, listener, options) {
            this.#listeners.remove(type, listener, options);
            super.removeEventListener(type, listener, options);
        }

        async canMakePayment() {
            if (this.#state !== "created") { throw invalidState("This request was shown already."); }
            return this.#data !== undefined;
        }

        // MARK: Beginning and ending

        /// - Parameter details: what is not known yet, or the promise of it.
        async show(details) {
            try {
                requireUserGesture("show() must be triggered by user activation.");
            } catch (error) {
                throw new DOMException(error.message, "SecurityError");
            }
            if (this.#state !== "created") {
                throw invalidState("This request was shown already; make a new one for each payment.");
            }
            this.#state = "closed";
            if (hasActiveSession()) { throw aborted("Another payment session of this page is active."); }
            if (this.#data === undefined) {
                throw new DOMException("No method of this request is supported.", "NotSupportedError");
            }
            this.#session = this.#newSession();
            this.#session.begin();
            this.#state = "interactive";
            this.#firstDetails = details === undefined ? undefined : Promise.resolve(details);
            this.#firstDetails?.catch(() => { /* It is waited for when the sheet is open. */ });
            addEventListener("pagehide", this.#left);
            return new Promise((resolve, reject) => { this.#shown = { resolve, reject }; });
        }

        #newSession() {
            const session = new ApplePaySession(
                this.#data.version, sessionRequest(this.#data, this.#options, this.#details, this.#option));
            session.onvalidatemerchant = ({ validationURL }) => this.#validate(validationURL);
            session.onpaymentmethodselected = ({ paymentMethod }) => this.#selectMethod(paymentMethod);
            session.onshippingmethodselected = ({ shippingMethod }) => this.#selectOption(shippingMethod.identifier);
            session.onshippingcontactselected = ({ shippingContact }) => this.#selectAddress(shippingContact);
            session.oncouponcodechanged = ({ couponCode }) => this.#changeCoupon(couponCode);
            session.onpaymentauthorized = ({ payment }) => this.#accept(payment);
            session.oncancel = ({ sessionError }) =>
                this.#close(aborted(sessionError.info?.reason ?? "The shopper has closed the payment sheet."));
            return session;
        }

        async abort() {
            if (this.#state !== "interactive" || this.#retried !== undefined) {
                throw invalidState("There is no sheet that could be dismissed now.");
            }
            this.#session.abort();
            this.#close(aborted("The page has dismissed the payment sheet."));
        }

        /// What the shop did wrong ends the payment; the sheet says what it was.
        #fail(error) {
            if (this.#state !== "interactive") { return; }
            this.#session.abort({ kind: "failed", say: "Payment not completed", more: error?.message });
            this.#close(error);
        }

        #close(error) {
            removeEventListener("pagehide", this.#left);
            this.#state = "closed";
            this.#session = undefined;
            const waiting = this.#retried ?? this.#shown;
            this.#retried = undefined;
            waiting.reject(error);
        }

        // MARK: Merchant validation

        async #validate(validationURL) {
            if (this.#firstDetails !== undefined) { await this.#takeFirstDetails(); }
            if (this.#state !== "interactive") { return; }
            if (!this.#listeners.hears("merchantvalidation")) {
                console.warn("[Pomona wallet simulator] The request has no onmerchantvalidation handler: nobody validates it.");
            }
            this.dispatchEvent(new MerchantValidationEvent(
                "merchantvalidation", { methodName: this.#method, validationURL },
                (merchantSession) => this.#completeValidation(merchantSession)));
        }

        /// The sheet shows them as soon as it asks for the card.
        async #takeFirstDetails() {
            await this.#firstDetails.then((given) => this.#attempt(() => this.#take(given)),
                (error) => this.#fail(because("The promise of show() was rejected.", error)));
        }

        #completeValidation(merchantSession) {
            if (this.#state !== "interactive") { throw invalidState("The payment sheet is closed."); }
            Promise.resolve(merchantSession).then(
                (value) => this.#attempt(() => this.#session.completeMerchantValidation(value)),
                (error) => this.#fail(because("The merchant validation was rejected.", error)));
        }

        /// Calls the session for a shop whose own call is over: what it refuses ends the payment.
        #attempt(call) {
            if (this.#state !== "interactive") { return; }
            try {
                call();
            } catch (error) {
                this.#fail(error);
            }
        }

        // MARK: Choices

        #selectMethod(paymentMethod) {
            this.#cardType = paymentMethod.type;
            this.#change((update) => this.#methodEvent(paymentMethod, update), "completePaymentMethodSelection");
        }

        /// A coupon is a change of the method whose details have the code (Apple: ApplePayCouponCodeDetails).
        #changeCoupon(couponCode) {
            this.#change((update) => this.#methodEvent({ couponCode }, update), "completeCouponCodeChange");
        }

        #methodEvent(methodDetails, update) {
            return new PaymentMethodChangeEvent("paymentmethodchange", { methodName: this.#method, methodDetails }, update);
        }

        #selectOption(id) {
            this.#option = id;
            this.#change((update) => new PaymentRequestUpdateEvent("shippingoptionchange", {}, update),
                "completeShippingMethodSelection");
        }

        #selectAddress(contact) {
            this.#address = addressOf(contact);
            this.#change((update) => new PaymentRequestUpdateEvent("shippingaddresschange", {}, update),
                "completeShippingContactSelection");
        }

        /// Notifies the shop. Where it does not answer with updateWith(), all stays as it was.
        #change(makeEvent, answer) {
            let update;
            this.dispatchEvent(makeEvent((given) => { update = Promise.resolve(given); }));
            if (update === undefined) {
                this.#attempt(() => this.#answer(answer, {}));
                return;
            }
            update.then((given) => this.#attempt(() => {
                this.#take(given);
                this.#answer(answer, dictionaryOf(given, "The details"));
            }), (error) => this.#fail(because("The update was rejected.", error)));
        }

        #take(given) {
            const details = checkedDetails(given, this.#options);
            requireCurrency(details, this.#details.total.amount.currency);
            Object.assign(this.#details, details);
            if (details.shippingOptions !== undefined) { this.#option = selectedOption(details.shippingOptions); }
        }

        #answer(method, { error, shippingAddressErrors, payerErrors, paymentMethodErrors }) {
            const { total, lineItems, shippingMethods } = sheetDetails(this.#details, this.#option, this.#cardType);
            // Where there are ways to ship, the address is one to which they lead.
            const hasWays = this.#details.shippingOptions.length > 0;
            const errors = sheetErrors({
                ...(!hasWays && { error, shippingAddress: shippingAddressErrors }), payer: payerErrors,
                paymentMethod: paymentMethodErrors,
            }, this.#options);
            const takesErrors = method !== "completeShippingMethodSelection";
            this.#session[method]({
                newTotal: total, newLineItems: lineItems, newShippingMethods: shippingMethods, ...(takesErrors && { errors }),
            });
        }

        // MARK: Paying

        #accept(payment) {
            const { requestShipping, requestPayerName, requestPayerEmail, requestPayerPhone } = this.#options;
            const contact = payment.shippingContact ?? {};
            const contents = {
                requestId: this.#id, methodName: this.#method, details: payment,
                shippingAddress: requestShipping ? addressOf(contact) : null,
                shippingOption: requestShipping ? this.#option : null,
                payerName: requestPayerName ? nameOf(contact) : null,
                payerEmail: requestPayerEmail ? contact.emailAddress : null,
                payerPhone: requestPayerPhone ? contact.phoneNumber : null,
            };
            this.#state = "closed";
            if (this.#response !== undefined) {
                this.#response.accept(contents);
                const retried = this.#retried;
                this.#retried = undefined;
                retried.resolve();
                return;
            }
            this.#response = new PaymentResponse({
                complete: (isPaid, simulatedEnd) => this.#complete(isPaid, simulatedEnd),
                retry: (errors) => this.#retry(errors), isOver: () => this.#session === undefined,
            }, contents);
            this.#shown.resolve(this.#response);
        }

        #complete(isPaid, simulatedEnd) {
            const session = this.#session;
            this.#session = undefined;
            removeEventListener("pagehide", this.#left);
            session.completePayment({
                status: isPaid ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE, simulatedEnd,
            });
        }

        /// The sheet stays, with one error at least: without any it would be the end.
        #retry({ error, shippingAddress, payer, paymentMethod }) {
            const errors = sheetErrors({ error, shippingAddress, payer, paymentMethod }, this.#options);
            if (errors.length === 0) { errors.push(new ApplePayError("unknown")); }
            this.#session.completePayment({ status: ApplePaySession.STATUS_FAILURE, errors });
            this.#state = "interactive";
            return new Promise((resolve, reject) => { this.#retried = { resolve, reject }; });
        }
    }

    // What the browser's own has beside, as Chromium's securePaymentConfirmationAvailability().
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(BrowsersRequest ?? {}))) {
        if (!Object.hasOwn(PaymentRequest, name)) { Object.defineProperty(PaymentRequest, name, descriptor); }
    }

    /// A UUID. (randomUUID() is missing in documents that are not secure.)
    function newRequestId() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    }

    // index.js

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

})();
