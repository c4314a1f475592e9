//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Foundation
import HTTPTypes
import Money
import StrictJSON

/// The wire's words for what the bank says, as docs/dialects/alphapay.md lists them.
private let declines: Set = [
    "DO_NOT_HONOR", "INSUFFICIENT_FUNDS", "CARD_EXPIRED", "CARD_INVALID", "CARD_LOST_OR_STOLEN", "RISK_REJECT",
    "PAYMENT_AMOUNT_EXCEED_LIMIT", "CARD_NOT_PERMITTED", "ISSUER_UNAVAILABLE", "CHANNEL_TIMEOUT",
    "CHANNEL_SYSTEM_ERROR", "CHANNEL_REFUSED", "PROCESS_FAIL", "TAKEN_BACK", "CHANNEL_UNAVAILABLE",
    "CHANNEL_MISCONFIGURED",
]

extension AlphaPayDriver {
    func read(_ response: WireResponse, to request: WireRequest, of call: DialectCall?) throws -> DialectAnswer {
        let reply = try Reply(response, to: request)
        guard reply.headers[.contentType] == "application/json; charset=UTF-8" else {
            throw ShapeBroken("the answer says no JSON")
        }
        // Every answer to a call is signed, and with 200: the vendor's client reads no other.
        if call != nil {
            guard reply.isSigned else { throw ShapeBroken("the answer is not signed") }
            guard reply.httpStatus == 200 else { throw ShapeBroken("the answer's status is \(reply.httpStatus)") }
        }
        var answer = DialectAnswer(self.verdict(reply), code: reply.code)
        if case .query = call?.action, reply.result != "ORDER_NOT_EXIST F" {
            answer.verdict = try self.verdict(status: reply["paymentStatus"])
        }
        if let refund = reply.json["refund"]?["refundAmount"] { answer.amount = try self.money(refund) }
        if let paymentID = reply["paymentId"] { answer.handle = ["paymentId": paymentID] }
        return answer
    }

    private func verdict(_ reply: Reply) -> DialectVerdict {
        switch reply.json["result"]?["resultStatus"]?.string {
        case "S": .approved
        case "U": .pending
        default: declines.contains(reply.code) ? .declined : .refused
        }
    }

    private func verdict(status: String?) throws -> DialectVerdict {
        switch status {
        case "SUCCESS", "PARTIAL_REFUND", "FULL_REFUND": .approved
        case "PAYMENT_IN_PROCESS", "REFUND_IN_PROCESS": .pending
        case "FAILED": .declined
        default: throw ShapeBroken("the answer has no status of the list")
        }
    }

    private func money(_ json: JSON) throws -> Money {
        guard let text = json["value"]?.string, let value = Int64(text), json["currency"]?.string == self.currency.code
        else { throw ShapeBroken("an amount is not one of minor units in \(self.currency.code)") }
        return Money(minorUnits: value, currency: self.currency)
    }

    // MARK: - Notifications

    func read(_ notification: OutgoingNotification) throws -> DialectNotice {
        func header(_ name: String) -> String { notification.headers.first { $0.name == name }?.value ?? "" }
        let body = try JSON.parse(notification.body)
        let isRefund = body["refundId"] != nil
        let signed =
            "POST \(isRefund ? "/refund" : "/notify")\n"
            + "\(header("Merchant-Code")).\(header("Request-Time")).\(header("Nonce"))."
        guard try Reply.isValid(header: header("Signature"), signed: signed, body: notification.body) else {
            throw ShapeBroken("the notification is not signed")
        }
        guard isRefund else {
            return DialectNotice(
                .payment, try self.verdict(status: body["paymentStatus"]?.string),
                amount: try self.money(body["order"]?["orderAmount"] ?? .null))
        }
        return DialectNotice(
            .refund, try self.verdict(status: body["refundStatus"]?.string),
            amount: try self.money(body["refund"]?["refundAmount"] ?? .null))
    }

    var acknowledgement: (status: Int, body: String) {
        (200, #"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#)
    }

    var unacknowledged: [String] { ["", "success", #"{"result":{"resultStatus":"F"}}"#] }

    // MARK: - Transcripts

    var placeholders: [TranscriptPlaceholder] {
        [
            TranscriptPlaceholder("signature", "signature=([^,]+)$"),
            TranscriptPlaceholder("nonce", "^(?i:nonce): (.+)$"),
        ]
    }
}
