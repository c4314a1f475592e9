//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Ledger
import Money
import Payments
import StrictJSON
import Time

/// A payment with all that the store keeps about it.
struct PaymentRecord: Sendable {
    let payment: Payment
    let merchantName: String
    let order: Order?
    let journal: [JournalEntry]
    let events: [WaitingEvent]
    /// What finds out how its open operations ended.
    let recovery: Job?
    /// What an operator can do to it.
    let possible: PossibleActs
    /// What was asked of a second person about it.
    let approvals: PaymentApprovals
    /// What the verification of its token showed.
    let proof: JSON

    private var report: PaymentReport { PaymentReport(self.payment, merchantName: self.merchantName) }

    var json: JSON {
        var object = self.payment.view(merchant: self.merchantName, recovery: self.recovery)
        if let order = self.order { object["orderReference"] = .string(order.reference) }
        object["proof"] = self.proof
        object["possible"] = .object(self.possible.view)
        for (name, value) in self.approvals.members { object[name] = value }
        object["journal"] = .array(self.journal.map { .object($0.view) })
        object["notifications"] = .array(self.events.map { .object($0.view(merchant: self.merchantName)) })
        return .object(object)
    }

    func write(to console: Console) {
        for line in self.report.fields.lines() { console.line(line) }
        if let proof = self.payment.instrument.proof { self.section("Token", Self.lines(of: proof), console) }
        self.section("Operations", self.operations, console)
        if self.payment.operations.contains(where: { !$0.answer.facts.isEmpty }) {
            self.section("Acquirer", self.answers, console)
        }
        self.section("Possible now", self.possible.fields.lines(), console)
        let approvals = self.approvals.lines
        if !approvals.isEmpty { self.section("Approvals", approvals, console) }
        self.section("Journal", JournalTable(self.journal).lines(), console)
        if !self.events.isEmpty { self.section("Notifications", self.notifications, console) }
    }

    private func section(_ title: String, _ lines: [String], _ console: Console) {
        console.line()
        console.line(console.styled(title, .title))
        for line in lines { console.line(line) }
    }

    private var operations: [String] {
        var table = Table([("operation", .left), ("state", .left), ("amount", .right), ("id", .left), ("begun", .left)])
        for operation in self.payment.operations {
            var state = operation.state.name
            if case .failed(let failure) = operation.state { state += ", \(failure.name.spaced)" }
            if self.payment.unresolvedReversal(of: operation.id) != nil { state += ", being reversed" }
            table.add([
                operation.words, state, operation.movedAmount.description, operation.id.text,
                operation.begunAt.rfc3339Seconds,
            ])
        }
        return table.lines()
    }

    private static func lines(of proof: TokenProof) -> [String] {
        var fields = Fields()
        fields.add("verified", proof.verifiedAt.rfc3339Seconds)
        fields.add("signed", proof.signedAt.rfc3339Seconds)
        fields.add("version", proof.version)
        fields.add("key", proof.publicKeyHash)
        fields.add("anchor", proof.anchor)
        fields.add("checks", proof.checkNames.joined(separator: ", "))
        return fields.lines()
    }

    /// What the acquirer has said of each operation, by the names that JSON has for it.
    private var answers: [String] {
        var table = Table([("operation", .left), ("fact", .left), ("value", .left)])
        for operation in self.payment.operations {
            for (index, fact) in operation.answer.facts.enumerated() {
                table.add([index == 0 ? operation.words : "", fact.name, fact.value])
            }
        }
        return table.lines()
    }

    private var notifications: [String] {
        var table = Table([
            ("event", .left), ("state", .left), ("tries", .right), ("last result", .left), ("next try", .left),
        ])
        for waiting in self.events {
            let event = waiting.event
            table.add([
                event.kind.rawValue.spaced, event.state.rawValue, "\(event.attemptsCount)", event.lastResult ?? "",
                waiting.wait?.words ?? "",
            ])
        }
        return table.lines()
    }
}

extension PaymentApprovals {
    /// What waits stands first.
    var lines: [String] {
        guard !self.waiting.isEmpty || !self.decided.isEmpty else { return [] }
        var table = Table([
            ("approval", .left), ("act", .left), ("amount", .right), ("asked by", .left), ("asked", .left),
            ("state", .left),
        ])
        for (approvals, isWaiting) in [(self.waiting, true), (self.decided, false)] {
            for approval in approvals {
                table.add([
                    approval.id.text, approval.act, approval.amount?.description ?? "", approval.askedBy.actor,
                    approval.askedAt.rfc3339Seconds, isWaiting ? approval.waitingWords : approval.decidedWords,
                ])
            }
        }
        return table.lines()
    }
}

extension Approval {
    /// "waits until 2026-11-24T10:00:00Z".
    fileprivate var waitingWords: String { "waits until \(self.endsAt.rfc3339Seconds)" }

    /// "approved by bob at 2026-11-23T10:00:00Z, done".
    fileprivate var decidedWords: String {
        guard self.state != .waiting else { return "\(State.expired.rawValue) at \(self.endsAt.rfc3339Seconds)" }
        var words = self.state.rawValue
        if let decider = self.decidedBy { words += " by \(decider.actor)" }
        if let moment = self.decidedAt { words += " at \(moment.rfc3339Seconds)" }
        if let outcome = self.outcome { words += ", \(outcome.code)" }
        return words
    }
}

/// Journal entries, one line for each posting.
struct JournalTable {
    private var table = Table([
        ("entry", .left), ("layer", .left), ("account", .left), ("debit", .right), ("credit", .right),
    ])

    init(_ entries: [JournalEntry]) {
        for entry in entries {
            for (index, posting) in entry.postings.enumerated() {
                let amount = posting.amount.description
                self.table.add([
                    index == 0 ? entry.kind.rawValue : "", posting.layer.rawValue, posting.account.shortPath,
                    posting.side == .debit ? amount : "", posting.side == .credit ? amount : "",
                ])
            }
        }
    }

    func lines() -> [String] { self.table.lines() }
}

extension LedgerAccount {
    /// The path with long ids cut in the middle, for tables.
    var shortPath: String {
        self.path.split(separator: "/").map { part in
            part.count > 20 ? "\(part.prefix(8))…\(part.suffix(4))" : String(part)
        }.joined(separator: "/")
    }
}
