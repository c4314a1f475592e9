//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON

/// How the caller wants its answer.
enum ReplyFormat: Hashable, Sendable {
    /// `text/plain`, a line for each key.
    case lines
    case json

    init(of request: WireRequest) {
        let accepted = (request.headers[.accept] ?? "").lowercased().split(separator: ",")
        self =
            accepted.contains { range in
                let parts = range.split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" } }
                guard parts.first == "application/json" else { return false }
                // RFC 9110, section 12.4.2: a weight of zero refuses.
                return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains(where: "123456789".contains) }
            } ? .json : .lines
    }
}

/// The value of `status`.
enum AnswerStatus: String, Sendable {
    case approved = "APPROVED"
    /// The outcome is not known yet; a notification reports it.
    case pending = "PENDING"
    /// Something other than a payment was done.
    case ok = "OK"
    case error = "ERROR"
}

/// What is answered: the same pairs as lines and as JSON, which has other names for them and nests some.
struct Answer: Hashable, Sendable {
    /// A pair's name as a line, and where it stands in JSON.
    private struct Pair: Hashable {
        let name: String
        let jsonPath: [String]
        let value: String
    }

    private let pairs: [Pair]

    private init(_ status: AnswerStatus, _ pairs: [Pair]) {
        self.pairs = [Pair(name: "status", jsonPath: ["Status"], value: status.rawValue)] + pairs
    }

    /// Of a preauthorization or an authorization.
    init(authorization outcome: OperationOutcome) throws(PAYONEError) {
        let status = try Self.status(of: outcome.operation, in: outcome.payment)
        self.init(status, Self.txid(outcome.payment) + Self.userid(outcome.payment))
    }

    /// Of a capture, a debit or a refund.
    init(followUp outcome: OperationOutcome) throws(PAYONEError) {
        let status = try Self.status(of: outcome.operation, in: outcome.payment)
        // Every booking is settled at once; a reservation that is canceled leaves nothing to settle.
        let settled: SettleAccount = outcome.operation.kind == .void || status == .pending ? .no : .yes
        self.init(
            status,
            Self.txid(outcome.payment) + [
                Pair(name: "settleaccount", jsonPath: ["SettleAccount"], value: settled.rawValue)
            ])
    }

    init(applePaySession session: String) {
        let name = "applepay_payment_session"
        self.init(.ok, [Pair(name: "add_paydata[\(name)]", jsonPath: ["AddPayData", name], value: session)])
    }

    /// - Parameter name: what was asked for, where that is known.
    init(_ error: PAYONEError, _ language: CustomerLanguage, of name: RequestName?) {
        self.init(
            .error,
            [
                Pair(name: "errorcode", jsonPath: ["Error", "ErrorCode"], value: String(error.code.rawValue)),
                Pair(name: "errormessage", jsonPath: ["Error", "ErrorMessage"], value: error.message),
                Pair(
                    name: "customermessage", jsonPath: ["Error", "CustomerMessage"],
                    value: error.code.customerMessage(of: name).text(in: language)),
            ])
    }

    /// - Throws: what a failed operation is reported as.
    private static func status(
        of operation: Operation, in payment: Payment
    ) throws(PAYONEError) -> AnswerStatus {
        switch operation.state {
        case .pending, .unknown, .accepted: return .pending
        case .succeeded: return .approved
        case .failed(let failure): throw PAYONEError(failure, of: operation, in: payment)
        }
    }

    private static func txid(_ payment: Payment) -> [Pair] {
        payment.label(LabelField.txid).map { [Pair(name: "txid", jsonPath: ["TxId"], value: $0)] } ?? []
    }

    private static func userid(_ payment: Payment) -> [Pair] {
        payment.label(LabelField.userid).map { [Pair(name: "userid", jsonPath: ["UserId"], value: $0)] } ?? []
    }
}

// MARK: - Writing

extension Answer {
    func response(_ format: ReplyFormat) -> WireResponse {
        switch format {
        case .lines: self.response("text/plain; charset=UTF-8", Array(self.lines.utf8))
        case .json: self.response("application/json; charset=UTF-8", self.json.serialized())
        }
    }

    private func response(_ contentType: String, _ body: [UInt8]) -> WireResponse {
        var headers = HTTPFields()
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        return WireResponse(status: .ok, headers: headers, body: body)
    }

    /// No value of this dialect has a line break; one that had would begin a pair of its own.
    private var lines: String {
        self.pairs.map { pair in "\(pair.name)=\(String(pair.value.map { $0.isNewline ? " " : $0 }))\n" }.joined()
    }

    private var json: JSON {
        var object = JSONObject()
        for pair in self.pairs {
            switch pair.jsonPath.count {
            case 2:
                var inner = object[pair.jsonPath[0]]?.object ?? JSONObject()
                inner[pair.jsonPath[1]] = .string(pair.value)
                object[pair.jsonPath[0]] = .object(inner)
            default: object[pair.jsonPath[0]] = .string(pair.value)
            }
        }
        return .object(object)
    }
}
