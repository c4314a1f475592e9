//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
public import Payments

/// What a check of the books found.
public struct LedgerReport: Sendable {
    public internal(set) var paymentsCount = 0
    public internal(set) var entriesCount = 0
    /// How many of the entries are of settlements, which stand beside the payments' journal.
    public internal(set) var settlementEntriesCount = 0
    /// A sentence for each thing that is wrong; empty when the books are sound.
    public internal(set) var problems: [String] = []
    /// The balances of all accounts, from the rows.
    public internal(set) var balances: [LedgerBalances.Key: LedgerBalances.Sums] = [:]

    public var isSound: Bool { self.problems.isEmpty }
}

/// Proves the ledger from its rows: every journal entry balances, every payment's sums are those of its journal,
/// every settlement's entries follow from its line, all postings together are the accounts' balances, and reports
/// find every operation whose end is known as it is.
///
/// What an entry is called is nothing that is proven: earlier versions called some that followed a late failure otherwise
/// (the void of a sale a release, an adjustment down a hold), and their books are as sound.
public enum LedgerAudit {
    /// Checks everything in one read, so that payments made meanwhile are all in or all out.
    ///
    /// - Parameter progress: called with how many payments have been checked, now and then.
    public static func run(
        store: any PaymentStore, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> LedgerReport {
        try await store.read { try self.report(on: $0, progress: progress) }
    }

    /// The problems of single payments, found in many short reads: for a gateway that works meanwhile. What is made
    /// while it looks may be seen or not. That the sums of all rows are those of the journals only
    /// ``run(store:progress:)`` proves, in one read.
    ///
    /// - Parameter pause: between two reads.
    /// - Throws: `StoreError`, and what the pause throws.
    public static func problems(
        store: any PaymentStore, pause: @Sendable () async throws -> Void
    ) async throws -> [String] {
        var problems: [String] = []
        var after: PaymentID?
        while true {
            let start = after
            let (last, found) = try await store.read { reader in
                var report = LedgerReport()
                var sums = LedgerBalances()
                let page = try reader.paymentIDs(after: start, limit: Self.pageCount)
                _ = try Self.check(page, on: reader, in: &report, adding: &sums)
                return (page.last, report.problems)
            }
            problems += found
            guard let last else { return problems }
            after = last
            try await pause()
        }
    }

    private static let pageCount = 256

    /// - Returns: how many movements the payments must have.
    private static func check(
        _ page: [PaymentID], on reader: any StoreReader, in report: inout LedgerReport,
        adding sums: inout LedgerBalances
    ) throws -> Int {
        let ids = Set(page)
        switch try Result(catching: { (try reader.payments(ids), try reader.journals(of: ids)) }).mapStoreError() {
        case .success((let payments, let journals)):
            var movements: [MovementEntry] = []
            for id in page {
                guard let payment = payments[id] else {
                    report.problems.append("payment \(id): its row is gone")
                    continue
                }
                let entries = journals[id] ?? []
                report.entriesCount += entries.count
                report.check(payment, entries, adding: &sums)
                movements += payment.operations.compactMap { MovementEntry(of: payment, $0) }
            }
            try report.check(movements, on: reader)
            return movements.count
        // One payment's rows are no reason not to look at the others.
        case .failure where page.count > 1:
            return try page.reduce(0) { try $0 + Self.check([$1], on: reader, in: &report, adding: &sums) }
        case .failure(let error):
            report.problems += page.map { "payment \($0): \(error)" }
            return 0
        }
    }

    private static func report(on reader: any StoreReader, progress: (Int) -> Void) throws -> LedgerReport {
        var report = LedgerReport()
        var recomputed = LedgerBalances()
        var movementsCount = 0
        var after: PaymentID?
        while true {
            let page = try reader.paymentIDs(after: after, limit: Self.pageCount)
            guard let last = page.last else { break }
            report.paymentsCount += page.count
            movementsCount += try Self.check(page, on: reader, in: &report, adding: &recomputed)
            after = last
            progress(report.paymentsCount)
        }
        try report.checkSettlements(on: reader, adding: &recomputed)
        do {
            report.balances = try reader.ledgerSums()
            if report.balances != recomputed.sums {
                report.problems.append("the account balances are not the sums of the payments' journals")
            }
            if !recomputed.isBalanced { report.problems.append("debits and credits over all accounts differ") }
        } catch let error as LedgerError {
            // Nothing is known then of the sums, and of the payments all the same.
            report.problems.append("the account balances: \(error)")
        }
        // Each operation's is there, or was found missing: what is more belongs to none.
        let written = try reader.movementEntriesCount()
        if written != movementsCount {
            report.problems.append("\(movementsCount) operations have ended, and \(written) movements are written")
        }
        return report
    }
}

extension Result where Failure == any Error {
    /// Rows that contradict themselves are a finding; a store that cannot be read ends the check.
    func mapStoreError() throws -> Result<Success, StoreError> {
        switch self {
        case .success(let value): return .success(value)
        case .failure(let error as StoreError):
            guard case .corrupt = error else { throw error }
            return .failure(error)
        case .failure(let error): throw error
        }
    }
}

extension LedgerReport {
    private static let takingBack: Set<PaymentOperation.Kind> = [.void, .adjustment, .lateFailure, .chargeback]

    /// - Parameter wanted: what the operations say.
    fileprivate mutating func check(_ wanted: [MovementEntry], on reader: any StoreReader) throws {
        switch try Result(catching: { try reader.movementEntries(of: wanted) }).mapStoreError() {
        case .success(let written):
            for movement in wanted where written[movement.operationID] != movement {
                let problem =
                    written[movement.operationID] == nil
                    ? "the operation \(movement.operationID) has no movement"
                    : "the movement of \(movement.operationID) is not what the operation is"
                self.problems.append("payment \(movement.paymentID): \(problem)")
            }
        case .failure where wanted.count > 1: for movement in wanted { try self.check([movement], on: reader) }
        case .failure(let error): self.problems += wanted.map { "payment \($0.paymentID): \(error)" }
        }
    }

    fileprivate mutating func check(
        _ payment: Payment, _ entries: [JournalEntry], adding total: inout LedgerBalances
    ) {
        var own = LedgerBalances()
        for entry in entries {
            do throws(LedgerError) {
                try own.add(entry)
                try total.add(entry)
            } catch {
                self.problems.append("payment \(payment.id): \(error)")
            }
        }
        let payable = Bookkeeping.payable(to: payment.merchantID)
        let currency = payment.amount.currency
        let posted = own[payable, .posted, currency]
        let held = own[payable, .pending, currency]
        // What a void or a late failure takes back is booked once more, the other way; an adjustment books a
        // difference, and a chargeback what no sum but the last has. Then only the balances are the operations' sums,
        // else the totals are too.
        let hasTakenBack = payment.operations.contains { operation in
            operation.state == .succeeded && Self.takingBack.contains(operation.kind)
        }
        self.compare(payment, "captured and not refunded", payment.keptAmount.minorUnits, posted.creditBalance)
        if !hasTakenBack {
            self.compare(payment, "captured", payment.capturedAmount.minorUnits, posted.credits)
            self.compare(payment, "refunded", payment.refundedAmount.minorUnits, posted.debits)
            self.compare(payment, "authorized", payment.authorizedAmount.minorUnits, held.credits)
        }
        self.compare(payment, "left of the authorization", payment.heldAmount.minorUnits, held.creditBalance)
        if !own.isBalanced { self.problems.append("payment \(payment.id): its journal does not sum to zero") }
        // A capture may come to nothing after it was refunded.
        let hasFailedLate = payment.operations.contains { $0.kind == .lateFailure }
        if payment.refundedAmount > payment.capturedAmount, !hasFailedLate {
            self.problems.append("payment \(payment.id): more is refunded than captured")
        }
        if payment.capturedAmount > payment.authorizedAmount {
            self.problems.append("payment \(payment.id): more is captured than authorized")
        }
    }

    private mutating func compare(_ payment: Payment, _ what: String, _ expected: Int64, _ booked: Int64) {
        guard expected != booked else { return }
        self.problems.append(
            "payment \(payment.id): \(what) \(expected) by its operations, \(booked) by the ledger (minor units)")
    }
}
