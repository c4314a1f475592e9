//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit

extension RadialDriver {
    /// ConfirmFunds alone can be asked: whether something is left to be settled.
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        let confirmation = try self.client(in: shop).confirmFunds(payment.followUp(shop.money(1000)))
        let question = LateView.Question(
            "ConfirmFunds", WireRequest(confirmation),
            says: ["FundsAvailable": late == .captureFails ? "Success" : "Fail"])
        return LateView(asked: [question], sent: Self.status(late).map { [$0] } ?? [])
    }

    /// An authorization is reported to nobody.
    private static func status(_ late: LateResult) -> [String: String?]? {
        switch late {
        case .saleFails, .authorizationFails: nil
        case .captureFails: Self.status("Debit", "R", "DoNotHonor", "10.00", context: "p1-2")
        case .refundFails: Self.status("Credit", "R", "SuspectedFraud", "4.00", context: "p1-3")
        case .wholeChargeback: Self.status("Debit", "R", "Chargeback", "10.00", context: "p1-2")
        case .partialChargeback: Self.status("Debit", "R", "Chargeback", "4.00", context: "p1-2")
        case .chargebackReversed: Self.status("Debit", "S", nil, "4.00", context: "p1-2")
        }
    }

    private static func status(
        _ type: String, _ status: String, _ reason: String?, _ amount: String, context: String
    ) -> [String: String?] {
        [
            "SettlementType": type, "SettlementStatus": status, "DeclineReason": reason, "Amount": amount,
            "ClientContext": context, "StoreId": RadialShop.storeID,
        ]
    }
}
