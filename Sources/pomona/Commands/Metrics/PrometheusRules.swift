//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Server

/// Prometheus' alerting rules (prometheus.io, "Alerting rules"), as YAML. Texts are written in double quotes, which
/// YAML reads as JSON does (yaml.org, 1.2, section 7.3.1).
enum PrometheusRules {
    static func text(_ metrics: [MetricDescription]) -> String {
        var lines = [
            "# Alerting rules for Pomona, made of the metrics' own list by `pomona metrics rules`. Change the list, not this file.",
            "groups:",
        ]
        for area in MetricDescription.Area.allCases {
            let alerts = metrics.filter { $0.area == area }.flatMap { metric in metric.alerts.map { (metric, $0) } }
            guard !alerts.isEmpty else { continue }
            lines += ["  - name: \(self.quoted("pomona: \(area.rawValue.lowercased())"))", "    rules:"]
            for (metric, alert) in alerts { lines += self.lines(alert, of: metric) }
        }
        // So that the absence of a gateway is noticed, too.
        lines += [
            "  - name: \"pomona: presence\"", "    rules:", "      - alert: PomonaDown",
            "        expr: \"up{job=~\\\"pomona.*\\\"} == 0\"", "        for: 1m", "        labels:",
            "          severity: critical", "        annotations:",
            "          summary: \"A gateway does not answer Prometheus.\"",
            "          description: \"See whether its process runs and whether metrics.host and metrics.port can be reached.\"",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ alert: MetricDescription.Alert, of metric: MetricDescription) -> [String] {
        [
            "      - alert: \(alert.name)", "        expr: \(self.quoted(alert.expression))",
            "        for: \(alert.holding)", "        labels:", "          severity: \(alert.severity.rawValue)",
            "        annotations:", "          summary: \(self.quoted(alert.summary))",
            "          description: \(self.quoted(alert.advice))", "          metric: \(metric.name)",
        ]
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
