//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import StrictJSON
import TestPostgres
import TestProcesses
import Testing

@testable import pomona

/// The built program, run as a process.
@Suite struct SandboxProcessTests {
    @Test func announcesItselfInOneLineAndEndsOnSIGTERM() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let sandbox = try await SandboxProcess(data: data)
        #expect(
            sandbox.ready.object?.names == ["ready", "http", "https", "shop", "apple", "ca", "trustRoot", "merchants"])
        #expect(sandbox.ready["ready"]?.bool == true)
        #expect(sandbox.http.hasPrefix("http://127.0.0.1:"))
        #expect(sandbox.https.hasPrefix("https://127.0.0.1:"))
        #expect(sandbox.ready["shop"]?.string == sandbox.http + "/")
        let apple = try #require(sandbox.ready["apple"]?["url"]?.string)
        #expect(apple.hasPrefix("https://127.0.0.1:") && apple != sandbox.https)
        let merchant = sandbox.ready["merchants"]?["alphapay"]
        let paths = [
            sandbox.ready["ca"], sandbox.ready["trustRoot"], merchant?["privateKey"], merchant?["gatewayPublicKey"],
        ]
        for path in paths {
            let path = try #require(path?.string)
            #expect(path.hasPrefix("/"))
            #expect(try FileSystem.readText(path).hasPrefix("-----BEGIN "))
        }
        #expect(merchant?["merchantCode"]?.string == "POMONA")
        #expect(merchant?["keyVersion"]?.string == "1")
        let names = sandbox.ready["merchants"]?.object?.members.map { "\($0.name): \($0.value.object?.names ?? [])" }
        #expect(
            names == [
                "alphapay: \(["merchantCode", "keyVersion", "webhookSecret", "privateKey", "publicKey", "gatewayPublicKey", "merchantIdentifier"])",
                "commweb: \(["merchantId", "password", "notificationSecret", "webhookSecret", "clientCertificate", "clientKey", "merchantIdentifier"])",
                "payone: \(["mid", "aid", "portalid", "key", "webhookSecret", "merchantIdentifier"])",
                "radial: \(["storeId", "apikey", "webhookSecret", "merchantIdentifier"])",
                "tappay: \(["appId", "appKey", "partnerKey", "merchantId", "webhookSecret", "merchantIdentifier"])",
            ])
        #expect(merchant?["merchantIdentifier"]?.string == "merchant.dev.pomona.alphapay")
        #expect(try await HTTPClient.shared.get(sandbox.http + "/readyz") == "{\"status\":\"ready\"}\n")
        #expect(await sandbox.stop() == 0)
    }

    @Test func tokensAreMintedBesideTheRunningServer() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let sandbox = try await SandboxProcess(data: data)
        let shop = try Shop(url: sandbox.http, data: data)
        let minted = try await CliTool.pomona([
            "token", "mint", "--data", data, "--merchant", "alphapay", "--amount", "10.99", "--currency", "CAD",
        ])
        #expect(minted.exitCode == 0, "\(minted.stderr)")
        let paymentID = try await shop.order("order-1", amount: 1099)
        let answer = try await shop.call(
            "apple-pay/pay", ["paymentId": .string(paymentID), "token": ["paymentData": try minted.json()]])
        #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())")
        #expect(await sandbox.stop(SIGINT) == 0)
    }

    @Test func saysWhenThePortIsTaken() async throws {
        let folder = try CliFolder()
        let sandbox = try await SandboxProcess(data: folder.file("first"))
        let port = try #require(sandbox.http.split(separator: ":").last.map(String.init))
        let second = try await CliTool.pomona([
            "sandbox", "--json", "--data", folder.file("second"), "--port", port, "--tls-port", "0",
        ])
        #expect(second.exitCode == 1)
        #expect(second.errorCode == "address_in_use")
        #expect(second.errorStage == "listen")
        #expect(await sandbox.stop() == 0)
    }

    @Test func saysWhenTheDirectoryIsInUse() async throws {
        let folder = try CliFolder()
        let sandbox = try await SandboxProcess(data: folder.file("data"))
        let second = try await CliTool.pomona([
            "sandbox", "--json", "--data", folder.file("data"), "--port", "0", "--tls-port", "0",
        ])
        #expect(second.exitCode == 1)
        #expect(second.errorCode == "directory_in_use")
        #expect(await sandbox.stop() == 0)
    }

    @Test(arguments: [
        ["--port", "65536"], ["--tls-port", "-1"], ["--port", "8443"], ["--host", ""], ["--unknown"],
    ])
    func wrongCommandLineIsUsage(arguments: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["sandbox", "--data", folder.file("data")] + arguments)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(!FileSystem.exists(folder.file("data")))
    }
}

@Suite struct ServeProcessTests {
    @Test func checksWithoutStarting() async throws {
        let folder = try CliFolder()
        let file = try folder.write("pomona.json", "{\"data\":{\"directory\":\"\(folder.file("data"))\"}}")
        let result = try await CliTool.pomona(["serve", "--config", file, "--check"])
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.stdout == "The configuration is in order.\n")
        #expect(!FileSystem.exists(folder.file("data")))
    }

    /// What is missing, and the command for it: of a directory without a merchant, and of a merchant without anything.
    @Test func saysWhatIsMissing() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let file = try folder.write(
            "pomona.json", (["data": ["directory": .string(data)], "http": ["port": 0]] as JSON).text())
        let empty = try await Self.lines(2, of: file, folder)
        #expect(empty.first?.hasPrefix("Listening on http://") == true, "\(empty)")
        #expect(empty.last == "There is no merchant yet. Make one: pomona setup --data \(data)")
        let administered = try folder.write(
            "administered.json",
            (["data": ["directory": .string(data)], "http": ["port": 0], "admin": ["port": 0]] as JSON).text())
        let addresses = try await Self.lines(2, of: administered, folder)
        #expect(addresses.last?.hasSuffix(" (administration)") == true, "\(addresses)")
        try await Self.makeShop(data)
        let lines = try await Self.lines(4, of: file, folder)
        #expect(lines.dropFirst().first == "shop cannot take payments yet:", "\(lines)")
        #expect(lines.last?.contains("pomona account create --data \(data) --merchant shop") == true, "\(lines)")
    }

    /// The second node of a database would look for the first one's payments in a book of its own.
    @Test(.timeLimit(.minutes(2))) func saysWhoseBookTheSimulatorKeepsOnASharedStore() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let server = try await PostgresServer.shared()
        let store = server.url(database: try await server.makeDatabase())
        let values: JSON = [
            "data": ["directory": .string(data)], "http": ["port": 0], "store": ["url": .string(store)],
        ]
        let file = try folder.write("pomona.json", values.text())
        #expect(try await Self.lines(2, of: file, folder).last?.hasPrefix("There is no merchant yet.") == true)
        try await Self.makeShop(data)
        // Until it comes, or the test's time is over.
        let program = try RunningProgram(
            [CliTool.pomona.path, "serve", "--config", file], errorsPath: folder.file("log"))
        while let line = await program.nextLine() {
            if line == "The simulated acquirer keeps its book in \(data)/acquirer.sqlite, for this process alone." {
                break
            }
        }
        #expect(await program.nextLine()?.contains("give all of them its address") == true)
        #expect(await program.nextLine()?.contains("pomona acquirer serve") == true)
        _ = await program.end(SIGTERM)
    }

    /// A merchant without anything.
    private static func makeShop(_ data: String) async throws {
        let made = try await CliTool.pomona([
            "merchant", "create", "--data", data, "--name", "shop", "--display-name", "Shop", "--mode", "sandbox",
            "--country", "AU",
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
    }

    /// The first that it writes when it starts.
    private static func lines(_ count: Int, of configuration: String, _ folder: CliFolder) async throws -> [String] {
        let program = try RunningProgram(
            [CliTool.pomona.path, "serve", "--config", configuration], errorsPath: folder.file("log"))
        var lines: [String] = []
        while lines.count < count, let line = await program.nextLine() { lines.append(line) }
        _ = await program.end(SIGTERM)
        return lines
    }

    @Test func warnsOfForeignVariables() async throws {
        let folder = try CliFolder()
        let file = try folder.write("pomona.json", "{\"data\":{\"directory\":\"\(folder.file("data"))\"}}")
        let result = try await CliTool.bash(
            "POMONA_SERVICE_HOST=10.0.0.1 '\(CliTool.pomona.path)' serve --config '\(file)' --check")
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.stderr.contains("level=warning") && result.stderr.contains("POMONA_SERVICE_HOST"))
        #expect(result.stdout == "The configuration is in order.\n")
    }

    @Test func refusesUnknownKeyByName() async throws {
        let folder = try CliFolder()
        let file = try folder.write("pomona.json", "{\"data\":{\"directory\":\"/d\"},\"http\":{\"prot\":1}}")
        let result = try await CliTool.pomona(["serve", "--config", file])
        #expect(result.exitCode == 1)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("http.prot is no key of the configuration. Did you mean http.port?"))
    }

    @Test func refusesValueOfAFlagByName() async throws {
        let folder = try CliFolder()
        let file = try folder.write("pomona.json", "{\"data\":{\"directory\":\"/d\"}}")
        let result = try await CliTool.pomona(["serve", "--config", file, "--port", "eighty"])
        #expect(result.exitCode == 1)
        #expect(result.stderr.contains("http.port"))
    }

    @Test func refusesMissingFile() async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["serve", "--config", folder.file("none.json"), "--check"])
        #expect(result.exitCode == 1)
        #expect(result.stderr.contains("none.json"))
    }
}
