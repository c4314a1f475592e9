//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AsyncHTTPClient
import Foundation
import GRDB
import Gateway
import Logging
import NIOCore
import NIOHTTP1
import Payments
import Server
import StrictJSON
import Synchronization
import TestPostgres
import Testing

@testable import pomona

/// The real application in this process, on free ports.
@Suite struct ApplicationTests {
    private func configuration(_ folder: CliFolder) -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.logLevel = .error
        return configuration
    }

    @Test func paysOverHTTPAndHTTPS() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(self.configuration(folder))
        #expect(application.merchants.map(\.name) == DialectModule.all.map(\.name))
        let directory = application.directory
        try await application.withRunning { addresses in
            #expect(addresses.map(\.scheme) == [.http, .https])
            let client = try Shop.client(trusting: directory.caCertificatePath)
            for (address, client) in [(addresses[0], HTTPClient.shared), (addresses[1], client)] {
                let shop = try Shop(url: address.url, data: directory.path, client: client)
                let paymentID = try await shop.order("order-\(address.scheme.rawValue)", amount: 1099)
                let answer = try await shop.pay(paymentID, amount: 1099)
                #expect(answer["result"]?["resultCode"]?.string == "SUCCESS", "\(answer.text())")
                #expect(answer["paymentStatus"]?.string == "SUCCESS")
                #expect(try await shop.inquire(paymentID)["paymentStatus"]?.string == "SUCCESS")
            }
            let metrics = try await HTTPClient.shared.get(addresses[0].url + "/metrics")
            #expect(
                metrics.contains(
                    "pomona_http_requests_total{dialect=\"alphapay\",method=\"POST\",route=\"/api/v2.0/payments/apple-pay/pay\","
                        + "status=\"200\"}"))
            #expect(try await HTTPClient.shared.get(addresses[0].url + "/readyz") == "{\"status\":\"ready\"}\n")
            try await client.shutdown()
        }
    }

    @Test func httpsIsTrustedThroughTheSandboxesAuthorityOnly() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(self.configuration(folder))
        try await application.withRunning { addresses in
            await #expect(throws: (any Error).self) {
                try await Shop.impatient.get(addresses[1].url + "/healthz")
            }
            let client = try Shop.client(trusting: application.directory.caCertificatePath)
            let byName = addresses[1].url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
            #expect(try await client.get(byName + "/healthz") == "{\"status\":\"alive\"}\n")
            try await client.shutdown()
        }
    }

    @Test func serveTrustsTheSimulatorOnlyWhereASandboxMerchantIs() async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(kind: .serve, directory: DataDirectory(path: folder.file("data")))
        let now = Surroundings.system.clock()
        try configuration.directory.create()
        _ = try configuration.directory.loadOrCreateAuthority(now: now)
        let store = try await configuration.directory.storeLocation().open()
        for (name, mode, count) in [(nil, Mode.live, 0), ("live", .live, 0), ("sandbox", .sandbox, 1)] {
            if let name {
                let merchant = Merchant(
                    id: MerchantID(at: now, random: Surroundings.system.random(10)), name: name, displayName: name,
                    mode: mode, countryCode: "CA", createdAt: now)
                try await store.write { try $0.insert(merchant) }
            }
            let roots = try await Application.sandboxTrustRoots(configuration, store, now: now)
            #expect(roots.count == count, "\(name ?? "none")")
        }
        configuration.kind = .sandbox
        #expect(try await Application.sandboxTrustRoots(configuration, store, now: now).count == 1)
        try await store.close()
    }

    /// A root that others may write is none that is trusted, as at a start.
    @Test func simulatorsRootThatComesWhileServingIsCheckedAsAtAStart() async throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        #expect(Application.lateSandbox(directory) { try $0.simulatorRoots() }.isEmpty)
        _ = try directory.loadOrCreateAuthority(now: Surroundings.system.clock())
        #expect(Application.lateSandbox(directory) { try $0.simulatorRoots() }.count == 1)
        chmod(directory.authorityPath, 0o777)
        #expect(Application.lateSandbox(directory) { try $0.simulatorRoots() }.isEmpty)
    }

    @Test func metricsMayHaveAListenerOfTheirOwn() async throws {
        let folder = try CliFolder()
        var configuration = self.configuration(folder)
        configuration.metricsListener = ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)
        try await Application.build(configuration).withRunning { addresses in
            #expect(addresses.count == 3)
            for (address, status) in zip(addresses, [404, 404, 200]) where address.scheme == .http {
                let response = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: address.url + "/metrics"), timeout: .seconds(60))
                #expect(Int(response.status.code) == status)
                _ = try await response.body.collect(upTo: 1 << 20)
                #expect(try await HTTPClient.shared.get(address.url + "/readyz") == "{\"status\":\"ready\"}\n")
            }
        }
    }

    @Test func startReportsALogThatIsGoneWithItsKey() async throws {
        let folder = try CliFolder()
        let configuration = self.configuration(folder)
        let lines = Mutex<[String]>([])
        var surroundings = Surroundings.system
        surroundings.writeLogLine = { line in lines.withLock { $0.append(line) } }
        try await Application.build(configuration, surroundings: surroundings).withRunning { _ in }
        #expect(lines.withLock { $0.filter { $0.contains("audit log is not") } } == [])
        let queue = try DatabaseQueue(path: configuration.directory.storePath)
        try await queue.write { database in
            try database.execute(
                sql: """
                    DROP TRIGGER audit_entries_never_delete;
                    DELETE FROM audit_entries;
                    DELETE FROM store_secrets WHERE name = 'audit';
                    """)
        }
        try queue.close()
        try await Application.build(configuration, surroundings: surroundings).withRunning { _ in }
        let sent = lines.withLock { $0.filter { $0.contains("audit log is not") } }
        #expect(sent.count == 1)
        #expect(sent.allSatisfy { $0.contains("level=error") })
        #expect(sent.allSatisfy { $0.contains("reason=emptied") || $0.contains("reason=begunAnew") }, "\(sent)")
    }

    @Test func secondStartKeepsKeysAndPayments() async throws {
        let folder = try CliFolder()
        let configuration = self.configuration(folder)
        let directory = configuration.directory
        let paymentID = try await Application.build(configuration).withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: directory.path)
            let paymentID = try await shop.order("order-1", amount: 500)
            _ = try await shop.pay(paymentID, amount: 500)
            return paymentID
        }
        let paths = [
            directory.masterKeyPath, directory.caCertificatePath, directory.serverCertificatePath,
            directory.trustRootPath, directory.merchant("alphapay").file("private-key.pem"),
            directory.merchant("alphapay").processingCertificatePath, directory.merchant("alphapay").cardPath,
        ]
        let before = try paths.map { try FileSystem.readText($0) }
        try await Application.build(configuration).withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: directory.path)
            #expect(try await shop.inquire(paymentID)["paymentStatus"]?.string == "SUCCESS")
        }
        #expect(try paths.map { try FileSystem.readText($0) } == before)
    }

    /// A start that was cut short is taken up again: whatever is missing is made anew.
    @Test func startAfterLossOfMerchantsFolderIssuesNewKeys() async throws {
        let folder = try CliFolder()
        let configuration = self.configuration(folder)
        let merchant = configuration.directory.merchant("alphapay")
        try await Application.build(configuration).close()
        let oldKey = try FileSystem.readText(merchant.file("private-key.pem"))
        let oldCertificate = try FileSystem.readText(merchant.processingCertificatePath)
        try FileManager.default.removeItem(atPath: merchant.path)
        let application = try await Application.build(configuration)
        #expect(try FileSystem.readText(merchant.file("private-key.pem")) != oldKey)
        #expect(try FileSystem.readText(merchant.processingCertificatePath) == oldCertificate)
        try await application.withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: configuration.directory.path)
            let paymentID = try await shop.order("order-1", amount: 500)
            #expect(try await shop.pay(paymentID, amount: 500)["paymentStatus"]?.string == "SUCCESS")
        }
    }

    @Test func refusesDirectoryThatIsInUse() async throws {
        let folder = try CliFolder()
        let configuration = self.configuration(folder)
        let first = try await Application.build(configuration)
        let error = await #expect(throws: CommandFailure.self) { try await Application.build(configuration) }
        #expect(error?.code == "directory_in_use")
        await first.close()
        try await Application.build(configuration).close()
    }

    #if os(Linux)
    /// A child of this process has all its files open until its own program begins; here, copies of the descriptors.
    @Test func directoryIsFreeAgainThoughAChildHasItsLocksOpen() async throws {
        let folder = try CliFolder()
        let configuration = self.configuration(folder)
        let first = try await Application.build(configuration)
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name -> Int32? in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            guard let target, target.hasPrefix(folder.path), target.hasSuffix("lock") else { return nil }
            return Int32(name).map { dup($0) }
        }
        defer { for copy in copies { close(copy) } }
        // The directory's and the store's at least.
        #expect(copies.count >= 2)
        await first.close()
        try await Application.build(configuration).close()
    }
    #endif

    @Test func refusesLiveMerchantOnTheSimulator() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(self.configuration(folder))
        let administration = application.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "real", displayName: "Real", mode: .live, countryCode: "CA")
        let error = await #expect(throws: AdministrationError.self) {
            try await administration.ensureAcquirerAccount(
                of: merchant.id, connector: AcquirerName("simulator"))
        }
        #expect(error?.code == .accountNotAllowed)
        #expect(error?.message.contains("moves no money") == true)
        await application.close()
    }

    @Test func serveHasNoDemoMerchants() async throws {
        let folder = try CliFolder()
        var configuration = self.configuration(folder)
        configuration.kind = .serve
        configuration.listeners.removeLast()
        let application = try await Application.build(configuration)
        #expect(application.merchants.isEmpty)
        try await application.withRunning { addresses in
            let ready = try await HTTPClient.shared.get(addresses[0].url + "/readyz")
            #expect(ready == "{\"status\":\"ready\"}\n")
        }
        #expect(!FileSystem.exists(configuration.directory.trustRootPath))
    }

    /// A steady clock that is seconds further on with each look: what was found a moment ago counts no more.
    private static var hurried: Surroundings {
        let nanoseconds = Mutex<Int64>(0)
        var surroundings = Surroundings.system
        surroundings.steadyNanoseconds = {
            nanoseconds.withLock { now in
                now += 2_000_000_000
                return now
            }
        }
        return surroundings
    }

    /// Anybody may ask; the store commits for it once a second, and keeps nothing.
    @Test func readinessCommitsOnceASecond() async throws {
        let folder = try CliFolder()
        let now = Mutex<Int64>(5_000_000_000)
        var surroundings = Surroundings.system
        surroundings.steadyNanoseconds = { now.withLock { $0 } }
        let probe = CommitProbe(surroundings)
        let store = try await StoreLocation(text: "sqlite:\(folder.file("probe.sqlite"))").open()
        #expect(await probe.passes(store))
        #expect(
            try await store.read { reader in try Job.Kind.allCases.flatMap { try reader.jobs($0, limit: 1) } }.isEmpty)
        try await store.close()
        #expect(await probe.passes(store), "it was asked just now")
        now.withLock { $0 += 1_000_000_000 }
        #expect(await !probe.passes(store))
    }

    @Test func isNotReadyOnceTheStoreIsClosed() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(self.configuration(folder), surroundings: Self.hurried)
        #expect(await application.readiness.failures().isEmpty)
        await application.close()
        #expect(await application.readiness.failures() == ["store"])
    }

    @Test func isNotReadyWhileItsDatabaseIsDown() async throws {
        let server = try await PostgresServer.start()
        let folder = try CliFolder()
        var configuration = self.configuration(folder)
        configuration.store = try StoreLocation(text: server.url(database: try await server.makeDatabase()))
        configuration.logLevel = .critical
        let application = try await Application.build(configuration, surroundings: Self.hurried)
        #expect(await application.readiness.failures().isEmpty)
        try await server.stopImmediately()
        #expect(await application.readiness.failures() == ["store"])
        try await server.start()
        var triesCount = 0
        while await !application.readiness.failures().isEmpty {
            triesCount += 1
            try #require(triesCount < 100)
        }
        await application.close()
    }

    @Test func logsHoldNothingOfPayments() async throws {
        let folder = try CliFolder()
        var configuration = self.configuration(folder)
        configuration.logLevel = .trace
        let lines = LogCollector()
        var surroundings = Surroundings.system
        surroundings.writeLogLine = { lines.append($0) }
        let directory = configuration.directory
        let token = try await Application.build(configuration, surroundings: surroundings).withRunning { addresses in
            let shop = try Shop(url: addresses[0].url, data: directory.path)
            let paymentID = try await shop.order("order-1", amount: 500)
            let token = try shop.token(amount: 500)
            _ = try await shop.call("apple-pay/pay", ["paymentId": .string(paymentID), "token": token])
            return token
        }
        let text = lines.text
        #expect(text.contains("route=/api/v2.0/payments/apple-pay/pay"))
        for secret in [
            token["paymentData"]?["data"]?.string, token["paymentData"]?["signature"]?.string, "4895370012345671",
        ] {
            let part = String(try #require(secret).prefix(24))
            #expect(!text.contains(part))
        }
    }
}

extension HTTPClient {
    /// The body of a page.
    func get(_ url: String) async throws -> String {
        let response = try await self.execute(HTTPClientRequest(url: url), timeout: .seconds(120))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}

/// Keeps what is logged.
final class LogCollector: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) {
        self.lines.withLock { $0.append(line) }
    }

    var text: String { self.lines.withLock { $0.joined() } }
}
