//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Money
import Payments
import Settings
import StrictJSON

/// `pomona payments resolve`: how an operation ended that no acquirer says.
struct PaymentsResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Decide how an operation ended whose end nobody knows.",
        usage: "pomona payments resolve OPERATION --approved|--failed --reason TEXT --data DIR",
        discussion: """
            For an operation that stays open because its acquirer answers no queries (PAYONE, Radial) and has not \
            reported its end. Look it up in the acquirer's portal first: what is decided here is booked, the merchant is \
            notified of it, and it stands in the audit log with the reason.
            """)

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The operation (op_…), from pomona payments show.", valueName: "operation"))
    var operation: String

    @Flag(help: "The acquirer has done it.")
    var approved = false

    @Flag(help: "Nothing was done, and nothing will be.")
    var failed = false

    @Option(help: ArgumentHelp("With --approved: what the acquirer calls it.", valueName: "text"))
    var reference: String?

    @Option(help: ArgumentHelp("With --approved: how much, where that is a part.", valueName: "decimal"))
    var amount: String?

    @Option(help: ArgumentHelp("Where that was seen, and by whom; for the audit log.", valueName: "text"))
    var reason: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard OperationID(self.operation) != nil else {
            throw ValidationError(
                "\(self.operation) is no operation's id: it begins with op_ and has 26 characters after that.")
        }
        guard self.approved != self.failed else { throw ValidationError("Give --approved or --failed.") }
        guard self.approved || (self.reference ?? self.amount) == nil else {
            throw ValidationError("--reference and --amount go with --approved.")
        }
        guard SettingRules.isLine(self.reason), self.reference.map(SettingRules.isLine) != false else {
            throw ValidationError("--reason and --reference are lines of 1 to 255 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            guard let id = OperationID(self.operation) else { return }
            let payment = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let decision = try await self.decision(on: id, administration)
                do {
                    return try await administration.decide(id, decision, reason: self.reason)
                } catch let refusal as PaymentRefusal {
                    throw Self.failure(of: refusal)
                }
            }
            if self.json {
                console.line(
                    (["payment": .string(payment.id.text), "state": .string(payment.state.rawValue)] as JSON)
                        .text(pretty: true))
            } else {
                console.line("\(id) is booked; \(payment.id) is \(payment.state.words) now.")
            }
        }
    }

    private func decision(on id: OperationID, _ administration: Administration) async throws -> OperatorDecision {
        guard self.approved else { return .failed }
        let operation = try await administration.read { reader in
            try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }?.operation(id)
        }
        let amount = try operation.flatMap { operation in
            try self.amount.map { try PaymentAct.money($0, of: operation.amount.currency) }
        }
        return .approved(reference: self.reference, amount: amount)
    }

    static func failure(of refusal: PaymentRefusal) -> CommandFailure {
        CommandFailure(
            .decisionNotAllowed, stage: .store,
            "The payment does not allow it (\(refusal)): its sums have changed since the operation began, or the "
                + "merchant takes no part of it.")
    }
}
