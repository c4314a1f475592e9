//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Foundation
import Money
import Payments
import Redaction
import StrictJSON
import Testing
import Time

@testable import pomona

@Suite("pomona approval")
struct CliApprovalTests {
    private func pomona(_ sandbox: CliSandbox, _ arguments: [String]) async throws -> CliResult {
        try await CliTool.pomona(arguments + ["--data", sandbox.data, "--json"])
    }

    @Test func aPolicyIsSetAndThenHeldAgainstTheShellToo() async throws {
        let sandbox = try await CliSandbox.copy()
        let none = try await self.pomona(sandbox, ["approval", "policy"])
        #expect(try none.json() == ["policies": []], "\(none.stdout)\(none.stderr)")
        let set = try await self.pomona(
            sandbox, ["approval", "policy", "--refunds-above", "CAD=100.00", "--live-credentials", "--routes"])
        let house: JSON = [
            "policy": "house", "refundsAbove": ["CAD": "100.00"], "aboveOwnLimit": false, "liveCredentials": true,
            "routes": true,
        ]
        #expect(try set.json()["policies"]?.array == [house], "\(set.stdout)\(set.stderr)")
        let held = try await self.pomona(sandbox, ["approval", "policy", "--nothing"])
        #expect(held.exitCode == 1 && held.errorCode == "approval_required")
        let made = try await self.pomona(
            sandbox,
            ["merchant", "create", "--name", "live", "--display-name", "Live", "--mode", "live", "--country", "CA"])
        #expect(made.exitCode == 0, "\(made.stdout)\(made.stderr)")
        let create = ["account", "create", "--merchant", "live", "--dialect", "payone"]
        #expect(try await self.pomona(sandbox, create).errorCode == "approval_required")
        let overridden = try await self.pomona(sandbox, create + ["--override", "the first one"])
        #expect(overridden.exitCode == 0, "\(overridden.stdout)\(overridden.stderr)")
        try await self.holdsSecretsOfWebhooks(sandbox)
        try await self.holdsSettingsThatGuardSecrets(sandbox)
        let ended = try await self.pomona(sandbox, ["approval", "policy", "--nothing", "--override", "over"])
        #expect(ended.exitCode == 0, "\(ended.stdout)\(ended.stderr)")
        let both = try await self.pomona(sandbox, ["approval", "policy", "--nothing", "--routes"])
        #expect(both.exitCode == 64)
    }

    /// Of a live merchant with an account in a dialect.
    private func holdsSecretsOfWebhooks(_ sandbox: CliSandbox) async throws {
        let secret = ["webhooks", "secret", "live", "--rotate"]
        #expect(try await self.pomona(sandbox, secret).errorCode == "approval_required")
        let rotated = try await self.pomona(sandbox, secret + ["--override", "it was shown"])
        #expect(rotated.exitCode == 0, "\(rotated.stdout)\(rotated.stderr)")
    }

    /// The MD5 of the key goes to the address: PAYONE's requests are known by it.
    private func holdsSettingsThatGuardSecrets(_ sandbox: CliSandbox) async throws {
        let settings = ["merchant", "settings", "--merchant", "live", "--dialect", "payone"]
        let address = settings + ["set", "notificationURL=https://shop.example/n"]
        #expect(try await self.pomona(sandbox, address).errorCode == "approval_required")
        let overridden = try await self.pomona(sandbox, address + ["--override", "the shop has moved"])
        #expect(overridden.exitCode == 0, "\(overridden.stdout)\(overridden.stderr)")
        let cards = try await self.pomona(sandbox, settings + ["set", "cardTypes=V,M"])
        #expect(cards.exitCode == 0, "\(cards.stdout)\(cards.stderr)")
    }

    /// The simulated acquirer's book is the directory's: it knows of the payment that money goes back of.
    @Test func aRefundThatIsApprovedAtTheShellIsDone() async throws {
        let sandbox = try await CliSandbox.copy()
        let list = try await self.pomona(sandbox, ["payments", "list", "--merchant", "commweb"]).json()
        let payment = try #require(list["payments"]?.array?.first)
        let id = try #require(payment["id"]?.string.flatMap { PaymentID($0) })
        let currency = try #require(payment["currency"]?.string.flatMap { Currency.alphabetic($0) })
        #expect(payment["acquirer"] == "simulator" && payment["captured"] == "42.50", "\(payment.text())")
        let approval = try await DirectoryAccess.withAdministration(DataDirectory(path: sandbox.data)) {
            try await $0.askForApproval(
                ApprovalDraft(
                    kind: .refund, operation: "refundPayment",
                    merchantID: try await $0.merchant(named: "commweb").id, paymentID: id,
                    amount: Money(minorUnits: 100, currency: currency), summary: "Refund.", askKey: "r",
                    act: Redacted(#"{"path":{"payment":"\#(id)"},"body":{"amount":"1.00"}}"#)),
                by: Approval.Party(identities: ["alice"], actor: "alice"))
        }
        try await self.showsWaiting(approval, of: id, sandbox)
        let approved = try await self.pomona(sandbox, ["approval", "approve", approval.id.text])
        #expect(approved.exitCode == 0, "\(approved.stdout)\(approved.stderr)")
        #expect(try approved.json()["outcome"]?["code"] == "done", "\(approved.stdout)")
        let shown = try await self.pomona(sandbox, ["payments", "show", id.text]).json()
        #expect(shown["refunded"] == "1.00", "\(shown.text())")
        #expect(shown["approvals"] == [] && shown["decidedApprovals"]?.array?.count == 1)
        let decided = try #require(shown["decidedApprovals"]?.array?.first)
        #expect(decided["id"]?.string == approval.id.text && decided["state"] == "approved")
        #expect(decided["askedBy"] == "alice" && decided["outcome"]?["code"] == "done", "\(decided.text())")
        let text = try await CliTool.pomona(["payments", "show", id.text, "--data", sandbox.data]).stdout
        #expect(text.contains("Approvals") && text.contains("approved by") && text.contains(", done"), "\(text)")
    }

    /// Whoever looks at the payment sees what is asked for it, by whom, when and until when.
    private func showsWaiting(_ approval: Approval, of payment: PaymentID, _ sandbox: CliSandbox) async throws {
        let json = try await self.pomona(sandbox, ["payments", "show", payment.text]).json()
        #expect(json["approvals"] == .array([.object(approval.waitingView)]), "\(json.text())")
        #expect(json["decidedApprovals"] == [])
        let text = try await CliTool.pomona(["payments", "show", payment.text, "--data", sandbox.data]).stdout
        let line = text.split(separator: "\n").first { $0.contains(approval.id.text) }
        let words = try #require(line, "\(text)")
        #expect(words.contains("refund") && words.contains("1.00") && words.contains("alice"), "\(words)")
        #expect(words.contains(approval.askedAt.rfc3339Seconds))
        #expect(words.contains("waits until \(approval.endsAt.rfc3339Seconds)"), "\(words)")
        let other = try await self.pomona(sandbox, ["payments", "list", "--merchant", "payone"]).json()
        let id = try #require(other["payments"]?.array?.first?["id"]?.string)
        let none = try await CliTool.pomona(["payments", "show", id, "--data", sandbox.data]).stdout
        #expect(!none.contains("Approvals"), "\(none)")
    }

    /// As that of the command that refunds: whoever calls it from a script sees how it ended.
    @Test(
        arguments: [
            ("done", Approval.State.approved, nil), ("accepted", .approved, nil), ("unknown", .approved, 2),
            ("declined", .failed, 1), ("act_not_possible", .failed, 1),
        ] as [(String, Approval.State, Int32?)])
    func theExitStatusSaysHowItEnded(_ code: String, _ state: Approval.State, _ status: Int32?) throws {
        let now = Surroundings.system.clock()
        let approval = Approval(
            id: ApprovalID(at: now, random: [1]), kind: .refund, operation: "refundPayment", summary: "Refund.",
            askedBy: Approval.Party(identities: ["alice"], actor: "alice"), askKey: "k", askedAt: now, endsAt: now,
            state: state, outcome: Approval.Outcome(code: code))
        #expect(ApprovalReport(approval, [], at: now).exit?.rawValue == status)
    }

    @Test func whatOthersAskIsApprovedAndRejectedAtTheShell() async throws {
        let sandbox = try await CliSandbox.copy()
        let directory = DataDirectory(path: sandbox.data)
        let ids = try await DirectoryAccess.withAdministration(directory) { administration in
            let merchant = try await administration.merchant(named: "payone")
            var ids: [String] = []
            for (key, name) in [("a", "alice"), ("b", "alice"), ("c", "shell")] {
                let asked = try await administration.askForApproval(
                    ApprovalDraft(
                        kind: .route, operation: "setRoutes", merchantID: merchant.id, summary: "Set the routes.",
                        askKey: key,
                        act: Redacted(#"{"path":{"merchant":"payone"},"body":{"data":[]},"ifMatch":"*"}"#)),
                    by: Approval.Party(identities: [name], actor: name))
                ids.append(asked.id.text)
            }
            return ids
        }
        let list = try await self.pomona(sandbox, ["approval", "list"]).json()
        #expect(list["approvals"]?.array?.count == 3)
        let shown = try await self.pomona(sandbox, ["approval", "show", ids[0]])
        #expect(try shown.json()["summary"] == "Set the routes.")
        let approved = try await self.pomona(sandbox, ["approval", "approve", ids[0], "--reason", "seen"])
        #expect(try approved.json()["state"] == "approved", "\(approved.stdout)\(approved.stderr)")
        let rejected = try await self.pomona(sandbox, ["approval", "reject", ids[1], "--reason", "no"])
        #expect(try rejected.json()["state"] == "rejected", "\(rejected.stdout)\(rejected.stderr)")
        let own = try await self.pomona(sandbox, ["approval", "approve", ids[2]])
        #expect(own.exitCode == 1 && own.errorCode == "approval_of_own_act", "\(own.stdout)")
        let ownRejected = try await self.pomona(sandbox, ["approval", "reject", ids[2], "--reason", "no"])
        #expect(ownRejected.errorCode == "approval_of_own_act")
        let routes = try await self.pomona(sandbox, ["route", "list", "--merchant", "payone"]).json()
        #expect(routes["routes"]?.array?.isEmpty == true)
        let unknown = try await self.pomona(sandbox, ["approval", "show", "apr_01KAJ4T5C8RZ0G3V7M2W9XQY4B"])
        #expect(unknown.exitCode == 1 && unknown.errorCode == "approval_unknown")
        #expect(try await self.pomona(sandbox, ["approval", "show", "nothing"]).errorCode == "argument_malformed")
        let text = try await CliTool.pomona(["approval", "list", "--all", "--data", sandbox.data])
        #expect(text.exitCode == 0 && text.stdout.contains("rejected"))
    }
}
