//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// Something that an acquirer has reported by itself: how an operation ended, or that it came to nothing later.
///
/// Notices come in any order, repeated, before the answer to the call or days after it. Each is booked at most once.
public struct AcquirerNotice: Hashable, Sendable {
    /// How the notice names its operation.
    public enum Subject: Hashable, Sendable {
        case operation(OperationID)
        /// ``Identifier/shortName`` of the operation; see ``AcquirerCapabilities/notifiesByShortName``.
        case shortName(String)
        /// One of ``AcquirerMemo/handles``.
        case handle(String)
        /// The request of that ``AcquirerRequest/ordinal`` of the payment, which is named by the short name of one of its
        /// operations: for acquirers that count requests.
        case request(Int, of: String)
        /// The operation of these kinds of the payment that has the handle on one of its operations: the one that is
        /// open before the one that stands, and that before those that failed. For acquirers that name no more than the
        /// order. Where there is none, the notice is about a call that the connector made for another operation, and
        /// says nothing.
        case latest(Set<Operation.Kind>, of: String)
    }

    public enum Event: Hashable, Sendable {
        /// Something has become of the operation: the acquirer is asked what, if its end is not known. For notices that
        /// prove nothing by themselves.
        case changed
        /// How the operation ended. One that was approved and is declined now has failed late.
        case resolved(AcquirerQueryOutcome)
        /// The operation was approved, for all that was asked: the notice names no amount.
        case approvedAsAsked(AcquirerAnswer, AcquirerMemo)
        /// It was declined, and the acquirer still holds something of it, as the memo says: it counts as accepted until
        /// the query that follows has given that back (``AcquirerCapabilities/queriesAccepted``). One that was approved
        /// has failed late.
        case declinedStillHeld(AcquirerDecline)
        /// An operation that the acquirer had approved came to nothing.
        case failedLate(DeclineReason, AcquirerAnswer)
        /// The cardholder's bank takes captured money of the operation's payment back: of the operation, where that is
        /// a capture that the notice names.
        case chargedBack(Money, fee: Money?)
        /// So much of the payment is taken back by now, for acquirers that report sums: what is more than is booked is booked.
        case chargedBackInAll(Money)
        /// The chargeback of that name is given up: the money is the merchant's again.
        case chargebackReversed(of: String)
    }

    public let subject: Subject
    public let event: Event
    /// The acquirer's own name for the notice, where it has one; the same notice has the same name. A chargeback is known
    /// by it.
    public let reference: String?

    public init(_ subject: Subject, _ event: Event, reference: String? = nil) {
        self.subject = subject
        self.event = event
        self.reference = reference
    }
}

/// A call of an acquirer's, as it came over HTTP.
public struct NoticeCall: Sendable {
    /// By their names in lower case; the last one counts.
    public let headers: [String: String]
    public let query: String?
    public let body: [UInt8]
    /// The sender's IP address, where it is known: "185.60.20.7".
    public let address: String?

    public init(headers: [String: String], query: String? = nil, body: [UInt8], address: String? = nil) {
        self.headers = headers
        self.query = query
        self.body = body
        self.address = address
    }
}

/// What a connector makes of such a call.
public enum NoticeReading: Sendable {
    /// It is the acquirer's.
    /// - Parameter answer: what the acquirer is answered once every notice has been booked or is known to say nothing
    ///   new. Before that it is answered 503, so that it sends the call again.
    case notices([AcquirerNotice], answer: NoticeAnswer)
    /// It is not proven to be the acquirer's, or it cannot be read.
    /// - Parameter word: for the log: "signature_wrong".
    case refused(NoticeAnswer, word: String)
}

/// What an acquirer is answered.
public struct NoticeAnswer: Hashable, Sendable {
    public let status: Int
    public let contentType: String?
    public let body: String

    public init(status: Int = 200, contentType: String? = nil, body: String = "") {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
