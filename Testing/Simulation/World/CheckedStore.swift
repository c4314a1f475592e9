//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Synchronization
import TestGateway
import Time

/// The store that all nodes share, looked at after every commit: no payment goes a step that it must not, and none gets
/// over its limits.
final class CheckedStore: PaymentStore {
    private let base: any PaymentStore
    private let record: Record
    /// Every payment as the last commit left it.
    private let payments = Mutex<[PaymentID: Payment]>([:])

    init(_ base: any PaymentStore, record: Record) {
        self.base = base
        self.record = record
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let value = try await self.base.write(body)
        // Nothing comes between: a store in memory does not suspend.
        let stored = try await self.base.read { try $0.payments(PaymentQuery(limit: .max)) }
        self.check(stored)
        return value
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read(body)
    }

    /// All payments, oldest first.
    func allPayments() async -> [Payment] {
        (try? await self.base.read { try $0.payments(PaymentQuery(order: .oldestFirst, limit: .max)) }) ?? []
    }

    /// When the earliest job is due; `nil` when there is none.
    func nextDue() async -> Timestamp? {
        let jobs = try? await self.base.read { reader in
            try Job.Kind.allCases.compactMap { try reader.jobs($0, limit: 1).first?.dueAt }
        }
        return jobs?.min()
    }

    func jobs() async -> [Job] {
        (try? await self.base.read { reader in try Job.Kind.allCases.flatMap { try reader.jobs($0, limit: 100) } })
            ?? []
    }

    // MARK: - The laws of a commit

    private func check(_ stored: [Payment]) {
        let problems = self.payments.withLock { payments in
            var problems: [String] = []
            for after in stored.sorted(by: { $0.id < $1.id }) {
                let before = payments[after.id]
                guard before?.version != after.version || before?.operations.count != after.operations.count else {
                    continue
                }
                self.record.note("commit \(after.id) version \(after.version) \(after.state.rawValue)")
                problems += Self.problems(of: after)
                if let before { problems += Self.problems(from: before, to: after) }
                if before == nil, after.version != 1 { problems.append("\(after.id): begins at \(after.version)") }
                payments[after.id] = after
            }
            if stored.count < payments.count { problems.append("a payment is gone from the store") }
            return problems
        }
        for problem in problems { self.record.violation(problem) }
    }

    private static func problems(of payment: Payment) -> [String] {
        var problems: [String] = []
        if payment.capturedAmount > payment.authorizedAmount {
            problems.append("\(payment.id): captured \(payment.capturedAmount) of \(payment.authorizedAmount)")
        }
        // What came to nothing after it was refunded was there when it was refunded.
        let asAnswered = payment.withoutReports
        if asAnswered.refundedAmount > asAnswered.capturedAmount {
            problems.append("\(payment.id): refunded \(asAnswered.refundedAmount) of \(asAnswered.capturedAmount)")
        }
        if payment.refundableAmount.minorUnits < 0 {
            problems.append("\(payment.id): more refunds are under way than there is to refund")
        }
        return problems
    }

    /// Versions go up by one for each transition, a commit makes one or two (an approval that can't stand and its
    /// reversal), and what is resolved stays as it is.
    private static func problems(from before: Payment, to after: Payment) -> [String] {
        var problems: [String] = []
        let begun = after.operations.dropFirst(before.operations.count)
        let mostSteps = begun.contains { $0.kind == .reversal } ? 2 : 1
        if !(before.version + 1...before.version + mostSteps).contains(after.version) {
            problems.append("\(after.id): version \(after.version) follows \(before.version)")
        }
        for (index, operation) in before.operations.enumerated() {
            guard after.operations.indices.contains(index), after.operations[index].id == operation.id else {
                problems.append("\(after.id): \(operation.kind) \(operation.id) is gone")
                continue
            }
            if operation.state.isResolved, after.operations[index] != operation {
                problems.append("\(after.id): \(operation.kind) \(operation.id) was resolved and has changed")
            }
        }
        return problems
    }
}
