//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Payments
import Redaction
import StrictJSON
import Testing

@testable import pomona

@Suite("pomona webhooks secret")
struct CliWebhookSecretTests {
    private static func secret(_ arguments: [String], _ sandbox: CliSandbox) async throws -> CliResult {
        try await CliTool.pomona(["webhooks", "secret", "--json", "--data", sandbox.data] + arguments)
    }

    @Test func showsWhatTheCardSays() async throws {
        // The command opens the store for writing, and takes SQLite's files beside it away when it ends: from nobody who copies them.
        let sandbox = try await CliSandbox.copy()
        for merchant in DialectModule.all.map(\.name) {
            let shown = try await Self.secret([merchant], sandbox).json()
            let card = try DataDirectory(path: sandbox.data).loadMerchant(merchant)
            #expect(shown["secret"]?.string == (try card.value("webhookSecret")))
            #expect(shown["merchant"]?.string == merchant && shown["dialect"]?.string == merchant)
            #expect(shown["account"]?.string?.isEmpty == false && shown["previousSignsUntil"] == .null)
        }
        let people = try await CliTool.pomona(["webhooks", "secret", "payone", "--data", sandbox.data])
        #expect(people.exitCode == 0 && people.stdout.contains("pwhs_") && !people.stdout.contains("the one before"))
    }

    @Test func rotationChangesStoreAndCard() async throws {
        let sandbox = try await CliSandbox.copy()
        let old = try await Self.secret(["radial"], sandbox).json()["secret"]?.string
        let new = try await Self.secret(["radial", "--rotate"], sandbox).json()
        #expect(new["secret"]?.string != old && new["previousSignsUntil"]?.string?.hasPrefix("20") == true)
        #expect(try await Self.secret(["radial"], sandbox).json() == new)
        let card = try DataDirectory(path: sandbox.data).loadMerchant("radial")
        #expect(try card.value("webhookSecret") == new["secret"]?.string)
        let people = try await CliTool.pomona(["webhooks", "secret", "radial", "--data", sandbox.data])
        #expect(people.stdout.contains("signs beside it until"))
        // The other merchants' stay.
        #expect(try await Self.secret(["payone"], sandbox).json()["previousSignsUntil"] == .null)
        // The secret is no setting, and is not shown as one.
        let settings = try await CliTool.pomona([
            "merchant", "settings", "--data", sandbox.data, "--merchant", "radial", "--json",
        ])
        #expect(!settings.stdout.contains(try #require(new["secret"]?.string)))
    }

    @Test func makesOneForAnAccountThatHasNone() async throws {
        let sandbox = try await CliSandbox.copy()
        try await DirectoryAccess.withAdministration(DataDirectory(path: sandbox.data)) { administration in
            let merchant = try await administration.createMerchant(
                name: "fruit", displayName: "Fruit", mode: .sandbox, countryCode: "TW")
            for dialect in ["payone", "radial"] {
                try await administration.putAccount(
                    merchant: merchant.id, dialect: DialectName(dialect), key: "777", settings: [:], secrets: [:])
            }
        }
        let ambiguous = try await Self.secret(["fruit"], sandbox)
        #expect(ambiguous.exitCode == 1 && ambiguous.errorCode == "account_ambiguous")
        let made = try await Self.secret(["fruit", "--dialect", "radial"], sandbox).json()["secret"]?.string
        #expect(made?.hasPrefix("pwhs_") == true)
        #expect(try await Self.secret(["fruit", "--dialect", "radial"], sandbox).json()["secret"]?.string == made)
        #expect(try await Self.secret(["fruit", "--dialect", "payone"], sandbox).json()["secret"]?.string != made)
    }

    @Test(arguments: [
        (["nobody"], "merchant_unknown"), (["radial", "--dialect", "payone"], "account_unknown"),
        (["radial", "--dialect", "klingon"], "dialect_unknown"),
    ])
    func refusesWhatTheStoreDoesNotKnow(_ arguments: [String], _ code: String) async throws {
        let result = try await Self.secret(arguments, try await CliSandbox.copy())
        #expect(result.exitCode == 1 && result.errorCode == code)
    }

    /// A data directory of before there were such secrets gets them with the next start.
    @Test func anOlderCardGetsTheSecret() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = DataDirectory(path: sandbox.data).merchant("payone")
        let text = try String(contentsOfFile: folder.cardPath, encoding: .utf8)
        var card = try #require(try JSON.parse(text).object)
        var values = try #require(card["values"]?.object)
        values["webhookSecret"] = nil
        card["values"] = .object(values)
        try JSON.object(card).text(pretty: true).write(toFile: folder.cardPath, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.cardPath)
        let server = try await SandboxProcess(data: sandbox.data)
        let shown = server.ready["merchants"]?["payone"]?["webhookSecret"]?.string
        #expect(shown?.hasPrefix("pwhs_") == true)
        #expect(try folder.loadCard().value("webhookSecret") == shown)
        #expect(await server.stop() == 0)
    }
}
