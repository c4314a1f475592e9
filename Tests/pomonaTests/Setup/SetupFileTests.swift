//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import StrictJSON
import Testing

@testable import pomona

/// What a setup file is looked through for before anything is made, and what happens when making fails all the same.
@Suite("pomona setup: the file") struct SetupFileTests {
    /// As it stands in the description of the command, with its ellipses.
    private static let outline = """
        {"merchant":{"name":"shop","displayName":"Shop","mode":"sandbox","countryCode":"AU"},"accounts":[{"dialect":"commweb"}],
         "acquirers":[{"name":"bank","connector":"mpgs","settings":{"host":"http://127.0.0.1:8080","version":"71",
         "merchantId":"…"},"secrets":{"password":"…"}}],"routes":[{"acquirer":"bank"}],
         "applePay":[{"merchantIdentifier":"merchant.com.example.shop","custody":"gateway"}]}
        """

    private static func merchant(_ mode: String = "sandbox") -> String {
        #""merchant": {"name": "shop", "mode": "\#(mode)", "countryCode": "AU"}"#
    }

    private func setup(_ folder: CliFolder, _ text: String, _ arguments: [String] = ["--json"]) async throws
        -> CliResult
    {
        let path = try folder.write("setup.json", text)
        return try await CliTool.pomona(["setup", "--data", folder.file("data"), "--file", path] + arguments)
    }

    private func problems(_ result: CliResult) throws -> [String: String] {
        let list = try result.json()["error"]?["problems"]?.array ?? []
        let pairs = list.map { ($0["pointer"]?.string ?? "?", $0["code"]?.string ?? "?") }
        for problem in list {
            let (pointer, message) = (problem["pointer"]?.string ?? "?", problem["message"]?.string ?? "")
            #expect(message.hasPrefix(pointer) && message.hasSuffix("."), "\(message)")
        }
        return Dictionary(pairs) { first, second in "\(first) \(second)" }
    }

    private func entriesCount(_ folder: CliFolder) async throws -> Int64? {
        try await CliTool.pomona(["audit", "verify", "--data", folder.file("data"), "--json"]).json()["entries"]?
            .integer
    }

    // MARK: - Before the first act

    @Test func makesNothingOfAFileWithOneMistake() async throws {
        let folder = try CliFolder()
        let result = try await self.setup(folder, Self.outline)
        #expect(result.exitCode == 1 && result.errorCode == "setting_invalid", "\(result.stdout)")
        #expect(try self.problems(result) == ["/acquirers/0/settings/merchantId": "setting_invalid"])
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test func namesAllMistakesAtOnceWithTheirPlaces() async throws {
        let folder = try CliFolder()
        let text = """
            {"merchant": {"name": "The Shop", "mode": "sandbox", "countryCode": "Oz", "timeZone": "Sydney",
                          "color": "red"},
             "accounts": [{"dialect": "commweb", "settings": {"currencies": "AUD,XYZ", "flavor": "sour"},
                           "credentials": {"password": "short"}, "notifyURL": "shop"},
                          {"dialect": "commweb"}, {"dialect": "klingon"}, {"settings": {}}],
             "acquirers": [{"name": "bank", "connector": "mpgs", "settings": {"host": "127.0.0.1:9", "merchantId": "a b"},
                            "acceptor": {"categoryCode": "x", "shoe": "42"}},
                           {"name": "moon", "connector": "moonbank"}, {"name": "bank", "connector": "simulator"},
                           {"name": "half", "connector": "mpgs", "settings": {"host": "b.example.com", "merchantId": "TESTA"},
                            "secrets": {"clientKey": "no key", "password2": 7}}],
             "routes": [{"acquirer": "nobody"}, {"acquirer": "bank", "to": "100.00"}, {"acquirer": "bank", "network": "visum"},
                        {"acquirer": "bank", "currency": "AUD", "from": "20.00", "to": "10.00"}],
             "applePay": [{"merchantIdentifier": "nonsense"},
                          {"merchantIdentifier": "merchant.a", "custody": "acquirer", "acquirer": "bank", "publicKeyHash": "x"}],
             "domains": [{"host": "https://shop.example.com"}, {"host": "b.example.com", "file": "/nowhere"}]}
            """
        let result = try await self.setup(folder, text)
        #expect(result.exitCode == 1 && result.errorCode == "setup_malformed", "\(result.stdout)")
        #expect(
            try self.problems(result) == [
                "/merchant/color": "setup_malformed", "/merchant/name": "merchant_name_malformed",
                "/merchant/countryCode": "country_unknown", "/merchant/timeZone": "time_zone_unknown",
                "/accounts/3/dialect": "setup_malformed",
                "/accounts/0/settings/currencies": "setting_invalid", "/accounts/0/settings/flavor": "setting_unknown",
                "/accounts/0/credentials/password": "credential_invalid", "/accounts/0/notifyURL": "setting_invalid",
                "/accounts/1": "setup_repeated", "/accounts/2/dialect": "dialect_unknown",
                "/acquirers/0/settings/merchantId": "setting_invalid", "/acquirers/0/secrets": "secret_missing",
                "/acquirers/0/acceptor/categoryCode": "acceptor_invalid",
                "/acquirers/0/acceptor/shoe": "acceptor_invalid", "/acquirers/1/connector": "connector_unknown",
                "/acquirers/2": "setup_repeated", "/acquirers/3/secrets/password2": "setup_malformed",
                "/acquirers/3/secrets/clientKey": "secret_invalid", "/routes/0/acquirer": "acquirer_unknown",
                "/routes/1/to": "setup_malformed", "/routes/2/network": "setup_malformed",
                "/routes/3": "route_invalid", "/applePay/0/merchantIdentifier": "setting_invalid",
                "/applePay/1/publicKeyHash": "setting_invalid", "/domains/0/host": "setting_invalid",
                "/domains/1/file": "file_unreadable",
            ])
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
        let forPeople = try await self.setup(folder, text, [])
        #expect(forPeople.exitCode == 1 && forPeople.stdout.isEmpty)
        #expect(forPeople.stderr.components(separatedBy: "error: ").count - 1 == 27, "\(forPeople.stderr)")
    }

    @Test(arguments: [
        ("live", #"{"name": "b", "connector": "simulator"}"#, "/acquirers/0/connector", "account_not_allowed"),
        (
            "live",
            #"{"name": "b", "connector": "mpgs", "settings": {"host": "http://127.0.0.1:9", "merchantId": "A"}, "secrets": {"password": "p"}}"#,
            "/acquirers/0/settings/host", "account_not_allowed"
        ),
        (
            "sandbox",
            #"{"name": "b", "connector": "mpgs", "settings": {"host": "bank.example.com", "merchantId": "A"}, "secrets": {"password": "p"}}"#,
            "/acquirers/0/settings/merchantId", "account_not_allowed"
        ),
        (
            "sandbox",
            #"{"name": "b", "connector": "mpgs", "settings": {"host": "bank.example.com", "merchantId": "TESTA"}}"#,
            "/acquirers/0/secrets", "secret_missing"
        ),
        (
            "sandbox",
            #"{"name": "b", "connector": "payone", "settings": {"mid": "10001", "aid": "20002"}, "secrets": {"key": "k"}}"#,
            "/acquirers/0/settings/portalid", "setting_missing"
        ),
        ("sandbox", #"{"name": "B b", "connector": "simulator"}"#, "/acquirers/0/name", "acquirer_name_malformed"),
        ("sandbox", #"{"name": "-b", "connector": "simulator"}"#, "/acquirers/0/name", "acquirer_name_malformed"),
    ])
    func refusesAnAcquirerThatCannotBeAdded(
        _ mode: String, _ acquirer: String, _ pointer: String, _ code: String
    ) async throws {
        let folder = try CliFolder()
        let result = try await self.setup(
            folder, #"{\#(Self.merchant(mode)), "accounts": [{"dialect": "radial"}], "acquirers": [\#(acquirer)]}"#)
        #expect(try self.problems(result) == [pointer: code], "\(result.stdout)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    /// A file that does not say it leaves the zone as it is.
    @Test func daysBeginWhereTheFileSays() async throws {
        let folder = try CliFolder()
        let zone = { () async throws -> String? in
            let shown = try await CliTool.pomona(["merchant", "show", "shop", "--data", folder.file("data"), "--json"])
            return try shown.json()["merchant"]?["timeZone"]?.string
        }
        let file = { (member: String) in
            #"{"merchant": {"name": "shop", "mode": "sandbox", "countryCode": "AU"\#(member)}}"#
        }
        for (member, expected) in [
            ("", "UTC"), (#", "timeZone": "Australia/Sydney""#, "Australia/Sydney"), ("", "Australia/Sydney"),
        ] {
            let result = try await self.setup(folder, file(member))
            #expect(result.exitCode == 0, "\(result.stdout)")
            #expect(try await zone() == expected)
        }
    }

    @Test func refusesKeysThatNobodyCouldHold() async throws {
        let folder = try CliFolder()
        let file = { (applePay: String) in
            #"{\#(Self.merchant()), "acquirers": [{"name": "play", "connector": "simulator"}], "applePay": [\#(applePay)]}"#
        }
        let simulated = try await self.setup(
            folder, file(#"{"merchantIdentifier": "merchant.a", "custody": "acquirer"}"#))
        #expect(
            try self.problems(simulated) == ["/acquirers/0/settings/takesSealedTokens": "account_not_allowed"],
            "\(simulated.stdout)")
        let opened = try await self.setup(
            folder,
            #"""
            {\#(Self.merchant()),
             "acquirers": [{"name": "bank", "connector": "mpgs", "settings": {"host": "bank.example.com", "merchantId": "TESTA"},
                            "secrets": {"password": "open-sesame"}}],
             "applePay": [{"merchantIdentifier": "merchant.a", "custody": "acquirer"}]}
            """#)
        #expect(
            try self.problems(opened) == ["/acquirers/0/settings/applePayMerchantIdentifiers": "account_not_allowed"],
            "\(opened.stdout)")
        let nobody = try await self.setup(
            folder, file(#"{"merchantIdentifier": "merchant.a", "custody": "acquirer", "acquirer": "bank"}"#))
        #expect(try self.problems(nobody) == ["/applePay/0/acquirer": "setup_malformed"], "\(nobody.stdout)")
        let mixed = try await self.setup(folder, file(#"{"merchantIdentifier": "merchant.a", "acquirer": "play"}"#))
        #expect(try self.problems(mixed) == ["/applePay/0/acquirer": "setup_malformed"], "\(mixed.stdout)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    // MARK: - What is there already

    @Test func appliesWhatIsDifferentAndRefusesWhatCannotChange() async throws {
        let folder = try CliFolder()
        let start = #"{\#(Self.merchant()), "accounts": [{"dialect": "commweb", "#
        let first = try await self.setup(
            folder, start + #""credentials": {"password": "open-sesame-7"}, "settings": {"currencies": "AUD"}}]}"#)
        #expect(first.exitCode == 0, "\(first.stdout)")
        let id = try #require(try first.json()["accounts"]?["commweb"]?["merchantId"]?.string)
        let changed = try await self.setup(
            folder,
            start
                + #""credentials": {"password": "open-sesame-7", "merchantId": "\#(id)"}, "settings": {"currencies": "NZD"}, "#
                + #""notifyURL": "https://shop.example.com/hook"}]}"#)
        #expect(changed.exitCode == 0, "\(changed.stdout)")
        let settings = try await CliTool.pomona([
            "account", "settings", "--data", folder.file("data"), "--merchant", "shop", "--json",
        ]).json()["settings"]
        #expect(settings?["currencies"] == "NZD" && settings?["notifyURL"] == "https://shop.example.com/hook")
        let count = try await self.entriesCount(folder)
        let refused = try await self.setup(
            folder,
            start
                + #""credentials": {"password": "open-sesame-8", "merchantId": "OTHER"}, "settings": {"currencies": "USD"}}]}"#
        )
        #expect(refused.exitCode == 1 && refused.errorCode == "setup_differs", "\(refused.stdout)")
        #expect(
            try self.problems(refused) == [
                "/accounts/0/credentials/password": "setup_differs",
                "/accounts/0/credentials/merchantId": "setup_differs",
            ])
        #expect(!refused.stdout.contains("open-sesame"))
        #expect(try await self.entriesCount(folder) == count)
    }

    @Test func refusesAClosedMerchantAnotherModeAndAnotherConnector() async throws {
        let folder = try CliFolder()
        let simulator = #""acquirers": [{"name": "bank", "connector": "simulator"}]"#
        _ = try await self.setup(folder, "{\(Self.merchant()), \(simulator)}")
        let mode = try await self.setup(folder, "{\(Self.merchant("live"))}")
        #expect(try self.problems(mode) == ["/merchant/mode": "setup_differs"])
        let connector = try await self.setup(
            folder,
            #"{\#(Self.merchant()), "acquirers": [{"name": "bank", "connector": "radial"}], "routes": [{"acquirer": "bank"}]}"#
        )
        #expect(try self.problems(connector) == ["/acquirers/0/connector": "setup_differs"], "\(connector.stdout)")
        // Routes may lead to what is there.
        let route = try await self.setup(folder, #"{\#(Self.merchant()), "routes": [{"acquirer": "bank"}]}"#)
        #expect(try route.json()["routes"]?.array?.count == 1, "\(route.stdout)")
        _ = try await CliTool.pomona(["merchant", "close", "--data", folder.file("data"), "shop", "--for-ever"])
        let closed = try await self.setup(folder, "{\(Self.merchant())}")
        #expect(try self.problems(closed) == ["/merchant/name": "merchant_closed"], "\(closed.stdout)")
    }

    @Test func aKeyOfAnotherMerchantsIsFoundBeforehand() async throws {
        let folder = try CliFolder()
        let account = #""accounts": [{"dialect": "radial", "credentials": {"storeId": "SHOP"}}]"#
        #expect(try await self.setup(folder, "{\(Self.merchant()), \(account)}").exitCode == 0)
        let other = try await self.setup(
            folder, #"{"merchant": {"name": "other", "mode": "sandbox", "countryCode": "AU"}, \#(account)}"#)
        #expect(try self.problems(other) == ["/accounts/0/credentials/storeId": "account_key_taken"], "\(other.stdout)")
        #expect(
            try await CliTool.pomona(["merchant", "show", "--data", folder.file("data"), "other", "--json"]).errorCode
                == "merchant_unknown")
    }

    // MARK: - Credentials

    /// The second account's key cannot be written where it belongs: neither is lost.
    @Test func credentialsAreShownWhenSomethingFailsLater() async throws {
        let folder = try CliFolder()
        let text = #"{\#(Self.merchant()), "accounts": [{"dialect": "commweb"}, {"dialect": "alphapay"}]}"#
        let obstacle = folder.file("data/merchants/shop/alphapay-private-key.pem")
        let privately = [FileAttributeKey.posixPermissions: 0o700]
        for path in [folder.file("data"), obstacle] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: privately)
        }
        let failed = try await self.setup(folder, text)
        #expect(failed.exitCode == 1 && failed.errorCode == "file_not_writable", "\(failed.stdout)")
        #expect(failed.stdout.split(separator: "\n").count == 1)
        let made = try failed.json()["accounts"]
        #expect(made?["commweb"]?["password"]?.string?.count == 32)
        #expect(made?["alphapay"]?["privateKey"]?.string?.hasPrefix("-----BEGIN ") == true)
        try FileManager.default.removeItem(atPath: obstacle)
        let again = try await self.setup(folder, text)
        #expect(again.exitCode == 0, "\(again.stdout)")
        let known = try again.json()["accounts"]
        #expect(known?["commweb"]?["merchantId"] == made?["commweb"]?["merchantId"])
        #expect(known?["alphapay"]?["merchantCode"] == made?["alphapay"]?["merchantCode"])
    }

    @Test func peopleAreShownCredentialsOnceAndOnlyThen() async throws {
        let folder = try CliFolder()
        let text = #"{\#(Self.merchant()), "accounts": [{"dialect": "commweb"}]}"#
        let first = try await self.setup(folder, text, [])
        #expect(first.stdout.contains("Credentials in commweb, shown this once"), "\(first.stdout)\(first.stderr)")
        #expect(first.stdout.contains("  password ") && first.stdout.contains("  webhookSecret "))
        let second = try await self.setup(folder, text, [])
        #expect(second.exitCode == 0 && !second.stdout.contains("shown this once"), "\(second.stdout)")
    }

    @Test func accountsAreNamedAsInTheSandboxsLine() async throws {
        let (folder, sandbox) = (try CliFolder(), try await CliSandbox.shared())
        let names = DialectModule.all.map(\.name)
        let accounts = names.map { #"{"dialect": "\#($0)"}"# }.joined(separator: ", ")
        let text = """
            {\(Self.merchant()), "accounts": [\(accounts)],
             "applePay": [{"merchantIdentifier": "merchant.com.example.shop"}]}
            """
        let first = try await self.setup(folder, text).json()["accounts"]
        let second = try await self.setup(folder, text).json()["accounts"]
        for name in names {
            let card = try DataDirectory(path: sandbox.data).merchant(name).loadCard()
            // The sandbox's own authority signs those.
            let expected = Set((card.values + card.files).map(\.name) + ["merchantIdentifier"])
                .subtracting(["clientCertificate", "clientKey"])
            let made = try #require(first?[name]?.object)
            #expect(Set(made.names) == expected, "\(name)")
            #expect(made["merchantIdentifier"] == "merchant.com.example.shop")
            let known = try #require(second?[name]?.object)
            let plan = try DialectModule.required(name).plan
            let identifiers = plan.credentials.filter { $0.name == plan.keyName || $0.setting != nil }.map(\.name)
            #expect(Set(known.names) == Set(identifiers + ["merchantIdentifier"]), "\(name)")
            for member in known.members { #expect(made[member.name] == member.value, "\(name) \(member.name)") }
        }
        #expect(Set(second?["payone"]?.object?.names ?? []) == ["mid", "aid", "portalid", "merchantIdentifier"])
        #expect(Set(second?["alphapay"]?.object?.names ?? []) == ["merchantCode", "keyVersion", "merchantIdentifier"])
        #expect(Set(second?["tappay"]?.object?.names ?? []) == ["appId", "merchantId", "merchantIdentifier"])
    }

    // MARK: - Web pages

    @Test func domainsAreRegisteredOnceAndLackedByWebPagesAlone() async throws {
        let folder = try CliFolder()
        let file = try folder.write("association", "7B227073704964223A2239363432")
        let start = #"{\#(Self.merchant("live")), "applePay": [{"merchantIdentifier": "merchant.com.example.shop"}]"#
        let bare = try await self.setup(folder, start + "}").json()
        #expect(bare["missing"]?.array?.contains { $0["part"] == "domain" } == false)
        #expect(
            bare["missingForWeb"]?.array?.compactMap { $0["part"]?.string } == ["identityCertificate", "domain"])
        let without = try await self.setup(folder, start + #", "domains": [{"host": "shop.example.com"}]}"#)
        #expect(try self.problems(without) == ["/domains/0/file": "setup_malformed"], "\(without.stdout)")
        let domains = #", "domains": [{"host": "Shop.Example.com", "file": "\#(file)"}]}"#
        let added = try await self.setup(folder, start + domains)
        #expect(try added.json()["domains"] == ["shop.example.com"], "\(added.stdout)")
        #expect(try added.json()["missingForWeb"]?.array?.count == 1)
        let count = try await self.entriesCount(folder)
        #expect(try await self.setup(folder, start + domains).exitCode == 0)
        #expect(try await self.setup(folder, start + #", "domains": [{"host": "shop.example.com"}]}"#).exitCode == 0)
        #expect(try await self.entriesCount(folder) == count)
        let list = try await CliTool.pomona(["domain", "list", "--data", folder.file("data"), "--json"]).json()
        #expect(list["domains"]?.array?.first?["bytes"] == 28)
    }

    @Test func sandboxMerchantNeedsNoFileOfApples() async throws {
        let folder = try CliFolder()
        let text = """
            {\(Self.merchant()), "accounts": [{"dialect": "commweb"}],
             "acquirers": [{"name": "play", "connector": "simulator"}], "routes": [{"acquirer": "play"}],
             "applePay": [{"merchantIdentifier": "merchant.com.example.shop"}], "domains": [{"host": "shop.example.com"}]}
            """
        let result = try await self.setup(folder, text)
        #expect(try result.json()["missing"] == [] && result.json()["missingForWeb"] == [], "\(result.stdout)")
    }

    /// What is missing is said with a command that does it, wherever the directory lies.
    @Test func hintsCanBePasted() async throws {
        let folder = try CliFolder()
        let data = folder.file("my data")
        let path = try folder.write(
            "setup.json",
            #"{\#(Self.merchant()), "accounts": [{"dialect": "commweb"}], "acquirers": [{"name": "play", "connector": "simulator"}]}"#
        )
        func missing() async throws -> [JSON] {
            try await CliTool.pomona(["merchant", "show", "--data", data, "shop", "--json"]).json()["missing"]?.array
                ?? []
        }
        func paste(_ hint: JSON?, stdin: String = "") async throws -> CliResult {
            let command = try #require(hint?["command"]?.string)
            let program = try folder.write("input", stdin)
            return try await CliTool.bash(
                "PATH='\(CliTool.pomona.deletingLastPathComponent().path)':$PATH; \(command) < '\(program)'")
        }
        let made = try await CliTool.pomona(["setup", "--data", data, "--file", path, "--json"])
        #expect(try made.json()["missing"]?.array?.compactMap { $0["part"]?.string } == ["route", "processingKey"])
        #expect(try await paste(missing().first).exitCode == 0)
        _ = try await CliTool.pomona(["acquirer", "suspend", "--data", data, "--merchant", "shop", "--name", "play"])
        #expect(try await missing().first?["part"] == "acquirerResumption")
        #expect(try await paste(missing().first).exitCode == 0)
        // No portal of Apple's has anything to do with a sandbox merchant's key.
        let key = try #require(try await missing().first)
        #expect(key["part"] == "processingKey" && key["command"]?.string?.hasPrefix("pomona setup --data '") == true)
        let done = try await paste(key, stdin: "shop\n\n")
        #expect(done.stdout.contains("It can take payments."), "\(done.stdout)\(done.stderr)")
        #expect(try await missing().isEmpty)
        let nowhere = try await CliTool.pomona(["merchant", "list", "--data", folder.file("no where")])
        #expect(nowhere.stderr.replacing(/\s+/, with: " ").contains("pomona setup --data '\(folder.file("no where"))'"))
    }
}
