//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Answers as the vendor's sandbox gives them. The fields are those of TapPay/tappay-java, TapPay/tappay-nodejs and
/// ryan08100715/tappay-sdk, with values that the tests and pages of these have; they were paid with a test card, so that
/// the bank's code is empty.
enum StandInAnswers {
    private static let prime = #"""
        {"status":0,"msg":"Success","prime":"","prime_expiry_millis":1563862250171,"client_ip":"192.0.2.7",
        "merchant_reference_info":{"affiliate_codes":[]},
        "card_info":{"bincode":"424242","lastfour":"4242","issuer":"","issuer_zh_tw":"","bank_id":"","funding":0,
        "type":1,"level":"","country":"UNITED KINGDOM","countrycode":"GB"}}
        """#

    private static let payment = #"""
        {"status":0,"msg":"Success","amount":1,"acquirer":"TW_CTBC","currency":"TWD","card_secret":{},
        "rec_trade_id":"D20190723Uxy4ZR","bank_transaction_id":"TP20190723Uxy4ZR","bank_order_number":"TP20190723Uxy4ZR",
        "order_number":"","auth_code":"358224",
        "card_info":{"bin_code":"424242","last_four":"4242","issuer":"","issuer_zh_tw":"","bank_id":"","funding":0,
        "type":1,"level":"","country":"UNITED KINGDOM","country_code":"GB","expiry_date":"203501"},
        "transaction_time_millis":1563862160171,
        "bank_transaction_time":{"start_time_millis":"1563862160171","end_time_millis":"1563862160171"},
        "bank_result_code":"","bank_result_msg":"","payment_url":"","instalment_info":{},"redeem_info":{},
        "card_identifier":"9fd5fcd0c9a1d2e3f4a5b6c7d8e9f0a1","merchant_reference_info":{"affiliate_codes":[]},
        "event_code":"","is_rba_verified":false,"merchant_id":"GlobalTesting_CTBC",
        "transaction_method_details":{"transaction_method":"FRICTIONLESS","transaction_method_reference":"RBA"}}
        """#

    private static let record = #"""
        {"rec_trade_id":"","auth_code":"358224","merchant_id":"GlobalTesting_CTBC","merchant_name":"Global Testing",
        "app_name":"Shop","time":1563862160171,"amount":1,"refunded_amount":0,"record_status":0,"bank_transaction_id":"",
        "cap_millis":0,"original_amount":1,"bank_transaction_start_millis":1563862160171,
        "bank_transaction_end_millis":1563862160171,"is_captured":false,"bank_result_code":"","bank_result_msg":"",
        "partial_card_number":"424242******4242","payment_method":"apple_pay","details":"","cardholder":{"phone_number":
        "","name":"","email":"","zip_code":"","address":"","national_id":"","member_id":"","bank_member_id":""},
        "currency":"TWD","three_domain_secure":false,"pay_by_instalment":false,"order_number":"",
        "card_identifier":"9fd5fcd0c9a1d2e3f4a5b6c7d8e9f0a1","card_info":{"bin_code":"424242","last_four":"4242",
        "funding":0,"type":1},"is_rba_verified":false}
        """#

    /// When nothing else says a time.
    static let captureMillis: Int64 = 1_563_897_600_000

    static func prime(_ prime: String) -> JSON { self.filled(self.prime, ["prime": .string(prime)]) }

    static func payment(_ trade: StandInTrade) -> JSON {
        self.filled(
            self.payment,
            [
                "amount": JSON(trade.amount), "rec_trade_id": .string(trade.id),
                "bank_transaction_id": .string(trade.name), "bank_order_number": .string(trade.name),
                "order_number": .string(trade.order),
            ])
    }

    /// - Parameter bankCode: where the bank gave one.
    static func status(_ status: Int64, bankCode: String? = nil) -> JSON {
        var object = JSONObject([("status", JSON(status)), ("msg", "Error")])
        if let bankCode {
            object["bank_result_code"] = .string(bankCode)
            object["bank_result_msg"] = "Declined"
        }
        return .object(object)
    }

    static func capture(_ trade: StandInTrade) -> JSON {
        ["status": 0, "msg": "Success", "cap_millis": JSON(self.captureMillis), "currency": "TWD"]
    }

    static func captureCanceled(_ trade: StandInTrade) -> JSON {
        ["status": 0, "msg": "Success", "currency": "TWD", "rec_trade_id": .string(trade.id)]
    }

    static func refund(_ refund: StandInTrade.Refund) -> JSON {
        [
            "status": 0, "msg": "Success", "refund_id": .string(refund.id), "bank_refund_order_number": "",
            "refund_amount": JSON(refund.amount), "is_captured": .bool(refund.isOfACapture), "bank_result_code": "",
            "bank_result_msg": "", "currency": "TWD",
        ]
    }

    static func refundCanceled(_ trade: StandInTrade, _ refund: StandInTrade.Refund) -> JSON {
        [
            "status": 0, "msg": "Success", "currency": "TWD", "rec_trade_id": .string(trade.id),
            "result": ["success": true, "refund_id": .string(refund.id), "amount": JSON(refund.amount)],
        ]
    }

    /// The last page of a list is "End of list", number 2, with its records.
    static func list(_ trades: [StandInTrade]) -> JSON {
        [
            "status": 2, "msg": "End of list", "records_per_page": 50, "page": 0, "total_page_count": 1,
            "number_of_transactions": JSON(Int64(trades.count)), "trade_records": .array(trades.map(self.record)),
        ]
    }

    private static func record(_ trade: StandInTrade) -> JSON {
        self.filled(
            self.record,
            [
                "rec_trade_id": .string(trade.id), "bank_transaction_id": .string(trade.name),
                "order_number": .string(trade.order), "original_amount": JSON(trade.amount), "amount": JSON(trade.left),
                "refunded_amount": JSON(trade.refunded), "record_status": JSON(trade.recordStatus),
                "is_captured": .bool(trade.capture == .done),
                "cap_millis": JSON(trade.capture == .none ? 0 : self.captureMillis),
            ])
    }

    // MARK: - History

    static func history(_ trade: StandInTrade, isEmpty: Bool, _ quirks: StandInQuirks) -> JSON {
        var entries = [self.entry(0, trade.amount, isDone: trade.standing != .declined)]
        if trade.capture == .done { entries.append(self.entry(1, trade.amount)) }
        if !isEmpty { entries += trade.refunds.flatMap { self.entries($0, isNamed: quirks.namesRefunds) } }
        if quirks.newestFirst { entries.reverse() }
        return [
            "status": 0, "msg": "Success", "rec_trade_id": .string(trade.id), "bank_order_number": "",
            "currency": "TWD", "trade_history": .array(entries),
        ]
    }

    private static func entries(_ refund: StandInTrade.Refund, isNamed: Bool) -> [JSON] {
        let name = isNamed ? refund.name : nil
        let isPending = refund.standing == .pending
        let made = self.entry(
            3, refund.amount, refund.id, name, isDone: refund.standing != .failed && !isPending, isPending: isPending)
        return refund.standing == .canceled ? [made, self.entry(6, refund.amount, refund.id, name)] : [made]
    }

    private static func entry(
        _ action: Int64, _ amount: Int64, _ refund: String? = nil, _ name: String? = nil, isDone: Bool = true,
        isPending: Bool = false
    ) -> JSON {
        [
            "amount": JSON(amount), "action": JSON(action), "millis": 2_000_000_000_000, "success": .bool(isDone),
            "bank_transaction_millis": 1_563_862_160_171, "can_refund_cancel_millis": 0,
            "refund_id": .string(refund ?? ""), "bank_refund_order_number": "", "bank_refund_id": .string(name ?? ""),
            "is_pending": .bool(isPending), "bank_result_code": "", "bank_result_msg": "",
        ]
    }

    // MARK: - Notices

    /// What is posted to `backend_notify_url`.
    static func notice(_ trade: StandInTrade) -> String {
        let status: JSON = trade.standing == .alive ? 0 : 10003
        let fields: JSON = [
            "rec_trade_id": .string(trade.id), "auth_code": "358224", "bank_transaction_id": .string(trade.name),
            "bank_order_number": .string(trade.name), "order_number": .string(trade.order),
            "amount": JSON(trade.amount), "status": status, "msg": "Success",
            "transaction_time_millis": 1_563_862_160_171, "pay_info": [:], "acquirer": "TW_CTBC",
            "bank_result_code": "", "bank_result_msg": "",
        ]
        return fields.text(pretty: false)
    }

    /// - Parameter text: a JSON object.
    private static func filled(_ text: String, _ values: [String: JSON]) -> JSON {
        var object = (try? JSON.parse(text))?.object ?? JSONObject()
        for (name, value) in values { object[name] = value }
        return .object(object)
    }
}
