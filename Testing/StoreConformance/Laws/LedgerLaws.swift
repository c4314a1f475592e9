//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments

extension Trial {
    func journalKeepsItsOrder() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let journal = try await self.store.read { try $0.journal(of: sale.id) }
        try self.expectEqual(journal.map(\.kind), [.hold, .capture], "what a sale books")
        try self.expectEqual(
            journal.map(\.id), sale.operations.map(\.id.text), "entries are in the order of their operations")
        try self.expect(journal.allSatisfy { $0.subject == sale.id.text }, "an entry is about another payment")
        try self.expectEqual(journal.map(\.postings.count), [2, 4], "postings")
    }

    func ledgerSumsAgreeWithTheJournal() async throws {
        var sales: [Payment] = []
        for index in 1...5 { sales.append(try await self.storedSale(minorUnits: Int64(index) * 1000)) }
        var refunded = sales[0]
        for _ in 0..<3 {
            let version = refunded.version
            let request = OperationRequest(id: self.make.id(), action: .refund(try self.make.money(100)))
            let begun = try refunded.transition(on: .begin(request), at: self.make.time())
            let resolution = Resolution.succeeded(approved: try self.make.money(100), AcquirerAnswer())
            let change = try begun.payment.transition(on: .resolve(request.id, resolution), at: self.make.time())
            try await self.store.write { transaction in
                try transaction.update(begun, from: version)
                try transaction.update(change, from: begun.payment.version)
            }
            refunded = change.payment
        }
        var balances = LedgerBalances()
        for sale in sales {
            for entry in try await self.store.read({ try $0.journal(of: sale.id) }) { try balances.add(entry) }
        }
        let sums = try await self.store.read { try $0.ledgerSums() }
        try self.expectEqual(sums, balances.sums, "ledger sums")
        try self.expect(balances.isBalanced, "the ledger is out of balance")
        let payable = balances[Bookkeeping.payable(to: refunded.merchantID), .posted, refunded.amount.currency]
        try self.expectEqual(payable.creditBalance, 700, "what the merchant is owed after the refunds")
        try self.expectEqual(refunded.refundedAmount, try self.make.money(300), "what was refunded")
    }

    /// Neither wrapped round nor cut off: there are no sums then.
    func ledgerSumsBeyond64BitsAreReported() async throws {
        let merchant = try await self.storedMerchant()
        for _ in 1...2 { _ = try await self.storedSale(minorUnits: .max / 2 + 1, of: merchant) }
        do {
            _ = try await self.store.read { try $0.ledgerSums() }
        } catch is LedgerError {
            return
        }
        try self.expect(false, "sums of more than 64 bits are answered")
    }

    /// A thousand refunds at once, of which the captured sum has room for a hundred.
    func refundsNeverExceedTheCapturedSum() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let refund = try self.make.money(10)
        let store = self.store
        let make = self.make
        let succeededCount = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                let request = OperationRequest(id: make.id(), action: .refund(refund))
                let now = make.time()
                group.addTask {
                    do {
                        try await store.write { transaction in
                            guard let payment = try transaction.payment(sale.id) else { throw StoreError.conflict }
                            let begun = try payment.transition(on: .begin(request), at: now)
                            try transaction.update(begun, from: payment.version)
                            let resolution = Resolution.succeeded(approved: refund, AcquirerAnswer())
                            let change = try begun.payment.transition(on: .resolve(request.id, resolution), at: now)
                            try transaction.update(change, from: begun.payment.version)
                        }
                        return true
                    } catch is PaymentRefusal {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try self.expectEqual(succeededCount, 100, "refunds that succeeded")
        let found = try await self.store.read { (try $0.payment(sale.id), try $0.ledgerSums()) }
        try self.expectEqual(found.0?.refundedAmount, sale.capturedAmount, "what was refunded")
        let key = LedgerBalances.Key(
            account: Bookkeeping.payable(to: sale.merchantID), layer: .posted, currency: sale.amount.currency)
        try self.expectEqual(found.1[key]?.creditBalance, 0, "what the merchant is owed when all is refunded")
    }
}
