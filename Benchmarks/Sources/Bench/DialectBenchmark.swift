//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import TestShop

/// Authorizations over HTTP in each wire language, against a running sandbox, with the load generator on the same cores:
/// as many as go, and the latency at half of that. Held against the same work without HTTP.
struct DialectBenchmark {
    /// The built `pomona`.
    let executable: URL
    let directory: URL
    let paymentsCount: Int
    /// The pace at which latencies are measured, to compare two programs; half of what was reached where it is `nil`.
    var perSecond: Double?

    static let lanesCount = 256
    /// A shop's server makes AlphaPay's orders; customers' devices ask for TapPay's primes, of which one address has fewer
    /// than a hundred a second (`limits.deviceCallsPerSecond`): they are no part of what is measured.
    static let devicePreparationsPerSecond = 90.0

    func run(_ dialects: [any ShopDialect.Type]) async throws -> [Row] {
        let floor = try await PaymentBenchmark.authorizationsPerSecond(self.paymentsCount)
        let server = try RunningServer(executable: self.executable, directory: self.directory)
        defer { server.stop() }
        let client = try LoadGenerator(server.announcement, lanesCount: Self.lanesCount)
        let inProcess = Measure(floor, "/s", note: "in process")
        var rows = [try await self.ofHTTPAlone(client, floor: inProcess)]
        for dialect in dialects {
            rows += try await self.measure(
                Subject(dialect), client, server,
                floor: dialect.name == AlphaPayShop.name ? try Self.signaturesFloor() : inProcess)
        }
        return rows
    }

    /// CommWeb's through the connector `mpgs`, to a second gateway with a store of its own, which one process has beside the
    /// first. Each payment is one at both.
    func runThroughMPGS() async throws -> [Row] {
        let floor = try await PaymentBenchmark.authorizationsPerSecond(self.paymentsCount)
        let server = try RunningServer(
            executable: self.executable, directory: self.directory, options: ["--upstream", "mpgs"])
        defer { server.stop() }
        return try await self.measure(
            Subject(CommWebShop.self, through: "mpgs"), LoadGenerator(server.announcement, lanesCount: Self.lanesCount),
            server, floor: Measure(floor / 2, "/s", note: "two of them in process"))
    }

    /// Requests without a body that ask for nothing but a word: what client, sockets, event loops and the way into the server
    /// take by themselves. The ratio is what a dialect would reach that took no time of its own.
    private func ofHTTPAlone(_ client: LoadGenerator, floor: Measure) async throws -> Row {
        let ask = { (count: Int) in
            try await client.drive(Array(repeating: ClientRequest(.get, "/healthz"), count: count))
        }
        _ = try await ask(2000)
        let count = max(20_000, self.paymentsCount)
        let rate = Double(count) / (try await ask(count)).seconds
        return Row(
            "http.alone", "HTTP alone, client on the same cores: `GET /healthz`", [Measure(rate, "/s")],
            ratios: [1 / (1 + floor.value / rate)])
    }

    /// Whose payments are measured.
    private struct Subject {
        let dialect: any ShopDialect.Type
        let key: String
        let name: String

        /// - Parameter connector: through which a second gateway is paid.
        init(_ dialect: any ShopDialect.Type, through connector: String? = nil) {
            self.dialect = dialect
            let name = dialect.name
            self.key = connector.map { "\(name).\($0)" } ?? name
            self.name = connector.map { "\(name) through `\($0)`" } ?? name
        }
    }

    /// The payments of a load, with what they have to be prepared by.
    /// - Returns: the seconds that the server had work for, and each authorization's.
    static func pay(
        _ load: DialectLoad, _ client: LoadGenerator, at pace: LoadGenerator.Pace? = nil
    ) async throws -> (seconds: Double, latencies: [Double]) {
        var load = load
        let preparations = try load.preparations()
        var seconds = 0.0
        if !preparations.isEmpty {
            let requests = preparations.map(\.request)
            let driven = try await client.drive(
                requests, at: load.isPreparedByDevices ? .evenly(perSecond: Self.devicePreparationsPerSecond) : nil)
            if !load.isPreparedByDevices { seconds += driven.seconds }
            try load.take(driven.answers, to: preparations)
        }
        let calls = try load.authorizations()
        let driven = try await client.drive(calls.map(\.request), at: pace)
        try DialectLoad.check(driven.answers, to: calls)
        return (seconds + driven.seconds, driven.answers.map(\.seconds))
    }

    /// The gateway signs its answers to the order and to its payment.
    private static func signaturesFloor() throws -> Measure {
        Measure(try RSASignatures.perSecond() / 2, "/s", note: "(2 RSA-2048 signatures each)")
    }

    private func measure(
        _ subject: Subject, _ client: LoadGenerator, _ server: RunningServer, floor: Measure
    ) async throws -> [Row] {
        let load = { count in try DialectLoad(subject.dialect, server.announcement, count: count) }
        // Connections, caches and the branch predictors of both sides.
        _ = try await Self.pay(try load(500), client)
        let processor = { () -> Double in try server.processorSeconds() * 1e6 }
        let measured = try load(self.paymentsCount)
        var before = try processor()
        let seconds = try await Self.pay(measured, client).seconds
        let atFullLoad = (try processor() - before) / Double(self.paymentsCount)
        let rate = Double(self.paymentsCount) / seconds
        let halfCount = max(500, self.paymentsCount / 2)
        let paced = try load(halfCount)
        before = try processor()
        let latencies = try await Self.pay(
            paced, client, at: .atRandom(perSecond: self.perSecond ?? rate / 2)
        ).latencies.sorted()
        let atHalfLoad = (try processor() - before) / Double(halfCount)
        let percentile = { (share: Double) in latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]
        }
        return [
            Row(
                "\(subject.key).http", "\(subject.name): authorizations over HTTP, client on the same cores",
                [Measure(rate, "/s")], floor: floor, ratios: [rate / floor.value]),
            // What another load on the machine does not change.
            Row(
                "\(subject.key).processor", "\(subject.name): the gateway's processor time of one of them",
                [Measure(atFullLoad, "µs"), Measure(atHalfLoad, "µs", note: "at half load")]),
            Row(
                "\(subject.key).latency",
                "\(subject.name): latency at \(self.perSecond.map { "\(Int($0))/s" } ?? "half of that load")",
                [
                    Measure(percentile(0.5) * 1000, "ms", decimals: 1, note: "p50"),
                    Measure(percentile(0.99) * 1000, "ms", decimals: 1, note: "p99"),
                ]),
        ]
    }
}
