//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import DialectConformance
import DialectKit
import Foundation
import HTTPTypes
import Money
import StrictJSON

@testable import TapPay

/// What the bank says, as docs/dialects/tappay.md lists it.
private let declines: Set<Int64> = [422, 10003, 10005, 10006, 10008, 10009, 10013, 10023]

extension TapPayDriver {
    func read(_ response: WireResponse, to request: WireRequest, of call: DialectCall?) throws -> DialectAnswer {
        guard response.headers[.contentType] == "application/json; charset=utf-8" else {
            throw ShapeBroken("the answer says no JSON")
        }
        let json = try JSON.parse(response.body)
        guard let status = json["status"]?.integer, let message = json["msg"]?.string,
            let code = TapPayCode(rawValue: Int(status)), message == code.message
        else { throw ShapeBroken("the answer has no status of the table with its msg") }
        // The vendor's clients read the body of no other than 200.
        guard call == nil || response.status == .ok else { throw ShapeBroken("an answer to a call has status 200") }
        if case .query = call?.action { return try self.readRecord(json, "\(status)") }
        var answer = DialectAnswer(Self.verdict(status), code: String(status))
        if let recTradeID = json["rec_trade_id"]?.string { answer.handle = ["rec_trade_id": recTradeID] }
        let amountName = request.path.hasSuffix("/refund") ? "refund_amount" : "amount"
        answer.amount = json[amountName]?.integer.map { Money(minorUnits: $0, currency: self.currency) }
        return answer
    }

    static func verdict(_ status: Int64) -> DialectVerdict {
        switch status {
        case 0: .approved
        case 421: .pending
        default: declines.contains(status) ? .declined : .refused
        }
    }

    private func readRecord(_ json: JSON, _ code: String) throws -> DialectAnswer {
        guard let records = json["trade_records"]?.array else { return DialectAnswer(.refused, code: code) }
        // Another merchant's trade is no trade.
        guard let record = records.first else { return DialectAnswer(.refused, code: code) }
        guard json["status"]?.integer == 2, let isCaptured = record["is_captured"]?.bool,
            let original = record["original_amount"]?.integer, let refunded = record["refunded_amount"]?.integer,
            record["amount"]?.integer == original - refunded
        else { throw ShapeBroken("a record's amounts don't add up") }
        let verdict: DialectVerdict
        switch record["record_status"]?.integer {
        case -1, 5: verdict = .declined
        case 0, 1, 2: verdict = .approved
        case 3: verdict = isCaptured ? .approved : .declined
        case 4: verdict = .pending
        default: throw ShapeBroken("a record has no record_status of the list")
        }
        let money = { Money(minorUnits: $0, currency: self.currency) }
        return DialectAnswer(
            verdict, code: code, captured: money(isCaptured ? original : 0), refunded: money(isCaptured ? refunded : 0))
    }

    // MARK: - Notifications

    func read(_ notification: OutgoingNotification) throws -> DialectNotice {
        let signature = notification.headers.first { $0.name == "X-Pomona-Signature" }?.value ?? ""
        let parts = signature.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), parts[0][0] == "t", parts[1][0] == "v1",
            let code = Hex.decode(parts[1][1])
        else { throw ShapeBroken("the notification is not signed") }
        let isValid = HMAC<SHA256>.isValidAuthenticationCode(
            Data(code), authenticating: Data(Array("\(parts[0][1]).".utf8) + notification.body),
            using: SymmetricKey(data: Data(BackEndShop.partnerKey(12345).utf8)))
        guard isValid else { throw ShapeBroken("the notification's signature is wrong") }
        let body = try JSON.parse(notification.body)
        guard let status = body["status"]?.integer, let units = body["amount"]?.integer,
            body["rec_trade_id"]?.string?.isEmpty == false
        else { throw ShapeBroken("the notification lacks a field") }
        return DialectNotice(
            .payment, Self.verdict(status), amount: Money(minorUnits: units, currency: self.currency))
    }

    var acknowledgement: (status: Int, body: String) { (200, "") }

    // MARK: - Transcripts

    var placeholders: [TranscriptPlaceholder] {
        [
            TranscriptPlaceholder("trade", "(?:D|TP)([0-9]{8}[A-HJ-NP-Za-km-z2-9]{10})"),
            TranscriptPlaceholder("refund", "RF([0-9]{8}[A-HJ-NP-Za-km-z2-9]{10})"),
            TranscriptPlaceholder("prime", "(?:test|prod)_([0-9a-f]{56})"),
            TranscriptPlaceholder("signature", "v1=([0-9a-f]{64})"),
            TranscriptPlaceholder("card", "\"card_identifier\":\"([0-9a-f]{32})\""),
        ]
    }
}
