//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a run found.
public struct ChaosReport: Sendable {
    public var seed: UInt64 = 0
    public var faults: [ChaosFault: Int] = [:]
    public var paymentsCount = 0
    public var operationsCount = 0
    /// Operations whose success a shop has been told.
    public var acknowledgedCount = 0
    /// Requests that were sent again because their first answer was lost or said nothing.
    public var repeatsCount = 0
    public var refusalsCount = 0
    public var lostCount = 0
    public var doubledCount = 0
    public var webhooksCount = 0
    /// Webhooks that arrived more than once.
    public var repeatedWebhooksCount = 0
    /// Webhooks whose next try is due by the schedule of their dialect, an hour later say.
    public var waitingWebhooksCount = 0
    public var recoveriesCount = 0
    /// Until no operation was open of those that were when the faults ended.
    public var longestRecoveryMilliseconds: Int64 = 0
    /// Until every webhook had been sent, when all operations had ended.
    public var tellingMilliseconds: Int64 = 0
    /// A sentence for each law that was broken.
    public var violations: [String] = []

    public init() {}

    public var lines: [String] {
        var rows: [(String, String)] = [("seed", String(self.seed))]
        rows += ChaosFault.allCases.compactMap { fault in
            self.faults[fault].map { (fault.rawValue, String($0)) }
        }
        rows += [
            ("payments", String(self.paymentsCount)),
            ("operations", String(self.operationsCount)),
            ("operations acknowledged", String(self.acknowledgedCount)),
            ("requests repeated", String(self.repeatsCount)),
            ("requests refused or declined", String(self.refusalsCount)),
            ("acknowledged and lost", String(self.lostCount)),
            ("doubled", String(self.doubledCount)),
            ("webhooks", String(self.webhooksCount)),
            ("webhooks told again", String(self.repeatedWebhooksCount)),
            ("webhooks waiting for their schedule", String(self.waitingWebhooksCount)),
            ("recoveries waited for", String(self.recoveriesCount)),
            ("longest until nothing was unresolved", "\(self.longestRecoveryMilliseconds) ms"),
            ("until all webhooks were sent", "\(self.tellingMilliseconds) ms"),
            ("violations", String(self.violations.count)),
        ]
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { name, value in name + String(repeating: " ", count: width - name.count) + value }
            + self.violations.prefix(50).map { "VIOLATION: \($0)" }
    }
}
