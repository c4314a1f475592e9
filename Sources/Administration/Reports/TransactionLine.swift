//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
import Redaction
public import StrictJSON
import Time

/// A movement as reports show it: an operation whose end is known.
public struct TransactionLine: ReportRow, Hashable {
    public let movement: Movement
    /// What the merchant is called.
    public let merchant: String
    /// Where the merchant's days begin and end.
    public let zone: ReportZone
    /// What the account with the acquirer is called.
    public let account: String
    /// What the merchant calls the order, where the dialect has orders.
    public let orderReference: String?
    /// What the acquirer kept when it reported the operation.
    public let fee: Money?

    public static let columns = [
        "moment", "momentUTC", "merchant", "payment", "operation", "kind", "state", "reason", "amount", "minorUnits",
        "change", "currency", "fee", "dialect", "account", "network", "card", "order", "reference", "acquirerReference",
        "authorizationCode",
    ]

    public var cells: [JSON] {
        let (payment, operation) = (self.movement.payment, self.movement.operation)
        let amount = operation.movedAmount
        return [
            .string(self.zone.text(of: self.movement.resolvedAt)),
            .string(self.movement.resolvedAt.rfc3339Milliseconds),
            .string(self.merchant), .string(payment.id.text), .string(operation.id.text),
            .string(operation.kind.rawValue), .string(operation.state == .succeeded ? "succeeded" : "failed"),
            .string(self.reason), .string(amount.decimalText), JSON(amount.minorUnits),
            .string(self.movement.change.decimalText), .string(amount.currency.code),
            .string(self.fee?.decimalText ?? ""), .string(payment.dialect.text), .string(self.account),
            .string(payment.instrument.network.rawValue), .string(payment.instrument.maskedPAN.suffix),
            .string(self.orderReference ?? ""), .string(operation.merchantReference ?? ""),
            .string(operation.acquirerReference ?? ""), .string(operation.answer.authorizationCode ?? ""),
        ]
    }

    /// Why it failed, by a stable name; empty for what succeeded.
    private var reason: String {
        guard case .failed(let failure) = self.movement.operation.state else { return "" }
        return failure.name
    }
}

extension TransactionLine {
    init(_ movement: Movement, _ names: inout PaymentNames, in reader: any StoreReader) throws {
        let payment = movement.payment
        let merchant = try names.merchant(of: payment, in: reader)
        self.init(
            movement: movement, merchant: merchant?.name ?? payment.merchantID.text,
            zone: merchant?.reportZone ?? .utc, account: try names.account(of: payment, in: reader),
            orderReference: names.orderReference(of: payment), fee: try movement.fee(in: reader))
    }
}
