//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Gateway
import Payments
import PostgreSQLStore
import SQLiteStore
import StoreRows
import Synchronization
import Threads

extension StoreLocation {
    /// The store as rows.
    func copier() throws -> any CopyableStore {
        switch self {
        case .sqlite(let path): SQLiteCopier(path: path)
        case .postgreSQL(let url): try PostgreSQLCopier(url: url)
        }
    }

    /// "sqlite" or "postgresql".
    var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .postgreSQL: "postgresql"
        }
    }
}

/// Moves a store whole: the books are checked on both ends, and every row is compared.
struct StoreCopy: Sendable {
    let source: StoreLocation
    let target: StoreLocation

    struct Report: Sendable {
        /// How many rows each table has.
        let rowsCounts: [String: Int]
        /// The target's books.
        let books: LedgerReport
    }

    /// - Parameters:
    ///   - progress: called with a few words on what is being done.
    ///   - finish: called when all is copied and right. Nobody can write to the source before it has ended: what was done
    ///     there then would be missing in the copy.
    /// - Throws: ``CommandFailure`` `store_same`, `ledger_unsound`, ``StoreCopyError``, ``StoreError``.
    func run(
        progress: @escaping @Sendable (String) -> Void, finish: @escaping @Sendable (Report) async throws -> Void
    ) async throws -> Report {
        guard self.source != self.target else {
            throw CommandFailure(.storeSame, stage: .store, "The store cannot be copied onto itself. Name another.")
        }
        let (source, target) = (try self.source.copier(), try self.target.copier())
        try await onOwnThread { try source.requireIdle() }
        // Before the target is made.
        try await self.requireReadableSource()
        try await self.target.open().close()
        try await onOwnThread {
            try target.requireIdle()
            // Finds out now whether it is empty.
            try target.fill { _ in }
        }
        let books = try await self.books(of: self.source, "the source", progress)
        return try await onOwnThread {
            var report: Report?
            let counts = try RowCopy.run(from: source, to: target) { counts in
                let journalCount = books.entriesCount - books.settlementEntriesCount
                guard counts["payments"] == books.paymentsCount, counts["journal_entries"] == journalCount else {
                    throw StoreCopyError(
                        .inUse, "Somebody has written to the source meanwhile. Stop whoever uses it, then copy again.")
                }
            } progress: { at in
                guard at.rowsCount % 8192 == 0 else { return }
                progress("\(at.step.rawValue) \(at.table): \(Text.count(at.rowsCount, "row")) …")
            } finish: { counts in
                report = try blocking { try await self.checked(counts, books, progress, finish) }
            }
            return report ?? Report(rowsCounts: counts, books: books)
        }
    }

    /// - Throws: ``StoreCopyError/Code/tablesDiffer`` where the source is an earlier version's.
    private func requireReadableSource() async throws {
        do {
            try await self.source.openReadOnly().close()
        } catch let error as StoreError {
            // Of what is not there or is empty there is nothing to bring up to date.
            guard (try? await self.source.isBegun()) == true,
                (try? await self.source.missingSteps())?.isEmpty == false
            else { throw error }
            throw StoreCopyError(
                .tablesDiffer,
                "An earlier version of this program has made the source. Bring it up to date with pomona store migrate."
            )
        }
    }

    /// - Parameter books: the source's, which the target's must be.
    private func checked(
        _ counts: [String: Int], _ books: LedgerReport, _ progress: @escaping @Sendable (String) -> Void,
        _ finish: @Sendable (Report) async throws -> Void
    ) async throws -> Report {
        let copied = try await self.books(of: self.target, "the target", progress)
        guard copied.balances == books.balances, copied.paymentsCount == books.paymentsCount,
            copied.entriesCount == books.entriesCount
        else {
            throw StoreCopyError(
                .contentDiffers,
                "The target's books are not the source's. Do not use the target: drop it, and copy again into a new one."
            )
        }
        let report = Report(rowsCounts: counts, books: copied)
        try await finish(report)
        return report
    }

    private func books(
        of location: StoreLocation, _ name: String, _ progress: @escaping @Sendable (String) -> Void
    ) async throws -> LedgerReport {
        let store = try await location.openReadOnly()
        let report: LedgerReport
        do {
            report = try await LedgerAudit.run(store: store) { count in
                progress("Checking the books of \(name): \(Text.count(count, "payment")) …")
            }
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
        guard report.isSound else {
            throw CommandFailure(
                .ledgerUnsound, stage: .ledger,
                "The books of \(name) are not right: \(Text.count(report.problems.count, "problem")). First: "
                    + "\(report.problems.first ?? ""). The store that was copied is as it was; see pomona ledger check."
            )
        }
        return report
    }
}

/// Waits for what does not block, on a thread that may: ``onOwnThread(_:)``'s.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let ended = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        ended.signal()
    }
    ended.wait()
    guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
}
