//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import Testing

@testable import pomona

/// A setup where a policy wants a second person.
@Suite("pomona setup under a policy") struct SetupApprovalTests {
    private static let file = """
        {"merchant": {"name": "real", "mode": "live", "countryCode": "DE"},
         "accounts": [{"dialect": "payone", "settings": {"cardTypes": "V,M"}}],
         "acquirers": [{"name": "bank", "connector": "mpgs", "acceptor": {"categoryCode": "5411"},
                        "settings": {"host": "bank.example.com", "merchantId": "SHOP"},
                        "secrets": {"password": "open-sesame-7"}}],
         "routes": [{"acquirer": "bank", "currency": "EUR", "to": "100.00"}]}
        """

    /// What a step's own command is, as the words that the program is given.
    private static func words(_ command: String, _ data: String) throws -> [String] {
        let end = "--override REASON --data \(data)"
        let rest = try #require(command.hasPrefix("pomona ") && command.hasSuffix(end) ? command : nil, "\(command)")
        return rest.dropFirst("pomona ".count).dropLast(end.count).split(separator: " ").map(String.init)
    }

    /// Each step is named with its command, and where that has been given the setup goes on behind it.
    @Test func eachStepIsNamedWithItsOwnCommand() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        let policy = try await CliTool.pomona(
            ["approval", "policy", "--live-credentials", "--routes", "--data", data])
        try #require(policy.exitCode == 0, "\(policy.stdout)\(policy.stderr)")
        let path = try sandbox.folder.write("live.json", Self.file)
        let right = try sandbox.folder.write("right", "open-sesame-7")
        let wrong = try sandbox.folder.write("wrong", "open-sesame-8")
        let setup = ["setup", "--file", path, "--data", data]
        let steps: [(part: String, words: String, secretPath: String)] = [
            ("account", "account create --merchant real --dialect payone cardTypes=V,M", right),
            (
                "acquirer",
                "acquirer add --merchant real --name bank --connector mpgs --acceptor categoryCode=5411 "
                    + "--secret password=@FILE host=bank.example.com merchantId=SHOP", wrong
            ),
            // All else is as the file has it.
            ("acquirer", "acquirer settings --merchant real --name bank --secret password=@FILE", right),
            ("route", "route set --merchant real --acquirer bank --currency EUR --to 100.00", right),
        ]
        for step in steps {
            let held = try await CliTool.pomona(setup + ["--json"])
            #expect(held.exitCode == 1 && held.errorCode == "approval_required", "\(held.stdout)")
            let error = try held.json()["error"]
            #expect(error?["part"]?.string == step.part)
            let words = try Self.words(error?["command"]?.string ?? "", data)
            #expect(words.joined(separator: " ") == step.words)
            let given = words.map { $0.replacing("@FILE", with: "@\(step.secretPath)") }
            let done = try await CliTool.pomona(given + ["--override", "the first shop", "--data", data])
            #expect(done.exitCode == 0, "\(done.stdout)\(done.stderr)")
        }
        let complete = try await CliTool.pomona(setup + ["--json"])
        #expect(complete.exitCode == 0, "\(complete.stdout)")
        #expect(try complete.json()["routes"]?.array?.count == 1)
    }

    @Test func peopleReadTheStepAndItsCommand() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        _ = try await CliTool.pomona(["approval", "policy", "--live-credentials", "--data", data])
        let path = try sandbox.folder.write("live.json", Self.file)
        let held = try await CliTool.pomona(["setup", "--file", path, "--data", data])
        #expect(held.exitCode == 1)
        let text = held.stderr.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("A second person must approve the account in payone:"), "\(held.stderr)")
        let command = "account create --merchant real --dialect payone cardTypes=V,M --override REASON --data \(data)"
        #expect(held.stderr.contains("  pomona \(command)\n"), "\(held.stderr)")
    }

    // MARK: - The commands

    private static func merchant() -> Merchant {
        let now = Surroundings.system.clock()
        return Merchant(
            id: MerchantID(at: now, random: [1]), name: "real", displayName: "Real", mode: .live, countryCode: "DE",
            createdAt: now)
    }

    /// A command line is read by everybody on the machine, and a certificate has many lines.
    @Test func noSecretAndNoTextOfManyLinesStandsInACommand() throws {
        let plan = try DialectModule.required("payone").plan
        let secret = try #require(plan.credentials.first { $0.isSecret })
        let account = SetupFile.Account(
            dialect: "payone", credentials: [secret.name: "hush-1234"], settings: ["a": "1\n2", "b": "@x", "c": "3"])
        let step = SetupStep.account(account, of: Self.merchant(), plan, instead: nil)
        #expect(step.words.suffix(5) == ["--choose", "\(secret.name)=@FILE", "a=@FILE", "b=@FILE", "c=3"])
        let bank = SetupFile.Acquirer(name: "bank", connector: "mpgs", secrets: ["password": Redacted("hush-1234")])
        let added = SetupStep.acquirer(bank, of: Self.merchant(), nil, instead: nil)
        #expect(added.words.suffix(2) == ["--secret", "password=@FILE"])
        for words in [step.words, added.words] { #expect(!words.joined().contains("hush")) }
    }

    @Test func routeHasAllItsConditions() throws {
        let condition = try RouteArguments.condition(
            dialect: "payone", network: .visa, currency: "EUR", from: "1.00", to: "9.50")
        let step = SetupStep.route(
            SetupFile.RouteEntry(acquirer: "bank", number: 3, condition: condition), of: Self.merchant())
        #expect(
            step.words.dropFirst(6) == [
                "--number", "3", "--dialect", "payone", "--network", "visa", "--currency", "EUR", "--from", "1.00",
                "--to", "9.50",
            ])
    }

    /// What fails otherwise is said as it was.
    @Test func anotherFailureIsLeftAsItIs() async throws {
        let step = SetupStep(part: "route", text: "the route", words: ["route", "set"])
        let directory = DataDirectory(path: "/nowhere")
        let other = AdministrationError(.routeInvalid, "Two routes have one number.")
        let thrown = await #expect(throws: AdministrationError.self) {
            try await step.run(in: directory) { throw other }
        }
        #expect(thrown?.code == .routeInvalid)
        let held = step.heldFailure(in: directory)
        #expect(held.code == "approval_required" && held.json["error"]?["part"] == "route")
        #expect(held.command == "pomona route set --override REASON --data /nowhere")
    }
}
