//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Time

extension Trial {
    /// Every page goes on where the last one ended, in each order, whatever is committed meanwhile.
    func paymentQueriesPageByCursor() async throws {
        let merchant = try await self.storedMerchant()
        let start = self.make.time()
        let payments = try (0..<15).map { index in
            try self.make.payment(
                of: merchant, minorUnits: Int64(500 + index % 4), at: start.adding(milliseconds: Int64(index / 4)))
        }
        try await self.store.write { transaction in for payment in payments { try transaction.insert(payment) } }
        let to = start.adding(milliseconds: 100)
        for order in PaymentQuery.Order.allCases {
            var query = PaymentQuery(
                merchantID: merchant.id, from: start, to: to, minorUnits: 500...600, order: order, limit: 100)
            let all = query
            let wanted = try await self.store.read { try $0.payments(all) }
            try self.expectEqual(wanted.count, payments.count, "payments \(order)")
            query.limit = 4
            var paged: [Payment] = []
            while true {
                let next = query
                let page = try await self.store.read { try $0.payments(next) }
                paged += page
                guard let last = page.last else { break }
                query.after = order.cursor(of: last)
                // On both sides of all that is listed, by time and by amount.
                let others = [
                    try self.make.payment(of: merchant, minorUnits: 400, at: start.adding(milliseconds: -1)),
                    try self.make.payment(of: merchant, minorUnits: 700, at: to),
                ]
                try await self.store.write { transaction in for other in others { try transaction.insert(other) } }
            }
            try self.expectEqual(paged.map(\.id), wanted.map(\.id), "payments \(order), page by page")
        }
        // A cursor outside of the window does not widen it.
        for (order, place) in [(PaymentQuery.Order.oldestFirst, start), (.newestFirst, to)] {
            let query = PaymentQuery(
                merchantID: merchant.id, from: start.adding(milliseconds: 1), to: start.adding(milliseconds: 2),
                order: order, after: PaymentQuery.Cursor(key: place.milliseconds, id: payments[0].id))
            let found = try await self.store.read { try $0.payments(query) }
            try self.expectEqual(
                Set(found.map(\.id)), Set(payments[4..<8].map(\.id)), "payments from outside of the window")
        }
    }

    /// Each looks at so many, however few of them fit, and goes on where the last one ended.
    func paymentTalliesCountPageByPage() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let start = self.make.time()
        var made: [Payment] = []
        for index in 0..<15 {
            let merchant = index % 5 == 0 ? merchants[1] : merchants[0]
            let dialect: DialectName? = index % 3 == 0 ? DialectName("tappay") : nil
            made.append(
                try self.make.payment(
                    of: merchant, minorUnits: Int64(500 + index % 4), dialect: dialect,
                    at: start.adding(milliseconds: Int64(index / 4))))
        }
        let payments = made
        try await self.store.write { transaction in for payment in payments { try transaction.insert(payment) } }
        let window = (from: start.adding(milliseconds: 1), to: start.adding(milliseconds: 3))
        let windows: [(from: Timestamp?, to: Timestamp?)] = [(nil, nil), (window.from, window.to)]
        let filters: [(dialect: DialectName?, units: ClosedRange<Int64>?)] = [
            (nil, nil), (DialectName("tappay"), 501...503),
        ]
        for order in PaymentQuery.Order.allCases {
            for window in windows {
                for filter in filters {
                    let query = PaymentQuery(
                        merchantID: merchants[0].id, dialect: filter.dialect, from: window.from, to: window.to,
                        minorUnits: filter.units, order: order, limit: 4)
                    try await self.expectTallies(of: query, among: payments)
                }
            }
        }
    }

    private func expectTallies(of query: PaymentQuery, among payments: [Payment]) async throws {
        let fitting = try await self.store.read { try $0.paymentsCount(query) }
        let lookedAt = try await self.store.read { try $0.paymentsCount(query.tallied.looked) }
        var (next, count, steps) = (query, 0, 0)
        repeat {
            let page = next
            let (tally, looked) = try await self.store.read { reader in
                (try reader.paymentsTally(page), try reader.payments(page.tallied.looked))
            }
            try self.expectEqual(
                tally.last, looked.count < 4 ? nil : looked.last.map(query.order.cursor), "the end of \(page)")
            count += tally.count
            steps += 1
            next.after = tally.last
        } while next.after != nil && steps <= payments.count
        try self.expectEqual(count, fitting, "the tallies of \(query)")
        try self.expectEqual(steps, lookedAt / 4 + 1, "how many tallies \(query) took")
    }

    /// By the merchant's name for the order, and by the last digits of the number.
    func paymentQueriesSearch() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let others = DialectName("others")
        let orders = try merchants.flatMap { merchant in
            try [self.make.dialect, others].map { try self.order(of: merchant, $0, reference: "ORDER 1") }
                + [self.order(of: merchant, others, reference: "ORDER 2")]
        }
        var payments: [Payment] = []
        for (index, order) in (orders + orders).enumerated() {
            let names = ["Visa 4242", "Visa 1111", "Visa ‑4242", nil, "Visa 1234", "242", "4242", "Visa 42"]
            payments.append(
                self.payment(of: order, panSuffix: index % 4 == 0 ? "4242" : "1111", displayName: names[index % 8]))
        }
        payments.append(try self.make.payment(of: merchants[0]))
        let all = payments
        try await self.store.write { transaction in
            try Self.addAccounts(of: merchants, in: [self.make.dialect, others], transaction)
            for order in orders { try transaction.insert(order) }
            for payment in all { try transaction.insert(payment) }
        }
        let references = Dictionary(orders.map { ($0.id, $0.reference) }, uniquingKeysWith: { first, _ in first })
        for merchant in [nil, merchants[1].id] {
            for dialect in [nil, others] {
                for reference in [nil, "ORDER 1", "ORDER 2", "order 1", ""] {
                    for suffix in [nil, "4242", "42", "1234", "0000"] {
                        let query = PaymentQuery(
                            merchantID: merchant, dialect: dialect, orderReference: reference, minorUnits: 1...2000,
                            cardSuffix: suffix, order: .oldestFirst)
                        let wanted = all.filter { payment in
                            (merchant == nil || payment.merchantID == merchant)
                                && (dialect == nil || payment.dialect == dialect)
                                && (reference == nil || payment.orderID.flatMap { references[$0] } == reference)
                                && (suffix.map { payment.instrument.isCalled($0) } ?? true)
                        }
                        let found = try await self.store.read { (try $0.payments(query), try $0.paymentsCount(query)) }
                        try self.expectEqual(found.0.map(\.id), wanted.map(\.id), "payments of \(query)")
                        try self.expectEqual(found.1, wanted.count, "count of \(query)")
                    }
                }
            }
        }
        try await self.expectPagesOfCards(all.filter { $0.instrument.isCalled("4242") }, "4242")
    }

    /// By either of their numbers, in every order, and each once.
    private func expectPagesOfCards(_ wanted: [Payment], _ suffix: String) async throws {
        for order in PaymentQuery.Order.allCases {
            let sorted = wanted.sorted { first, second in
                let (one, other) = (order.cursor(of: first), order.cursor(of: second))
                return order.isDescending
                    ? (one.key, one.id) > (other.key, other.id) : (one.key, one.id) < (other.key, other.id)
            }
            var (found, query) = ([Payment](), PaymentQuery(cardSuffix: suffix, order: order, limit: 2))
            while true {
                let asked = query
                let page = try await self.store.read { try $0.payments(asked) }
                found += page
                guard let last = page.last else { break }
                query.after = order.cursor(of: last)
            }
            try self.expectEqual(found.map(\.id), sorted.map(\.id), "pages of cards, \(order)")
            let passed = PaymentQuery(cardSuffix: suffix, order: order, offset: 1, limit: 3)
            let some = try await self.store.read { (try $0.payments(passed), try $0.paymentsCount(passed, max: 2)) }
            let rest = sorted.dropFirst().prefix(3).map(\.id)
            try self.expectEqual(some.0.map(\.id), rest, "cards passed over, \(order)")
            try self.expectEqual(some.1, 2, "cards, counted up to two")
        }
    }

    /// By what an operation is called, and by what else people narrow a list.
    func paymentQueriesFindNames() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        var payments: [Payment] = []
        for (index, merchant) in (merchants + merchants).enumerated() {
            let answer = AcquirerAnswer(
                reference: "A\(index / 2)", authorizationCode: index == 3 ? "695265" : "695264")
            payments.append(
                try self.payment(of: merchant, answer, OperationLabels(reference: index == 0 ? "r" : "R")))
        }
        let all = payments
        try await self.store.write { transaction in for payment in all { try transaction.insert(payment) } }
        func query(_ name: PaymentQuery.OperationName, of merchant: Merchant? = nil) -> PaymentQuery {
            var query = PaymentQuery(merchantID: merchant?.id, order: .oldestFirst)
            query.operationName = name
            return query
        }
        var states = PaymentQuery(order: .oldestFirst)
        states.states = [.authorized, .refunded]
        var none = states
        none.states = [.refunded, .voided]
        var account = PaymentQuery(order: .oldestFirst)
        account.accountID = all[1].accountID
        var acquirer = PaymentQuery(order: .oldestFirst)
        acquirer.acquirer = AcquirerName("nobody")
        var network = PaymentQuery(order: .oldestFirst)
        network.network = all[0].instrument.network
        let wanted: [(PaymentQuery, [Payment])] = [
            (query(.merchant("r")), [all[0]]), (query(.merchant("R")), Array(all.dropFirst())),
            (query(.acquirer("A0")), Array(all.prefix(2))), (query(.acquirer("A0"), of: merchants[1]), [all[1]]),
            (query(.authorizationCode("695264")), Array(all.prefix(3))), (query(.authorizationCode("A0")), []),
            (states, all), (none, []), (account, [all[1], all[3]]), (acquirer, []), (network, all),
        ]
        for (query, payments) in wanted {
            let found = try await self.store.read {
                (try $0.payments(query), try $0.paymentsCount(query), try $0.paymentsCount(query, max: 2))
            }
            try self.expectEqual(found.0.map(\.id), payments.map(\.id), "payments of \(query)")
            try self.expectEqual(found.1, payments.count, "count of \(query)")
            try self.expectEqual(found.2, min(2, payments.count), "count of \(query), up to two")
        }
    }

    /// By what a dialect calls an operation, in a row of its own or by its claim: each merchant's by itself, or all.
    func paymentQueriesFindReferences() async throws {
        let named = try await self.namedPayments()
        for merchant in named.merchants {
            for dialect in named.dialects {
                for kind in ["txid", "call", "TXID"] {
                    for value in ["1", "2", "3", "4", ""] {
                        let one = PaymentQuery.DialectReference(dialect, kind: kind, value: value)
                        try await self.expect(named, [one], of: merchant)
                    }
                }
            }
        }
    }

    /// By any of several references at once, each payment once, by whatever number of them; and none by none.
    func paymentQueriesFindReferencesOfAnyKind() async throws {
        let named = try await self.namedPayments()
        let all = named.dialects.flatMap { dialect in
            ["txid", "call", "TXID"].flatMap { kind in
                ["1", "2", "3", "4"].map { PaymentQuery.DialectReference(dialect, kind: kind, value: $0) }
            }
        }
        for merchant in named.merchants {
            for value in ["1", "2", "3", "4"] {
                try await self.expect(named, all.filter { $0.value == value }, of: merchant)
            }
            try await self.expect(named, all, of: merchant)
            try await self.expect(named, Array(all.reversed()) + all, of: merchant)
            try await self.expect(named, [], of: merchant)
        }
        // Narrowed down and in pages like any other list.
        var query = PaymentQuery(order: .oldestFirst, limit: 1)
        query.operationName = .dialects(all)
        var pages: [PaymentID] = []
        for _ in 0...named.payments.count {
            let asked = query
            guard let one = try await self.store.read({ try $0.payments(asked) }).first else { break }
            pages.append(one.id)
            query.after = query.order.cursor(of: one)
        }
        try self.expectEqual(Set(pages), Set(named.payments.map(\.id)), "pages by any reference")
        try self.expectEqual(pages.count, named.payments.count, "pages by any reference, each payment once")
        query.after = nil
        query.state = .refunded
        let refunded = query
        let none = try await self.store.read { try $0.payments(refunded) }
        try self.expectEqual(none, [], "refunded payments by any reference")
    }

    /// Payments, and what dialects call their operations.
    private struct NamedPayments {
        /// Whose they are, and `nil` for all of them.
        let merchants: [MerchantID?]
        let dialects: [DialectName]
        let payments: [Payment]
        let references: [(reference: Reference, index: Int)]
    }

    private func namedPayments() async throws -> NamedPayments {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let dialects = [self.make.dialect, DialectName("others")]
        let payments = try (merchants + merchants).map {
            try self.payment(of: $0, AcquirerAnswer(), OperationLabels())
        }
        func reference(_ index: Int, _ kind: String, _ value: String, in dialect: Int = 0) -> (Reference, Int) {
            let merchant = payments[index].merchantID
            return (Reference(merchantID: merchant, dialect: dialects[dialect], kind: kind, value: value), index)
        }
        let written = [
            reference(0, "txid", "1"), reference(1, "txid", "1"), reference(2, "txid", "2"),
            reference(3, "txid", "1", in: 1), reference(2, "call", "3"),
        ]
        let claimed = [reference(3, "call", "1"), reference(2, "txid", "3")]
        try await self.store.write { transaction in
            try Self.addAccounts(of: merchants, in: dialects, transaction)
            for payment in payments { try transaction.insert(payment) }
            for (reference, index) in written {
                try transaction.insert(reference, operation: payments[index].operations[0].id)
            }
            for (reference, index) in claimed {
                let key = IdempotencyKey(
                    merchantID: reference.merchantID, dialect: reference.dialect, operation: reference.kind,
                    key: reference.value)
                try transaction.insert(
                    IdempotencyClaim(
                        key: key, digest: [], subject: .operation(payments[index].id, payments[index].operations[0].id),
                        createdAt: self.make.time()))
            }
        }
        return NamedPayments(
            merchants: [nil] + merchants.map(\.id), dialects: dialects, payments: payments,
            references: (written + claimed).map { (reference: $0.0, index: $0.1) })
    }

    /// Looks for what is called so, of a merchant or of all.
    private func expect(
        _ named: NamedPayments, _ references: [PaymentQuery.DialectReference], of merchant: MerchantID?
    ) async throws {
        var query = PaymentQuery(merchantID: merchant, order: .oldestFirst)
        query.operationName = .dialects(references)
        let asked = query
        let fitting = named.references.filter { reference, _ in
            let one = PaymentQuery.DialectReference(reference.dialect, kind: reference.kind, value: reference.value)
            return (merchant == nil || reference.merchantID == merchant) && references.contains(one)
        }
        let wanted = Set(fitting.map { named.payments[$0.index].id })
        let found = try await self.store.read { (try $0.payments(asked), try $0.paymentsCount(asked)) }
        try self.expectEqual(Set(found.0.map(\.id)), wanted, "payments of \(asked)")
        try self.expectEqual(found.0.count, wanted.count, "payments of \(asked), each once")
        try self.expectEqual(found.1, wanted.count, "count of \(asked)")
    }

    private func payment(
        of merchant: Merchant, _ answer: AcquirerAnswer, _ labels: OperationLabels
    ) throws -> Payment {
        let now = self.make.time()
        let amount = try self.make.money(500)
        return Payment(
            id: self.make.id(), merchantID: merchant.id, mode: .sandbox, dialect: self.make.dialect,
            acquirer: self.make.acquirer, accountID: self.make.accountID(of: merchant.id), orderID: nil, amount: amount,
            instrument: self.make.instrument(), createdAt: now, version: 2,
            operations: [
                PaymentOperation(
                    id: self.make.id(), kind: .authorization, amount: amount, labels: labels, begunAt: now,
                    begunInVersion: 1, state: .succeeded, approvedAmount: amount, answer: answer, resolvedAt: now,
                    resolvedInVersion: 2)
            ])
    }

    private func order(of merchant: Merchant, _ dialect: DialectName, reference: String) throws -> Order {
        Order(
            id: self.make.id(), merchantID: merchant.id, dialect: dialect, reference: reference,
            amount: try self.make.money(500), summary: "", notifyURL: nil, merchantIdentifier: nil,
            createdAt: self.make.time(), expiresAt: self.make.time())
    }

    private func payment(of order: Order, panSuffix: String, displayName: String?) -> Payment {
        let card = self.make.instrument()
        let now = self.make.time()
        return Payment(
            id: self.make.id(), merchantID: order.merchantID, mode: .sandbox, dialect: order.dialect,
            acquirer: self.make.acquirer, accountID: self.make.accountID(of: order.merchantID), orderID: order.id,
            amount: order.amount,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "411111", suffix: panSuffix, length: 16), network: card.network,
                expiryYearMonth: card.expiryYearMonth, eci: card.eci, displayName: displayName),
            createdAt: now, version: 1,
            operations: [
                PaymentOperation(
                    id: self.make.id(), kind: .authorization, amount: order.amount, begunAt: now, begunInVersion: 1)
            ])
    }

    /// What a merchant calls something is looked up by way of his accounts.
    private static func addAccounts(
        of merchants: [Merchant], in dialects: [DialectName], _ transaction: any StoreTransaction
    ) throws {
        for merchant in merchants {
            for dialect in dialects {
                try transaction.upsert(
                    MerchantAccount(
                        merchantID: merchant.id, dialect: dialect, key: "\(merchant.name) \(dialect.text)",
                        settings: [:], secrets: [:]))
            }
        }
    }
}

extension InstrumentSummary {
    /// Whether one of its numbers ends so, as far as the payment keeps it or the wallet displays it.
    fileprivate func isCalled(_ suffix: String) -> Bool {
        let name = self.displayName.map { Array($0.unicodeScalars) } ?? []
        return self.maskedPAN.suffix == suffix || name.count >= 4 && name.suffix(4).elementsEqual(suffix.unicodeScalars)
    }
}
