//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Exports into files. Loaded when somebody exports: no page needs it to be shown.

import { APIError, send } from "./api.js";
import { saveFile } from "./dom.js";

const memoryBytesMax = 256 * 1024 * 1024;

/**
 * Fetches an export into a file. Where the browser lets a page write files (File System Access), the person is asked where, and the
 * file is written while it comes, however long it is; elsewhere it is collected in memory and handed to the browser as a download.
 *
 * @param {string} name Used when the answer names none.
 * @param {(bytes: number) => void} onProgress
 * @returns its name, and whether it was written where the person said; null when the person has thought better of it
 */
export async function download(path, query, { name = "export", accept = "*/*", onProgress, signal, bytesMax = memoryBytesMax } = {}) {
    const response = await send("GET", path, { query, accept, signal });
    const given = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
    const wanted = (given ?? name).replace(/[^\w.\-]+/g, "-");
    let bytes = 0;
    const counted = new TransformStream({ transform(part, next) { bytes += part.byteLength; onProgress?.(bytes); next.enqueue(part); } });
    let file;
    try {
        file = await chosenFile(wanted);
    } catch (error) {
        await response.body.cancel();
        if (error.name === "AbortError") { return null; }
        throw error;
    }
    if (file) {
        // What fails on its way leaves nothing behind: the file appears when it is closed.
        await response.body.pipeThrough(counted).pipeTo(await file.createWritable(), { signal });
        return { name: file.name, bytes, isPlaced: true };
    }
    const parts = [];
    const reader = response.body.pipeThrough(counted).getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) { break; }
        parts.push(value);
        if (bytes > bytesMax) {
            await reader.cancel();
            throw new APIError(0, { code: "export_too_long" });
        }
    }
    saveFile(new Blob(parts, { type: response.headers.get("Content-Type") ?? "application/octet-stream" }), wanted);
    return { name: wanted, bytes, isPlaced: false };
}

/** The file that the person chooses, or null where the browser has no such question, or no longer takes the click for a wish. */
async function chosenFile(suggestedName) {
    if (!globalThis.showSaveFilePicker) { return null; }
    try {
        return await showSaveFilePicker({ suggestedName });
    } catch (error) {
        if (["SecurityError", "NotAllowedError"].includes(error.name)) { return null; }
        throw error;
    }
}
