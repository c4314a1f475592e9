//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AdminAPI
import Administration
import ArgumentParser
import DialectKit
import Gateway
import Payments
import StrictJSON
import Time

/// `pomona approval`: what waits for a second person.
struct ApprovalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approval", abstract: "What waits for a second person, and what needs one.",
        discussion: """
            People and programs ask over the administration's API and portal. Whoever decides here decides as the shell: nobody's own \
            request of the shell can be approved here, whoever of those who administer the machine it was. Other commands that do what a \
            policy wants approved refuse, unless they are given --override with a reason, which stands in the audit log.
            """,
        subcommands: [
            ApprovalListCommand.self, ApprovalShowCommand.self, ApprovalApproveCommand.self,
            ApprovalRejectCommand.self, ApprovalPolicyCommand.self,
        ])
}

/// Which approval.
struct ApprovalOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("Its id.", valueName: "approval"))
    var approval: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    var id: ApprovalID {
        get throws(CommandFailure) {
            guard let id = ApprovalID(self.approval) else {
                throw CommandFailure(.argumentMalformed, stage: .input, "An approval's id begins with apr_.")
            }
            return id
        }
    }
}

/// `pomona approval list`.
struct ApprovalListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what waits for a second person, newest first.")

    @OptionGroup var directory: DataOptions

    @Flag(help: "Also what is decided.")
    var all = false

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let reports = try await DirectoryAccess.withReadingAdministration(self.directory.directory) {
                administration in
                let found = try await administration.allApprovals(ApprovalQuery(states: self.all ? [] : [.waiting]))
                let merchants = try await administration.read { try $0.merchants() }
                return found.map { ApprovalReport($0, merchants, at: administration.now()) }
            }
            if self.json {
                let object: JSON = ["approvals": .array(reports.map { .object($0.view) })]
                return console.line(object.text(pretty: true))
            }
            guard !reports.isEmpty else { return console.line("Nothing waits for a second person.") }
            var table = Table([("approval", .left), ("state", .left), ("asked by", .left), ("what", .left)])
            for report in reports {
                table.add(["id", "state", "askedBy", "summary"].map { report.view[$0]?.string ?? "" })
            }
            for line in table.lines() { console.line(line) }
        }
    }
}

/// `pomona approval show`.
struct ApprovalShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one.")

    @OptionGroup var options: ApprovalOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let id = try self.options.id
            let report = try await DirectoryAccess.withReadingAdministration(self.options.directory.directory) {
                try await ApprovalReport(id, $0)
            }
            report.write(to: console, json: self.options.json)
        }
    }
}

/// `pomona approval approve`.
struct ApprovalApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve what somebody else has asked for, and do it.",
        usage: "pomona approval approve <approval> [--reason <text>] [<options>]",
        discussion: """
            What is asked for is checked as it is now. A refund's acquirer is called from here. Exit status: 0 done, or taken by the \
            acquirer; 1 declined, or not possible any more; 2 not known yet, which a running gateway finds out.
            """)

    @OptionGroup var options: ApprovalOptions

    @Option(help: ArgumentHelp("Why; for the audit log.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp(
            "Where pomona acquirer serve runs, tcp://HOST:PORT, for a gateway whose simulator is a process of its own.",
            valueName: "address"))
    var acquirer: String?

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let id = try self.options.id
            let directory = self.options.directory.directory
            let report =
                if let payment = try await Self.payment(of: id, directory) {
                    try await PaymentAcquirer(address: self.acquirer).withConnectors(of: payment, directory) {
                        try await self.approved(id, directory, connectors: $0)
                    }
                } else {
                    try await self.approved(id, directory, connectors: nil)
                }
            report.write(to: console, json: self.options.json)
            if let exit = report.exit { throw exit }
        }
    }

    /// The payment that money goes back of; `nil` where that is not what was asked for.
    private static func payment(of id: ApprovalID, _ directory: DataDirectory) async throws -> Payment? {
        let store = try await DirectoryAccess.readOnly(directory)
        let found = try await store.read { reader in
            try reader.approval(id)?.paymentID.flatMap { try reader.payment($0) }
        }
        try await store.close()
        return found
    }

    private func approved(
        _ id: ApprovalID, _ directory: DataDirectory, connectors: [any Connector]?
    ) async throws -> ApprovalReport {
        try await DirectoryAccess.withOpenGateway(directory, connectors: connectors) { open in
            let office = ApprovalOffice(
                People(open.administration), plans: DialectModule.all.map(\.plan), tools: AccountTools(.system),
                operatorName: Surroundings.system.operatorName)
            do {
                _ = try await office.approve(id, reason: self.reason)
            } catch let refusal as OfficeRefusal {
                throw CommandFailure(of: refusal.code, stage: .administration, refusal.message)
            } catch let error as PaymentActError {
                throw CommandFailure(of: error.code.rawValue, stage: .payment, error.message)
            }
            return try await ApprovalReport(id, open.administration)
        }
    }
}

/// `pomona approval reject`.
struct ApprovalRejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Say that it is not to be done.")

    @OptionGroup var options: ApprovalOptions

    @Option(help: ArgumentHelp("Why; for whoever has asked, and the audit log.", valueName: "text"))
    var reason: String

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let id = try self.options.id
            let name = Surroundings.system.operatorName
            let report = try await DirectoryAccess.withAdministration(self.options.directory.directory) {
                administration in
                let party = Approval.Party(identities: ["shell", name], actor: name)
                try await administration.reject(ApprovalDecision(id, by: party, reason: self.reason))
                return try await ApprovalReport(id, administration)
            }
            report.write(to: console, json: self.options.json)
        }
    }
}

/// An approval as commands show it.
struct ApprovalReport: Sendable {
    let approval: Approval
    let view: JSONObject

    init(_ approval: Approval, _ merchants: [Merchant], at now: Timestamp) {
        self.approval = approval
        let names = Dictionary(merchants.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        self.view = approval.view(names, at: now)
    }

    init(_ id: ApprovalID, _ administration: Administration) async throws {
        let (found, merchants) = try await administration.read { (try $0.approval(id), try $0.merchants()) }
        guard let found else {
            throw AdministrationError(.approvalUnknown, "Nobody has asked for an approval with the id \(id).")
        }
        self.init(found, merchants, at: administration.now())
    }

    /// `nil` for what is done, or taken by the acquirer.
    var exit: ExitCode? {
        if self.approval.state == .failed { return .failure }
        return self.approval.outcome?.code == Approval.Outcome.unknown ? ExitCode(2) : nil
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(JSON.object(self.view).text(pretty: true)) }
        console.line(console.styled(self.approval.summary, .title))
        var fields = Fields()
        for name in [
            "id", "state", "merchant", "payment", "reason", "askedBy", "askedAt", "endsAt", "decidedBy", "decidedAt",
            "decisionReason",
        ] {
            if let text = self.view[name]?.string { fields.add(name, text) }
        }
        if let outcome = self.approval.outcome {
            fields.add("outcome", [outcome.code, outcome.detail].compactMap(\.self).joined(separator: ": "))
        }
        for line in fields.lines() { console.line(line) }
    }
}
