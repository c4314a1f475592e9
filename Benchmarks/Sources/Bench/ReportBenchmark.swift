//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import Time

/// An hour's report from a store that holds many payments, against the same hour from one that holds few: what came before
/// the hour must not cost anything.
enum ReportBenchmark {
    static let few = 1000
    static let inTheHour = 500
    static let rounds = 41

    private static let hour = Timestamp(milliseconds: 1_750_000_000_000)
    private static let merchant = Merchant(
        id: StoredSales.id(0, at: hour), name: "bench", displayName: "Bench", mode: .sandbox, countryCode: "CA",
        createdAt: hour)

    /// - Parameter many: how many payments the larger store has.
    static func run(many: Int) async throws -> [Row] {
        try await Harness.withDirectory { try await self.run(many: many, in: $0) }
    }

    private static func run(many: Int, in directory: URL) async throws -> [Row] {
        let small = try await Self.store(directory.appending(path: "small.sqlite").path, Self.few)
        let large = try await Self.store(directory.appending(path: "large.sqlite").path, many)
        var (subjects, floors, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<Self.rounds {
            let subject = try await Harness.seconds { try await Self.report(large) }
            let floor = try await Harness.seconds { try await Self.report(small) }
            subjects.append(subject)
            floors.append(floor)
            ratios.append(floor / subject)
        }
        try await small.close()
        try await large.close()
        return [
            Row(
                "reports.hour", "report of an hour with \(Self.inTheHour) sales, \(many) payments in the store",
                [Measure(subjects.median * 1000, "ms", decimals: 1)],
                floor: Measure(floors.median * 1000, "ms", decimals: 1, note: "with \(Self.few)"), ratios: ratios)
        ]
    }

    /// All captures and refunds of the hour, by pages as the dialects read them.
    private static func report(_ store: SQLiteStore) async throws {
        var query = MovementQuery(
            merchantID: Self.merchant.id, kinds: [.capture, .refund], from: Self.hour,
            to: Self.hour.adding(seconds: 3600), limit: 500)
        var count = 0
        while true {
            let next = query
            let page = try await store.read { try $0.movements(next) }
            count += page.count
            query.after = page.last?.cursor
            guard page.count == query.limit else { break }
        }
        guard count == Self.inTheHour else { throw BenchError("the report has \(count) movements") }
    }

    /// A store with that many sales: the last ones are in the hour, the others one every ten seconds before it.
    private static func store(_ path: String, _ count: Int) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(path: path)
        let account = AcquirerAccount(
            id: StoredSales.id(0, at: Self.hour), merchantID: Self.merchant.id, name: "main",
            connector: AcquirerName("simulator"),
            mode: .sandbox, createdAt: Self.hour)
        try await store.write { transaction in
            try transaction.insert(Self.merchant)
            try transaction.insert(account)
        }
        try await StoredSales.fill(store, count, of: account, inTheHour: Self.inTheHour, after: Self.hour)
        return store
    }
}
