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

/// What the stores take of a payment: authorizations with a card number through the gateway, two durable commits each,
/// to an acquirer that costs nothing. SQLite, PostgreSQL with one node and with two in turn, and PostgreSQL's bare
/// commits beside them.
enum StoreBenchmark {
    static let paymentsCount = 8000
    static let rounds = 5

    static func run() async throws -> [Row] { try await Harness.withDirectory { try await self.run(in: $0) } }

    private static func run(in directory: URL) async throws -> [Row] {
        let server = try await PostgresServer.start(fsync: true)
        let sqlite = try await Deployment([SQLiteStore.open(path: directory.appending(path: "pomona.sqlite").path)])
        let url = Redacted(server.url(database: try await server.makeDatabase()))
        let one = try await Deployment([PostgreSQLStore.open(url: url)])
        let secondURL = Redacted(server.url(database: try await server.makeDatabase()))
        let two = try await Deployment([
            PostgreSQLStore.open(url: secondURL), PostgreSQLStore.open(url: secondURL),
        ])

        var rates: [[Double]] = [[], [], []]
        var floors: [Double] = []
        for round in 0...self.rounds {
            floors.append(Double(try await server.commitsPerSecond(seconds: 2)))
            for (index, deployment) in [sqlite, one, two].enumerated() {
                rates[index].append(try await deployment.authorizationsPerSecond(self.paymentsCount))
            }
            // The first warms up.
            guard round == 0 else { continue }
            floors.removeAll()
            for index in rates.indices { rates[index].removeAll() }
        }
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
        ]
    }
}

/// Gateways on one database, and a merchant of theirs.
private struct Deployment {
    private let gateways: [Gateway]
    private let merchant: MerchantContext

    init(_ stores: [any PaymentStore]) async throws {
        let fixture = try Fixture(now: Date())
        let masterKey = Redacted(BenchRandom.bytes(32))
        var gateways: [Gateway] = []
        for store in stores {
            gateways.append(try await PaymentBenchmark.gateway(store, FreeAcquirer(), fixture, masterKey: masterKey))
        }
        self.gateways = gateways
        self.merchant = try await PaymentBenchmark.onboard(gateways[0], fixture, acquirer: FreeAcquirer.name)
    }

    func authorizationsPerSecond(_ count: Int) async throws -> Double {
        guard let currency = Currency.alphabetic("CAD") else { throw BenchError("ISO 4217 is gone") }
        let commands = (0..<count).map { _ in
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
        let seconds = try await Harness.seconds {
            try await PaymentBenchmark.drive(self.gateways[0], commands, nodes: Array(self.gateways.dropFirst()))
        }
        return Double(count) / seconds
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
