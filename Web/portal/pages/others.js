//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The operator's pages.

import { say } from "../core/words.js";

/**
 * Pages of one file, with the words and the style sheet that all of them share.
 *
 * @param {string} set Their words.
 * @param {() => Promise<object>} load
 * @param {Array} pages `[path, scope, show(module), title(context), menu]`
 * @param {boolean} house Whether they are of all merchants together: what they ask for, the API refuses whoever is kept to some.
 */
const family = (set, load, pages, { words = [], house = false } = {}) => pages.map(([path, scope, show, title, menu]) => ({
    path, scope, house, name: path.slice(1), words: [set, "operator", ...words], css: "operator", load, menu,
    title: title ?? (() => say(`${set}.title`)), render: (context, module) => show(module)(context),
}));

const badCertificates = (home) => home.certificates.some(({ daysLeft, state: own }) => own === "expired" || (daysLeft !== null && daysLeft <= 30));

export const others = [
    ...family("merchants", () => import("./merchants.js"), [
        ["/merchants", "merchants:read", (module) => module.list, undefined, { group: 2, word: "frame.merchants", key: "m" }],
    ]),
    ...family("merchants", () => import("./merchants.js"), [
        ["/merchants/new", "merchants:write", (module) => module.create, () => say("merchants.newTitle")],
    ], { house: true }),
    ...family("merchants", () => import("./setup.js"), [
        ["/merchants/:merchant", "merchants:read", (module) => module.show, ({ parameters }) => parameters.merchant],
    ]),
    ...family("apple", () => import("./apple-pay.js"), [
        ["/apple-pay", "apple-pay:read", (module) => module.show, undefined, { group: 2, word: "frame.applePay", key: "c", mark: badCertificates }],
    ]),
    ...family("apple", () => import("./apple-domains.js"), [
        ["/apple-pay/domains", "apple-pay:read", (module) => module.show, () => say("apple.domains")],
    ]),
    ...family("apple", () => import("./apple-registration.js"), [
        ["/apple-pay/registration", "apple-pay:read", (module) => module.show, () => say("apple.registration")],
    ]),
    ...family("apple", () => import("./apple-certificate.js"), [
        ["/apple-pay/certificate/:purpose", "apple-pay:read", (module) => module.show, ({ parameters }) => say(`apple.way_${parameters.purpose}`)],
    ], { words: ["merchants"] }),
    ...family("apple", () => import("./apple-found.js"), [["/apple-pay/:certificate", "apple-pay:read", (module) => module.find]]),
    ...family("accounts", () => import("./accounts.js"), [
        ["/accounts", "accounts:read", (module) => module.show, undefined, { group: 2, word: "frame.accounts", key: "a" }],
    ]),
    ...family("accounts", () => import("./account-dialect.js"), [
        ["/accounts/dialects/new", "accounts:write", (module) => module.create, () => say("accounts.newDialect")],
        ["/accounts/dialects/:merchant/:dialect", "accounts:read", (module) => module.show, ({ parameters }) => parameters.dialect],
    ]),
    ...family("accounts", () => import("./account-acquirer.js"), [
        ["/accounts/acquirers/new", "acquirers:write", (module) => module.create, () => say("accounts.newAcquirer")],
        ["/accounts/acquirers/:merchant/:acquirer", "acquirers:read", (module) => module.show, ({ parameters }) => parameters.acquirer],
    ]),
    ...family("routes", () => import("./routes.js"), [
        ["/routes", "routes:read", (module) => module.show, undefined, { group: 2, word: "frame.routes", key: "o" }],
    ]),
    ...family("webhooks", () => import("./webhooks.js"), [
        ["/webhooks", "webhooks:read", (module) => module.list, undefined, {
            group: 2, word: "frame.webhooks", key: "w", count: (home) => home.work.deadEvents.count || undefined,
        }],
        ["/webhooks/endpoints", "accounts:read", (module) => module.endpoints, () => say("webhooks.endpoints")],
        ["/webhooks/:event", "webhooks:read", (module) => module.event],
    ]),
    ...family("reports", () => import("./reports.js"), [
        ["/reports", "reports:read", (module) => module.days, undefined, { group: 3, word: "frame.reports", key: "s" }],
        ["/reports/transactions", "reports:read", (module) => module.transactions, () => say("reports.transactions")],
        ["/reports/balances", "reports:read", (module) => module.balances, () => say("reports.balances")],
        ["/reports/fees", "reports:read", (module) => module.fees, () => say("reports.fees")],
        ["/reports/days/:merchant/:day", "reports:read", (module) => module.day, ({ parameters }) => parameters.day],
    ]),
    ...family("reports", () => import("./settlements.js"), [
        ["/reports/settlements", "reports:read", (module) => module.list, () => say("reports.settlements")],
        ["/reports/settlements/:file", "reports:read", (module) => module.file, () => say("reports.settlements")],
    ]),
    ...family("people", () => import("./people.js"), [
        ["/people", "people:read", (module) => module.list, undefined, { group: 3, word: "frame.people", key: "e" }],
        ["/people/new", "people:write", (module) => module.create, () => say("people.newTitle")],
    ]),
    ...family("people", () => import("./access.js"), [
        ["/people/tokens", "people:read", (module) => module.tokens, () => say("people.tokens")],
        ["/people/policies", "people:read", (module) => module.policies, () => say("people.policies")],
    ]),
    ...family("people", () => import("./people.js"), [["/people/:person", "people:read", (module) => module.show, () => say("people.person")]]),
    ...family("audit", () => import("./audit.js"), [
        ["/audit", "audit:read", (module) => module.show, undefined, { group: 3, word: "frame.audit", key: "u" }],
    ], { house: true }),
    ...family("doctor", () => import("./doctor.js"), [
        ["/doctor", "system:read", (module) => module.findings, undefined, {
            group: 3, word: "frame.doctor", key: "d", count: (home) => home.alarms.filter(({ severity }) => severity !== "notice").length || undefined,
        }],
    ]),
    ...family("doctor", () => import("./doctor.js"), [
        ["/doctor/alarms", "system:read", (module) => module.alarms, () => say("doctor.alarms")],
    ], { house: true }),
];
