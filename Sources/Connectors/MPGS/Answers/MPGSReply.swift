//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Redaction
import StrictJSON

/// What an answer's body says. The HTTP status alone says nothing about an outcome.
enum MPGSReply: Sendable {
    /// `result` is no error: a transaction, as it stands.
    case transaction(TransactionReply)
    case error(ErrorReply)
    case unreadable

    init(_ answer: UpstreamAnswer) {
        guard let json = Self.json(answer), let result = json["result"]?.string else {
            self = .unreadable
            return
        }
        self = result == "ERROR" ? .error(ErrorReply(json)) : .transaction(TransactionReply(json, result))
    }

    /// The body, if it is JSON, whatever the answer's type is called.
    static func json(_ answer: UpstreamAnswer) -> JSON? {
        try? JSON.parse(DeclaredCharset.utf8(answer.body.reveal(), contentType: answer.header("Content-Type")))
    }
}

/// `{"error":{"cause","explanation","field","supportCode","validationType"},"result":"ERROR"}`. Of it only words of a
/// known list are kept: the explanation may repeat what was sent.
struct ErrorReply: Sendable {
    enum Cause: String, Sendable {
        case invalidRequest = "INVALID_REQUEST"
        /// "request parameters violating the constraints": refused as an invalid request is.
        case constraintViolation = "CONSTRAINT_VIOLATION"
        /// "rejected due to security reasons such as firewall rules, expired certificate".
        case requestRejected = "REQUEST_REJECTED"
        case serverBusy = "SERVER_BUSY"
        case serverFailed = "SERVER_FAILED"
    }

    enum Validation: String, Sendable {
        case invalid = "INVALID"
        case missing = "MISSING"
        case unsupported = "UNSUPPORTED"
    }

    let cause: Cause?
    let validation: Validation?
    /// Whether the gateway complains of a field that a payment can do without.
    let isAboutDetail: Bool
    /// Whether it complains of the merchant or the version, rather than of a transaction.
    let isAboutTheCaller: Bool
    /// Whether what it complains of may be the order's state: the operation, an amount, the transaction it refers to.
    let isAboutTheOrder: Bool
    /// Whether it complains of the transaction's own id. Ours are unique: whatever stands under one of them is a copy of
    /// the same request.
    let isAboutItsName: Bool
    /// Whether it complains of the payment token, or of an amount that is not the token's.
    let isAboutTheToken: Bool
    /// Whether there is no such order or transaction.
    let isNotFound: Bool

    init(_ json: JSON) {
        let error = json["error"]
        self.cause = error?["cause"]?.string.flatMap { Cause(rawValue: $0) }
        self.validation = error?["validationType"]?.string.flatMap { Validation(rawValue: $0) }
        let field = error?["field"]?.string
        self.isAboutDetail = CommWebClient.Details.has(field)
        self.isAboutTheCaller = ["merchant", "version", "apiUsername", "apiPassword"].contains(field)
        self.isAboutTheOrder =
            field == nil || field == "apiOperation" || field?.hasPrefix("order.") == true
            || field?.hasPrefix("transaction.") == true
        let isNotFound = self.cause == .invalidRequest && Self.saysNotFound(error?["explanation"]?.string)
        self.isAboutItsName = !isNotFound && field == "transaction.id"
        self.isAboutTheToken =
            field == Self.tokenField || error?["supportCode"]?.string.map(Self.tokenCodes.contains) == true
        self.isNotFound = isNotFound
    }

    /// Where the sealed token is sent ("Apple Pay", `paymentToken`).
    private static let tokenField = "sourceOfFunds.provided.card.devicePayment.paymentToken"

    /// The vendor's support codes are for people; these are another Pomona's own (docs/dialects/commweb.md).
    private static let tokenCodes: Set = [
        "TOKEN_AMOUNT_DIFFERS", "TOKEN_CURRENCY_DIFFERS", "TOKEN_MALFORMED", "TOKEN_MODE_DIFFERS", "TOKEN_NOT_GENUINE",
        "TOKEN_NOT_READABLE", "TOKEN_REFUSED", "TOKEN_USED",
    ]

    /// "Unable to find order = 1 for merchant TEST": the words are the only difference between this error and any other
    /// INVALID_REQUEST. Whatever is worded otherwise is not taken for it, since what is not found counts as never sent.
    private static func saysNotFound(_ explanation: String?) -> Bool {
        guard let explanation else { return false }
        let words = explanation.lowercased().split(separator: " ").prefix(5).filter { $0 != "the" }
        guard words.starts(with: ["unable", "to", "find"]), words.count >= 4 else { return false }
        return words[3].hasPrefix("order") || words[3].hasPrefix("transaction")
    }
}
