//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shop's own server. Every call is reported to `onCall`, so that the exchange panel can show it.

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

export const shopServer = {
    config: () => call("/shop/api/config"),
    merchantSession: (dialect, validationURL) =>
        call("/shop/api/merchant-session", { dialect, validationURL, domain: location.hostname }),
    createOrder: (order) => call("/shop/api/orders", order),
    pay: (orderId, means) => call(`/shop/api/orders/${encodeURIComponent(orderId)}/pay`, means),
    follow: (orderId, operation) => call(`/shop/api/orders/${encodeURIComponent(orderId)}/${operation}`, {}),
    exchange: (orderId, after) => call(`/shop/api/orders/${encodeURIComponent(orderId)}/exchange?after=${after}`),
};
