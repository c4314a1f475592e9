//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
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
    /// What the answer gives for later calls about the payment: what the client needs, and "authorized", "captured"
    /// (minor units) and "ordinal" (of the next operation).
    public var handle: [String: String] = [:]

    public init(_ verdict: DialectVerdict, code: String) {
        self.verdict = verdict
        self.code = code
    }

    /// What the shop's client has read.
    ///
    /// - Parameter call: what was asked; `nil` for a request that was no call of the dialect's.
    /// - Throws: ``ShapeBroken`` for what the client cannot read, and for an answer to a call that names no outcome.
    public init(_ reading: Reading, of call: DialectCall?) throws {
        guard reading.outcome != .unknown || (call == nil && !reading.code.isEmpty) else {
            throw ShapeBroken("the answer names no outcome that the client knows")
        }
        self.init(DialectVerdict(reading.outcome), code: reading.code)
        self.amount = self.verdict == .approved ? reading.amount : nil
        self.captured = reading.captured
        self.refunded = reading.refunded
        self.handle = reading.handle
        self.handle["captured"] = reading.captured.map { String($0.minorUnits) }
        guard let call, self.verdict != .refused else { return }
        switch call.action {
        case .pay(let amount, _), .authorize(let amount, _):
            self.handle["authorized"] = String(amount.minorUnits)
            self.handle["ordinal"] = "1"
        case .capture, .void, .refund: self.handle["ordinal"] = String(call.ordinal + 1)
        case .query: break
        }
    }
}

extension DialectVerdict {
    /// An error that leaves open what was done is as good as none: it has to be asked for.
    init(_ outcome: Reading.Outcome) {
        switch outcome {
        case .approved, .accepted: self = .approved
        case .declined: self = .declined
        case .pending, .unknown: self = .pending
        case .refused: self = .refused
        }
    }
}

/// What a notification says.
public struct DialectNotice: Hashable, Sendable {
    public typealias Subject = Notice.Subject

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
