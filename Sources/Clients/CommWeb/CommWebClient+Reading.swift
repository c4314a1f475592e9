//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Redaction
import StrictJSON

// What the gateway answers and reports.

extension CommWebClient {
    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let json = try? JSON.parse(reply.body), json.object != nil else {
            return .unreadable(reply, "CommWeb answered with something that is no JSON (HTTP \(reply.status)).")
        }
        let body = ReplyBody.json(json)
        guard body["result"] != "ERROR" else { return Self.error(body, reply) }
        var reading = Reading(
            Self.outcome(ofOrder: body) ?? Self.outcome(body["result"]), code: body["response.gatewayCode"] ?? "",
            text: Self.summary(body), reply, body)
        let currency = body.currency("transaction.currency", "order.currency", "currency")
        reading.reference = body["transaction.id"]
        reading.amount = body.amount("transaction.amount", currency: currency)
        reading.captured =
            body.amount("order.totalCapturedAmount", currency: currency)
            ?? body.amount("totalCapturedAmount", currency: currency)
        reading.refunded =
            body.amount("order.totalRefundedAmount", currency: currency)
            ?? body.amount("totalRefundedAmount", currency: currency)
        reading.authorizationCode = body["transaction.authorizationCode"]
        reading.issuerCode = body["authorizationResponse.responseCode"] ?? body["response.acquirerCode"]
        reading.addressCheck = body["response.cardholderVerification.avs.acquirerCode"]
        reading.securityCodeCheck = body["response.cardSecurityCode.acquirerCode"]
        let begins = ["AUTHORIZATION", "PAYMENT", "VERIFICATION"].contains(body["transaction.type"])
        if begins, reading.outcome != .declined, let id = reading.reference { reading.handle[Self.transactionID] = id }
        return reading
    }

    /// After `SERVER_BUSY` nothing was done; after `SERVER_FAILED` nobody knows. The identical request may be sent again
    /// after either (API reference).
    private static func error(_ body: ReplyBody, _ reply: ClientReply) -> Reading {
        let cause = body["error.cause"] ?? ""
        let words = [body["error.cause"], body["error.explanation"]].compactMap { $0 }.joined(separator: ": ")
        var reading = Reading(cause == "SERVER_FAILED" ? .unknown : .refused, code: cause, text: words, reply, body)
        reading.isTemporary = cause == "SERVER_BUSY"
        return reading
    }

    private static func outcome(_ result: String?) -> Reading.Outcome {
        switch result {
        case "SUCCESS": .approved
        case "FAILURE": .declined
        case "PENDING", "UNKNOWN": .pending
        default: .unknown
        }
    }

    /// Of an order that was retrieved, whose result is that of the retrieval: how the payment stands. `nil` for a
    /// transaction, and for a status that says no more than the result.
    private static func outcome(ofOrder body: ReplyBody) -> Reading.Outcome? {
        switch body["status"] {
        case "INITIATED": .pending
        case "FAILED", "CANCELLED": .declined
        default: nil
        }
    }

    /// "SUCCESS APPROVED AUTHORIZED".
    private static func summary(_ body: ReplyBody) -> String {
        [body["result"], body["response.gatewayCode"], body["order.status"]].map { $0 ?? "none" }
            .joined(separator: " ")
    }

    public func read(_ notification: ClientNotification) -> Notice {
        let body = (try? JSON.parse(notification.body)).map(ReplyBody.json) ?? .none
        // Over http the gateway sends no secret: whoever listens would know it.
        let isGenuine = notification.header("X-Notification-Secret").map { secret in
            self.credentials.notificationSecret?.matches(secret) ?? false
        }
        let currency = body.currency("transaction.currency", "order.currency")
        return Notice(
            title: [body["transaction.type"], body["result"], body["order.status"]],
            Self.subject(body["transaction.type"]), order: body["order.id"], key: body["transaction.id"],
            outcome: Self.outcome(body["result"]), amount: body.amount("transaction.amount", currency: currency),
            isGenuine: isGenuine, body: body)
    }

    private static func subject(_ type: String?) -> Notice.Subject {
        switch type {
        case "AUTHORIZATION", "PAYMENT": .payment
        case "CAPTURE": .capture
        case "REFUND": .refund
        case "VOID_AUTHORIZATION": .void
        default: .other
        }
    }
}
