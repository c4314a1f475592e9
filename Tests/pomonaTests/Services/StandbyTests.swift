//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Gateway
import Logging
import Money
import Payments
import SQLiteStore
import Server
import SimulatorAcquirer
import StrictJSON
import Synchronization
import TestProcesses
import Testing
import Time

@testable import AcquirerLink
@testable import pomona

/// `pomona acquirer serve` and its standby, as real processes.
@Suite(.timeLimit(.minutes(5))) struct StandbyTests {
    /// The shops' load: when it is enough, and what was paid.
    private final class Load: Sendable {
        struct State {
            var paidCount = 0
            /// Set when the standby has taken over.
            var enough: Int?
        }

        private let state = Mutex(State())

        var isEnough: Bool { self.state.withLock { state in state.enough.map { state.paidCount >= $0 } ?? false } }

        /// - Returns: how many have been paid.
        func pay() -> Int {
            self.state.withLock { state in
                state.paidCount += 1
                return state.paidCount
            }
        }

        func end(after more: Int) { self.state.withLock { $0.enough = $0.paidCount + more } }
    }

    private static let shopsCount = 6
    private static let paidBefore = 20
    private static let paidAfter = 20

    private static func serve(_ data: String, _ arguments: String...) async throws -> SandboxProcess {
        try await SandboxProcess("acquirer", data: data, arguments: arguments)
    }

    private static func port(_ ready: JSON) throws -> Int {
        let address = try LinkAddress(text: try #require(ready["acquirer"]?.string))
        return try #require(address.endpoints.first?.port)
    }

    @Test func standbyTakesOverFromAProcessThatIsKilledAndNothingIsPaidTwice() async throws {
        let folder = try CliFolder()
        let book = folder.file("acquirer")
        let active = try await Self.serve(book, "--port", "0")
        let ports = [try Self.port(active.ready), try FreePort.find()]
        let standby = try await Self.serve(book, "--standby", "--port", "\(ports[1])")
        #expect(standby.ready["standby"] == true && standby.ready["ready"] == false)
        #expect(try Self.port(standby.ready) == ports[1])

        let ahead = Mutex<Int64>(0)
        var surroundings = Surroundings.system
        surroundings.clock = { Timestamp.now().adding(seconds: ahead.withLock { $0 }) }
        let data = folder.file("data")
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: data))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.hasShop = false
        configuration.logLevel = .critical
        configuration.acquirer = .link(
            try LinkAddress(
                text: ports.map { "tcp://127.0.0.1:\($0)" }.joined(separator: ","),
                secretPath: active.ready["secret"]?.string))
        let application = try await Application.build(configuration, surroundings: surroundings)
        let shops = Self.shopsCount
        try await application.withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: data)
            let load = Load()
            let (enough, signalEnough) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<shops {
                    group.addTask {
                        var index = 0
                        while !load.isEnough {
                            index += 1
                            let amount = Int64(1000 + index)
                            let paymentID = try await shop.order("order-\(number)-\(index)", amount: amount)
                            let answer = try await shop.pay(paymentID, amount: amount)
                            guard answer["paymentStatus"]?.string == "SUCCESS" else { continue }
                            if load.pay() == Self.paidBefore { signalEnough.yield() }
                        }
                    }
                }
                for await _ in enough { break }
                #expect(await active.stop(SIGKILL) == -SIGKILL)
                #expect(try await standby.nextLine()["ready"] == true)
                load.end(after: Self.paidAfter)
                try await group.waitForAll()
            }
            // What was under way when it was killed is asked for where the book is now.
            for _ in 0..<20 {
                ahead.withLock { $0 += 121 }
                _ = await application.gateway.recover()
            }
        }
        #expect(await standby.stop() == 0)
        try await Self.checkBooks(DataDirectory(path: data), DataDirectory(path: book))
    }

    /// The gateway's payments against what the acquirer really did: each once, or not at all.
    private static func checkBooks(_ directory: DataDirectory, _ acquirer: DataDirectory) async throws {
        let store = try SQLiteStore.openReadOnly(path: directory.storePath)
        let report = try await LedgerAudit.run(store: store)
        #expect(report.isSound, "\(report.problems)")
        let payments = try await store.read { try $0.payments(PaymentQuery(limit: 1_000_000)) }
        try await store.close()
        #expect(payments.count >= Self.paidBefore + Self.paidAfter)
        let book = try SimulatorBook.open(path: acquirer.acquirerStorePath)
        for payment in payments {
            #expect(payment.operations.allSatisfy { $0.state.isResolved }, "\(payment.id)")
            let captured = try await book.position(payment.id)?.captured.minorUnits ?? 0
            #expect(captured == payment.capturedAmount.minorUnits)
            #expect(captured == 0 || captured == payment.amount.minorUnits)
        }
        try book.close()
    }

    /// An orderly end hands over too, there and back; and whoever has the directory has it alone.
    @Test func directoryHasOneProcessThatServes() async throws {
        let folder = try CliFolder()
        let data = folder.file("acquirer")
        let first = try await Self.serve(data, "--port", "\(try FreePort.find())")
        let refused = try await CliTool.pomona(["acquirer", "serve", "--json", "--data", data, "--port", "0"])
        #expect(refused.exitCode == 1 && refused.errorCode == "directory_in_use")
        let ports = [try Self.port(first.ready), try FreePort.find()]
        let second = try await Self.serve(data, "--standby", "--port", "\(ports[1])")
        // One that waits can be ended.
        let waiting = try await Self.serve(data, "--standby", "--port", "\(ports[0])")
        #expect(await waiting.stop() == 0)
        #expect(await first.stop() == 0)
        #expect(try await second.nextLine()["ready"] == true)
        let third = try await Self.serve(data, "--standby", "--port", "\(ports[0])")
        #expect(third.ready["standby"] == true)
        #expect(await second.stop() == 0)
        let ready = try await third.nextLine()
        #expect(try ready["ready"] == true && Self.port(ready) == ports[0])
        #expect(await third.stop() == 0)
        // Nobody has it: a standby need not wait.
        let alone = try await Self.serve(data, "--standby", "--port", "\(ports[0])")
        #expect(alone.ready["ready"] == true)
        #expect(await alone.stop() == 0)
    }

    @Test func standbyNeedsAPortThatGatewaysKnow() async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona([
            "acquirer", "serve", "--standby", "--port", "0", "--data", folder.file("data"),
        ])
        #expect(result.exitCode == 64 && result.stderr.contains("--standby needs a port"))
    }

    /// By the command, over the link: kept beside the book, over a kill and over a change of processes, until somebody
    /// signs on.
    @Test func signedOffStaysSoUntilItIsSignedOn() async throws {
        let folder = try CliFolder()
        let book = folder.file("acquirer")
        let first = try await Self.serve(book, "--port", "0")
        let ports = [try Self.port(first.ready), try FreePort.find()]
        let second = try await Self.serve(book, "--standby", "--port", "\(ports[1])")
        let address = ports.map { "tcp://127.0.0.1:\($0)" }.joined(separator: ",")
        let secret = try #require(first.ready["secret"]?.string)
        let data = folder.file("data")
        let gateway = try await SandboxProcess(
            data: data,
            arguments: [
                "--port", "0", "--tls-port", "0", "--acquirer", address, "--acquirer-secret", secret,
            ])
        let listed = try await CliTool.pomona(["acquirer", "list", "--json", "--data", data]).json()
        let account = try #require(listed["acquirers"]?.array?.first)
        let (merchant, name) = (
            try #require(account["merchant"]?.string), try #require(account["name"]?.string)
        )
        func acquirer(_ words: String...) async throws -> CliResult {
            try await CliTool.pomona(
                ["acquirer"] + words + [
                    "--json", "--data", data, "--merchant", merchant, "--name", name, "--acquirer", address,
                    "--acquirer-secret", secret,
                ])
        }
        #expect(try await acquirer("check").exitCode == 0)
        #expect(try await acquirer("do", "sign-off").exitCode == 0)
        #expect(try FileSystem.readText(DataDirectory(path: book).acquirerSignOnPath) == "off\n")
        #expect(await first.stop(SIGKILL) == -SIGKILL)
        #expect(try await second.nextLine()["ready"] == true)
        let check = try await acquirer("check")
        #expect(check.exitCode == 1 && check.stdout.contains("signed off"), "\(check.stdout)")
        #expect(try await acquirer("do", "echo").stdout.contains("signed off"))
        let configuration: JSON = [
            "data": ["directory": .string(data)],
            "acquirer": ["address": .string(address), "secretFile": .string(secret)],
        ]
        let config = try folder.write("config.json", configuration.text())
        let doctor = try await CliTool.pomona(["doctor", "--json", "--data", data, "--config", config])
        #expect(doctor.exitCode == 3 && doctor.stdout.contains("signed off"), "\(doctor.stdout) \(doctor.stderr)")
        let shop = try Shop(url: gateway.http, data: data)
        let paymentID = try await shop.order("order-1", amount: 1099)
        #expect(try await shop.pay(paymentID, amount: 1099)["paymentStatus"]?.string != "SUCCESS")
        #expect(try await acquirer("do", "sign-on").exitCode == 0)
        #expect(try await acquirer("check").exitCode == 0)
        #expect(try await shop.pay(paymentID, amount: 1099)["paymentStatus"]?.string == "SUCCESS")
        #expect(await gateway.stop() == 0)
        #expect(await second.stop() == 0)
    }

    /// Another directory with a copied secret, which the link's proofs are good for: refused also by a gateway that was
    /// started anew, until its operator has it forget the book that is gone.
    @Test func gatewayStaysWithItsBook() async throws {
        let folder = try CliFolder()
        let first = try await Self.serve(folder.file("first"), "--port", "\(try FreePort.find())")
        let other = DataDirectory(path: folder.file("other"))
        try other.create()
        let secret = try #require(first.ready["secret"]?.string)
        try FileSystem.writePrivate(try FileSystem.readText(secret), to: other.linkSecretPath)
        let port = try Self.port(first.ready)
        let directory = DataDirectory(path: folder.file("data"))
        let arguments = [
            "--port", "0", "--tls-port", "0", "--acquirer", "tcp://127.0.0.1:\(port)", "--acquirer-secret", secret,
        ]
        func pay(_ order: String) async throws -> Bool {
            let gateway = try await SandboxProcess(data: directory.path, arguments: arguments)
            let shop = try Shop(url: gateway.http, data: directory.path)
            let paymentID = try await shop.order(order, amount: 1099)
            let isPaid = try await shop.pay(paymentID, amount: 1099)["paymentStatus"]?.string == "SUCCESS"
            #expect(await gateway.stop() == 0)
            return isPaid
        }
        #expect(try await pay("order-1"))
        let kept = try FileSystem.readText(directory.acquirerBookPath)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.acquirerBookPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(await first.stop() == 0)
        let second = try await Self.serve(other.path, "--port", "\(port)")
        #expect(try await !pay("order-2"))
        #expect(try FileSystem.readText(directory.acquirerBookPath) == kept)
        try FileSystem.remove(directory.acquirerBookPath)
        #expect(try await pay("order-3"))
        #expect(try FileSystem.readText(directory.acquirerBookPath) != kept)
        #expect(await second.stop() == 0)
    }

    @Test func bookThatIsOnlyLookedAtIsNotKept() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        let book = AcquirerBookID(at: Timestamp(seconds: 1_780_000_000), random: [1])
        try directory.bookRecord(keeps: false).keep(book)
        #expect(try directory.bookRecord(keeps: true).known == nil)
        try directory.bookRecord(keeps: true).keep(book)
        #expect(try directory.bookRecord(keeps: true).known == book)
        try FileSystem.writePrivate("a book\n", to: directory.acquirerBookPath)
        #expect(throws: CommandFailure.self) { try directory.bookRecord(keeps: true) }
    }

    @Test func stateThatNobodyKnowsIsRefused() async throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("acquirer"))
        try directory.create()
        #expect(try !directory.signOffRecord().isSignedOff)
        try FileSystem.writePrivate("perhaps\n", to: directory.acquirerSignOnPath)
        let result = try await CliTool.pomona(["acquirer", "serve", "--json", "--data", directory.path, "--port", "0"])
        #expect(result.exitCode == 1 && result.errorCode == "file_malformed")
    }

    @Test(arguments: [
        ["--acquirer-secret", "x"], ["--acquirer", "tcp://h:1", "--acquirer-authority", "x"],
        ["--acquirer-certificate", "x"],
    ])
    func linkIsDescribedWholeOrNotAtAll(_ options: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(
            ["acquirer", "do", "echo", "--data", folder.file("data"), "--merchant", "m", "--name", "n"] + options)
        #expect(result.exitCode == 64, "\(result.stdout) \(result.stderr)")
    }
}
