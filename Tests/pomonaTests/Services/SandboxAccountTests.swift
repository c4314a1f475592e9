//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Logging
import Payments
import Testing

@testable import pomona

/// What a sandbox keeps over a restart, and what may be chosen of its accounts.
@Suite struct SandboxAccountTests {
    private func configuration(_ folder: CliFolder, _ text: String? = nil) throws -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.logLevel = .critical
        if let text { configuration.demoCredentials = try CredentialsFile(text).values }
        return configuration
    }

    private func settings(_ application: Application, _ dialect: String) async throws -> [String: String] {
        let account = try await application.gateway.administration.read {
            try MerchantAccounts.account(of: dialect, dialect: dialect, in: $0)
        }
        return account.settings
    }

    private func card(_ application: Application, _ name: String) throws -> MerchantCard {
        try #require(application.merchants.first { $0.name == name })
    }

    @Test func restartKeepsWhatACommandHasChanged() async throws {
        let folder = try CliFolder()
        var configuration = try self.configuration(folder)
        configuration.demoSettings = DemoSettings(notifyURL: "https://first.example/hook")
        let before = try await Application.build(configuration)
        await before.close()
        let path = configuration.directory.path
        for words in [["set", "aids=20002,20003"], ["unset", "notificationURL"]] {
            let changed = try await CliTool.pomona(
                ["merchant", "settings", "--data", path, "--merchant", "payone"] + words)
            #expect(changed.exitCode == 0, "\(changed.stderr)")
        }
        // The second start names another address: where nobody has changed it, that is taken.
        configuration.demoSettings = DemoSettings(notifyURL: "https://second.example/hook")
        for _ in 1...2 {
            let application = try await Application.build(configuration)
            let settings = try await self.settings(application, "payone")
            #expect(settings.values.contains("20002,20003"))
            #expect(!settings.values.contains { $0.contains("example/hook") })
            let radial = try await self.settings(application, "radial")
            #expect(radial.values.contains("https://second.example/hook"))
            await application.close()
        }
    }

    /// The shop's address is written once it listens, after the other settings: an address that was unset stays so.
    @Test func restartWithItsShopKeepsWhatWasUnset() async throws {
        let folder = try CliFolder()
        var configuration = try self.configuration(folder)
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        try await Application.build(configuration).withRunning { _ in }
        let changed = try await CliTool.pomona([
            "merchant", "settings", "--data", configuration.directory.path, "--merchant", "radial", "unset",
            "webhookURL",
        ])
        #expect(changed.exitCode == 0, "\(changed.stderr)")
        for _ in 1...2 {
            let application = try await Application.build(configuration)
            try await application.withRunning { _ in
                #expect(try await self.settings(application, "radial")["webhookURL"] == nil)
                let untouched = try await self.settings(application, "payone")["notificationURL"]
                #expect(untouched?.hasSuffix("/shop/notifications/payone") == true)
            }
        }
    }

    @Test func chosenCredentialsAreTheAccounts() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(
            self.configuration(
                folder,
                """
                {"payone": {"mid": "16780", "portalid": "2012587", "key": "chosen-key-1"},
                 "commweb": {"merchantId": "TESTSHOP", "password": "chosen-password"},
                 "tappay": {"appId": "11334", "partnerKey": "partner_chosen"}}
                """))
        #expect(try self.card(application, "payone").value("portalid") == "2012587")
        #expect(try self.card(application, "payone").value("aid") == "20002")
        #expect(try self.card(application, "commweb").value("password") == "chosen-password")
        for (dialect, key) in [
            ("payone", "2012587"), ("commweb", "TESTSHOP"), ("tappay", "11334"), ("radial", "POMONA"),
        ] {
            #expect(try await application.gateway.account(dialect: DialectName(dialect), key: key) != nil, "\(dialect)")
        }
        #expect(try await application.gateway.account(dialect: DialectName("commweb"), key: "POMONA") == nil)
        await application.close()
    }

    /// A later start with a file changes what the file names; what it does not name stays, and so do changed settings.
    @Test func laterFileChangesWhatItNames() async throws {
        let folder = try CliFolder()
        let first = try await Application.build(self.configuration(folder))
        let password = try self.card(first, "commweb").value("password")
        let paths = try ["alphapay", "radial"].map { try self.card(first, $0) }
        await first.close()
        let second = try await Application.build(
            self.configuration(folder, #"{"commweb": {"merchantId": "OTHER"}}"#))
        #expect(try self.card(second, "commweb").value("merchantId") == "OTHER")
        #expect(try self.card(second, "commweb").value("password") == password)
        let pathsAfter = try ["alphapay", "radial"].map { try self.card(second, $0) }
        #expect(pathsAfter == paths)
        #expect(try await second.gateway.account(dialect: DialectName("commweb"), key: "OTHER") != nil)
        await second.close()
        // Without a file it stays as it is.
        let third = try await Application.build(self.configuration(folder))
        #expect(try self.card(third, "commweb").value("merchantId") == "OTHER")
        await third.close()
    }

    @Test func chosenKeyOfAlphaPayIsTaken() async throws {
        let folder = try CliFolder()
        let key = folder.file("key.pem")
        let made = try await CliTool.openssl([
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key,
        ])
        #expect(made.exitCode == 0)
        let pem = try FileSystem.readText(key)
        let text = #"{"alphapay": {"merchantCode": "SHOP-1", "privateKey": "\#(pem.replacing("\n", with: "\\n"))"}}"#
        for _ in 1...2 {
            let application = try await Application.build(self.configuration(folder, text))
            let card = try self.card(application, "alphapay")
            let written = try await CliTool.openssl(["pkey", "-in", try card.path("privateKey"), "-pubout"])
            let wanted = try await CliTool.openssl(["pkey", "-in", key, "-pubout"])
            #expect(written.stdout == wanted.stdout && !wanted.stdout.isEmpty)
            let publicKey = try FileSystem.readText(try card.path("publicKey"))
            #expect(publicKey == wanted.stdout)
            await application.close()
        }
    }

    @Test(arguments: [
        ("", "credentials_malformed", "JSON object"), ("[]", "credentials_malformed", "JSON object"),
        (#"{"payone": 1}"#, "credentials_malformed", "payone"),
        (#"{"payone": {}, "payone": {}}"#, "credentials_malformed", "JSON object"),
        (#"{"stripe": {}}"#, "credentials_name_unknown", "alphapay, commweb, payone, radial, tappay"),
        (#"{"payone": {"password": "secret-1"}}"#, "credentials_name_unknown", "mid, aid, portalid, key"),
        (#"{"payone": {"mid": 16780}}"#, "credentials_value_invalid", "payone.mid"),
        (#"{"payone": {"mid": "0x16"}}"#, "credentials_value_invalid", "digits"),
        (#"{"commweb": {"merchantId": "a/b"}}"#, "credentials_value_invalid", "letters"),
        (#"{"radial": {"apikey": "short"}}"#, "credentials_value_invalid", "8 to 128"),
        (#"{"radial": {"apikey": "secret with blanks"}}"#, "credentials_value_invalid", "visible"),
        (#"{"alphapay": {"privateKey": "secret-key"}}"#, "credentials_value_invalid", "RSA"),
    ])
    func refusesBadFilesWithoutShowingThem(_ text: String, _ code: String, _ word: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try CredentialsFile(text) }
        #expect(failure.code == code)
        #expect(failure.message.contains(word), "\(failure.message)")
        #expect(!failure.message.contains("secret"))
    }

    @Test(arguments: [
        (["--credentials", "/nowhere/file.json"], 1), (["--tls-name", "not a name"], 64),
        (["--tls-name", "-a.example"], 64),
        (["--tls-name", ""], 64), (["--tls-name", "a..example"], 64),
    ])
    func commandRefusesWhatItCannotUse(_ arguments: [String], _ exitCode: Int) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["sandbox", "--data", folder.file("data")] + arguments)
        #expect(result.exitCode == exitCode, "\(result.stderr)")
        #expect(!FileSystem.exists(folder.file("data")))
    }
}
