//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
import Time

/// What the ledger books for a payment's operations.
///
/// | operation | pending layer | posted layer |
/// |---|---|---|
/// | authorization | debit receivable, credit payable | – |
/// | capture | debit payable, credit receivable | debit receivable, credit payable |
/// | void, rest of a final capture | debit payable, credit receivable | – |
/// | refund, void of a sale | – | debit payable, credit receivable |
/// | void of a capture | debit receivable, credit payable, as far as it is held again | debit payable, credit receivable |
/// | void of a refund | – | debit receivable, credit payable |
/// | adjustment | as an authorization or a void, of the difference | – |
/// | late failure | what was done, the other way, as far as it changes what is held | what was done, the other way |
/// | chargeback | – | debit payable, credit receivable |
///
/// A verification books nothing. A fee that the acquirer keeps for what it reports is posted besides: debit fees, credit
/// receivable.
///
/// A reversal books nothing: what it takes back was never known to have happened, and so was never booked.
public enum Bookkeeping {
    /// What the acquirer owes under an account.
    public static func receivable(of account: AcquirerAccountID) -> LedgerAccount {
        LedgerAccount(path: "acquirer/\(account.text)/receivable")
    }

    /// What the merchant is owed.
    public static func payable(to merchant: MerchantID) -> LedgerAccount {
        LedgerAccount(path: "merchant/\(merchant.text)/payable")
    }

    /// What the acquirer has kept of the money under an account.
    public static func fees(of account: AcquirerAccountID) -> LedgerAccount {
        LedgerAccount(path: "acquirer/\(account.text)/fees")
    }

    /// The id of the entry for a fee that came with an operation.
    public static func feeEntryID(of operation: OperationID) -> String { operation.text + "/fee" }

    /// The entry for a fee that came with an operation.
    static func fee(
        _ amount: Money, with operation: OperationID, of payment: Payment, at now: Timestamp
    ) -> JournalEntry {
        let leg = JournalEntry.Leg(
            layer: .posted, debit: self.fees(of: payment.accountID), credit: self.receivable(of: payment.accountID),
            amount: amount)
        return self.entry(self.feeEntryID(of: operation), .fee, [leg], of: payment, at: now)
    }

    /// The entries for every operation that has succeeded between two states of a payment.
    static func entries(from before: Payment, to after: Payment, at now: Timestamp) -> [JournalEntry] {
        let booked = Set(before.operations.lazy.filter { $0.state == .succeeded }.map(\.id))
        return after.operations.flatMap { operation in
            operation.state == .succeeded && !booked.contains(operation.id)
                ? self.entries(for: operation, of: after, since: before, at: now) : []
        }
    }

    private static func entries(
        for operation: Operation, of payment: Payment, since before: Payment, at now: Timestamp
    ) -> [JournalEntry] {
        guard let amount = operation.approvedAmount else { return [] }
        // What was under way when something came to nothing may find nothing left to undo, or nothing held.
        if before.operations.contains(where: { $0.kind == .lateFailure }) {
            let kind = self.kind(of: operation, in: payment)
            return self.difference(operation, kind, of: payment, since: before, at: now)
        }
        let receivable = self.receivable(of: payment.accountID)
        let payable = self.payable(to: payment.merchantID)
        let hold = { (amount: Money) in
            JournalEntry.Leg(layer: .pending, debit: receivable, credit: payable, amount: amount)
        }
        let release = { (amount: Money) in
            JournalEntry.Leg(layer: .pending, debit: payable, credit: receivable, amount: amount)
        }
        let take = JournalEntry.Leg(layer: .posted, debit: receivable, credit: payable, amount: amount)
        let giveBack = JournalEntry.Leg(layer: .posted, debit: payable, credit: receivable, amount: amount)
        var drafts: [(suffix: String, kind: JournalEntry.Kind, legs: [JournalEntry.Leg])] = []
        switch operation.kind {
        case .authorization:
            drafts.append(("", .hold, [hold(amount)]))
        case .capture:
            drafts.append(("", .capture, [release(amount), take]))
            let rest = payment.authorizedAmount - payment.capturedAmount
            if operation.isFinalCapture, rest.isPositive { drafts.append(("/rest", .release, [release(rest)])) }
        case .void:
            switch operation.target.flatMap(payment.operation)?.kind {
            case .refund: drafts.append(("", .void, [take]))
            case .capture:
                let heldAgain = payment.heldAmount - before.heldAmount
                drafts.append(("", .void, heldAgain.isPositive ? [giveBack, hold(heldAgain)] : [giveBack]))
            default:
                let isSale = payment.authorization?.isSale == true
                drafts.append(isSale ? ("", .void, [giveBack]) : ("", .release, [release(before.heldAmount)]))
            }
        case .refund: drafts.append(("", .refund, [giveBack]))
        case .adjustment:
            let difference = amount - before.authorizedAmount
            if difference.isPositive { drafts.append(("", .hold, [hold(difference)])) }
            if before.authorizedAmount > amount {
                drafts.append(("", .release, [release(before.authorizedAmount - amount)]))
            }
        case .lateFailure: return self.difference(operation, .failure, of: payment, since: before, at: now)
        case .chargeback: drafts.append(("", .chargeback, [giveBack]))
        case .verification, .reversal: break
        }
        return drafts.map {
            self.entry(operation.id.text + $0.suffix, $0.kind, $0.legs, of: payment, at: now)
        }
    }

    /// Whatever an operation does or undoes: what the sums say, less what the books say already.
    private static func difference(
        _ operation: Operation, _ kind: JournalEntry.Kind, of payment: Payment, since before: Payment, at now: Timestamp
    ) -> [JournalEntry] {
        let receivable = self.receivable(of: payment.accountID)
        let payable = self.payable(to: payment.merchantID)
        let changes: [(layer: LedgerLayer, change: Money)] = [
            (.pending, payment.heldAmount - before.heldAmount), (.posted, payment.keptAmount - before.keptAmount),
        ]
        let legs = changes.filter { !$0.change.isZero }.map { layer, change in
            change.isPositive
                ? JournalEntry.Leg(layer: layer, debit: receivable, credit: payable, amount: change)
                : JournalEntry.Leg(
                    layer: layer, debit: payable, credit: receivable, amount: .zero(change.currency) - change)
        }
        return legs.isEmpty ? [] : [self.entry(operation.id.text, kind, legs, of: payment, at: now)]
    }

    private static func kind(of operation: Operation, in payment: Payment) -> JournalEntry.Kind {
        switch operation.kind {
        case .authorization, .adjustment, .verification: .hold
        case .capture: .capture
        case .refund: .refund
        case .void, .reversal:
            operation.target.flatMap(payment.operation).map { $0.kind != .authorization || $0.isSale } == true
                ? .void : .release
        case .lateFailure: .failure
        case .chargeback: .chargeback
        }
    }

    private static func entry(
        _ id: String, _ kind: JournalEntry.Kind, _ legs: [JournalEntry.Leg], of payment: Payment, at now: Timestamp
    ) -> JournalEntry {
        do throws(LedgerError) {
            return try JournalEntry.transfer(
                id: id, subject: payment.id.text, kind: kind, bookedAt: now, legs: legs)
        } catch {
            // Every leg has two sides and a positive amount; an entry that is refused is this file's own error.
            preconditionFailure("bookkeeping made an entry that the ledger refuses: \(error)")
        }
    }
}
