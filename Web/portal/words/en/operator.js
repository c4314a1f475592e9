//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the operator's pages have in common.

export default {
    noMerchant: "There is no merchant yet",
    noMerchantText: "Accounts, routes, certificates and reports belong to a merchant. Add one first.",
    addMerchant: "Add a merchant",
    whose: "This page is of one merchant. Choose which.",
    step_done: "done",
    step_next: "next",
    step_waits: "waits for somebody else",
    step_open: "not yet",
    step_refused: "needs somebody",
    over: "has ended",
    daysLeft: { one: "{count} day left", other: "{count} days left" },
    waitsForSecond: "Nothing was done yet: a second person has to approve it.",
    seeApproval: "See the approval",
    actor_token: "token",
    actor_command: "command",
    actor_person: "person",
};
