//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Server
import StrictJSON
import TestProcesses
import Testing

@testable import pomona

/// The files for Prometheus and Grafana, and the page of the metrics: made of the list, and right by Prometheus' own
/// program.
struct OperationsFilesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let files: [(path: String, command: String, text: String)] = [
        ("docs/metrics.md", "list", MetricsDocument.text(MetricDescription.all)),
        ("ops/prometheus/pomona.rules.yml", "rules", PrometheusRules.text(MetricDescription.all)),
        ("ops/grafana/pomona.json", "dashboard", GrafanaDashboard.text(MetricDescription.all)),
    ]

    /// A file that is not what the list says is written anew by its command.
    @Test(arguments: files.map(\.path))
    func filesAreMadeOfTheList(path: String) async throws {
        let file = try #require(Self.files.first { $0.path == path })
        let written = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        #expect(written == file.text, "run: pomona metrics \(file.command) > \(path)")
        let printed = try await CliTool.pomona(["metrics", file.command])
        #expect(printed.exitCode == 0 && printed.stdout == file.text)
    }

    @Test(arguments: MetricDescription.all.map(\.name))
    func everyMetricStandsInEach(name: String) throws {
        let metric = try #require(MetricDescription.all.first { $0.name == name })
        #expect(Self.files[0].text.contains("| `\(name)` |"))
        for alert in metric.alerts { #expect(Self.files[1].text.contains("alert: \(alert.name)\n")) }
        let dashboard = try JSON.parse(Array(Self.files[2].text.utf8))
        let panel = try #require(dashboard["panels"]?.array?.first { $0["title"]?.string == name })
        let expressions = try #require(panel["targets"]?.array).compactMap { $0["expr"]?.string }
        #expect(!expressions.isEmpty && expressions.allSatisfy { $0.contains(name) })
    }

    @Test func panelsHaveTheirPlaces() throws {
        let dashboard = try JSON.parse(Array(Self.files[2].text.utf8))
        let panels = try #require(dashboard["panels"]?.array)
        #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
        var taken: Set<String> = []
        for panel in panels {
            let place = try #require(panel["gridPos"])
            let (x, y) = (try #require(place["x"]?.integer), try #require(place["y"]?.integer))
            #expect(taken.insert("\(x) \(y)").inserted && x + (place["w"]?.integer ?? 99) <= 24)
        }
    }

    @Test func rulesAreRightByPromtool() async throws {
        let rules = Self.root.appendingPathComponent("ops/prometheus").path
        let checked = try await CliTool.bash("cd '\(rules)' && promtool check rules pomona.rules.yml")
        #expect(checked.exitCode == 0, "\(checked.stdout)\(checked.stderr)")
        let alerts = MetricDescription.all.reduce(1) { $0 + $1.alerts.count }
        #expect(checked.stdout.contains("\(alerts) rules found"), "\(checked.stdout)")
    }

    /// Series that go wrong, and the alerts that are to come of them: ops/prometheus/pomona.rules.test.yml.
    @Test func rulesFireWhenTheyShould() async throws {
        let rules = Self.root.appendingPathComponent("ops/prometheus").path
        let tested = try await CliTool.bash("cd '\(rules)' && promtool test rules pomona.rules.test.yml")
        #expect(tested.exitCode == 0, "\(tested.stdout)\(tested.stderr)")
        let tests = try String(
            contentsOf: Self.root.appendingPathComponent("ops/prometheus/pomona.rules.test.yml"), encoding: .utf8)
        for alert in MetricDescription.all.flatMap(\.alerts) {
            #expect(tests.contains("alertname: \(alert.name)\n"), "no test of \(alert.name)")
        }
    }
}
