//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments

public enum RadialShop: ShopDialect {
    public static let name = "radial"
    public static let service = PaidService("radial", captures: .inParts, decisions: .authorizations)
    public static let currencies = ["USD", "CAD"]
    public static let countryCode = "US"
    public static let captures = CaptureStyle.inParts
    public static let sells = false

    public static func client(of merchant: ShopMerchant) throws -> any WireClient {
        RadialClient(try RadialClient.Credentials(merchant.account))
    }

    public static func sends(_ notification: ClientNotification) -> Bool {
        notification.body.first == UInt8(ascii: "<")
    }

    /// A cancellation has no name of its own.
    public static func message(
        _ notice: Notice, _ notification: ClientNotification
    ) -> (order: String, message: String)? {
        notice.order.map { ($0, notice.key ?? self.cancellation) }
    }

    public static func messages(of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment) -> [String] {
        switch event.kind {
        case .captureSucceeded, .captureFailed, .refundSucceeded, .refundFailed:
            [operation.labels.fields["clientContext"] ?? ""]
        case .voidSucceeded, .voidFailed, .adjustmentSucceeded, .adjustmentFailed: [self.cancellation]
        default: []
        }
    }

    private static let cancellation = "cancel"
}
