//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
import Time

/// What the ledger books for a payment's operations.
///
/// | operation | entry | pending layer | posted layer |
/// |---|---|---|---|
/// | authorization | hold | debit receivable, credit payable | – |
/// | capture | capture | debit payable, credit receivable | debit receivable, credit payable |
/// | void, rest of a final capture | release | debit payable, credit receivable | – |
/// | refund | refund | – | debit payable, credit receivable |
/// | void of a sale | void | – | debit payable, credit receivable |
/// | void of a capture | void | debit receivable, credit payable, as far as it is held again | debit payable, credit receivable |
/// | void of a refund | void | – | debit receivable, credit payable |
/// | adjustment | hold or release | as an authorization or a void, of the difference | – |
/// | late failure | failure | what was done, the other way, as far as it changes what is held | what was done, the other way |
/// | chargeback | chargeback | – | debit payable, credit receivable |
///
/// What ends after a late failure keeps the name of its entry, and books what it changes of what is held and kept.
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
        guard let amount = operation.approvedAmount, let kind = self.kind(of: operation, amount, since: before) else {
            return []
        }
        let accounts = Accounts(of: payment)
        // What was under way when something came to nothing may find nothing left to undo, or nothing held.
        let isAfterFailure = before.operations.contains { $0.kind == .lateFailure }
        let legs =
            isAfterFailure
            ? self.difference(of: payment, since: before, accounts)
            : self.legs(of: operation, amount, of: payment, since: before, accounts)
        var entries = legs.isEmpty ? [] : [self.entry(operation.id.text, kind, legs, of: payment, at: now)]
        guard operation.isFinalCapture, !isAfterFailure else { return entries }
        let rest = payment.authorizedAmount - payment.capturedAmount
        if rest.isPositive {
            entries.append(
                self.entry(operation.id.text + "/rest", .release, [accounts.release(rest)], of: payment, at: now))
        }
        return entries
    }

    /// What the entry of an operation is called, whatever it is made of.
    ///
    /// - Returns: `nil` for what books nothing.
    private static func kind(of operation: Operation, _ amount: Money, since before: Payment) -> JournalEntry.Kind? {
        switch operation.kind {
        case .authorization: .hold
        case .capture: .capture
        case .refund: .refund
        case .adjustment: before.authorizedAmount > amount ? .release : .hold
        case .void: before.voidable(by: operation.target) == .authorization ? .release : .void
        case .lateFailure: .failure
        case .chargeback: .chargeback
        case .verification, .reversal: nil
        }
    }

    private static func legs(
        of operation: Operation, _ amount: Money, of payment: Payment, since before: Payment, _ accounts: Accounts
    ) -> [JournalEntry.Leg] {
        switch operation.kind {
        case .authorization: return [accounts.hold(amount)]
        case .capture: return [accounts.release(amount), accounts.take(amount)]
        case .refund, .chargeback: return [accounts.giveBack(amount)]
        case .adjustment:
            let change = amount - before.authorizedAmount
            if change.isZero { return [] }
            return [change.isPositive ? accounts.hold(change) : accounts.release(before.authorizedAmount - amount)]
        case .void:
            switch before.voidable(by: operation.target) {
            case .authorization: return [accounts.release(before.heldAmount)]
            case .sale: return [accounts.giveBack(amount)]
            case .capture:
                let heldAgain = payment.heldAmount - before.heldAmount
                return heldAgain.isPositive
                    ? [accounts.giveBack(amount), accounts.hold(heldAgain)] : [accounts.giveBack(amount)]
            case .refund: return [accounts.take(amount)]
            }
        case .lateFailure: return self.difference(of: payment, since: before, accounts)
        case .verification, .reversal: return []
        }
    }

    /// Whatever an operation does or undoes: what the sums say, less what the books say already.
    private static func difference(
        of payment: Payment, since before: Payment, _ accounts: Accounts
    ) -> [JournalEntry.Leg] {
        let held = payment.heldAmount - before.heldAmount
        let kept = payment.keptAmount - before.keptAmount
        var legs: [JournalEntry.Leg] = []
        if !held.isZero {
            legs.append(held.isPositive ? accounts.hold(held) : accounts.release(.zero(held.currency) - held))
        }
        if !kept.isZero {
            legs.append(kept.isPositive ? accounts.take(kept) : accounts.giveBack(.zero(kept.currency) - kept))
        }
        return legs
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

/// The two accounts of a payment, and what is moved between them.
private struct Accounts {
    private let receivable: LedgerAccount
    private let payable: LedgerAccount

    init(of payment: Payment) {
        self.receivable = Bookkeeping.receivable(of: payment.accountID)
        self.payable = Bookkeeping.payable(to: payment.merchantID)
    }

    func hold(_ amount: Money) -> JournalEntry.Leg { self.forth(.pending, amount) }

    func release(_ amount: Money) -> JournalEntry.Leg { self.back(.pending, amount) }

    func take(_ amount: Money) -> JournalEntry.Leg { self.forth(.posted, amount) }

    func giveBack(_ amount: Money) -> JournalEntry.Leg { self.back(.posted, amount) }

    private func forth(_ layer: LedgerLayer, _ amount: Money) -> JournalEntry.Leg {
        JournalEntry.Leg(layer: layer, debit: self.receivable, credit: self.payable, amount: amount)
    }

    private func back(_ layer: LedgerLayer, _ amount: Money) -> JournalEntry.Leg {
        JournalEntry.Leg(layer: layer, debit: self.payable, credit: self.receivable, amount: amount)
    }
}
