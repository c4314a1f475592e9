//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import Server
import StrictJSON
import TestPostgres
import TestProcesses
import Testing

@testable import pomona

/// Two gateways on one PostgreSQL, and the acquirer in a process of its own.
@Suite(.timeLimit(.minutes(5))) struct NodesTests {
    private static func configuration(_ data: String, store: StoreLocation, acquirer: AcquirerChoice)
        -> ApplicationConfiguration
    {
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: data))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.hasShop = false
        configuration.store = store
        configuration.acquirer = acquirer
        configuration.logLevel = .error
        return configuration
    }

    /// What the second node needs of the first.
    private static func share(_ first: DataDirectory, with second: DataDirectory) throws {
        try second.create()
        try FileSystem.makePrivateDirectory(second.authorityPath)
        try FileSystem.write(FileSystem.readText(first.trustRootPath), to: second.trustRootPath)
    }

    @Test func payOnOneNodeAndAskTheOther() async throws {
        let folder = try CliFolder()
        let server = try await PostgresServer.shared()
        let store = try StoreLocation(text: server.url(database: try await server.makeDatabase()))
        let acquirer = try await SandboxProcess("acquirer", data: folder.file("acquirer"), arguments: ["--port", "0"])
        var address = try LinkAddress(text: try #require(acquirer.ready["acquirer"]?.string))
        address.secretPath = acquirer.ready["secret"]?.string

        let first = Self.configuration(folder.file("first"), store: store, acquirer: .link(address))
        var second = Self.configuration(folder.file("second"), store: store, acquirer: .link(address))
        second.kind = .serve
        second.masterKeyPath = first.directory.masterKeyPath
        let one = try await Application.build(first)
        try Self.share(first.directory, with: second.directory)
        let other = try await Application.build(second)
        let data = first.directory.path
        try await one.withRunning { oneAddresses in
            try await other.withRunning { otherAddresses in
                let shop = try Shop(url: oneAddresses[0].url, data: data)
                let sameShop = try Shop(url: otherAddresses[0].url, data: data)
                // Ordered here, paid there, asked for here.
                let paymentID = try await shop.order("order-1", amount: 1099)
                let answer = try await sameShop.pay(paymentID, amount: 1099)
                #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())")
                #expect(try await shop.inquire(paymentID)["paymentStatus"]?.string == "SUCCESS")
                // The acquirer is the other process's: nothing was booked beside it.
                #expect(!FileSystem.exists(first.directory.acquirerStorePath))
            }
        }
        // Commands find the store by the directory that remembers it.
        for directory in [first.directory, second.directory] {
            let check = try await CliTool.pomona(["ledger", "check", "--json", "--data", directory.path])
            #expect(check.exitCode == 0, "\(check.stdout)")
            let list = try await CliTool.pomona(["payments", "list", "--json", "--data", directory.path])
            #expect(try list.json()["payments"]?.array?.count == 1)
        }
        #expect(await acquirer.stop() == 0)
    }

    @Test func nodeWithAnotherMasterKeyDoesNotStart() async throws {
        let folder = try CliFolder()
        let server = try await PostgresServer.shared()
        let store = try StoreLocation(text: server.url(database: try await server.makeDatabase()))
        try await Application.build(
            Self.configuration(folder.file("first"), store: store, acquirer: .simulator)
        ).close()
        await #expect(throws: (any Error).self) {
            try await Application.build(
                Self.configuration(folder.file("second"), store: store, acquirer: .simulator)
            ).close()
        }
    }

    @Test func databaseThatIsNotThereIsReportedWithoutItsPassword() async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona([
            "store", "migrate", "--json", "--data", folder.file("data"), "--store",
            "postgresql://nobody:hunter2@127.0.0.1:1/none",
        ])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "store_unavailable")
        #expect(!result.stdout.contains("hunter2") && !result.stderr.contains("hunter2"))
    }

    @Test func migrateMakesTheTablesThatAGatewayFinds() async throws {
        let folder = try CliFolder()
        let server = try await PostgresServer.shared()
        let url = server.url(database: try await server.makeDatabase())
        for _ in 1...2 {
            let result = try await CliTool.pomona([
                "store", "migrate", "--json", "--data", folder.file("data"), "--store", url,
            ])
            #expect(result.exitCode == 0, "\(result.stdout) \(result.stderr)")
        }
        let application = try await Application.build(
            Self.configuration(folder.file("data"), store: try StoreLocation(text: url), acquirer: .simulator))
        #expect(!application.merchants.isEmpty)
        await application.close()
    }

    /// A gateway starts without its acquirer, and finds it when it is there.
    @Test func linkThatIsDownFailsThePaymentAtOnce() async throws {
        let folder = try CliFolder()
        let acquirer = try await SandboxProcess(
            "acquirer", data: folder.file("acquirer"), arguments: ["--port", "\(try FreePort.find())"])
        var address = try LinkAddress(text: try #require(acquirer.ready["acquirer"]?.string))
        address.secretPath = acquirer.ready["secret"]?.string
        let port = try #require(address.endpoints.first?.port)
        #expect(await acquirer.stop() == 0)

        let data = folder.file("data")
        let configuration = Self.configuration(
            data, store: .sqlite(path: folder.file("p.sqlite")), acquirer: .link(address))
        let application = try await Application.build(configuration)
        try await application.withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: data)
            let paymentID = try await shop.order("order-1", amount: 1099)
            let answer = try await shop.pay(paymentID, amount: 1099)
            // Nothing was sent: nobody has to wait for an outcome.
            #expect(answer["paymentStatus"]?.string == "FAILED", "\(answer.text())")
            #expect(answer["result"]?["resultCode"]?.string == "CHANNEL_UNAVAILABLE", "\(answer.text())")
            let again = try await SandboxProcess(
                "acquirer", data: folder.file("acquirer"), arguments: ["--port", "\(port)"])
            var status: String?
            for _ in 0..<600 where status != "SUCCESS" {
                status = try await shop.pay(paymentID, amount: 1099)["paymentStatus"]?.string
            }
            #expect(status == "SUCCESS")
            #expect(await again.stop() == 0)
        }
    }
}
