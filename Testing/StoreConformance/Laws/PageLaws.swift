//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Time

/// What is read at once for a page (``ReportReading/payments(_:)-(Set<PaymentID>)`` and its like).
extension Trial {
    func pagesAreReadAtOnce() async throws {
        let merchant = try await self.storedMerchant()
        // Nothing of it is resolved, and nothing is booked.
        let open = try self.make.payment(of: merchant)
        try await self.store.write { try $0.insert(open) }
        var payments = [open.id: open]
        for _ in 0..<3 {
            let sale = try await self.storedSale(minorUnits: 1000)
            payments[sale.id] = sale
        }
        var orders: [OrderID: Order] = [:]
        for _ in 0..<3 {
            let order = try self.make.order(of: merchant)
            orders[order.id] = order
            try await self.store.write { try $0.insert(order) }
        }
        let known = Page(payments: payments, orders: orders)
        try await self.expectRead(known, asking: known)
        var unknown = known
        let stranger = try self.make.payment(of: merchant)
        unknown.payments[stranger.id] = stranger
        unknown.orders[self.make.id()] = orders.values.first
        try await self.expectRead(known, asking: unknown)
        try await self.expectRead(Page(), asking: Page())
        try await self.expectRead(Page(), asking: Page(payments: [stranger.id: stranger]))
        // What the same transaction has written before is seen, and by nobody else.
        let found = try await self.store.write { transaction in
            try transaction.insert(stranger)
            return try transaction.payments([stranger.id])
        }
        try self.expectEqual(found, [stranger.id: stranger], "payments of the same transaction")
    }

    private func expectRead(_ wanted: Page, asking asked: Page) async throws {
        let (payments, orders) = (Set(asked.payments.keys), Set(asked.orders.keys))
        try await self.expectStored(wanted.payments, "payments at once") { try $0.payments(payments) }
        try await self.expectStored(wanted.orders, "orders at once") { try $0.orders(orders) }
        let journals = try await self.store.read { reader in
            try payments.reduce(into: [:]) { $0[$1] = try reader.journal(of: $1) }
        }
        try await self.expectStored(journals, "journals at once") { try $0.journals(of: payments) }
        let (movements, entries) = (asked.movements, wanted.movements)
        let wantedEntries = Dictionary(uniqueKeysWithValues: entries.map { ($0.operationID, $0) })
        try await self.expectStored(wantedEntries, "movements at once") { try $0.movementEntries(of: movements) }
        // Another moment's is another movement.
        let elsewhere = movements.map { entry in
            MovementEntry(
                merchantID: entry.merchantID, resolvedAt: entry.resolvedAt.adding(milliseconds: 1),
                operationID: entry.operationID, paymentID: entry.paymentID, dialect: entry.dialect,
                accountID: entry.accountID, kind: entry.kind, hasSucceeded: entry.hasSucceeded)
        }
        try await self.expectStored([:], "movements of other moments") { try $0.movementEntries(of: elsewhere) }
    }
}

private struct Page {
    var payments: [PaymentID: Payment] = [:]
    var orders: [OrderID: Order] = [:]

    var movements: [MovementEntry] {
        self.payments.values.flatMap { payment in payment.operations.compactMap { MovementEntry(of: payment, $0) } }
    }
}
