//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

extension Gateway {
    /// An order, if the merchant made it in this dialect. What is another's does not exist.
    static func order(
        _ id: OrderID, of merchantID: MerchantID, dialect: DialectName, in reader: any StoreReader
    ) throws -> Order {
        guard let order = try reader.order(id), order.merchantID == merchantID, order.dialect == dialect else {
            throw GatewayRefusal.orderNotFound
        }
        return order
    }

    /// An order by the merchant's own name for it.
    static func order(
        named name: String, of merchantID: MerchantID, dialect: DialectName, in reader: any StoreReader
    ) throws -> Order {
        guard let order = try reader.order(of: merchantID, dialect: dialect, reference: name) else {
            throw GatewayRefusal.orderNotFound
        }
        return order
    }

    /// The payment that a selector names, if it is the merchant's. What is another's does not exist.
    static func payment(
        _ selector: PaymentSelector, of merchantID: MerchantID, dialect: DialectName, in reader: any StoreReader
    ) throws -> Payment {
        let paymentID: PaymentID?
        switch selector {
        case .payment(let id): paymentID = id
        case .order(let id):
            let order = try self.order(id, of: merchantID, dialect: dialect, in: reader)
            guard let id = order.paymentID else { throw GatewayRefusal.payment(.notCaptured) }
            paymentID = id
        case .orderNamed(let name):
            paymentID = try self.order(named: name, of: merchantID, dialect: dialect, in: reader).paymentID
        case .operation(let id): paymentID = try reader.paymentID(ofOperation: id)
        case .reference(let name):
            paymentID = try reader.operation(name.reference(of: merchantID, in: dialect)).flatMap {
                try reader.paymentID(ofOperation: $0)
            }
        }
        guard let paymentID, let payment = try reader.payment(paymentID), payment.merchantID == merchantID else {
            throw GatewayRefusal.paymentNotFound
        }
        return payment
    }

    /// The operation that a selector names: for a payment or an order the one that opened it.
    static func operation(
        _ selector: PaymentSelector, of payment: Payment, dialect: DialectName, in reader: any StoreReader
    ) throws -> Operation {
        let operationID: OperationID?
        switch selector {
        case .payment, .order, .orderNamed: operationID = payment.opening?.id
        case .operation(let id): operationID = id
        case .reference(let name):
            operationID = try reader.operation(name.reference(of: payment.merchantID, in: dialect))
        }
        guard let operation = operationID.flatMap(payment.operation) else { throw GatewayRefusal.paymentNotFound }
        return operation
    }
}
