//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Words for what the interface has names and codes for.

export const outcomeWords = { approves: "Approves", declines: "Declines", times_out: "Times out" };
export const shippingWords = { shipping: "Ship to", delivery: "Deliver to", storePickup: "Pick up at",
    servicePickup: "Pick up from" };
export const methodWords = { shipping: "Shipping", delivery: "Delivery", storePickup: "Store pickup",
    servicePickup: "Service pickup" };

export const fieldWords = {
    phoneNumber: "phone", emailAddress: "e-mail", name: "name", phoneticName: "phonetic name", postalAddress: "address",
    addressLines: "street", locality: "city", subLocality: "district", postalCode: "postal code", administrativeArea: "state",
    subAdministrativeArea: "county", country: "country", countryCode: "country",
};
export const codeWords = {
    shippingContactInvalid: "The shipping contact is not valid", billingContactInvalid: "The billing contact is not valid",
    addressUnserviceable: "The shop does not deliver to this address", couponCodeInvalid: "The coupon code is not valid",
    couponCodeExpired: "The coupon code has expired", unknown: "The shop could not say why",
};

export function errorWords(error) {
    if (error.message) { return error.message; }
    const field = fieldWords[error.contactField];
    return `${codeWords[error.code] ?? codeWords.unknown}${field === undefined ? "" : ` (${field})`}.`;
}
