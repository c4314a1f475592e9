//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import StrictJSON

extension TapPayDriver {
    /// The end of an authorization alone is notified, and there is no word for a chargeback: a record goes on saying what
    /// was captured.
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        let client = self.client(in: shop)
        let trade = payment.handle[TapPayClient.recTradeID] ?? ""
        let record = LateView.Question("query", WireRequest(client.query(trade: trade)), says: Self.record(late))
        let history = LateView.Question(
            "trade-history", WireRequest(client.tradeHistory(trade)), says: Self.history(late))
        let sent: [[String: String?]] =
            late == .authorizationFails
            ? [["rec_trade_id": trade, "status": "10003"]]
            : []
        let reconciliation = LateView.Question(
            "reconciliation", WireRequest(client.call("/tpc/transaction/reconciliation", JSONFields())),
            says: Self.reconciliation(late))
        return LateView(asked: [record, history, reconciliation], sent: sent)
    }

    /// What has succeeded, and stands.
    private static func reconciliation(_ late: LateResult) -> [String: String?] {
        let first = "reconciliation_datas.0.transaction_action"
        return switch late {
        case .saleFails, .authorizationFails, .captureFails: ["number_of_transactions": "0", first: nil]
        case .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            ["number_of_transactions": "1", first: "CAPTURE"]
        }
    }

    private static func record(_ late: LateResult) -> [String: String?] {
        switch late {
        case .saleFails, .authorizationFails: Self.record("-1", isCaptured: "false")
        case .captureFails: Self.record("0", isCaptured: "false")
        case .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            Self.record("1", isCaptured: "true")
        }
    }

    private static func record(_ status: String, isCaptured: String) -> [String: String?] {
        [
            "number_of_transactions": "1", "trade_records.0.record_status": status,
            "trade_records.0.is_captured": isCaptured, "trade_records.0.refunded_amount": "0",
        ]
    }

    /// Operations of ours alone, in their order, each as it ended.
    private static func history(_ late: LateResult) -> [String: String?] {
        let ends: [(action: String, success: String)] =
            switch late {
            case .saleFails, .authorizationFails: [("0", "false")]
            case .captureFails: [("0", "true"), ("1", "false")]
            case .refundFails: [("0", "true"), ("1", "true"), ("3", "false")]
            case .wholeChargeback, .partialChargeback, .chargebackReversed: [("0", "true"), ("1", "true")]
            }
        var says: [String: String?] = ["trade_history.\(ends.count).action": nil]
        for (place, end) in ends.enumerated() {
            says["trade_history.\(place).action"] = end.action
            says["trade_history.\(place).success"] = end.success
        }
        return says
    }
}
