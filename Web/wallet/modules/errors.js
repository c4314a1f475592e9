//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is thrown.

export const invalidAccess = (message) => new DOMException(message, "InvalidAccessError");
export const invalidState = (message) => new DOMException(message, "InvalidStateError");
export const aborted = (message) => new DOMException(message, "AbortError");
export const wrong = (message) => new TypeError(message);

/// A refusal of the sandbox: a stable code and a sentence.
export class WalletError extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
