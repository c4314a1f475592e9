//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import Foundation
public import Payments
import Time

public enum AlphaPayShop: ShopDialect {
    public static let name = "alphapay"
    public static let service = PaidService("alphapay", currencies: ["CAD"], captures: .withAuthorization)
    public static let currencies = ["CAD"]
    public static let countryCode = "US"
    public static let captures = CaptureStyle.withAuthorization
    public static let sells = true

    public static func client(of merchant: ShopMerchant) throws -> any WireClient {
        try AlphaPayClient(
            AlphaPayClient.Credentials(merchant.account),
            clock: { Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000)) },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
    }

    public static let namesOrders = true

    public static func sends(_ notification: ClientNotification) -> Bool {
        notification.header("Merchant-Code") != nil
    }

    public static func message(
        _ notice: Notice, _ notification: ClientNotification
    ) -> (order: String, message: String)? {
        if let key = notice.key {
            let parts = key.split(separator: "-").map(String.init)
            return parts.count == 2 ? (parts[0], "\(parts[1]) \(notice.outcome.ending)") : nil
        }
        return notice.order.map { ($0, "0 \(notice.outcome.ending)") }
    }

    public static func messages(
        of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment
    ) -> [String] {
        switch event.kind {
        case .authorizationSucceeded, .refundSucceeded: ["\(self.callName(of: operation, in: payment)) succeeded"]
        default: []
        }
    }
}
