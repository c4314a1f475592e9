//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension Trial {
    /// Payments are found by the state that follows from their operations, of a merchant and of all, page by page.
    func paymentQueriesFindStates() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        var payments: [Payment] = []
        for index in 0..<40 {
            let payment = try self.make.payment(of: merchants[index % 2], isSale: index % 5 == 0)
            try await self.store.write { try $0.insert(payment) }
            payments.append(try await self.advance(payment, by: index / 2))
        }
        let all = payments
        let states = Set(all.map(\.state))
        try self.expect(states.count >= 8, "the payments are in too few states to show anything: \(states)")
        for merchant in [nil, merchants[1].id] {
            for state in PaymentState.allCases {
                let fitting = all.filter { $0.state == state && (merchant == nil || $0.merchantID == merchant) }
                try await self.expectPages(of: PaymentQuery(merchantID: merchant, state: state), fitting)
            }
            let ofAll = all.filter { merchant == nil || $0.merchantID == merchant }
            try await self.expectPages(of: PaymentQuery(merchantID: merchant), ofAll)
            let (from, to) = (all[7].createdAt, all[31].createdAt)
            try await self.expectPages(
                of: PaymentQuery(merchantID: merchant, from: from, to: to, state: .declined),
                ofAll.filter { $0.state == .declined && $0.createdAt >= from && $0.createdAt < to })
        }
    }

    /// A change of state is a change of what finds the payment.
    func paymentQueriesForgetEarlierStates() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let refund = OperationRequest(id: self.make.id(), action: .refund(try self.make.money(1000)))
        try await self.expectState(.captured, of: sale)
        let begun = try sale.transition(on: .begin(refund), at: self.make.time())
        try await self.store.write { try $0.update(begun, from: sale.version) }
        try await self.expectState(.captured, of: sale)
        let refunded = try begun.payment.transition(
            on: .resolve(refund.id, .succeeded(approved: try self.make.money(1000), AcquirerAnswer())),
            at: self.make.time())
        try await self.store.write { try $0.update(refunded, from: begun.payment.version) }
        try await self.expectState(.refunded, of: sale)
    }

    /// Exactly one state finds the payment.
    func expectState(_ state: PaymentState, of payment: Payment, line: Int = #line) async throws {
        let found = try await self.store.read { reader in
            try PaymentState.allCases.filter { state in
                let query = PaymentQuery(merchantID: payment.merchantID, state: state)
                return try reader.payments(query).contains { $0.id == payment.id }
            }
        }
        try self.expectEqual(found, [state], "states that find \(payment.id)", line: line)
    }

    private func expectPages(of query: PaymentQuery, _ payments: [Payment]) async throws {
        for order in [PaymentQuery.Order.newestFirst, .oldestFirst] {
            var page = query
            (page.order, page.limit) = (order, 3)
            var found: [PaymentID] = []
            while true {
                let next = page
                let payments = try await self.store.read { try $0.payments(next) }
                found += payments.map(\.id)
                guard let last = payments.last else { break }
                page.after = order.cursor(of: last)
            }
            let wanted = payments.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map(\.id)
            try self.expectEqual(found, order == .oldestFirst ? wanted : wanted.reversed(), "payments of \(query)")
        }
        let count = try await self.store.read { try $0.paymentsCount(query) }
        try self.expectEqual(count, payments.count, "count of \(query)")
    }

    /// Resolves the payment's opening, and goes on with some.
    private func advance(_ payment: Payment, by step: Int) async throws -> Payment {
        let opening = payment.operations[0].id
        let approval = Resolution.succeeded(approved: payment.amount, AcquirerAnswer())
        let follow: (OperationRequest.Action) -> [PaymentEvent] = { action in
            let request = OperationRequest(id: self.make.id(), action: action)
            let amount = if case .refund(let amount, _) = action { amount } else { payment.amount }
            return [.begin(request), .resolve(request.id, .succeeded(approved: amount, AcquirerAnswer()))]
        }
        let events: [PaymentEvent] =
            switch step % 8 {
            case 0: []
            case 1: [.resolve(opening, .unknown(.timedOut))]
            case 2: [.resolve(opening, .failed(.declined(.insufficientFunds), AcquirerAnswer()))]
            case 3: [.resolve(opening, .failed(.notProcessed(NotProcessedReason.allCases[0]), AcquirerAnswer()))]
            case 4: [.resolve(opening, .succeeded(approved: payment.amount, AcquirerAnswer()))]
            case 5: [.resolve(opening, approval)] + follow(.void(of: opening))
            case 6:
                [.resolve(opening, approval)] + follow(.capture(payment.amount, isFinal: true))
                    + follow(.refund(try self.make.money(1)))
            default: [.resolve(opening, approval)] + follow(.capture(payment.amount, isFinal: true))
            }
        var advanced = payment
        for event in events {
            // A sale has nothing left to capture, and nothing of its own to void.
            guard let change = try? advanced.transition(on: event, at: self.make.time()) else { continue }
            let version = advanced.version
            try await self.store.write { try $0.update(change, from: version) }
            advanced = change.payment
        }
        return advanced
    }
}
