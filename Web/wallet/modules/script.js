//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Where this script came from: the sandbox that it talks to.

export const script = document.currentScript ?? document.querySelector('script[src*="apple-pay-simulator.js"]');
export const origin = new URL(script?.src || location.href, location.href).origin;
