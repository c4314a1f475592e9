//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a run found.
public struct ChaosReport: Sendable {
    public var seed: UInt64 = 0
    public var faults: [ChaosFault: Int] = [:]
    /// For how long no operation was acknowledged, at the longest, while a fault was done and mended, in milliseconds.
    public var silences: [ChaosFault: [Int64]] = [:]
    /// Calls that had no definite answer when a fault struck, over all faults.
    public var underWayCount = 0
    public var paymentsCount = 0
    public var operationsCount = 0
    /// Operations whose success a shop has been answered.
    public var acknowledgedCount = 0
    /// Requests that were sent again because their first answer was lost or said nothing.
    public var repeatsCount = 0
    public var refusalsCount = 0
    public var lostCount = 0
    public var doubledCount = 0
    public var webhooksCount = 0
    /// Webhooks that arrived more than once.
    public var repeatedWebhooksCount = 0
    /// Webhooks whose next try was due by the schedule of their dialect, an hour later say, and that `pomona webhooks
    /// resend` was asked to send.
    public var resentWebhooksCount = 0
    /// Notices of a service that an operator has had sent again.
    public var resentNoticesCount = 0
    /// Operations that an operator has decided, because a service that answers no queries has not reported their end.
    public var givenUpCount = 0
    public var approvedByHandCount = 0
    /// Authorizations that stand at a service alone, and have been given up.
    public var leftoversCount = 0
    /// Writes that found the disk full.
    public var refusedWritesCount: Int64 = 0
    /// Until no operation was open of those that were when the faults ended.
    public var recoveryMilliseconds: [Int64] = []
    /// From the start of a killed gateway to its first line, which it writes when it listens.
    public var restartMilliseconds: [Int64] = []
    /// Until every webhook had been sent, when all operations had ended; the longest.
    public var notifyingMilliseconds: Int64 = 0
    /// A sentence for each law that was broken.
    public var violations: [String] = []
    /// Where what a failed run has left lies.
    public var evidencePath: String?

    public init() {}

    public var faultsCount: Int { self.faults.values.reduce(0, +) }
    public var killsCount: Int { self.faults.filter(\.key.isKill).values.reduce(0, +) }

    mutating func add(_ part: ChaosReport) {
        self.faults.merge(part.faults) { $0 + $1 }
        self.silences.merge(part.silences) { $0 + $1 }
        self.underWayCount += part.underWayCount
        self.paymentsCount += part.paymentsCount
        self.operationsCount += part.operationsCount
        self.acknowledgedCount += part.acknowledgedCount
        self.repeatsCount += part.repeatsCount
        self.refusalsCount += part.refusalsCount
        self.lostCount += part.lostCount
        self.doubledCount += part.doubledCount
        self.webhooksCount += part.webhooksCount
        self.repeatedWebhooksCount += part.repeatedWebhooksCount
        self.resentWebhooksCount += part.resentWebhooksCount
        self.resentNoticesCount += part.resentNoticesCount
        self.givenUpCount += part.givenUpCount
        self.approvedByHandCount += part.approvedByHandCount
        self.leftoversCount += part.leftoversCount
        self.refusedWritesCount += part.refusedWritesCount
        self.recoveryMilliseconds += part.recoveryMilliseconds
        self.restartMilliseconds += part.restartMilliseconds
        self.notifyingMilliseconds = max(self.notifyingMilliseconds, part.notifyingMilliseconds)
        self.violations += part.violations
        self.evidencePath = part.evidencePath ?? self.evidencePath
    }

    mutating func add(_ desk: OperatorDesk, leftoversCount: Int) {
        self.resentNoticesCount += desk.resentCount
        self.givenUpCount += desk.givenUp.count
        self.approvedByHandCount += desk.approvedCount
        self.leftoversCount += leftoversCount
    }

    public var lines: [String] {
        var rows: [(String, String)] = [("seed", String(self.seed)), ("faults", String(self.faultsCount))]
        rows += ChaosFault.allCases.compactMap { fault in
            self.faults[fault].map { ("  " + fault.title, String($0)) }
        }
        rows += [
            ("kills", String(self.killsCount)),
            ("calls under way when a fault struck", String(self.underWayCount)),
            ("payments", String(self.paymentsCount)),
            ("operations", String(self.operationsCount)),
            ("operations acknowledged", String(self.acknowledgedCount)),
            ("requests repeated", String(self.repeatsCount)),
            ("requests refused or declined", String(self.refusalsCount)),
            ("acknowledged and lost", String(self.lostCount)),
            ("doubled", String(self.doubledCount)),
            ("webhooks", String(self.webhooksCount)),
            ("webhooks sent again", String(self.repeatedWebhooksCount)),
            ("webhooks sent before their schedule", String(self.resentWebhooksCount)),
            ("notices of services sent before their schedule", String(self.resentNoticesCount)),
            ("operations decided by hand, as failed", String(self.givenUpCount)),
            ("operations decided by hand, as approved", String(self.approvedByHandCount)),
            ("authorizations that services alone still hold", String(self.leftoversCount)),
            ("writes that found the disk full", String(self.refusedWritesCount)),
            ("until nothing was unresolved", Self.spread(self.recoveryMilliseconds)),
            ("restart of a gateway to ready", Self.spread(self.restartMilliseconds)),
            ("until all webhooks were sent, longest", "\(self.notifyingMilliseconds) ms"),
            ("violations", String(self.violations.count)),
            ("without an acknowledgement at", ""),
        ]
        rows += ChaosFault.allCases.compactMap { fault in
            self.silences[fault].map { ("  " + fault.title, Self.spread($0)) }
        }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { name, value in name + String(repeating: " ", count: width - name.count) + value }
            + self.violations.prefix(50).map { "VIOLATION: \($0)" }
            + (self.evidencePath.map { ["What the run has left lies in \($0); README there says how to look."] } ?? [])
    }

    /// "median 120 ms, longest 300 ms, of 14".
    private static func spread(_ values: [Int64]) -> String {
        guard let longest = values.max() else { return "-" }
        return "median \(values.sorted()[values.count / 2]) ms, longest \(longest) ms, of \(values.count)"
    }
}
