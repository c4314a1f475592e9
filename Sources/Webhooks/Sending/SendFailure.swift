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
    /// There was no connection: refused, unreachable, or reset before anything was sent.
    case connectionFailed = "connection_failed"
    /// The server's certificate is for another name, expired or by nobody who is trusted here, or it speaks no TLS, or one that
    /// is too old. Nothing was sent.
    case tlsFailed = "tls_failed"
    /// The connection was made and ended without an answer that can be read as HTTP: the notification may have been received.
    case noAnswer = "no_answer"
    case answerTooLarge = "answer_too_large"
}
