//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
public import Payments
public import SimulatorAcquirer

/// Whether what the gateway believes is what the acquirer really did, operation by operation and in the sums, and whether
/// the ledger proves it.
///
/// What acquirers have reported by themselves, late failures and chargebacks, is in no book of theirs: the rest is compared
/// without it. ``TestGateway/bookProblems()`` compares the sums alone.
public enum BookAgreement {
    /// A sentence for each thing that is not so. Operations without an end are among them.
    public static func problems(
        store: any PaymentStore, book: SimulatorBook
    ) async throws -> [String] {
        var problems: [String] = []
        let payments = try await store.read { try $0.payments(PaymentQuery(order: .oldestFirst, limit: .max)) }
        for payment in payments.map(\.withoutReports) {
            problems += self.compare(payment, try await book.entries(of: payment.id))
            problems += self.compare(payment, try await book.position(payment.id))
        }
        let known = Set(payments.map(\.id))
        for entry in try await book.entries() where !known.contains(entry.paymentID) {
            problems.append("the acquirer has booked for \(entry.paymentID), which the store does not have")
        }
        let audit = try await LedgerAudit.run(store: store)
        problems += audit.problems
        if audit.paymentsCount != payments.count { problems.append("the audit has missed payments") }
        return problems
    }

    private static func compare(_ payment: Payment, _ entries: [SimulatorEntry]) -> [String] {
        var problems: [String] = []
        let byID = Dictionary(entries.map { ($0.operationID, $0) }, uniquingKeysWith: { first, _ in first })
        let saleCaptureID = payment.authorization?.saleCaptureID
        for operation in payment.operations where operation.id != saleCaptureID {
            let entry = byID[operation.id]
            guard let problem = self.problem(operation, entry, in: payment, byID) else { continue }
            let found = entry.map { "\($0.state.rawValue) \($0.approvedAmount?.description ?? "")" } ?? "no entry"
            problems.append("\(operation.kind) \(operation.id) is \(operation.state): \(problem); found \(found)")
        }
        let own = Set(payment.operations.map(\.id))
        for entry in entries where !own.contains(entry.operationID) {
            problems.append("the acquirer has \(entry.operationID), which \(payment.id) has not")
        }
        return problems
    }

    private static func problem(
        _ operation: Operation, _ entry: SimulatorEntry?, in payment: Payment, _ entries: [OperationID: SimulatorEntry]
    ) -> String? {
        switch (operation.kind, operation.state) {
        case (_, .pending), (_, .unknown), (_, .accepted): return "it has no end"
        case (.authorization, .succeeded), (.capture, .succeeded), (.refund, .succeeded), (.adjustment, .succeeded),
            (.verification, .succeeded):
            let wanted: SimulatorEntry.State =
                if operation.kind == .authorization, payment.state == .voided {
                    .voided
                } else { payment.isUndone(operation.id) ? .reversed : .approved }
            guard entry?.state == wanted else { return "the acquirer must have it as \(wanted.rawValue)" }
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
        case (.lateFailure, _), (.chargeback, _): return nil
        case (.reversal, .succeeded):
            let state = operation.target.flatMap { entries[$0]?.state }
            return state == .reversed || state == .declined ? nil : "the acquirer must have taken its target back"
        // An operator's decision on what the acquirer itself knows no end of, and what moves nothing there.
        case (_, .failed(.notProcessed(.neverArrived))) where entry?.state == .unclear: return nil
        case (_, .failed(.notProcessed)): return entry == nil ? nil : "the acquirer must have done nothing"
        case (_, .failed(.declined)): return entry?.state == .declined ? nil : "the acquirer must have declined it"
        }
    }

    private static func compare(_ payment: Payment, _ position: SimulatorPosition?) -> [String] {
        let nothing = Money.zero(payment.amount.currency)
        let isClosed = payment.operations.contains {
            $0.isFinalCapture && $0.state == .succeeded && !payment.isUndone($0.id)
        }
        // What comes after the hold has the acquirer release the rest; here it is held until it is voided.
        let hasLapsed = payment.state != .voided && payment.operations.contains(where: payment.cameAfterHold)
        let rest = payment.authorizedAmount - payment.capturedAmount
        let sums: [(String, Money, Money?)] = [
            ("authorized", payment.authorizedAmount, position?.authorized),
            ("captured", payment.capturedAmount, position?.captured),
            ("refunded", payment.refundedAmount, position?.refunded),
            ("voided", payment.state == .voided ? payment.authorizedAmount : nothing, position?.voided),
            ("released", isClosed || hasLapsed ? rest : nothing, position?.released),
            ("held", hasLapsed ? nothing : payment.heldAmount, position?.held),
        ]
        return sums.compactMap { name, ours, theirs in
            ours == theirs ?? nothing
                ? nil : "\(payment.id) \(name): \(ours) here, \(theirs ?? nothing) at the acquirer"
        }
    }
}

extension Payment {
    /// The payment as acquirers have answered it, without what they have reported by themselves since.
    public var withoutReports: Payment {
        guard self.operations.contains(where: { $0.kind.isReported }) else { return self }
        return Payment(
            id: self.id, merchantID: self.merchantID, mode: self.mode, dialect: self.dialect, acquirer: self.acquirer,
            accountID: self.accountID, orderID: self.orderID, amount: self.amount, instrument: self.instrument,
            createdAt: self.createdAt, version: self.version, operations: self.operations.filter { !$0.kind.isReported }
        )
    }
}
