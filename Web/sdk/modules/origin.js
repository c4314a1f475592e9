//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Where the SDK came from is where the gateway is. script/bundle puts the URL of the classic script in place of
// import.meta.url.

/** The URL of the script, or of the page when the script was pasted into it. */
export const scriptURL = import.meta.url;
