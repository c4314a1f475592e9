//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the payment sheet shows, in the words of Apple Pay JS and of the Payment Request API.

import { writeAmount } from './amounts.js';

/** The versions of Apple Pay JS that this SDK speaks, newest first. Later ones add nothing that it uses. */
const spokenVersions = Object.freeze([3, 2, 1]);

const appleShippingTypes = Object.freeze({ shipping: 'shipping', delivery: 'delivery', pickup: 'storePickup' });

/**
 * The newest version of Apple Pay JS that both sides speak.
 *
 * @param {{supportsVersion: function(number): boolean}} Session The browser's ApplePaySession.
 * @returns {number} 0 when there is none.
 */
export function newestVersion(Session) {
    return spokenVersions.find((version) => Session.supportsVersion(version)) || 0;
}

/**
 * The shipping option that the sheet begins with.
 *
 * @param {object} cart
 * @returns {object|null} null when the cart asks for no shipping or has no options.
 */
export function firstShippingOption(cart) {
    return (cart.options.requestShipping && cart.shippingOptions[0]) || null;
}

/**
 * The total with the chosen shipping. A pending total stays as it is: what is paid is decided later.
 *
 * @param {object} cart
 * @param {object|null} shipping
 * @returns {bigint} Hundredths.
 */
export function totalWith(cart, shipping) {
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
export function totalAmountText(cart, shipping) {
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
export function appleLines(cart, shipping) {
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
export function appleContactUpdate(cart, shipping) {
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
export function applePayRequest(cart, merchant, version) {
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
export function paymentMethod(cart, merchant) {
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
export function paymentDetails(cart, shipping) {
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
export function paymentOptions(cart) {
    return { ...cart.options };
}
