//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Server
import StrictJSON

/// A dashboard for Grafana: a row an area, and in it a panel for each of its metrics.
enum GrafanaDashboard {
    /// Of twenty-four, Grafana's grid.
    private static let panelWidth: Int64 = 8
    private static let panelHeight: Int64 = 8

    static func text(_ metrics: [MetricDescription]) -> String { self.json(metrics).text(pretty: true) + "\n" }

    private static func json(_ metrics: [MetricDescription]) -> JSON {
        [
            "__inputs": [
                [
                    "name": "DS_PROMETHEUS", "label": "Prometheus", "type": "datasource", "pluginId": "prometheus",
                    "pluginName": "Prometheus",
                ]
            ],
            "uid": "pomona", "title": "Pomona", "tags": ["pomona"], "schemaVersion": 38, "version": 1,
            "refresh": "30s", "timezone": "browser", "editable": true,
            "time": ["from": "now-6h", "to": "now"],
            "templating": [
                "list": [
                    [
                        "name": "job", "label": "Job", "type": "query", "datasource": self.source,
                        "query": "label_values(process_start_time_seconds, job)", "refresh": 2, "includeAll": true,
                        "multi": true, "allValue": "pomona.*", "current": ["text": "All", "value": "$__all"],
                    ]
                ]
            ],
            "panels": .array(self.panels(metrics)),
        ]
    }

    private static let source: JSON = ["type": "prometheus", "uid": "${DS_PROMETHEUS}"]

    private static func panels(_ metrics: [MetricDescription]) -> [JSON] {
        var panels: [JSON] = []
        var y: Int64 = 0
        for area in MetricDescription.Area.allCases {
            panels.append([
                "id": JSON(panels.count + 1), "type": "row", "title": .string(area.rawValue), "collapsed": false,
                "panels": [], "gridPos": ["x": 0, "y": JSON(y), "w": 24, "h": 1],
            ])
            y += 1
            let found = metrics.filter { $0.area == area }
            for (index, metric) in found.enumerated() {
                let column = Int64(index % 3)
                panels.append(
                    self.panel(metric, id: panels.count + 1, x: column * self.panelWidth, y: y))
                if column == 2 || index == found.count - 1 { y += self.panelHeight }
            }
        }
        return panels
    }

    private static func panel(_ metric: MetricDescription, id: Int, x: Int64, y: Int64) -> JSON {
        let targets = self.queries(metric).enumerated().map { index, query -> JSON in
            [
                "refId": .string(["A", "B", "C"][index]), "datasource": self.source, "expr": .string(query.expression),
                "legendFormat": .string(query.legend),
            ]
        }
        return [
            "id": JSON(id), "type": "timeseries", "title": .string(metric.name),
            "description": .string(metric.meaning), "datasource": self.source,
            "gridPos": ["x": JSON(x), "y": JSON(y), "w": JSON(self.panelWidth), "h": JSON(self.panelHeight)],
            "fieldConfig": ["defaults": ["unit": .string(self.unit(metric))], "overrides": []],
            "options": ["legend": ["displayMode": "list", "placement": "bottom", "showLegend": true]],
            "targets": .array(targets),
        ]
    }

    private static func unit(_ metric: MetricDescription) -> String {
        switch (metric.kind, metric.unit) {
        case (.counter, .seconds): "percentunit"
        case (.counter, _): "ops"
        case (_, .bytes): "bytes"
        case (_, .seconds): "s"
        case (_, .days): "d"
        case (_, .moment): "dateTimeFromNow"
        case (_, .count): "short"
        }
    }

    /// What is drawn: rates of counters, the middle and the tail of histograms, gauges as they are.
    private static func queries(_ metric: MetricDescription) -> [(expression: String, legend: String)] {
        let selector = "{job=~\"$job\"}"
        let labels = metric.labels.joined(separator: ", ")
        let legend = metric.labels.isEmpty ? "{{instance}}" : metric.labels.map { "{{\($0)}}" }.joined(separator: " ")
        let by = metric.labels.isEmpty ? "instance" : labels
        switch metric.kind {
        case .counter: return [("sum by (\(by)) (rate(\(metric.name)\(selector)[5m]))", legend)]
        case .histogram:
            let buckets = "sum by (le, dialect) (rate(\(metric.name)_bucket\(selector)[5m]))"
            return [
                ("histogram_quantile(0.5, \(buckets))", "{{dialect}} median"),
                ("histogram_quantile(0.99, \(buckets))", "{{dialect}} 99 %"),
            ]
        case .gauge where metric.unit == .moment: return [("\(metric.name)\(selector) * 1000", legend)]
        case .gauge: return [("max by (\(by)) (\(metric.name)\(selector))", legend)]
        }
    }
}
