//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Metrics
import Synchronization

/// Keeps what the program counts and times, and writes it in Prometheus' text format, version 0.0.4.
///
/// Counters, gauges and timers of swift-metrics. A timer becomes a histogram in seconds; a recorder that aggregates
/// becomes a histogram of its values. The number of series of one name is bounded: beyond the bound they are counted
/// together under the label value "other", so that no caller can fill the memory by what he sends.
public final class PrometheusRegistry: MetricsFactory {
    /// How many label sets one name may have.
    public let seriesMax: Int
    private let helpTexts: [String: String]
    private let families = Mutex<[String: MetricFamily]>([:])

    /// - Parameter helpTexts: what a metric means, by the name that it is exposed under.
    public init(seriesMax: Int = 200, helpTexts: [String: String] = [:]) {
        self.seriesMax = seriesMax
        self.helpTexts = helpTexts
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.series(label, suffix: "_total", .counter, dimensions) { MetricCounter() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.series(label, suffix: "_total", .counter, dimensions) { MetricSum() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.series(label, suffix: "", .gauge, dimensions) { MetricGauge() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            self.series(label, suffix: "", .histogram, dimensions) {
                MetricHistogram(bounds: MetricHistogram.valueBounds)
            }
        } else {
            self.series(label, suffix: "", .gauge, dimensions) { MetricGauge() }
        }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        self.series(label, suffix: "_seconds", .histogram, dimensions) {
            MetricHistogram(bounds: MetricHistogram.secondBounds)
        }
    }

    // A series once exposed stays: Prometheus would read a counter that vanishes and returns as a reset.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func series<Series: MetricSeries>(
        _ label: String, suffix: String, _ kind: MetricKind, _ dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        let name = PrometheusText.metricName(label, suffix: suffix)
        let text = PrometheusText.labels(dimensions)
        return self.families.withLock { families in
            if let family = families[name], family.kind == kind, let existing = family.series[text] as? Series {
                return existing
            }
            var family = families[name] ?? MetricFamily(kind: kind)
            // The same name for two kinds is a programmer's error that no page may show: the second is kept to itself.
            guard family.kind == kind else { return make() }
            var labels = text
            if family.series[labels] == nil, family.series.count >= self.seriesMax {
                labels = PrometheusText.labels(dimensions.map { ($0.0, "other") })
            }
            if let existing = family.series[labels] as? Series { return existing }
            let made = make()
            family.series[labels] = made
            families[name] = family
            return made
        }
    }

    /// Sets all series of a gauge at once, so that those that are left out end: for what comes and goes.
    ///
    /// - Parameter values: the first are kept where there are too many.
    public func setGauges(_ label: String, _ values: [(dimensions: [(String, String)], value: Int64)]) {
        let name = PrometheusText.metricName(label, suffix: "")
        var family = MetricFamily(kind: .gauge)
        for (dimensions, value) in values.prefix(self.seriesMax) {
            let gauge = MetricGauge()
            gauge.set(value)
            family.series[PrometheusText.labels(dimensions)] = gauge
        }
        let made = family
        self.families.withLock { $0[name] = made.series.isEmpty ? nil : made }
    }

    /// All series, by name and labels, as text.
    public func exposition() -> String {
        let families = self.families.withLock { $0 }
        var text = ""
        for name in families.keys.sorted() {
            guard let family = families[name] else { continue }
            if let help = self.helpTexts[name] { text += "# HELP \(name) \(PrometheusText.escapedHelp(help))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for labels in family.series.keys.sorted() {
                family.series[labels]?.write(name: name, labels: labels, to: &text)
            }
        }
        return text
    }
}

/// All series of one name.
private struct MetricFamily: Sendable {
    let kind: MetricKind
    /// By the text of their labels.
    var series: [String: any MetricSeries] = [:]
}

enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}
