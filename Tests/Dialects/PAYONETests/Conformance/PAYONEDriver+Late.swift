//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance

extension PAYONEDriver {
    /// There is nothing to ask.
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        LateView(asked: [], sent: [Self.status(late)])
    }

    private static func status(_ late: LateResult) -> [String: String?] {
        switch late {
        case .saleFails: Self.status("cancelation", "0", balance: "10.00", receivable: "10.00")
        case .authorizationFails: Self.status("failed", "0", balance: "0.00", receivable: "0.00", reason: "5")
        case .captureFails: Self.status("cancelation", "1", balance: "10.00", receivable: "10.00")
        case .refundFails: Self.status("failed", "1", balance: "0.00", receivable: "10.00", reason: "34")
        case .wholeChargeback: Self.status("cancelation", "0", balance: "10.00", receivable: "10.00")
        case .partialChargeback: Self.status("cancelation", "0", balance: "4.00", receivable: "10.00")
        case .chargebackReversed: Self.status("paid", "0", balance: "0.00", receivable: "10.00")
        }
    }

    private static func status(
        _ action: String, _ sequenceNumber: String, balance: String, receivable: String, reason: String? = nil
    ) -> [String: String?] {
        [
            "txaction": action, "transaction_status": "completed", "sequencenumber": sequenceNumber,
            "price": "10.00", "balance": balance, "receivable": receivable, "reasoncode": reason,
            "transactiontype": nil,
        ]
    }
}
