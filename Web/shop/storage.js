//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What a reload must not lose: the cart, the payment service, and which orders there are. It stays in this browser. Anything
// that does not have the expected form is dropped: an older page may have written it.

const key = "pomona-shop";
export const ordersMax = 20;

function read() {
    try {
        const value = JSON.parse(localStorage.getItem(key) ?? "{}");
        return value !== null && typeof value === "object" ? value : {};
    } catch {
        return {};
    }
}

function write(changes) {
    try {
        localStorage.setItem(key, JSON.stringify({ ...read(), ...changes }));
    } catch {
        // Storage is full or switched off: the page works, a reload forgets.
    }
}

const isText = (value) => typeof value === "string" && value.length <= 100;

export const storage = {
    /** {dialect, shippingId, quantities: [[id, number]]} */
    loadCart() {
        const { dialect, shippingId, quantities } = read().cart ?? {};
        const lines = Array.isArray(quantities) ? quantities : [];
        return {
            dialect: isText(dialect) ? dialect : undefined, shippingId: isText(shippingId) ? shippingId : undefined,
            quantities: lines.filter((line) => Array.isArray(line) && isText(line[0]) && Number.isSafeInteger(line[1])),
        };
    },

    saveCart(dialect, cart) {
        write({ cart: { dialect, shippingId: cart.shippingId, quantities: [...cart.quantities] } });
    },

    /** Orders as the server last described them, newest first. */
    loadOrders() {
        const { orders } = read();
        return (Array.isArray(orders) ? orders : []).filter((order) => order !== null && typeof order === "object"
            && isText(order.orderId) && isText(order.dialect) && isText(order.status) && isText(order.currency)
            && Number.isSafeInteger(order.amountMinor) && Number.isSafeInteger(order.decimals)).slice(0, ordersMax);
    },

    saveOrders(orders) { write({ orders: orders.slice(0, ordersMax) }); },
};
