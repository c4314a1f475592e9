//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments
import StrictJSON

public enum TapPayShop: ShopDialect {
    public static let name = "tappay"
    public static let service = PaidService("tappay", currencies: ["USD"], captures: .atOnce)
    public static let currencies = ["USD"]
    public static let countryCode = "US"
    public static let captures = CaptureStyle.atOnce
    public static let sells = true

    public static func client(of merchant: ShopMerchant) throws -> any WireClient {
        TapPayClient(try TapPayClient.Credentials(merchant.account))
    }

    /// A capture has no name: there is one.
    public static func callName(_ number: Int, _ kind: Operation.Kind) -> String {
        kind == .capture ? self.capture : String(number)
    }

    /// "Bank timeout": it is said also of what the bank has given up, and the records say which (10006, Record API).
    public static func inquiry(
        about charge: ChargeFields, _ fields: FollowUpFields, by client: any WireClient
    ) throws -> ClientRequest? {
        var query = fields
        query.target = charge.key
        return try client.query(query)
    }

    public static func callName(of operation: Operation, in payment: Payment) -> String {
        if operation.kind == .capture { return self.capture }
        if operation.id == payment.opening?.id { return "0" }
        return operation.labels.reference?.split(separator: "-").last.map(String.init) ?? ""
    }

    public static func sends(_ notification: ClientNotification) -> Bool {
        (try? JSON.parse(notification.body))?[TapPayClient.recTradeID] != nil
    }

    public static func message(
        _ notice: Notice, _ notification: ClientNotification
    ) -> (order: String, message: String)? {
        notice.order.map { ($0, "0 \(notice.outcome.ending)") }
    }

    public static func messages(of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment) -> [String] {
        guard operation.kind == .authorization else { return [] }
        let ending = operation.state == .succeeded ? "succeeded" : "failed"
        return ["\(self.callName(of: operation, in: payment)) \(ending)"]
    }

    private static let capture = "capture"
}
