//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// What must hold when a history is over, the weather calm and every job worked off.
extension World {
    func checkLastLaws(_ receipts: Receipts) async {
        let payments = await self.store.allPayments()
        for job in await self.store.jobs() {
            self.record.violation("the \(job.kind.rawValue) job of \(job.paymentID) is left")
        }
        self.checkReports(payments)
        do {
            for problem in try await BookLaws.problems(store: self.store, book: self.book) {
                self.record.violation(problem)
            }
            let journals = try await self.store.read { reader in try payments.map { try reader.events(of: $0.id) } }
            for (payment, events) in zip(payments, journals) { self.checkEvents(events, of: payment) }
            try await self.checkOrders(payments)
        } catch {
            self.record.violation("the last laws could not be checked: \(error)")
        }
        self.checkReceipts(receipts, payments)
    }

    /// Nothing that a shop was answered is lost.
    private func checkReceipts(_ receipts: Receipts, _ payments: [Payment]) {
        let stored = Dictionary(payments.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for receipt in receipts.all {
            guard let ended = receipt.ended else { continue }
            guard let payment = stored[ended.payment.id] else {
                self.record.violation("\(ended.payment.id) was acknowledged and is lost")
                continue
            }
            if payment.operation(ended.operation.id) != ended.operation {
                self.record.violation("\(ended.operation.kind) \(ended.operation.id) was acknowledged and is lost")
            }
        }
    }

    /// Every operation of the merchant's has one event, of the kind of its end, in the order of the ends; and each was
    /// delivered, the earlier one first.
    private func checkEvents(_ events: [OutboxEvent], of payment: Payment) {
        let notified = payment.operations.filter { $0.kind != .reversal && $0.labels.notifyURL != nil }
            .sorted { ($0.resolvedInVersion ?? .max) < ($1.resolvedInVersion ?? .max) }
        // What came to nothing late is an event of what it was about.
        if events.map(\.operationID) != notified.map({ $0.kind == .lateFailure ? $0.target : $0.id }) {
            self.record.violation(
                "\(payment.id) has \(events.count) events for \(notified.count) operations, or in disorder")
        }
        for (event, end) in zip(events, notified) {
            guard let operation = payment.operation(event.operationID) else { continue }
            let state = payment.asOf(version: event.paymentVersion).currentState(of: operation)
            let isOfSuccess = event.kind == .chargeback || event.kind.rawValue.hasSuffix("Succeeded")
            if isOfSuccess != (state == .succeeded) || event.paymentVersion != end.resolvedInVersion {
                self.record.violation("\(event.kind.rawValue) reports \(operation.id), which is \(state)")
            }
            if event.state != .delivered { self.record.violation("an event of \(operation.id) is \(event.state)") }
        }
        if self.webhooks.arrived(of: payment.id) != events.map(\.id) {
            self.record.violation("the webhooks of \(payment.id) have not all arrived, or in disorder")
        }
    }

    /// Of an order's payments at most one holds money, and the order names it.
    private func checkOrders(_ payments: [Payment]) async throws {
        let groups = Dictionary(grouping: payments.filter { $0.orderID != nil }, by: \.orderID)
        for (orderID, payments) in groups {
            guard let orderID else { continue }
            let paying = payments.filter { ![.declined, .notProcessed, .reversed, .verified].contains($0.state) }
            if paying.count > 1 { self.record.violation("an order is paid \(paying.count) times") }
            let order = try await self.store.read { try $0.order(orderID) }
            if let payment = paying.first, order?.paymentID != payment.id {
                self.record.violation("an order does not name its payment \(payment.id)")
            }
        }
    }
}
