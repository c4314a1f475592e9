//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import TestUpstream

@testable import TapPayUpstream

/// Answers as TapPay gives them, in the fields that docs/dialects/tappay.md names.
enum TestReply {
    static let prime = """
        {"status":0,"msg":"Success","prime":"\(Bench.prime)","prime_expiry_millis":1750000090000,"client_ip":"192.0.2.7",
        "card_info":{"bincode":"489537","lastfour":"5671","funding":0,"type":1}}
        """

    static func status(_ status: Int64, _ fields: String = "") -> String {
        #"{"status":\#(status),"msg":"m"\#(fields.isEmpty ? "" : ","+fields)}"#
    }

    /// Of pay-by-prime.
    static func paid(
        _ status: Int64 = 0, trade: String? = Bench.trade, name: String? = Bench.operationID.shortName,
        amount: String = "350", currency: String = "TWD", code: String = "00", authCode: String = "358224"
    ) -> String {
        let fields = [
            trade.map { #""rec_trade_id":"\#($0)""# }, name.map { #""bank_transaction_id":"\#($0)""# },
            #""amount":\#(amount)"#, #""currency":"\#(currency)""#, #""auth_code":"\#(authCode)""#,
            #""bank_result_code":"\#(code)""#, #""bank_result_msg":"x""#, #""acquirer":"TW_CTBC""#,
        ]
        return self.status(status, fields.compactMap { $0 }.joined(separator: ","))
    }

    /// One record of query.
    static func record(
        _ status: Int64 = 0, trade: String = Bench.trade, name: String = Bench.operationID.shortName,
        amount: String = "350", refunded: Int64 = 0, currency: String = "TWD", isCaptured: Bool = false,
        plannedAt: Int64 = 0, code: String = "00", authCode: String = "358224"
    ) -> String {
        """
        {"rec_trade_id":"\(trade)","bank_transaction_id":"\(name)","record_status":\(status),"original_amount":\(amount),
        "amount":\(amount),"refunded_amount":\(refunded),"currency":"\(currency)","is_captured":\(isCaptured),
        "cap_millis":\(plannedAt),"bank_result_code":"\(code)","auth_code":"\(authCode)","time":1750000000000}
        """
    }

    /// Of query: the last page.
    static func list(_ records: String...) -> String {
        let fields =
            #""records_per_page":50,"page":0,"total_page_count":1,"number_of_transactions":\#(records.count),"#
            + #""trade_records":[\#(records.joined(separator: ","))]"#
        return self.status(2, fields)
    }

    /// Of refund.
    static func refunded(
        _ status: Int64 = 0, refund: String? = Bench.refundTrade, amount: String = "350", isCaptured: Bool = true,
        code: String = "00", currency: String = "TWD"
    ) -> String {
        let fields = [
            refund.map { #""refund_id":"\#($0)""# }, #""refund_amount":\#(amount)"#,
            #""is_captured":\#(isCaptured)"#, #""bank_result_code":"\#(code)""#, #""currency":"\#(currency)""#,
        ]
        return self.status(status, fields.compactMap { $0 }.joined(separator: ","))
    }

    /// One entry of trade-history.
    static func entry(
        _ action: Int64, amount: String = "350", name: String? = nil, refund: String? = nil, success: Bool = true,
        isPending: Bool = false, millis: Int64 = 1_750_000_000_000, code: String = "00"
    ) -> String {
        let fields = [
            #""action":\#(action)"#, #""amount":\#(amount)"#, #""success":\#(success)"#,
            #""is_pending":\#(isPending)"#, #""millis":\#(millis)"#, #""bank_result_code":"\#(code)""#,
            name.map { #""bank_refund_id":"\#($0)""# }, refund.map { #""refund_id":"\#($0)""# },
        ]
        return "{\(fields.compactMap { $0 }.joined(separator: ","))}"
    }

    static func history(_ entries: String..., trade: String = Bench.trade, currency: String = "TWD") -> String {
        self.status(
            0,
            #""rec_trade_id":"\#(trade)","currency":"\#(currency)","trade_history":[\#(entries.joined(separator: ","))]"#
        )
    }

    /// What is kept of ``paid()`` and ``record()``.
    static func answer(_ code: String? = "00") -> AcquirerAnswer {
        AcquirerAnswer(reference: Bench.trade, authorizationCode: "358224", responseCode: code)
    }
}
