//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] {
        try self.connection.records(jobsQuery, kind.rawValue, max(0, limit))
    }

    func openWork() throws -> OpenWork {
        try self.connection.first(OpenWork.query, table: "jobs") { try OpenWork(&$0) } ?? OpenWork()
    }

    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? {
        try self.connection.record(jobQuery, kind.rawValue, payment.text)
    }
}

extension SQLiteTransaction {
    func schedule(_ job: Job) throws {
        try self.connection.execute(jobInsert, job.columnValues)
    }

    func update(_ job: Job) throws {
        try self.connection.execute(jobUpdate, job.values(of: Job.change.columns))
    }

    func delete(_ kind: Job.Kind, of payment: PaymentID) throws {
        try self.connection.execute(jobDelete, [kind.rawValue, payment.text])
    }

    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        let due: [Job] = try self.connection.records(dueJobsQuery, kind.rawValue, now.milliseconds, max(0, limit))
        return try due.map { job in
            var leased = job
            leased.dueAt = leaseEnd
            leased.attemptsCount += 1
            leased.takenAt = now
            try self.update(leased)
            return leased
        }
    }

    func makeDue(
        _ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp?, dueBy latest: Timestamp?
    ) throws {
        try self.connection.execute(
            "UPDATE jobs SET due_at = ?2 WHERE kind = ?1 AND due_at > ?3 AND due_at <= ?4", kind.rawValue,
            now.milliseconds, max(now, earliest ?? now).milliseconds, latest?.milliseconds ?? Int64.max)
    }
}

private let jobsQuery = Job.select(parameters)
private let jobQuery = Job.table.select(by: .kind, .paymentID, with: parameters)
private let jobInsert = HotStatement(
    "\(Job.table.insert(parameters)) \(Job.table.onConflict) DO UPDATE SET due_at = MIN(due_at, excluded.due_at)")
private let jobUpdate = Job.change.statement(parameters)
private let jobDelete = HotStatement(Job.table.delete(parameters))

private let dueJobsQuery = """
    SELECT \(Job.table.names) FROM jobs WHERE kind = ? AND due_at <= ? ORDER BY due_at, payment_id LIMIT ?
    """
