//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Server

/// `pomona metrics`: the metrics that a gateway exposes, and what is made of their list.
struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Write what Prometheus and Grafana need to watch a gateway.",
        subcommands: [MetricsListCommand.self, MetricsRulesCommand.self, MetricsDashboardCommand.self])
}

/// `pomona metrics list`.
struct MetricsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the metrics as docs/metrics.md does, in Markdown.",
        usage: "pomona metrics list")

    func run() async throws {
        try await CommandRunner.run(json: false) { $0.text(MetricsDocument.text(MetricDescription.all)) }
    }
}

/// `pomona metrics rules`.
struct MetricsRulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Write the alerting rules for Prometheus, YAML.",
        usage: "pomona metrics rules > pomona.rules.yml",
        discussion: "The same as ops/prometheus/pomona.rules.yml. promtool check rules checks it.")

    func run() async throws {
        try await CommandRunner.run(json: false) { $0.text(PrometheusRules.text(MetricDescription.all)) }
    }
}

/// `pomona metrics dashboard`.
struct MetricsDashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard", abstract: "Write the dashboard for Grafana, JSON.",
        usage: "pomona metrics dashboard > pomona.json",
        discussion: "The same as ops/grafana/pomona.json. It asks for the Prometheus to read from when it is imported.")

    func run() async throws {
        try await CommandRunner.run(json: false) { $0.text(GrafanaDashboard.text(MetricDescription.all)) }
    }
}
