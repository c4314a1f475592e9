//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Metrics
import Synchronization

/// The labels of every metric that is made, with their dimensions. Values are not kept.
///
/// ```swift
/// let metrics = CapturedMetrics()
/// try await withMetricsFactory(metrics) { … }
/// ```
public final class CapturedMetrics: MetricsFactory {
    private let made = Mutex<Set<String>>([])

    public init() {}

    /// "pomona_recoveries_total kind=capture", sorted.
    public var labels: [String] { self.made.withLock { $0.sorted() } }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.note(label, dimensions)
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.note(label, dimensions)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.note(label, dimensions)
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        self.note(label, dimensions)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        self.note(label, dimensions)
    }

    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func note(_ label: String, _ dimensions: [(String, String)]) -> NoHandler {
        let text = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
        self.made.withLock { _ = $0.insert(text) }
        return NoHandler()
    }
}

private final class NoHandler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler
{
    func increment(by amount: Int64) {}
    func increment(by amount: Double) {}
    func decrement(by amount: Double) {}
    func reset() {}
    func set(_ value: Int64) {}
    func set(_ value: Double) {}
    func record(_ value: Int64) {}
    func record(_ value: Double) {}
    func recordNanoseconds(_ duration: Int64) {}
}
