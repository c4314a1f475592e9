//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What went wrong, by code, where a page has a better sentence than the server, or another language.

export default {
    other: "That did not work.",
    page: "This page has a fault of its own. Reload it; if it stays, notify the operator.",
    request: "request",
    required: "This is needed",
    number: "A whole number, such as 30",
    amount: "An amount, such as 12.50",
    fileTooLarge: "The file is too large.",
    triedPage: "Showing this page did not work. Nothing was changed.",
    triedStart: "Starting the portal did not work.",
    no_answer: "The gateway did not answer. The connection may be gone, or it restarts. What you sent may have been done: trying again does it once at most.",
    session_ended: "Your session has ended. Sign in again.",
    sign_in_refused: "That did not match. Check the user name, the password or the code.",
    too_many_attempts: "Too many wrong tries. Wait {seconds} seconds; trying earlier does not help.",
    busy: "Many people sign in right now. Try again in a few seconds.",
    invitation_invalid: "This invitation has been used, or has ended. Ask an owner for a new one.",
    password_weak: "This password is guessed too soon. At least 12 characters; three unusual words do well.",
    second_factor_required: "Your role must have a second factor; it can be replaced, not removed.",
    changed_meanwhile: "Somebody has changed this since you opened it. Nothing was saved; reload and look.",
    scope_missing: "Your role does not allow this.",
    refund_limit_exceeded: "This is above what you may refund.",
    above_refund_limit: "This is above what you may refund.",
    approval_of_own_act: "Somebody else has to approve what you asked for.",
    approval_decided: "Somebody was quicker: this is decided.",
    approval_expired: "Its time is over. It has to be asked for again.",
    portal_header_missing: "The portal and the gateway do not fit. Reload the page.",
    host_unknown: "Open the portal as localhost or 127.0.0.1.",
    message_not_sent: "Of this its dialect reports nothing: no message is sent.",
    message_not_loaded: "This gateway does not speak its dialect.",
    message_not_writable: "The message cannot be written as the account is now: it may lack a key.",
    message_account_gone: "Its account is gone, or its secrets cannot be opened. Doctor says which.",
    certificate_not_waiting: "Its certificate has been imported meanwhile. Reload the page.",
};
