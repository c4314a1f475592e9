//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The network edge: two POSTs to the gateway. No cookies, no redirects, nothing stored.

import { messageOf, Status } from './codes.js';

/**
 * Apple closes the sheet 30 seconds after it asked for a merchant session or a payment's outcome; we answer before
 * that.
 */
export const DEADLINE_MILLIS = 25_000;

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
export class Gateway {
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
