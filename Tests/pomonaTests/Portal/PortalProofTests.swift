//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Logging
import Server
import StrictJSON
import TestProcesses
import Testing

@testable import pomona

/// The whole road of a merchant who goes live, in Chromium: from an empty directory through people, certificates, domain,
/// accounts and routes to a payment through a second gateway, its refund by two people, and the day's books.
@Suite(.timeLimit(.minutes(10))) struct PortalProofTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    /// What the bank's letter to the merchant says.
    private static let bank = (merchantID: "HARBOURLIGHT01", password: "0f2c1b7d5e8a4c6b9d3e7f1a2b4c6d8e")

    @Test func merchantGoesLive() async throws {
        let folder = try CliFolder()
        let bank = try await Self.bank(folder)
        let world = try ProofSurroundings()
        let owner = try await Self.makeOwner(folder)
        let application = try await pomona.Application.build(
            Self.configuration(folder), surroundings: try world.surroundings())
        do {
            try await application.withRunning { addresses in
                let admin = try #require(try await application.adminURL())
                try await ProofShop.run(world, gateway: addresses[0].url) { shop in
                    let authority = try FileSystem.readText(DataDirectory(path: folder.file("bank")).caCertificatePath)
                    let proof: JSON = [
                        "portal": .string(admin), "shop": .string(shop),
                        "owner": ["user": "owner", "password": .string(owner)],
                        "bank": [
                            "host": .string(Self.bankHost(bank)), "merchantId": .string(Self.bank.merchantID),
                            "password": .string(Self.bank.password), "trustRoot": .string(authority),
                        ],
                    ]
                    try await Self.play(proof)
                }
            }
        } catch {
            _ = await bank.stop()
            throw error
        }
        #expect(await bank.stop() == 0, "\(bank.log)")
        let books = try await CliTool.pomona(["ledger", "check", "--data", folder.file("front")])
        #expect(books.exitCode == 0, "\(books.stdout)\(books.stderr)")
        let bankBooks = try await CliTool.pomona(["ledger", "check", "--data", folder.file("bank")])
        #expect(bankBooks.exitCode == 0, "\(bankBooks.stdout)\(bankBooks.stderr)")
    }

    /// The second gateway, a process of its own, under the host name that its certificate has.
    private static func bank(_ folder: CliFolder) async throws -> SandboxProcess {
        let credentials = try folder.write(
            "bank.json",
            #"{"commweb": {"merchantId": "\#(Self.bank.merchantID)", "password": "\#(Self.bank.password)"}}"#)
        return try await SandboxProcess(
            data: folder.file("bank"),
            arguments: [
                "--port", "0", "--tls-port", "0", "--no-shop", "--tls-name", ProofSurroundings.bankHost,
                "--credentials", credentials,
            ])
    }

    private static func bankHost(_ bank: SandboxProcess) -> String {
        "https://\(ProofSurroundings.bankHost):\(bank.https.split(separator: ":").last ?? "")"
    }

    /// The first person of a house is made where the house stands.
    ///
    /// - Returns: the password that is to be changed.
    private static func makeOwner(_ folder: CliFolder) async throws -> String {
        let made = try await CliTool.pomona([
            "person", "add", "--data", folder.file("front"), "--name", "owner", "--display-name", "The owner",
            "--role",
            "owner", "--credential", "password", "--json",
        ])
        try #require(made.exitCode == 0, "\(made.stdout)\(made.stderr)")
        return try #require(try made.json()["secret"]?.string)
    }

    private static func configuration(_ folder: CliFolder) -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration(kind: .serve, directory: DataDirectory(path: folder.file("front")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.adminListener = ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)
        configuration.logLevel = .error
        return configuration
    }

    private static func play(_ proof: JSON) async throws {
        let python = try await Command(
            ["\(Self.root)/script/python-venv", "web", "Tests/Web/requirements.txt"], in: Self.root
        ).runWell()
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let outcome = try await Command(
            [python, "\(Self.root)/Tests/Web/portal_proof.py"], in: "\(Self.root)/Tests/Web"
        ).run(input: proof.serialized())
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorsText)")
    }
}
