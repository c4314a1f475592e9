//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a call over a link has no answer: the words that stand in `AcquirerOutcome.unknown`.
///
/// Also what never left is unknown and not declined: a decline is the acquirer's own word, and an operation that is
/// sent again under its id (a void, a reversal) may have arrived the time before. What cannot have been booked costs
/// recovery no more than a query and a reversal.
enum LinkFailure: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no connection, and none can be made: nothing was sent.
    case unreachable = "acquirer_unreachable"
    /// Somebody is there who has not the secret, speaks another version, or is another acquirer: nothing was sent.
    case refused = "acquirer_refused"
    /// Too many calls are under way: nothing was sent.
    case busy = "acquirer_busy"
    /// The request is larger than a frame: nothing was sent.
    case requestTooLarge = "request_too_large"
    /// The client has been closed.
    case closed = "link_closed"
    /// The connection broke after the request may have left.
    case connectionLost = "connection_lost"
    /// No answer came in time.
    case deadlinePassed = "deadline_passed"
    /// What came was no answer to anything that was asked.
    case garbledAnswer = "garbled_answer"
    /// The caller waits no longer.
    case cancelled = "call_cancelled"
}
