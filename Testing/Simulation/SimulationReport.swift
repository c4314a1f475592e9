//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Everything that can be made to go wrong.
public enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    case requestLost
    case answerLost
    case answerGarbled
    case requestLate
    case answerLate
    case requestDuplicated
    case requestDuplicatedLater
    case declined
    /// The acquirer has it, and only a query says how it ended.
    case accepted
    /// The acquirer has done nothing.
    case notProcessed
    case reversalDeclined
    case queryUnknown
    case storeRefusedRead
    case storeRefusedWrite
    /// The commit was made, and its answer is lost.
    case storeCommitUnknown
    case storeBodyRunTwice
    case storeSlow
    case nodeCrash
    /// A node stood still (SIGSTOP) and went on.
    case nodeStall
    case clockForward
    case clockBackward
    /// What the acquirer had approved came to nothing.
    case failedLate
    case chargedBack
    case chargebackReversed
    case shopImpatient
    case webhookRefused
    case webhookAnswerLost
}

/// What became of a history.
public struct SimulationReport: Sendable {
    public let seed: UInt64
    /// Of the whole trace: the same for the same seed.
    public let digest: UInt64
    /// A line for everything that happened.
    public let trace: [String]
    public let faults: [SimulatedFault: Int]
    public let callsCount: Int
    public let paymentsCount: Int
    public let operationsCount: Int
    public let deliveriesCount: Int
    /// How long it took on its own clock.
    public let virtualMilliseconds: Int64
    public let stepsCount: Int
    /// A sentence for each thing that was against the laws.
    public let violations: [String]

    /// For whoever has to understand a failure: the seed, what is wrong, and what happened last.
    public func explanation(lines: Int = 60) -> String {
        (["seed \(self.seed)"] + self.violations + ["the last of \(self.trace.count) lines:"]
            + self.trace.suffix(lines)).joined(separator: "\n")
    }
}

/// What many histories were about, added up.
public struct SimulationTotal: Sendable, CustomStringConvertible {
    public private(set) var historiesCount = 0
    public private(set) var callsCount = 0
    public private(set) var paymentsCount = 0
    public private(set) var operationsCount = 0
    public private(set) var deliveriesCount = 0
    public private(set) var stepsCount = 0
    public private(set) var virtualMilliseconds: Int64 = 0
    public private(set) var faults: [SimulatedFault: Int] = [:]
    public private(set) var violationsCount = 0

    public init() {}

    public mutating func add(_ report: SimulationReport) {
        self.historiesCount += 1
        self.callsCount += report.callsCount
        self.paymentsCount += report.paymentsCount
        self.operationsCount += report.operationsCount
        self.deliveriesCount += report.deliveriesCount
        self.stepsCount += report.stepsCount
        self.virtualMilliseconds += report.virtualMilliseconds
        self.faults.merge(report.faults, uniquingKeysWith: +)
        self.violationsCount += report.violations.count
    }

    public var description: String {
        let faults = SimulatedFault.allCases.map { "\($0.rawValue) \(self.faults[$0] ?? 0)" }.joined(separator: ", ")
        return "\(self.historiesCount) histories, \(self.callsCount) calls, \(self.paymentsCount) payments, "
            + "\(self.operationsCount) operations, \(self.deliveriesCount) webhooks, \(self.stepsCount) steps, "
            + "\(self.virtualMilliseconds / 1000) s of virtual time, \(self.violationsCount) violations; faults: \(faults)"
    }
}
