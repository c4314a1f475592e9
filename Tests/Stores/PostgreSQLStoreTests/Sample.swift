//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StoreConformance
import Synchronization
import Testing
import Time

/// Records for these tests; ids and times are made from numbers.
enum Sample {
    static let now = Timestamp(milliseconds: 1_750_000_000_000)
    static let dialect = DialectName("alphapay")

    static func id<Tag>(_ number: Int) -> Identifier<Tag> {
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * (3 - $0))) }
        return Identifier<Tag>(at: self.now, random: [0, 0, 0, 0, 0, 0] + digits)
    }

    static func merchant(_ number: Int = 1) -> Merchant {
        Merchant(
            id: self.id(number), name: "merchant\(number)", displayName: "Shop", mode: .sandbox,
            countryCode: "CA", createdAt: self.now)
    }

    /// The account of the merchant with that number.
    static func account(_ number: Int = 1) -> AcquirerAccount {
        AcquirerAccount(
            id: self.id(number), merchantID: self.id(number), name: "main", connector: AcquirerName("simulator"),
            mode: .sandbox, createdAt: self.now)
    }

    static func money(_ minorUnits: Int64) throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic("CAD")))
    }

    static func payment(_ number: Int = 1, minorUnits: Int64 = 1000, orderID: OrderID? = nil) throws -> Payment {
        try Payment.opening(
            id: self.id(number), merchantID: self.id(1), mode: .sandbox, dialect: self.dialect,
            acquirer: AcquirerName("simulator"), accountID: self.id(1), orderID: orderID,
            amount: self.money(minorUnits), instrument: Fixtures().instrument(), authorizationID: self.id(number * 10),
            saleCaptureID: self.id(number * 10 + 1), at: self.now)
    }

    static func order(_ number: Int = 1) throws -> Order {
        Order(
            id: self.id(number), merchantID: self.id(1), dialect: self.dialect, reference: "order \(number)",
            amount: try self.money(1000), summary: "", notifyURL: nil, merchantIdentifier: nil, createdAt: self.now,
            expiresAt: self.now)
    }

    static func event(_ number: Int, about payment: Payment) -> OutboxEvent {
        OutboxEvent(
            id: self.id(number), merchantID: payment.merchantID, dialect: self.dialect, kind: .captureSucceeded,
            paymentID: payment.id, operationID: payment.operations[0].id, paymentVersion: payment.version,
            target: "https://shop.example", createdAt: self.now)
    }

    static func keptItem(_ id: String, version: Int = 1, key: String = "1") -> KeptItem {
        KeptItem(
            name: KeptItemName(merchantID: self.id(1), dialect: self.dialect, kind: "prime", id: id),
            content: SealedBytes(keyID: key, box: [5]), version: version, createdAt: self.now,
            expiresAt: self.now.adding(seconds: 60))
    }

    static func claim(_ key: String, of payment: Payment, digest: [UInt8] = [1]) -> IdempotencyClaim {
        IdempotencyClaim(
            key: IdempotencyKey(merchantID: self.id(1), dialect: self.dialect, operation: "pay", key: key),
            digest: digest, subject: .operation(payment.id, payment.operations[0].id), createdAt: self.now)
    }

    /// Writes the merchant and a payment that is captured whole.
    @discardableResult
    static func storeSale(_ store: any PaymentStore, minorUnits: Int64 = 1000) async throws -> Payment {
        let payment = try self.payment(minorUnits: minorUnits)
        let change = try payment.transition(
            on: .resolve(payment.operations[0].id, .succeeded(approved: payment.amount, AcquirerAnswer())),
            at: self.now)
        try await store.write { transaction in
            try transaction.insert(Sample.merchant())
            try transaction.insert(Sample.account())
            try transaction.insert(payment)
            try transaction.update(change, from: 1)
        }
        return change.payment
    }
}

/// A number that bodies count up.
final class Count: Sendable {
    private let count = Mutex(0)

    @discardableResult
    func next() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }

    var value: Int { self.count.withLock { $0 } }
}
