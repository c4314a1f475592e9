//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import Metrics
import Payments
import Time

/// What a pass of recovery did.
public struct RecoveryReport: Hashable, Sendable {
    public var examinedCount = 0
    public var resolvedCount = 0
    /// Operations that are still not known; they are due again.
    public var openCount = 0

    public init() {}
}

extension Gateway {
    /// Makes all recovery due at once: for a process that owns its store, when it starts. What is pending then was
    /// orphaned by a crash.
    public func prepareRecovery() async throws(GatewayRefusal) {
        guard self.settings.ownsStore else { return }
        let now = self.clock()
        try await self.writing { try $0.makeDue(.recover, at: now) }
    }

    /// One pass over the payments whose recovery is due. A worker calls it again and again; it takes each payment under
    /// a lease.
    ///
    /// For every operation that nobody knows the end of: the acquirer is asked; a definite answer is booked. If it does
    /// not know, or cannot say after ``GatewaySettings/recoveryQueriesMax`` tries, the operation is reversed, and the
    /// reversal repeated until it is acknowledged.
    public func recover(limit: Int = 64) async -> RecoveryReport {
        let now = self.clock()
        let leaseEnd = now.adding(seconds: self.settings.jobLeaseSeconds)
        let jobs: [Job]
        do throws(GatewayRefusal) {
            jobs = try await self.writing { try $0.lease(.recover, dueBy: now, until: leaseEnd, limit: limit) }
        } catch {
            return RecoveryReport()
        }
        return await withTaskGroup(of: RecoveryReport.self) { group in
            for job in jobs { group.addTask { await self.recover(job) } }
            return await group.reduce(into: RecoveryReport()) { total, one in
                total.examinedCount += one.examinedCount
                total.resolvedCount += one.resolvedCount
                total.openCount += one.openCount
            }
        }
    }

    private func recover(_ job: Job) async -> RecoveryReport {
        var report = RecoveryReport()
        do throws(GatewayRefusal) {
            let payment = try await self.reading { try $0.payment(job.paymentID) }
            let open = payment?.operations.filter { $0.kind != .reversal && !$0.state.isResolved } ?? []
            for operation in open where self.isAbandoned(operation) {
                report.examinedCount += 1
                if try await self.resolve(operation.id, of: job) { report.resolvedCount += 1 }
            }
            report.openCount = try await self.release(job)
        } catch {
            self.logger.error(
                "recovery failed and will be tried again",
                metadata: ["payment": "\(job.paymentID)", "reason": "\(error)"])
        }
        return report
    }

    /// Whether nobody waits for the operation's answer any more.
    private func isAbandoned(_ operation: Operation) -> Bool {
        if operation.state == .unknown { return true }
        if self.settings.ownsStore, operation.begunAt < self.startedAt { return true }
        return operation.begunAt.adding(seconds: self.settings.recoveryGraceSeconds) <= self.clock()
    }

    /// One step towards the end of an operation.
    /// - Returns: whether it is resolved now.
    private func resolve(_ id: OperationID, of job: Job) async throws(GatewayRefusal) -> Bool {
        let found = try await self.reading { try $0.payment(job.paymentID) }
        guard let payment = found, let operation = payment.operation(id), !operation.state.isResolved,
            let acquirer = self.acquirers[payment.acquirer]
        else { return false }
        var latest: Payment
        if let reversal = payment.unresolvedReversal(of: id) {
            latest = try await self.sendReversal(reversal, of: payment)
        } else if operation.kind == .void {
            // A void is itself a reversal and may be sent again under its own id.
            let outcome = await self.withDeadline { await acquirer.send(operation, of: payment) }
            latest = try await self.settle(payment.id, id, outcome).payment
        } else if acquirer.capabilities.answersQueries {
            latest = try await self.query(operation, of: payment, acquirer, job)
        } else {
            latest = try await self.reverse(operation, of: payment)
        }
        guard let settled = latest.operation(id), settled.state.isResolved else { return false }
        self.count(settled, of: latest)
        Counter(label: "pomona_recoveries_total", dimensions: [("kind", settled.kind.rawValue)]).increment()
        self.logger.info(
            "operation recovered",
            metadata: [
                "payment": "\(latest.id)", "operation": "\(id)", "kind": "\(settled.kind.rawValue)",
                "succeeded": "\(settled.state == .succeeded)",
            ])
        return true
    }

    /// Asks, and books a definite answer. A query comes before every new reversal, also after one that was declined:
    /// what the acquirer knows counts for more than what can still be taken back.
    private func query(
        _ operation: Operation, of payment: Payment, _ acquirer: any Acquirer, _ job: Job
    ) async throws(GatewayRefusal) -> Payment {
        let query = AcquirerQuery(
            operationID: operation.id, paymentID: payment.id, merchantID: payment.merchantID, at: self.clock())
        switch await self.acquirerDeadlines.run(.unknown("deadline_passed"), { await acquirer.query(query) }) {
        case .approved(let approval):
            let settlement = try await self.settle(payment.id, operation.id, .approved(approval))
            guard let reversal = settlement.reversal else { return settlement.payment }
            return try await self.sendReversal(reversal, of: settlement.payment)
        case .declined(let decline):
            return try await self.settle(payment.id, operation.id, .declined(decline)).payment
        case .unknown(let reason) where job.attemptsCount < self.settings.recoveryQueriesMax:
            return try await self.settle(payment.id, operation.id, .unknown(reason)).payment
        case .unknown, .reversed, .notFound:
            // Not found may mean not yet: only an acknowledged reversal makes sure that a late arrival does nothing.
            return try await self.reverse(operation, of: payment)
        }
    }

    /// Begins a reversal, durably, and sends it.
    private func reverse(_ operation: Operation, of payment: Payment) async throws(GatewayRefusal) -> Payment {
        let reversalID: OperationID = self.makeID()
        let now = self.clock()
        let begun = try await self.writing { transaction -> (Payment, Operation?) in
            guard let payment = try transaction.payment(payment.id), let current = payment.operation(operation.id)
            else {
                throw GatewayRefusal.paymentNotFound
            }
            if current.state.isResolved { return (payment, nil) }
            if let reversal = payment.unresolvedReversal(of: current.id) { return (payment, reversal) }
            let request = OperationRequest(id: reversalID, action: .reversal(of: current.id))
            let change = try payment.transition(on: .begin(request), at: now)
            try transaction.update(change, from: payment.version)
            return (change.payment, change.payment.operation(reversalID))
        }
        guard let reversal = begun.1 else { return begun.0 }
        return try await self.sendReversal(reversal, of: begun.0)
    }

    /// Sends a reversal and commits what came of it. Acknowledged, it ends the operation that it takes back.
    func sendReversal(_ reversal: Operation, of payment: Payment) async throws(GatewayRefusal) -> Payment {
        guard let acquirer = self.acquirers[payment.acquirer] else { return payment }
        let outcome = await self.withDeadline { await acquirer.send(reversal, of: payment) }
        let eventID: EventID = self.makeID()
        let now = self.clock()
        return try await self.writing { transaction in
            guard let payment = try transaction.payment(payment.id), let current = payment.operation(reversal.id),
                let target = current.target
            else { throw GatewayRefusal.paymentNotFound }
            if current.state.isResolved { return payment }
            if case .unknown = outcome, current.state == .unknown { return payment }
            let change = try payment.transition(
                on: .resolve(reversal.id, Resolution(outcome, of: current)), at: now)
            try Gateway.commit(change, of: target, from: payment, eventID, at: now, in: transaction)
            if !change.payment.isSettled {
                try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: now.adding(seconds: 1)))
            }
            return change.payment
        }
    }

    /// Gives a leased job back: gone when everything is resolved, else due again, later each time: up to a minute, and
    /// up to an hour where the acquirer goes on declining reversals, each of which is a new operation.
    /// - Returns: how many operations are still open.
    private func release(_ job: Job) async throws(GatewayRefusal) -> Int {
        let now = self.clock()
        let delaySeconds = min(60, Int64(1) << min(job.attemptsCount, 6))
        return try await self.writing { transaction in
            let payment = try transaction.payment(job.paymentID)
            let openCount = payment?.operations.count { !$0.state.isResolved } ?? 0
            if openCount == 0 {
                try transaction.delete(.recover, of: job.paymentID)
            } else {
                var next = job
                let declinedCount = payment?.declinedReversalsCount ?? 0
                next.dueAt = now.adding(seconds: min(3600, delaySeconds << Int64(min(declinedCount, 10))))
                try transaction.update(next)
            }
            return openCount
        }
    }
}

extension Payment {
    /// How many reversals of operations that are still open the acquirer has declined.
    fileprivate var declinedReversalsCount: Int {
        let open = Set(self.operations.lazy.filter { !$0.state.isResolved }.map(\.id))
        return self.operations.count { operation in
            guard operation.kind == .reversal, case .failed = operation.state else { return false }
            return operation.target.map(open.contains) ?? false
        }
    }
}
