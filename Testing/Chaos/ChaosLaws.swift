//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Simulation
public import SimulatorAcquirer
import TestShop

/// What must hold when the faults are over and nothing is open.
public enum ChaosLaws {
    /// What was found.
    public struct Findings: Sendable {
        public var violations: [String] = []
        public var lostCount = 0
        public var doubledCount = 0
        public var waitingWebhooksCount = 0
        public var paymentsCount = 0
        public var operationsCount = 0
    }

    /// An operation of the store under the name that the shop gave it.
    private struct Named {
        let payment: Payment
        let operation: Operation
    }

    /// - Parameters:
    ///   - service: the store of the payment service whose acquirer has the book; the gateways' own if there is none.
    ///   - webhooks: what has arrived by payment ("commweb/ORDER"), in the order of the first arrivals.
    ///   - awaitsWebhooks: whether all of them must have.
    public static func check(
        store: any PaymentStore, service: (any PaymentStore)? = nil, book: SimulatorBook, receipts: Receipts,
        webhooks: [String: [String]],
        awaitsWebhooks: Bool = true
    ) async throws -> Findings {
        var findings = Findings()
        findings.violations += receipts.problems
        findings.violations += try await BookLaws.problems(store: service ?? store, book: book)
        if let service {
            let all = PaymentQuery(order: .oldestFirst, limit: .max)
            for payment in try await service.read({ try $0.payments(all) }) {
                self.checkLimits(payment, try await book.position(payment.id), &findings)
            }
        }
        let payments = try await store.read { try $0.payments(PaymentQuery(order: .oldestFirst, limit: .max)) }
        findings.paymentsCount = payments.count
        findings.operationsCount = payments.map(\.operations.count).reduce(0, +)
        var named: [String: [Named]] = [:]
        for payment in payments {
            let dialect = try ShopDialects.required(payment.dialect.text)
            let order = try await self.orderName(of: payment, dialect, in: store)
            let saleCaptureID = payment.authorization?.saleCaptureID
            for operation in payment.operations where operation.kind != .reversal && operation.id != saleCaptureID {
                named["\(order)/\(dialect.callName(of: operation, in: payment))", default: []].append(
                    Named(payment: payment, operation: operation))
            }
            self.checkLimits(payment, try await book.position(payment.id), &findings)
            try await self.checkWebhooks(
                of: payment, dialect, order, webhooks[order] ?? [], store, awaitsAll: awaitsWebhooks, &findings)
        }
        let asked = receipts.all
        for (key, receipt) in asked { self.check(receipt, named[key] ?? [], &findings) }
        for key in named.keys where asked[key] == nil {
            findings.violations.append("\(key) stands in the store, and no shop has asked for it")
        }
        return findings
    }

    // MARK: - Names

    /// "commweb/ORDER": by what the shop's requests call the payment.
    private static func orderName(
        of payment: Payment, _ dialect: any ShopDialect.Type, in store: any PaymentStore
    ) async throws -> String {
        var name = payment.opening?.labels.reference ?? ""
        if dialect.namesOrders, let id = payment.orderID {
            name = try await store.read { try $0.order(id) }?.reference ?? ""
        }
        return "\(dialect.name)/\(name)"
    }

    // MARK: - Laws

    /// What a shop was answered stands, and stands once.
    private static func check(_ receipt: Receipts.Receipt, _ found: [Named], _ findings: inout Findings) {
        let done = found.filter { $0.operation.state == .succeeded }
        if done.count > 1 {
            findings.doubledCount += 1
            findings.violations.append("\(receipt.key) was done \(done.count) times")
        }
        for one in found where one.operation.kind != receipt.kind {
            findings.violations.append("\(receipt.key) is a \(one.operation.kind), asked for was a \(receipt.kind)")
        }
        switch receipt.answer {
        case .approved:
            guard let one = done.first else {
                findings.lostCount += 1
                findings.violations.append("\(receipt.key) was acknowledged and is lost")
                return
            }
            if let minorUnits = receipt.minorUnits, one.operation.approvedAmount?.minorUnits != minorUnits {
                findings.violations.append("\(receipt.key) was acknowledged with another amount than it has")
            }
        case .notDone(let reason):
            if !done.isEmpty { findings.violations.append("\(receipt.key) was refused (\(reason)) and is done") }
        case nil: findings.violations.append("\(receipt.key) has never got a definite answer")
        }
    }

    private static func checkLimits(
        _ payment: Payment, _ position: SimulatorPosition?, _ findings: inout Findings
    ) {
        if payment.capturedAmount > payment.authorizedAmount || payment.refundedAmount > payment.capturedAmount {
            findings.violations.append("\(payment.id) is over its limits in the gateway")
        }
        guard let position else { return }
        if position.captured > position.authorized || position.refunded > position.captured {
            findings.violations.append("\(payment.id) is over its limits at the acquirer")
        }
    }

    // MARK: - Webhooks

    /// Every event has arrived, in the order in which the payment changed.
    ///
    /// An attempt that failed is repeated when the dialect's schedule says, which may be in an hour.
    private static func checkWebhooks(
        of payment: Payment, _ dialect: any ShopDialect.Type, _ order: String, _ arrived: [String],
        _ store: any PaymentStore, awaitsAll: Bool, _ findings: inout Findings
    ) async throws {
        var rest = arrived[...]
        for event in try await store.read({ try $0.events(of: payment.id) }) {
            guard let operation = payment.operation(event.operationID) else { continue }
            if event.state != .delivered {
                findings.waitingWebhooksCount += 1
                if awaitsAll { findings.violations.append("\(order): \(event.kind) is \(event.state) and not sent") }
                return
            }
            for message in dialect.messages(of: event, operation, in: payment) {
                // Messages without a name of their own (PAYONE's that something failed, or is pending) may stand between.
                guard let index = rest.firstIndex(of: message) else {
                    findings.violations.append("\(order): \(event.kind) (\(message)) is missing or out of order")
                    return
                }
                let skipped = rest[..<index].filter { !self.mayStandBetween($0) }
                if !skipped.isEmpty {
                    findings.violations.append("\(order): \(skipped) came before \(event.kind) (\(message))")
                }
                rest = rest[(index + 1)...]
            }
        }
        let unexplained = rest.filter { !self.mayStandBetween($0) }
        if !unexplained.isEmpty { findings.violations.append("\(order): \(unexplained) arrived and is no event") }
    }

    private static func mayStandBetween(_ message: String) -> Bool {
        message.hasSuffix(" failed") || message.hasSuffix(" pending")
    }
}
