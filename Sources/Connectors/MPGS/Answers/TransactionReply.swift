//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// The transaction that an answer must be about, to be believed.
struct ExpectedTransaction: Sendable {
    let merchantID: String
    let orderID: String
    let transactionID: String
    let types: Set<String>
    let currency: Currency
    /// What is asked for; `nil` where nothing says how much: a void is of a whole transaction.
    let amount: Money?
    /// What an approval counts for where ``amount`` is left out.
    let fullAmount: Money
    /// What was sent and may stand nowhere in what is kept: the card's number, its cryptogram, the credentials.
    var secrets: [Redacted<String>] = []
    /// Whether the answer is to a question that came after the call: TIMED_OUT is final then.
    var isLater = false
}

/// A transaction, as an answer describes it.
struct TransactionReply: Sendable {
    private let json: JSON
    private let result: String

    init(_ json: JSON, _ result: String) {
        self.json = json
        self.result = result
    }

    func outcome(_ expected: ExpectedTransaction) -> AcquirerOutcome {
        guard self.isAbout(expected) else { return .unclear("answer_about_another_transaction") }
        let code = self.json[path: "response.gatewayCode"]?.string ?? ""
        switch self.result {
        case "SUCCESS": return self.success(code, expected)
        case "FAILURE": return self.failure(code, expected)
        case "PENDING": return .unclear("result_pending")
        // "If the gateway subsequently finds out about the success of the payment it will update the response code."
        case "UNKNOWN": return .unclear("result_unknown")
        default: return .unclear("result_not_understood")
        }
    }

    /// Whether it is this transaction, and has succeeded.
    func isSuccess(of transactionID: String, in orderID: String) -> Bool {
        self.result == "SUCCESS" && self.json[path: "transaction.id"]?.string == transactionID
            && self.json[path: "order.id"]?.string == orderID
    }

    /// Whether it is what such a call makes.
    func isOf(_ operation: APIOperation) -> Bool {
        self.json[path: "transaction.type"]?.string.map(operation.transactionTypes.contains) ?? false
    }

    /// Whether the order says that its payment was taken back as a whole.
    var orderIsCancelled: Bool { self.json[path: "order.status"]?.string == "CANCELLED" }

    // MARK: - Whose answer it is

    private func isAbout(_ expected: ExpectedTransaction) -> Bool {
        guard self.json[path: "order.id"]?.string == expected.orderID,
            self.json[path: "transaction.id"]?.string == expected.transactionID
        else { return false }
        if let merchant = self.json["merchant"]?.string, merchant != expected.merchantID { return false }
        if let type = self.json[path: "transaction.type"]?.string, !expected.types.contains(type) { return false }
        return true
    }

    private var currency: String? {
        self.json[path: "transaction.currency"]?.string ?? self.json[path: "order.currency"]?.string
    }

    // MARK: - Outcomes

    private func success(_ code: String, _ expected: ExpectedTransaction) -> AcquirerOutcome {
        guard self.json[path: "transaction.type"]?.string != nil, self.currency == expected.currency.code else {
            return .unclear("answer_about_another_transaction")
        }
        let stated = Money(self.json[path: "transaction.amount"], currency: expected.currency)
        if GatewayCode.approvals.contains(code) {
            if let amount = expected.amount, stated != amount { return .unclear("answer_about_another_amount") }
            return .approved(
                AcquirerApproval(amount: expected.amount ?? expected.fullAmount, answer: self.answer(expected)))
        }
        guard code == GatewayCode.partialApproval, let asked = expected.amount else {
            return .unclear(code == "PENDING" || code == "SUBMITTED" ? "result_pending" : "code_not_understood")
        }
        // Where it is looked up later, the amount that is known may be the part.
        guard let part = self.part(expected), part.isPositive, !(part > asked), let stated,
            stated == asked || stated == part || expected.isLater
        else { return .unclear("part_not_understood") }
        return .approved(AcquirerApproval(amount: part, answer: self.answer(expected)))
    }

    /// "See order.totalAuthorizedAmount": what was approved of the payment with which the order began.
    private func part(_ expected: ExpectedTransaction) -> Money? {
        let authorized = Money(self.json[path: "order.totalAuthorizedAmount"], currency: expected.currency)
        guard self.isOf(.pay), authorized?.isPositive != true else {
            return authorized
        }
        return Money(self.json[path: "order.totalCapturedAmount"], currency: expected.currency)
    }

    private func failure(_ code: String, _ expected: ExpectedTransaction) -> AcquirerOutcome {
        switch code {
        case GatewayCode.timedOut:
            guard expected.isLater else { return .timedOut("gateway_timed_out") }
            return .declined(AcquirerDecline(reason: .timedOut, answer: self.refusal(expected)))
        case GatewayCode.lockFailure: return .notProcessed(NotProcessed(.busy, "order_locked"))
        default:
            guard let reason = GatewayCode.declineReason(code) else { return .unclear("code_not_understood") }
            let answer = self.refusal(expected)
            // The issuer's own word says more than the gateway's.
            let issuers = answer.responseCode.flatMap { DeclineReason(issuerResponseCode: $0) }
            return .declined(AcquirerDecline(reason: issuers ?? reason, answer: answer))
        }
    }

    private func refusal(_ expected: ExpectedTransaction) -> AcquirerAnswer {
        AnswerFields(json: self.json, secrets: expected.secrets).refusal
    }

    private func answer(_ expected: ExpectedTransaction) -> AcquirerAnswer {
        AnswerFields(json: self.json, secrets: expected.secrets).answer
    }
}
