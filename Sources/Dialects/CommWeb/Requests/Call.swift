//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Gateway
import StrictJSON

/// A request, whichever flavor it came in: what is asked of what, and with which fields.
struct Call: Sendable {
    let version: APIVersion
    let operation: APIOperation
    let orderID: String?
    let transactionID: String?
    let sessionID: String?
    let fields: RequestFields

    /// Fields that say who asks or how to answer, not what is asked.
    private static let transportPaths: Set<String> = [
        "apiOperation", "apiPassword", "apiUsername", "correlationId", "merchant", "order.id", "transaction.id",
    ]

    init(
        version: APIVersion, operation: APIOperation, orderID: String? = nil, transactionID: String? = nil,
        sessionID: String? = nil, fields: RequestFields
    ) throws(CommWebError) {
        // A session notes what was wrong with an update, and so looks at its fields itself.
        if operation != .updateSession { try fields.checkShapes() }
        self.version = version
        self.operation = operation
        self.orderID = try Self.identifier(orderID, "order.id", fields)
        self.transactionID = try Self.identifier(transactionID, "transaction.id", fields)
        self.sessionID = sessionID
        self.fields = fields
    }

    /// Echoed, never kept: 1 to 100 characters.
    static func correlationID(_ fields: RequestFields) throws(CommWebError) -> String? {
        try fields.text("correlationId", max: 100)
    }

    /// The fields that are about the operation itself.
    var payload: RequestFields { self.fields.filter(Self.isOfOperation) }

    /// What an update of a session brings: also what the order is called, which is no part of its URL.
    var sessionPayload: RequestFields { self.fields.filter { $0 == "order.id" || Self.isOfOperation($0) } }

    private static func isOfOperation(_ path: String) -> Bool {
        !self.transportPaths.contains(path) && !path.hasPrefix("responseControls.")
    }

    /// An id of the URL: 1 to 40 characters. Clients may repeat it in the body, but no other one.
    private static func identifier(
        _ value: String?, _ path: String, _ fields: RequestFields
    ) throws(CommWebError) -> String? {
        let written = try fields.text(path, max: 40)
        guard let value else { return written }
        guard (1...40).contains(value.unicodeScalars.count) else {
            throw .invalid(path, "must have 1 to 40 characters")
        }
        if let problem = TextForm.line.problem(of: value, charactersMax: 40) { throw .invalid(path, problem) }
        if let written, !written.isExactly(value) { throw .invalid(path, "is not that of the URL") }
        return value
    }
}

/// The transaction that a call is about.
struct TransactionName: Hashable, Sendable {
    static let referenceKind = "transaction"

    let orderID: String
    let transactionID: String

    init(_ call: Call) throws(CommWebError) {
        guard let orderID = call.orderID else { throw .missing("order.id") }
        guard let transactionID = call.transactionID else { throw .missing("transaction.id") }
        self.init(orderID: orderID, transactionID: transactionID)
    }

    init(orderID: String, transactionID: String) {
        self.orderID = orderID
        self.transactionID = transactionID
    }

    /// As people write it, ORDER/TRANSACTION; `nil` for what has no slash.
    init?(text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        self.init(orderID: String(text[..<slash]), transactionID: String(text[text.index(after: slash)...]))
    }

    /// Percent-encoded, so that an id with a slash is not another order's.
    var key: String { "\(PercentCoding.encoded(self.orderID))/\(PercentCoding.encoded(self.transactionID))" }

    var reference: ReferenceName { ReferenceName(kind: Self.referenceKind, value: self.key) }

    /// What makes the transaction's calls one. One that the acquirer does not answer in time has failed here: it is
    /// reversed, and reported as `TIMED_OUT`.
    func context(of caller: Caller, digest: [UInt8]) -> CallContext {
        CallContext(
            merchant: caller.merchant,
            idempotency: CallContext.Idempotency(operation: Self.referenceKind, key: self.key, digest: digest),
            timeouts: .areReversed)
    }
}
