//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shop's own server.

/** A refusal of the server: a stable code and a sentence. */
export class ShopError extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

async function call(path, body) {
    let response;
    try {
        response = await fetch(path, body === undefined ? {} : {
            method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
        });
    } catch {
        throw new ShopError("unreachable", "The shop's server does not answer. Is the sandbox running?");
    }
    const answer = await response.json().catch(() => undefined);
    if (!response.ok || answer === undefined) {
        throw new ShopError(answer?.error?.code ?? `http_${response.status}`,
            answer?.error?.message ?? `The shop's server answered with status ${response.status}.`);
    }
    return answer;
}

const orderPath = (id) => `/shop/api/orders/${encodeURIComponent(id)}`;

export const shopServer = {
    config: () => call("/shop/api/config"),
    merchantSession: (dialect, validationURL) =>
        call("/shop/api/merchant-session", { dialect, validationURL, domain: location.hostname }),
    createOrder: (order) => call("/shop/api/orders", order),
    standing: (orderId) => call(orderPath(orderId)),
    pay: (orderId, means) => call(`${orderPath(orderId)}/pay`, means),
    follow: (orderId, operation) => call(`${orderPath(orderId)}/${operation}`, {}),
    /**
     * The same for an order. Where the server does not answer nobody knows what became of the payment.
     *
     * @returns {Promise<{order: object, result: object}>}
     */
    payOrder: async (order, means) => {
        try {
            const result = await shopServer.pay(order.orderId, means);
            return { order: result.order, result };
        } catch (error) {
            if (error.code !== "unreachable") { throw error; }
            const result = { status: "unknown", message: error.message };
            return { order: { ...order, status: "unknown", last: { operation: "pay", ...result, codes: [] } }, result };
        }
    },
    exchange: (orderId, after) => call(`${orderPath(orderId)}/exchange?after=${after}`),
};
