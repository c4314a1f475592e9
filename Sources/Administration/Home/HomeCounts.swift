//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

/// How many, and how much.
struct HomeSum: Hashable, Sendable {
    var count = 0
    var minorUnits: Int64 = 0

    mutating func add(_ amount: Money) { self.add(HomeSum(count: 1, minorUnits: amount.minorUnits)) }

    /// A sum that is too large to be one stays at the largest that there is: a chart is no ledger.
    mutating func add(_ other: HomeSum) {
        self.count += other.count
        let (sum, overflow) = self.minorUnits.addingReportingOverflow(other.minorUnits)
        self.minorUnits = overflow ? .max : sum
    }
}

/// What was moved in one currency.
struct HomeVolume: Hashable, Sendable {
    var authorized = HomeSum()
    var captured = HomeSum()
    var refunded = HomeSum()
    var chargedBack = HomeSum()

    mutating func add(_ other: HomeVolume) {
        self.authorized.add(other.authorized)
        self.captured.add(other.captured)
        self.refunded.add(other.refunded)
        self.chargedBack.add(other.chargedBack)
    }
}

/// What issuers said.
struct HomeAnswers: Hashable, Sendable {
    var approved = 0
    var declined = 0
    /// Neither: not processed, or taken back.
    var failed = 0

    mutating func add(_ other: HomeAnswers) {
        self.approved += other.approved
        self.declined += other.declined
        self.failed += other.failed
    }
}

/// How long operations took from their beginning to their known end, in milliseconds.
struct HomeLatency: Hashable, Sendable {
    let count: Int
    let p50: Int64
    let p95: Int64
    let p99: Int64

    /// By the nearest rank.
    init?(_ milliseconds: [Int64]) {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        func rank(_ percent: Int) -> Int64 { sorted[min(sorted.count - 1, (sorted.count * percent + 99) / 100 - 1)] }
        self.count = sorted.count
        self.p50 = rank(50)
        self.p95 = rank(95)
        self.p99 = rank(99)
    }
}

/// What happened in one bucket, or in all.
struct HomeCounts: Sendable {
    var volumes: [Currency: HomeVolume] = [:]
    var answers = HomeAnswers()
    var networks: [CardNetwork: HomeAnswers] = [:]
    var declines: [String: Int] = [:]
    var milliseconds: [PaymentOperation.Kind: [Int64]] = [:]

    mutating func add(_ movement: Movement) {
        let (payment, operation) = (movement.payment, movement.operation)
        if !operation.kind.isReported {
            self.milliseconds[operation.kind, default: []].append(
                max(0, movement.resolvedAt.milliseconds(since: operation.begunAt)))
        }
        if operation.kind == .authorization || operation.kind == .verification {
            var answers = HomeAnswers()
            switch operation.state {
            case .succeeded: answers.approved = 1
            case .failed(.declined(let reason)):
                answers.declined = 1
                self.declines[reason.rawValue, default: 0] += 1
            case .failed: answers.failed = 1
            case .pending, .unknown, .accepted: break
            }
            self.answers.add(answers)
            self.networks[payment.instrument.network, default: HomeAnswers()].add(answers)
        }
        guard operation.state == .succeeded else { return }
        let amount = operation.movedAmount
        switch operation.kind {
        case .authorization: self.volumes[amount.currency, default: HomeVolume()].authorized.add(amount)
        case .capture: self.volumes[amount.currency, default: HomeVolume()].captured.add(amount)
        case .refund: self.volumes[amount.currency, default: HomeVolume()].refunded.add(amount)
        case .chargeback: self.volumes[amount.currency, default: HomeVolume()].chargedBack.add(amount)
        case .void, .adjustment, .verification, .reversal, .lateFailure: break
        }
    }

    mutating func add(_ other: HomeCounts) {
        for (currency, volume) in other.volumes { self.volumes[currency, default: HomeVolume()].add(volume) }
        self.answers.add(other.answers)
        for (network, answers) in other.networks { self.networks[network, default: HomeAnswers()].add(answers) }
        for (reason, count) in other.declines { self.declines[reason, default: 0] += count }
        for (kind, list) in other.milliseconds { self.milliseconds[kind, default: []] += list }
    }

    /// By the operations' names.
    var latencies: [(kind: PaymentOperation.Kind, latency: HomeLatency)] {
        self.milliseconds.compactMap { kind, list in HomeLatency(list).map { (kind, $0) } }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
    }
}
