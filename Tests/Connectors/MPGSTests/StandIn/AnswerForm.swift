//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestUpstream

/// How an answer looks. All say the same.
enum AnswerForm: String, CaseIterable, Sendable {
    /// Indented, with amounts of two decimals, the month in one digit, and much that nobody asked for.
    case recorded
    /// "Amounts come back as numbers": without the zeros at their end.
    case shortAmounts
    case amountsAsTexts
    /// The fields in the reverse order, on one line.
    case reversed
    /// As recorded: `application/json;charset=ISO-8859-1`, and a bank's name in that charset.
    case latin1
    case noContentType
    /// 200 for what has been booked, where the reference says 201.
    case always200

    private var contentType: String {
        switch self {
        case .latin1: "application/json;charset=ISO-8859-1"
        case .noContentType: ""
        default: "application/json"
        }
    }

    func answer(_ json: JSON, status: Int) -> StubAnswer {
        let text =
            switch self {
            case .reversed: Self.reversed(json).text(pretty: false)
            case .shortAmounts: Self.amounts(json) { .number(Self.short($0)) }.text(pretty: true)
            case .amountsAsTexts: Self.amounts(json) { .string($0) }.text(pretty: true)
            default: json.text(pretty: true)
            }
        var answer = StubAnswer(
            status: self == .always200 && status == 201 ? 200 : status, body: text,
            headers: [("Content-Type", self.contentType), ("Cache-Control", "no-store")])
        if self == .latin1 { answer.bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
        return answer
    }

    func error(_ cause: String, _ explanation: String?, field: String? = nil, status: Int) -> StubAnswer {
        var error: JSON = ["cause": .string(cause)]
        if let explanation {
            error = error.setting("explanation", .string(explanation))
        } else {
            error = error.setting("supportCode", "190223456789")
        }
        if let field { error = error.setting("field", .string(field)).setting("validationType", "INVALID") }
        var answer = self.answer(["error": error, "result": "ERROR"], status: status)
        if status == 401 { answer.headers.append(("WWW-Authenticate", "Basic realm=\"Rest API\"")) }
        return answer
    }

    private static func reversed(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.name, Self.reversed($0.value)) }.reversed()))
        case .array(let elements): .array(elements.map(Self.reversed))
        default: json
        }
    }

    private static func amounts(_ json: JSON, _ change: (String) -> JSON) -> JSON {
        switch json {
        case .object(let object): .object(JSONObject(object.members.map { ($0.name, Self.amounts($0.value, change)) }))
        case .array(let elements): .array(elements.map { Self.amounts($0, change) })
        case .number(let text) where text.contains("."): change(text)
        default: json
        }
    }

    /// "30.10" as "30.1", "30.00" as "30".
    private static func short(_ text: String) -> String {
        let short = text.reversed().drop { $0 == "0" }.reversed()
        return String(short.last == "." ? short.dropLast() : short[...])
    }
}

extension JSON {
    /// With a member that is another, or none.
    func setting(_ path: String, _ value: JSON?) -> JSON {
        guard case .object(var object) = self else { return self }
        let names = path.split(separator: ".", maxSplits: 1).map { String($0) }
        object[names[0]] = names.count == 1 ? value : object[names[0]]?.setting(names[1], value)
        return .object(object)
    }
}

extension StandInOrder {
    private static func major(_ cents: Int64) -> JSON {
        let digits = String(cents)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return .number("\(padded.dropLast(2)).\(padded.suffix(2))")
    }

    private var fields: JSON {
        [
            "amount": Self.major(self.amount), "authenticationStatus": "AUTHENTICATION_NOT_IN_EFFECT",
            "chargeback": ["amount": 0, "currency": .string(self.currency)],
            "creationTime": "2024-04-17T10:15:47.528Z", "currency": .string(self.currency), "id": .string(self.id),
            "lastUpdatedTime": "2024-04-17T10:15:48.508Z", "merchantAmount": Self.major(self.amount),
            "merchantCategoryCode": "5943", "merchantCurrency": .string(self.currency),
            "status": .string(self.status), "totalAuthorizedAmount": Self.major(self.authorized),
            "totalCapturedAmount": Self.major(self.captured), "totalDisbursedAmount": Self.major(0),
            "totalRefundedAmount": Self.major(self.refunded),
        ]
    }

    /// RETRIEVE_ORDER: the order's fields, and each of its transactions.
    var json: JSON {
        self.fields.setting("merchant", .string(Bench.merchantID)).setting("result", "SUCCESS")
            .setting("transaction", .array(self.transactions.indices.map(self.json)))
    }

    /// What a transaction is answered, and RETRIEVE_TRANSACTION.
    func json(of index: Int) -> JSON {
        let transaction = self.transactions[index]
        let (result, code) = transaction.shown ?? (transaction.result, transaction.gatewayCode)
        return RecordedAnswers.payment
            .setting("merchant", .string(Bench.merchantID)).setting("order", self.fields)
            .setting("result", .string(result)).setting("response.gatewayCode", .string(code))
            .setting("response.acquirerCode", .string(transaction.acquirerCode))
            .setting("authorizationResponse.responseCode", .string(transaction.acquirerCode))
            .setting("transaction.amount", Self.major(transaction.amount))
            .setting("transaction.currency", .string(self.currency))
            .setting("transaction.id", .string(transaction.id))
            .setting("transaction.type", .string(transaction.kind.rawValue))
            .setting("transaction.targetTransactionId", transaction.target.map { .string($0) })
    }
}
