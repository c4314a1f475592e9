//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Money

/// How a call ended.
public enum DialectVerdict: String, Hashable, Sendable, CustomStringConvertible {
    /// The acquirer has approved. Of a query: the payment is authorized or paid, also when it has been refunded since.
    case approved
    /// The acquirer has declined, or the operation was taken back because its outcome could not be known. Of a query:
    /// the payment has come to nothing, a voided one among them.
    case declined
    /// Nobody knows yet, and the answer says so.
    case pending
    /// The gateway has not even asked: the request was wrong.
    case refused

    public var description: String { self.rawValue }
}

/// An answer, read.
public struct DialectAnswer: Hashable, Sendable {
    public var verdict: DialectVerdict
    /// The dialect's own word for it: "SUCCESS", "APPROVED", "2701".
    public var code: String
    /// What the answer says was approved, where it says so.
    public var amount: Money?
    /// What the answer to a query says about the sums, where it says so.
    public var captured: Money?
    public var refunded: Money?
    /// What the answer gives for later calls about the payment; `nil` if it gives nothing new.
    public var handle: PaymentHandle?

    public init(
        _ verdict: DialectVerdict, code: String, amount: Money? = nil, captured: Money? = nil, refunded: Money? = nil,
        handle: PaymentHandle? = nil
    ) {
        self.verdict = verdict
        self.code = code
        self.amount = amount
        self.captured = captured
        self.refunded = refunded
        self.handle = handle
    }
}

/// What a notification says.
public struct DialectNotice: Hashable, Sendable {
    public enum Subject: String, Hashable, Sendable {
        case payment
        case capture
        case void
        case refund
        /// Something else, or the message does not say.
        case other
    }

    public var subject: Subject
    public var verdict: DialectVerdict
    /// Of what it is about, where it says so.
    public var amount: Money?

    public init(_ subject: Subject, _ verdict: DialectVerdict, amount: Money? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.amount = amount
    }
}

/// A request and what is special about it, for messages.
public struct NamedRequest: Sendable {
    public let name: String
    public let request: WireRequest

    public init(_ name: String, _ request: WireRequest) {
        self.name = name
        self.request = request
    }
}

/// An answer or a notification is not in the dialect's shape. The text says what is missing, and shows nothing of it.
public struct ShapeBroken: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
