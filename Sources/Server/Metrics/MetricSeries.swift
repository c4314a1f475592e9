//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics
import Synchronization

/// One series: a name, its labels, and what has been seen so far.
protocol MetricSeries: AnyObject, Sendable {
    /// - Parameter labels: as they stand between the braces; empty for none.
    func write(name: String, labels: String, to text: inout String)
}

final class MetricCounter: CounterHandler, MetricSeries {
    private let value = Atomic<Int64>(0)

    /// A counter only goes up; what would make it overflow is left out.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        let (_, new) = self.value.wrappingAdd(amount, ordering: .relaxed)
        if new < 0 { self.value.store(.max, ordering: .relaxed) }
    }

    func reset() {
        self.value.store(0, ordering: .relaxed)
    }

    func write(name: String, labels: String, to text: inout String) {
        text += PrometheusText.sample(name, labels, String(self.value.load(ordering: .relaxed)))
    }
}

final class MetricSum: FloatingPointCounterHandler, MetricSeries {
    private let value = Mutex<Double>(0)

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        self.value.withLock { $0 += amount }
    }

    func reset() {
        self.value.withLock { $0 = 0 }
    }

    func write(name: String, labels: String, to text: inout String) {
        text += PrometheusText.sample(name, labels, PrometheusText.number(self.value.withLock { $0 }))
    }
}

final class MetricGauge: MeterHandler, RecorderHandler, MetricSeries {
    private let value = Mutex<Double>(0)

    func set(_ value: Int64) { self.set(Double(value)) }

    func set(_ value: Double) {
        self.value.withLock { $0 = value }
    }

    func increment(by amount: Double) {
        self.value.withLock { $0 += amount }
    }

    func decrement(by amount: Double) {
        self.value.withLock { $0 -= amount }
    }

    func record(_ value: Int64) { self.set(value) }

    func record(_ value: Double) { self.set(value) }

    func write(name: String, labels: String, to text: inout String) {
        text += PrometheusText.sample(name, labels, PrometheusText.number(self.value.withLock { $0 }))
    }
}

final class MetricHistogram: TimerHandler, RecorderHandler, MetricSeries {
    /// From half a millisecond to the longest that an acquirer may take.
    static let secondBounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    static let valueBounds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000]

    private struct Observations {
        /// Those at or below the bound of the same index, and above the bound before it.
        var counts: [Int64]
        var count: Int64 = 0
        var sum: Double = 0
    }

    private let bounds: [Double]
    private let observations: Mutex<Observations>

    init(bounds: [Double]) {
        self.bounds = bounds
        self.observations = Mutex(Observations(counts: Array(repeating: 0, count: bounds.count)))
    }

    func recordNanoseconds(_ duration: Int64) { self.record(Double(duration) / 1_000_000_000) }

    func record(_ value: Int64) { self.record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = self.bounds.firstIndex { value <= $0 }
        self.observations.withLock { observations in
            if let index { observations.counts[index] += 1 }
            observations.count += 1
            observations.sum += value
        }
    }

    func write(name: String, labels: String, to text: inout String) {
        let observations = self.observations.withLock { $0 }
        let prefix = labels.isEmpty ? "" : labels + ","
        var cumulative: Int64 = 0
        for (bound, count) in zip(self.bounds, observations.counts) {
            cumulative += count
            text += PrometheusText.sample(
                name + "_bucket", prefix + "le=\"\(PrometheusText.number(bound))\"", String(cumulative))
        }
        text += PrometheusText.sample(name + "_bucket", prefix + "le=\"+Inf\"", String(observations.count))
        text += PrometheusText.sample(name + "_sum", labels, PrometheusText.number(observations.sum))
        text += PrometheusText.sample(name + "_count", labels, String(observations.count))
    }
}
