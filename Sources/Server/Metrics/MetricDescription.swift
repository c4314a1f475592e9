//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A metric that the program exposes: what it is called, what it is of, and when an operator is to be woken.
///
/// The page's help, docs/metrics.md, Prometheus' rules and Grafana's dashboard are all made of ``all``, so that none
/// of them lacks one; a test fails where the program counts something that is not in it.
public struct MetricDescription: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// What the numbers are.
    public enum Unit: String, Hashable, Sendable {
        case count
        case bytes
        case seconds
        case days
        /// Seconds since 1970.
        case moment
    }

    /// What a metric is about: a row of the dashboard.
    public enum Area: String, Hashable, Sendable, CaseIterable {
        case payments = "Payments"
        case alarms = "Alarms"
        case requests = "Requests"
        case refusals = "Refused calls and credentials"
        case connections = "Connections"
        case process = "Process"
    }

    /// A condition under which an operator is notified.
    public struct Alert: Hashable, Sendable {
        /// Prometheus' word for how bad it is, as most Alertmanagers route by it.
        public enum Severity: String, Hashable, Sendable {
            case warning
            case critical
        }

        public let name: String
        /// In PromQL.
        public let expression: String
        /// How long it must hold: "5m".
        public let holding: String
        public let severity: Severity
        public let summary: String
        public let advice: String

        init(
            _ name: String, _ severity: Severity, _ expression: String, for holding: String, _ summary: String,
            _ advice: String
        ) {
            self.name = name
            self.severity = severity
            self.expression = expression
            self.holding = holding
            self.summary = summary
            self.advice = advice
        }
    }

    /// As it is exposed.
    public let name: String
    public let kind: Kind
    public let unit: Unit
    public let area: Area
    public let labels: [String]
    public let meaning: String
    public let alerts: [Alert]

    init(
        _ name: String, _ kind: Kind, _ area: Area, in unit: Unit = .count, labels: [String] = [], _ meaning: String,
        alerts: [Alert] = []
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.area = area
        self.labels = labels
        self.meaning = meaning
        self.alerts = alerts
    }

    /// What each means, by its name.
    public static var helpTexts: [String: String] {
        Dictionary(self.all.map { ($0.name, $0.meaning) }) { first, _ in first }
    }
}
