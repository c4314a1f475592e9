//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import StrictJSON
import TestGateway
import Time

extension AlphaPayDriver {
    /// A success alone is notified, and there is no word for a chargeback: the inquiry goes on saying what was paid.
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        let client = try self.client(in: shop)
        let inquiry = try client.inquire(payment.handle[AlphaPayClient.paymentID] ?? "")
        var asked = [LateView.Question("inquiryPayment", WireRequest(inquiry), says: Self.payment(late))]
        if late == .refundFails {
            asked.append(
                LateView.Question(
                    "inquiryRefund", WireRequest(try client.inquireRefund(requestID: "p1-2")),
                    says: [
                        "refundStatus": "FAILED", "refundResultCode": "RISK_REJECT", "result.resultStatus": "S",
                    ]))
        }
        let day = shop.clock.now.compactDate
        asked.append(
            LateView.Question(
                "transactions", WireRequest(try client.transactions(day: day)), says: Self.transactions(late)))
        asked.append(
            LateView.Question(
                "settlements", WireRequest(try client.call("settlements", ["date": .string(day)])),
                says: Self.settlement(late)))
        return LateView(asked: asked, sent: [])
    }

    private static func payment(_ late: LateResult) -> [String: String?] {
        switch late {
        case .saleFails, .authorizationFails, .captureFails:
            ["paymentStatus": "FAILED", "paymentResultCode": "DO_NOT_HONOR", "result.resultStatus": "S"]
        case .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            ["paymentStatus": "SUCCESS", "result.resultStatus": "S"]
        }
    }

    /// What has succeeded, and stands.
    private static func transactions(_ late: LateResult) -> [String: String?] {
        switch late {
        case .saleFails, .authorizationFails, .captureFails: ["pagination.total": "0"]
        case .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            [
                "pagination.total": "1", "transactions.0.transactionType": "Credit", "transactions.0.amount": "1000",
            ]
        }
    }

    private static func settlement(_ late: LateResult) -> [String: String?] {
        let first = "settlements.0.settleInfo"
        switch late {
        case .saleFails, .authorizationFails, .captureFails: return ["\(first).netAmount": nil]
        case .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            return ["\(first).creditAmount": "1000", "\(first).debitAmount": "0", "\(first).netAmount": "1000"]
        }
    }
}
