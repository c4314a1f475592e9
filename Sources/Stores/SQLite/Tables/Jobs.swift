//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] {
        try self.connection.all(
            "SELECT \(Job.columnNames) FROM jobs WHERE kind = ? ORDER BY due_at, payment_id LIMIT ?",
            kind.rawValue, max(0, limit), table: "jobs"
        ) { try Job(kind, &$0) }
    }

    func openWork() throws -> OpenWork {
        try self.connection.first(OpenWork.query, table: "jobs") { try OpenWork(&$0) } ?? OpenWork()
    }

    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? {
        try self.connection.first(
            "SELECT \(Job.columnNames) FROM jobs WHERE kind = ? AND payment_id = ?", kind.rawValue,
            payment.text, table: "jobs"
        ) { try Job(kind, &$0) }
    }
}

extension SQLiteTransaction {
    func schedule(_ job: Job) throws {
        try self.connection.execute(
            """
            INSERT INTO jobs (kind, \(Job.columnNames)) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, payment_id) DO UPDATE SET due_at = MIN(due_at, excluded.due_at)
            """, job.columnValues)
    }

    func update(_ job: Job) throws {
        try self.connection.execute(
            "UPDATE jobs SET due_at = ?, attempts_count = ? WHERE kind = ? AND payment_id = ?", job.dueAt.milliseconds,
            job.attemptsCount, job.kind.rawValue, job.paymentID.text)
    }

    func delete(_ kind: Job.Kind, of payment: PaymentID) throws {
        try self.connection.execute("DELETE FROM jobs WHERE kind = ? AND payment_id = ?", kind.rawValue, payment.text)
    }

    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        let due = try self.connection.all(
            """
            SELECT \(Job.columnNames) FROM jobs WHERE kind = ? AND due_at <= ?
            ORDER BY due_at, payment_id LIMIT ?
            """, kind.rawValue, now.milliseconds, max(0, limit), table: "jobs"
        ) { try Job(kind, &$0) }
        return try due.map { job in
            var leased = job
            leased.dueAt = leaseEnd
            leased.attemptsCount += 1
            try self.update(leased)
            return leased
        }
    }

    func makeDue(_ kind: Job.Kind, at now: Timestamp, dueBy latest: Timestamp?) throws {
        try self.connection.execute(
            "UPDATE jobs SET due_at = ?2 WHERE kind = ?1 AND due_at > ?2 AND due_at <= ?3", kind.rawValue,
            now.milliseconds, latest?.milliseconds ?? Int64.max)
    }
}
