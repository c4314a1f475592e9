//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments

public enum CommWebShop: ShopDialect {
    public static let name = "commweb"
    /// One of the names of MPGS.
    public static let service = PaidService("mpgs", captures: .inParts)
    public static let currencies = ["USD", "CAD"]
    public static let countryCode = "US"
    public static let captures = CaptureStyle.inParts
    public static let sells = true
    public static let takesCards = true

    public static func client(of merchant: ShopMerchant) throws -> any WireClient {
        CommWebClient(try CommWebClient.Credentials(merchant.account))
    }

    /// It counts transactions from 1.
    public static func key(_ order: String, _ number: Int) -> String { String(number + 1) }

    public static func callName(_ number: Int, _ kind: Operation.Kind) -> String { String(number + 1) }

    public static let namesOrders = true

    public static func callName(of operation: Operation, in payment: Payment) -> String {
        operation.labels.fields["transaction"] ?? ""
    }

    public static func sends(_ notification: ClientNotification) -> Bool {
        notification.header(self.notificationID) != nil
    }

    public static func message(
        _ notice: Notice, _ notification: ClientNotification
    ) -> (order: String, message: String)? {
        guard let order = notice.order, let id = notification.header(self.notificationID) else { return nil }
        return (order, id)
    }

    public static func messages(of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment) -> [String] {
        [event.id.text]
    }

    private static let notificationID = "X-Notification-ID"
}
