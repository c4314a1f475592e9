//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import StrictJSON

/// An answer, read: what became of what was asked, and everything that stands in it.
public struct Reading: Sendable {
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// It is done.
        case approved
        /// The service has it and reports later what became of it.
        case accepted
        /// The bank said no, or it was taken back: nothing was done.
        case declined
        /// The service says that nobody knows yet: it has to be asked for.
        case pending
        /// The service did not take the request: nothing was done.
        case refused
        /// The answer is not the service's, or names no outcome: anything may have been done.
        case unknown
    }

    public var outcome: Outcome
    /// The service's own word: "APPROVED", "2701".
    public var code: String
    /// The service's own words, for people. One line, with the code in it.
    public var text: String
    /// Whether a refusal is for the moment: the same request may be sent again as it is.
    public var isTemporary = false
    /// What follow-ups need, by names of the language's own. Wants to be kept with the payment, under what is there.
    public var handle: [String: String] = [:]
    /// What to pay with from here on, after a preparation that made something of the token.
    public var instrument: WireInstrument?
    /// What the service calls the payment, or the operation.
    public var reference: String?
    /// Of the operation, where the answer says it.
    public var amount: Money?
    /// Sums of the payment, where the answer says them.
    public var captured: Money?
    public var refunded: Money?
    public var authorizationCode: String?
    /// The issuer's or the acquirer's response code, as it was handed on.
    public var issuerCode: String?
    public var addressCheck: String?
    public var securityCodeCheck: String?
    /// Whether the answer proves that it is the service's; `nil` where the language has no proof.
    public var isGenuine: Bool?
    /// The HTTP status.
    public var status: Int
    public var body: ReplyBody

    init(_ outcome: Outcome, code: String, text: String, _ reply: ClientReply, _ body: ReplyBody) {
        self.outcome = outcome
        self.code = code
        self.text = text
        self.status = reply.status
        self.body = body
    }

    /// An answer that is not the service's.
    static func unreadable(_ reply: ClientReply, _ text: String) -> Reading {
        Reading(.unknown, code: "", text: text, reply, .none)
    }

    /// What was asked is done, or will be without anybody asking again.
    public var isDone: Bool { self.outcome == .approved || self.outcome == .accepted }

    /// Whether it is known what became of the request, so that it need not be sent or asked for again.
    public var isDefinite: Bool {
        switch self.outcome {
        case .approved, .accepted, .declined: true
        case .refused: !self.isTemporary
        case .pending, .unknown: false
        }
    }

    /// A value of the answer, by the name that the language has for it (``ReplyBody``).
    public subscript(name: String) -> String? { self.body[name] }
}

/// The body of an answer or a notification in whatever notation the language has.
public enum ReplyBody: Sendable {
    case json(JSON)
    case fields([String: String])
    case xml(XMLReply)
    case none

    /// A value: in JSON by dotted path ("result.resultCode"), in XML the first element of that name, wherever it stands.
    /// Numbers and booleans are texts as they are written.
    public subscript(name: String) -> String? {
        switch self {
        case .json(let json):
            guard let value = json[path: name] else { return nil }
            return value.string ?? value.numberText ?? value.bool.map { "\($0)" }
        case .fields(let fields): return fields[name]
        case .xml(let xml): return xml[name]
        case .none: return nil
        }
    }

    public var json: JSON? {
        guard case .json(let json) = self else { return nil }
        return json
    }
}

extension ReplyBody {
    /// An amount in the major unit at a path, in the currency at another.
    func amount(_ name: String, currency: Currency?) -> Money? {
        guard let currency, let text = self[name] else { return nil }
        return try? Money(decimalText: text, currency: currency)
    }

    func currency(_ names: String...) -> Currency? {
        names.lazy.compactMap { self[$0] }.first.flatMap { Currency.alphabetic($0) }
    }

    /// A text that is there and not empty.
    func filled(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
