//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import Testing

/// Whether the gateway believes what the acquirer really did.
struct Agreement {
    private(set) var problems: [String] = []

    /// Compares every payment of the shop's store with the simulator's book, operation by operation and in the sums,
    /// and audits the ledger.
    static func problems(of shop: Shop) async throws -> [String] {
        var agreement = Agreement()
        let payments = try await shop.payments()
        for payment in payments {
            let entries = try await shop.book.entries(of: payment.id)
            agreement.compare(payment, entries)
            agreement.compare(payment, try await shop.book.position(payment.id))
        }
        let known = Set(payments.map(\.id))
        for entry in try await shop.book.entries() where !known.contains(entry.paymentID) {
            agreement.problems.append("the acquirer knows payment \(entry.paymentID), and the store doesn't")
        }
        let audit = try await LedgerAudit.run(store: shop.store)
        agreement.problems += audit.problems
        if audit.paymentsCount != payments.count { agreement.problems.append("the audit has missed payments") }
        agreement.problems += try await shop.recoveryJobs().map { "recovery of \($0.paymentID) is still due" }
        return agreement.problems
    }

    private mutating func compare(_ payment: Payment, _ entries: [SimulatorEntry]) {
        let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.operationID, $0) })
        let saleCaptureID = payment.authorization?.saleCaptureID
        for operation in payment.operations where operation.id != saleCaptureID {
            let entry = byID[operation.id]
            guard let problem = Self.problem(operation, entry, in: payment, byID) else { continue }
            let found = entry.map { "\($0.state) \($0.approvedAmount?.description ?? "")" } ?? "no entry"
            self.problems.append("\(operation.kind) \(operation.id) is \(operation.state): \(problem); found \(found)")
        }
        let own = Set(payment.operations.map(\.id))
        for entry in entries where !own.contains(entry.operationID) {
            self.problems.append("the acquirer has \(entry.operationID), which the payment has not")
        }
    }

    private static func problem(
        _ operation: Payments.Operation, _ entry: SimulatorEntry?, in payment: Payment,
        _ entries: [OperationID: SimulatorEntry]
    ) -> String? {
        let isVoided = payment.state == .voided
        switch (operation.kind, operation.state) {
        case (_, .pending), (_, .unknown), (_, .accepted): return "it is not resolved"
        case (.authorization, .succeeded), (.capture, .succeeded), (.refund, .succeeded), (.adjustment, .succeeded),
            (.verification, .succeeded):
            let wanted: SimulatorEntry.State =
                if operation.kind == .authorization, isVoided {
                    .voided
                } else { payment.isVoided(operation.id) ? .reversed : .approved }
            guard entry?.state == wanted else { return "the acquirer must have it as \(wanted)" }
            return entry?.approvedAmount == operation.approvedAmount ? nil : "the amounts differ"
        case (_, .failed(.reversed)):
            // What was declined and never heard of has nothing to take back, and its reversal is acknowledged all the
            // same.
            return entry?.state == .reversed || entry?.state == .declined ? nil : "the acquirer must have taken it back"
        case (.void, .succeeded):
            if let target = operation.target {
                return entries[target]?.state == .reversed ? nil : "the acquirer must have taken its target back"
            }
            let state = payment.authorization.flatMap { entries[$0.id]?.state }
            return state == .voided ? nil : "the acquirer must have voided the authorization"
        case (.lateFailure, _), (.chargeback, _): return "the acquirer has reported nothing by itself"
        case (.reversal, .succeeded):
            let state = operation.target.flatMap { entries[$0]?.state }
            return state == .reversed || state == .declined ? nil : "the acquirer must have taken its target back"
        case (_, .failed(.notProcessed)): return entry == nil ? nil : "the acquirer must have done nothing"
        case (_, .failed(.declined)): return entry?.state == .declined ? nil : "the acquirer must have declined it"
        }
    }

    private mutating func compare(_ payment: Payment, _ position: SimulatorPosition?) {
        let nothing = Money.zero(payment.amount.currency)
        let voided = payment.state == .voided ? payment.authorizedAmount : nothing
        let isClosed = payment.operations.contains {
            $0.isFinalCapture && $0.state == .succeeded && !payment.isVoided($0.id)
        }
        let rest = payment.authorizedAmount - payment.capturedAmount
        let released = isClosed ? rest : nothing
        let sums: [(String, Money, Money?)] = [
            ("authorized", payment.authorizedAmount, position?.authorized),
            ("captured", payment.capturedAmount, position?.captured),
            ("refunded", payment.refundedAmount, position?.refunded),
            ("voided", voided, position?.voided),
            ("released", released, position?.released),
            ("held", payment.heldAmount, position?.held),
        ]
        for (name, ours, theirs) in sums where ours != theirs ?? nothing {
            self.problems.append("\(payment.id) \(name): \(ours) here, \(theirs ?? nothing) at the acquirer")
        }
    }
}

/// Expects that gateway, ledger and acquirer agree and that nothing is left to recover.
func expectAgreement(_ shop: Shop, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let problems = try await Agreement.problems(of: shop)
    #expect(problems == [], sourceLocation: sourceLocation)
}
