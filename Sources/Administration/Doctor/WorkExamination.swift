//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Administration {
    /// After how long an operation whose end is not known is more than an answer that is late.
    private static let unknownSeconds: Int64 = 60
    /// After how long work that is due and not done means that nobody works.
    private static let overdueSeconds: Int64 = 300
    private static let listedMax = 1000

    /// What is open in the store: operations without an end, webhooks that merchants do not take, work that nobody does.
    ///
    /// - Parameter merchant: whose; everybody's for `nil`.
    func examineWork(of merchant: Merchant?) async throws -> [Finding] {
        let now = self.now()
        let found = try await self.read { reader in
            try OpenMatters(of: merchant?.id, in: reader, listedMax: Self.listedMax)
        }
        var findings: [Finding] = []
        let late = found.unknown.filter { $0.operation.begunAt.milliseconds(since: now) < -Self.unknownSeconds * 1000 }
        if let oldest = late.min(by: { $0.operation.begunAt < $1.operation.begunAt }) {
            let age = Self.age(of: oldest.operation.begunAt, at: now)
            findings.append(
                Finding(
                    .operations, "operations_unknown", .warning, merchant: merchant?.name,
                    subject: oldest.operation.id.text,
                    "\(late.count) operations have no known end; the oldest began \(age) ago.",
                    because: "They may have moved money.",
                    advice: "Look whether their acquirers can be reached. What no acquirer says, a person decides.",
                    command: ["payments", "show", oldest.paymentID.text]))
        } else {
            findings.append(
                Finding(
                    .operations, "operations_known", .good, merchant: merchant?.name,
                    "Every operation that is older than a minute has an end, or waits for its acquirer's report.",
                    because: "What nobody knows the end of may have moved money."))
        }
        if let due = found.earliestDue, due.milliseconds(since: now) < -Self.overdueSeconds * 1000 {
            findings.append(
                Finding(
                    .store, "work_overdue", .failure, merchant: merchant?.name,
                    "Work has been due for \(Self.age(of: due, at: now)), and nobody does it.",
                    because: "Recovery, captures that are planned and webhooks are done by a running gateway.",
                    advice: "Start a gateway on this store, and see in its log why it does not get on."))
        }
        findings += self.webhookFindings(found, merchant)
        return findings
    }

    private func webhookFindings(_ found: OpenMatters, _ merchant: Merchant?) -> [Finding] {
        let reason = "Shops learn from them what became of a payment."
        var findings: [Finding] = []
        if found.deadEventsCount > 0 {
            findings.append(
                Finding(
                    .webhooks, "webhooks_dead", .warning, merchant: merchant?.name,
                    "\(found.deadEventsCount)\(found.deadEventsCount == Self.listedMax ? " or more" : "") events were given up: "
                        + "no try of their schedule was taken.",
                    because: reason, advice: "Mend the merchant's side, and send them again.",
                    command: ["webhooks", "list", "--state", "dead"]))
        }
        if found.failingEventsCount > 0 {
            findings.append(
                Finding(
                    .webhooks, "webhooks_failing", .notice, merchant: merchant?.name,
                    "\(found.failingEventsCount)\(found.failingEventsCount == Self.listedMax ? " or more" : "") events were tried "
                        + "and not taken yet.",
                    because: reason, advice: "See why the merchant's side does not take them.",
                    command: ["webhooks", "list", "--state", "pending"]))
        }
        if findings.isEmpty {
            findings.append(
                Finding(
                    .webhooks, "webhooks_taken", .good, merchant: merchant?.name, "Merchants take their events.",
                    because: reason))
        }
        return findings
    }

    /// "3 minutes", in the largest unit that there are two of.
    private static func age(of moment: Timestamp, at now: Timestamp) -> String {
        let seconds = max(0, now.milliseconds(since: moment) / 1000)
        let units: [(Int64, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        for (length, name) in units where seconds >= 2 * length { return "\(seconds / length) \(name)" }
        return "\(seconds) seconds"
    }
}

/// What is open, as it stands at one moment.
private struct OpenMatters: Sendable {
    var unknown: [(paymentID: PaymentID, operation: Operation)] = []
    /// When the earliest work that nobody has done was due.
    var earliestDue: Timestamp?
    var deadEventsCount: Int
    /// Tried at least once.
    var failingEventsCount: Int

    init(of merchant: MerchantID?, in reader: any StoreReader, listedMax: Int) throws {
        for job in try reader.jobs(.recover, limit: listedMax) {
            guard let payment = try reader.payment(job.paymentID),
                merchant.map({ $0 == payment.merchantID }) ?? true
            else { continue }
            // What was accepted is the acquirer's to decide, however long that takes.
            self.unknown += payment.operations.filter { $0.state == .unknown || $0.state == .pending }
                .map { (payment.id, $0) }
        }
        if merchant == nil {
            self.earliestDue = try Job.Kind.allCases.compactMap { try reader.jobs($0, limit: 1).first?.dueAt }.min()
        }
        self.deadEventsCount = try reader.events(
            OutboxQuery(merchantID: merchant, state: .dead, limit: listedMax)
        ).count
        self.failingEventsCount = try reader.events(
            OutboxQuery(merchantID: merchant, state: .pending, limit: listedMax)
        ).count { $0.attemptsCount > 0 }
    }
}
