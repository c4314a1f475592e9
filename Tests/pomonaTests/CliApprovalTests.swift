//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Payments
import Redaction
import StrictJSON
import Testing

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
