//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Time zones to choose from.

/** The names of the IANA time zone database that the browser knows, UTC first, as a choice's options. */
export function zones(present) {
    const known = Intl.supportedValuesOf?.("timeZone") ?? [Intl.DateTimeFormat().resolvedOptions().timeZone];
    return [...new Set(["UTC", ...(present ? [present] : []), ...known])].map((zone) => [zone, zone.replaceAll("_", " ")]);
}
