//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import Synchronization

/// Counts requests and writes the line of the log for each.
struct RequestTelemetry: Sendable {
    /// Why a request was refused before it was begun.
    enum Shed: String, CaseIterable, Sendable {
        case requests
        case bodies
        case store
    }

    let logger: Logger
    let random: @Sendable (Int) -> [UInt8]
    private let factory: any MetricsFactory
    private let series: SeriesCache
    private let shed: [Shed: Counter]

    init(factory: any MetricsFactory, logger: Logger, random: @escaping @Sendable (Int) -> [UInt8]) {
        self.logger = logger
        self.random = random
        self.factory = factory
        self.series = SeriesCache(factory: factory)
        self.shed = Dictionary(
            uniqueKeysWithValues: Shed.allCases.map { reason in
                let dimensions = [("reason", reason.rawValue)]
                return (reason, Counter(label: "pomona_http_requests_shed", dimensions: dimensions, factory: factory))
            })
    }

    func countShed(_ reason: Shed) { self.shed[reason]?.increment() }

    /// 16 hexadecimal digits.
    func makeRequestID() -> String {
        Hex.encode(self.random(8))
    }

    func record(_ exchange: Exchange, response: Response, inFlight: Int, unfinishedBodyBytes: Int) {
        let duration = exchange.started.duration(to: .now)
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let dialect = exchange.service ?? "none"
        let route = exchange.route ?? "unmatched"
        let method = Self.boundedName(of: exchange.method)
        let status = String(response.status.code)
        let series = self.series.of(
            SeriesCache.Key(dialect: dialect, route: route, method: method, status: status))
        series.requests.increment()
        series.duration.recordMicroseconds(microseconds)
        self.series.inFlight.record(inFlight)
        self.series.unfinishedBodyBytes.record(unfinishedBodyBytes)
        var metadata: Logger.Metadata = [
            "dialect": "\(dialect)", "method": "\(method)", "route": "\(route)", "status": "\(status)",
            "duration_us": "\(microseconds)", "request_bytes": "\(exchange.bodyBytesCount)",
            "response_bytes": "\(response.body.contentLength ?? 0)", "request_id": "\(exchange.id)",
        ]
        if let caller = exchange.caller { metadata["caller"] = "\(caller)" }
        if let refusal = exchange.refusal {
            self.count(refusal, dialect)
            metadata["operation"] = "\(refusal.operation)"
            metadata["refusal"] = "\(refusal.code)"
        }
        self.logger.info("request", metadata: metadata)
    }

    private func count(_ refusal: WireRefusal, _ dialect: String) {
        let dimensions = [("dialect", dialect), ("operation", refusal.operation), ("code", refusal.code)]
        Counter(label: "pomona_refusals", dimensions: dimensions, factory: self.factory).increment()
    }

    /// A method is the client's text: what is no method that the server knows gets one name.
    private static func boundedName(of method: HTTPRequest.Method) -> String {
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
        return known.contains(method) ? method.rawValue : "other"
    }
}

/// The metrics of the requests that are usual, so that their labels are written once.
private final class SeriesCache: Sendable {
    struct Key: Hashable, Sendable {
        let dialect: String
        let route: String
        let method: String
        let status: String
    }

    struct Series: Sendable {
        let requests: Counter
        let duration: Timer
    }

    /// The registry bounds what is kept; beyond this, labels are written anew.
    private static let seriesMax = 1000

    let inFlight: Gauge
    let unfinishedBodyBytes: Gauge
    private let factory: any MetricsFactory
    private let series = Mutex<[Key: Series]>([:])

    init(factory: any MetricsFactory) {
        self.factory = factory
        self.inFlight = Gauge(label: "pomona_http_requests_in_flight", factory: factory)
        self.unfinishedBodyBytes = Gauge(label: "pomona_http_unfinished_body_bytes", factory: factory)
    }

    func of(_ key: Key) -> Series {
        if let known = self.series.withLock({ $0[key] }) { return known }
        let made = Series(
            requests: Counter(
                label: "pomona_http_requests",
                dimensions: [
                    ("dialect", key.dialect), ("route", key.route), ("method", key.method), ("status", key.status),
                ], factory: self.factory),
            duration: Timer(
                label: "pomona_http_request_duration", dimensions: [("dialect", key.dialect), ("route", key.route)],
                factory: self.factory))
        self.series.withLock { series in if series.count < Self.seriesMax { series[key] = made } }
        return made
    }
}
