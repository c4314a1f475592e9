//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CryptoExtras
import Foundation
import Payments
import Redaction
import Settings
import StrictJSON
import SwiftASN1
import Synchronization
import TestProcesses
import Testing
import X509

@testable import pomona

/// The questions, and a person who answers them.
@Suite("pomona setup: the dialogue") struct SetupDialogueTests {
    /// Answers a question by its beginning. Who is asked what he has no answer to, or more than he has patience for, leaves.
    private final class Person {
        private let said = Mutex<[UInt8]>([])
        private var answers: [(question: String, answers: [String])]
        private(set) var asked: [String] = []

        init(_ answers: [(String, [String])]) {
            self.answers = answers.map { (question: $0.0, answers: $0.1) }
        }

        var shown: String { String(decoding: self.said.withLock { $0 }, as: UTF8.self) }

        func talk(about directory: DataDirectory) async throws {
            let console = Console(
                isColored: false, showsProgress: false, writeOutput: { [said = Box(self)] in said.add($0) },
                writeError: { _ in })
            let questions = Questions(console) { [self] _ in self.answer() }
            try await SetupDialogue(directory, console, questions).run()
        }

        /// Each answer once, the last one for ever.
        private func answer() -> String? {
            let question = self.shown.split(separator: "\n").last.map(String.init) ?? ""
            self.asked.append(question)
            guard self.asked.count < 60, let index = self.answers.firstIndex(where: { question.hasPrefix($0.question) })
            else { return nil }
            let rest = self.answers[index].answers
            if rest.count > 1 { self.answers[index].answers.removeFirst() }
            return rest.first
        }

        /// Sendable unchecked: of the person it touches what was said alone, which is behind a lock.
        private struct Box: @unchecked Sendable {
            let person: Person

            init(_ person: Person) { self.person = person }

            func add(_ bytes: [UInt8]) { self.person.said.withLock { $0 += bytes } }
        }
    }

    private static let newMerchant: [(String, [String])] = [
        ("What shall commands call the merchant?", ["shop"]), ("What shall customers see", ["My Shop"]),
        ("Is its money real?", ["sandbox"]), ("In which country", ["AU"]), ("Which API", ["commweb"]),
        ("Where shall events", [""]), ("What shall commands call that account?", [""]),
        ("What is its merchant identifier", [""]), ("Who holds its payment processing key", [""]),
        ("On which domain", [""]),
    ]

    // MARK: - Every connector

    /// A way into an account of a connector: its alternative, where it has some.
    struct Entrance: CustomTestStringConvertible {
        let connector: String
        let alternative: String?

        var testDescription: String { [self.connector, self.alternative].compactMap(\.self).joined(separator: " by ") }
    }

    static let entrances: [Entrance] = {
        let connectors = (try? Connectors.forCommands()) ?? []
        return connectors.flatMap { connector in
            let ways = connector.secrets.alternatives.map(\.name)
            return ways.isEmpty
                ? [Entrance(connector: connector.name.text, alternative: nil)]
                : ways.map { Entrance(connector: connector.name.text, alternative: $0) }
        }
    }()

    /// What an operator has in hand, by the connectors' own names. A connector whose account needs something that is not here
    /// fails the test.
    private static func values(_ folder: CliFolder) throws -> [String: String] {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let identity = try SandboxTLS(
            directory: DataDirectory(path: folder.file("tls")), host: "localhost", now: .now()
        ).clientIdentity(named: "SHOP")
        return [
            "host": "http://127.0.0.1:9", "mpgs.merchantId": "TESTSHOP", "password": "open-sesame-7",
            "clientCertificate": try folder.write("client.pem", identity.certificatePEM),
            "clientKey": try folder.write("client-key.pem", identity.privateKeyPEM), "mid": "10001", "aid": "20002",
            "portalid": "3000003", "key": "portal-key", "storeId": "SHOP", "apikey": "api-key", "appId": "12345",
            "tappay.merchantId": "Shop_CTBC", "appleMerchantId": "merchant.com.example.shop", "appKey": "app-key",
            "partnerKey": "partner-key", "merchantCode": "SHOP12",
            "gatewayPublicKey": "@" + (try folder.write("gateway.pem", key.publicKey.pemRepresentation)),
            "privateKey": try folder.write("private.pem", key.pkcs8PEMRepresentation),
        ]
    }

    @Test func everyConnectorIsThere() {
        #expect(Self.entrances.count >= 7 && Self.entrances.contains { $0.alternative == "certificate" })
    }

    @Test(arguments: entrances)
    func everyConnectorsAccountCanBeAdded(_ entrance: Entrance) async throws {
        let folder = try CliFolder()
        let values = try Self.values(folder)
        let connectors = try Connectors.forCommands()
        let connector = try #require(connectors.first { $0.name.text == entrance.connector })
        var answers = Self.newMerchant
        answers.append(("Which kind of acquirer", [entrance.connector]))
        answers.append(("How does the gateway prove", [entrance.alternative ?? "?"]))
        // Nobody is to be called who listens elsewhere.
        let hasHost = connector.settings.contains { $0.name == "host" && !$0.isRequired }
        answers.append(("Anything else to set?", hasHost ? ["?", "host", ""] : [""]))
        for name in connector.settings.map(\.name) + connector.secrets.map(\.name) {
            guard let value = values["\(entrance.connector).\(name)"] ?? values[name] else { continue }
            answers.append(("\(name): ", [value]))
        }
        let person = Person(answers)
        let directory = DataDirectory(path: folder.file("data"))
        try await person.talk(about: directory)
        #expect(person.shown.contains("It can take payments."), "\(person.shown)\n\(person.asked.last ?? "")")
        #expect(!person.shown.contains("open-sesame-7"))
        let report = try await CliTool.pomona(["acquirer", "list", "--data", directory.path, "--json"]).json()
        let account = try #require(report["acquirers"]?.array?.first)
        let needed = connector.secrets.filter { secret in
            secret.isRequired || secret.alternative != nil && secret.alternative == entrance.alternative
        }
        #expect(account["secrets"]?.array?.compactMap(\.string) == needed.map(\.name).sorted())
    }

    /// What a connector refuses as a whole is asked again, with what was answered as the proposal.
    @Test func refusedAnswersAreAskedAgainAndTheOthersKept() async throws {
        let folder = try CliFolder()
        let person = Person(
            Self.newMerchant + [
                ("Which kind of acquirer", ["mpgs"]), ("How does the gateway prove", [""]),
                ("host: ", ["bank.example.com", "http://127.0.0.1:9"]), ("merchantId: ", ["SHOP", ""]),
                ("password: ", ["open-sesame-7"]), ("Anything else to set?", ["nothing", ""]),
            ])
        try await person.talk(about: DataDirectory(path: folder.file("data")))
        #expect(person.shown.contains("which begins with TEST"), "\(person.shown)")
        #expect(person.shown.contains("[bank.example.com]") && person.shown.contains("[SHOP]"))
        #expect(person.shown.contains("It must be one of: version"))
        #expect(person.shown.contains("It can take payments."))
        #expect(person.asked.count { $0.hasPrefix("password: ") } == 1)
    }

    @Test func liveMerchantIsNotOfferedThePretendedAcquirer() async throws {
        let folder = try CliFolder()
        let answers = Self.newMerchant.map { $0.0.hasPrefix("Is its money") ? ($0.0, ["live"]) : $0 }
        let person = Person(answers + [("Which kind of acquirer", [])])
        try await person.talk(about: DataDirectory(path: folder.file("data")))
        let question = try #require(person.asked.last)
        #expect(question.hasPrefix("Which kind of acquirer") && question.contains("mpgs"))
        #expect(!question.contains("simulator"))
        #expect(person.shown.contains("Left. What was answered is there"))
    }

    // MARK: - Taking up again

    private func prepared(_ folder: CliFolder, mode: String = "sandbox", _ more: String = "") async throws
        -> DataDirectory
    {
        let text = """
            {"merchant": {"name": "shop", "mode": "\(mode)", "countryCode": "AU"}, "accounts": [{"dialect": "radial"}],
             "applePay": [{"merchantIdentifier": "merchant.com.example.shop"}]\(more)}
            """
        let path = try folder.write("setup.json", text)
        let data = folder.file("my data")
        let made = try await CliTool.pomona(["setup", "--data", data, "--file", path, "--json"])
        try #require(made.exitCode == 0, "\(made.stdout)")
        return DataDirectory(path: data)
    }

    @Test func suspendedAccountAndMerchantAreResumed() async throws {
        let folder = try CliFolder()
        let directory = try await self.prepared(
            folder, #", "acquirers": [{"name": "play", "connector": "simulator"}], "routes": [{"acquirer": "play"}]"#)
        _ = try await CliTool.pomona([
            "acquirer", "suspend", "--data", directory.path, "--merchant", "shop", "--name", "play",
        ])
        _ = try await CliTool.pomona(["merchant", "suspend", "--data", directory.path, "shop"])
        let refusing = Person(
            Self.newMerchant + [("The merchant is suspended", ["no"]), ("The acquirer account", ["no"])])
        try await refusing.talk(about: directory)
        #expect(refusing.shown.contains("It cannot take payments yet:"), "\(refusing.shown)")
        #expect(
            refusing.shown.contains("pomona acquirer resume --data '\(directory.path)' --merchant shop --name play"))
        #expect(!refusing.asked.contains { $0.hasPrefix("Which acquirer account shall payments take?") })
        let agreeing = Person(Self.newMerchant + [("The merchant is suspended", [""]), ("The acquirer account", [""])])
        try await agreeing.talk(about: directory)
        #expect(agreeing.shown.contains("It can take payments."), "\(agreeing.shown)")
    }

    /// What Apple has not answered yet is waited for; what it has is imported and used at once.
    @Test func certificatesAreAskedForUntilTheyAreThere() async throws {
        let folder = try CliFolder()
        let directory = try await self.prepared(folder, mode: "live")
        let request = folder.file("my data/merchants/shop/merchant.com.example.shop.processing.csr")
        let other = try folder.write("other.pem", try String(contentsOfFile: request, encoding: .utf8))
        let add = [("Which kind of acquirer", [String]())]
        let left = Person(Self.newMerchant + add)
        try await left.talk(about: directory)
        #expect(left.shown.contains("Left."))
        // With an acquirer the dialogue comes to the certificates.
        _ = try await CliTool.pomona(
            [
                "acquirer", "add", "--data", directory.path, "--merchant", "shop", "--name", "bank", "--connector",
                "mpgs",
                "--secret", "password=@-", "host=bank.example.com", "merchantId=SHOP",
            ], stdin: "open-sesame-7")
        let waiting = Person(
            Self.newMerchant + [
                ("The file of the payment-processing", ["/nowhere", other, ""]),
                ("The file of the merchant-identity", [""]),
            ])
        try await waiting.talk(about: directory)
        #expect(waiting.shown.contains("Hand in at Apple's developer portal: \(request)"), "\(waiting.shown)")
        #expect(waiting.shown.contains("cannot be read") && waiting.shown.contains("It cannot take payments yet:"))
        #expect(waiting.asked.count { $0.hasPrefix("The file of the payment-processing") } == 3)
        #expect(waiting.shown.contains("has not been imported"))
    }

    /// Nobody is asked for another answer, which would be held as well.
    @Test func stepThatNeedsASecondPersonEndsItAndIsNamed() async throws {
        let folder = try CliFolder()
        let directory = try await self.prepared(folder, mode: "live")
        let policy = try await CliTool.pomona(
            ["approval", "policy", "--live-credentials", "--data", directory.path])
        try #require(policy.exitCode == 0, "\(policy.stdout)\(policy.stderr)")
        let person = Person(
            Self.newMerchant + [
                ("Which kind of acquirer", ["mpgs"]), ("How does the gateway prove", [""]),
                ("host: ", ["bank.example.com"]), ("merchantId: ", ["SHOP"]), ("password: ", ["open-sesame-7"]),
                ("Anything else to set?", [""]),
            ])
        do {
            try await person.talk(about: directory)
            Issue.record("It went on: \(person.shown)")
        } catch let failure as CommandFailure {
            #expect(failure.code == "approval_required" && failure.part == "acquirer", "\(failure)")
            #expect(
                failure.command
                    == directory.command(
                        "acquirer", "add", "--merchant", "shop", "--name", "mpgs", "--connector", "mpgs", "--secret",
                        "password=@FILE", "host=bank.example.com", "merchantId=SHOP", "--override", "REASON"))
        }
        #expect(person.asked.count { $0.hasPrefix("Which kind of acquirer") } == 1)
    }

    @Test func certificateThatCameBackIsImportedAndUsed() async throws {
        let folder = try CliFolder()
        let directory = try await self.prepared(
            folder, #", "acquirers": [{"name": "play", "connector": "simulator"}], "routes": [{"acquirer": "play"}]"#)
        let made = try await CliTool.pomona([
            "certificate", "csr", "--data", directory.path, "--merchant", "shop", "--purpose", "payment-processing",
            "--merchant-identifier", "merchant.com.example.second",
        ])
        let request = try CertificateSigningRequest(pemEncoded: made.stdout)
        let pem = try CliIssuer(authority: directory.authorityPath).processing(
            request.publicKey, merchantIdentifier: "merchant.com.example.second")
        let file = try folder.write("apple.pem", pem)
        let person = Person(Self.newMerchant + [("The file of the payment-processing", [file])])
        try await person.talk(about: directory)
        #expect(
            person.shown.contains("In use now: the payment-processing certificate for merchant.com.example.second."),
            "\(person.shown)")
        #expect(person.shown.contains("It can take payments."))
    }

    @Test func domainIsRegisteredAndAnotherOne() async throws {
        let folder = try CliFolder()
        let directory = try await self.prepared(
            folder, #", "acquirers": [{"name": "play", "connector": "simulator"}], "routes": [{"acquirer": "play"}]"#)
        let answers = Self.newMerchant.filter { !$0.0.hasPrefix("On which") }
        let person = Person(
            answers + [
                ("On which domain", ["https://a.example.com", "a.example.com"]),
                ("On which other", ["b.example.com", ""]),
            ])
        try await person.talk(about: directory)
        let hosts = try await DirectoryAccess.withReadingAdministration(directory) { administration in
            try await administration.domains().map(\.host.name)
        }
        #expect(hosts == ["a.example.com", "b.example.com"])
        #expect(person.shown.contains("It can take payments.") && !person.shown.contains("On web pages"))
        // Whoever has one is asked no more.
        let again = Person(answers)
        try await again.talk(about: directory)
        #expect(!again.asked.contains { $0.hasPrefix("On which") })
    }

    // MARK: - Leaving

    /// In the middle of a password the terminal shows nothing; whoever leaves then must not be left with that.
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalLeavesTheTerminalAsItWas(_ number: Int32, _ status: Int32) async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        try await onThread {
            let program = try TerminalProgram([CliTool.pomona.path, "setup", "--data", data])
            let answers = [
                ("What shall commands call the merchant?", "shop"), ("What shall customers see", "My Shop"),
                ("Is its money real?", ""), ("In which country", "AU"), ("Which API", "commweb"),
                ("Where shall events", ""), ("Which kind of acquirer", "mpgs"), ("call that account?", ""),
                ("host: ", "http://127.0.0.1:9"), ("merchantId: ", "TESTSHOP"), ("How does the gateway prove", ""),
            ]
            for (question, answer) in answers {
                try program.wait(for: question)
                program.type(answer + "\n")
            }
            try program.wait(for: "password: ")
            #expect(program.waitUntil(echoes: false))
            if number == SIGINT { program.type("\u{3}") } else { program.signal(number) }
            try program.wait(for: "Left. What was answered is there")
            #expect(program.wait() == status)
            #expect(program.echoes)
        }
        let shown = try await CliTool.pomona(["merchant", "show", "--data", data, "shop", "--json"])
        #expect(try shown.json()["accounts"]?.array?.count == 1)
    }
}
