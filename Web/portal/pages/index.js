//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The pages, in the order of the menu.

import { isCutOfRefusals } from "../core/home.js";
import { others } from "./others.js";

const own = [
    {
        path: "/", name: "home", scope: "payments:read", words: ["home"], css: "home", load: () => import("./home.js"),
        menu: { group: 1, word: "frame.home", key: "h" },
    },
    {
        path: "/payments", name: "payments", scope: "payments:read", words: ["payments"], css: "payments", load: () => import("./payments.js"),
        menu: { group: 1, word: "frame.payments", key: "p" },
    },
    { path: "/payments/:id", name: "payment", scope: "payments:read", words: ["payments"], css: "payments", load: () => import("./payment.js") },
    {
        path: "/refused", name: "refused", scope: "payments:read", words: ["refused"], css: "payments", load: () => import("./refused.js"),
        menu: { group: 1, word: "frame.refused", key: "r", count: (home) => home.refusals.reduce((sum, { count }) => sum + count, 0), isCut: isCutOfRefusals },
    },
    { path: "/refused/:id", name: "refusal", scope: "payments:read", words: ["refused"], css: "payments", load: () => import("./refusal.js") },
    {
        path: "/approvals", name: "approvals", scope: "payments:read", words: ["approvals", "payments"], css: "payments", load: () => import("./approvals.js"),
        menu: { group: 1, word: "frame.approvals", key: "n", count: (home) => home.approvals?.waiting },
    },
    { path: "/account", name: "account", words: ["account", "signIn"], css: "sign-in", load: () => import("./account.js") },
];

export const pages = [...own, ...others];
