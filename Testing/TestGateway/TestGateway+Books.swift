//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
public import Payments
public import SimulatorAcquirer

extension TestGateway {
    /// Every payment of the store, newest first.
    public func payments() async throws -> [Payment] {
        try await self.store.read { try $0.payments(PaymentQuery(limit: 10_000)) }
    }

    /// Whether what the gateway believes is what the acquirer did, and the ledger proves it: a sentence for each thing
    /// that is not so. Payments with operations that nobody knows the end of are left out of the comparison; recover
    /// first.
    public func bookProblems() async throws -> [String] {
        var problems = try await LedgerAudit.run(store: self.store).problems
        let payments = try await self.payments()
        for payment in payments where payment.operations.allSatisfy(\.state.isResolved) {
            let position = try await self.book.position(payment.id)
            let zero = Money.zero(payment.amount.currency)
            for (what, believed, booked) in [
                ("authorized", payment.authorizedAmount, position?.authorized ?? zero),
                ("captured", payment.capturedAmount, position?.captured ?? zero),
                ("refunded", payment.refundedAmount, position?.refunded ?? zero),
            ] where believed != booked {
                problems.append("\(what): the gateway says \(believed), the acquirer's book \(booked)")
            }
            if (payment.state == .voided) != (position?.voided.isPositive ?? false) {
                problems.append("the gateway and the acquirer's book differ on whether the payment is voided")
            }
        }
        let known = Set(payments.map(\.id))
        for entry in try await self.book.entries() where !known.contains(entry.paymentID) {
            problems.append("the acquirer has booked something for a payment that the gateway does not know")
        }
        return problems
    }

    /// How many operations of a kind the acquirer has booked as approved.
    public func bookedCount(_ kind: SimulatorEntry.Kind) async throws -> Int {
        try await self.book.entries().count { $0.kind == kind && $0.state == .approved }
    }
}
