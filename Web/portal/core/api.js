//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The administration's API from a page: the session is a cookie that scripts cannot see, and the header says that a page of this
// origin calls, which no other page's form or link can.

import { report } from "./state.js";

const root = "/admin/v1";

/**
 * A call that was refused, or did not come through.
 *
 * @property {number} status of HTTP; 0 when there was no answer
 * @property {string} code stable
 * @property {string} detail for people
 * @property {Array<{pointer: string, detail: string}>} errors of a body's members
 * @property {string} requestID for whoever is asked
 * @property {number|undefined} retryAfter seconds
 * @property {object} body the whole answer
 */
export class APIError extends Error {
    constructor(status, body, headers) {
        super(body.detail ?? body.title ?? `HTTP ${status}`);
        this.status = status;
        this.code = body.code ?? (status === 0 ? "no_answer" : `http_${status}`);
        this.detail = this.message;
        this.errors = body.errors ?? [];
        this.requestID = headers?.get("X-Request-Id") ?? body.requestId ?? null;
        const wait = Number(headers?.get("Retry-After"));
        this.retryAfter = Number.isFinite(wait) && wait > 0 ? wait : undefined;
        this.body = body;
    }
}

/** A key for one act: the same act sent again has the same. */
export function newKey() {
    if (crypto.randomUUID) { return crypto.randomUUID(); }
    // Without TLS on another machine's address there is no randomUUID.
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A path with its query; what is null, undefined or empty is left out. */
export function address(path, query = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one !== undefined && one !== null && one !== "") { parameters.append(name, one); }
        }
    }
    const text = parameters.toString();
    return root + path + (text ? `?${text}` : "");
}

/** What all calls go through: the answer as it is, or the refusal as an error. */
export async function send(method, path, { query, body, key, etag, signal, accept, background } = {}) {
    const headers = { "Pomona-Portal": "1", Accept: accept ?? "application/json, application/problem+json" };
    if (body !== undefined) { headers["Content-Type"] = "application/json"; }
    // What nobody has clicked does not keep a session from its idle end.
    if (background) { headers["Pomona-Background"] = "1"; }
    if (key) { headers["Idempotency-Key"] = key; }
    if (etag) { headers["If-Match"] = etag; }
    let response;
    try {
        response = await fetch(address(path, query), {
            method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin",
            cache: "no-store", redirect: "error",
        });
    } catch (error) {
        if (error.name === "AbortError") { throw error; }
        throw new APIError(0, { code: "no_answer" });
    }
    if (!response.ok) { throw await refusal(response, path); }
    return response;
}

async function refusal(response, path) {
    let body = {};
    try {
        body = await response.json();
    } catch {
        // A proxy's page, say. The status is what is known.
    }
    const error = new APIError(response.status, body, response.headers);
    if (response.status === 401 && !path.startsWith("/session") && error.code !== "sign_in_refused") { report("session", null); }
    return error;
}

async function decoded(response) {
    if (response.status === 204) { return null; }
    const text = await response.text();
    return text === "" ? null : JSON.parse(text);
}

/** Reads; the answer's body. */
export const get = async (path, query, options) => decoded(await send("GET", path, { query, ...options }));

const listPagesMax = 500;
const listPageCount = 200;

/**
 * Reads a list to its end, for what needs the whole: its rows. A list that has no end that could be waited for is an error, never a
 * part that looks like the whole.
 */
export async function getAll(path, query, options) {
    const rows = [];
    let place = {};
    for (let page = 0; page < listPagesMax; page += 1) {
        const { data, next } = await get(path, { ...query, ...place }, options);
        rows.push(...data);
        if (!next) { return rows; }
        place = { after: next, limit: listPageCount };
    }
    throw new APIError(0, { code: "list_too_long" });
}

/** Reads, with the tag that a change of it takes: `{ body, etag }`. */
export async function read(path, query, options) {
    const response = await send("GET", path, { query, ...options });
    return { body: await decoded(response), etag: response.headers.get("ETag") };
}

/** Makes or does something. `key`: newKey() of the form, so that a second press is not a second act. */
export const post = async (path, body, { key = newKey(), ...options } = {}) =>
    decoded(await send("POST", path, { body, key, ...options }));

/** Changes what was read with `etag`; 412 `changed_meanwhile` when somebody was quicker. */
export const patch = async (path, body, etag, options) => decoded(await send("PATCH", path, { body, etag, ...options }));
export const put = async (path, body, etag, options) => decoded(await send("PUT", path, { body, etag, ...options }));
export const remove = async (path, { body, etag, key, ...options } = {}) =>
    decoded(await send("DELETE", path, { body, etag, key, ...options }));

/** The approval that an act waits for, or null: an answer of 202 has nothing but it. */
export const waitsFor = (answer) => answer?.approval ?? null;

const firstWaitMillis = 1_000;
const lastWaitMillis = 30_000;

/**
 * Server-sent events (WHATWG HTML, 9.2) by fetch, which can send the header; it connects again until `signal` ends it.
 *
 * @param {(event: string, data: object) => void} onEvent
 * @param {(isOpen: boolean) => void} onOpen
 */
export async function stream(path, { query, signal, onEvent, onOpen }) {
    let wait = firstWaitMillis;
    while (!signal.aborted) {
        try {
            const response = await send("GET", path, { query, signal, accept: "text/event-stream", background: true });
            onOpen?.(true);
            wait = firstWaitMillis;
            await readEvents(response.body, onEvent);
        } catch (error) {
            if (error.name === "AbortError" || [401, 403, 404].includes(error.status)) { break; }
        }
        onOpen?.(false);
        await new Promise((resolve) => {
            const timer = setTimeout(resolve, wait);
            signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
        });
        wait = Math.min(wait * 2, lastWaitMillis);
    }
}

async function readEvents(body, onEvent) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let event = "message";
    let data = [];
    for (;;) {
        const { done, value } = await reader.read();
        if (done) { return; }
        const lines = (rest + value).split(/\r\n|\n|\r/);
        rest = lines.pop();
        for (const line of lines) {
            if (line === "") {
                if (data.length > 0) { onEvent(event, parsed(data.join("\n"))); }
                event = "message";
                data = [];
            } else if (line.startsWith("event:")) {
                event = line.slice(6).trim();
            } else if (line.startsWith("data:")) {
                data.push(line.slice(5).replace(/^ /, ""));
            }
        }
    }
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return {};
    }
}
