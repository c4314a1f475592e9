//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Redaction
import Time

extension Trial {
    func paymentsRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        let order = try self.make.order(of: merchant)
        try await self.store.write { try $0.insert(order) }
        let instruments = CardNetwork.allCases.map { network in
            InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "370000", suffix: "0002", length: 15), network: network,
                expiryYearMonth: "3001", eci: nil, displayName: nil)
        }
        // A number that was masked whole is kept as nothing.
        let masked = InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: "", suffix: "", length: 0), network: .other, expiryYearMonth: "", eci: "7",
            displayName: "girocard ••1234", proof: self.make.proof())
        for instrument in instruments + [masked] {
            for (mode, orderID) in [(Mode.sandbox, nil), (.live, order.id)] {
                let operations = try self.operationsOfEveryKind()
                let payment = Payment(
                    id: self.make.id(), merchantID: merchant.id, mode: mode, dialect: self.make.dialect,
                    acquirer: self.make.acquirer, accountID: self.make.accountID(of: merchant.id), orderID: orderID,
                    amount: try self.make.money(.max, "KWD"), instrument: instrument, createdAt: self.make.time(),
                    version: 9, operations: operations)
                try await self.store.write { try $0.insert(payment) }
                let found = try await self.store.read { try $0.payment(payment.id) }
                try self.expectEqual(found, payment, "payment")
            }
        }
    }

    /// Operations of every kind, in every state, with everything that an operation may have.
    private func operationsOfEveryKind() throws -> [PaymentOperation] {
        let failures =
            [OperationFailure.reversed] + DeclineReason.allCases.map { .declined($0) }
            + NotProcessedReason.allCases.map { .notProcessed($0) }
        let states: [PaymentOperation.State] =
            [.pending, .unknown, .accepted, .succeeded] + failures.map { .failed($0) }
        var operations: [PaymentOperation] = []
        for kind in PaymentOperation.Kind.allCases {
            // Nothing is asked of the acquirer that it reports by itself.
            for state in states where kind != .lateFailure || state == .succeeded {
                let isFull = operations.count % 2 == 1
                operations.append(
                    PaymentOperation(
                        id: self.make.id(), kind: kind, amount: try self.make.money(1000, "KWD"),
                        saleCaptureID: isFull ? self.make.id() : nil, isFinalCapture: isFull,
                        target: isFull ? self.make.id() : nil, acceptsPartialApproval: isFull,
                        labels: isFull
                            ? OperationLabels(
                                reference: "ref 1", memo: "für Anna", notifyURL: "https://shop.example/n",
                                fields: ["txid": "123", "": "\"\\\n\u{1}", "ключ": "значение", "empty": ""])
                            : OperationLabels(),
                        begunAt: self.make.time(), begunInVersion: isFull ? 8 : 1, state: state,
                        approvedAmount: state == .succeeded ? try self.make.money(isFull ? 1 : 1000, "KWD") : nil,
                        answer: isFull ? self.make.answer() : AcquirerAnswer(),
                        resolvedAt: state.isResolved ? self.make.time() : nil,
                        resolvedInVersion: state.isResolved ? 9 : nil,
                        unknownReason: state == .unknown && isFull ? .timedOut : nil,
                        lateFailureReason: kind == .lateFailure ? .suspectedFraud : nil,
                        inquiries: isFull ? Inquiries(count: 3, latestAt: self.make.time()) : nil))
            }
        }
        return operations
    }

    /// A payment that only verifies a card, approved, and one whose verification is taken back; all of no amount.
    func verificationsRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        let currency = try self.make.money(0).currency
        let reversal: OperationID = self.make.id()
        for isKnown in [true, false] {
            var payment = Payment.verifying(
                id: self.make.id(), merchantID: merchant.id, mode: .sandbox, dialect: self.make.dialect,
                acquirer: self.make.acquirer, accountID: self.make.accountID(of: merchant.id), orderID: nil,
                currency: currency, instrument: self.make.instrument(), verificationID: self.make.id(),
                labels: OperationLabels(fields: ["a": "b"]), at: self.make.time())
            let opened = payment
            try await self.store.write { try $0.insert(opened) }
            try await self.expectStored(opened, "verification") { try $0.payment(opened.id) }
            let success = Resolution.succeeded(approved: .zero(currency), self.make.answer())
            let events: [PaymentEvent] =
                isKnown
                ? [.resolve(opened.operations[0].id, success)]
                : [
                    .resolve(opened.operations[0].id, .unknown(.unclear)),
                    .begin(OperationRequest(id: reversal, action: .reversal(of: opened.operations[0].id))),
                    .resolve(reversal, success),
                ]
            for event in events {
                let version = payment.version
                let change = try payment.transition(on: event, at: self.make.time())
                try await self.store.write { try $0.update(change, from: version) }
                payment = change.payment
                let found = try await self.store.read { try $0.payment(opened.id) }
                try self.expectEqual(found, payment, "verification after \(event)")
            }
            try self.expectEqual(payment.state, isKnown ? .verified : .reversed, "state in the end")
            let journal = try await self.store.read { try $0.journal(of: opened.id) }
            try self.expect(journal.isEmpty, "a verification books something")
        }
    }

    func longPaymentsRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        var operations: [PaymentOperation] = []
        for index in 0..<operationsPerPaymentMax {
            operations.append(
                PaymentOperation(
                    id: self.make.id(), kind: index == 0 ? .authorization : .capture,
                    amount: try self.make.money(1_000_000),
                    begunAt: self.make.time(), begunInVersion: index + 1, state: index == 0 ? .succeeded : .pending,
                    approvedAmount: index == 0 ? try self.make.money(1_000_000) : nil))
        }
        let payment = Payment(
            id: self.make.id(), merchantID: merchant.id, mode: .sandbox, dialect: self.make.dialect,
            acquirer: self.make.acquirer, accountID: self.make.accountID(of: merchant.id), orderID: nil,
            amount: try self.make.money(1_000_000), instrument: self.make.instrument(), createdAt: self.make.time(),
            version: operations.count,
            operations: operations)
        try await self.store.write { try $0.insert(payment) }
        try await self.expectStored(payment, "long payment") { try $0.payment(payment.id) }
        let last = operations[operations.count - 1]
        let change = try payment.transition(on: .resolve(last.id, .unknown(.timedOut)), at: self.make.time())
        try await self.store.write { try $0.update(change, from: payment.version) }
        let found = try await self.store.read { try $0.payment(payment.id) }
        try self.expectEqual(found, change.payment, "long payment after a change")
    }

    /// A payment's whole life, each step written and read back.
    func everyTransitionRoundTrips() async throws {
        let merchant = try await self.storedMerchant()
        var payment = try self.make.payment(of: merchant, minorUnits: 1000)
        let opened = payment
        try await self.store.write { try $0.insert(opened) }
        var journal: [JournalEntry] = []
        for event in try self.life(of: payment) {
            let version = payment.version
            let change = try payment.transition(on: event, at: self.make.time())
            try await self.store.write { try $0.update(change, from: version) }
            payment = change.payment
            journal += change.journal
            let found = try await self.store.read { (try $0.payment(opened.id), try $0.journal(of: opened.id)) }
            try self.expectEqual(found.0, payment, "payment after \(event)")
            try self.expectEqual(found.1, journal, "journal after \(event)")
            try await self.expectState(payment.state, of: payment)
        }
        try self.expect(journal.count >= 9, "the life books too little to show anything")
        // Two steps in one write: the change names the version that is stored.
        let refund = OperationRequest(id: self.make.id(), action: .refund(try self.make.money(1)))
        let begun = try payment.transition(on: .begin(refund), at: self.make.time())
        let resolved = try begun.payment.transition(
            on: .resolve(refund.id, .succeeded(approved: try self.make.money(1), AcquirerAnswer())),
            at: self.make.time())
        let version = payment.version
        try await self.store.write { try $0.update(resolved, from: version) }
        let found = try await self.store.read { try $0.payment(opened.id) }
        try self.expectEqual(found, resolved.payment, "payment after two steps at once")
    }

    private func life(of payment: Payment) throws -> [PaymentEvent] {
        let answer = AcquirerAnswer(reference: "000000000001", authorizationCode: "OK1234", responseCode: "00")
        let (unknown, declined, captured, final, refunded, lost):
            (OperationID, OperationID, OperationID, OperationID, OperationID, OperationID) =
                (self.make.id(), self.make.id(), self.make.id(), self.make.id(), self.make.id(), self.make.id())
        let reversal: OperationID = self.make.id()
        let labels = OperationLabels(reference: "r-1", memo: "m", notifyURL: "https://shop.example")
        let money = { (units: Int64) in try self.make.money(units) }
        return [
            .resolve(payment.operations[0].id, .unknown(.timedOut)),
            .resolve(payment.operations[0].id, .succeeded(approved: payment.amount, answer)),
            .begin(OperationRequest(id: unknown, action: .capture(try money(300), isFinal: false), labels: labels)),
            .resolve(unknown, .unknown(.unclear)),
            .begin(OperationRequest(id: reversal, action: .reversal(of: unknown))),
            .begin(OperationRequest(id: declined, action: .capture(try money(100), isFinal: false))),
            .resolve(declined, .failed(.declined(.insufficientFunds), AcquirerAnswer(responseCode: "51"))),
            .resolve(reversal, .succeeded(approved: try money(300), answer)),
            .begin(OperationRequest(id: captured, action: .capture(try money(400), isFinal: false))),
            .resolve(captured, .succeeded(approved: try money(400), answer)),
            .begin(OperationRequest(id: final, action: .capture(try money(500), isFinal: true))),
            .resolve(final, .succeeded(approved: try money(500), answer)),
            .begin(OperationRequest(id: refunded, action: .refund(try money(250)), labels: labels)),
            .begin(OperationRequest(id: lost, action: .refund(try money(10)))),
            .resolve(refunded, .succeeded(approved: try money(250), answer)),
            .resolve(lost, .failed(.declined(.systemError), AcquirerAnswer())),
        ] + (try self.lifeOfVoids(of: refunded, final))
    }

    /// The refund voided, the final capture voided, and the authorization, which is open again, adjusted up and down.
    private func lifeOfVoids(of refund: OperationID, _ capture: OperationID) throws -> [PaymentEvent] {
        let (voidOfRefund, lostVoid, voidOfCapture): (OperationID, OperationID, OperationID) =
            (self.make.id(), self.make.id(), self.make.id())
        let (up, down, declined): (OperationID, OperationID, OperationID) =
            (self.make.id(), self.make.id(), self.make.id())
        let labels = OperationLabels(fields: ["txid": "7"])
        let answer = self.make.answer()
        let money = { (units: Int64) in try self.make.money(units) }
        return [
            .begin(OperationRequest(id: voidOfRefund, action: .void(of: refund), labels: labels)),
            .resolve(voidOfRefund, .unknown(.timedOut)),
            .resolve(voidOfRefund, .succeeded(approved: try money(250), answer)),
            .begin(OperationRequest(id: lostVoid, action: .void(of: capture))),
            .resolve(lostVoid, .failed(.declined(.invalidOperation), AcquirerAnswer(responseCode: "12"))),
            .begin(OperationRequest(id: voidOfCapture, action: .void(of: capture))),
            .resolve(voidOfCapture, .succeeded(approved: try money(500), answer)),
            .begin(OperationRequest(id: up, action: .adjustment(try money(1500)), labels: labels)),
            .resolve(up, .succeeded(approved: try money(1500), answer)),
            .begin(OperationRequest(id: declined, action: .adjustment(try money(9000)))),
            .resolve(declined, .failed(.declined(.exceedsLimit), answer)),
            .begin(OperationRequest(id: down, action: .adjustment(try money(700)))),
            .resolve(down, .succeeded(approved: try money(700), answer)),
        ]
    }

    func staleVersionConflicts() async throws {
        let merchant = try await self.storedMerchant()
        let payment = try self.make.payment(of: merchant)
        let authorization = payment.operations[0].id
        let unknown = try payment.transition(on: .resolve(authorization, .unknown(.timedOut)), at: self.make.time())
        let approved = try payment.transition(
            on: .resolve(authorization, .succeeded(approved: payment.amount, AcquirerAnswer())), at: self.make.time())
        try await self.expectRefusal(.conflict, "a change of a payment that is not there") {
            try $0.update(unknown, from: payment.version)
        }
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.update(unknown, from: payment.version)
        }
        try await self.expectRefusal(.conflict, "a change from a version that is gone") {
            try $0.update(approved, from: payment.version)
        }
        try await self.expectRefusal(.conflict, "a change that is no newer than what is stored") {
            try $0.update(approved, from: approved.payment.version)
        }
        let found = try await self.store.read { (try $0.payment(payment.id), try $0.journal(of: payment.id)) }
        try self.expectEqual(found.0, unknown.payment, "payment after the conflicts")
        try self.expect(found.1.isEmpty, "a refused change was booked")
    }

    func paymentQueriesFilter() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let order = try self.make.order(of: merchants[0])
        var payments: [Payment] = []
        for index in 0..<12 {
            payments.append(
                try self.make.payment(
                    of: merchants[index % 2], dialect: index % 3 == 0 ? DialectName("tappay") : nil,
                    orderID: index % 4 == 0 ? order.id : nil))
        }
        let all = payments
        try await self.store.write { transaction in
            try transaction.insert(order)
            for payment in all { try transaction.insert(payment) }
        }
        let (from, to) = (all[3].createdAt, all[8].createdAt)
        for merchant in [nil, merchants[1].id] {
            for dialect in [nil, self.make.dialect, wantedNowhere] {
                for orderID in [nil, order.id] {
                    for (from, to) in [(nil, nil), (from, nil), (nil, to), (from, to)] {
                        let query = PaymentQuery(
                            merchantID: merchant, dialect: dialect, orderID: orderID, from: from, to: to)
                        let wanted = all.reversed().filter { payment in
                            (merchant == nil || payment.merchantID == merchant)
                                && (dialect == nil || payment.dialect == dialect)
                                && (orderID == nil || payment.orderID == orderID)
                                && (from.map { payment.createdAt >= $0 } ?? true)
                                && (to.map { payment.createdAt < $0 } ?? true)
                        }
                        let found = try await self.store.read { (try $0.payments(query), try $0.paymentsCount(query)) }
                        try self.expectEqual(found.0.map(\.id), wanted.map(\.id), "payments of \(query)")
                        try self.expectEqual(found.1, wanted.count, "count of \(query)")
                    }
                }
            }
        }
    }

    func paymentQueriesPage() async throws {
        let merchant = try await self.storedMerchant()
        let moment = self.make.time()
        // Half of them in the same millisecond.
        let payments = try (0..<25).map { index in
            try self.make.payment(of: merchant, at: index < 12 ? moment : moment.adding(milliseconds: Int64(index)))
        }
        try await self.store.write { transaction in for payment in payments { try transaction.insert(payment) } }
        let newestFirst = try await self.store.read { try $0.payments(PaymentQuery(limit: 100)) }
        try self.expectEqual(newestFirst, payments.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }, "order")
        var paged: [Payment] = []
        for page in 0..<4 {
            let query = PaymentQuery(merchantID: merchant.id, offset: page * 7, limit: 7)
            paged += try await self.store.read { try $0.payments(query) }
            let count = try await self.store.read { try $0.paymentsCount(query) }
            try self.expectEqual(count, 25, "the count is of all pages")
        }
        try self.expectEqual(paged.map(\.id), newestFirst.map(\.id), "pages")
        for query in [PaymentQuery(offset: 25), PaymentQuery(limit: 0), PaymentQuery(limit: -1)] {
            try self.expect(
                try await self.store.read { try $0.payments(query) }.isEmpty, "a page beyond the end: \(query)")
        }
    }

    func paymentQueriesAreOrderedAndBounded() async throws {
        let merchant = try await self.storedMerchant()
        let amounts: [Int64] = [500, 100, 300, 500, 200, 400]
        let payments = try amounts.map { try self.make.payment(of: merchant, minorUnits: $0) }
        try await self.store.write { transaction in for payment in payments { try transaction.insert(payment) } }
        let currency = payments[0].amount.currency
        let other = try self.make.money(1, currency.code == "KWD" ? "USD" : "KWD").currency
        let bySize = payments.sorted { ($0.amount.minorUnits, $0.id) < ($1.amount.minorUnits, $1.id) }
        let byTime = payments.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        let orders: [(PaymentQuery.Order, [Payment])] = [
            (.newestFirst, byTime.reversed()), (.oldestFirst, byTime), (.largestFirst, bySize.reversed()),
            (.smallestFirst, bySize),
        ]
        for (order, wanted) in orders {
            for range in [nil, 200...400, 500...500, 600...900] as [ClosedRange<Int64>?] {
                for asked in [nil, currency, other] {
                    let query = PaymentQuery(
                        merchantID: merchant.id, currency: asked, minorUnits: range, order: order, offset: 1, limit: 3)
                    let fitting = wanted.filter { payment in
                        (range?.contains(payment.amount.minorUnits) ?? true) && (asked ?? currency) == currency
                    }
                    let found = try await self.store.read { (try $0.payments(query), try $0.paymentsCount(query)) }
                    try self.expectEqual(
                        found.0.map(\.id), fitting.dropFirst().prefix(3).map(\.id), "payments of \(query)")
                    try self.expectEqual(found.1, fitting.count, "count of \(query)")
                }
            }
        }
    }

    func paymentIDsPage() async throws {
        let merchant = try await self.storedMerchant()
        let payments = try (0..<25).map { _ in try self.make.payment(of: merchant) }
        try await self.store.write { transaction in
            for payment in payments.reversed() { try transaction.insert(payment) }
        }
        var found: [PaymentID] = []
        while true {
            let last = found.last
            let page = try await self.store.read { try $0.paymentIDs(after: last, limit: 10) }
            guard !page.isEmpty else { break }
            try self.expect(page.count <= 10, "a page is longer than its limit")
            found += page
        }
        try self.expectEqual(found, payments.map(\.id).sorted(), "all payment ids, page by page")
    }
}
