//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Money
import Redaction
import StrictJSON

extension TapPayClient {
    /// The gateway or the bank gave up waiting, the trade is pending, or the bank knows the id: the outcome has to be
    /// asked for.
    private static let pendingCodes: Set<Int64> = [421, 422, 10_001, 10_006, 10_013]
    /// A system error, or something else of the trade is under way: the same request may be sent again.
    private static let temporaryCodes: Set<Int64> = [915, 936, 10_010]
    /// The bank's own words; and an expired card, which the front end sees before the bank is asked.
    private static let declineCodes: Set<Int64> = [2013, 10_003, 10_005, 10_009, 10_015, 10_023]

    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let json = try? JSON.parse(reply.body), let code = json["status"]?.integer else {
            return .unreadable(reply, "TapPay's answer has no status (HTTP \(reply.status)).")
        }
        let body = ReplyBody.json(json)
        let records = json["trade_records"]?.array
        var reading = Reading(
            Self.outcome(code, records), code: String(code), text: "\(code): \(body["msg"] ?? "")", reply, body)
        reading.isTemporary = reading.outcome == .refused && Self.temporaryCodes.contains(code)
        reading.instrument = body.filled("prime").map { .prime(Redacted($0)) }
        // A query that finds one trade is about that.
        let trade = records?.count == 1 ? records?.first.map(ReplyBody.json) ?? body : body
        if let id = trade.filled(Self.recTradeID) { reading.handle[Self.recTradeID] = id }
        reading.reference = body["refund_id"] ?? trade[Self.recTradeID]
        let currency = trade.currency("currency")
        func money(_ name: String) -> Money? { Self.money(trade.json?[name]?.integer, currency) }
        reading.amount = money("original_amount") ?? money("refund_amount") ?? money("amount")
        reading.refunded = money("refunded_amount")
        if trade["is_captured"] == "true", records != nil { reading.captured = money("original_amount") }
        reading.authorizationCode = trade.filled("auth_code")
        reading.issuerCode = trade.filled("bank_result_code")
        return reading
    }

    private static func outcome(_ code: Int64, _ records: [JSON]?) -> Reading.Outcome {
        switch code {
        // On the last page of a query 2 is success.
        case 0, 2:
            guard let records else { return .approved }
            return records.count == 1 ? self.outcome(ofRecord: records[0]["record_status"]?.integer) : .unknown
        case let code where self.pendingCodes.contains(code): return .pending
        case let code where self.declineCodes.contains(code): return .declined
        default: return .refused
        }
    }

    /// `record_status` of a query.
    private static func outcome(ofRecord status: Int64?) -> Reading.Outcome {
        switch status {
        case 0, 1, 2: .approved
        // Refunded whole, or taken back: it was approved.
        case 3: .approved
        case 4: .pending
        case -1, 5: .declined
        default: .unknown
        }
    }

    public func read(_ notification: ClientNotification) -> Notice {
        let json = try? JSON.parse(notification.body)
        let body = json.map(ReplyBody.json) ?? .none
        return Notice(
            title: [body["msg"], body[Self.recTradeID]], json == nil ? .other : .payment, order: body["order_number"],
            key: body["bank_transaction_id"],
            outcome: json?["status"]?.integer.map { Self.outcome($0, nil) } ?? .unknown,
            isGenuine: self.isGenuine(notification), body: body)
    }

    /// The gateway signs with the partner key: `t=<seconds>,v1=<HMAC-SHA256 in hexadecimal>` over the seconds, a dot
    /// and the body. The vendor's own notifications prove nothing.
    private func isGenuine(_ notification: ClientNotification) -> Bool {
        guard let header = notification.header("X-Pomona-Signature") else { return false }
        let parts = header.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), parts[0][0] == "t", parts[1][0] == "v1",
            let code = Hex.decode(String(parts[1][1]))
        else { return false }
        let key = SymmetricKey(data: Data(self.credentials.partnerKey.reveal().utf8))
        return HMAC<SHA256>.isValidAuthenticationCode(
            Data(code), authenticating: Data("\(parts[0][1]).".utf8) + Data(notification.body), using: key)
    }
}
