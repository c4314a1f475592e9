//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments

/// What is found of what all nodes see alike, and what was looked at.
public struct AlarmLook: Sendable {
    public var findings: [AlarmFinding] = []
    public var scopes: Set<AlarmScope> = []

    public init() {}

    /// Adds what was found in a scope.
    public mutating func add(_ kind: Alarm.Kind, _ findings: [Finding], node: String? = nil, subject: String? = nil) {
        self.scopes.insert(AlarmScope(kind, node: node))
        self.findings += findings.compactMap { AlarmFinding(kind, $0, subject: subject, node: node) }
    }
}

extension Administration {
    /// Looks at what changes from minute to minute and costs little: certificates, refused tokens, what is open in
    /// the store.
    ///
    /// - Parameter isFirst: whether the gateway has just been started.
    /// - Throws: `StoreError`.
    public func lookForAlarms(isFirst: Bool = false) async throws -> AlarmLook {
        var look = AlarmLook()
        var certificates: [Finding] = []
        for merchant in try await self.watchedMerchants() {
            certificates += try await self.examineCertificates(of: merchant)
                .filter { $0.code == "certificate_ends" || $0.code == "certificate_ended" }
        }
        look.add(.certificate, certificates)
        // An alarm is read by the people of its merchant alone, too.
        look.add(.wrongKey, try await self.examineRefusedTokens(of: nil, namesOthers: false))
        let work = try await self.examineWork(of: nil)
        look.add(.unknownOutcome, work.filter { $0.area == .operations }, subject: "operations")
        look.add(.deadWebhooks, work.filter { $0.code == "webhooks_dead" }, subject: "webhooks")
        // What has come due while the gateway was down is being done.
        if !isFirst { look.add(.work, work.filter { $0.code == "work_overdue" }, subject: "work") }
        return look
    }

    /// Asks the acquirers of all merchants whether they can be reached and take the credentials.
    ///
    /// - Parameter node: who asks. Whether an acquirer can be reached is each node's own: what one cannot reach another may.
    /// - Throws: `StoreError`.
    public func lookForFailingAcquirers(node: String) async throws -> AlarmLook {
        var findings: [Finding] = []
        for merchant in try await self.watchedMerchants() where merchant.state == .active {
            // Of what is wrong with one account the first counts.
            var accounts: Set<String> = []
            findings += try await self.examineAcquirers(of: merchant).filter { finding in
                finding.severity != .good && accounts.insert(finding.subject ?? "").inserted
            }
        }
        var look = AlarmLook()
        look.add(.acquirer, findings, node: node)
        return look
    }

    /// Proves the books and the audit log: the books payment by payment, in many short reads, so that neither a
    /// payment nor the store's own housekeeping waits for it.
    ///
    /// - Parameter pause: between two reads.
    /// - Throws: `StoreError`, and what the pause throws.
    public func lookAtBooks(pause: @Sendable () async throws -> Void) async throws -> AlarmLook {
        var look = AlarmLook()
        let problems = try await LedgerAudit.problems(store: self.gateway.store, pause: pause)
        let reason = "What the books say is what the acquirers owe and what the merchants are owed."
        look.add(
            .ledger,
            problems.isEmpty
                ? []
                : [
                    Finding(
                        .store, "ledger_unsound", .failure,
                        "The books do not add up in \(problems.count) places; the first: \(problems.first ?? "").",
                        because: reason,
                        advice: "Find out who has written to the database past the gateway, before anything else.",
                        command: ["ledger", "check"])
                ], subject: "books")
        look.add(.audit, try await self.examineAuditLog(), subject: "audit log")
        return look
    }

    private func watchedMerchants() async throws -> [Merchant] {
        try await self.read { try $0.merchants().filter { $0.state != .closed } }
    }
}
