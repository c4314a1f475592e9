//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Money
import StrictJSON

extension AlphaPayClient {
    /// Refusals for the moment: nothing was done, and the same request may be sent again.
    private static let temporaryCodes: Set = [
        "REQUEST_INCOMPLETE", "REQUEST_TRAFFIC_EXCEED_LIMIT", "SYSTEM_BUSY",
    ]

    /// What the bank says, or what was taken back.
    private static let declineCodes: Set = [
        "CARD_EXPIRED", "CARD_INVALID", "CARD_LOST_OR_STOLEN", "CARD_NOT_PERMITTED", "CHANNEL_REFUSED",
        "CHANNEL_SYSTEM_ERROR", "CHANNEL_TIMEOUT", "DO_NOT_HONOR", "INSUFFICIENT_FUNDS", "ISSUER_UNAVAILABLE",
        "PAYMENT_AMOUNT_EXCEED_LIMIT", "PROCESS_FAIL", "RISK_REJECT", "TAKEN_BACK",
    ]

    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let json = try? JSON.parse(reply.body) else {
            return .unreadable(reply, "AlphaPay answered with something that is no JSON (HTTP \(reply.status)).")
        }
        let body = ReplyBody.json(json)
        let code = body["result.resultCode"] ?? ""
        var reading = Reading(
            Self.outcome(body), code: code, text: "\(code): \(body["result.resultMessage"] ?? "")", reply, body)
        reading.isTemporary = reading.outcome == .refused && Self.temporaryCodes.contains(code)
        reading.isGenuine = self.isGateways(reply, to: request.path)
        reading.handle = body.filled(Self.paymentID).map { [Self.paymentID: $0] } ?? [:]
        reading.reference = body.filled("refundId") ?? body.filled(Self.paymentID)
        reading.amount = Self.amount(body, "refund.refundAmount") ?? Self.amount(body, "order.orderAmount")
        // A forged answer says nothing, and gives nothing to be named later.
        if reading.isGenuine == false {
            reading.outcome = .unknown
            reading.isTemporary = false
            reading.handle = [:]
            reading.text = "AlphaPay's answer is not signed by the gateway: \(reading.text)"
        }
        return reading
    }

    private static func outcome(_ body: ReplyBody) -> Reading.Outcome {
        let code = body["result.resultCode"] ?? ""
        switch body["result.resultStatus"] {
        case "S": return self.outcome(ofStatus: body["refundStatus"] ?? body["paymentStatus"] ?? "SUCCESS")
        // An order is answered so, and has then all that a payment sheet needs.
        case "U": return body.json?["applePayParams"] != nil ? .approved : .pending
        // A refusal says how the order stands, too, which an earlier card may have been declined for.
        case "F": return self.declineCodes.contains(code) ? .declined : .refused
        default: return .unknown
        }
    }

    private static func outcome(ofStatus status: String) -> Reading.Outcome {
        switch status {
        case "SUCCESS", "PARTIAL_REFUND", "FULL_REFUND": .approved
        case "FAILED": .declined
        case "PAYMENT_IN_PROCESS", "REFUND_IN_PROCESS": .pending
        default: .unknown
        }
    }

    private static func amount(_ body: ReplyBody, _ path: String) -> Money? {
        guard let currency = body.currency("\(path).currency"), let text = body["\(path).value"] else { return nil }
        return try? Money(minorUnitText: text, currency: currency)
    }

    public func read(_ notification: ClientNotification) -> Notice {
        let body = (try? JSON.parse(notification.body)).map(ReplyBody.json) ?? .none
        let isRefund = body["refundId"] != nil
        let status = body[isRefund ? "refundStatus" : "paymentStatus"]
        return Notice(
            title: [isRefund ? "refund" : "payment", status ?? body["result.resultCode"]],
            isRefund ? .refund : body[Self.paymentID] == nil ? .other : .payment, order: body["paymentRequestId"],
            key: body["refundRequestId"],
            outcome: status.map(Self.outcome(ofStatus:)) ?? .unknown,
            amount: Self.amount(body, isRefund ? "refund.refundAmount" : "order.orderAmount"),
            isGenuine: self.isGateways(notification), acknowledgement: Self.acknowledgement, body: body)
    }

    /// Only this counts; a bare 200 does not.
    public static let acknowledgement = ClientReply(
        status: 200, headers: [.contentType: "application/json; charset=UTF-8"],
        body: ([
            "result": ["resultCode": "SUCCESS", "resultStatus": "S", "resultMessage": "success"]
        ] as JSON).serialized())
}
