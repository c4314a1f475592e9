//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import GRDBSQLite
import Payments
import Time

/// The book inside a transaction: rows in, rows out. What is right is for ``BookRules`` to say.
struct BookPages {
    let database: Database

    // MARK: - Reading

    func entry(_ id: OperationID) throws -> SimulatorEntry? {
        // Most are new: a row of forty columns is not looked at to learn that.
        let isThere = try self.database.cachedStatement(sql: "SELECT 1 FROM operations WHERE operation_id = ?")
        guard try Int.fetchOne(isThere, arguments: [id.text]) != nil else { return nil }
        let statement = try self.database.cachedStatement(sql: BookColumn.selectByID)
        return try Row.fetchOne(statement, arguments: [id.text]).map(SimulatorEntry.init(row:))
    }

    func entries(of paymentID: PaymentID) throws -> [SimulatorEntry] {
        let statement = try self.database.cachedStatement(
            sql: "\(BookColumn.select) WHERE payment_id = ? ORDER BY sequence")
        return try Row.fetchAll(statement, arguments: [paymentID.text]).map(SimulatorEntry.init(row:))
    }

    func forEachEntry(_ body: (SimulatorEntry) throws -> Void) throws {
        let rows = try Row.fetchCursor(self.database, sql: "\(BookColumn.select) ORDER BY sequence")
        while let row = try rows.next() { try body(SimulatorEntry(row: row)) }
    }

    /// What has been captured and refunded of an authorization, its own capture (a sale) left out.
    struct FollowUpSums {
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var hasFinalCapture = false
    }

    func followUps(of authorizationID: OperationID) throws -> FollowUpSums {
        let statement = try self.database.cachedStatement(
            sql: """
                SELECT kind, SUM(approved_amount), MAX(is_final) FROM operations
                WHERE target_id = ? AND state = 'approved' AND kind IN ('capture', 'refund') GROUP BY kind
                """)
        var sums = FollowUpSums()
        let rows = try Row.fetchCursor(statement, arguments: [authorizationID.text])
        while let row = try rows.next() {
            let kind: String = row[0]
            if kind == SimulatorEntry.Kind.capture.rawValue {
                sums.captured = row[1]
                sums.hasFinalCapture = row[2]
            } else {
                sums.refunded = row[1]
            }
        }
        return sums
    }

    /// The total that the last adjustment but the excepted one made of an authorization; `nil` if there is none.
    func adjustedTotal(of authorizationID: OperationID, except: OperationID? = nil) throws -> Int64? {
        let statement = try self.database.cachedStatement(
            sql: """
                SELECT approved_amount FROM operations
                WHERE target_id = ? AND kind = 'adjustment' AND state = 'approved' AND operation_id <> ?
                ORDER BY sequence DESC LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [authorizationID.text, except?.text ?? ""])
    }

    /// A reference that no row has. Numbers of twelve digits made from unlike ids meet about once in a million
    /// operations.
    func freeReference(for id: OperationID) throws -> String {
        let statement = try self.database.cachedStatement(sql: "SELECT 1 FROM operations WHERE reference = ?")
        var attempt: UInt64 = 0
        while true {
            let reference = SimulatedAnswer.reference(of: id, attempt: attempt)
            if try Int.fetchOne(statement, arguments: [reference]) == nil { return reference }
            attempt += 1
        }
    }

    /// The ends of operations that are due to be reported, the oldest first.
    func reports(dueBy now: Timestamp, limit: Int) throws -> [(SimulatorEntry, AcquirerAccountID)] {
        let due = try Row.fetchAll(
            self.database,
            sql: "SELECT operation_id, account_id FROM reports WHERE due_at <= ? ORDER BY due_at, operation_id LIMIT ?",
            arguments: [now.milliseconds, limit])
        return try due.map { row in
            guard let id = OperationID(row[0] as String), let account = AcquirerAccountID(row[1] as String),
                let entry = try self.entry(id)
            else { throw SimulatorBookError.corrupt }
            return (entry, account)
        }
    }

    // MARK: - Writing

    /// What the book is called: as it was when it was opened first, whatever is drawn now.
    func id(orNew id: AcquirerBookID) throws -> AcquirerBookID {
        try self.database.execute(sql: "INSERT OR IGNORE INTO book (number, id) VALUES (1, ?)", arguments: [id.text])
        guard let kept = try String.fetchOne(self.database, sql: "SELECT id FROM book").flatMap(AcquirerBookID.init)
        else { throw SimulatorBookError.corrupt }
        return kept
    }

    func insertReport(of id: OperationID, to account: AcquirerAccountID, dueAt: Timestamp) throws {
        try self.database.execute(
            sql: "INSERT INTO reports (operation_id, account_id, due_at) VALUES (?, ?, ?)",
            arguments: [id.text, account.text, dueAt.milliseconds])
    }

    func deleteReport(of id: OperationID) throws {
        try self.database.execute(sql: "DELETE FROM reports WHERE operation_id = ?", arguments: [id.text])
    }

    func insert(_ entry: SimulatorEntry) throws {
        let statement = try self.database.cachedStatement(sql: BookColumn.insert).sqliteStatement
        entry.bind(to: statement)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw SimulatorBookError.unavailable }
    }

    func countArrival(of id: OperationID) throws {
        let statement = try self.database.cachedStatement(
            sql: "UPDATE operations SET arrivals_count = arrivals_count + 1 WHERE operation_id = ?")
        try statement.execute(arguments: [id.text])
    }

    func set(_ state: SimulatorEntry.State, of id: OperationID) throws {
        let statement = try self.database.cachedStatement(
            sql: "UPDATE operations SET state = ? WHERE operation_id = ?")
        try statement.execute(arguments: [state.rawValue, id.text])
    }
}
