//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Time

/// The calls of the port, by the names they have on the wire.
enum LinkCall: String, Hashable, Sendable, CaseIterable {
    case authorize
    case verify
    case capture
    case refund
    case adjust
    case void
    case reverse
    case query
    case prepare

    init(_ action: AcquirerRequest.Action) {
        switch action {
        case .authorize: self = .authorize
        case .verify: self = .verify
        case .capture: self = .capture
        case .refund: self = .refund
        case .adjust: self = .adjust
        case .void: self = .void
        case .reverse: self = .reverse
        }
    }
}

/// A call with what it asks for.
enum LinkRequest: Sendable {
    case perform(AcquirerRequest)
    case prepare(AcquirerRequest)
    case query(AcquirerQuery)

    var call: LinkCall {
        switch self {
        case .query: .query
        case .prepare: .prepare
        case .perform(let request): LinkCall(request.action)
        }
    }

    /// The operation that the answer is about.
    var operationID: OperationID {
        switch self {
        case .perform(let request), .prepare(let request): request.operationID
        case .query(let query): query.original.id
        }
    }

    /// Asks the acquirer.
    func answer(by acquirer: any Acquirer) async -> LinkOutcome {
        switch self {
        case .perform(let request): .operation(await acquirer.perform(request))
        case .prepare(let request): .preparation(await acquirer.prepare(request))
        case .query(let query): .query(await acquirer.query(query))
        }
    }
}

// MARK: - Writing

extension LinkRequest {
    /// The request on the wire, under a number that the connection's answers repeat.
    ///
    /// - Parameter account: which has been sent over the connection before; `nil` for the acquirer as it is without one.
    func json(number: UInt64, account: AcquirerAccountID? = nil) -> JSON {
        .link([
            "type": "request", "number": JSON(number), "account": account.map { .string($0.text) },
            "call": .string(self.call.rawValue), "request": self.contents,
        ])
    }

    private var contents: JSON {
        switch self {
        case .query(let query):
            return .link([
                "payment": .string(query.paymentID.text), "merchant": .string(query.merchantID.text),
                "original": .link(query.original), "at": JSON(query.at.milliseconds),
            ])
        case .perform(let request), .prepare(let request):
            var members = JSONObject()
            if case .prepare = self { members["for"] = .string(LinkCall(request.action).rawValue) }
            members["operation"] = .string(request.operationID.text)
            members["payment"] = .string(request.paymentID.text)
            members["merchant"] = .string(request.merchantID.text)
            members["amount"] = .link(request.amount)
            members["at"] = JSON(request.begunAt.milliseconds)
            members["ordinal"] = JSON(Int64(request.ordinal))
            members["memo"] = .link(request.memo)
            members["statementDescriptor"] = request.statementDescriptor.map(JSON.string)
            members["original"] = request.original.map(JSON.link)
            switch request.action {
            case .authorize(let charge), .verify(let charge): members["charge"] = .link(charge)
            case .capture(_, let isFinal): members["isFinal"] = .bool(isFinal)
            case .refund(_, let capture): members["capture"] = capture.map(JSON.link)
            case .adjust, .void, .reverse: break
            }
            return .object(members)
        }
    }
}

extension JSON {
    fileprivate static func link(_ original: OriginalOperation) -> JSON {
        .link([
            "operation": .string(original.id.text), "kind": .string(original.kind.rawValue),
            "isSale": .bool(original.isSale), "isFinal": .bool(original.isFinal), "amount": .link(original.amount),
            "begunAt": JSON(original.begunAt.milliseconds),
            "resolvedAt": original.resolvedAt.map { JSON($0.milliseconds) }, "answer": .link(original.answer),
            "ordinal": JSON(Int64(original.ordinal)), "authorizedTotal": .link(original.authorizedTotal),
            "capturedTotal": .link(original.capturedTotal), "memo": .link(original.memo),
        ])
    }
}

// MARK: - Reading

/// A request with what stands around it.
struct LinkRequestMessage: Sendable {
    let number: UInt64
    let account: AcquirerAccountID?
    let request: LinkRequest

    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.account = try reader.optionalID("account")
        let call: LinkCall = try reader.choice("call")
        self.request = try LinkRequest(call, try reader.reader("request"))
        try reader.end()
    }
}

extension LinkRequest {
    static func read(_ body: [UInt8]) throws(LinkViolation) -> (number: UInt64, request: LinkRequest) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("request")
        let message = try LinkRequestMessage(after: reader)
        return (message.number, message.request)
    }

    fileprivate init(_ call: LinkCall, _ reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        switch call {
        case .prepare:
            let action = try reader.action(of: try reader.choice("for"))
            self = .prepare(try reader.request(action))
        case .authorize, .verify, .capture, .refund, .adjust, .void, .reverse:
            let action = try reader.action(of: call)
            self = .perform(try reader.request(action))
        case .query:
            self = .query(
                AcquirerQuery(
                    paymentID: try reader.id("payment"), merchantID: try reader.id("merchant"),
                    original: try reader.original(), at: try reader.timestamp("at")))
        }
        try reader.end()
    }
}

extension LinkReader {
    fileprivate mutating func action(of call: LinkCall) throws(LinkViolation) -> AcquirerRequest.Action {
        switch call {
        case .authorize: return .authorize(try self.charge())
        case .verify: return .verify(try self.charge())
        case .capture: return .capture(of: try self.original(), isFinal: try self.flag("isFinal"))
        case .refund: return .refund(of: try self.original(), capture: try self.optionalOriginal("capture"))
        case .adjust: return .adjust(try self.original())
        case .void: return .void(try self.original())
        case .reverse: return .reverse(try self.original())
        case .query, .prepare: throw LinkViolation("bad_for")
        }
    }

    fileprivate mutating func request(_ action: AcquirerRequest.Action) throws(LinkViolation) -> AcquirerRequest {
        AcquirerRequest(
            operationID: try self.id("operation"), paymentID: try self.id("payment"),
            merchantID: try self.id("merchant"), amount: try self.money("amount"), begunAt: try self.timestamp("at"),
            action: action, ordinal: try self.ordinal(), memo: try self.memo(),
            statementDescriptor: try self.optionalLongText("statementDescriptor"))
    }

    fileprivate mutating func original() throws(LinkViolation) -> OriginalOperation {
        guard let original = try self.optionalOriginal("original") else { throw LinkViolation("no_original") }
        return original
    }

    fileprivate mutating func optionalOriginal(_ name: String) throws(LinkViolation) -> OriginalOperation? {
        guard var reader = try self.optionalReader(name) else { return nil }
        let original = OriginalOperation(
            id: try reader.id("operation"), kind: try reader.choice("kind"), isSale: try reader.flag("isSale"),
            isFinal: try reader.flag("isFinal"), amount: try reader.money("amount"),
            begunAt: try reader.timestamp("begunAt"),
            resolvedAt: try reader.optionalTimestamp("resolvedAt"), answer: try reader.answer(),
            ordinal: try reader.ordinal(), authorizedTotal: try reader.money("authorizedTotal"),
            capturedTotal: try reader.money("capturedTotal"), memo: try reader.memo())
        try reader.end()
        return original
    }

    mutating func ordinal() throws(LinkViolation) -> Int {
        guard let ordinal = Int(exactly: try self.number("ordinal")) else { throw LinkViolation("bad_ordinal") }
        return ordinal
    }
}
