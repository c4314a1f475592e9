//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Authorizations over HTTP in each wire language, against a running sandbox, with the load generator on the same cores:
/// as many as go, and the latency at half of that. Held against the same work without HTTP.
struct DialectBenchmark {
    /// The built `pomona`.
    let executable: URL
    let directory: URL
    let paymentsCount: Int

    static let lanesCount = 256

    func run() async throws -> [Row] {
        let floor = try await PaymentBenchmark.authorizationsPerSecond(self.paymentsCount)
        let server = try RunningServer(executable: self.executable, directory: self.directory)
        defer { server.stop() }
        let loads = try DialectLoads(server.announcement)
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.lanesCount
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var rows: [Row] = []
        do {
            for dialect in DialectLoads.Dialect.allCases {
                rows += try await self.measure(dialect, loads, client, floor: floor)
            }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return rows
    }

    private func measure(
        _ dialect: DialectLoads.Dialect, _ loads: DialectLoads, _ client: HTTPClient, floor: Double
    ) async throws -> [Row] {
        // Connections, caches and the branch predictors of both sides.
        _ = try await Self.drive(try loads.make(dialect, count: 500), client)
        let requests = try loads.make(dialect, count: self.paymentsCount)
        let seconds = try await Harness.seconds { _ = try await Self.drive(requests, client) }
        let rate = Double(requests.count) / seconds
        let paced = try loads.make(dialect, count: max(500, self.paymentsCount / 2))
        let latencies = try await Self.drive(paced, client, perSecond: rate / 2).sorted()
        let percentile = { (share: Double) in latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]
        }
        return [
            Row(
                name: "\(dialect.rawValue): authorizations over HTTP, client on the same cores",
                figure: Harness.text(rate, "%.0f") + "/s",
                floor: Harness.text(floor, "%.0f") + "/s in process", ratio: Harness.text(rate / floor, "%.2f")),
            Row(
                name: "\(dialect.rawValue): latency at half of that load",
                figure: "p50 \(Harness.text(percentile(0.5) * 1000, "%.1f")) ms, "
                    + "p99 \(Harness.text(percentile(0.99) * 1000, "%.1f")) ms",
                floor: "–", ratio: "–"),
        ]
    }

    /// Sends all requests: as fast as the lanes go, or at a steady pace that does not wait for answers.
    /// - Returns: the seconds that each took.
    private static func drive(
        _ requests: [DialectLoads.Request], _ client: HTTPClient, perSecond: Double? = nil
    ) async throws -> [Double] {
        let started = ContinuousClock.now
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for lane in 0..<self.lanesCount {
                group.addTask {
                    var latencies: [Double] = []
                    for index in stride(from: lane, to: requests.count, by: self.lanesCount) {
                        var due = ContinuousClock.now
                        if let perSecond {
                            due = started + .seconds(Double(index) / perSecond)
                            try await Task.sleep(until: due, clock: .continuous)
                        }
                        try await Self.send(requests[index], client)
                        latencies.append(Harness.seconds(ContinuousClock.now - due))
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func send(_ load: DialectLoads.Request, _ client: HTTPClient) async throws {
        var request = HTTPClientRequest(url: load.url)
        request.method = load.method
        for (name, value) in load.headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(load.body)
        let response = try await client.execute(request, timeout: .seconds(30))
        let answer = String(buffer: try await response.body.collect(upTo: 1 << 20))
        guard answer.contains(load.approval) else {
            throw BenchError("an authorization was not approved: \(answer.prefix(300))")
        }
    }
}
