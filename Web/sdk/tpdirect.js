//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Made by script/bundle from Web/sdk/modules. Change those and run it again.

(() => {
    'use strict';

    const bundledScriptURL = (document.currentScript && document.currentScript.src) || location.href;

    // codes.js

    // Every status of the web SDK has its home here, with the message of the specification (its spelling kept) and who
    // raises it. The vendor's table of the web SDK lacks some with which this gateway's getprime answers a page; they have
    // the message of the server's.

    /** This SDK raises it. */
    const raisedHere = 'sdk';
    /** The gateway answers it and the SDK passes it on, with the gateway's own words. */
    const fromGateway = 'gateway';
    /**
     * Belongs to card forms or Google Pay, which this SDK does not have: listed so that the table is whole, raised by
     * nothing.
     */
    const neverHere = 'none';

    /**
     * status -> { message, raisedBy }. `raisedBy` is 'sdk', 'gateway' or 'none'.
     *
     * @type {ReadonlyMap<number, {message: string, raisedBy: string}>}
     */
    const codes = new Map([
        [-7, { message: '[Google Pay] failed to get prime', raisedBy: neverHere }],
        [-6, { message: '[Apple Pay] failed to get prime', raisedBy: raisedHere }],
        [-5, { message: 'Unknown Error', raisedBy: raisedHere }],
        [-3, { message: 'failed to get prime', raisedBy: raisedHere }],
        [-1, { message: 'SDK Loading Error', raisedBy: raisedHere }],
        [0, { message: 'Success', raisedBy: raisedHere }],
        [5, { message: 'Wrong JSON format', raisedBy: fromGateway }],
        [11, { message: 'App ID not found', raisedBy: fromGateway }],
        [12, { message: 'App name mismatch', raisedBy: fromGateway }],
        [13, { message: 'Unknown app error', raisedBy: fromGateway }],
        [16, { message: 'App key mismatch', raisedBy: fromGateway }],
        [41, { message: 'Wrong Card Format', raisedBy: fromGateway }],
        [67, { message: 'This merchant does not support this payment method', raisedBy: fromGateway }],
        [80, { message: 'Invaild x-api-key or app key', raisedBy: fromGateway }],
        [81, { message: 'Partner not found', raisedBy: fromGateway }],
        [84, { message: 'Partner unauthorized', raisedBy: fromGateway }],
        [89, { message: 'This merchant does not support this currency', raisedBy: fromGateway }],
        [122, { message: 'Card encrypt error', raisedBy: fromGateway }],
        [141, { message: 'This partner does not support amount pending', raisedBy: fromGateway }],
        [401, { message: 'Request Cancel, please see the defail of msg', raisedBy: raisedHere }],
        [402, { message: 'Can not obtain payment data, please see the defail of msg', raisedBy: raisedHere }],
        [403, { message: '[Apple Pay] Get Session error: {Message from apple}', raisedBy: raisedHere }],
        [404, { message: '[Payment Request API] Unexcept Error, for detail please see originalError', raisedBy: raisedHere }],
        [421, { message: 'Gateway Timeout', raisedBy: raisedHere }],
        [422, { message: 'Authorization Timeout', raisedBy: fromGateway }],
        [510, { message: 'Invalid arguments : amount', raisedBy: fromGateway }],
        [530, { message: 'Invalid arguments : app_id', raisedBy: fromGateway }],
        [531, { message: 'Missing arguments : app_key', raisedBy: fromGateway }],
        [532, { message: 'Missing arguments : app_name', raisedBy: fromGateway }],
        [533, { message: 'Missing arguments : card_number', raisedBy: fromGateway }],
        [534, { message: 'Missing arguments : card_expiry_date', raisedBy: fromGateway }],
        [570, { message: 'Out of range : app_key', raisedBy: fromGateway }],
        [571, { message: 'Out of range : app_name', raisedBy: fromGateway }],
        [572, { message: 'Out of range : card_number', raisedBy: fromGateway }],
        [573, { message: 'Out of range : card_expiry_date', raisedBy: fromGateway }],
        [574, { message: 'Out of range : card_ccv', raisedBy: fromGateway }],
        [589, { message: 'Invalid arguments : platform_type', raisedBy: fromGateway }],
        [590, { message: 'Missing arguments : android_merchant_id', raisedBy: fromGateway }],
        [591, { message: 'Missing arguments : pay_token_data', raisedBy: fromGateway }],
        [592, { message: 'Missing arguments : apple_merchant_id', raisedBy: fromGateway }],
        [594, { message: 'Out of range : apple_merchant_id', raisedBy: fromGateway }],
        [598, { message: 'Out of range : android_merchant_id', raisedBy: fromGateway }],
        [599, { message: 'Missing arguments : pay_token_data > ephemeralPublicKey', raisedBy: fromGateway }],
        [600, { message: 'Missing arguments : pay_token_data > encryptedMessage', raisedBy: fromGateway }],
        [601, { message: 'Missing arguments : pay_token_data > tag', raisedBy: fromGateway }],
        [602, { message: 'Out of range : pay_token_data > ephemeralPublicKey', raisedBy: fromGateway }],
        [603, { message: 'Out of range : pay_token_data > encryptedMessage', raisedBy: fromGateway }],
        [604, { message: 'Out of range : pay_token_data > tag', raisedBy: fromGateway }],
        [605, { message: 'Missing arguments : pay_token_data > data', raisedBy: fromGateway }],
        [606, { message: 'Missing arguments : pay_token_data > version', raisedBy: fromGateway }],
        [607, { message: 'Missing arguments : pay_token_data > signature', raisedBy: fromGateway }],
        [608, { message: 'Missing arguments : pay_token_data > header > ephemeralPublicKey', raisedBy: fromGateway }],
        [609, { message: 'Missing arguments : pay_token_data > header > publicKeyHash', raisedBy: fromGateway }],
        [610, { message: 'Missing arguments : pay_token_data > header > transactionId', raisedBy: fromGateway }],
        [611, { message: 'Out of range : pay_token_data > data', raisedBy: fromGateway }],
        [612, { message: 'Out of range : pay_token_data > version', raisedBy: fromGateway }],
        [613, { message: 'Out of range : pay_token_data > header > ephemeralPublicKey', raisedBy: fromGateway }],
        [614, { message: 'Out of range : pay_token_data > header > publicKeyHash', raisedBy: fromGateway }],
        [615, { message: 'Out of range : pay_token_data > header > transactionId', raisedBy: fromGateway }],
        [616, { message: 'Missing arguments : pay_token_data > header', raisedBy: fromGateway }],
        [617, { message: 'Out of range : fraud_id', raisedBy: fromGateway }],
        [618, { message: 'Out of range : pay_token_data > protocolVersion', raisedBy: fromGateway }],
        [619, { message: 'Out of range : pay_token_data > signature', raisedBy: fromGateway }],
        [626, { message: 'Invalid arguments : platform_type', raisedBy: fromGateway }],
        [634, { message: 'Missing arguments : pay_token_data > protocolVersion', raisedBy: fromGateway }],
        [638, { message: 'Missing arguments : merchant_app_launch_uri', raisedBy: fromGateway }],
        [639, { message: 'Out of range : merchant_app_launch_uri', raisedBy: fromGateway }],
        [652, { message: 'Invalid arguments : currency', raisedBy: fromGateway }],
        [655, { message: 'Missing arguments : reference_id', raisedBy: fromGateway }],
        [660, { message: 'Out of range : reference_id', raisedBy: fromGateway }],
        [915, { message: 'System error, please contact TapPay customer service', raisedBy: fromGateway }],
        [916, { message: 'Signature verification is not proceed', raisedBy: fromGateway }],
        [917, { message: 'Signature verification error', raisedBy: fromGateway }],
        [2000, { message: '[Direct Pay] Card number is empty', raisedBy: neverHere }],
        [2001, { message: '[Direct Pay] Card month/year is empty', raisedBy: neverHere }],
        [2012, { message: '[Direct Pay] CCV is wrong format', raisedBy: neverHere }],
        [2013, { message: 'Expired Card', raisedBy: fromGateway }],
        [2200, { message: '[Google Pay] Unexcept Error, for detail please see originalError', raisedBy: neverHere }],
        [10050, { message: 'Amount out of range', raisedBy: fromGateway }],
        [13002, { message: 'This apple pay merchant identifier is disabled', raisedBy: fromGateway }],
    ].map(([status, entry]) => [status, Object.freeze(entry)]));

    /** Statuses that the SDK raises itself, by name. */
    const Status = Object.freeze({
        success: 0,
        notLoaded: -1,
        failedToGetPrime: -3,
        unknownError: -5,
        applePayFailedToGetPrime: -6,
        cancelled: 401,
        noPaymentData: 402,
        sessionRefused: 403,
        unexpected: 404,
        gatewayTimeout: 421,
    });

    const seeDetail = ', please see the defail of msg';
    const placeholder = '{Message from apple}';

    /**
     * The `msg` of a status. "Please see the detail of msg" gives way to that detail, {Message from apple} to that message;
     * to other messages the detail is added.
     *
     * @param {number} status
     * @param {string} [detail] A sentence without its full stop.
     * @returns {string}
     */
    function messageOf(status, detail = '') {
        const entry = codes.get(status);
        const message = entry ? entry.message : '';
        if (detail === '') {
            return message;
        }
        if (message.endsWith(seeDetail)) {
            return `${message.slice(0, -seeDetail.length)}: ${detail}`;
        }
        if (message.includes(placeholder)) {
            return message.replace(placeholder, () => detail);
        }
        return message === '' ? detail : `${message}: ${detail}`;
    }

    // contacts.js

    // Buyers' contacts: Apple's words and those of the Payment Request API, turned into the one form of the result.

    const eastAsianName = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;

    function text(value) {
        return typeof value === 'string' ? value : '';
    }

    function texts(value) {
        return value === null || value === undefined ? [] : Array.from(value, text);
    }

    /** Family name first and unspaced where both names are written in an East Asian script. */
    function fullName(contact) {
        const [given, family] = [text(contact.givenName), text(contact.familyName)];
        if (eastAsianName.test(given) && eastAsianName.test(family)) {
            return family + given;
        }
        return [given, family].filter((name) => name !== '').join(' ');
    }

    /**
     * An address of the result.
     *
     * @param {object} [contact] Apple's ApplePayPaymentContact.
     * @returns {object} All fields, empty where the wallet gave nothing.
     */
    function addressOfContact(contact = {}) {
        return {
            country: text(contact.countryCode) || text(contact.country),
            addressLine: texts(contact.addressLines),
            region: text(contact.administrativeArea),
            city: text(contact.locality),
            dependentLocality: text(contact.subLocality),
            postalCode: text(contact.postalCode),
            sortingCode: '',
            languageCode: '',
            organization: '',
            recipient: fullName(contact),
            phone: text(contact.phoneNumber),
        };
    }

    /**
     * The payer of the result, from the contact that the sheet asked for.
     *
     * @param {object} [contact] Apple's ApplePayPaymentContact.
     * @returns {{name: string, phone: string, email: string}}
     */
    function payerOfContact(contact = {}) {
        return { name: fullName(contact), phone: text(contact.phoneNumber), email: text(contact.emailAddress) };
    }

    /**
     * An address of the result, from the Payment Request API's.
     *
     * @param {object|null} [address] A PaymentAddress (ContactAddress).
     * @returns {object}
     */
    function addressOfPaymentAddress(address) {
        const source = address || {};
        return {
            country: text(source.country),
            addressLine: texts(source.addressLine),
            region: text(source.region),
            city: text(source.city),
            dependentLocality: text(source.dependentLocality),
            postalCode: text(source.postalCode),
            sortingCode: text(source.sortingCode),
            languageCode: text(source.languageCode),
            organization: text(source.organization),
            recipient: text(source.recipient),
            phone: text(source.phone),
        };
    }

    /**
     * The payer of the result, from a PaymentResponse.
     *
     * @param {object} response
     * @returns {{name: string, phone: string, email: string}}
     */
    function payerOfResponse(response) {
        return { name: text(response.payerName), phone: text(response.payerPhone), email: text(response.payerEmail) };
    }

    // result.js

    // What getPrime's callback gets.


    const cardInfoTexts = Object.freeze([
        'bincode', 'lastfour', 'issuer', 'issuer_zh_tw', 'bank_id', 'level', 'country', 'countrycode',
    ]);

    const UNKNOWN = -1;

    /** ApplePayPaymentMethod.type and .network, in small letters, as the gateway numbers them. */
    const fundings = new Map([['credit', 0], ['debit', 1], ['prepaid', 2]]);
    const cardTypes = new Map([['visa', 1], ['mastercard', 2], ['jcb', 3], ['chinaunionpay', 4], ['amex', 5]]);

    function wholeOr(value, fallback) {
        return Number.isSafeInteger(value) ? value : fallback;
    }

    function readCardInfo(raw) {
        const info = raw || {};
        const result = {};
        for (const name of cardInfoTexts) {
            result[name] = typeof info[name] === 'string' ? info[name] : '';
        }
        result.funding = wholeOr(info.funding, UNKNOWN);
        result.type = wholeOr(info.type, UNKNOWN);
        return result;
    }

    /**
     * The result's `card`: the buyer's own card as the sheet shows it, and not the device's account, whose digits are
     * those of `card_info`.
     *
     * @param {{displayName: string, network: string, type: string}|undefined} paymentMethod Of Apple's token.
     * @returns {{lastfour: string, funding: number, type: number}}
     */
    function cardOf(paymentMethod) {
        const { displayName, network, type } = paymentMethod || {};
        const digits = typeof displayName === 'string' ? /([0-9]{4})\s*$/.exec(displayName) : null;
        const numberOf = (numbers, name) => numbers.get(typeof name === 'string' ? name.toLowerCase() : '') ?? UNKNOWN;
        return {
            lastfour: digits ? digits[1] : '',
            funding: numberOf(fundings, type),
            type: numberOf(cardTypes, network),
        };
    }

    /**
     * The result of a payment that got its prime.
     *
     * @param {{status: number, msg: string, reply: object}} answer The gateway's.
     * @param {object} sheet What the sheet gave: total_amount, payer, shippingAddress, billingAddress, shippingOption,
     *     card, requestId.
     * @returns {object}
     */
    function successResult(answer, sheet) {
        const { reply } = answer;
        const cardInfo = readCardInfo(reply.card_info);
        const result = {
            status: answer.status,
            msg: answer.msg,
            prime: reply.prime,
            prime_expiry_millis: wholeOr(reply.prime_expiry_millis, 0),
            client_ip: typeof reply.client_ip === 'string' ? reply.client_ip : '',
            methodName: 'apple_pay',
            ...sheet,
            card_info: cardInfo,
        };
        const codes = reply.merchant_reference_info && reply.merchant_reference_info.affiliate_codes;
        if (Array.isArray(codes)) {
            result.merchant_reference_info = { affiliate_codes: codes.map(String) };
        }
        return result;
    }

    /**
     * The result of a payment that got none.
     *
     * @param {number} status
     * @param {string} [detail] Added to the status's message.
     * @param {Error} [originalError] For 404 and -5: what the browser or the page did.
     * @returns {{status: number, msg: string, originalError: (Error|undefined)}}
     */
    function failureResult(status, detail, originalError) {
        const result = { status, msg: messageOf(status, detail) };
        if (originalError !== undefined) {
            result.originalError = originalError;
        }
        return result;
    }

    /**
     * The result of a payment that the gateway refused, with its sentence about what to do where it gave one.
     *
     * @param {{status: number, msg: string, reply: object}} answer
     * @returns {{status: number, msg: string, detail: (string|undefined)}}
     */
    function refusedResult(answer) {
        const { status, msg, reply } = answer;
        const hasDetail = typeof reply.detail === 'string' && reply.detail !== '';
        return hasDetail ? { status, msg, detail: reply.detail } : { status, msg };
    }

    /**
     * The result of a sheet that the buyer closed.
     *
     * @returns {{status: number, msg: string}}
     */
    function cancelledResult() {
        return failureResult(Status.cancelled, 'the payment sheet was closed before the payment was done');
    }

    /**
     * A name for one payment request: 128 random bits in hex.
     *
     * @returns {string}
     */
    function newRequestId() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    }

    // errors.js

    /**
     * A mistake in what the page handed to the SDK: thrown by the setup methods, and the `originalError` of a getPrime that
     * was called without a proper setup. It names the field and never carries its value.
     */
    class SetupError extends TypeError {
        /**
         * @param {string} code Stable: amount_malformed, field_missing, field_malformed, value_unsupported,
         *     currency_differs, amount_and_pending, total_differs, total_out_of_range, deferred_unsupported, id_repeated,
         *     element_missing, not_set_up, payment_in_progress, not_supported.
         * @param {string} field Such as "paymentRequest.total.amount.value".
         * @param {string} sentence What is wrong with it and what to do.
         */
        constructor(code, field, sentence) {
            super(`TPDirect: ${field} ${sentence}.`);
            this.name = 'TPDirectSetupError';
            this.code = code;
            this.field = field;
        }
    }

    // amounts.js

    // Amounts of money as whole hundredths in a BigInt. A decimal string is taken apart as text: at no point is an amount a
    // floating-point number.


    /** Currencies that the gateway counts in whole units (TWD: NT$1 is 1; JPY). All others have two decimals. */
    const wholeCurrencies = new Set(['TWD', 'JPY']);

    /**
     * "12", "12.5", "12.50", "-3.00": no sign but minus, no leading zeros, no exponent, no blanks, at most nine whole
     * digits.
     */
    const decimalPattern = /^(-?)(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,2}))?$/;

    /** One unit of any currency, in hundredths. */
    const ONE = 100n;

    /**
     * Reads an amount.
     *
     * @param {string|number} value A decimal string; a whole JavaScript number is taken too, one with a fraction is not.
     * @param {string} currency ISO 4217 letters.
     * @param {string} field Where the amount stands, for the error.
     * @returns {bigint} Hundredths.
     */
    function readAmount(value, currency, field) {
        const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
        const parts = typeof text === 'string' ? decimalPattern.exec(text) : null;
        if (!parts) {
            throw new SetupError(
                'amount_malformed', field, 'must be a decimal string such as "12.50", with at most two decimals');
        }
        const hundredths = BigInt(parts[2]) * ONE + BigInt((parts[3] || '').padEnd(2, '0'));
        if (wholeCurrencies.has(currency) && hundredths % ONE !== 0n) {
            throw new SetupError(
                'amount_malformed', field, `must be a whole amount, because ${currency} has no decimals here`);
        }
        return parts[1] ? -hundredths : hundredths;
    }

    /**
     * Writes an amount in the decimals of its currency: "1" TWD, "1.01" USD.
     *
     * @param {bigint} hundredths
     * @param {string} currency
     * @returns {string}
     */
    function writeAmount(hundredths, currency) {
        const size = hundredths < 0n ? -hundredths : hundredths;
        const sign = hundredths < 0n ? '-' : '';
        const whole = `${sign}${size / ONE}`;
        return wholeCurrencies.has(currency) ? whole : `${whole}.${String(size % ONE).padStart(2, '0')}`;
    }

    // sheet.js

    // What the payment sheet shows, in the words of Apple Pay JS and of the Payment Request API.


    /** The versions of Apple Pay JS that this SDK speaks, newest first. Later ones add nothing that it uses. */
    const spokenVersions = Object.freeze([3, 2, 1]);

    const appleShippingTypes = Object.freeze({ shipping: 'shipping', delivery: 'delivery', pickup: 'storePickup' });

    /**
     * The newest version of Apple Pay JS that both sides speak.
     *
     * @param {{supportsVersion: function(number): boolean}} Session The browser's ApplePaySession.
     * @returns {number} 0 when there is none.
     */
    function newestVersion(Session) {
        return spokenVersions.find((version) => Session.supportsVersion(version)) || 0;
    }

    /**
     * The shipping option that the sheet begins with.
     *
     * @param {object} cart
     * @returns {object|null} null when the cart asks for no shipping or has no options.
     */
    function firstShippingOption(cart) {
        return (cart.options.requestShipping && cart.shippingOptions[0]) || null;
    }

    /**
     * The total with the chosen shipping. A pending total stays as it is: what is paid is decided later.
     *
     * @param {object} cart
     * @param {object|null} shipping
     * @returns {bigint} Hundredths.
     */
    function totalWith(cart, shipping) {
        return shipping === null || cart.isTotalPending ? cart.amount : cart.amount + shipping.amount;
    }

    /**
     * The `total_amount` of the result: the total in the decimals of its currency, empty when the sheet showed AMOUNT
     * PENDING.
     *
     * @param {object} cart
     * @param {object|null} shipping
     * @returns {string}
     */
    function totalAmountText(cart, shipping) {
        return cart.isTotalPending ? '' : writeAmount(totalWith(cart, shipping), cart.currency);
    }

    function appleShippingMethods(cart, shipping) {
        if (!cart.options.requestShipping) {
            return [];
        }
        // The first of the list is the one that the sheet shows as chosen.
        const chosenFirst = shipping === null
            ? cart.shippingOptions : [shipping, ...cart.shippingOptions.filter((option) => option !== shipping)];
        return chosenFirst.map((option) => ({
            identifier: option.id,
            label: option.label,
            detail: option.detail,
            amount: writeAmount(option.amount, cart.currency),
        }));
    }

    /**
     * Total and lines for Apple Pay JS.
     *
     * @param {object} cart
     * @param {object|null} shipping
     * @returns {{newTotal: object, newLineItems: object[]}}
     */
    function appleLines(cart, shipping) {
        const newLineItems = cart.items.map((item) => ({
            label: item.label,
            type: item.isPending ? 'pending' : 'final',
            amount: writeAmount(item.amount, cart.currency),
        }));
        if (shipping !== null) {
            newLineItems.push({
                label: shipping.label, type: 'final', amount: writeAmount(shipping.amount, cart.currency),
            });
        }
        return {
            newTotal: {
                label: cart.label,
                type: cart.isTotalPending ? 'pending' : 'final',
                amount: writeAmount(totalWith(cart, shipping), cart.currency),
            },
            newLineItems,
        };
    }

    /**
     * What the sheet is given when the shipping address changes.
     *
     * @param {object} cart
     * @param {object|null} shipping
     * @returns {{newTotal: object, newLineItems: object[], newShippingMethods: object[]}}
     */
    function appleContactUpdate(cart, shipping) {
        return { ...appleLines(cart, shipping), newShippingMethods: appleShippingMethods(cart, shipping) };
    }

    /**
     * What the buyer is asked for, by the names of ApplePayPaymentRequest. A list with nothing in it is left out: browsers
     * that speak versions 1 and 2 alone refuse the whole request for it.
     */
    function contactFields(lists) {
        return Object.fromEntries(Object.entries(lists).filter(([, fields]) => fields.length > 0));
    }

    function shippingContactFields(options) {
        const fields = [];
        if (options.requestShipping) {
            fields.push('postalAddress');
        }
        if (options.requestPayerName || options.requestShipping) {
            fields.push('name');
        }
        if (options.requestPayerPhone) {
            fields.push('phone');
        }
        if (options.requestPayerEmail) {
            fields.push('email');
        }
        return fields;
    }

    /** The billing address is asked for together with the shipping address, and not otherwise. */
    function billingContactFields(options) {
        return options.requestShipping ? ['postalAddress', 'name'] : [];
    }

    function supportedNetworks(cart, version) {
        // Apple Pay JS 1 does not know JCB and would refuse the whole request.
        return cart.networks.filter((network) => version > 1 || network !== 'jcb');
    }

    /**
     * The ApplePayPaymentRequest.
     *
     * @param {object} cart
     * @param {{countryCode: string}} merchant
     * @param {number} version Of Apple Pay JS.
     * @returns {object}
     */
    function applePayRequest(cart, merchant, version) {
        const shipping = firstShippingOption(cart);
        const { newTotal, newLineItems } = appleLines(cart, shipping);
        const request = {
            countryCode: merchant.countryCode,
            currencyCode: cart.currency,
            supportedNetworks: supportedNetworks(cart, version),
            merchantCapabilities: ['supports3DS'],
            total: newTotal,
            lineItems: newLineItems,
            ...contactFields({
                requiredBillingContactFields: billingContactFields(cart.options),
                requiredShippingContactFields: shippingContactFields(cart.options),
            }),
        };
        if (cart.options.requestShipping) {
            request.shippingType = appleShippingTypes[cart.options.shippingType];
            request.shippingMethods = appleShippingMethods(cart, shipping);
        }
        return request;
    }

    /**
     * The one PaymentMethodData of the Payment Request API.
     *
     * @param {object} cart
     * @param {{merchantIdentifier: string, countryCode: string}} merchant
     * @returns {object}
     */
    function paymentMethod(cart, merchant) {
        const [version] = spokenVersions;
        return {
            supportedMethods: 'https://apple.com/apple-pay',
            data: {
                version,
                merchantIdentifier: merchant.merchantIdentifier,
                countryCode: merchant.countryCode,
                merchantCapabilities: ['supports3DS'],
                supportedNetworks: supportedNetworks(cart, version),
                ...contactFields({ requiredBillingContactFields: billingContactFields(cart.options) }),
            },
        };
    }

    /**
     * The details of the Payment Request API, at the beginning and after each change.
     *
     * @param {object} cart
     * @param {object|null} shipping
     * @returns {object}
     */
    function paymentDetails(cart, shipping) {
        const money = (hundredths) => ({ currency: cart.currency, value: writeAmount(hundredths, cart.currency) });
        const displayItems = cart.items.map((item) => ({
            label: item.label, amount: money(item.amount), pending: item.isPending,
        }));
        if (shipping !== null) {
            displayItems.push({ label: shipping.label, amount: money(shipping.amount), pending: false });
        }
        const details = {
            total: { label: cart.label, amount: money(totalWith(cart, shipping)), pending: cart.isTotalPending },
            displayItems,
        };
        if (cart.options.requestShipping) {
            details.shippingOptions = cart.shippingOptions.map((option) => ({
                id: option.id,
                label: option.label,
                amount: money(option.amount),
                selected: option === shipping,
            }));
            if (details.shippingOptions.length === 0) {
                // Without any option this API takes every address for one that is not delivered to.
                details.shippingOptions.push({ id: '', label: cart.label, amount: money(0n), selected: true });
            }
        }
        return details;
    }

    /**
     * The options of the Payment Request API.
     *
     * @param {object} cart
     * @returns {object}
     */
    function paymentOptions(cart) {
        return { ...cart.options };
    }

    // apple-pay.js

    // Drives the browser's ApplePaySession. The sheet is open from begin() until exactly one of these: the buyer closes
    // it (oncancel), completePayment, or our abort. After that the session is dead and is not touched again. The shop is
    // notified once and for all; a sheet that stays open after a failure (Apple's shows it and closes by itself) is
    // answered on, so that it does not hang.


    class ApplePayFlow {
        constructor(Session, order, done) {
            this.order = order;
            this.done = done;
            this.version = newestVersion(Session);
            this.statuses = { success: Session.STATUS_SUCCESS, failure: Session.STATUS_FAILURE };
            this.shipping = firstShippingOption(order.cart);
            this.requestId = newRequestId();
            this.isAlive = true;
            this.isReported = false;
            this.isAuthorized = false;
            this.edge = new AbortController();
            this.session = new Session(this.version, applePayRequest(order.cart, order.merchant, this.version));
        }

        /** Wires the session and opens the sheet, within the buyer's gesture. */
        begin() {
            const { session } = this;
            session.onvalidatemerchant = this.guarded((event) => this.validateMerchant(event));
            session.onpaymentmethodselected = this.guarded(() => this.answerPaymentMethod());
            if (this.order.cart.options.requestShipping) {
                session.onshippingmethodselected = this.guarded((event) => this.answerShippingMethod(event));
            }
            session.onshippingcontactselected = this.guarded(() => this.answerShippingContact());
            session.onpaymentauthorized = this.guarded((event) => this.authorize(event));
            session.oncancel = () => {
                this.isAlive = false;
                this.report(cancelledResult());
            };
            session.begin();
        }

        /**
         * A handler that is deaf once the session is dead, and turns an error of ours into -5 instead of a sheet that
         * hangs.
         */
        guarded(handler) {
            return async (event) => {
                if (!this.isAlive) {
                    return;
                }
                try {
                    await handler(event);
                } catch (error) {
                    this.abort(failureResult(Status.unknownError, '', error));
                }
            };
        }

        report(result) {
            if (!this.isReported) {
                this.isReported = true;
                this.edge.abort();
                this.done(result);
            }
        }

        abort(result) {
            if (this.isAlive) {
                this.isAlive = false;
                this.report(result);
                try {
                    this.session.abort();
                } catch (error) {
                    // The browser had closed the sheet and not notified us yet: there is nothing left to close.
                }
            }
        }

        async validateMerchant(event) {
            const { gateway, merchant } = this.order;
            const answer = await gateway.getSession(event.validationURL, merchant, this.edge.signal);
            if (!this.isAlive) {
                return;
            }
            if (!answer.merchantSession) {
                this.abort(failureResult(Status.sessionRefused, answer.detail));
                return;
            }
            try {
                this.session.completeMerchantValidation(answer.merchantSession);
            } catch (error) {
                this.abort(failureResult(Status.sessionRefused, 'the browser did not accept the merchant session', error));
            }
        }

        answerPaymentMethod() {
            const update = appleLines(this.order.cart, this.shipping);
            if (this.version >= 3) {
                this.session.completePaymentMethodSelection(update);
            } else {
                this.session.completePaymentMethodSelection(update.newTotal, update.newLineItems);
            }
        }

        answerShippingMethod(event) {
            const { cart } = this.order;
            const { identifier } = event.shippingMethod;
            this.shipping = cart.shippingOptions.find((option) => option.id === identifier) || this.shipping;
            const update = appleLines(cart, this.shipping);
            if (this.version >= 3) {
                this.session.completeShippingMethodSelection(update);
            } else {
                this.session.completeShippingMethodSelection(this.statuses.success, update.newTotal, update.newLineItems);
            }
        }

        answerShippingContact() {
            const update = appleContactUpdate(this.order.cart, this.shipping);
            if (this.version >= 3) {
                this.session.completeShippingContactSelection(update);
            } else {
                this.session.completeShippingContactSelection(
                    this.statuses.success, update.newShippingMethods, update.newTotal, update.newLineItems);
            }
        }

        async authorize(event) {
            // Confirmed once more on a sheet that the failure has not closed. The shop has had its result.
            if (this.isReported) {
                this.complete(false);
                return;
            }
            if (this.isAuthorized) {
                return;
            }
            this.isAuthorized = true;
            const { gateway, merchant, cart } = this.order;
            const { payment } = event;
            const answer = await gateway.getPrime(
                payment.token && payment.token.paymentData, merchant, cart.isAmountPending, Status.applePayFailedToGetPrime,
                this.edge.signal);
            // Closed while we waited: the result said that nothing was paid, so the prime is let lapse.
            if (!this.isAlive) {
                return;
            }
            const isPrime = answer.status === Status.success;
            this.report(isPrime ? successResult(answer, this.sheetOf(payment)) : refusedResult(answer));
            this.complete(isPrime);
        }

        complete(isSuccess) {
            const status = isSuccess ? this.statuses.success : this.statuses.failure;
            this.isAlive = !isSuccess;
            try {
                this.session.completePayment(this.version >= 3 ? { status } : status);
            } catch (error) {
                // The same as in abort: the sheet is gone, and the shop has the true result.
                this.isAlive = false;
            }
        }

        sheetOf(payment) {
            return {
                total_amount: totalAmountText(this.order.cart, this.shipping),
                payer: payerOfContact(payment.shippingContact),
                shippingAddress: addressOfContact(payment.shippingContact),
                billingAddress: addressOfContact(payment.billingContact),
                shippingOption: this.shipping === null ? '' : this.shipping.id,
                card: cardOf(payment.token && payment.token.paymentMethod),
                requestId: this.requestId,
            };
        }
    }

    /**
     * Opens Apple's sheet. To be called in the buyer's gesture; throws what the browser throws.
     *
     * @param {Function} Session The browser's ApplePaySession.
     * @param {{gateway: object, merchant: object, cart: object}} order
     * @param {function(object): void} done Called once with the result.
     */
    function payWithApplePaySession(Session, order, done) {
        new ApplePayFlow(Session, order, done).begin();
    }

    // availability.js

    // What this browser can do. Apple's script or the sandbox's wallet may define ApplePaySession after this SDK is loaded,
    // so it is looked up each time.


    /**
     * The browser's ApplePaySession, if it speaks a version that we do and the device can pay.
     *
     * @returns {Function|null}
     */
    function usableApplePaySession() {
        const Session = globalThis.ApplePaySession;
        if (typeof Session !== 'function') {
            return null;
        }
        try {
            return newestVersion(Session) > 0 && Session.canMakePayments() ? Session : null;
        } catch (error) {
            return null; // Apple's throws in documents that are not secure.
        }
    }

    /**
     * The browser's PaymentRequest, if Apple Pay is one of its methods: it then has the event with which a merchant is
     * validated. Others must not be asked, for they would fetch the method from Apple's site. Where there is an
     * ApplePaySession that cannot pay, this cannot either.
     *
     * @returns {Function|null}
     */
    function usablePaymentRequest() {
        const Request = globalThis.PaymentRequest;
        const hasApplePay = typeof Request === 'function' && 'onmerchantvalidation' in Request.prototype;
        return hasApplePay && typeof globalThis.ApplePaySession !== 'function' ? Request : null;
    }

    /**
     * Whether the buyer has a card in Apple Pay.
     *
     * @param {object} cart
     * @param {{merchantIdentifier: string}} merchant
     * @returns {Promise<boolean>} Never rejects.
     */
    async function hasActiveCard(cart, merchant) {
        const Session = usableApplePaySession();
        const Request = usablePaymentRequest();
        try {
            if (Session) {
                return Boolean(await Session.canMakePaymentsWithActiveCard(merchant.merchantIdentifier));
            }
            if (Request) {
                const request = new Request(
                    [paymentMethod(cart, merchant)], paymentDetails(cart, firstShippingOption(cart)), paymentOptions(cart));
                return Boolean(await request.canMakePayment());
            }
        } catch (error) {
            // Not asked too often, not in this document, not with this method: in each case there is no card to pay with.
        }
        return false;
    }

    // button.js

    // The vendor's payment button: an Apple Pay button in an element of the page. The vendor's example of it
    // (TapPay/tappay-web-example, Payment_Request/TapPay_Payment_Button) has no other way to pay.


    /** What the page's style sheets may select. */
    const buttonClass = 'tpdirect-apple-pay-button';

    // Safari draws Apple's own button (Apple Pay on the Web, "Displaying Apple Pay buttons using CSS"); others have none.
    // `:where` lets every rule of the page go before these.
    const buttonRules = `
:where(.tpdirect-apple-pay-button) {
    display: block; box-sizing: border-box; inline-size: 100%; block-size: 100%; min-inline-size: 100px;
    min-block-size: 40px; margin: 0; padding: 0 16px; cursor: pointer;
}
@supports (-webkit-appearance: -apple-pay-button) {
    :where(.tpdirect-apple-pay-button) {
        -webkit-appearance: -apple-pay-button; -apple-pay-button-type: plain; -apple-pay-button-style: black;
        font-size: 0;
    }
}
@supports not (-webkit-appearance: -apple-pay-button) {
    :where(.tpdirect-apple-pay-button) {
        border: 0; border-radius: 4px; background: #000; color: #fff; font: 600 17px/1.2 system-ui, sans-serif;
    }
}`;

    let buttonSheet = null;

    /**
     * As a constructed sheet, which a Content-Security-Policy without style-src lets pass. Browsers without such sheets
     * (Safari before 16.4) show what the page's own rules say.
     */
    function adoptButtonRules() {
        if (buttonSheet === null && 'adoptedStyleSheets' in Document.prototype) {
            buttonSheet = new CSSStyleSheet();
            buttonSheet.replaceSync(buttonRules);
            document.adoptedStyleSheets = [...document.adoptedStyleSheets, buttonSheet];
        }
    }

    function elementOf(selector, field) {
        const sentence = 'must be a CSS selector, such as "#pay"';
        if (typeof selector !== 'string') {
            throw new SetupError(selector === undefined ? 'field_missing' : 'field_malformed', field, sentence);
        }
        let element;
        try {
            element = document.querySelector(selector);
        } catch (error) {
            throw new SetupError('field_malformed', field, sentence);
        }
        if (element === null) {
            throw new SetupError('element_missing', field, 'must select an element that the page has by now');
        }
        return element;
    }

    /**
     * Puts the button into the element, in the place of one that is there already. Throws SetupError.
     *
     * @param {string} selector
     * @param {string} field What the page calls it, for the error.
     * @param {function(): void} pay Called in the click's own handler, so that the browser opens the sheet.
     */
    function placeButton(selector, field, pay) {
        const element = elementOf(selector, field);
        adoptButtonRules();
        const button = document.createElement('button');
        button.type = 'button';
        button.className = buttonClass;
        // Its accessible name, and what is seen of it where the browser does not draw it.
        button.textContent = 'Apple Pay';
        button.addEventListener('click', () => pay());
        const former = element.querySelector(`:scope > .${buttonClass}`);
        if (former) {
            former.replaceWith(button);
        } else {
            element.append(button);
        }
    }

    // gateway.js

    // The network edge: two POSTs to the gateway. No cookies, no redirects, nothing stored.


    /**
     * Apple closes the sheet 30 seconds after it asked for a merchant session or a payment's outcome; we answer before
     * that.
     */
    const DEADLINE_MILLIS = 25_000;

    const paths = Object.freeze({ session: '/tpc/applepay/getsession', prime: '/tpc/applepay/getprime' });

    /** The platform number of the web. */
    const PLATFORM_TYPE = '2';

    /** What went wrong between browser and gateway; `isTimeout` when the deadline passed. */
    class EdgeError extends Error {
        constructor(sentence, isTimeout = false) {
            super(sentence);
            this.isTimeout = isTimeout;
        }
    }

    function isText(value) {
        return typeof value === 'string' && value !== '';
    }

    /** Apple's paymentData is passed on untouched, but it must be one. */
    function isPaymentData(data) {
        const header = (data && data.header) || {};
        // Of RSA_v1 the key comes wrapped, of EC_v1 with the public half of another.
        const key = data && data.version === 'RSA_v1' ? header.wrappedKey : header.ephemeralPublicKey;
        return [data && data.data, data && data.version, data && data.signature].every(isText)
            && [header.publicKeyHash, key, header.transactionId].every(isText);
    }

    /** Speaks to the gateway for one app. */
    class Gateway {
        /** @param {{appID: number, appKey: string, serverType: string, host: string}} setup */
        constructor(setup) {
            this.setup = setup;
        }

        /**
         * Asks for a merchant session.
         *
         * @param {string} validationURL From the browser's event.
         * @param {{merchantIdentifier: string}} merchant
         * @param {AbortSignal} signal Aborts when the sheet is gone.
         * @returns {Promise<{merchantSession: object}|{detail: string}>} Never rejects.
         */
        async getSession(validationURL, merchant, signal) {
            const { appID, appKey } = this.setup;
            try {
                const reply = await this.post(paths.session, {
                    app_id: appID,
                    app_key: appKey,
                    app_name: location.hostname,
                    apple_merchant_id: merchant.merchantIdentifier,
                    merchant_domain: location.hostname,
                    validation_url: validationURL,
                }, signal);
                if (reply.status === 0 && reply.merchant_session && typeof reply.merchant_session === 'object') {
                    return { merchantSession: reply.merchant_session };
                }
                return { detail: this.detailOf(reply) };
            } catch (error) {
                return { detail: error.message };
            }
        }

        /**
         * Exchanges Apple's payment data for a prime. It is asked for once: a second try could mint a second prime.
         *
         * @param {object} paymentData
         * @param {{merchantIdentifier: string}} merchant
         * @param {boolean} isAmountPending
         * @param {number} failure The status for a failure without a status of its own: -6 or -3.
         * @param {AbortSignal} signal
         * @returns {Promise<{status: number, msg: string, reply: object}>} Never rejects.
         */
        async getPrime(paymentData, merchant, isAmountPending, failure, signal) {
            const failed = (status, detail, reply = {}) => ({ status, msg: messageOf(status, detail), reply });
            if (!isPaymentData(paymentData)) {
                return failed(Status.noPaymentData, 'the wallet gave no complete payment data');
            }
            const { appID, appKey, serverType } = this.setup;
            let reply;
            try {
                reply = await this.post(paths.prime, {
                    app_id: appID,
                    app_key: appKey,
                    app_name: location.hostname,
                    platform_type: PLATFORM_TYPE,
                    pay_token_data: paymentData,
                    apple_merchant_id: merchant.merchantIdentifier,
                    is_amount_pending: isAmountPending,
                }, signal);
            } catch (error) {
                return error.isTimeout ? failed(Status.gatewayTimeout, '') : failed(failure, error.message);
            }
            if (reply.status !== 0) {
                return { status: reply.status, msg: isText(reply.msg) ? reply.msg : messageOf(reply.status), reply };
            }
            if (!isText(reply.prime)) {
                return failed(failure, 'the gateway answered without a prime');
            }
            // A prime says which kind of app it belongs to: with the wrong one pay-by-prime could only fail, and less
            // clearly.
            const other = serverType === 'sandbox' ? 'prod_' : 'test_';
            if (reply.prime.startsWith(other)) {
                return failed(failure, `setupSDK says '${serverType}', but app ${appID} is not of that kind`);
            }
            return { status: Status.success, msg: isText(reply.msg) ? reply.msg : messageOf(Status.success), reply };
        }

        /** "Message from apple", without saying twice that it is one. */
        detailOf(reply) {
            if (!isText(reply.msg)) {
                return reply.status === 0 ? 'the gateway answered without a session' : messageOf(reply.status);
            }
            const prefix = messageOf(Status.sessionRefused, ' ').trimEnd();
            return reply.msg.startsWith(prefix) ? reply.msg.slice(prefix.length).trim() : reply.msg;
        }

        /**
         * One POST; rejects with an EdgeError. The answer is an object with a whole `status`, whatever the HTTP status is.
         */
        async post(path, body, signal) {
            const controller = new AbortController();
            let isTimeout = false;
            const timer = setTimeout(() => {
                isTimeout = true;
                controller.abort();
            }, DEADLINE_MILLIS);
            const stop = () => controller.abort();
            signal.addEventListener('abort', stop);
            try {
                if (signal.aborted) {
                    controller.abort();
                }
                const response = await fetch(this.setup.host + path, {
                    method: 'POST',
                    headers: { 'Content-Type': 'application/json', 'x-api-key': this.setup.appKey },
                    body: JSON.stringify(body),
                    mode: 'cors',
                    credentials: 'omit',
                    cache: 'no-store',
                    redirect: 'error',
                    signal: controller.signal,
                });
                const reply = JSON.parse(await response.text());
                if (reply === null || typeof reply !== 'object' || !Number.isSafeInteger(reply.status)) {
                    throw new SyntaxError('no status');
                }
                return reply;
            } catch (error) {
                if (isTimeout) {
                    throw new EdgeError(`the gateway did not answer within ${DEADLINE_MILLIS / 1000} seconds`, true);
                }
                throw new EdgeError(error instanceof SyntaxError
                    ? 'the gateway answered something other than JSON with a status' : 'the gateway could not be reached');
            } finally {
                clearTimeout(timer);
                signal.removeEventListener('abort', stop);
            }
        }
    }

    // origin.js

    // Where the SDK came from is where the gateway is. script/bundle puts the URL of the classic script in place of
    // bundledScriptURL.

    /** The URL of the script, or of the page when the script was pasted into it. */
    const scriptURL = bundledScriptURL;

    // warnings.js

    // What the SDK puts up with, said where a shop's developer looks. The one place that writes to the console.

    /**
     * Warns of something that the vendor's SDK takes and this one does without. Like the errors it names the field and
     * never carries its value.
     *
     * @param {string} field Such as "paymentRequest.supportedNetworks[2]".
     * @param {string} sentence What became of it.
     */
    function warn(field, sentence) {
        console.warn(`TPDirect: ${field} ${sentence}.`);
    }

    // other-methods.js

    // The vendor's other ways to pay on the web, by the names that it publishes (TapPay/tappay-web-example and the pages of
    // its documents). This gateway has none of them: they do nothing and say so, and a page that sets them up, often in one
    // `try` with Apple Pay, keeps its Apple Pay.


    const appleAlone = 'does nothing: this gateway takes Apple Pay alone';

    function deafMethods(namespace, names) {
        return Object.fromEntries(names.map((name) => [name, () => warn(`${namespace}.${name}`, appleAlone)]));
    }

    /** Ways whose page leads to another page or app: all that they have is a prime. */
    function redirecting(namespace) {
        return Object.freeze(deafMethods(namespace, ['getPrime']));
    }

    /** The card form. Its fields stay empty: pages ask for that before they call getPrime. */
    const cardForm = Object.freeze({
        ...deafMethods('card', ['setup', 'onUpdate', 'getPrime']),
        getTappayFieldsStatus: () => ({
            cardType: 'unknown', canGetPrime: false, hasError: false, status: { number: 1, expiry: 1, ccv: 1 },
        }),
    });

    /** Google Pay, as it is set up beside the Payment Request API. */
    const googlePay = Object.freeze(deafMethods('googlePay', [
        'setupGooglePay', 'setupPaymentRequest', 'setupTransactionPrice', 'setupGooglePayButton', 'getPrime',
    ]));

    /** Samsung Pay. */
    const samsungPay = Object.freeze(deafMethods('samsungPay', [
        'setup', 'setupPaymentRequest', 'setupSamsungPayButton', 'getPrime',
    ]));

    /** LINE Pay. */
    const linePay = redirecting('linePay');

    /** JKO Pay. */
    const jkoPay = redirecting('jkoPay');

    /** Easy Wallet. */
    const easyWallet = redirecting('easyWallet');

    /** Pi Wallet. */
    const piWallet = redirecting('piWallet');

    /** Atome. */
    const atome = redirecting('atome');

    const nothingCollected = 'is empty: nothing about the device is collected';

    /**
     * What the vendor's detection of fraud calls the device.
     *
     * @returns {string} Always empty.
     */
    function getFraudId() {
        warn('getFraudId', nothingCollected);
        return '';
    }

    /**
     * What the vendor calls the device.
     *
     * @returns {string} Always empty.
     */
    function getDeviceId() {
        warn('getDeviceId', nothingCollected);
        return '';
    }

    // payment-request.js

    // Drives the Payment Request API with Apple Pay's method, for browsers that have Apple Pay there and no
    // ApplePaySession.


    const CANCELLED = 'AbortError';

    class PaymentRequestFlow {
        constructor(Request, order, done) {
            const { cart, merchant } = order;
            this.order = order;
            this.done = done;
            this.shipping = firstShippingOption(cart);
            this.refusal = null;
            this.edge = new AbortController();
            this.request = new Request(
                [paymentMethod(cart, merchant)], paymentDetails(cart, this.shipping), paymentOptions(cart));
        }

        begin() {
            const { request, order } = this;
            request.onmerchantvalidation = (event) => event.complete(this.merchantSession(event.validationURL));
            request.onshippingoptionchange = (event) => {
                const chosen = order.cart.shippingOptions.find((option) => option.id === request.shippingOption);
                this.shipping = chosen || this.shipping;
                event.updateWith(paymentDetails(order.cart, this.shipping));
            };
            request.onshippingaddresschange = (event) => event.updateWith(paymentDetails(order.cart, this.shipping));
            request.show().then((response) => this.accept(response)).then(
                (result) => this.end(result),
                (error) => this.end(this.resultOf(error)));
        }

        end(result) {
            this.edge.abort();
            this.done(result);
        }

        /** A refused session closes the sheet; what show() then says is less than what we know. */
        resultOf(error) {
            if (this.refusal) {
                return this.refusal;
            }
            return error && error.name === CANCELLED
                ? cancelledResult() : failureResult(Status.unexpected, '', error);
        }

        async merchantSession(validationURL) {
            const { gateway, merchant } = this.order;
            const answer = await gateway.getSession(validationURL, merchant, this.edge.signal);
            if (!answer.merchantSession) {
                this.refusal = failureResult(Status.sessionRefused, answer.detail);
                throw new Error(this.refusal.msg);
            }
            return answer.merchantSession;
        }

        async accept(response) {
            const { gateway, merchant, cart } = this.order;
            const details = response.details || {};
            const answer = await gateway.getPrime(
                details.token && details.token.paymentData, merchant, cart.isAmountPending, Status.failedToGetPrime,
                this.edge.signal);
            const isPrime = answer.status === Status.success;
            // Rejects when the buyer closed the sheet while we waited: then nothing is paid and the prime is let lapse.
            await response.complete(isPrime ? 'success' : 'fail');
            return isPrime ? successResult(answer, this.sheetOf(response, details)) : refusedResult(answer);
        }

        sheetOf(response, details) {
            return {
                total_amount: totalAmountText(this.order.cart, this.shipping),
                payer: payerOfResponse(response),
                shippingAddress: details.shippingContact
                    ? addressOfContact(details.shippingContact) : addressOfPaymentAddress(response.shippingAddress),
                billingAddress: addressOfContact(details.billingContact),
                shippingOption: this.shipping === null ? '' : this.shipping.id,
                card: cardOf(details.token && details.token.paymentMethod),
                requestId: response.requestId,
            };
        }
    }

    /**
     * Opens the browser's payment sheet. To be called in the buyer's gesture; throws what the browser throws.
     *
     * @param {Function} Request The browser's PaymentRequest.
     * @param {{gateway: object, merchant: object, cart: object}} order
     * @param {function(object): void} done Called once with the result.
     */
    function payWithPaymentRequest(Request, order, done) {
        new PaymentRequestFlow(Request, order, done).begin();
    }

    // cart.js

    // The rules of deferred payment as pure functions: what the sheet's total shows, how long the prime lives, and the
    // total of 1 with which old systems are asked to show AMOUNT PENDING.


    const amountFor30Days = Object.freeze({ total: 'amount', primeLifetime: '30 days' });
    const pendingFor30Days = Object.freeze({ total: 'pending', primeLifetime: '30 days' });
    const amountFor90Seconds = Object.freeze({ total: 'amount', primeLifetime: '90 seconds' });
    const notSupported = null;

    /**
     * The three tables of the specification, by what the displayItems are. A row is total.isAmountPending, a column is
     * total.isShowTotalAmount; null is "Not Support".
     */
    const deferredPayment = Object.freeze({
        /** All of the displayItems isAmountPending is false (or there are no items). */
        none: Object.freeze({
            true: Object.freeze({ true: amountFor30Days, false: pendingFor30Days }),
            false: Object.freeze({ true: amountFor90Seconds, false: notSupported }),
        }),
        /** All of the displayItems isAmountPending is true. */
        all: Object.freeze({
            true: Object.freeze({ true: notSupported, false: pendingFor30Days }),
            false: Object.freeze({ true: notSupported, false: notSupported }),
        }),
        /** The displayItems have both. */
        mixed: Object.freeze({
            true: Object.freeze({ true: amountFor30Days, false: pendingFor30Days }),
            false: Object.freeze({ true: notSupported, false: notSupported }),
        }),
    });

    /**
     * Which of the three tables holds.
     *
     * @param {Array<{isPending: boolean}>} items
     * @returns {'none'|'all'|'mixed'}
     */
    function kindOfItems(items) {
        const pending = items.filter((item) => item.isPending).length;
        if (pending === 0) {
            return 'none';
        }
        return pending === items.length ? 'all' : 'mixed';
    }

    /**
     * The cell of the tables for a cart.
     *
     * @param {Array<{isPending: boolean}>} items
     * @param {boolean} isAmountPending
     * @param {boolean} isShowTotalAmount
     * @returns {{total: 'amount'|'pending', primeLifetime: string}}
     */
    function deferredRule(items, isAmountPending, isShowTotalAmount) {
        const kind = kindOfItems(items);
        const rule = deferredPayment[kind][isAmountPending][isShowTotalAmount];
        if (!rule) {
            throw new SetupError(
                'deferred_unsupported', 'paymentRequest.total',
                `cannot have isAmountPending: ${isAmountPending} and isShowTotalAmount: ${isShowTotalAmount} `
                    + `when ${kind === 'mixed' ? 'some' : kind} of the displayItems are pending (see deferred payment)`);
        }
        return rule;
    }

    /**
     * The sum of the items whose amount is known.
     *
     * @param {Array<{isPending: boolean, amount: bigint}>} items
     * @returns {bigint} Hundredths.
     */
    function sumOfItems(items) {
        return items.reduce((sum, item) => (item.isPending ? sum : sum + item.amount), 0n);
    }

    /**
     * The amount that the sheet gets as its total before shipping. A total that is shown is the sum of the items, if there
     * are any, as the vendor's SDK wants it; one that is pending is settled later. Systems up to macOS 10.14.1 and iOS 12.1
     * want it above zero, so an AMOUNT PENDING total is 1 when all items are pending, when they come to nothing, and when
     * there are none.
     *
     * @param {Array<{isPending: boolean, amount: bigint}>} items
     * @param {bigint|null} given The page's own total.amount.value, if it gave one.
     * @param {{total: 'amount'|'pending'}} rule
     * @returns {bigint} Hundredths, above zero.
     */
    function sheetTotal(items, given, rule) {
        const sum = sumOfItems(items);
        const total = given === null ? sum : given;
        if (rule.total === 'amount') {
            if (items.length > 0 && total !== sum) {
                throw new SetupError(
                    'total_differs', 'paymentRequest.total.amount.value',
                    'must be the sum of the displayItems; the price of shipping is added to it on the sheet');
            }
            if (total <= 0n) {
                throw new SetupError(
                    'total_out_of_range', 'paymentRequest.total.amount.value', 'must be above zero when it is shown');
            }
            return total;
        }
        return kindOfItems(items) === 'all' || sum <= 0n || total <= 0n ? ONE : total;
    }

    // request.js

    // Reads what the page hands over (paymentRequest, setupApplePay's object, setupSDK's arguments) into frozen values of
    // our own, so that nothing the page changes later reaches the payment sheet.


    /** The page's names of networks and Apple's. */
    const networks = Object.freeze({ AMEX: 'amex', JCB: 'jcb', MASTERCARD: 'masterCard', VISA: 'visa' });

    const shippingTypes = Object.freeze(['shipping', 'delivery', 'pickup']);

    /** The code for a value that is not what it must be. */
    function absentOr(value) {
        return value === undefined ? 'field_missing' : 'field_malformed';
    }

    function requireObject(value, field) {
        if (value === null || typeof value !== 'object' || Array.isArray(value)) {
            throw new SetupError(absentOr(value), field, 'must be an object');
        }
        return value;
    }

    function requireArray(value, field) {
        if (!Array.isArray(value)) {
            throw new SetupError(absentOr(value), field, 'must be an array');
        }
        return value;
    }

    function requireText(value, field) {
        if (typeof value !== 'string' || value.trim() === '') {
            throw new SetupError(absentOr(value), field, 'must be a string that is not empty');
        }
        return value;
    }

    function readFlag(value, fallback, field) {
        if (value === undefined) {
            return fallback;
        }
        if (typeof value !== 'boolean') {
            throw new SetupError('field_malformed', field, 'must be true or false');
        }
        return value;
    }

    /** Knows the request's one currency: the first that it meets. */
    class CurrencyReader {
        constructor() {
            this.currency = null;
        }

        read(amount, field) {
            const { currency } = requireObject(amount, field);
            if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
                throw new SetupError(
                    absentOr(currency), `${field}.currency`, 'must be three capital letters of ISO 4217');
            }
            if (this.currency !== null && this.currency !== currency) {
                throw new SetupError(
                    'currency_differs', `${field}.currency`, 'must be the same in all amounts of the request');
            }
            this.currency = currency;
            return currency;
        }
    }

    function readItem(raw, index, currencies) {
        const field = `paymentRequest.displayItems[${index}]`;
        requireObject(raw, field);
        const label = requireText(raw.label, `${field}.label`);
        const isPending = readFlag(raw.isAmountPending, false, `${field}.isAmountPending`);
        if (isPending) {
            if (raw.amount !== undefined) {
                currencies.read(raw.amount, `${field}.amount`);
                if (raw.amount.value !== undefined) {
                    throw new SetupError(
                        'amount_and_pending', field, 'has both isAmountPending and amount.value; choose one of them');
                }
            }
            return Object.freeze({ label, isPending, amount: 0n });
        }
        const currency = currencies.read(raw.amount, `${field}.amount`);
        return Object.freeze({ label, isPending, amount: readAmount(raw.amount.value, currency, `${field}.amount.value`) });
    }

    function readTotal(raw, currencies) {
        const field = 'paymentRequest.total';
        requireObject(raw, field);
        const label = requireText(raw.label, `${field}.label`);
        const isAmountPending = readFlag(raw.isAmountPending, false, `${field}.isAmountPending`);
        const isShowTotalAmount = readFlag(raw.isShowTotalAmount, true, `${field}.isShowTotalAmount`);
        let given = null;
        if (raw.amount !== undefined || !isAmountPending || currencies.currency === null) {
            const currency = currencies.read(raw.amount, `${field}.amount`);
            if (raw.amount.value !== undefined || !isAmountPending) {
                given = readAmount(raw.amount.value, currency, `${field}.amount.value`);
            }
        }
        return { label, isAmountPending, isShowTotalAmount, given };
    }

    function readDetail(value, field) {
        if (value !== undefined && typeof value !== 'string') {
            throw new SetupError('field_malformed', field, 'must be a string');
        }
        return value || '';
    }

    function readShippingOption(raw, index, currencies) {
        const field = `paymentRequest.shippingOptions[${index}]`;
        requireObject(raw, field);
        const currency = currencies.read(raw.amount, `${field}.amount`);
        const amount = readAmount(raw.amount.value, currency, `${field}.amount.value`);
        if (amount < 0n) {
            throw new SetupError('amount_malformed', `${field}.amount.value`, 'must not be negative');
        }
        return Object.freeze({
            id: requireText(raw.id, `${field}.id`),
            label: requireText(raw.label, `${field}.label`),
            detail: readDetail(raw.detail, `${field}.detail`),
            amount,
        });
    }

    /** Cheapest first, and in the page's order where prices are equal: the first is the one that the sheet begins with. */
    function readShippingOptions(raw, currencies) {
        const options = requireArray(raw === undefined ? [] : raw, 'paymentRequest.shippingOptions')
            .map((option, index) => readShippingOption(option, index, currencies));
        if (new Set(options.map((option) => option.id)).size !== options.length) {
            throw new SetupError(
                'id_repeated', 'paymentRequest.shippingOptions', 'must have a different id for each option');
        }
        return options.sort((one, other) => (one.amount < other.amount ? -1 : Number(one.amount > other.amount)));
    }

    function readOptions(raw) {
        const field = 'paymentRequest.options';
        const options = requireObject(raw === undefined ? {} : raw, field);
        const shippingType = options.shippingType === undefined ? 'shipping' : options.shippingType;
        if (!shippingTypes.includes(shippingType)) {
            throw new SetupError(
                'value_unsupported', `${field}.shippingType`, "must be 'shipping', 'delivery' or 'pickup'");
        }
        return Object.freeze({
            requestPayerEmail: readFlag(options.requestPayerEmail, false, `${field}.requestPayerEmail`),
            requestPayerName: readFlag(options.requestPayerName, false, `${field}.requestPayerName`),
            requestPayerPhone: readFlag(options.requestPayerPhone, false, `${field}.requestPayerPhone`),
            requestShipping: readFlag(options.requestShipping, false, `${field}.requestShipping`),
            shippingType,
        });
    }

    /** Pages that also take other wallets name those wallets' networks too (DISCOVER): these are passed over. */
    function readNetworks(raw) {
        const field = 'paymentRequest.supportedNetworks';
        const names = requireArray(raw, field);
        const known = names.filter((name) => typeof name === 'string' && Object.hasOwn(networks, name));
        if (known.length === 0) {
            throw new SetupError(
                'value_unsupported', field, "must hold one or more of 'VISA', 'MASTERCARD', 'JCB' and 'AMEX'");
        }
        names.forEach((name, index) => {
            if (!known.includes(name)) {
                warn(`${field}[${index}]`, "is passed over: it is none of 'VISA', 'MASTERCARD', 'JCB' and 'AMEX'");
            }
        });
        return Object.freeze([...new Set(known)].map((name) => networks[name]));
    }

    /**
     * Reads a paymentRequest.
     *
     * @param {object} raw The page's object.
     * @returns {object} The cart: networks, currency, items, label, amount (hundredths, before shipping), isAmountPending,
     *     isTotalPending, primeLifetime, shippingOptions and options, all frozen.
     */
    function readPaymentRequest(raw) {
        requireObject(raw, 'paymentRequest');
        const supportedNetworks = readNetworks(raw.supportedNetworks);
        if (!requireArray(raw.supportedMethods, 'paymentRequest.supportedMethods').includes('apple_pay')) {
            throw new SetupError('value_unsupported', 'paymentRequest.supportedMethods', "must hold 'apple_pay'");
        }
        const currencies = new CurrencyReader();
        const items = requireArray(raw.displayItems === undefined ? [] : raw.displayItems, 'paymentRequest.displayItems')
            .map((item, index) => readItem(item, index, currencies));
        const { label, isAmountPending, isShowTotalAmount, given } = readTotal(raw.total, currencies);
        const shippingOptions = readShippingOptions(raw.shippingOptions, currencies);
        const rule = deferredRule(items, isAmountPending, isShowTotalAmount);
        return Object.freeze({
            networks: supportedNetworks,
            currency: currencies.currency,
            items: Object.freeze(items),
            label,
            amount: sheetTotal(items, given, rule),
            isAmountPending,
            isTotalPending: rule.total === 'pending',
            primeLifetime: rule.primeLifetime,
            shippingOptions: Object.freeze(shippingOptions),
            options: readOptions(raw.options),
        });
    }

    /**
     * Reads the object of setupApplePay.
     *
     * @param {object} raw
     * @returns {{merchantIdentifier: string, countryCode: string}}
     */
    function readMerchant(raw) {
        requireObject(raw, 'setupApplePay');
        const countryCode = raw.countryCode === undefined ? 'TW' : raw.countryCode;
        if (typeof countryCode !== 'string' || !/^[A-Z]{2}$/.test(countryCode)) {
            throw new SetupError(
                'field_malformed', 'setupApplePay.countryCode', 'must be two capital letters of ISO 3166-1');
        }
        if (countryCode === 'UK') {
            // Reserved in ISO 3166-1, and no country's: browsers would refuse it at the sheet, in front of the buyer.
            throw new SetupError(
                'field_malformed', 'setupApplePay.countryCode',
                'is not a country code (ISO 3166-1, two letters): the United Kingdom is GB');
        }
        return Object.freeze({
            merchantIdentifier: requireText(raw.merchantIdentifier, 'setupApplePay.merchantIdentifier'),
            countryCode,
        });
    }

    function readHost(raw, fallback) {
        const field = 'setupSDK.serverType.host';
        let url;
        try {
            url = new URL(raw === undefined ? fallback : raw);
        } catch (error) {
            throw new SetupError(
                'field_malformed', field, 'must be the origin of the gateway, such as "https://pay.example"');
        }
        const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
        if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
            throw new SetupError('value_unsupported', field, 'must be https; http is for this machine only');
        }
        return url.origin;
    }

    /** Also in capitals, as the vendor's SDK takes it. */
    function readServerType(raw) {
        const field = 'setupSDK.serverType';
        const type = typeof raw === 'string' ? raw.toLowerCase() : raw;
        if (type !== 'sandbox' && type !== 'production') {
            throw new SetupError('value_unsupported', field, "must be 'sandbox' or 'production'");
        }
        if (type !== raw) {
            warn(field, 'is read in small letters; write it so');
        }
        return type;
    }

    /**
     * Reads the arguments of setupSDK.
     *
     * @param {number|string} appID A whole number, or its digits.
     * @param {string} appKey
     * @param {string|{type: string, host?: string}} serverType 'sandbox' or 'production'; as an object it may name the
     *     gateway's origin too.
     * @param {string} scriptOrigin Where the SDK came from: the gateway, unless the page says otherwise.
     * @returns {{appID: number, appKey: string, serverType: string, host: string}}
     */
    function readSetup(appID, appKey, serverType, scriptOrigin) {
        const id = typeof appID === 'string' && /^[1-9][0-9]{0,14}$/.test(appID) ? Number(appID) : appID;
        if (!Number.isSafeInteger(id) || id <= 0) {
            throw new SetupError('field_malformed', 'setupSDK.appID', 'must be the whole number of the app');
        }
        const { type, host } = typeof serverType === 'object' && serverType !== null ? serverType : { type: serverType };
        return Object.freeze({
            appID: id,
            appKey: requireText(appKey, 'setupSDK.appKey'),
            serverType: readServerType(type),
            host: readHost(host, scriptOrigin),
        });
    }

    // index.js

    // TPDirect for the web: the public face. As a classic script it is the global TPDirect; as a module it is this file's
    // exports.


    /** Each setup takes back the one before it, then reads: one that is refused must not leave an old cart to be paid. */
    const state = { gateway: null, merchant: null, cart: null, isPaying: false };

    /** Calls back later, so that a page sees one order of events, and its own exceptions stay its own. */
    function callLater(callback, result) {
        queueMicrotask(() => callback(result));
    }

    function requireCallback(callback, field) {
        if (typeof callback !== 'function') {
            throw new SetupError(callback === undefined ? 'field_missing' : 'field_malformed', field, 'must be a function');
        }
    }

    /**
     * Sets up the app. Throws SetupError.
     *
     * @param {number|string} appID
     * @param {string} appKey
     * @param {string|{type: string, host?: string}} serverType 'sandbox' or 'production'; as an object it may name the
     *     gateway's origin, when that is not where this script came from.
     */
    function setupSDK(appID, appKey, serverType) {
        state.gateway = null;
        state.gateway = new Gateway(readSetup(appID, appKey, serverType, scriptURL));
    }

    /**
     * Whether this browser has ApplePaySession on a device that can pay, or the Payment Request API.
     *
     * @returns {boolean}
     */
    function checkAvailability() {
        return usableApplePaySession() !== null || usablePaymentRequest() !== null;
    }

    /**
     * Sets up Apple Pay. Throws SetupError.
     *
     * @param {{merchantIdentifier: string, countryCode?: string}} settings countryCode is TW when left out.
     */
    function setupApplePay(settings) {
        state.merchant = null;
        state.merchant = readMerchant(settings);
    }

    /**
     * Sets up what is paid, and says whether this browser and buyer can pay. Throws SetupError.
     *
     * @param {object} paymentRequest
     * @param {function({browserSupportPaymentRequest: boolean, canMakePaymentWithActiveCard: boolean}): void} [callback]
     */
    function setupPaymentRequest(paymentRequest, callback = () => {}) {
        state.cart = null;
        requireCallback(callback, 'setupPaymentRequest.callback');
        if (!state.merchant) {
            throw new SetupError('not_set_up', 'setupPaymentRequest', 'must come after setupApplePay');
        }
        const cart = readPaymentRequest(paymentRequest);
        state.cart = cart;
        const browserSupportPaymentRequest = checkAvailability();
        hasActiveCard(cart, state.merchant).then((canMakePaymentWithActiveCard) => {
            callLater(callback, { browserSupportPaymentRequest, canMakePaymentWithActiveCard });
        });
    }

    /** What stands in the way of opening a sheet, as a result; null when nothing does. */
    function obstacle() {
        if (!state.gateway) {
            return failureResult(Status.notLoaded, 'call TPDirect.setupSDK first');
        }
        const failed = (code, sentence) => failureResult(Status.unexpected, '', new SetupError(code, 'getPrime', sentence));
        if (!state.merchant || !state.cart) {
            return failed('not_set_up', 'must come after setupApplePay and setupPaymentRequest');
        }
        if (state.isPaying) {
            return failed('payment_in_progress', 'was called while a payment sheet is open');
        }
        return checkAvailability() ? null : failed('not_supported', 'cannot work: this browser has no Apple Pay');
    }

    /**
     * Opens the payment sheet and gets a prime. Call it in the handler of the buyer's click, without awaiting anything
     * before.
     *
     * @param {function(object): void} callback Called once, whatever happens.
     */
    function getPrime(callback) {
        requireCallback(callback, 'getPrime.callback');
        const problem = obstacle();
        if (problem) {
            callLater(callback, problem);
            return;
        }
        const { gateway, merchant, cart } = state;
        state.isPaying = true;
        const done = (result) => {
            state.isPaying = false;
            callLater(callback, result);
        };
        try {
            const Session = usableApplePaySession();
            if (Session) {
                payWithApplePaySession(Session, { gateway, merchant, cart }, done);
            } else {
                payWithPaymentRequest(usablePaymentRequest(), { gateway, merchant, cart }, done);
            }
        } catch (error) {
            done(failureResult(Status.unexpected, '', error));
        }
    }

    /** Does nothing and says so: pages that also set up Google Pay keep their Apple Pay. */
    function setupPayWithGoogle() {
        warn('setupPayWithGoogle', 'does nothing: this gateway takes Apple Pay alone');
    }

    /**
     * Shows an Apple Pay button in an element of the page. Its click is getPrime. Throws SetupError.
     *
     * @param {string} selector Of the element.
     * @param {function(object): void} callback Called once for each click, as getPrime's.
     */
    function setupTappayPaymentButton(selector, callback) {
        requireCallback(callback, 'setupTappayPaymentButton.callback');
        placeButton(selector, 'setupTappayPaymentButton.selector', () => getPrime(callback));
    }

    /** What is about paying with a payment sheet. */
    const paymentRequestApi = Object.freeze({
        checkAvailability, setupApplePay, setupPayWithGoogle, setupPaymentRequest, setupTappayPaymentButton, getPrime,
    });

    /** The SDK, as the classic script's global has it. */
    const TPDirect = Object.freeze({
        setupSDK, paymentRequestApi, card: cardForm, googlePay, samsungPay, linePay, jkoPay, easyWallet, piWallet, atome,
        getFraudId, getDeviceId,
    });

    globalThis.TPDirect = TPDirect;
})();
