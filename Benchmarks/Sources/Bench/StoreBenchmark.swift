//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Money
import Payments
import PostgreSQLStore
import Redaction
import SQLiteStore
import TestPostgres

/// What the stores take of a payment: authorizations through the gateway, two durable commits each, to an acquirer that
/// costs nothing. SQLite, PostgreSQL with one node and with two in turn, and PostgreSQL's bare commits beside them; with a
/// card number each, so that nothing but the store is measured, and with an Apple Pay token each, as shops send them.
enum StoreBenchmark {
    static let paymentsCount = 8000
    static let rounds = 5

    static func run() async throws -> [Row] { try await Harness.withDirectory { try await self.run(in: $0) } }

    private static func run(in directory: URL) async throws -> [Row] {
        let server = try await PostgresServer.start(fsync: true)
        var deployments: [Deployment] = []
        for name in ["cards", "tokens"] {
            let hasTokens = name == "tokens"
            let sqlite = try SQLiteStore.open(path: directory.appending(path: "\(name).sqlite").path)
            deployments.append(try await Deployment([sqlite], hasTokens: hasTokens))
            let url = Redacted(server.url(database: try await server.makeDatabase()))
            deployments.append(try await Deployment([PostgreSQLStore.open(url: url)], hasTokens: hasTokens))
            guard !hasTokens else { continue }
            let sharedURL = Redacted(server.url(database: try await server.makeDatabase()))
            let nodes = [
                try await PostgreSQLStore.open(url: sharedURL), try await PostgreSQLStore.open(url: sharedURL),
            ]
            deployments.append(try await Deployment(nodes, hasTokens: hasTokens))
        }

        var rates = [[Double]](repeating: [], count: deployments.count)
        var floors: [Double] = []
        for round in 0...self.rounds {
            floors.append(Double(try await server.commitsPerSecond(seconds: 2)))
            for (index, deployment) in deployments.enumerated() {
                rates[index].append(try await deployment.authorizationsPerSecond(self.paymentsCount))
            }
            // The first warms up.
            guard round == 0 else { continue }
            floors.removeAll()
            for index in rates.indices { rates[index].removeAll() }
        }
        return self.rows(rates, floors)
    }

    /// - Parameter rates: of SQLite, of PostgreSQL with one node and with two; of SQLite and of PostgreSQL with tokens.
    private static func rows(_ rates: [[Double]], _ floors: [Double]) -> [Row] {
        let against = { (rates: [Double], floors: [Double]) in zip(rates, floors).map { $0 / $1 } }
        let figure = { (rates: [Double]) in [Measure(rates.median, "/s")] }
        return [
            Row(
                "durable.postgresql", "durable authorizations, PostgreSQL, one node", figure(rates[1]),
                floor: Measure(rates[0].median, "/s", note: "SQLite"), ratios: against(rates[1], rates[0])),
            Row(
                "durable.postgresql.commits", "the same", figure(rates[1]),
                floor: Measure(floors.median, "/s", note: "bare commits"), ratios: against(rates[1], floors)),
            Row(
                "durable.postgresql.nodes", "durable authorizations, PostgreSQL, two nodes", figure(rates[2]),
                floor: Measure(rates[1].median, "/s", note: "with one"), ratios: against(rates[2], rates[1])),
            Row(
                "durable.postgresql.tokens", "durable authorizations by token, PostgreSQL, one node", figure(rates[4]),
                floor: Measure(rates[3].median, "/s", note: "SQLite"), ratios: against(rates[4], rates[3])),
        ]
    }
}

/// Gateways on one database, and a merchant of theirs.
private struct Deployment {
    private let gateways: [Gateway]
    private let merchant: MerchantContext
    private let fixture: Fixture
    private let hasTokens: Bool

    /// - Parameter hasTokens: whether each payment comes with an Apple Pay token instead of a card's number.
    init(_ stores: [any PaymentStore], hasTokens: Bool) async throws {
        let fixture = try Fixture(now: Date())
        self.fixture = fixture
        self.hasTokens = hasTokens
        let masterKey = Redacted(BenchRandom.bytes(32))
        var gateways: [Gateway] = []
        for store in stores {
            gateways.append(try await PaymentBenchmark.gateway(store, FreeAcquirer(), fixture, masterKey: masterKey))
        }
        self.gateways = gateways
        self.merchant = try await PaymentBenchmark.onboard(gateways[0], fixture, acquirer: FreeAcquirer.name)
    }

    func authorizationsPerSecond(_ count: Int) async throws -> Double {
        let commands =
            self.hasTokens
            ? try PaymentBenchmark.commands(self.merchant, self.fixture, count: count, purpose: .authorization)
            : try self.cardCommands(count)
        let seconds = try await Harness.seconds {
            try await PaymentBenchmark.drive(self.gateways[0], commands, nodes: Array(self.gateways.dropFirst()))
        }
        return Double(count) / seconds
    }

    private func cardCommands(_ count: Int) throws -> [AuthorizeCommand] {
        guard let currency = Currency.alphabetic("CAD") else { throw BenchError("ISO 4217 is gone") }
        return (0..<count).map { _ in
            let digest = BenchRandom.bytes(32)
            let context = CallContext(
                merchant: self.merchant,
                idempotency: CallContext.Idempotency(
                    operation: "pay", key: String(decoding: digest.map { $0 % 26 + 97 }, as: UTF8.self), digest: digest)
            )
            let card = NetworkToken(
                pan: Redacted("4111111111111111"), expiryYearMonth: "3112", proof: .securityCode(nil), eci: nil)
            return AuthorizeCommand(
                context: context, instrument: .opened(card), amount: Money(minorUnits: 1099, currency: currency),
                purpose: .authorization)
        }
    }
}

/// Approves everything at once, and keeps nothing.
private struct FreeAcquirer: Acquirer {
    static let name = AcquirerName("free")

    var name: AcquirerName { Self.name }
    var capabilities: AcquirerCapabilities { AcquirerCapabilities(recovery: .reversal) }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(reference: request.operationID.text)))
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .notFound }
}
