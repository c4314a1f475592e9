//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension Trial {
    /// The store has the payment, its authorization resolved at a moment.
    private func stored(_ payment: Payment, approved: Bool = true, at moment: Timestamp) async throws -> Payment {
        let resolution: Resolution =
            approved
            ? .succeeded(approved: payment.amount, self.make.answer())
            : .failed(.declined(.doNotHonor), AcquirerAnswer())
        let change = try payment.transition(on: .resolve(payment.operations[0].id, resolution), at: moment)
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.update(change, from: payment.version)
        }
        return change.payment
    }

    private func storedSale(of merchant: Merchant, at moment: Timestamp) async throws -> Payment {
        try await self.stored(try self.make.payment(of: merchant, isSale: true), at: moment)
    }

    /// The movements of payments in their order.
    private func movements(_ payments: [Payment]) -> [Movement] {
        payments.flatMap { payment in payment.operations.compactMap { Movement(of: payment, operation: $0.id) } }
            .sorted { ($0.resolvedAt, $0.operation.id) < ($1.resolvedAt, $1.operation.id) }
    }

    private func found(_ query: MovementQuery) async throws -> [Movement] {
        try await self.store.read { try $0.movements(query) }
    }

    /// From belongs to the window, to does not; what is resolved at one moment is ordered by its ids.
    func movementsAreThoseOfTheWindow() async throws {
        let merchant = try await self.storedMerchant()
        let start = self.make.time()
        let moments = (0..<4).map { start.adding(milliseconds: $0) }
        var payments: [Payment] = []
        // Latest first, two sales at each moment: four movements.
        for moment in moments.reversed() {
            payments.append(try await self.storedSale(of: merchant, at: moment))
            payments.append(try await self.storedSale(of: merchant, at: moment))
        }
        let all = self.movements(payments)
        try self.expectEqual(all.count, 16, "movements of the sales")
        for merchantID in [nil, merchant.id] {
            for from in [nil] + moments {
                for to in [nil] + moments {
                    let query = MovementQuery(merchantID: merchantID, from: from, to: to)
                    let wanted = all.filter { movement in
                        (from.map { movement.resolvedAt >= $0 } ?? true)
                            && (to.map { movement.resolvedAt < $0 } ?? true)
                    }
                    try self.expectEqual(try await self.found(query), wanted, "movements of \(query)")
                }
            }
        }
        for query in [MovementQuery(limit: 0), MovementQuery(limit: -1), MovementQuery(kinds: [])] {
            try self.expect(try await self.found(query).isEmpty, "movements of \(query)")
        }
    }

    /// Whatever is not known to have ended is no movement, and becomes one when it is.
    func movementsAreOfWhatIsResolved() async throws {
        let merchant = try await self.storedMerchant()
        for resolution in [nil, .unknown(.timedOut), .accepted(self.make.answer())] as [Resolution?] {
            var payment = try self.make.payment(of: merchant)
            let authorization = payment.operations[0].id
            let opened = payment
            try await self.store.write { try $0.insert(opened) }
            if let resolution {
                let change = try payment.transition(on: .resolve(authorization, resolution), at: self.make.time())
                try await self.store.write { try $0.update(change, from: opened.version) }
                payment = change.payment
            }
            let query = MovementQuery(merchantID: merchant.id, includesFailed: true, from: opened.createdAt)
            try self.expectEqual(try await self.found(query), [], "movements of what is not resolved")
            let version = payment.version
            let end = try payment.transition(
                on: .resolve(authorization, .succeeded(approved: payment.amount, AcquirerAnswer())),
                at: self.make.time())
            try await self.store.write { try $0.update(end, from: version) }
            try self.expectEqual(
                try await self.found(query), self.movements([end.payment]), "movements of what was resolved")
        }
    }

    /// A body that throws leaves no movement; changes that come later leave those that there are as they were.
    func movementsAreWrittenOnceWithTheirPayment() async throws {
        let merchant = try await self.storedMerchant()
        let payment = try await self.storedSale(of: merchant, at: self.make.time())
        let refund = OperationRequest(id: self.make.id(), action: .refund(try self.make.money(100)))
        let begun = try payment.transition(on: .begin(refund), at: self.make.time())
        let ended = try begun.payment.transition(
            on: .resolve(refund.id, .succeeded(approved: try self.make.money(100), AcquirerAnswer())),
            at: self.make.time())
        do {
            try await self.store.write { transaction in
                try transaction.update(begun.followed(by: ended), from: payment.version)
                throw StoreError.unavailable("the body")
            }
        } catch StoreError.unavailable {}
        let query = MovementQuery(merchantID: merchant.id)
        try self.expectEqual(try await self.found(query), self.movements([payment]), "after a body that throws")
        try await self.store.write { try $0.update(begun.followed(by: ended), from: payment.version) }
        try self.expectEqual(try await self.found(query), self.movements([ended.payment]), "after a refund")
        let inTransaction = try await self.store.write { try $0.movements(query) }
        try self.expectEqual(inTransaction, self.movements([ended.payment]), "in a write transaction")
        for movement in self.movements([ended.payment]) {
            let (entry, other) = try await self.store.read { reader in
                let elsewhere = MovementQuery.Cursor(
                    resolvedAt: movement.resolvedAt.adding(milliseconds: 1), operationID: movement.operation.id)
                return (
                    try reader.movementEntry(movement.cursor, of: merchant.id),
                    try reader.movementEntry(elsewhere, of: merchant.id)
                )
            }
            try self.expectEqual(
                entry, MovementEntry(of: ended.payment, movement.operation), "what is written of a movement")
            try self.expectEqual(other, nil, "what is written of no movement")
        }
        let whole = MovementQuery(includesFailed: true, limit: 1_000_000)
        let (count, all) = try await self.store.read { (try $0.movementEntriesCount(), try $0.movements(whole).count) }
        try self.expectEqual(count, all, "how many movements are written")
    }

    func movementQueriesFilter() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let second = AcquirerAccount(
            id: self.make.id(), merchantID: merchants[0].id, name: "second", connector: AcquirerName("other"),
            mode: merchants[0].mode, createdAt: self.make.time())
        try await self.store.write { try $0.insert(second) }
        var payments: [Payment] = []
        for index in 0..<12 {
            let opened = try self.make.payment(
                of: merchants[index % 2], isSale: index % 3 != 0, dialect: index % 4 < 2 ? DialectName("tappay") : nil)
            let isElsewhere = index % 2 == 0 && index % 6 < 3
            let payment =
                isElsewhere ? try opened.rerouted(to: second.id, acquirer: second.connector).payment : opened
            payments.append(try await self.stored(payment, approved: index % 5 != 0, at: self.make.time()))
        }
        let all = self.movements(payments)
        let kinds: [Set<PaymentOperation.Kind>] = [
            Set(PaymentOperation.Kind.allCases), [.authorization], [.capture, .refund], [.void],
        ]
        for merchant in [nil, merchants[0].id, merchants[1].id, self.make.id()] {
            for dialect in [nil, self.make.dialect, DialectName("nowhere")] {
                for account in [nil, second.id, self.make.accountID(of: merchants[0].id)] {
                    for (kinds, includesFailed) in kinds.flatMap({ [($0, false), ($0, true)] }) {
                        let query = MovementQuery(
                            merchantID: merchant, dialect: dialect, accountID: account, kinds: kinds,
                            includesFailed: includesFailed)
                        let wanted = all.filter { movement in
                            (merchant == nil || movement.payment.merchantID == merchant)
                                && (dialect == nil || movement.payment.dialect == dialect)
                                && (account == nil || movement.payment.accountID == account)
                                && kinds.contains(movement.operation.kind)
                                && (includesFailed || movement.operation.state == .succeeded)
                        }
                        try self.expectEqual(try await self.found(query), wanted, "movements of \(query)")
                    }
                }
            }
        }
        try self.expect(all.contains { $0.payment.accountID == second.id }, "nothing moved under the second account")
    }

    /// Every page goes on where the last one ended, also in the middle of a moment, whatever is committed meanwhile.
    func movementsPage() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let start = self.make.time()
        var payments: [Payment] = []
        for index in 0..<12 {
            payments.append(
                try await self.storedSale(of: merchant, at: start.adding(milliseconds: Int64(index / 4))))
        }
        let all = self.movements(payments)
        for limit in [1, 5, 8, 24, 25] {
            var query = MovementQuery(
                merchantID: merchant.id, from: start, to: start.adding(milliseconds: 1000), limit: limit)
            var paged: [Movement] = []
            while true {
                let page = try await self.found(query)
                try self.expect(page.count <= limit, "a page is longer than its limit")
                paged += page
                guard let last = page.last else { break }
                query.after = last.cursor
                // Before the window, after it, and in it, but another merchant's.
                _ = try await self.storedSale(of: merchant, at: start.adding(milliseconds: -1))
                _ = try await self.storedSale(of: merchant, at: start.adding(milliseconds: 1000))
                _ = try await self.storedSale(of: other, at: start.adding(milliseconds: 1))
            }
            try self.expectEqual(paged, all, "movements by pages of \(limit)")
        }
        // A cursor before the window does not widen it.
        let early = MovementQuery(
            merchantID: merchant.id, from: start.adding(milliseconds: 1), to: start.adding(milliseconds: 2),
            after: MovementQuery.Cursor(resolvedAt: start, operationID: all[0].operation.id))
        try self.expectEqual(try await self.found(early), Array(all[8..<16]), "after a place before the window")
    }
}
