//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Authorizations over HTTP in each wire language, against a running sandbox, with the load generator on the same cores:
/// as many as go, and the latency at half of that. Held against the same work without HTTP.
struct DialectBenchmark {
    /// The built `pomona`.
    let executable: URL
    let directory: URL
    let dialects: [DialectLoads.Dialect]
    let paymentsCount: Int

    static let lanesCount = 256

    func run() async throws -> [Row] {
        let floor = try await PaymentBenchmark.authorizationsPerSecond(self.paymentsCount)
        let server = try RunningServer(executable: self.executable, directory: self.directory)
        defer { server.stop() }
        let loads = try DialectLoads(server.announcement)
        let client = try LoadGenerator(server.announcement, lanesCount: Self.lanesCount)
        var rows: [Row] = []
        for dialect in self.dialects {
            rows += try await self.measure(dialect, loads, client, server, floor: floor)
        }
        return rows
    }

    private func measure(
        _ dialect: DialectLoads.Dialect, _ loads: DialectLoads, _ client: LoadGenerator,
        _ server: RunningServer, floor: Double
    ) async throws -> [Row] {
        // Connections, caches and the branch predictors of both sides.
        _ = try await client.drive(try loads.make(dialect, count: 500))
        let requests = try loads.make(dialect, count: self.paymentsCount)
        let before = try server.processorSeconds()
        let seconds = try await Harness.seconds { _ = try await client.drive(requests) }
        let processor = (try server.processorSeconds() - before) / Double(requests.count)
        let rate = Double(requests.count) / seconds
        let paced = try loads.make(dialect, count: max(500, self.paymentsCount / 2))
        let latencies = try await client.drive(paced, perSecond: rate / 2).sorted()
        let percentile = { (share: Double) in latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]
        }
        return [
            Row(
                "\(dialect.merchant).http", "\(dialect.rawValue): authorizations over HTTP, client on the same cores",
                [Measure(rate, "/s")], floor: Measure(floor, "/s", note: "in process"), ratios: [rate / floor]),
            // What another load on the machine does not change.
            Row(
                "\(dialect.merchant).processor", "\(dialect.rawValue): the gateway's processor time of one of them",
                [Measure(processor * 1e6, "µs")]),
            Row(
                "\(dialect.merchant).latency", "\(dialect.rawValue): latency at half of that load",
                [
                    Measure(percentile(0.5) * 1000, "ms", decimals: 1, note: "p50"),
                    Measure(percentile(0.99) * 1000, "ms", decimals: 1, note: "p99"),
                ]),
        ]
    }
}
