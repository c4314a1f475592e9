//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import Metrics
public import Payments
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
    /// When a process starts: makes all recovery due at once where it owns its store, and whatever an earlier process had
    /// taken and not ended. What is pending then was orphaned by a crash.
    ///
    /// A notification or a planned capture that is due later than a lease lasts waits for its schedule, not for a
    /// worker, and stays as it is; unless it is due later than any schedule has it: that was written by a clock that has
    /// been set back since, and would wait until that date. So is nobody's lease, where nodes share the store.
    public func prepareRecovery() async throws(GatewayRefusal) {
        let now = self.clock()
        let settings = self.settings
        try await self.writing { transaction in
            if settings.ownsStore {
                try transaction.makeDue(.recover, at: now)
                try transaction.makeDue(.capture, at: now, dueBy: now.adding(seconds: settings.jobLeaseSeconds))
                try transaction.makeDue(.deliver, at: now, dueBy: now.adding(seconds: settings.deliveryLeaseSeconds))
            }
            // To a clock that is behind the others' leases end in that future.
            guard try self.mayActByTime(in: transaction) else { return }
            try transaction.makeDue(.recover, at: now, dueAfter: now.adding(seconds: settings.recoveryAheadSecondsMax))
            try transaction.makeDue(.deliver, at: now, dueAfter: now.adding(seconds: settings.deliveryAheadSecondsMax))
        }
    }

    /// One pass over the payments whose recovery is due; each is taken under a lease.
    ///
    /// For every operation that nobody knows the end of: the acquirer is asked; a definite answer is booked. If it does
    /// not know, or cannot say after ``GatewaySettings/recoveryQueriesMax`` tries, the operation is reversed, and the
    /// reversal repeated until it is acknowledged.
    public func recover(limit: Int = 64) async -> RecoveryReport {
        let jobs = await self.leaseRecoveries(limit: limit)
        return await withTaskGroup(of: RecoveryReport.self) { group in
            for job in jobs { group.addTask { await self.recover(job) } }
            return await group.reduce(into: RecoveryReport()) { total, one in
                total.examinedCount += one.examinedCount
                total.resolvedCount += one.resolvedCount
                total.openCount += one.openCount
            }
        }
    }

    /// Takes payments whose recovery is due. A worker that gives each to ``recover(_:)`` in a task of its own keeps one
    /// that hangs from delaying the others.
    public func leaseRecoveries(limit: Int) async -> [Job] {
        // What was put off by the clock as it stood would have to wait until it stands there again.
        let isSetBack = self.latestRecovery.isFollowed(by: self.clock()) != nil
        return await self.lease(.recover, isAllDue: isSetBack, limit: limit)
    }

    /// One try at a payment that ``leaseRecoveries(limit:)`` has taken.
    public func recover(_ job: Job) async -> RecoveryReport {
        var report = RecoveryReport()
        do throws(GatewayRefusal) {
            let found = try await self.reading { try $0.payment(job.paymentID) }
            let account: OpenAcquirer?
            if let found { account = try await self.acquirer(of: found) } else { account = nil }
            var hasAsked = false
            if let found { hasAsked = try await self.recover(found, account, job, &report) }
            // What has ended with a commit of ours has taken the job with it.
            if report.openCount > 0 || report.resolvedCount == 0 {
                report.openCount = try await self.release(job, account?.capabilities.recovery, hasAsked)
            }
        } catch {
            self.logger.error(
                "recovery failed and will be tried again",
                metadata: ["payment": "\(job.paymentID)", "reason": "\(error)"])
        }
        return report
    }

    /// One step for each operation whose time has come, each on from what the one before it has left of the payment.
    /// - Returns: whether the acquirer was asked anything.
    private func recover(
        _ found: Payment, _ account: OpenAcquirer?, _ job: Job, _ report: inout RecoveryReport
    ) async throws(GatewayRefusal) -> Bool {
        let now = self.clock()
        var payment = found
        var hasAsked = false
        defer { report.openCount = payment.operations.count { !$0.state.isResolved } }
        let open = found.operations.filter { $0.kind != .reversal && !$0.state.isResolved && self.isAbandoned($0) }
        for id in open.map(\.id) {
            guard let operation = payment.operation(id), !operation.state.isResolved else { continue }
            // Not before its time because another operation of the payment is due.
            if let retryAt = payment.retryAfterDeclinedReversal(of: id, now), retryAt > now { continue }
            report.examinedCount += 1
            guard let account else { continue }
            let step = try await self.resolve(operation, of: payment, account, job)
            payment = step.payment
            hasAsked = hasAsked || step.hasAsked
            guard let resolved = payment.operation(id), resolved.state.isResolved else { continue }
            report.resolvedCount += 1
            self.reportRecovered(resolved, of: payment)
        }
        return hasAsked
    }

    private func reportRecovered(_ operation: Operation, of payment: Payment) {
        self.count(operation, of: payment)
        Counter(label: "pomona_recoveries_total", dimensions: [("kind", operation.kind.rawValue)]).increment()
        self.logger.info(
            "operation recovered",
            metadata: [
                "payment": "\(payment.id)", "operation": "\(operation.id)", "kind": "\(operation.kind.rawValue)",
                "succeeded": "\(operation.state == .succeeded)",
            ])
    }

    /// Whether nobody waits for the operation's answer any more.
    func isAbandoned(_ operation: Operation) -> Bool {
        if operation.state == .unknown || operation.state == .accepted { return true }
        if self.settings.ownsStore, operation.begunAt < self.startedAt { return true }
        // Begun in the future was begun before the clock was set back.
        let age = self.clock().milliseconds(since: operation.begunAt)
        return abs(age) >= self.settings.recoveryGraceSeconds * 1000
    }

    /// What a step towards the end of an operation came to.
    private struct Step {
        /// As it is now.
        let payment: Payment
        /// `false` where there is nothing to ask the acquirer: its report is waited for, or an operator.
        let hasAsked: Bool

        static func asked(_ payment: Payment) -> Step { Step(payment: payment, hasAsked: true) }
        static func waiting(_ payment: Payment) -> Step { Step(payment: payment, hasAsked: false) }
    }

    /// One step towards the end of an operation.
    private func resolve(
        _ operation: Operation, of payment: Payment, _ account: OpenAcquirer, _ job: Job
    ) async throws(GatewayRefusal) -> Step {
        if let reversal = payment.unresolvedReversal(of: operation.id) {
            return try await self.end(reversal, of: payment, account)
        }
        if operation.state == .accepted { return try await self.endAccepted(operation, of: payment, account) }
        if self.waitsForReport(operation, account) {
            self.reportWaiting(operation, of: payment)
            return .waiting(payment)
        }
        let repeats = self.repeats(operation, account)
        // A void is itself a reversal and may be sent again under its own id.
        if operation.kind == .void || repeats == true {
            return .asked(try await self.sendAgain(operation, of: payment, account))
        }
        guard account.capabilities.recovery.answersQueries else {
            return .asked(try await self.reverse(operation, of: payment, account))
        }
        return .asked(try await self.query(operation, of: payment, account, job))
    }

    func repeats(_ operation: Operation, _ account: OpenAcquirer) -> Bool? {
        account.capabilities.repeats(afterMilliseconds: self.clock().milliseconds(since: operation.begunAt))
    }

    /// One step towards the end of a reversal that has begun.
    private func end(
        _ reversal: Operation, of payment: Payment, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Step {
        guard reversal.state != .unknown || self.repeats(reversal, account) != false else {
            self.reportWaiting(reversal, of: payment)
            return .waiting(payment)
        }
        guard reversal.state == .accepted, account.capabilities.recovery.answersQueries else {
            return .asked(try await self.sendReversal(reversal, of: payment, to: account, isRepeat: true))
        }
        let asked = try await self.askAfter(reversal, of: payment, account)
        if self.isReportedLate(reversal), asked.operation(reversal.id)?.state == .accepted {
            self.reportWaiting(reversal, of: asked)
        }
        return .asked(asked)
    }

    /// What the acquirer has accepted is the acquirer's to decide, however long that takes.
    private func endAccepted(
        _ operation: Operation, of payment: Payment, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Step {
        var step = Step.waiting(payment)
        if account.capabilities.answersQueries(afterAccepting: operation.kind) {
            step = .asked(try await self.askAfter(operation, of: payment, account))
        }
        if self.waitsForReport(operation, account), step.payment.operation(operation.id)?.state == .accepted {
            self.reportWaiting(operation, of: payment)
        }
        return step
    }

    /// What neither queries nor repeats can end: the acquirer's report does, or an operator.
    func reportWaiting(_ operation: Operation, of payment: Payment) {
        let ageSeconds = self.ageSeconds(operation)
        self.logger.log(
            level: self.isReportedLate(operation) ? .error : .info,
            "the end of an operation is not known: its acquirer has not reported it",
            metadata: [
                "payment": "\(payment.id)", "operation": "\(operation.id)", "kind": "\(operation.kind.rawValue)",
                "seconds": "\(ageSeconds)", "then": "pomona payments resolve \(operation.id)",
            ])
    }

    /// Asks, and books a definite answer. A query comes before every new reversal, also after one that was declined:
    /// what the acquirer knows counts for more than what can still be taken back.
    private func query(
        _ operation: Operation, of payment: Payment, _ acquirer: OpenAcquirer, _ job: Job
    ) async throws(GatewayRefusal) -> Payment {
        switch await self.ask(acquirer, about: operation, of: payment) {
        case .approved(let approval):
            return try await self.book(.approved(approval), of: operation, in: payment, acquirer)
        case .declined(let decline):
            return try await self.record(operation.id, of: payment, .declined(decline)).payment
        case .accepted(let acceptance):
            return try await self.record(operation.id, of: payment, .accepted(acceptance)).payment
        case .unknown(let unknown) where self.isWorthAsking(operation, job):
            return try await self.record(operation.id, of: payment, .unknown(unknown)).payment
        case .notFound where acquirer.capabilities.recovery.quietSeconds != nil:
            return try await self.record(
                operation.id, of: payment, await self.neverArrived(operation, of: payment, acquirer)
            ).payment
        case .unknown, .reversed, .notFound:
            // Not found may mean not yet: only an acknowledged reversal makes sure that a late arrival does nothing.
            return try await self.reverse(operation, of: payment, acquirer)
        }
    }

    /// What to make of an operation that the acquirer has never heard of, and that it could not remember the reversal of:
    /// nothing, until the quiet time is over and it has been asked once more. That counts from when it can have left at the
    /// latest, which is not when it was begun: it may have waited in a process that stood still, or for what was prepared.
    private func neverArrived(
        _ operation: Operation, of payment: Payment, _ acquirer: OpenAcquirer
    ) async -> AcquirerOutcome {
        let quietSeconds = (acquirer.capabilities.recovery.quietSeconds ?? 0) + self.settings.recoveryGraceSeconds
        guard abs(self.clock().milliseconds(since: operation.begunAt)) >= quietSeconds * 1000,
            await self.ask(acquirer, about: operation, of: payment) == .notFound
        else { return .unclear("not_found_yet") }
        return .notProcessed(NotProcessed(.neverArrived, "never_arrived"))
    }

    /// Asks what became of something that the acquirer has accepted; as long as it does not say, nothing changes.
    private func askAfter(
        _ operation: Operation, of payment: Payment, _ acquirer: OpenAcquirer
    ) async throws(GatewayRefusal) -> Payment {
        let outcome: AcquirerOutcome
        switch await self.ask(acquirer, about: operation, of: payment) {
        case .approved(let approval): outcome = .approved(approval)
        case .declined(let decline): outcome = .declined(decline)
        case .reversed where operation.kind != .reversal: return try await self.fail(operation.id, of: payment)
        // It got further, and the next question has to know.
        case .accepted(let acceptance) where !acceptance.memo.isEmpty: outcome = .accepted(acceptance)
        case .accepted, .reversed, .notFound, .unknown: return payment
        }
        return operation.kind == .reversal
            ? try await self.commit(outcome, ofReversal: operation, of: payment)
            : try await self.book(outcome, of: operation, in: payment, acquirer)
    }

    /// Commits what the acquirer has answered a query, and takes back what cannot stand.
    private func book(
        _ outcome: AcquirerOutcome, of operation: Operation, in payment: Payment, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Payment {
        let recorded = try await self.record(operation.id, of: payment, outcome)
        guard let reversal = recorded.reversal else { return recorded.payment }
        return try await self.sendReversal(reversal, of: recorded.payment, to: account)
    }

    /// Ends an operation that the acquirer had accepted and has taken back by itself.
    private func fail(_ id: OperationID, of known: Payment) async throws(GatewayRefusal) -> Payment {
        let eventID: EventID = self.makeID()
        let now = self.clock()
        let settings = try await self.notifySettings(of: known)
        let latest = try await self.changing(known) { payment, transaction in
            guard let current = payment.operation(id) else { throw GatewayRefusal.paymentNotFound }
            guard current.state == .accepted else { return payment }
            let change = try payment.transition(on: .resolve(id, .failed(.reversed, current.answer)), at: now)
            return try self.commit(change, of: id, from: payment, eventID, settings, at: now, in: transaction)
        }
        self.wakeDeliveries(after: latest, settings)
        return latest
    }

    private func ask(
        _ account: OpenAcquirer, about operation: Operation, of payment: Payment
    ) async -> AcquirerQueryOutcome {
        let memos: Memos
        do throws(GatewayRefusal) {
            memos = try await self.memos(of: payment, account)
        } catch {
            return .unknown(.unclear("memos_not_read"))
        }
        let query = AcquirerQuery(
            paymentID: payment.id, merchantID: payment.merchantID, original: payment.original(operation, memos),
            at: self.clock())
        return await self.acquirerDeadlines.run(.unknown(.timedOut("deadline_passed"))) {
            await account.acquirer.query(query)
        }
    }

    /// Whether to ask again before an operation is taken back. The job counts for all operations of the payment, so one
    /// that has only begun is given the time that the tries would take if it were alone: 1, 2, 4 … seconds apart.
    private func isWorthAsking(_ operation: Operation, _ job: Job) -> Bool {
        let triesMax = self.settings.recoveryQueriesMax
        guard job.attemptsCount >= triesMax else { return true }
        let patience = (Int64(1) << Int64(min(max(triesMax, 0), 6))) - 1
        return (0..<patience * 1000).contains(self.clock().milliseconds(since: operation.begunAt))
    }

    /// Begins a reversal, durably, and sends it.
    private func reverse(
        _ operation: Operation, of known: Payment, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Payment {
        let reversalID: OperationID = self.makeID()
        let now = self.clock()
        let begun = try await self.changing(known) { payment, transaction -> (Payment, Operation?) in
            guard let current = payment.operation(operation.id) else { throw GatewayRefusal.paymentNotFound }
            if current.state.isResolved { return (payment, nil) }
            if let reversal = payment.unresolvedReversal(of: current.id) { return (payment, reversal) }
            let request = OperationRequest(id: reversalID, action: .reversal(of: current.id))
            let change = try payment.transition(on: .begin(request), at: now)
            try transaction.update(change, from: payment.version)
            return (change.payment, change.payment.operation(reversalID))
        }
        guard let reversal = begun.1 else { return begun.0 }
        return try await self.sendReversal(reversal, of: begun.0, to: account)
    }

    /// Sends a reversal and commits what came of it. Acknowledged, it ends the operation that it takes back.
    ///
    /// - Parameters:
    ///   - isRepeat: whether it may have been sent before.
    ///   - milliseconds: how long it may take, where that is less than the deadline.
    func sendReversal(
        _ reversal: Operation, of payment: Payment, to account: OpenAcquirer, isRepeat: Bool = false,
        within milliseconds: Int64? = nil
    ) async throws(GatewayRefusal) -> Payment {
        let outcome = await self.send(reversal, of: payment, to: account, within: milliseconds)
        // One that was not processed is the same reversal still to be made: it is sent again under its own id.
        let believed = isRepeat ? outcome.ofRepeat(account.capabilities.recovery) : outcome.unlessNotProcessed
        return try await self.commit(believed, ofReversal: reversal, of: payment)
    }

    func commit(
        _ outcome: AcquirerOutcome, ofReversal reversal: Operation, of known: Payment
    ) async throws(GatewayRefusal) -> Payment {
        let eventID: EventID = self.makeID()
        let now = self.clock()
        let settings = try await self.notifySettings(of: known)
        let latest = try await self.changing(known, keeping: outcome.memo) { payment, transaction in
            guard let current = payment.operation(reversal.id), let target = current.target else {
                throw GatewayRefusal.paymentNotFound
            }
            try self.keep(
                outcome.memo, on: current.id, of: payment.id, payment.merchantID, payment.accountID, in: transaction)
            if current.state.isResolved { return payment }
            if current.isAsKnown(as: outcome) { return payment }
            let change = try payment.transition(
                on: .resolve(reversal.id, Resolution(outcome, of: current)), at: now)
            let changed = try self.commit(
                change, of: target, from: payment, eventID, settings, at: now, in: transaction)
            if !changed.isWhollyResolved {
                try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: now.adding(seconds: 1)))
            }
            return changed
        }
        self.noteContradiction(outcome, of: reversal.id, in: latest)
        self.wakeDeliveries(after: latest, settings)
        return latest
    }
}

extension Operation {
    /// Whether it can be sent once only, because the instrument is not kept.
    var needsInstrument: Bool { self.kind == .authorization || self.kind == .verification }
}
