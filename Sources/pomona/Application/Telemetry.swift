//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics
import Server

/// The metrics of this process. swift-metrics knows one factory a process, and so there is one registry.
enum Telemetry {
    static let registry: PrometheusRegistry = {
        // Room for every code that five dialects are likely to answer.
        let registry = PrometheusRegistry(seriesMax: 500, helpTexts: MetricDescription.helpTexts)
        MetricsSystem.bootstrap(registry)
        return registry
    }()
}
