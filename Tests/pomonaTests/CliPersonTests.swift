//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona person, pomona access")
struct CliPersonTests {
    private func run(
        _ data: String, _ words: [String], _ arguments: [String], json: Bool = true
    ) async throws -> CliResult {
        try await CliTool.pomona(words + ["--data", data] + (json ? ["--json"] : []) + arguments)
    }

    private func addOwner(_ data: String, _ name: String = "alice") async throws -> JSON {
        let added = try await self.run(
            data, ["person", "add"], ["--name", name, "--display-name", "Alice", "--role", "owner"])
        #expect(added.exitCode == 0, "\(added.stdout)")
        return try added.json()
    }

    /// In a directory that is made for it, with a secret that works.
    @Test func theFirstOwnerChoosesAPasswordWithTheInvitation() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let made = try await self.addOwner(data)
        let owner = try #require(made["person"])
        #expect(owner["role"] == "owner" && owner["merchants"] == .null && owner["hasPassword"] == false)
        let secret = Redacted(try #require(made["secret"]?.string))
        #expect(made["credential"] == "invitation" && owner["invitedUntil"]?.string != nil)
        let invited = try await DirectoryAccess.withAdministration(DataDirectory(path: data)) { administration in
            try await People(administration).invitedPerson(secret)
        }
        #expect(invited.userName == "alice")
        let listed = try await self.run(data, ["person", "list"], [])
        #expect(try listed.json()["people"]?.array?.count == 1)
        #expect(!listed.stdout.contains(secret.reveal()))
        let audited = try await self.run(data, ["audit", "list"], [])
        #expect(audited.stdout.contains("person.create") && !audited.stdout.contains(secret.reveal()))
    }

    @Test func aPersonIsChangedSuspendedResetAndRemoved() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        _ = try await self.addOwner(data)
        let merchants = try await self.run(data, ["merchant", "list"], []).json()["merchants"]?.array ?? []
        let merchant = try #require(merchants.first?["name"]?.string)
        let made = try await self.run(
            data, ["person", "add"],
            [
                "--name", "sam", "--display-name", "Sam", "--role", "support", "--merchant", merchant, "--refund-limit",
                "CAD=100.00", "--email", "sam@shop.example", "--credential", "password",
            ]
        ).json()
        let added = try #require(made["person"])
        #expect(added["merchants"] == [.string(merchant)] && added["refundLimits"] == ["CAD": "100.00"])
        #expect(made["credential"] == "password" && made["secret"]?.string?.count == 19)
        #expect(added["hasPassword"] == true && added["mustChangePassword"] == true)
        let changed = try await self.run(
            data, ["person", "change"],
            [
                "sam", "--role", "viewer", "--all-merchants", "--no-refund-limit", "--no-email", "--display-name",
                "Sam B.",
            ]
        ).json()
        #expect(changed["role"] == "viewer" && changed["merchants"] == .null && changed["refundLimits"] == .null)
        #expect(changed["email"] == .null && changed["displayName"] == "Sam B." && changed["secret"] == nil)
        #expect(try await self.run(data, ["person", "suspend"], ["sam"]).json()["state"] == "suspended")
        #expect(try await self.run(data, ["person", "resume"], ["sam"]).json()["state"] == "active")
        let reset = try await self.run(
            data, ["person", "reset"], ["sam", "--password", "--second-factor", "--lock-out", "--sessions"]
        ).json()
        #expect(reset["secret"]?.string?.count == 43 && reset["person"]?["hasPassword"] == false)
        let shown = try await self.run(data, ["person", "list"], [], json: false)
        #expect(shown.stdout.contains("alice") && shown.stdout.contains("never"))
        #expect(try await self.run(data, ["person", "remove"], ["sam"]).exitCode == 0)
        #expect(try await self.run(data, ["person", "list"], []).json()["people"]?.array?.count == 1)
        // The last owner stays, and says why.
        for words in [["person", "suspend"], ["person", "remove"]] {
            let refused = try await self.run(data, words, ["alice"])
            #expect(refused.exitCode == 1 && refused.errorCode == "last_owner")
        }
        let demoted = try await self.run(data, ["person", "change"], ["alice", "--role", "viewer"])
        #expect(demoted.errorCode == "last_owner" && demoted.errorStage == "administration")
    }

    @Test(arguments: [
        (["person", "add"], ["--name", "Alice", "--display-name", "A", "--role", "owner"], 1, "user_name_malformed"),
        (["person", "add"], ["--name", "a", "--display-name", "A", "--role", "emperor"], 64, ""),
        (
            ["person", "add"],
            ["--name", "a", "--display-name", "A", "--role", "owner", "--refund-limit", "CAD"], 1, "argument_malformed"
        ),
        (
            ["person", "add"],
            ["--name", "a", "--display-name", "A", "--role", "owner", "--refund-limit", "XXQ=1"], 1, "currency_unknown"
        ),
        (
            ["person", "add"],
            ["--name", "a", "--display-name", "A", "--role", "owner", "--refund-limit", "CAD=1.001"], 1,
            "amount_malformed"
        ),
        (
            ["person", "add"],
            ["--name", "a", "--display-name", "A", "--role", "owner", "--merchant", "nobody"], 1, "merchant_unknown"
        ),
        (["person", "suspend"], ["nobody"], 1, "person_unknown"),
        (["person", "reset"], ["nobody"], 64, ""),
        (["person", "change"], ["nobody", "--merchant", "a", "--all-merchants"], 64, ""),
        (["person", "change"], ["nobody", "--email", "a@b", "--no-email"], 64, ""),
        (["person", "change"], ["nobody", "--refund-limit", "CAD=1", "--no-refund-limit"], 64, ""),
        (["access", "create"], ["--name", "n"], 64, ""),
        (["access", "create"], ["--name", "n", "--role", "viewer", "--scope", "audit:read"], 64, ""),
        (["access", "create"], ["--name", "n", "--scope", "audit:sing"], 64, ""),
        (["access", "create"], ["--name", "n", "--role", "viewer", "--days", "367"], 1, "token_duration_invalid"),
        (["access", "revoke"], ["pomona_x"], 1, "argument_malformed"),
        (["access", "revoke"], ["tok_01KAJ4T5C8RZ0G3V7M2W9XQY4B"], 1, "token_unknown"),
    ])
    func saysWhatIsWrong(_ words: [String], _ arguments: [String], _ exitCode: Int32, _ code: String) async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        _ = try await self.addOwner(data, "first")
        let result = try await self.run(data, words, arguments)
        #expect(result.exitCode == exitCode, "\(result.stdout) \(result.stderr)")
        if !code.isEmpty { #expect(result.errorCode == code) }
    }

    @Test func anAccessTokenIsMadeListedAndRevoked() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        let merchants = try await self.run(data, ["merchant", "list"], []).json()["merchants"]?.array ?? []
        let merchant = try #require(merchants.first?["name"]?.string)
        let created = try await self.run(
            data, ["access", "create"],
            [
                "--name", "nightly", "--scope", "reports:read", "--scope", "payments:read", "--merchant", merchant,
                "--sandbox-only", "--days", "7",
            ]
        ).json()
        let made = try #require(created["token"])
        let merchantID = try #require(merchants.first?["id"])
        #expect(made["scopes"] == ["payments:read", "reports:read"] && made["merchants"] == [merchantID])
        #expect(made["sandboxOnly"] == true && made["madeBy"]?.string?.contains("@") == true)
        let secret = Redacted(try #require(created["secret"]?.string))
        let id = try #require(made["id"]?.string)
        func opens() async throws -> Access? {
            try await DirectoryAccess.withAdministration(DataDirectory(path: data)) {
                try await $0.authenticate(accessToken: secret)?.access
            }
        }
        #expect(try await opens()?.scopes == [.paymentsRead, .reportsRead])
        let listed = try await self.run(data, ["access", "list"], [])
        #expect(try listed.json()["tokens"]?.array?.first?["lastUsedAt"]?.string != nil)
        #expect(!listed.stdout.contains(secret.reveal()))
        let revoked = try await self.run(data, ["access", "revoke"], [id])
        #expect(try revoked.json()["revokedAt"]?.string != nil)
        #expect(try await opens() == nil)
        #expect(try await self.run(data, ["access", "list"], []).json()["tokens"] == [])
        let all = try await self.run(data, ["access", "list"], ["--all"], json: false)
        #expect(all.stdout.contains("nightly") && all.stdout.contains("revoked"))
    }

    @Test func aTokenOfARoleMayWhatPeopleOfItMay() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        _ = try await self.addOwner(data)
        let made = try await self.run(data, ["access", "create"], ["--name", "n", "--role", "developer"]).json()[
            "token"]
        #expect(made?["sandboxOnly"] == true && made?["merchants"] == .null)
        #expect(made?["scopes"]?.array?.count == Role.developer.scopes.count)
    }

    @Test func aPersonIsKnownAtAProvider() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        _ = try await self.addOwner(data)
        let identity = ["--issuer", "https://login.example", "--subject", "7"]
        let added = try await self.run(
            data, ["person", "add"],
            ["--name", "sam", "--display-name", "Sam", "--role", "viewer", "--credential", "none"] + identity)
        #expect(try added.json()["person"]?["externalIdentity"] == ["issuer": "https://login.example", "subject": "7"])
        let taken = try await self.run(data, ["person", "change"], ["alice"] + identity)
        #expect(taken.exitCode == 1 && taken.stdout.contains("identity_taken"))
        let freed = try await self.run(data, ["person", "change"], ["sam", "--no-identity"])
        #expect(try freed.json()["externalIdentity"] == .null)
        let moved = try await self.run(data, ["person", "change"], ["alice"] + identity)
        #expect(try moved.json()["externalIdentity"]?["subject"] == "7")
        let audited = try await self.run(data, ["audit", "list"], [])
        #expect(audited.stdout.contains("7 at https://login.example"))
        for half in [["--issuer", "https://login.example"], ["--subject", "7"], identity + ["--no-identity"]] {
            let refused = try await self.run(data, ["person", "change"], ["alice"] + half)
            #expect(refused.exitCode != 0, "\(half)")
        }
    }
}
