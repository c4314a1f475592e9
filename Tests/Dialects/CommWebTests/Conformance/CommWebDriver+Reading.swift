//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Money
import StrictJSON

extension CommWebDriver {
    func read(_ response: WireResponse, to request: WireRequest, of call: DialectCall?) throws -> DialectAnswer {
        let reply = try Reply(response)
        if request.path.hasPrefix("/api/rest"), reply.json == nil { throw ShapeBroken("REST was answered with a form") }
        if request.path.hasPrefix("/api/nvp"), reply.json != nil { throw ShapeBroken("NVP was answered with JSON") }
        if reply["result"] == "ERROR" { return try self.error(reply) }
        guard let call else { throw ShapeBroken("what is no call was answered with \(reply["result"] ?? "nothing")") }
        if case .query = call.action { return try self.order(reply) }
        guard reply.status == 201 else { throw ShapeBroken("a transaction's status is \(reply.status)") }
        guard reply["transaction.id"] == call.key, reply["order.id"] == call.payment else {
            throw ShapeBroken("the answer is about another transaction")
        }
        guard reply["response.gatewayCode"] != nil, reply["version"] == "71", reply["merchant"] != nil else {
            throw ShapeBroken("the answer lacks fields that every transaction has")
        }
        var answer = DialectAnswer(try self.verdict(reply["result"]), code: reply["response.gatewayCode"] ?? "")
        if answer.verdict == .approved { answer.amount = try self.money(reply["transaction.amount"]) }
        answer.handle = try self.handle(reply, call)
        return answer
    }

    /// What later calls need: which transaction a void takes back, and the sums.
    private func handle(_ reply: Reply, _ call: DialectCall) throws -> PaymentHandle {
        var handle: PaymentHandle = [
            "authorized": String(try self.money(reply["order.totalAuthorizedAmount"]).minorUnits),
            "captured": String(try self.money(reply["order.totalCapturedAmount"]).minorUnits),
        ]
        switch call.action {
        case .pay, .authorize: handle["authorization"] = call.key
        case .capture, .void, .refund, .query: break
        }
        return handle
    }

    private func error(_ reply: Reply) throws -> DialectAnswer {
        guard reply["error.cause"] != nil, reply["error.explanation"]?.hasSuffix(".") == true,
            let code = reply["error.supportCode"],
            (reply["error.field"] == nil) == (reply["error.validationType"] == nil)
        else { throw ShapeBroken("the error is not in its shape") }
        if reply.status == 401, reply.headers[.wwwAuthenticate] != "Basic realm=\"gateway\"" {
            throw ShapeBroken("a 401 does not ask for credentials")
        }
        guard (400...599).contains(reply.status) else { throw ShapeBroken("an error's status is \(reply.status)") }
        // What was given up midway has an outcome, which is asked for.
        return DialectAnswer(code == "GATEWAY_TIMED_OUT" ? .pending : .refused, code: code)
    }

    private func order(_ reply: Reply) throws -> DialectAnswer {
        guard reply.status == 200, reply["result"] == "SUCCESS", let status = reply["status"] else {
            throw ShapeBroken("the order is not in its shape")
        }
        let verdict: DialectVerdict =
            switch status {
            case "INITIATED": .pending
            case "FAILED", "CANCELLED": .declined
            default: .approved
            }
        return DialectAnswer(
            verdict, code: status, captured: try self.money(reply["totalCapturedAmount"]),
            refunded: try self.money(reply["totalRefundedAmount"]))
    }

    private func verdict(_ result: String?) throws -> DialectVerdict {
        switch result {
        case "SUCCESS": .approved
        case "FAILURE": .declined
        case "PENDING", "UNKNOWN": .pending
        default: throw ShapeBroken("the result is none of the list")
        }
    }

    private func money(_ text: String?) throws -> Money {
        guard let text, let amount = try? Money(decimalText: text, currency: self.currency), amount.decimalText == text
        else { throw ShapeBroken("an amount is not one of \(self.currency.code)") }
        return amount
    }

    // MARK: - Notifications

    func read(_ notification: OutgoingNotification) throws -> DialectNotice {
        func header(_ name: String) -> String { notification.headers.first { $0.name == name }?.value ?? "" }
        guard header("X-Notification-Secret") == CommWebShop.notificationSecret,
            header("X-Notification-ID").hasPrefix("evt_"), (Int(header("X-Notification-Attempt")) ?? 0) > 0
        else { throw ShapeBroken("the notification lacks its headers") }
        let body = try JSON.parse(notification.body)
        let subject: DialectNotice.Subject =
            switch body["transaction"]?["type"]?.string {
            case "AUTHORIZATION", "PAYMENT": .payment
            case "CAPTURE": .capture
            case "REFUND": .refund
            case "VOID_AUTHORIZATION": .void
            default: .other
            }
        return DialectNotice(
            subject, try self.verdict(body["result"]?.string),
            amount: try self.money(body["transaction"]?["amount"]?.numberText))
    }

    var acknowledgement: (status: Int, body: String) { (200, "") }
}
