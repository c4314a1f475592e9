//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Acts that wait for a second person.

export default {
    title: "Approvals",
    lead: "Acts that take two people. Nothing of them is done until a second person approves.",
    tried: "Listing approvals did not work.",
    which: "Which",
    waiting: "Waiting",
    all: "All",
    none: "Nothing waits for a second person",
    noneEver: "No act has taken two people yet",
    noneText: "Refunds above a limit, and voids that give back as much, live credentials and routes can be made to wait here.",
    kind_refund: "Refund",
    kind_void: "Void",
    kind_liveCredentials: "Live credentials",
    kind_route: "Routes",
    kind_policy: "Rule of approvals",
    askedBy: "asked by {who}",
    decidedBy: "decided by {who}",
    captured: "{amount} captured",
    refunded: "{amount} refunded so far",
    alsoWaits_refund: "Another refund of this payment waits: {amount}, asked by {who}.",
    alsoWaits_void: "A void of this payment waits, too: {amount}, asked by {who}.",
    ends: "ends {when}",
    approve: "Approve",
    reject: "Reject",
    withdraw: "Withdraw",
    collect: "Collect what it made",
    yours: "You asked for this: somebody else approves it.",
    approveTitle: "Approve",
    approveSentence: "“{summary}”, asked by {who}. It is done at once, and stands in the audit log with both of your names.",
    rejectTitle: "Reject",
    rejectSentence: "“{summary}” will not be done.",
    why: "Why",
    whyHint: "Whoever asked reads this.",
    approved: "Approved and done.",
    rejected: "Rejected. Nothing was done.",
    withdrawn: "Withdrawn. Nothing was done.",
    wasRefused: "Approved, and then not possible: {detail}",
    wasDeclined: "Approved, but the bank did not do it: {reason}. No money has moved.",
    isOpen: "Approved and sent. Its end is not known yet; the payment shows it.",
    outcomeFailed: "not done by the bank: {reason}",
    outcomeOpen: "sent, end not known yet",
};
