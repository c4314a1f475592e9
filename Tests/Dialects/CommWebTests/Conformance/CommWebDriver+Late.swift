//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit

extension CommWebDriver {
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        let client = self.client(in: shop)
        let order = LateView.Question(
            "RETRIEVE_ORDER", WireRequest(client.retrieve(order: payment.payment)), says: Self.order(late))
        let transaction = Self.transaction(late).map { id, says in
            LateView.Question(
                "RETRIEVE_TRANSACTION", WireRequest(client.retrieve(order: payment.payment, transaction: id)),
                says: says)
        }
        // A transaction that failed is notified as it is retrieved; a chargeback is no transaction.
        return LateView(asked: [order] + [transaction].compactMap { $0 }, sent: transaction.map { [$0.says] } ?? [])
    }

    private static func order(_ late: LateResult) -> [String: String?] {
        switch late {
        case .saleFails, .authorizationFails:
            ["status": "FAILED", "totalCapturedAmount": "0.00", "chargeback.amount": "0"]
        case .captureFails: ["status": "AUTHORIZED", "totalCapturedAmount": "0.00", "totalAuthorizedAmount": "10.00"]
        case .refundFails: ["status": "CAPTURED", "totalCapturedAmount": "10.00", "totalRefundedAmount": "0.00"]
        case .wholeChargeback:
            ["status": "CHARGEBACK_PROCESSED", "totalCapturedAmount": "10.00", "chargeback.amount": "10.00"]
        case .partialChargeback:
            ["status": "CHARGEBACK_PROCESSED", "totalCapturedAmount": "10.00", "chargeback.amount": "4.00"]
        case .chargebackReversed:
            ["status": "CAPTURED", "totalCapturedAmount": "10.00", "chargeback.amount": "0"]
        }
    }

    /// The transaction that failed.
    private static func transaction(_ late: LateResult) -> (id: String, says: [String: String?])? {
        switch late {
        case .saleFails: ("p1-1", Self.declined("PAYMENT"))
        case .authorizationFails: ("p1-1", Self.declined("AUTHORIZATION"))
        case .captureFails: ("p1-2", Self.declined("CAPTURE"))
        case .refundFails: ("p1-2", Self.declined("REFUND"))
        case .wholeChargeback, .partialChargeback, .chargebackReversed: nil
        }
    }

    private static func declined(_ type: String) -> [String: String?] {
        ["transaction.type": type, "result": "FAILURE", "response.gatewayCode": "DECLINED"]
    }
}
