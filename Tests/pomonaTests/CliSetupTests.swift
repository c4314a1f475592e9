//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import StrictJSON
import Testing

@testable import pomona

/// A merchant from nothing, without a sandbox.
@Suite("pomona setup") struct CliSetupTests {
    private static let file = """
        {"merchant": {"name": "shop", "displayName": "Shop", "mode": "sandbox", "countryCode": "AU"},
         "accounts": [{"dialect": "commweb", "settings": {"currencies": "AUD,USD"}}, {"dialect": "alphapay"}],
         "acquirers": [{"name": "bank", "connector": "mpgs", "acceptor": {"categoryCode": "5411"},
                        "settings": {"host": "http://127.0.0.1:9", "version": "71", "merchantId": "BANKSHOP"},
                        "secrets": {"password": "open-sesame-7"}},
                       {"name": "play", "connector": "simulator", "settings": {"recovery": "query"}}],
         "routes": [{"acquirer": "bank", "currency": "AUD", "to": "100.00"}, {"acquirer": "play", "network": "visa"}],
         "applePay": [{"merchantIdentifier": "merchant.com.example.shop", "custody": "gateway"}]}
        """

    private func setup(_ folder: CliFolder, _ text: String = CliSetupTests.file) async throws -> CliResult {
        let path = try folder.write("setup.json", text)
        return try await CliTool.pomona(["setup", "--data", folder.file("data"), "--file", path, "--json"])
    }

    private func entriesCount(_ folder: CliFolder) async throws -> Int64? {
        let audit = try await CliTool.pomona(["audit", "verify", "--data", folder.file("data"), "--json"])
        #expect(audit.exitCode == 0, "\(audit.stdout)")
        return try audit.json()["entries"]?.integer
    }

    @Test func sameFileTwiceChangesNothing() async throws {
        let folder = try CliFolder()
        let first = try await self.setup(folder)
        #expect(first.exitCode == 0, "\(first.stdout)\(first.stderr)")
        #expect(first.stdout.split(separator: "\n").count == 1)
        let report = try first.json()
        #expect(report["merchant"]?["state"] == "active" && report["missing"] == [])
        let password = try #require(report["accounts"]?["commweb"]?["password"]?.string)
        #expect(password.count == 32)
        let key = try #require(report["accounts"]?["alphapay"]?["privateKey"]?.string)
        let attributes = try FileManager.default.attributesOfItem(atPath: key)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(report["acquirers"]?["bank"]?["secrets"] == ["password"])
        #expect(report["routes"]?.array?.count == 2 && report["routes"]?.array?.first?["to"] == "100.00")
        #expect(!first.stdout.contains("open-sesame-7"))
        let count = try await self.entriesCount(folder)

        let second = try await self.setup(folder)
        #expect(second.exitCode == 0)
        let again = try second.json()
        #expect(again["merchant"] == report["merchant"] && again["acquirers"] == report["acquirers"])
        #expect(again["routes"] == report["routes"] && again["missing"] == [])
        #expect(
            again["accounts"]?["commweb"] == [
                "merchantId": report["accounts"]?["commweb"]?["merchantId"] ?? .null,
                "merchantIdentifier": "merchant.com.example.shop",
            ])
        #expect(!second.stdout.contains(password))
        // Who was cut off before he saw the credentials has a program read how there are new ones.
        #expect(report["rotate"] == [:])
        for dialect in ["commweb", "alphapay"] {
            let rotation = try #require(again["rotate"]?[dialect]?.string)
            #expect(rotation.contains("account rotate --merchant shop --dialect \(dialect) --credential "))
        }
        #expect(try await self.entriesCount(folder) == count)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("data"))
        where name.hasPrefix("pomona.sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("data/\(name)")))
            #expect(bytes.range(of: Data("open-sesame-7".utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data(password.utf8)) == nil, "\(name)")
        }
    }

    @Test func tokenIsMintedForTheMerchantThatWasSetUp() async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        let minted = try await CliTool.pomona([
            "token", "mint", "--data", folder.file("data"), "--merchant", "shop", "--amount", "10.99",
        ])
        #expect(try minted.exitCode == 0 && JSON.parse(minted.stdout)["version"] == "EC_v1")
    }

    @Test func liveMerchantGetsSigningRequests() async throws {
        let folder = try CliFolder()
        let text = """
            {"merchant": {"name": "real", "mode": "live", "countryCode": "DE"}, "accounts": [{"dialect": "payone"}],
             "applePay": [{"merchantIdentifier": "merchant.com.example.real"}]}
            """
        let result = try await self.setup(folder, text)
        #expect(result.exitCode == 0, "\(result.stdout)")
        let report = try result.json()
        #expect(report["missing"]?.array?.compactMap { $0["part"]?.string } == ["acquirer", "processingCertificate"])
        for missing in report["missing"]?.array ?? [] {
            #expect(missing["command"]?.string?.hasPrefix("pomona ") == true)
        }
        let request = try #require(report["applePay"]?.array?.first?["processingSigningRequest"]?.string)
        #expect(try String(contentsOfFile: request, encoding: .utf8).contains("BEGIN CERTIFICATE REQUEST"))
        // Nothing of the sandbox's: no authority whose tokens a live merchant could meet.
        #expect(!FileManager.default.fileExists(atPath: folder.file("data/authority")))
        let play = try await CliTool.pomona([
            "acquirer", "add", "--data", folder.file("data"), "--merchant", "real", "--name", "play", "--connector",
            "simulator", "--json",
        ])
        #expect(play.exitCode == 1 && play.errorCode == "account_not_allowed")
    }

    @Test(arguments: [
        ("[]", "The file must be an object"), ("{}", "/merchant is missing"),
        (#"{"merchant": {"name": "shop", "mode": "sandbox"}}"#, "/merchant/countryCode is missing"),
        (#"{"merchant": {"name": "shop", "mode": "fun", "countryCode": "AU"}}"#, "/merchant/mode must be"),
        (
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"}, "account": []}"#,
            "/account is not known"
        ),
        (
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"}, "accounts": {}}"#,
            "/accounts must be a list"
        ),
        (
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"}, "acquirers": [{"name": "a", "connector": "mpgs", "secrets": {"password": 7}}]}"#,
            "/acquirers/0/secrets/password must be a text"
        ),
        (
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"}, "routes": [{"acquirer": "a", "network": "visum"}]}"#,
            "/routes/0/network must be one of"
        ),
        (
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"}, "applePay": [{"merchantIdentifier": "merchant.a", "custody": "moon"}]}"#,
            "/applePay/0/custody must be"
        ),
    ])
    func refusesMalformedFileAndMakesNothing(_ text: String, _ words: String) async throws {
        let folder = try CliFolder()
        let result = try await self.setup(folder, text)
        #expect(result.exitCode == 1 && result.errorCode == "setup_malformed", "\(result.stdout)")
        #expect(try result.json()["error"]?["message"]?.string?.contains(words) == true, "\(result.stdout)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data/pomona.sqlite")))
    }

    @Test func modeIsForEver() async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        let result = try await self.setup(
            folder, #"{"merchant": {"name": "shop", "mode": "live", "countryCode": "AU"}}"#)
        #expect(result.exitCode == 1 && result.errorCode == "setup_differs")
    }

    @Test func dialogueCanBeLeftAndTakenUpAgain() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let left = try await CliTool.pomona(
            ["setup", "--data", data], stdin: "shop\nMy Shop\nsandbox\nAustralia\nAU\ncommweb\n\n")
        #expect(left.exitCode == 0, "\(left.stdout)\(left.stderr)")
        #expect(left.stdout.contains("It must be a country's two capital letters"))
        #expect(left.stdout.contains("password") && left.stdout.contains("Left. What was answered is there"))
        let on = try await CliTool.pomona(["setup", "--data", data], stdin: "\nsimulator\n\nmerchant.com.example.my\n")
        #expect(on.exitCode == 0, "\(on.stdout)\(on.stderr)")
        #expect(on.stdout.contains("It can take payments."), "\(on.stdout)")
        let shown = try await CliTool.pomona(["merchant", "show", "--data", data, "shop", "--json"])
        #expect(try shown.json()["missing"] == [] && shown.json()["routes"]?.array?.count == 1)
    }

    // MARK: - The commands

    @Test func merchantIsMadeSuspendedResumedAndClosed() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        func merchant(_ arguments: String...) async throws -> CliResult {
            try await CliTool.pomona(["merchant"] + arguments + ["--data", data, "--json"])
        }
        let made = try await merchant(
            "create", "--name", "shop", "--display-name", "Shop", "--mode", "live", "--country", "DE")
        #expect(made.exitCode == 0, "\(made.stdout)\(made.stderr)")
        #expect(try made.json()["missing"]?.array?.count == 3)
        #expect(try await merchant("suspend", "shop").json()["merchant"]?["state"] == "suspended")
        #expect(try await merchant("resume", "shop").json()["merchant"]?["state"] == "active")
        #expect(
            try await merchant("change", "shop", "--display-name", "New").json()["merchant"]?["displayName"] == "New")
        #expect(try await merchant("close", "shop").exitCode != 0)
        #expect(try await merchant("close", "shop", "--for-ever").json()["merchant"]?["state"] == "closed")
        #expect(try await merchant("resume", "shop").errorCode == "merchant_closed")
        #expect(try await merchant("show", "nobody").errorCode == "merchant_unknown")
        let list = try await merchant("list").json()
        #expect(list["merchants"]?.array?.first?["state"] == "closed")
    }

    @Test func secretsAreNeverTakenFromTheCommandLine() async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        let data = folder.file("data")
        let bare = try await CliTool.pomona([
            "acquirer", "settings", "--data", data, "--merchant", "shop", "--name", "bank", "--secret",
            "password=swordfish", "--json",
        ])
        #expect(bare.errorCode == "argument_malformed" && !bare.stdout.contains("swordfish"))
        let piped = try await CliTool.pomona(
            [
                "acquirer", "settings", "--data", data, "--merchant", "shop", "--name", "bank", "--secret",
                "password2=@-", "version=100", "--json",
            ], stdin: "swordfish-8\n")
        #expect(piped.exitCode == 0, "\(piped.stdout)")
        #expect(try piped.json()["secrets"] == ["password", "password2"])
        #expect(try piped.json()["settings"]?["version"] == "100")
        let unset = try await CliTool.pomona([
            "acquirer", "settings", "--data", data, "--merchant", "shop", "--name", "bank", "--unset", "password2",
            "--json",
        ])
        #expect(try unset.json()["secrets"] == ["password"])
        let refused = try await CliTool.pomona([
            "acquirer", "settings", "--data", data, "--merchant", "shop", "--name", "bank",
            "host=http://bank.example.com", "--json",
        ])
        #expect(refused.exitCode == 1, "plain HTTP is for loopback")
        // Nothing listens there.
        let check = try await CliTool.pomona([
            "acquirer", "check", "--data", data, "--merchant", "shop", "--name", "bank", "--json",
        ])
        #expect(try check.exitCode == 1 && check.json()["good"] == false)
        // It keeps no connection, and so has no commands.
        let echo = try await CliTool.pomona([
            "acquirer", "do", "--data", data, "--merchant", "shop", "--name", "bank", "echo", "--json",
        ])
        #expect(try echo.exitCode == 1 && echo.json()["error"]?["code"] == "connector_command_unknown")
    }

    @Test func routeSaysWhichAccountAPaymentTakes() async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        func route(_ arguments: String...) async throws -> CliResult {
            try await CliTool.pomona(
                ["route"] + arguments + ["--data", folder.file("data"), "--merchant", "shop", "--json"])
        }
        let small = try await route("test", "--dialect", "commweb", "--amount", "99.99", "--currency", "AUD")
        #expect(try small.json()["acquirer"] == "bank")
        let large = try await route("test", "--dialect", "commweb", "--amount", "100.01", "--currency", "AUD")
        #expect(try large.json()["acquirer"] == "play")
        let amex = try await route(
            "test", "--dialect", "commweb", "--amount", "100.01", "--currency", "AUD", "--network", "amex")
        #expect(try amex.exitCode == 1 && amex.json()["acquirer"] == .null)
        // Only one dialect has nothing but sales.
        #expect(DialectModule.all.map(\.plan).filter { $0.usualPurpose == .sale }.map(\.title) == ["AlphaPay"])
        let amount = ["--dialect", "commweb", "--amount", "100.01", "--currency", "AUD"]
        for purpose in AuthorizeCommand.Purpose.allCases {
            let asked = try await CliTool.pomona(
                ["route", "test"] + amount
                    + ["--purpose", purpose.rawValue, "--data", folder.file("data"), "--merchant", "shop", "--json"])
            #expect(try asked.exitCode == 0 && asked.json()["acquirer"] == "play", "\(purpose)")
        }
        let set = try await route("set", "--acquirer", "play", "--network", "amex", "--number", "7")
        #expect(try set.json()["routes"]?.array?.count == 3)
        #expect(try await route("remove", "--number", "7").json()["routes"]?.array?.count == 2)
        #expect(try await route("remove", "--number", "7").errorCode == "route_unknown")
        #expect(try await route("set", "--acquirer", "nobody").errorCode == "acquirer_unknown")
        #expect(try await route("list").json()["routes"]?.array?.count == 2)
    }

    @Test func credentialIsRotatedWithAnOverlapAndRevoked() async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        func account(_ arguments: String...) async throws -> CliResult {
            try await CliTool.pomona(["account"] + arguments + ["--data", folder.file("data"), "--json"])
        }
        let target = ["--merchant", "shop", "--dialect", "commweb"]
        let rotated = try await account(
            "rotate", target[0], target[1], target[2], target[3], "--credential", "password")
        #expect(try rotated.json()["credentials"]?["password"]?.string?.count == 32)
        let listed = try await account("list").json()["accounts"]?.array ?? []
        #expect(listed.first { $0["dialect"] == "commweb" }?["overlapping"] == ["password"])
        let unused: JSON = [
            "name": "password", "replacedStillAccepted": true, "lastUsed": .null, "previousLastUsed": .null,
        ]
        #expect(listed.first { $0["dialect"] == "commweb" }?["credentials"] == [unused])
        let table = try await CliTool.pomona(["account", "list", "--data", folder.file("data")]).stdout
        #expect(table.contains("password (previous)  not seen in use"))
        let again = try await account(
            "rotate", target[0], target[1], target[2], target[3], "--credential", "password")
        #expect(again.errorCode == "credential_overlaps")
        let revoked = try await account(
            "revoke", target[0], target[1], target[2], target[3], "--credential", "password")
        #expect(revoked.exitCode == 0)
        let nothing = try await account(
            "revoke", target[0], target[1], target[2], target[3], "--credential", "password")
        #expect(nothing.errorCode == "credential_not_replaced")
        let second = try await account("create", target[0], target[1], target[2], target[3])
        #expect(second.errorCode == "account_exists")
    }

    /// What an account need not have, and has no second of, is taken away; what it must have stays.
    @Test(arguments: [("radial", "webhookPassword", "apikey"), ("tappay", "notificationKey", "partnerKey")])
    func credentialThatAnAccountNeedNotHaveIsTakenAway(
        _ dialect: String, _ optional: String, _ needed: String
    ) async throws {
        let folder = try CliFolder()
        _ = try await self.setup(folder)
        let secret = try folder.write("secret", "swordfish-8-swordfish-8")
        func account(_ arguments: [String]) async throws -> CliResult {
            try await CliTool.pomona(
                ["account"] + arguments + [
                    "--data", folder.file("data"), "--merchant", "shop", "--dialect", dialect, "--json",
                ])
        }
        func secrets() async throws -> [String] {
            try await account(["settings"]).json()["secrets"]?.array?.compactMap(\.string) ?? []
        }
        let made = try await account(["create", "--choose", "\(optional)=@\(secret)"])
        #expect(made.exitCode == 0, "\(made.stdout)")
        #expect(try await secrets().contains(optional))
        let revoked = try await account(["revoke", "--credential", optional])
        #expect(try revoked.exitCode == 0 && revoked.json()["revoked"]?.string == optional)
        #expect(try await !secrets().contains(optional))
        #expect(try await account(["revoke", "--credential", optional]).errorCode == "credential_not_replaced")
        #expect(try await account(["revoke", "--credential", needed]).errorCode == "credential_not_replaced")
        #expect(try await secrets().contains(needed))
    }
}
