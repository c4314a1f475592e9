//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import GRDB
import Gateway
import Payments
import Redaction
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona merchant")
struct CliMerchantTests {
    private static let appKey = "app_secret_Yw7kQ2mZr5TxLp9v"

    /// A sandbox's data with a further merchant, whose accounts are as a test says.
    private func sandbox(
        _ dialects: [String] = ["tappay"], settings: [String: String] = ["captureTime": "22:00"]
    ) async throws -> CliSandbox {
        let sandbox = try await CliSandbox.copy()
        try await DirectoryAccess.withAdministration(DataDirectory(path: sandbox.data)) { administration in
            let merchant = try await administration.createMerchant(
                name: "fruit", displayName: "Fruit", mode: .sandbox, countryCode: "TW")
            for dialect in dialects {
                try await administration.putAccount(
                    merchant: merchant.id, dialect: DialectName(dialect), key: "777", settings: settings,
                    secrets: ["appKey": Redacted(Self.appKey)])
            }
        }
        return sandbox
    }

    private func settings(_ sandbox: CliSandbox, _ arguments: [String], json: Bool = true) async throws -> CliResult {
        let result = try await CliTool.pomona(
            ["merchant", "settings", "--data", sandbox.data, "--merchant", "fruit"] + (json ? ["--json"] : [])
                + arguments)
        #expect(!(result.stdout + result.stderr).contains(Self.appKey))
        return result
    }

    // MARK: Credentials

    /// What the account need not have is nobody's here to make: the option is named that says it.
    @Test(arguments: [("tappay", "notificationKey"), ("radial", "webhookPassword")])
    func rotationOfWhatIsNotMadeNamesItsOption(_ dialect: String, _ credential: String) async throws {
        let sandbox = try await CliSandbox.shared()
        let refused = try await CliTool.pomona([
            "account", "rotate", "--data", sandbox.data, "--merchant", dialect, "--dialect", dialect, "--credential",
            credential, "--json",
        ])
        #expect(refused.exitCode == 1 && refused.errorCode == "credential_invalid", "\(refused.stdout)")
        #expect(
            try refused.json()["error"]?["message"]?.string
                == "\(credential) is not made here: say what it is to be, with --file FILE.")
    }

    // MARK: Settings

    @Test func listsSettingsAndOnlyTheNamesOfSecrets() async throws {
        let sandbox = try await self.sandbox()
        let listed = try await self.settings(sandbox, [])
        #expect(
            try listed.json() == [
                "merchant": "fruit", "dialect": "tappay", "account": "777", "settings": ["captureTime": "22:00"],
                "secrets": ["appKey"],
            ])
        #expect(try await self.settings(sandbox, ["list"]).json() == (try listed.json()))
        let people = try await self.settings(sandbox, ["list"], json: false)
        #expect(people.exitCode == 0 && people.stdout.contains("22:00") && people.stdout.contains("not shown"))
        #expect(people.stdout.contains("Whether deferred payment is activated."))
    }

    @Test func setsSeveralAndUnsets() async throws {
        let sandbox = try await self.sandbox()
        let set = try await self.settings(
            sandbox, ["set", "amountPending=true", "allowedAppNames=shop.example, Fruit=Shop"])
        #expect(
            try set.json()["settings"] == [
                "amountPending": "true", "allowedAppNames": "shop.example, Fruit=Shop", "captureTime": "22:00",
            ])
        #expect(try set.json()["secrets"] == ["appKey"] && set.json()["heededWithinSeconds"] == 10)
        let unset = try await self.settings(sandbox, ["unset", "captureTime", "amountPending"])
        #expect(try unset.json()["settings"] == ["allowedAppNames": "shop.example, Fruit=Shop"])
        let listed = try await self.settings(sandbox, []).json()
        #expect(listed["settings"] == (try unset.json()["settings"]) && listed["heededWithinSeconds"] == nil)
    }

    @Test func saysWithinWhichTimeAServerAppliesAChange() async throws {
        let sandbox = try await self.sandbox()
        let words = "applies the change within 10 seconds"
        #expect(try await self.settings(sandbox, ["set", "amountPending=true"], json: false).stdout.contains(words))
        #expect(try await !self.settings(sandbox, [], json: false).stdout.contains(words))
        let set = try await self.affiliates(sandbox, "set", ["--bin", "424242", "--code", "ABC"], json: false)
        #expect(set.stdout.contains(words))
        #expect(try await !self.affiliates(sandbox, "list", json: false).stdout.contains(words))
        let removed = try await self.affiliates(sandbox, "remove", ["--bin", "424242"], json: false)
        #expect(removed.stdout.contains("has no affiliate codes") && removed.stdout.contains(words))
    }

    /// Two processes that change the same account at once, each another setting: neither change is lost.
    @Test func changesAtOnceAreAllMade() async throws {
        let sandbox = try await self.sandbox()
        let bins = (0..<6).map { String(424_240 + $0) }
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for bin in bins {
                group.addTask { try await self.affiliates(sandbox, "set", ["--bin", bin, "--code", "A"]).exitCode }
            }
            group.addTask { try await self.settings(sandbox, ["set", "amountPending=true"]).exitCode }
            for try await code in group { #expect(code == 0) }
        }
        let settings = try await self.settings(sandbox, []).json()["settings"]
        #expect(settings?["amountPending"] == "true")
        #expect(settings?["affiliateCodes"]?.string == bins.map { "\($0)=A" }.joined(separator: ";"))
    }

    @Test func takesAValueFromAFile() async throws {
        let sandbox = try await self.sandbox(["alphapay"], settings: [:])
        let pem = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
        let file = try sandbox.folder.write("key.pem", pem)
        let set = try await self.settings(sandbox, ["set", "merchantPublicKey=@\(file)"])
        #expect(try set.json()["settings"]?["merchantPublicKey"]?.string == pem)
        let people = try await self.settings(sandbox, [], json: false)
        #expect(people.stdout.contains("-----BEGIN PUBLIC KEY----- … (3 lines)"))
        let missing = try await self.settings(sandbox, ["set", "merchantPublicKey=@\(file).no"])
        #expect(missing.errorCode == "file_unreadable")
    }

    @Test(arguments: [
        (["set", "colour=red"], "setting_unknown", "captureTime"), (["unset", "colour"], "setting_unknown", "colour"),
        (["set", "appKey=x"], "setting_is_secret", "appKey"), (["unset", "appKey"], "setting_is_secret", "appKey"),
        (["set", "merchantIds=x"], "setting_fixed", "cannot be changed"),
        (["unset", "merchantIds"], "setting_fixed", "cannot be changed"),
        (["set", "amountPending=yes"], "setting_invalid", "true, false"),
        (["set", "captureTime=24:00"], "setting_invalid", "HH:MM"),
        (["set", "captureTime="], "setting_invalid", "1 to"),
        (["set", "currencies=TWD,EUR"], "setting_invalid", "HKD"),
        (["set", "allowedAddresses=192.0.2.0/24,shop"], "setting_invalid", "CIDR"),
        (["set", "iosSDKVersionMin=two"], "setting_invalid", "2.6.0"),
        (["set", "affiliateCodes=4242424=A"], "setting_invalid", "6 digits"),
        // One that is wrong takes the others with it.
        (["set", "captureTime=21:00", "amountPending=maybe"], "setting_invalid", "amountPending"),
    ])
    func refusesAWrongChangeAndChangesNothing(_ arguments: [String], code: String, words: String) async throws {
        let sandbox = try await self.sandbox()
        let result = try await self.settings(sandbox, arguments)
        #expect(result.exitCode == 1 && result.errorCode == code)
        #expect(result.stdout.contains(words), "\(result.stdout)")
        #expect(try await self.settings(sandbox, []).json()["settings"] == ["captureTime": "22:00"])
    }

    @Test func whatAnOlderVersionLeftIsShownAndMayBeUnset() async throws {
        let sandbox = try await self.sandbox(settings: ["ancient": "1"])
        #expect(try await self.settings(sandbox, [], json: false).stdout.contains("ancient"))
        #expect(try await self.settings(sandbox, ["unset", "ancient"]).json()["settings"] == JSON.object(JSONObject()))
    }

    @Test(arguments: [
        ["sett", "a=b"], ["set"], ["set", "a"], ["unset"], ["unset", "a=b"], ["list", "a"], ["set", "a=1", "a=2"],
    ])
    func aWrongCommandLineIsAUsageError(_ arguments: [String]) async throws {
        let result = try await CliTool.pomona(["merchant", "settings", "--merchant", "fruit"] + arguments)
        #expect(result.exitCode == 64)
    }

    /// Settings say by what key or from where a merchant is known: whoever can write to the database could put his own.
    @Test func accountThatWasChangedInTheDatabaseIsRefusedUntilItIsBound() async throws {
        let sandbox = try await self.sandbox()
        let queue = try DatabaseQueue(path: "\(sandbox.data)/pomona.sqlite")
        try await queue.write { database in
            try database.execute(
                sql: "UPDATE account_settings SET value = '23:00' WHERE name = 'captureTime' AND value = '22:00'")
        }
        try queue.close()
        let refused = try await self.settings(sandbox, ["set", "captureTime=21:00"])
        #expect(refused.exitCode == 1 && refused.errorCode == "account_changed", "\(refused.stdout)")
        #expect(refused.stdout.contains("somebody has changed the store"))
        let bound = try await self.settings(sandbox, ["bind"])
        #expect(bound.exitCode == 0, "\(bound.stdout)\(bound.stderr)")
        #expect(try bound.json()["settings"]?["captureTime"] == "23:00")
        let changed = try await self.settings(sandbox, ["set", "captureTime=21:00"])
        #expect(changed.exitCode == 0, "\(changed.stdout)\(changed.stderr)")
        #expect(try await self.settings(sandbox, ["bind", "now"]).exitCode == 64)
    }

    @Test func theAccountIsFoundOrSaidWhyNot() async throws {
        let sandbox = try await self.sandbox(["tappay", "radial"])
        #expect(try await self.settings(sandbox, []).errorCode == "account_ambiguous")
        #expect(try await self.settings(sandbox, ["--dialect", "radial"]).json()["dialect"] == "radial")
        #expect(try await self.settings(sandbox, ["--dialect", "payone"]).errorCode == "account_unknown")
        #expect(try await self.settings(sandbox, ["--dialect", "esperanto"]).errorCode == "dialect_unknown")
        let nobody = try await CliTool.pomona(
            ["merchant", "settings", "--data", sandbox.data, "--merchant", "nobody", "--json"])
        #expect(nobody.exitCode == 1 && nobody.errorCode == "merchant_unknown")
        let bare = try await self.sandbox([])
        #expect(try await self.settings(bare, []).errorCode == "account_unknown")
        #expect(try await self.settings(bare, ["--dialect", "radial"]).errorCode == "account_unknown")
    }

    // MARK: Affiliate codes

    private func affiliates(
        _ sandbox: CliSandbox, _ action: String, _ more: [String] = [], json: Bool = true
    ) async throws -> CliResult {
        try await CliTool.pomona(
            ["merchant", "affiliates", action, "--data", sandbox.data, "--merchant", "fruit"]
                + (json ? ["--json"] : []) + more)
    }

    @Test func affiliateCodesAreSetListedAndRemoved() async throws {
        let sandbox = try await self.sandbox()
        #expect(try await self.affiliates(sandbox, "list").json()["affiliates"] == [])
        let set = try await self.affiliates(sandbox, "set", ["--bin", "424242", "--code", "ABC", "--code", "DEF"])
        #expect(
            try set.json() == [
                "merchant": "fruit", "affiliates": [["bin": "424242", "codes": ["ABC", "DEF"]]],
                "heededWithinSeconds": 10,
            ])
        let more = try await self.affiliates(sandbox, "set", ["--bin", "400000", "--code", "X"])
        #expect(try more.json()["affiliates"]?.array?.compactMap { $0["bin"]?.string } == ["400000", "424242"])
        #expect(
            try await self.settings(sandbox, []).json()["settings"]?["affiliateCodes"] == "400000=X;424242=ABC,DEF")
        let people = try await CliTool.pomona(
            ["merchant", "affiliates", "list", "--data", sandbox.data, "--merchant", "fruit"])
        #expect(people.stdout.contains("424242  ABC, DEF"))
        #expect(try await self.affiliates(sandbox, "remove", ["--bin", "400000"]).exitCode == 0)
        #expect(try await self.affiliates(sandbox, "remove", ["--bin", "424242"]).json()["affiliates"] == [])
        #expect(try await self.settings(sandbox, []).json()["settings"] == ["captureTime": "22:00"])
        let none = try await CliTool.pomona(
            ["merchant", "affiliates", "list", "--data", sandbox.data, "--merchant", "fruit"])
        #expect(none.stdout.contains("has no affiliate codes"))
    }

    @Test func refusesWhatIsNoCodeOrNoBIN() async throws {
        let sandbox = try await self.sandbox()
        for arguments in [
            ["--bin", "42", "--code", "A"], ["--bin", "42424x", "--code", "A"], ["--bin", "424242", "--code", "A-B"],
            ["--bin", "424242", "--code", ""],
        ] {
            let result = try await self.affiliates(sandbox, "set", arguments)
            #expect(result.exitCode == 1 && result.errorCode == "affiliate_code_invalid")
        }
        #expect(try await self.affiliates(sandbox, "remove", ["--bin", "424242"]).errorCode == "affiliate_unknown")
        #expect(try await self.affiliates(sandbox, "set", ["--bin", "424242"]).exitCode == 64)
        let elsewhere = try await self.sandbox(["radial"])
        #expect(try await self.affiliates(elsewhere, "list").errorCode == "account_unknown")
        let damaged = try await self.sandbox(settings: ["affiliateCodes": "not a list"])
        #expect(try await self.affiliates(damaged, "list").errorCode == "setting_invalid")
    }

    @Test func settingsAreChangedBesideARunningServer() async throws {
        let sandbox = try await self.sandbox()
        let server = try await SandboxProcess(data: sandbox.data)
        let set = try await self.settings(sandbox, ["set", "captureTime=20:00"])
        #expect(set.exitCode == 0, "\(set.stdout)\(set.stderr)")
        #expect(try await self.affiliates(sandbox, "set", ["--bin", "424242", "--code", "A"]).exitCode == 0)
        #expect(await server.stop() == 0)
        #expect(
            try await self.settings(sandbox, []).json()["settings"] == [
                "captureTime": "20:00", "affiliateCodes": "424242=A",
            ])
    }
}
