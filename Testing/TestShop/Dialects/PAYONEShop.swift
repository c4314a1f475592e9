//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments

public enum PAYONEShop: ShopDialect {
    public static let name = "payone"
    public static let service = PaidService("payone", captures: .inParts, decisions: .all)
    public static let currencies = ["EUR", "USD", "CAD"]
    /// One in which no state is wanted.
    public static let countryCode = "DE"
    public static let captures = CaptureStyle.inParts
    public static let sells = true
    /// Captures and refunds have no key but their sequence number, and one that failed has not used it: what is sent again
    /// is tried anew.
    public static let keepsFailedFollowUps = false

    public static func client(of merchant: ShopMerchant) throws -> any WireClient {
        PAYONEClient(try PAYONEClient.Credentials(merchant.account))
    }

    public static func callName(of operation: Operation, in payment: Payment) -> String {
        operation.labels.fields["sequencenumber"] ?? "0"
    }

    public static func sends(_ notification: ClientNotification) -> Bool {
        let body = String(decoding: notification.body, as: UTF8.self)
        return body.hasPrefix("key=") || body.contains("&txaction=")
    }

    public static func message(
        _ notice: Notice, _ notification: ClientNotification
    ) -> (order: String, message: String)? {
        guard let order = notice.order, let action = notice["txaction"] else { return nil }
        return (order, "\(notice.key ?? "") \(notice.outcome == .pending ? "pending" : action)")
    }

    public static func messages(of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment) -> [String] {
        let actions: [String] =
            switch event.kind {
            case .authorizationSucceeded: operation.isSale ? ["appointed", "paid"] : ["appointed"]
            case .captureSucceeded: ["capture", "paid"]
            case .refundSucceeded: ["debit"]
            default: []
            }
        return actions.map { "\(self.callName(of: operation, in: payment)) \($0)" }
    }
}
