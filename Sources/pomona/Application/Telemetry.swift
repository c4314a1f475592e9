//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics
import Operations

/// The metrics of this process. swift-metrics knows one factory a process, and so there is one registry.
enum Telemetry {
    static let registry: PrometheusRegistry = {
        let registry = PrometheusRegistry(helpTexts: HTTPServer.helpTexts)
        MetricsSystem.bootstrap(registry)
        return registry
    }()
}
