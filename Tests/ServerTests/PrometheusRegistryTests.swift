//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics
import Testing

@testable import Server

@Suite struct PrometheusRegistryTests {
    @Test func writesCountersByNameAndLabels() {
        let registry = PrometheusRegistry(helpTexts: ["payments_total": "Payments."])
        Counter(label: "payments", dimensions: [("state", "ok"), ("dialect", "a")], factory: registry).increment(by: 2)
        Counter(label: "payments", dimensions: [("dialect", "a"), ("state", "ok")], factory: registry).increment()
        Counter(label: "payments_total", dimensions: [("dialect", "b"), ("state", "ok")], factory: registry).increment()
        #expect(
            registry.exposition() == """
                # HELP payments_total Payments.
                # TYPE payments_total counter
                payments_total{dialect="a",state="ok"} 3
                payments_total{dialect="b",state="ok"} 1

                """)
    }

    @Test func writesTimersAsHistogramsInSeconds() {
        let registry = PrometheusRegistry()
        let timer = Timer(label: "answer", factory: registry)
        timer.recordMilliseconds(1)
        timer.recordMilliseconds(7)
        timer.recordSeconds(60)
        let lines = registry.exposition().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE answer_seconds histogram"))
        #expect(lines.contains("answer_seconds_bucket{le=\"0.0005\"} 0"))
        #expect(lines.contains("answer_seconds_bucket{le=\"0.001\"} 1"))
        #expect(lines.contains("answer_seconds_bucket{le=\"0.01\"} 2"))
        #expect(lines.contains("answer_seconds_bucket{le=\"30\"} 2"))
        #expect(lines.contains("answer_seconds_bucket{le=\"+Inf\"} 3"))
        #expect(lines.contains("answer_seconds_sum 60.008"))
        #expect(lines.contains("answer_seconds_count 3"))
    }

    @Test func writesGauges() {
        let registry = PrometheusRegistry()
        let meter = Meter(label: "queue.depth", factory: registry)
        meter.set(5)
        meter.decrement(by: 2)
        Gauge(label: "last", factory: registry).record(1.5)
        #expect(registry.exposition() == "# TYPE last gauge\nlast 1.5\n# TYPE queue_depth gauge\nqueue_depth 3\n")
    }

    @Test func gaugesThatAreSetTogetherEndTogether() {
        let registry = PrometheusRegistry(seriesMax: 2)
        registry.setGauges("days", [([("of", "a")], 3), ([("of", "b")], -1), ([("of", "c")], 9)])
        #expect(registry.exposition() == "# TYPE days gauge\ndays{of=\"a\"} 3\ndays{of=\"b\"} -1\n")
        registry.setGauges("days", [([("of", "b")], 4)])
        #expect(registry.exposition() == "# TYPE days gauge\ndays{of=\"b\"} 4\n")
        registry.setGauges("days", [])
        #expect(registry.exposition().isEmpty)
    }

    @Test func aggregatingRecorderIsHistogram() {
        let registry = PrometheusRegistry()
        Recorder(label: "size", factory: registry).record(3)
        #expect(registry.exposition().contains("size_bucket{le=\"5\"} 1\n"))
        #expect(registry.exposition().contains("size_bucket{le=\"2\"} 0\n"))
    }

    @Test(arguments: [
        ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("\u{E9}", "\u{E9}"),
    ])
    func escapesLabelValues(value: String, written: String) {
        let registry = PrometheusRegistry()
        Counter(label: "c", dimensions: [("l", value)], factory: registry).increment()
        #expect(registry.exposition().contains("c_total{l=\"\(written)\"} 1\n"))
    }

    @Test(arguments: [
        ("a.b-c", "a_b_c"), ("9lives", "_9lives"), ("", "_"), ("ns:name", "ns:name"), ("na\u{EF}ve", "na__ve"),
    ])
    func replacesWhatNamesMayNotHold(label: String, name: String) {
        #expect(PrometheusText.metricName(label, suffix: "") == name)
    }

    @Test func countsSeriesBeyondTheBoundTogether() {
        let registry = PrometheusRegistry(seriesMax: 3)
        for index in 0..<50 {
            Counter(label: "c", dimensions: [("who", "\(index)")], factory: registry).increment()
        }
        let samples = registry.exposition().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.count == 4)
        #expect(samples.contains("c_total{who=\"other\"} 47"))
    }

    @Test func sameNameForTwoKindsKeepsTheFirst() {
        let registry = PrometheusRegistry()
        Gauge(label: "x_total", factory: registry).record(1)
        Counter(label: "x", factory: registry).increment(by: 9)
        #expect(registry.exposition() == "# TYPE x_total gauge\nx_total 1\n")
    }

    @Test func counterOnlyGoesUp() {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "c", factory: registry)
        counter.increment(by: Int64.max)
        counter.increment(by: 5)
        #expect(registry.exposition().contains("c_total \(Int64.max)\n"))
    }

    @Test func processMetricsShowMemoryAndStart() {
        let text = ProcessMetrics(startTimeSeconds: 1_700_000_000).exposition()
        #expect(text.contains("\nprocess_start_time_seconds 1700000000\n"))
        #expect(text.contains("# TYPE process_cpu_seconds_total counter\n"))
        #if os(Linux)
        #expect((ProcessMetrics.residentBytes ?? 0) > 1 << 20)
        #expect((ProcessMetrics.openFileDescriptorsCount ?? 0) > 2)
        #endif
    }
}
