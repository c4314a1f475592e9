//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Where and when Apple Pay may be used at all.

import { invalidAccess } from "./errors.js";

/// Apple Pay needs a secure document; a frame needs the page's leave.
export function requireUsableDocument() {
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    if (!isSecureContext && !isLocal) {
        throw invalidAccess("Apple Pay needs a document that came over https (or from localhost).");
    }
    if (window !== window.top && document.featurePolicy?.allowsFeature("payment") === false) {
        throw invalidAccess('A frame of another origin needs allow="payment" for Apple Pay.');
    }
}
