//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Foundation
import GRDB
import Gateway
import Logging
import Money
import Payments
import Redaction
import SQLiteStore
import SimulatorAcquirer
import Time
import WalletSimulator
import X509

/// Durable authorizations through the gateway: token opened, two commits with fsync, ledger and idempotency included,
/// on all cores.
enum PaymentBenchmark {
    static let paymentsCount = 6000
    static let tasksCount = 256

    static func run() async throws -> [Row] { try await Harness.withDirectory { try await self.run(in: $0) } }

    private static func run(in directory: URL) async throws -> [Row] {
        let fixture = try Fixture(now: Date())
        let store = try SQLiteStore.open(path: directory.appending(path: "pomona.sqlite").path)
        let acquirer = SimulatorAcquirer(book: try SimulatorBook.inMemory())
        let gateway = try await Self.gateway(store, acquirer, fixture)
        let merchant = try await Self.onboard(gateway, fixture)

        var rates: [Double] = []
        var ratios: [Double] = []
        var floors: [Double] = []
        for round in 0..<3 {
            let commits = try Self.bareCommitsPerSecond(in: directory, round)
            let commands = try Self.commands(merchant, fixture)
            let seconds = try await Harness.seconds { try await Self.drive(gateway, commands) }
            let rate = Double(commands.count) / seconds
            rates.append(rate)
            floors.append(commits)
            ratios.append(rate / commits)
        }
        try await store.close()
        return [
            Row(
                "payments.sqlite", "durable sales through the gateway, SQLite", [Measure(rates.median, "/s")],
                floor: Measure(floors.median, "/s", note: "bare commits"), ratios: ratios)
        ]
    }

    static func gateway(
        _ store: any PaymentStore, _ acquirer: any Acquirer, _ fixture: Fixture, masterKey: Redacted<[UInt8]>? = nil
    ) async throws -> Gateway {
        var parts = GatewayParts(
            store: store, connectors: [SharedAcquirerConnector(acquirer)],
            masterKeys: .fixed(masterKey ?? Redacted(BenchRandom.bytes(32))),
            sandboxTrustRoots: [try fixture.anchor()],
            clock: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            random: { BenchRandom.bytes($0) },
            sleep: { try await Task.sleep(for: .milliseconds($0)) },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let issuer = try fixture.authority.merchantIntermediateCertificate.serializeAsPEM().pemString
        parts.sandboxCertificateIssuers = [try MerchantCertificateIssuer(certificate: Array(issuer.utf8))]
        return try await Gateway.start(parts)
    }

    static func onboard(
        _ gateway: Gateway, _ fixture: Fixture, acquirer: AcquirerName = AcquirerName("simulator")
    ) async throws -> MerchantContext {
        let merchant = try await gateway.administration.createMerchant(
            name: "bench", displayName: "Bench", mode: .sandbox, countryCode: "CA")
        try await gateway.administration.ensureAcquirerAccount(of: merchant.id, connector: acquirer)
        let certificate = try fixture.authority.issue(
            .paymentProcessing, merchantIdentifier: Fixture.merchantIdentifier,
            publicKey: Certificate.PublicKey(pemEncoded: fixture.key.publicKey.pemRepresentation), now: fixture.now)
        _ = try await gateway.administration.importCredential(
            merchant: merchant.id, certificate: Array(try certificate.serializeAsPEM().pemString.utf8),
            privateKeyPEM: Redacted(fixture.key.pemRepresentation), activates: true)
        try await gateway.administration.putAccount(
            merchant: merchant.id, dialect: DialectName("bench"), key: "bench", settings: [:], secrets: [:])
        guard let context = try await gateway.account(dialect: DialectName("bench"), key: "bench") else {
            throw BenchError("the merchant's account is gone")
        }
        return context
    }

    static func commands(
        _ merchant: MerchantContext, _ fixture: Fixture, count: Int = paymentsCount,
        purpose: AuthorizeCommand.Purpose = .sale
    ) throws -> [AuthorizeCommand] {
        try fixture.tokens(count).map { bytes in
            let digest = requestDigest(bytes)
            let context = CallContext(
                merchant: merchant,
                idempotency: CallContext.Idempotency(
                    operation: "pay", key: String(decoding: digest.map { $0 % 26 + 97 }, as: UTF8.self), digest: digest)
            )
            return AuthorizeCommand(
                context: context, instrument: .applePay(try UnverifiedToken(parsing: bytes)), amount: nil,
                purpose: purpose)
        }
    }

    /// Authorizations a second through a gateway of its own with the stores that the sandbox has: what HTTP and a wire
    /// language are held against.
    static func authorizationsPerSecond(_ count: Int) async throws -> Double {
        try await Harness.withDirectory { try await self.authorizationsPerSecond(count, in: $0) }
    }

    private static func authorizationsPerSecond(_ count: Int, in directory: URL) async throws -> Double {
        let fixture = try Fixture(now: Date())
        let store = try SQLiteStore.open(path: directory.appending(path: "pomona.sqlite").path)
        let book = try SimulatorBook.open(path: directory.appending(path: "acquirer.sqlite").path)
        let gateway = try await Self.gateway(store, SimulatorAcquirer(book: book), fixture)
        let merchant = try await Self.onboard(gateway, fixture)
        let commands = try Self.commands(merchant, fixture, count: count, purpose: .authorization)
        let seconds = try await Harness.seconds { try await Self.drive(gateway, commands) }
        try await store.close()
        try book.close()
        return Double(count) / seconds
    }

    /// - Parameter nodes: further gateways on the same database, between which the payments are divided.
    static func drive(_ gateway: Gateway, _ commands: [AuthorizeCommand], nodes: [Gateway] = []) async throws {
        let gateways = [gateway] + nodes
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<self.tasksCount {
                group.addTask {
                    let gateway = gateways[lane % gateways.count]
                    for index in stride(from: lane, to: commands.count, by: self.tasksCount) {
                        let outcome = try await gateway.authorize(commands[index])
                        guard outcome.operation.state == .succeeded else { throw BenchError("a sale did not succeed") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// What the engine does when nothing but one row is written: single inserts, each durable.
    private static func bareCommitsPerSecond(in directory: URL, _ round: Int) throws -> Double {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let path = directory.appending(path: "bare-\(round).sqlite").path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT) STRICT") }
        let count = 3000
        let text = String(repeating: "x", count: 200)
        let seconds = try Harness.seconds {
            for _ in 0..<count {
                try queue.write { database in
                    try database.cachedStatement(sql: "INSERT INTO row (text) VALUES (?)").execute(arguments: [text])
                }
            }
        }
        try queue.close()
        return Double(count) / seconds
    }
}

enum BenchRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        // One call of the system a draw, as the program's.
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            arc4random_buf(start, count)
            filled = count
        }
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
