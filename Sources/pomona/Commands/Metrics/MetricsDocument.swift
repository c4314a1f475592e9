//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Server

/// docs/metrics.md.
enum MetricsDocument {
    static func text(_ metrics: [MetricDescription]) -> String {
        var lines = [
            "# Metrics", "",
            "What `/metrics` exposes, in Prometheus' text format. This page is made of the metrics' own list by `pomona metrics list`, as are",
            "`ops/prometheus/pomona.rules.yml` (`pomona metrics rules`) and `ops/grafana/pomona.json` (`pomona metrics dashboard`). What to do",
            "about an alarm stands in [operations.md](operations.md); [edge.md](edge.md) has the limits behind connections and requests.",
            "",
            "The rules take the gateways' job to begin with `pomona`: `job_name: pomona` in Prometheus' configuration.",
        ]
        for area in MetricDescription.Area.allCases {
            let found = metrics.filter { $0.area == area }
            lines += [
                "", "## \(area.rawValue)", "", "| metric | kind | labels | what it says | alerts |",
                "|---|---|---|---|---|",
            ]
            for metric in found {
                let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
                let alerts = metric.alerts.map { "`\($0.name)`" }.joined(separator: ", ")
                lines.append(
                    "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.meaning) | \(alerts) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
