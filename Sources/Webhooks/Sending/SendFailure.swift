//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a notification brought no answer. The raw value is the word for the record.
enum SendFailure: String, Error, Hashable, Sendable {
    case targetMalformed = "target_malformed"
    case hostNotFound = "host_not_found"
    /// The host is, or resolves to, an address that is not on the public internet.
    case targetNotPublic = "target_not_public"
    /// The host is, or resolves to, an address of another machine, where only this one may be asked.
    case targetNotLoopback = "target_not_loopback"
    case timedOut = "timed_out"
    /// Refused, reset, or not TLS as it must be.
    case connectionFailed = "connection_failed"
    case answerTooLarge = "answer_too_large"
}
