//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] {
        try self.transaction.records(jobsQuery, kind.rawValue, max(0, limit))
    }

    func openWork() throws -> OpenWork {
        try self.transaction.first(OpenWork.query, table: "jobs") { try OpenWork(&$0) } ?? OpenWork()
    }

    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? {
        try self.transaction.lock(payment)
        return try self.transaction.record(jobQuery, kind.rawValue, payment.text, of: [payment.text])
    }
}

extension PostgreSQLTransaction {
    func schedule(_ job: Job) throws {
        try self.transaction.lock(job.paymentID)
        try self.transaction.write {
            try self.transaction.put(
                .job, job.columnValues, key: Self.key(job.kind, job.paymentID), of: [job.paymentID.text])
        }
    }

    func update(_ job: Job) throws {
        try self.transaction.lock(job.paymentID)
        try self.transaction.write { try self.transaction.execute(jobUpdate, job.values(of: Job.change.columns)) }
    }

    func delete(_ kind: Job.Kind, of payment: PaymentID) throws {
        try self.transaction.lock(payment)
        try self.transaction.write {
            try self.transaction.put(
                .jobEnd, [kind.rawValue, payment.text], key: Self.key(kind, payment), of: [payment.text])
        }
    }

    private static func key(_ kind: Job.Kind, _ payment: PaymentID) -> String { "\(kind.rawValue) \(payment.text)" }

    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        let rows = try self.transaction.rowsOfWrite(
            leaseStatement, [kind.rawValue, now.milliseconds, leaseEnd.milliseconds, max(0, limit)])
        let leased = try rows?.all("jobs") { try Job(&$0) } ?? []
        // The payments are locked together with their jobs.
        self.transaction.locks.payments.formUnion(leased.map(\.paymentID))
        if !leased.isEmpty { self.transaction.locks.holdsPayments = true }
        return leased
    }

    func makeDue(
        _ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp?, dueBy latest: Timestamp?
    ) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                WITH late AS (
                    SELECT payment_id FROM jobs WHERE kind = $1 AND due_at > $3 AND due_at <= $4
                    ORDER BY payment_id FOR UPDATE
                )
                UPDATE jobs SET due_at = $2 FROM late WHERE kind = $1 AND jobs.payment_id = late.payment_id
                """, kind.rawValue, now.milliseconds, max(now, earliest ?? now).milliseconds,
                latest?.milliseconds ?? Int64.max)
        }
    }
}

private let jobsQuery = Job.select(parameters)
private let jobQuery = Job.table.select(by: .kind, .paymentID, with: parameters)
private let jobUpdate = Job.change.statement(parameters)

private let leaseStatement = """
    WITH due AS MATERIALIZED (
        SELECT jobs.payment_id, jobs.due_at FROM jobs JOIN payments ON payments.id = jobs.payment_id
        WHERE jobs.kind = $1 AND jobs.due_at <= $2
        ORDER BY jobs.due_at, jobs.payment_id LIMIT $4
        FOR NO KEY UPDATE OF jobs, payments SKIP LOCKED
    ), leased AS (
        UPDATE jobs SET due_at = $3, attempts_count = jobs.attempts_count + 1, taken_at = $2 FROM due
        WHERE jobs.kind = $1 AND jobs.payment_id = due.payment_id
        RETURNING \(Job.table.list(Job.table.columns, of: "jobs.")), due.due_at AS was_due_at
    )
    SELECT \(Job.table.names) FROM leased ORDER BY was_due_at, payment_id
    """
